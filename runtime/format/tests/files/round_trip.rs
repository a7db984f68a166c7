//! What is written is read back, to the bit.

use proptest::prelude::*;
use throng_format::TexelFormat;

use crate::common::{read_all, texture, ways, written};

#[track_caller]
fn survives(texels: TexelFormat, size: [u32; 3], seed: u64) {
    let texture = texture(texels, size, seed);
    for way in ways(texels) {
        let files = written(&texture, way);
        let read = read_all(way.0, texels, size, &files).unwrap();
        assert!(read == texture, "{texels} {size:?} as {way:?}");
    }
}

#[test]
fn every_format_of_texel_survives_every_file_that_holds_it() {
    for texels in TexelFormat::ALL {
        for size in [
            [1, 1, 1],
            [1, 1, 3],
            [1, 67, 2],
            [129, 1, 2],
            [16, 16, 1],
            [33, 17, 4],
        ] {
            survives(texels, size, 2);
            survives(texels, size, 3);
        }
    }
}

/// Longer than any buffer between the texels and the file.
#[test]
fn large_textures_survive() {
    for texels in TexelFormat::ALL {
        survives(texels, [701, 397, 2], 4);
    }
}

proptest! {
    #[test]
    fn any_texture_survives(
        texels in prop::sample::select(TexelFormat::ALL.to_vec()),
        width in 1u32..50,
        height in 1u32..50,
        layers in 1u32..5,
        seed: u64,
    ) {
        survives(texels, [width, height, layers], seed);
    }
}
