//! Texture files.

use std::io::Cursor;

use throng_format::file::{ExpectedTexture, FileFormat, read};
use throng_format::{TexelFormat, Texture};

use crate::memory::within_memory;

/// Bytes in front of the file that describe the expected texture: texel format, width, height, layers.
pub const PREFIX_BYTES: usize = 4;

/// Reads a KTX2 file, with and without Zstandard.
pub fn ktx2(data: &[u8]) {
    read_file(data, &[FileFormat::Ktx2]);
}

/// Reads a PNG or EXR file.
pub fn image(data: &[u8]) {
    read_file(data, &[FileFormat::Png, FileFormat::Exr]);
}

fn read_file(data: &[u8], formats: &[FileFormat]) {
    let Some((&[texels, width, height, layers], file)) = data.split_first_chunk::<PREFIX_BYTES>()
    else {
        return;
    };
    let texels = TexelFormat::ALL[usize::from(texels) % TexelFormat::ALL.len()];
    let size = [width, height, layers].map(u32::from);
    let Ok(expected) = ExpectedTexture::new(texels, size) else {
        return;
    };
    for &format in formats {
        within_memory(|| {
            let mut bytes = Vec::new();
            if read(format, &expected, &mut Cursor::new(file), &mut bytes).is_ok() {
                let size = match format {
                    FileFormat::Ktx2 => size,
                    // One layer per file.
                    _ => [size[0], size[1], 1],
                };
                Texture::new(texels, size, bytes).expect("as many texels as expected");
            }
        });
    }
}
