//! Files that are not what the manifest says.

use std::io::Cursor;

use throng_format::TexelFormat::{self, *};
use throng_format::file::{self, Expected, FileError, FileFormat, Supercompression};

use crate::common::{message, one_file, read_all, texture, ways, written};

const PNG: (FileFormat, Supercompression) = (FileFormat::Png, Supercompression::None);
const EXR: (FileFormat, Supercompression) = (FileFormat::Exr, Supercompression::None);
const KTX2: (FileFormat, Supercompression) = (FileFormat::Ktx2, Supercompression::None);

#[test]
fn another_size_is_named_with_the_remedy() {
    for (way, texels) in [(PNG, Rgb8Unorm), (EXR, Rgba16Float), (KTX2, R32Uint)] {
        let file = one_file(&texture(texels, [64, 32, 1], 2), way);
        assert_eq!(
            message(way, texels, [64, 30, 1], &file),
            "is 64 × 32 texels, the manifest says 64 × 30: bake the set again"
        );
        assert_eq!(
            message(way, texels, [32, 64, 1], &file),
            "is 64 × 32 texels, the manifest says 32 × 64: bake the set again"
        );
    }
}

#[test]
fn another_number_of_layers_is_named() {
    for way in [KTX2, (FileFormat::Ktx2, Supercompression::Zstd)] {
        let file = one_file(&texture(Rgba8Unorm, [4, 4, 3], 2), way);
        assert_eq!(
            message(way, Rgba8Unorm, [4, 4, 1], &file),
            "is 4 × 4 × 3 texels, the manifest says 4 × 4 × 1: bake the set again"
        );
    }
}

#[test]
fn too_few_files_are_no_texture() {
    let files = written(&texture(Rgba8Unorm, [4, 4, 3], 2), PNG);
    let error = read_all(FileFormat::Png, Rgba8Unorm, [4, 4, 3], &files[..2]);
    assert!(matches!(error, Err(FileError::Texture(_))));
}

#[test]
fn another_format_of_texel_is_named() {
    for (way, wrote, asked, says) in [
        (
            PNG,
            Rgba8Unorm,
            Rgb8Unorm,
            "8-bit RGBA, the manifest says rgb8-unorm",
        ),
        (
            PNG,
            Rg16Unorm,
            Rgba16Unorm,
            "16-bit grey and alpha, the manifest says rgba16-unorm",
        ),
        (
            PNG,
            Rgba16Unorm,
            R32Uint,
            "16-bit RGBA, the manifest says r32-uint",
        ),
        (
            EXR,
            Rgba16Float,
            Rgba32Float,
            "channels HALF 'A', HALF 'B', HALF 'G', HALF 'R', the manifest says rgba32-float",
        ),
        (
            EXR,
            R32Uint,
            Rgba16Float,
            "channels UINT 'R', the manifest says rgba16-float",
        ),
        (
            KTX2,
            Rgba8Unorm,
            Rgba16Unorm,
            "rgba8-unorm, the manifest says rgba16-unorm",
        ),
    ] {
        let file = one_file(&texture(wrote, [8, 8, 1], 2), way);
        assert_eq!(
            message(way, asked, [8, 8, 1], &file),
            format!("holds {says}: bake the set again")
        );
    }
    let mut file = one_file(&texture(Rgba8Unorm, [8, 8, 1], 2), KTX2);
    file[12] = 43; // R8G8B8A8_SRGB
    assert!(message(KTX2, Rgba8Unorm, [8, 8, 1], &file).starts_with("holds Vulkan format 43, "));
}

#[test]
fn a_file_of_another_kind_is_none_of_ours() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [8, 8, 1], 2);
        for way in ways(texels) {
            for other in ways(texels) {
                if way.0 == other.0 {
                    continue;
                }
                let file = one_file(&texture, other);
                let message = message(way, texels, [8, 8, 1], &file);
                assert_eq!(
                    message,
                    format!("is not a {} file: bake the set again", way.0)
                );
            }
            for file in [&b""[..], b"{}", &[0; 500]] {
                let message = message(way, texels, [8, 8, 1], &file.to_vec());
                assert!(message.starts_with("is not a "), "{message}");
            }
        }
    }
}

#[test]
fn every_cut_is_refused() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [5, 19, 1], 3);
        for way in ways(texels) {
            let file = one_file(&texture, way);
            for end in 0..file.len() {
                let error = read_all(way.0, texels, texture.size(), [&file[..end].to_vec()]);
                assert!(error.is_err(), "{way:?} of {texels} cut at {end}");
            }
        }
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [5, 19, 1], 3);
        for way in ways(texels) {
            for more in [&b"\0"[..], b"\0\0\0\0\0\0\0\0", &[0xff; 1000]] {
                let mut file = one_file(&texture, way);
                file.extend(more);
                let error = read_all(way.0, texels, texture.size(), [&file]).unwrap_err();
                let message = error.to_string();
                assert!(
                    message.contains("goes on") || message.contains("end of file expected"),
                    "{way:?}: {message}"
                );
            }
        }
    }
}

#[test]
fn texels_that_a_format_cannot_hold_are_refused_with_those_that_can() {
    let texture = texture(Rgba32Float, [2, 2, 1], 2);
    let mut out = Cursor::new(Vec::new());
    let none = Supercompression::None;
    let error = file::write(&texture, 0, FileFormat::Png, none, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot hold rgba32-float texels as png: choose exr or ktx2"
    );
    assert!(out.into_inner().is_empty());
    let expected = Expected::new(Rg16Unorm, [2, 2, 1]).unwrap();
    let mut input = Cursor::new(Vec::new());
    let error = file::read(FileFormat::Exr, &expected, &mut input, &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot hold rg16-unorm texels as exr: choose png or ktx2"
    );
}

#[test]
fn sides_that_a_format_cannot_hold_are_refused() {
    let side = i32::MAX as u32;
    for (format, texels, side) in [
        (FileFormat::Png, Rgb8Unorm, side + 1),
        (FileFormat::Exr, Rgba32Float, side / 256 + 1),
    ] {
        let expected = Expected::new(texels, [1, side, 1]).unwrap();
        let mut input = Cursor::new(Vec::new());
        let error = file::read(format, &expected, &mut input, &mut Vec::new());
        assert!(matches!(error, Err(FileError::TooLong { .. })), "{format}");
    }
}

#[test]
fn a_manifest_cannot_promise_nothing_or_too_much() {
    for size in [[0, 1, 1], [1, 0, 1], [1, 1, 0]] {
        let error = Expected::new(Rgb8Unorm, size).unwrap_err();
        assert!(matches!(error, FileError::Texture(_)), "{error}");
    }
    let error = Expected::new(Rgba32Float, [u32::MAX; 3]).unwrap_err();
    assert!(matches!(error, FileError::NoMemory { .. }), "{error}");
}

#[test]
fn an_error_leaves_the_layers_before() {
    let texture = texture(Rgba16Unorm, [8, 8, 2], 3);
    let mut files = written(&texture, PNG);
    let damaged = files[1].len() - 20;
    files[1][damaged] ^= 1;
    let expected = Expected::new(Rgba16Unorm, [8, 8, 2]).unwrap();
    let mut texels = Vec::new();
    let mut read = |file: &Vec<u8>| {
        let mut input = Cursor::new(file);
        file::read(FileFormat::Png, &expected, &mut input, &mut texels)
    };
    read(&files[0]).unwrap();
    assert!(read(&files[1]).is_err());
    assert_eq!(texels, texture.layer(0));
}

#[test]
#[should_panic(expected = "file 1 of a texture of 1 files")]
fn a_file_that_a_texture_does_not_have_is_a_mistake_of_the_caller() {
    let texture = texture(R32Uint, [2, 2, 3], 2);
    let none = Supercompression::None;
    let _ = file::write(
        &texture,
        1,
        FileFormat::Ktx2,
        none,
        &mut Cursor::new(Vec::new()),
    );
}
