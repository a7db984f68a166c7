//! Textures in memory.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::texel_memory::TexelMemory;

/// Storage of a texel. Channels are little-endian, red first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TexelFormat {
    /// Three 8-bit channels. GPUs pad the texel to four.
    Rgb8Unorm,
    /// Four 8-bit channels.
    Rgba8Unorm,
    /// Two 16-bit channels.
    Rg16Unorm,
    /// Three 16-bit channels. GPUs pad the texel to four.
    Rgb16Unorm,
    /// Four 16-bit channels.
    Rgba16Unorm,
    /// Four half-precision floats.
    Rgba16Float,
    /// Three single-precision floats. GPUs pad the texel to four.
    Rgb32Float,
    /// Four single-precision floats.
    Rgba32Float,
    /// One 32-bit word.
    R32Uint,
}

/// Number format of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelKind {
    /// 8 bits for 0 to 1.
    Unorm8,
    /// 16 bits for 0 to 1.
    Unorm16,
    /// Half-precision float.
    Float16,
    /// Single-precision float.
    Float32,
    /// 32-bit integer.
    Uint32,
}

impl TexelFormat {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Rgb8Unorm,
        Self::Rgba8Unorm,
        Self::Rg16Unorm,
        Self::Rgb16Unorm,
        Self::Rgba16Unorm,
        Self::Rgba16Float,
        Self::Rgb32Float,
        Self::Rgba32Float,
        Self::R32Uint,
    ];

    /// Number of channels.
    pub fn channels(self) -> usize {
        match self {
            Self::R32Uint => 1,
            Self::Rg16Unorm => 2,
            Self::Rgb8Unorm | Self::Rgb16Unorm | Self::Rgb32Float => 3,
            _ => 4,
        }
    }

    /// Number format of each channel.
    pub fn channel_kind(self) -> ChannelKind {
        match self {
            Self::Rgb8Unorm | Self::Rgba8Unorm => ChannelKind::Unorm8,
            Self::Rg16Unorm | Self::Rgb16Unorm | Self::Rgba16Unorm => ChannelKind::Unorm16,
            Self::Rgba16Float => ChannelKind::Float16,
            Self::Rgb32Float | Self::Rgba32Float => ChannelKind::Float32,
            Self::R32Uint => ChannelKind::Uint32,
        }
    }

    /// Bytes per texel in memory and in files.
    pub fn texel_bytes(self) -> usize {
        self.channels() * self.channel_kind().bytes()
    }

    /// Bytes per texel on a GPU, where three channels are padded to four.
    pub fn gpu_texel_bytes(self) -> usize {
        match self.channels() {
            3 => 4 * self.channel_kind().bytes(),
            _ => self.texel_bytes(),
        }
    }
}

/// Writes the name that manifests use, such as `rgba16-unorm`.
impl fmt::Display for TexelFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

impl ChannelKind {
    /// Bytes per channel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Unorm8 => 1,
            Self::Unorm16 | Self::Float16 => 2,
            Self::Float32 | Self::Uint32 => 4,
        }
    }
}

/// A 2-D texture with layers. Rows are stored without padding, row 0 of layer 0 first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    format: TexelFormat,
    width: u32,
    height: u32,
    layers: u32,
    bytes: TexelMemory,
}

/// Bytes that do not form a texture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextureError {
    /// Width, height or number of layers is zero.
    #[error("expected at least one texel, found a size of {width} × {height} × {layers}")]
    Empty {
        /// Texels per row.
        width: u32,
        /// Rows per layer.
        height: u32,
        /// Number of layers.
        layers: u32,
    },
    /// The number of bytes does not match the size.
    #[error("expected {expected} bytes for {width} × {height} × {layers} texels, found {actual}")]
    WrongLength {
        /// Texels per row.
        width: u32,
        /// Rows per layer.
        height: u32,
        /// Number of layers.
        layers: u32,
        /// Number of bytes that the size needs.
        expected: u128,
        /// Number of bytes found.
        actual: usize,
    },
}

impl Texture {
    /// Creates a texture. Errors where the number of bytes does not match format and size.
    pub fn new(
        format: TexelFormat,
        [width, height, layers]: [u32; 3],
        bytes: Vec<u8>,
    ) -> Result<Self, TextureError> {
        Self::of(format, [width, height, layers], bytes.into())
    }

    fn of(
        format: TexelFormat,
        [width, height, layers]: [u32; 3],
        bytes: TexelMemory,
    ) -> Result<Self, TextureError> {
        if width == 0 || height == 0 || layers == 0 {
            return Err(TextureError::Empty {
                width,
                height,
                layers,
            });
        }
        let texels = u128::from(width) * u128::from(height) * u128::from(layers);
        let expected = texels * format.texel_bytes() as u128;
        if expected != bytes.len() as u128 {
            return Err(TextureError::WrongLength {
                width,
                height,
                layers,
                expected,
                actual: bytes.len(),
            });
        }
        Ok(Self {
            format,
            width,
            height,
            layers,
            bytes,
        })
    }

    /// Creates a texture of zeros.
    pub fn zeroed(
        format: TexelFormat,
        [width, height, layers]: [u32; 3],
    ) -> Result<Self, TextureError> {
        let texels = width as usize * height as usize * layers as usize;
        let bytes = TexelMemory::zeroed(texels * format.texel_bytes());
        Self::of(format, [width, height, layers], bytes)
    }

    /// Texel format.
    pub fn format(&self) -> TexelFormat {
        self.format
    }

    /// Width, height and number of layers.
    pub fn size(&self) -> [u32; 3] {
        [self.width, self.height, self.layers]
    }

    /// Number of texels of all layers.
    pub fn texel_count(&self) -> usize {
        self.width as usize * self.height as usize * self.layers as usize
    }

    /// Bytes of all layers, row by row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes of all layers, row by row.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Bytes of one layer.
    pub fn layer(&self, layer: u32) -> &[u8] {
        let bytes = self.width as usize * self.height as usize * self.format.texel_bytes();
        &self.bytes[layer as usize * bytes..][..bytes]
    }

    /// Bytes of a texel, by its index in the order of [`Self::bytes`].
    pub fn texel(&self, index: usize) -> &[u8] {
        let bytes = self.format.texel_bytes();
        &self.bytes[index * bytes..][..bytes]
    }

    /// GPU bytes.
    pub fn gpu_bytes(&self) -> u64 {
        self.texel_count() as u64 * self.format.gpu_texel_bytes() as u64
    }
}
