//! EXR files, parsed by hand according to the specification.

use std::collections::BTreeMap;

use throng_format::file::{FileFormat, Supercompression};
use throng_format::{TexelFormat, Texture};

use crate::common::{one_file, texture};

const EXR: (FileFormat, Supercompression) = (FileFormat::Exr, Supercompression::None);

/// Reads a zero-terminated string.
fn text(file: &[u8], at: &mut usize) -> String {
    let length = file[*at..].iter().position(|&byte| byte == 0).unwrap();
    let text = String::from_utf8(file[*at..*at + length].to_vec()).unwrap();
    *at += length + 1;
    text
}

pub fn word(file: &[u8], at: usize) -> usize {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize
}

/// Attributes, and offset of the chunk table.
pub fn attributes(file: &[u8]) -> (BTreeMap<String, Vec<u8>>, usize) {
    // Magic number, version 2, and no flags: one part of scan lines, short names.
    assert_eq!(file[..8], [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]);
    let (mut found, mut at) = (BTreeMap::new(), 8);
    while file[at] != 0 {
        let name = text(file, &mut at);
        let _kind = text(file, &mut at);
        let length = word(file, at);
        found.insert(name, file[at + 4..at + 4 + length].to_vec());
        at += 4 + length;
    }
    (found, at + 1)
}

/// Names and sample types of the channels: 0 is UINT, 1 HALF, 2 FLOAT.
fn channels(list: &[u8]) -> Vec<(String, usize)> {
    let (mut channels, mut at) = (Vec::new(), 0);
    while list[at] != 0 {
        let name = text(list, &mut at);
        channels.push((name, word(list, at)));
        assert_eq!(word(list, at + 8), 1, "every texel in x");
        assert_eq!(word(list, at + 12), 1, "every texel in y");
        at += 16;
    }
    channels
}

#[test]
fn files_are_scan_lines_in_zip_blocks() {
    let file = one_file(&texture(TexelFormat::Rgba16Float, [5, 40, 1], 2), EXR);
    let (attributes, _) = attributes(&file);
    assert_eq!(attributes["compression"], [3]);
    assert_eq!(attributes["lineOrder"], [0]);
    for window in ["dataWindow", "displayWindow"] {
        let expected: Vec<u8> = [0u32, 0, 4, 39].map(u32::to_le_bytes).concat();
        assert_eq!(attributes[window], expected);
    }
    assert!(!attributes.contains_key("tiles"));
    assert!(!attributes.contains_key("chromaticities"));
}

#[test]
fn channels_have_names_and_types() {
    let of = |texels| {
        let file = one_file(&texture(texels, [2, 2, 1], 2), EXR);
        channels(&attributes(&file).0["channels"])
    };
    let four = |kind| ["A", "B", "G", "R"].map(|name| (name.to_owned(), kind));
    assert_eq!(of(TexelFormat::Rgba16Float), four(1));
    assert_eq!(of(TexelFormat::Rgba32Float), four(2));
    let three = ["B", "G", "R"].map(|name| (name.to_owned(), 2));
    assert_eq!(of(TexelFormat::Rgb32Float), three);
    assert_eq!(of(TexelFormat::R32Uint), [("R".to_owned(), 0)]);
}

/// The texture is so small that its block is stored uncompressed.
#[test]
fn block_holds_a_row_of_each_channel_from_a_to_r() {
    // Red to alpha of one texel, then of the other.
    let halves = [
        11, 12, 21, 22, 31, 32, 41, 42, 51, 152, 61, 162, 71, 172, 81, 182,
    ];
    let texture = Texture::new(TexelFormat::Rgba16Float, [2, 1, 1], halves.to_vec()).unwrap();
    let file = one_file(&texture, EXR);
    let (_, table_at) = attributes(&file);
    let block_at = word(&file, table_at);
    assert_eq!(block_at, table_at + 8, "one chunk");
    assert_eq!(word(&file, block_at), 0, "its first row");
    assert_eq!(word(&file, block_at + 4), 16, "its bytes, not compressed");
    assert_eq!(
        file[block_at + 8..],
        [
            41, 42, 81, 182, 31, 32, 71, 172, 21, 22, 61, 162, 11, 12, 51, 152
        ]
    );
}
