//! The layout of P0: frames in columns, 8 bits per value, and metadata in the first column.
//!
//! Lengths are in centimetres. A value `x` from -1 to 1 is stored as the byte `(unsigned char)(x * 127 + 128)`,
//! truncated, and read as `byte / 255 * 2 - 1`, as in the paper's appendices. `bounds` are half extents: only those use
//! the whole range of the byte in these formulas.
//!
//! Layout of the first column, whose order the paper leaves open:
//!
//! - Matrices have the box of bone `b` in rows `3 b` to `3 b + 2`, 12 consecutive bytes: the integer part of the centre,
//!   x y z, without its sign; the fractional part, -1 to 1, which carries the sign; the integer part of the bounds; their
//!   fractional part, 0 to 1. Row `3 n` holds the length in frames, row `3 n + 1` the frames per second.
//! - Dual quaternions have it in rows `2 b` and `2 b + 1`, 8 bytes: the integer part of the centre of the dual part,
//!   x y z w, plus 128; the integer part of the bounds. Boxes are grown to integers before anything is encoded in them:
//!   a bound of 0.7 would be read as 0. Rows `2 n` and `2 n + 1` are as above.
//! - Vertices have, in rows 0 to 5, the length, the frames per second, and the four parts of the one box in the order of
//!   matrices, one per texel.
//!
//! A length is `r + 256 g + 65536 b`, frames per second are `r + g / 256 + b / 65536`. With several clips, the length is
//! that of all clips, and the frames per second are those of the first.

use crate::{BoneCode, Layout, Manifest, Range, Texture};

/// Number of rows of the metadata of a vertex texture.
pub const VERTEX_METADATA_ROWS: u32 = 6;

/// P0's encoding of a value from -1 to 1.
pub fn level(x: f64) -> u8 {
    (x * 127.0 + 128.0) as u8
}

/// P0's decoding of a byte to a value from -1 to 1.
pub fn from_level(byte: u8) -> f64 {
    f64::from(byte) / 255.0 * 2.0 - 1.0
}

/// Width and height of a dual-quaternion texture.
pub fn dual_quaternion_size(bones: u32, frames: u32) -> [u32; 2] {
    [frames + 1, 2 * bones + 2]
}

/// Width and height of a matrix texture.
pub fn matrix_size(bones: u32, frames: u32) -> [u32; 2] {
    [frames + 1, 3 * bones + 2]
}

/// Width and height of the vertex texture of a mesh with so many unique vertices; the normal texture is separate.
pub fn vertex_size(vertices: u32, frames: u32) -> [u32; 2] {
    [frames + 1, vertices]
}

/// Grows the box of a bone's dual part to integers.
pub fn whole_box(range: &Range) -> Range {
    let center: Vec<f64> = range.center.iter().map(|c| c.round()).collect();
    let off = center
        .iter()
        .zip(&range.center)
        .map(|(to, c)| (to - c).abs());
    let half_extent = range.half_extent.iter().zip(off);
    Range {
        half_extent: half_extent.map(|(h, off)| (h + off).ceil()).collect(),
        center,
    }
}

/// Encodes a box; `None` where a part does not fit in its byte.
pub fn box_bytes(code: BoxCode, range: &Range) -> Option<Vec<u8>> {
    let byte = |x: f64| (0.0..256.0).contains(&x).then_some(x as u8);
    let (center, bounds) = (&range.center, &range.half_extent);
    let mut out = Vec::new();
    match code {
        BoxCode::Parts => {
            for c in center {
                out.push(byte(c.abs().trunc())?);
            }
            out.extend(center.iter().map(|c| match level(c.fract()) {
                // A small fractional part must not lose the sign of the whole value.
                128.. if *c < 0.0 => 127,
                other => other,
            }));
            for b in bounds {
                out.push(byte(b.trunc())?);
            }
            out.extend(bounds.iter().map(|b| (b.fract() * 255.0) as u8));
        }
        BoxCode::Whole => {
            for c in center {
                out.push(byte(c.trunc() + 128.0)?);
            }
            for b in bounds {
                out.push(byte(b.trunc())?);
            }
        }
    }
    Some(out)
}

/// Decodes a box that [`box_bytes`] encoded.
pub fn box_from_bytes(code: BoxCode, bytes: &[u8]) -> Range {
    let value = |byte: &u8| f64::from(*byte);
    match code {
        BoxCode::Parts => {
            let part = |index: usize| &bytes[3 * index..][..3];
            let center = part(0).iter().zip(part(1)).map(|(whole, decimal)| {
                let decimal = from_level(*decimal);
                value(whole).copysign(decimal) + decimal
            });
            let bounds = part(2).iter().zip(part(3));
            Range {
                center: center.collect(),
                half_extent: bounds
                    .map(|(whole, decimal)| value(whole) + value(decimal) / 255.0)
                    .collect(),
            }
        }
        BoxCode::Whole => {
            let (center, bounds) = bytes.split_at(4);
            Range {
                center: center.iter().map(|byte| value(byte) - 128.0).collect(),
                half_extent: bounds.iter().map(value).collect(),
            }
        }
    }
}

/// Storage of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxCode {
    /// Integer and fractional parts of three components: 12 bytes.
    Parts,
    /// Integer parts of four components: 8 bytes.
    Whole,
}

impl BoxCode {
    /// Storage of the boxes of bones.
    pub fn of_bones(code: BoneCode) -> Self {
        match code {
            BoneCode::DualQuaternion => Self::Whole,
            _ => Self::Parts,
        }
    }

    /// Bytes per box.
    pub fn bytes(self) -> usize {
        match self {
            Self::Parts => 12,
            Self::Whole => 8,
        }
    }
}

/// Boxes in the first column: first row, number of boxes, storage.
fn box_rows(layout: &Layout) -> (usize, usize, BoxCode) {
    match layout {
        Layout::Bones(layout) => (0, layout.bones.len(), BoxCode::of_bones(layout.code)),
        _ => (2, 1, BoxCode::Parts),
    }
}

/// Number of rows of the metadata.
pub fn metadata_rows(layout: &Layout, channels: usize) -> usize {
    let (_, boxes, code) = box_rows(layout);
    2 + boxes * code.bytes() / channels.max(1)
}

/// Writes boxes, length and frames per second into the first column.
///
/// # Panics
/// If boxes do not fit (see [`box_bytes`]) or the texture is not 8-bit or too small.
pub fn write_metadata(texture: &mut Texture, manifest: &Manifest, ranges: &[Range]) {
    let channels = texture.format().channels();
    let stride = texture.size()[0] as usize * channels;
    let (first_row, boxes, code) = box_rows(&manifest.layout);
    let frames: u32 = manifest.clips.iter().map(|clip| clip.frames).sum();
    let length = frames.to_le_bytes();
    let rate = (manifest.clips[0].rate_hz * 65536.0).round() as u32;
    let rate = [(rate >> 16) as u8, (rate >> 8) as u8, rate as u8];
    let timing_row = match first_row {
        0 => boxes * code.bytes() / channels,
        _ => 0,
    };
    let mut put = |row: usize, bytes: &[u8]| {
        texture.bytes_mut()[row * stride..][..bytes.len()].copy_from_slice(bytes);
    };
    put(timing_row, &length[..3]);
    put(timing_row + 1, &rate);
    let rows_per_box = code.bytes() / channels;
    for (index, range) in ranges.iter().enumerate() {
        let bytes = box_bytes(code, range).expect("the caller checked that boxes fit");
        for (row, texel) in bytes.chunks(channels).enumerate() {
            put(first_row + index * rows_per_box + row, texel);
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn total([width, height]: [u32; 2]) -> u32 {
        width * height
    }

    /// Tables 2, 4, 6 and 8: bones, unique vertices of each mesh and width of each model, then the heights and totals
    /// of the paper.
    #[test]
    fn texture_sizes_match_the_tables_of_the_paper() {
        // (bones, width, heights and totals of dual-quaternion and matrix textures)
        let bones = [
            ("Box", 4, 249, (10, 2_490), (14, 3_486)),
            ("Vampire", 65, 86, (132, 11_352), (197, 16_942)),
            ("X Bot", 52, 154, (106, 16_324), (158, 24_332)),
            ("Y Bot", 67, 132, (136, 17_952), (203, 26_796)),
        ];
        for (name, bones, width, dual, matrix) in bones {
            let frames = width - 1;
            let size = dual_quaternion_size(bones, frames);
            assert_eq!(
                (size[0], size[1], total(size)),
                (width, dual.0, dual.1),
                "{name}"
            );
            let size = matrix_size(bones, frames);
            assert_eq!(
                (size[0], size[1], total(size)),
                (width, matrix.0, matrix.1),
                "{name}"
            );
        }
        let meshes: [(&str, u32, &[u32], u32); 3] = [
            ("Box", 249, &[42, 20], 15_438),
            ("Vampire", 86, &[7_870], 676_820),
            ("X Bot", 154, &[14_232, 10_514], 3_810_884),
        ];
        for (name, width, vertices, texels) in meshes {
            let sizes = vertices.iter().map(|&v| vertex_size(v, width - 1));
            assert_eq!(sizes.map(total).sum::<u32>(), texels, "{name}");
        }
    }

    #[test]
    fn levels_are_truncated_like_a_c_cast() {
        for (x, byte) in [
            (-1.0, 1),
            (0.0, 128),
            (1.0, 255),
            (0.5, 191),
            (-0.5, 64),
            (0.3, 166),
        ] {
            assert_eq!(level(x), byte, "{x}");
        }
        assert_eq!((from_level(0), from_level(255)), (-1.0, 1.0));
    }

    #[test]
    fn box_is_stored_as_integer_and_fractional_parts() {
        let range = Range {
            center: vec![-12.25, 100.5, -0.001],
            half_extent: vec![7.75, 0.5, 255.0],
        };
        let bytes = box_bytes(BoxCode::Parts, &range).unwrap();
        // -0.25 * 127 + 128 = 96.25; 0.5 * 127 + 128 = 191.5; 0.75 * 255 = 191.25; 0.5 * 255 = 127.5
        assert_eq!(bytes, [12, 100, 0, 96, 191, 127, 7, 0, 255, 191, 127, 0]);
        let back = box_from_bytes(BoxCode::Parts, &bytes);
        for (a, b) in back.center.iter().zip(&range.center) {
            assert!((a - b).abs() < 1.0 / 127.0, "{a} {b}");
        }
        for (a, b) in back.half_extent.iter().zip(&range.half_extent) {
            assert!((a - b).abs() <= 1.0 / 255.0, "{a} {b}");
        }
        let far = Range {
            center: vec![256.0, 0.0, 0.0],
            ..range
        };
        assert_eq!(box_bytes(BoxCode::Parts, &far), None);
    }

    #[test]
    fn negative_centre_without_fractional_part_stays_negative() {
        let range = Range {
            center: vec![-3.0; 3],
            half_extent: vec![1.0; 3],
        };
        let back = box_from_bytes(BoxCode::Parts, &box_bytes(BoxCode::Parts, &range).unwrap());
        assert!((back.center[0] + 3.0).abs() < 0.01, "{:?}", back.center);
    }

    #[test]
    fn box_of_dual_parts_is_grown_to_integers() {
        let range = Range {
            center: vec![-12.4, 3.6, 0.0, 90.5],
            half_extent: vec![0.3, 0.0, 2.0, 7.1],
        };
        let whole = whole_box(&range);
        assert_eq!(whole.center, [-12.0, 4.0, 0.0, 91.0]);
        assert_eq!(whole.half_extent, [1.0, 1.0, 2.0, 8.0]);
        let bytes = box_bytes(BoxCode::Whole, &whole).unwrap();
        assert_eq!(bytes, [116, 132, 128, 219, 1, 1, 2, 8]);
        assert_eq!(box_from_bytes(BoxCode::Whole, &bytes), whole);
    }
}
