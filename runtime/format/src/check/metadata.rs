//! What textures say of themselves is what the manifest says.

use super::ensure;
use crate::{ChannelKind, Layout, Manifest, Metadata, SetError, Texture, column, p0};

/// Textures are known to be there, layouts to be sound.
pub(super) fn check_metadata(manifest: &Manifest, textures: &[Texture]) -> Result<(), SetError> {
    let plain = matches!(manifest.layout, Layout::Bones(_) | Layout::Vertices(_));
    let texture = &textures[0];
    let format = texture.format();
    let place = || "metadata".into();
    match manifest.metadata {
        Metadata::Manifest => Ok(()),
        Metadata::Column => {
            ensure(plain && format.channels() == 4, place, || {
                "this layout has no column of metadata".into()
            })?;
            let told = column::values(manifest);
            let found = column::read(texture, told.len());
            let differs = told
                .iter()
                .zip(&found)
                .position(|(a, b)| a.to_bits() != b.to_bits());
            ensure(differs.is_none(), place, || {
                let number = differs.unwrap_or_default();
                format!(
                    "number {number} of the column is {}, the manifest says {}",
                    found[number], told[number]
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
                plain
                    && format.channel_kind() == ChannelKind::Unorm8
                    && format.channels() == channels
                    && rows >= p0::metadata_rows(&manifest.layout, channels) as u64,
                place,
                || "the first column has no room for it".into(),
            )
        }
    }
}
