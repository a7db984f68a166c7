//! Test textures and their files in memory.

use std::io::Cursor;

use throng_format::file::{self, ExpectedTexture, FileError, FileFormat, Supercompression};
use throng_format::{TexelFormat, Texture};
use throng_testkit::Random;

/// A texture of random bytes. With an even seed the bytes repeat, so that they compress.
pub fn texture(texels: TexelFormat, size: [u32; 3], seed: u64) -> Texture {
    let mut random = Random::new(seed);
    let mut texture = Texture::zeroed(texels, size).unwrap();
    let repeat = if seed.is_multiple_of(2) {
        17
    } else {
        usize::MAX
    };
    for index in 0..texture.bytes().len() {
        texture.bytes_mut()[index] = match index.checked_sub(repeat) {
            Some(before) => texture.bytes()[before],
            None => random.next_u64() as u8,
        };
    }
    texture
}

/// Every file format and supercompression that supports a texel format.
pub fn storages(texels: TexelFormat) -> Vec<(FileFormat, Supercompression)> {
    [
        (FileFormat::Png, Supercompression::None),
        (FileFormat::Exr, Supercompression::None),
        (FileFormat::Ktx2, Supercompression::None),
        (FileFormat::Ktx2, Supercompression::Zstd),
    ]
    .into_iter()
    .filter(|(format, _)| format.can_hold(texels))
    .collect()
}

pub fn write_files(
    texture: &Texture,
    (format, supercompression): (FileFormat, Supercompression),
) -> Vec<Vec<u8>> {
    let [_, _, layers] = texture.size();
    let files = file::file_names(format, "t", layers).len() as u32;
    (0..files)
        .map(|index| {
            let mut out = Cursor::new(Vec::new());
            file::write(texture, index, format, supercompression, &mut out).unwrap();
            out.into_inner()
        })
        .collect()
}

/// The only file of a texture.
pub fn one_file(texture: &Texture, storage: (FileFormat, Supercompression)) -> Vec<u8> {
    let [file] = write_files(texture, storage).try_into().unwrap();
    file
}

pub fn read_all<'a>(
    format: FileFormat,
    texels: TexelFormat,
    size: [u32; 3],
    files: impl IntoIterator<Item = &'a Vec<u8>>,
) -> Result<Texture, FileError> {
    let expected = ExpectedTexture::new(texels, size)?;
    let mut bytes = Vec::new();
    for file in files {
        file::read(format, &expected, &mut Cursor::new(file), &mut bytes)?;
    }
    Ok(Texture::new(texels, size, bytes)?)
}

/// Error message of reading a file.
#[track_caller]
pub fn message(
    storage: (FileFormat, Supercompression),
    texels: TexelFormat,
    size: [u32; 3],
    file: &Vec<u8>,
) -> String {
    read_all(storage.0, texels, size, [file])
        .unwrap_err()
        .to_string()
}

/// Recomputes the CRC of every chunk of a PNG.
pub fn fix_checksums(file: &mut [u8]) {
    let mut at = 8;
    while let Some(start) = file.get(at..at + 4) {
        let length = u32::from_be_bytes(start.try_into().unwrap()) as usize;
        let Some(chunk) = file.get(at + 4..at + 8 + length) else {
            return;
        };
        let crc = crc32(chunk).to_be_bytes();
        at += 8 + length;
        if let Some(stored) = file.get_mut(at..at + 4) {
            stored.copy_from_slice(&crc);
        }
        at += 4;
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}
