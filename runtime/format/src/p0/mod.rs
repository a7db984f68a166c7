//! The layout of P0: frames in columns, 8 bits per value, and metadata in the first column.
//!
//! A texture holds one clip, and a vertex texture one mesh: see [`crate::Pages`]. Sides are powers of two. A value `x`
//! from -1 to 1 is stored as the byte `(unsigned char)(x * 127 + 128)`, truncated, and read as `byte / 255 * 2 - 1`, as
//! in the paper's appendices. `bounds` are half extents: only those use the whole range of the byte in these formulas.
//!
//! Layout of the first column, whose order the paper leaves open:
//!
//! - Matrices have the box of bone `b` in rows `3 b` to `3 b + 2`, 12 consecutive bytes: the integer part of the centre,
//!   x y z, without its sign; the fractional part, -1 to 1, which carries the sign; the integer part of the bounds; their
//!   fractional part, 0 to 1. Row `3 n` holds the length in frames, row `3 n + 1` the frames per second.
//! - Dual quaternions have it in rows `2 b` and `2 b + 1`, 8 bytes: the integer part of the centre of the dual part,
//!   x y z w, plus 128; the integer part of the bounds. Rows `2 n` and `2 n + 1` are as above.
//! - Vertices have, in rows 0 to 5, the length, the frames per second, and the four parts of the one box in the order of
//!   matrices, one per texel.
//!
//! A length is `r + 256 g + 65536 b`, frames per second are `r + g / 256 + b / 65536`. The paper's shader plays frame
//! `time * rate % length` and interpolates from the last frame to the first. The last column of a clip that wraps equals
//! its first, so its length is one less than its number of columns: [`shader_length`].
//!
//! Boxes are grown to values that their bytes hold before anything is encoded in them ([`stored_box`]), and the unit of
//! length is the shortest of 1 cm times a power of two in which all boxes fit ([`metres_per_unit`]).

mod boxes;
mod metadata;

pub use boxes::{BoxCode, box_bytes, box_from_bytes, metres_per_unit, stored_box};
pub(crate) use metadata::{first_difference, layout_rows, read_boxes};
pub use metadata::{metadata_rows, write_metadata};

use throng_rig::LoopPolicy;

use crate::ClipEntry;

/// Influences per vertex that the paper's shaders read.
pub const MAX_INFLUENCES: usize = 3;

/// P0's encoding of a value from -1 to 1.
pub fn level(x: f64) -> u8 {
    (x * 127.0 + 128.0) as u8
}

/// P0's decoding of a byte to a value from -1 to 1.
pub fn from_level(byte: u8) -> f64 {
    f64::from(byte) / 255.0 * 2.0 - 1.0
}

/// Number of frames that the paper's shader plays: without the last of a clip that wraps, which equals the first.
pub fn shader_length(clip: &ClipEntry) -> u32 {
    match clip.looping {
        LoopPolicy::Wrap => (clip.frames - 1).max(1),
        LoopPolicy::Once => clip.frames,
    }
}

/// Width and height of a dual-quaternion texture, without padding.
pub fn dual_quaternion_size(bones: u32, frames: u32) -> [u32; 2] {
    [frames + 1, 2 * bones + 2]
}

/// Width and height of a matrix texture, without padding.
pub fn matrix_size(bones: u32, frames: u32) -> [u32; 2] {
    [frames + 1, 3 * bones + 2]
}

/// Width and height of the vertex texture of a mesh with so many unique vertices, without padding; the normal texture is
/// separate.
pub fn vertex_size(vertices: u32, frames: u32) -> [u32; 2] {
    [frames + 1, vertices]
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
}
