//! Metadata in texels must be equal to that of the manifest.

use super::ensure;
use crate::{ChannelKind, Layout, Manifest, Metadata, SetError, Texture, column, p0};

/// Checks metadata in texels. Textures and layout have been checked before.
pub(super) fn check_metadata(manifest: &Manifest, textures: &[Texture]) -> Result<(), SetError> {
    let has_frames = matches!(manifest.layout, Layout::Bones(_) | Layout::Vertices(_));
    let texture = &textures[0];
    let format = texture.format();
    let location = || "metadata".into();
    match manifest.metadata {
        Metadata::Manifest => Ok(()),
        Metadata::Column => {
            ensure(has_frames && format.channels() == 4, location, || {
                "a metadata column needs frames in texels of four channels".into()
            })?;
            let expected = column::values(manifest);
            let found = column::read(texture, expected.len());
            let differs = expected
                .iter()
                .zip(&found)
                .position(|(a, b)| a.to_bits() != b.to_bits());
            ensure(differs.is_none(), location, || {
                let index = differs.unwrap_or_default();
                format!(
                    "value {index} of the metadata column: expected {} as in the manifest, found {}",
                    expected[index], found[index]
                )
            })
        }
        Metadata::P0Column => {
            let channels = match &manifest.layout {
                Layout::Bones(_) => 4,
                _ => 3,
            };
            let [_, height, layers] = texture.size();
            let rows = u64::from(height) * u64::from(layers);
            ensure(
                has_frames
                    && format.channel_kind() == ChannelKind::Unorm8
                    && format.channels() == channels
                    && rows >= p0::metadata_rows(&manifest.layout, channels) as u64,
                location,
                || "P0's metadata does not fit the first column".into(),
            )
        }
    }
}
