//! Expected content of a texture file.

use super::FileError;
use crate::{TexelFormat, TextureError};

/// Format and size of a texture according to the manifest. Its number of bytes is addressable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedTexture {
    format: TexelFormat,
    size: [u32; 3],
    bytes: usize,
}

impl ExpectedTexture {
    /// Size is width, height and number of layers. Errors where it is empty or not addressable.
    pub fn new(format: TexelFormat, size: [u32; 3]) -> Result<Self, FileError> {
        let [width, height, layers] = size;
        let texels = u128::from(width) * u128::from(height) * u128::from(layers);
        if texels == 0 {
            return Err(FileError::Texture(TextureError::Empty {
                width,
                height,
                layers,
            }));
        }
        let bytes = texels * format.texel_bytes() as u128;
        // Allocations are limited to isize::MAX bytes.
        match isize::try_from(bytes) {
            Ok(bytes) => Ok(Self {
                format,
                size,
                bytes: bytes as usize,
            }),
            Err(_) => Err(FileError::NoMemory { bytes }),
        }
    }

    /// Texel format.
    pub fn format(&self) -> TexelFormat {
        self.format
    }

    /// Width, height and number of layers.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Bytes of all layers.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes per row of texels.
    pub(super) fn row_bytes(&self) -> usize {
        self.size[0] as usize * self.format.texel_bytes()
    }

    /// Checks the size of a file that holds one layer.
    pub(super) fn check_layer_size(&self, [width, height]: [u32; 2]) -> Result<(), FileError> {
        let [expected_width, expected_height, _] = self.size;
        check_size([width, height, 1], [expected_width, expected_height, 1])
    }

    /// Checks the size of a file that holds all layers.
    pub(super) fn check_size(&self, size: [u32; 3]) -> Result<(), FileError> {
        check_size(size, self.size)
    }

    /// Error for a file of another texel format.
    pub(super) fn wrong_format(&self, actual: impl Into<String>) -> FileError {
        FileError::WrongFormat {
            actual: actual.into(),
            expected: self.format,
        }
    }

    /// Reserves memory for the missing bytes of all layers, without writing to it.
    pub(super) fn reserve(&self, texels: &mut Vec<u8>) -> Result<(), FileError> {
        let missing = self.bytes.saturating_sub(texels.len());
        texels
            .try_reserve_exact(missing)
            .map_err(|_| FileError::NoMemory {
                bytes: self.bytes as u128,
            })
    }
}

fn check_size(actual: [u32; 3], expected: [u32; 3]) -> Result<(), FileError> {
    if actual == expected {
        Ok(())
    } else {
        Err(FileError::WrongSize { actual, expected })
    }
}
