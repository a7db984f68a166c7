//! Thousands of damaged files, the same ones at every run: none panics, and none gives other texels unnoticed
//! where the format has a checksum.

use std::panic::catch_unwind;

use throng_format::TexelFormat;
use throng_format::file::FileFormat;
use throng_testkit::Random;

use crate::common::{mend_checksums, one_file, read_all, texture, ways};

/// Of each way to write each format of texel.
const MUTATIONS: u64 = 3000;

/// Headers are where it hurts.
const HEADER_BYTES: usize = 400;

fn damage(file: &mut Vec<u8>, random: &mut Random) {
    let end = match random.below(2) {
        0 => file.len(),
        _ => file.len().min(HEADER_BYTES),
    };
    let at = random.below(end);
    let extreme = [[0, 0, 0, 0x80], [0xff, 0xff, 0xff, 0x7f], [0xff; 4], [0; 4]];
    match random.below(8) {
        0 => file[at] = random.next_u64() as u8,
        1 | 2 => file[at] ^= 1 << random.below(8),
        3 => file[at] = 0xff,
        4 if at + 4 <= file.len() => {
            let bytes = extreme[random.below(extreme.len())];
            file[at..at + 4].copy_from_slice(&bytes);
        }
        5 => file.insert(at, random.next_u64() as u8),
        6 if file.len() > 1 => {
            file.remove(at);
        }
        7 if random.below(8) == 0 => file.truncate(at.max(1)),
        _ => file[at] = 0,
    }
}

#[test]
fn no_damage_makes_a_reader_panic() {
    let mut random = Random::new(1);
    for texels in TexelFormat::ALL {
        // Two blocks of EXR, a level of KTX2 that does not end on its alignment.
        let texture = texture(texels, [7, 21, 1], 2);
        for way in ways(texels) {
            let sound = one_file(&texture, way);
            let (mut refused, mut same) = (0, 0);
            for round in 0..MUTATIONS {
                let mut file = sound.clone();
                for _ in 0..=random.below(3) {
                    damage(&mut file, &mut random);
                }
                let read = catch_unwind(|| read_all(way.0, texels, texture.size(), [&file]))
                    .unwrap_or_else(|_| panic!("{way:?} of {texels}, round {round}"));
                match read {
                    Err(_) => refused += 1,
                    Ok(read) if read == texture => same += 1,
                    // Texels that are not compressed have no checksum.
                    Ok(read) => assert!(
                        read.size() == texture.size() && !has_checksum(way.0, &sound),
                        "{way:?} of {texels}, round {round}: other texels"
                    ),
                }
            }
            println!("{texels} as {way:?}: {refused} refused, {same} the same of {MUTATIONS}");
            assert!(refused > MUTATIONS / 4, "{way:?} of {texels}: {refused}");
        }
    }
}

/// PNG has one a chunk, and Zstandard one a frame.
fn has_checksum(format: FileFormat, file: &[u8]) -> bool {
    match format {
        FileFormat::Png => true,
        FileFormat::Exr => false,
        FileFormat::Ktx2 => file[44] == 2,
    }
}

/// A CRC is no lock: chunks with the right one may hold anything.
#[test]
fn no_damaged_png_with_right_checksums_makes_the_reader_panic() {
    let mut random = Random::new(2);
    for texels in [TexelFormat::Rgb8Unorm, TexelFormat::Rgba16Unorm] {
        let texture = texture(texels, [7, 21, 1], 2);
        let sound = one_file(&texture, ways(texels)[0]);
        for round in 0..MUTATIONS {
            let mut file = sound.clone();
            for _ in 0..=random.below(3) {
                damage(&mut file, &mut random);
            }
            mend_checksums(&mut file);
            catch_unwind(|| read_all(FileFormat::Png, texels, texture.size(), [&file]))
                .unwrap_or_else(|_| panic!("{texels}, round {round}"))
                .ok();
        }
    }
}
