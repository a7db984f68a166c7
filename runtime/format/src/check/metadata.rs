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
            let [_, height, layers] = texture.size().map(u64::from);
            let (grid, boxes) = match &manifest.layout {
                Layout::Bones(layout) => (
                    Some(&layout.grid),
                    layout.ranges.len() == layout.bones.len(),
                ),
                Layout::Vertices(layout) => (Some(&layout.positions), layout.range.is_some()),
                _ => (None, false),
            };
            let pages = grid
                .and_then(|grid| grid.pages.as_ref())
                .map_or(0, |pages| {
                    pages.frame_starts.len() as u64 * pages.item_starts.len() as u64
                });
            ensure(
                boxes
                    && grid.is_some_and(|grid| grid.texture == 0)
                    && format.channel_kind() == ChannelKind::Unorm8
                    && format.channels() == channels
                    && (1..=layers).contains(&pages)
                    && height >= p0::layout_rows(&manifest.layout, channels) as u64,
                location,
                || {
                    "P0's metadata needs a box per bone or mesh, and a page of 8-bit texels per clip with rows for them"
                        .into()
                },
            )?;
            let differs = p0::first_difference(texture, manifest);
            ensure(differs.is_none(), location, || {
                let row = differs.unwrap_or_default() as u64 / u64::from(texture.size()[0]);
                format!(
                    "row {} of the first column of layer {}: expected the value of the manifest, found another",
                    row % height,
                    row / height
                )
            })
        }
    }
}
