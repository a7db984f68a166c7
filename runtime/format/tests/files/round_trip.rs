//! Texture files round-trip exactly.

use proptest::prelude::*;
use throng_format::TexelFormat;

use crate::common::{read_all, storages, texture, write_files};

#[track_caller]
fn assert_round_trip(texels: TexelFormat, size: [u32; 3], seed: u64) {
    let texture = texture(texels, size, seed);
    for storage in storages(texels) {
        let files = write_files(&texture, storage);
        let read = read_all(storage.0, texels, size, &files).unwrap();
        assert!(read == texture, "{texels} {size:?} as {storage:?}");
    }
}

#[test]
fn every_texel_format_round_trips_in_every_file_format() {
    for texels in TexelFormat::ALL {
        for size in [
            [1, 1, 1],
            [1, 1, 3],
            [1, 67, 2],
            [129, 1, 2],
            [16, 16, 1],
            [33, 17, 4],
        ] {
            assert_round_trip(texels, size, 2);
            assert_round_trip(texels, size, 3);
        }
    }
}

/// Larger than any buffer between texels and file.
#[test]
fn large_textures_round_trip() {
    for texels in TexelFormat::ALL {
        assert_round_trip(texels, [701, 397, 2], 4);
    }
}

proptest! {
    #[test]
    fn random_textures_round_trip(
        texels in prop::sample::select(TexelFormat::ALL.to_vec()),
        width in 1u32..50,
        height in 1u32..50,
        layers in 1u32..5,
        seed: u64,
    ) {
        assert_round_trip(texels, [width, height, layers], seed);
    }
}
