//! Files that differ from the manifest are rejected.

use std::io::Cursor;

use throng_format::TexelFormat::{self, *};
use throng_format::file::{self, ExpectedTexture, FileError, FileFormat, Supercompression};

use crate::common::{message, one_file, read_all, storages, texture, write_files};

const PNG: (FileFormat, Supercompression) = (FileFormat::Png, Supercompression::None);
const EXR: (FileFormat, Supercompression) = (FileFormat::Exr, Supercompression::None);
const KTX2: (FileFormat, Supercompression) = (FileFormat::Ktx2, Supercompression::None);

#[test]
fn rejects_another_size() {
    for (storage, texels) in [(PNG, Rgb8Unorm), (EXR, Rgba16Float), (KTX2, R32Uint)] {
        let file = one_file(&texture(texels, [64, 32, 1], 2), storage);
        assert_eq!(
            message(storage, texels, [64, 30, 1], &file),
            "has 64 × 32 texels, expected 64 × 30 from the manifest: bake the set again"
        );
        assert_eq!(
            message(storage, texels, [32, 64, 1], &file),
            "has 64 × 32 texels, expected 32 × 64 from the manifest: bake the set again"
        );
    }
}

#[test]
fn rejects_another_number_of_layers() {
    for storage in [KTX2, (FileFormat::Ktx2, Supercompression::Zstd)] {
        let file = one_file(&texture(Rgba8Unorm, [4, 4, 3], 2), storage);
        assert_eq!(
            message(storage, Rgba8Unorm, [4, 4, 1], &file),
            "has 4 × 4 × 3 texels, expected 4 × 4 × 1 from the manifest: bake the set again"
        );
    }
}

#[test]
fn rejects_too_few_files() {
    let files = write_files(&texture(Rgba8Unorm, [4, 4, 3], 2), PNG);
    let error = read_all(FileFormat::Png, Rgba8Unorm, [4, 4, 3], &files[..2]);
    assert!(matches!(error, Err(FileError::Texture(_))));
}

#[test]
fn rejects_another_texel_format() {
    for (storage, wrote, asked, found) in [
        (PNG, Rgba8Unorm, Rgb8Unorm, "8-bit RGBA"),
        (PNG, Rg16Unorm, Rgba16Unorm, "16-bit grey and alpha"),
        (PNG, Rgba16Unorm, R32Uint, "16-bit RGBA"),
        (
            EXR,
            Rgba16Float,
            Rgba32Float,
            "channels HALF 'A', HALF 'B', HALF 'G', HALF 'R'",
        ),
        (EXR, R32Uint, Rgba16Float, "channels UINT 'R'"),
        (KTX2, Rgba8Unorm, Rgba16Unorm, "rgba8-unorm"),
    ] {
        let file = one_file(&texture(wrote, [8, 8, 1], 2), storage);
        assert_eq!(
            message(storage, asked, [8, 8, 1], &file),
            format!("holds {found}, expected {asked} from the manifest: bake the set again")
        );
    }
    let mut file = one_file(&texture(Rgba8Unorm, [8, 8, 1], 2), KTX2);
    file[12] = 43; // R8G8B8A8_SRGB
    assert!(message(KTX2, Rgba8Unorm, [8, 8, 1], &file).starts_with("holds Vulkan format 43, "));
}

#[test]
fn rejects_another_file_format() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [8, 8, 1], 2);
        for storage in storages(texels) {
            for other in storages(texels) {
                if storage.0 == other.0 {
                    continue;
                }
                let file = one_file(&texture, other);
                let message = message(storage, texels, [8, 8, 1], &file);
                assert_eq!(
                    message,
                    format!("is not a {} file: bake the set again", storage.0)
                );
            }
            for file in [&b""[..], b"{}", &[0; 500]] {
                let message = message(storage, texels, [8, 8, 1], &file.to_vec());
                assert!(message.starts_with("is not a "), "{message}");
            }
        }
    }
}

#[test]
fn rejects_truncated_files() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [5, 19, 1], 3);
        for storage in storages(texels) {
            let file = one_file(&texture, storage);
            for end in 0..file.len() {
                let error = read_all(storage.0, texels, texture.size(), [&file[..end].to_vec()]);
                assert!(error.is_err(), "{storage:?} of {texels} cut at {end}");
            }
        }
    }
}

#[test]
fn rejects_trailing_bytes() {
    for texels in TexelFormat::ALL {
        let texture = texture(texels, [5, 19, 1], 3);
        for storage in storages(texels) {
            for more in [&b"\0"[..], b"\0\0\0\0\0\0\0\0", &[0xff; 1000]] {
                let mut file = one_file(&texture, storage);
                file.extend(more);
                let error = read_all(storage.0, texels, texture.size(), [&file]).unwrap_err();
                let message = error.to_string();
                assert!(
                    message.contains("expected the end of the file")
                        || message.contains("end of file expected"),
                    "{storage:?}: {message}"
                );
            }
        }
    }
}

#[test]
fn rejects_unsupported_texels_and_names_alternatives() {
    let texture = texture(Rgba32Float, [2, 2, 1], 2);
    let mut out = Cursor::new(Vec::new());
    let none = Supercompression::None;
    let error = file::write(&texture, 0, FileFormat::Png, none, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot store rgba32-float texels as png: use exr or ktx2"
    );
    assert!(out.into_inner().is_empty());
    let expected = ExpectedTexture::new(Rg16Unorm, [2, 2, 1]).unwrap();
    let mut input = Cursor::new(Vec::new());
    let error = file::read(FileFormat::Exr, &expected, &mut input, &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot store rg16-unorm texels as exr: use png or ktx2"
    );
}

#[test]
fn rejects_sides_that_a_format_cannot_store() {
    let side = i32::MAX as u32;
    for (format, texels, side) in [
        (FileFormat::Png, Rgb8Unorm, side + 1),
        (FileFormat::Exr, Rgba32Float, side / 256 + 1),
    ] {
        let expected = ExpectedTexture::new(texels, [1, side, 1]).unwrap();
        let mut input = Cursor::new(Vec::new());
        let error = file::read(format, &expected, &mut input, &mut Vec::new());
        assert!(
            matches!(error, Err(FileError::SideTooLong { .. })),
            "{format}"
        );
    }
}

#[test]
fn rejects_empty_and_oversized_textures_in_the_manifest() {
    for size in [[0, 1, 1], [1, 0, 1], [1, 1, 0]] {
        let error = ExpectedTexture::new(Rgb8Unorm, size).unwrap_err();
        assert!(matches!(error, FileError::Texture(_)), "{error}");
    }
    let error = ExpectedTexture::new(Rgba32Float, [u32::MAX; 3]).unwrap_err();
    assert!(matches!(error, FileError::NoMemory { .. }), "{error}");
}

#[test]
fn error_keeps_the_previous_layers() {
    let texture = texture(Rgba16Unorm, [8, 8, 2], 3);
    let mut files = write_files(&texture, PNG);
    let damaged = files[1].len() - 20;
    files[1][damaged] ^= 1;
    let expected = ExpectedTexture::new(Rgba16Unorm, [8, 8, 2]).unwrap();
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
#[should_panic(expected = "file 1 is out of range, the texture has 1 files")]
fn file_index_out_of_range_panics() {
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
