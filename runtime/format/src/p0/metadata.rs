//! The first column of a texture.

use super::{BoxCode, box_bytes, box_from_bytes, shader_length};
use crate::{ClipEntry, Layout, Manifest, Range, Texture};

/// Boxes in the first column: first row, number of boxes, storage.
fn box_rows(layout: &Layout) -> (usize, usize, BoxCode) {
    match layout {
        Layout::Bones(layout) => (0, layout.bones.len(), BoxCode::of_bones(layout.code)),
        _ => (2, 1, BoxCode::Parts),
    }
}

/// Number of rows of the metadata: a number of boxes, length and frames per second.
pub fn metadata_rows(code: BoxCode, boxes: usize, channels: usize) -> usize {
    2 + boxes * code.bytes() / channels.max(1)
}

/// Number of rows of the metadata of a layout.
pub(crate) fn layout_rows(layout: &Layout, channels: usize) -> usize {
    let (_, boxes, code) = box_rows(layout);
    metadata_rows(code, boxes, channels)
}

/// Writes boxes, length and frames per second into the first column of every layer.
///
/// # Panics
/// If boxes do not fit (see [`box_bytes`]) or the texture is not 8-bit or too small.
pub fn write_metadata(texture: &mut Texture, manifest: &Manifest) {
    for (texel, bytes) in texels(texture, manifest) {
        let at = texel * texture.format().channels();
        texture.bytes_mut()[at..][..bytes.len()].copy_from_slice(&bytes);
    }
}

/// Index of the first texel of the first columns that differs from the manifest, where one does.
pub(crate) fn first_difference(texture: &Texture, manifest: &Manifest) -> Option<usize> {
    let differs =
        |(texel, bytes): &(usize, Vec<u8>)| texture.texel(*texel)[..bytes.len()] != bytes[..];
    let found = texels(texture, manifest).into_iter().find(differs);
    found.map(|(texel, _)| texel)
}

/// Texel indices and bytes of the metadata of all layers. Bytes past those are zero.
fn texels(texture: &Texture, manifest: &Manifest) -> Vec<(usize, Vec<u8>)> {
    let [width, height, _] = texture.size().map(|side| side as usize);
    let (ranges, pages) = match &manifest.layout {
        Layout::Bones(layout) => (layout.ranges.as_slice(), &layout.grid.pages),
        Layout::Vertices(layout) => (layout.range.as_slice(), &layout.positions.pages),
        _ => (&[][..], &None),
    };
    let meshes = pages.as_ref().map_or(1, |pages| pages.item_starts.len());
    let mut out = Vec::new();
    for (index, clip) in manifest.clips.iter().enumerate() {
        let rows = rows(clip, &manifest.layout, ranges, texture.format().channels());
        for mesh in 0..meshes {
            let first = (index * meshes + mesh) * height;
            let texels = rows
                .iter()
                .map(|(row, bytes)| ((first + row) * width, bytes.clone()));
            out.extend(texels);
        }
    }
    out
}

/// Rows of the metadata of a clip, and their bytes.
fn rows(
    clip: &ClipEntry,
    layout: &Layout,
    ranges: &[Range],
    channels: usize,
) -> Vec<(usize, Vec<u8>)> {
    let (first_row, boxes, code) = box_rows(layout);
    let length = shader_length(clip).to_le_bytes();
    let rate = (clip.rate_hz * 65536.0).round() as u32;
    let timing_row = match first_row {
        0 => boxes * code.bytes() / channels,
        _ => 0,
    };
    let mut out = vec![
        (timing_row, length[..3].to_vec()),
        (
            timing_row + 1,
            vec![(rate >> 16) as u8, (rate >> 8) as u8, rate as u8],
        ),
    ];
    let rows_per_box = code.bytes() / channels;
    for (index, range) in ranges.iter().enumerate() {
        let bytes = box_bytes(code, range).unwrap_or_default();
        let texels = bytes.chunks(channels).enumerate();
        out.extend(
            texels.map(|(row, texel)| (first_row + index * rows_per_box + row, texel.to_vec())),
        );
    }
    out
}

/// Reads the boxes from the first column.
pub(crate) fn read_boxes(texture: &Texture, manifest: &Manifest) -> Vec<Range> {
    let channels = texture.format().channels();
    let width = texture.size()[0] as usize;
    let (first_row, boxes, code) = box_rows(&manifest.layout);
    let rows_per_box = code.bytes() / channels;
    let read_box = |index: usize| {
        let rows = first_row + index * rows_per_box..;
        let texels = rows
            .take(rows_per_box)
            .map(|row| texture.texel(row * width));
        let bytes: Vec<u8> = texels.flatten().copied().collect();
        box_from_bytes(code, &bytes)
    };
    (0..boxes).map(read_box).collect()
}
