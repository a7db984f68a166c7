//! Thousands of damaged files, the same ones in every run: none causes a panic, and none yields other texels where the
//! format has a checksum.

use std::panic::catch_unwind;

use throng_format::TexelFormat;
use throng_format::file::FileFormat;
use throng_testkit::{Random, cases};

use crate::common::{fix_checksums, one_file, read_all, storages, texture};

/// Number of mutations per texel format and storage.
const MUTATIONS: u32 = 3000;

/// Half of the mutations are in this many first bytes.
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
fn damaged_files_do_not_panic() {
    let mutations = cases(MUTATIONS);
    let mut random = Random::new(1);
    for texels in TexelFormat::ALL {
        // Two EXR blocks, and a KTX2 level whose size is not aligned.
        let texture = texture(texels, [7, 21, 1], 2);
        for storage in storages(texels) {
            let valid = one_file(&texture, storage);
            let (mut rejected, mut same) = (0, 0);
            for mutation in 0..mutations {
                let mut file = valid.clone();
                for _ in 0..=random.below(3) {
                    damage(&mut file, &mut random);
                }
                let read = catch_unwind(|| read_all(storage.0, texels, texture.size(), [&file]))
                    .unwrap_or_else(|_| panic!("{storage:?} of {texels}, mutation {mutation}"));
                match read {
                    Err(_) => rejected += 1,
                    Ok(read) if read == texture => same += 1,
                    // Uncompressed texels have no checksum.
                    Ok(read) => assert!(
                        read.size() == texture.size() && !has_checksum(storage.0, &valid),
                        "{storage:?} of {texels}, mutation {mutation}: other texels"
                    ),
                }
            }
            println!(
                "{texels} as {storage:?}: {rejected} rejected, {same} unchanged of {mutations}"
            );
            assert!(
                rejected > mutations / 4,
                "{storage:?} of {texels}: {rejected}"
            );
        }
    }
}

/// PNG has a checksum per chunk, Zstandard one per frame.
fn has_checksum(format: FileFormat, file: &[u8]) -> bool {
    match format {
        FileFormat::Png => true,
        FileFormat::Exr => false,
        FileFormat::Ktx2 => file[44] == 2,
    }
}

/// Chunks with a valid CRC may still hold anything.
#[test]
fn damaged_png_with_valid_checksums_does_not_panic() {
    let mutations = cases(MUTATIONS);
    let mut random = Random::new(2);
    for texels in [TexelFormat::Rgb8Unorm, TexelFormat::Rgba16Unorm] {
        let texture = texture(texels, [7, 21, 1], 2);
        let valid = one_file(&texture, storages(texels)[0]);
        for mutation in 0..mutations {
            let mut file = valid.clone();
            for _ in 0..=random.below(3) {
                damage(&mut file, &mut random);
            }
            fix_checksums(&mut file);
            catch_unwind(|| read_all(FileFormat::Png, texels, texture.size(), [&file]))
                .unwrap_or_else(|_| panic!("{texels}, mutation {mutation}"))
                .ok();
        }
    }
}
