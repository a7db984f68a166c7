//! Textures, and their files in memory.

use std::io::Cursor;

use throng_format::file::{self, Expected, FileError, FileFormat, Supercompression};
use throng_format::{TexelFormat, Texture};

/// Numbers that look random and are the same at every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// A texture of any bits; every second one repeats itself, so that it compresses.
pub fn texture(texels: TexelFormat, size: [u32; 3], seed: u64) -> Texture {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut texture = Texture::zeroed(texels, size).unwrap();
    let repeat = if seed.is_multiple_of(2) {
        17
    } else {
        usize::MAX
    };
    for index in 0..texture.bytes().len() {
        texture.bytes_mut()[index] = match index.checked_sub(repeat) {
            Some(before) => texture.bytes()[before],
            None => random.next() as u8,
        };
    }
    texture
}

/// Every file format and supercompression that holds such texels.
pub fn ways(texels: TexelFormat) -> Vec<(FileFormat, Supercompression)> {
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

pub fn written(
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
pub fn one_file(texture: &Texture, way: (FileFormat, Supercompression)) -> Vec<u8> {
    let [file] = written(texture, way).try_into().unwrap();
    file
}

pub fn read_all<'a>(
    format: FileFormat,
    texels: TexelFormat,
    size: [u32; 3],
    files: impl IntoIterator<Item = &'a Vec<u8>>,
) -> Result<Texture, FileError> {
    let expected = Expected::new(texels, size)?;
    let mut bytes = Vec::new();
    for file in files {
        file::read(format, &expected, &mut Cursor::new(file), &mut bytes)?;
    }
    Ok(Texture::new(texels, size, bytes)?)
}
