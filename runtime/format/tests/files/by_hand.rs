//! PNG and KTX2 files compared with bytes computed by hand.

use std::io::Cursor;

use throng_format::file::{FileFormat, Supercompression};
use throng_format::{TexelFormat, Texture};

use crate::common::one_file;

const PNG: (FileFormat, Supercompression) = (FileFormat::Png, Supercompression::None);
const KTX2: (FileFormat, Supercompression) = (FileFormat::Ktx2, Supercompression::None);

/// Chunk types of a PNG, consecutive duplicates removed.
fn chunks(file: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 8;
    while at < file.len() {
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        names.push(String::from_utf8(file[at + 4..at + 8].to_vec()).unwrap());
        at += 12 + length;
    }
    names.dedup();
    names
}

/// Pixels of a PNG, decoded by the `png` crate alone.
fn pixels(file: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn word_has_its_lowest_byte_in_red() {
    let bytes = [0x0403_0201u32, 0xff00_0080].map(u32::to_le_bytes).concat();
    let texture = Texture::new(TexelFormat::R32Uint, [1, 2, 1], bytes).unwrap();
    let file = one_file(&texture, PNG);
    // Width 1, height 2, 8 bits, RGBA, deflate, filters by row, not interlaced.
    assert_eq!(file[16..29], [0, 0, 0, 1, 0, 0, 0, 2, 8, 6, 0, 0, 0]);
    assert_eq!(pixels(&file), [1, 2, 3, 4, 0x80, 0, 0, 0xff]);
}

#[test]
fn png_16_bit_values_are_big_endian() {
    let bytes = [0x1234u16, 0xff00].map(u16::to_le_bytes).concat();
    let texture = Texture::new(TexelFormat::Rg16Unorm, [1, 1, 1], bytes).unwrap();
    let file = one_file(&texture, PNG);
    // 16 bits, grey and alpha.
    assert_eq!(file[24..26], [16, 4]);
    assert_eq!(pixels(&file), [0x12, 0x34, 0xff, 0x00]);
}

#[test]
fn png_has_no_colour_space_chunks() {
    for texels in [TexelFormat::Rgb8Unorm, TexelFormat::Rgba16Unorm] {
        let texture = Texture::zeroed(texels, [3, 3, 1]).unwrap();
        assert_eq!(chunks(&one_file(&texture, PNG)), ["IHDR", "IDAT", "IEND"]);
    }
}

/// Key/value data, padded.
fn writer() -> Vec<u8> {
    let pair = concat!("KTXwriter\0throng ", env!("CARGO_PKG_VERSION"), "\0");
    let mut bytes = (pair.len() as u32).to_le_bytes().to_vec();
    bytes.extend(pair.as_bytes());
    bytes.resize(bytes.len().div_ceil(4) * 4, 0);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn ktx2_of_one_layer_matches_byte_by_byte() {
    let texels = [1, 2, 3, 4, 5, 6];
    let texture = Texture::new(TexelFormat::Rgb8Unorm, [2, 1, 1], texels.to_vec()).unwrap();
    let keys = writer();
    let keys_at = 104 + 4 + 24 + 3 * 16;
    let level_at = (keys_at + keys.len()).div_ceil(12) * 12;
    let mut file = vec![
        0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, 0x0d, 0x0a, 0x1a, 0x0a,
    ];
    // Format, type size, width, height, depth, layers, faces, levels, supercompression.
    file.extend(words(&[23, 1, 2, 1, 0, 0, 1, 1, 0]));
    // Offsets and lengths of the descriptor and the key/value data; no global data.
    file.extend(words(&[104, 76, 180, keys.len() as u32, 0, 0, 0, 0]));
    file.extend(words(&[level_at as u32, 0, 6, 0, 6, 0]));
    assert_eq!(file.len(), 104);
    // Total size; vendor and type; version 2, a block of 72 bytes.
    file.extend(words(&[76, 0, 72 << 16 | 2]));
    // RGBSDA, primaries unspecified, linear, straight alpha.
    file.extend([1, 0, 1, 0]);
    // Blocks of one texel; one plane of 3 bytes.
    file.extend(words(&[0, 3, 0]));
    for (channel, offset) in [(0, 0), (1, 8), (2, 16)] {
        file.extend(words(&[channel << 24 | 7 << 16 | offset, 0, 0, 255]));
    }
    assert_eq!(file.len(), keys_at);
    file.extend(keys);
    file.resize(level_at, 0);
    file.extend(texels);
    assert_eq!(one_file(&texture, KTX2), file);
}

/// Words of the header from byte 12 on, and the samples of the descriptor.
fn header_and_samples(texels: TexelFormat, layers: u32) -> (Vec<u32>, Vec<[u32; 4]>) {
    let texture = Texture::zeroed(texels, [3, 5, layers]).unwrap();
    let file = one_file(&texture, KTX2);
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let header = (12..48).step_by(4).map(word).collect();
    let samples = (104 + 28..104 + word(104) as usize)
        .step_by(16)
        .map(|at| [word(at), word(at + 4), word(at + 8), word(at + 12)])
        .collect();
    (header, samples)
}

#[test]
fn one_layer_is_not_an_array() {
    let (header, _) = header_and_samples(TexelFormat::Rgba16Unorm, 4);
    assert_eq!(header, [91, 2, 3, 5, 0, 4, 1, 1, 0]);
    let (header, _) = header_and_samples(TexelFormat::Rgba32Float, 1);
    assert_eq!(header, [109, 4, 3, 5, 0, 0, 1, 1, 0]);
    let (header, samples) = header_and_samples(TexelFormat::Rgb32Float, 1);
    assert_eq!((header[0], header[1], samples.len()), (106, 4, 3));
}

#[test]
fn samples_are_unsigned_integers_or_signed_floats() {
    let (_, samples) = header_and_samples(TexelFormat::Rgba16Unorm, 1);
    assert_eq!(samples[0], [15 << 16, 0, 0, 65535]);
    assert_eq!(samples[3], [15 << 24 | 15 << 16 | 48, 0, 0, 65535]);
    // Signed and float, from -1 to 1.
    let (_, samples) = header_and_samples(TexelFormat::Rgba16Float, 1);
    assert_eq!(
        samples[1],
        [0xc1 << 24 | 15 << 16 | 16, 0, 0xbf80_0000, 0x3f80_0000]
    );
    assert_eq!(
        samples[3],
        [0xcf << 24 | 15 << 16 | 48, 0, 0xbf80_0000, 0x3f80_0000]
    );
    let (_, samples) = header_and_samples(TexelFormat::R32Uint, 1);
    assert_eq!(samples, [[31 << 16, 0, 0, 1]]);
}

#[test]
fn level_offset_is_a_multiple_of_a_texel_and_a_word() {
    for texels in TexelFormat::ALL {
        let file = one_file(&Texture::zeroed(texels, [3, 5, 2]).unwrap(), KTX2);
        let level_at = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
        assert_eq!(level_at % texels.texel_bytes(), 0, "{texels}");
        assert_eq!(level_at % 4, 0, "{texels}");
        assert_eq!(level_at + 30 * texels.texel_bytes(), file.len(), "{texels}");
    }
}
