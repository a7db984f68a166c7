//! Valid files with features that sets do not use are rejected.

use std::io::{Cursor, Write};

use exr::prelude::{
    Compression, Encoding, Image, Layer, LayerAttributes, LineOrder, SpecificChannels, Vec2,
    WritableImage, f16,
};
use throng_format::TexelFormat::*;
use throng_format::file::{FileFormat, Supercompression};

use crate::common::{fix_checksums, message, one_file, read_all, texture};
use crate::exr_by_hand::{attributes, word};

const PNG: (FileFormat, Supercompression) = (FileFormat::Png, Supercompression::None);
const EXR: (FileFormat, Supercompression) = (FileFormat::Exr, Supercompression::None);
const KTX2: (FileFormat, Supercompression) = (FileFormat::Ktx2, Supercompression::None);
const ZSTD: (FileFormat, Supercompression) = (FileFormat::Ktx2, Supercompression::Zstd);

#[test]
fn rejects_interlaced_png() {
    let mut file = one_file(&texture(Rgba8Unorm, [6, 6, 1], 2), PNG);
    file[28] = 1;
    fix_checksums(&mut file);
    let message = message(PNG, Rgba8Unorm, [6, 6, 1], &file);
    assert!(message.starts_with("has interlaced rows, "), "{message}");
}

#[test]
fn rejects_animated_png() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1; 6]).unwrap();
    writer.write_image_data(&[2; 6]).unwrap();
    writer.finish().unwrap();
    let message = message(PNG, Rgb8Unorm, [2, 1, 1], &file);
    assert!(message.starts_with("has several frames, "), "{message}");
}

/// An EXR of 40 × 40 halves, as other programs write it.
fn foreign_exr(encoding: Encoding, attributes: LayerAttributes) -> Vec<u8> {
    let zero = f16::ZERO;
    let channels =
        SpecificChannels::rgba(|Vec2(x, y)| (f16::from_f32((x * y) as f32), zero, zero, zero));
    let mut file = Cursor::new(Vec::new());
    Image::from_layer(Layer::new((40, 40), attributes, encoding, channels))
        .write()
        .to_buffered(&mut file)
        .unwrap();
    file.into_inner()
}

#[test]
fn rejects_unsupported_exr_features() {
    let lines = |compression, line_order| Encoding {
        compression,
        line_order,
        ..Encoding::UNCOMPRESSED
    };
    let offset = LayerAttributes {
        layer_position: Vec2(3, -4),
        ..LayerAttributes::default()
    };
    let usual = LayerAttributes::default;
    let rising = LineOrder::Increasing;
    for (encoding, attributes, reason) in [
        (
            lines(Compression::PIZ, rising),
            usual(),
            "has piz compression, ",
        ),
        (
            lines(Compression::RLE, rising),
            usual(),
            "has rle compression, ",
        ),
        (
            lines(Compression::ZIP16, LineOrder::Decreasing),
            usual(),
            "has lines in decreasing or unspecified order, ",
        ),
        (
            lines(Compression::ZIP16, rising),
            offset,
            "has a data window off the origin, ",
        ),
        (Encoding::FAST_LOSSLESS, usual(), "has tiles, "),
    ] {
        let file = foreign_exr(encoding, attributes);
        let message = message(EXR, Rgba16Float, [40, 40, 1], &file);
        assert!(message.starts_with(reason), "{message}");
    }
}

#[test]
fn reads_exr_without_compression_and_with_zip_of_single_lines() {
    for compression in [Compression::Uncompressed, Compression::ZIP1] {
        let encoding = Encoding {
            compression,
            ..Encoding::UNCOMPRESSED
        };
        let file = foreign_exr(encoding, LayerAttributes::default());
        let texture = read_all(FileFormat::Exr, Rgba16Float, [40, 40, 1], [&file]).unwrap();
        for (x, y) in [(0, 0), (39, 1), (7, 23), (39, 39)] {
            let red = f16::from_f32((x * y) as f32).to_le_bytes();
            let texel = [&red[..], &[0; 6]].concat();
            assert_eq!(texture.texel(y * 40 + x), texel, "{x}, {y}");
        }
    }
}

#[test]
fn rejects_repeated_and_reordered_exr_rows() {
    let valid = one_file(&texture(Rgba16Float, [5, 32, 1], 2), EXR);
    let (_, table_at) = attributes(&valid);
    for rows in [[16u32, 0], [0, 0], [16, 16]] {
        let mut file = valid.clone();
        for (chunk, row) in rows.into_iter().enumerate() {
            // Each chunk begins with the number of its first row.
            let at = word(&valid, table_at + 8 * chunk);
            file[at..at + 4].copy_from_slice(&row.to_le_bytes());
        }
        let message = message(EXR, Rgba16Float, [5, 32, 1], &file);
        assert!(message.contains("rows are out of order"), "{message}");
    }
}

/// Changes by other programs that leave a valid KTX2 file.
#[test]
fn rejects_unsupported_ktx2_features() {
    let texture = texture(Rgba8Unorm, [6, 6, 1], 2);
    for (at, value, reason) in [
        (
            28,
            2,
            "has 2 slices of depth, which texture sets do not support",
        ),
        (36, 6, "has 6 faces, which texture sets do not support"),
        (40, 3, "has 3 levels, which texture sets do not support"),
        (40, 0, "has 0 levels, which texture sets do not support"),
        (
            44,
            1,
            "has supercompression scheme 1, which texture sets do not support",
        ),
        (60, 0xff, "is damaged"),
        (61, 0xff, "has 65"),
        (
            16,
            2,
            "is damaged: offsets or lengths in the header are wrong",
        ),
        (104 + 14, 2, "has another data format descriptor"), // sRGB
        (104 + 15, 1, "has another data format descriptor"), // Premultiplied
        (104 + 92 + 4, b'k', "has other key/value data"),
    ] {
        let mut file = one_file(&texture, KTX2);
        file[at] = value;
        let message = message(KTX2, Rgba8Unorm, [6, 6, 1], &file);
        assert!(message.starts_with(reason), "byte {at}: {message}");
        assert!(message.ends_with(": bake the set again"), "{message}");
    }
}

/// A frame may declare a window far larger than its content.
#[test]
fn rejects_a_zstandard_window_larger_than_the_texels() {
    let texture = texture(Rgba8Unorm, [6, 6, 1], 2);
    let mut file = one_file(&texture, ZSTD);
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(26).unwrap();
    // A known content size would shrink the window.
    encoder.include_contentsize(false).unwrap();
    encoder.write_all(&texture.bytes()[..100]).unwrap();
    encoder.flush().unwrap();
    encoder.write_all(&texture.bytes()[100..]).unwrap();
    replace_level(&mut file, &encoder.finish().unwrap());
    let message = message(ZSTD, Rgba8Unorm, [6, 6, 1], &file);
    assert!(message.contains("too much memory"), "{message}");
}

/// Replaces the level of a KTX2 file.
fn replace_level(file: &mut Vec<u8>, level: &[u8]) {
    let level_at = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
    file.truncate(level_at);
    file.extend(level);
    file[88..96].copy_from_slice(&(level.len() as u64).to_le_bytes());
}

/// The level of another file: its checksum is valid, only the length is wrong.
#[test]
fn rejects_a_zstandard_frame_of_another_length() {
    let level = |rows| {
        let file = one_file(&texture(Rgba8Unorm, [6, rows, 1], 2), ZSTD);
        let level_at = u64::from_le_bytes(file[80..88].try_into().unwrap()) as usize;
        file[level_at..].to_vec()
    };
    for (level, reason) in [
        (
            level(5),
            "is damaged: expected a level of 144 bytes, found 120",
        ),
        (
            level(7),
            "is damaged: expected a level of 144 bytes, found more",
        ),
        (
            [level(6), level(6)].concat(),
            "is damaged: expected the end",
        ),
        ([level(6), vec![0]].concat(), "is damaged: expected the end"),
    ] {
        let mut file = one_file(&texture(Rgba8Unorm, [6, 6, 1], 2), ZSTD);
        replace_level(&mut file, &level);
        let message = message(ZSTD, Rgba8Unorm, [6, 6, 1], &file);
        assert!(message.starts_with(reason), "{message}");
    }
}
