//! Texels, as they lie in memory and on a GPU.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::texel_memory::TexelMemory;

/// How a texel is stored. Channels are little-endian, red first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TexelFormat {
    /// Three bytes. GPUs pad it to four.
    Rgb8Unorm,
    /// Four bytes.
    Rgba8Unorm,
    /// Two 16-bit numbers.
    Rg16Unorm,
    /// Four 16-bit numbers.
    Rgba16Unorm,
    /// Four half floats.
    Rgba16Float,
    /// Four floats.
    Rgba32Float,
    /// One word of bits.
    R32Uint,
}

/// What a channel of a format holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelKind {
    /// A byte, 0 to 1.
    Unorm8,
    /// Two bytes, 0 to 1.
    Unorm16,
    /// A half float.
    Float16,
    /// A float.
    Float32,
    /// Bits.
    Uint32,
}

impl TexelFormat {
    /// All there are.
    pub const ALL: [Self; 7] = [
        Self::Rgb8Unorm,
        Self::Rgba8Unorm,
        Self::Rg16Unorm,
        Self::Rgba16Unorm,
        Self::Rgba16Float,
        Self::Rgba32Float,
        Self::R32Uint,
    ];

    /// How many channels a texel has.
    pub fn channels(self) -> usize {
        match self {
            Self::R32Uint => 1,
            Self::Rg16Unorm => 2,
            Self::Rgb8Unorm => 3,
            _ => 4,
        }
    }

    /// What each channel holds.
    pub fn channel_kind(self) -> ChannelKind {
        match self {
            Self::Rgb8Unorm | Self::Rgba8Unorm => ChannelKind::Unorm8,
            Self::Rg16Unorm | Self::Rgba16Unorm => ChannelKind::Unorm16,
            Self::Rgba16Float => ChannelKind::Float16,
            Self::Rgba32Float => ChannelKind::Float32,
            Self::R32Uint => ChannelKind::Uint32,
        }
    }

    /// Bytes of a texel as it is stored.
    pub fn texel_bytes(self) -> usize {
        self.channels() * self.channel_kind().bytes()
    }

    /// Bytes of a texel on a GPU, which has no three-channel formats.
    pub fn gpu_texel_bytes(self) -> usize {
        match self {
            Self::Rgb8Unorm => 4,
            _ => self.texel_bytes(),
        }
    }
}

/// The name that manifests use: `rgba16-unorm`.
impl fmt::Display for TexelFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

impl ChannelKind {
    /// Bytes of a channel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Unorm8 => 1,
            Self::Unorm16 | Self::Float16 => 2,
            Self::Float32 | Self::Uint32 => 4,
        }
    }
}

/// Layers of rows of texels, with nothing between them: row 0 of layer 0 first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    format: TexelFormat,
    width: u32,
    height: u32,
    layers: u32,
    bytes: TexelMemory,
}

/// Why bytes are not a texture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextureError {
    /// A side is zero.
    #[error("a texture of {width} × {height} × {layers} texels has no texels")]
    Empty {
        /// Texels in a row.
        width: u32,
        /// Rows in a layer.
        height: u32,
        /// Layers.
        layers: u32,
    },
    /// The number of bytes does not fit the size.
    #[error("{width} × {height} × {layers} texels take {expected} bytes, there are {actual}")]
    WrongLength {
        /// Texels in a row.
        width: u32,
        /// Rows in a layer.
        height: u32,
        /// Layers.
        layers: u32,
        /// Bytes that are needed.
        expected: u128,
        /// Bytes that are there.
        actual: usize,
    },
}

impl Texture {
    /// Checks the bytes against the size.
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

    /// A texture of zeros.
    pub fn zeroed(
        format: TexelFormat,
        [width, height, layers]: [u32; 3],
    ) -> Result<Self, TextureError> {
        let texels = width as usize * height as usize * layers as usize;
        let bytes = TexelMemory::zeroed(texels * format.texel_bytes());
        Self::of(format, [width, height, layers], bytes)
    }

    /// How a texel is stored.
    pub fn format(&self) -> TexelFormat {
        self.format
    }

    /// Texels in a row, rows in a layer, layers.
    pub fn size(&self) -> [u32; 3] {
        [self.width, self.height, self.layers]
    }

    /// How many texels there are.
    pub fn texel_count(&self) -> usize {
        self.width as usize * self.height as usize * self.layers as usize
    }

    /// All layers, row by row.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All layers, row by row.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The texels of one layer.
    pub fn layer(&self, layer: u32) -> &[u8] {
        let bytes = self.width as usize * self.height as usize * self.format.texel_bytes();
        &self.bytes[layer as usize * bytes..][..bytes]
    }

    /// The bytes of a texel, by its number in the order of [`Self::bytes`].
    pub fn texel(&self, index: usize) -> &[u8] {
        let bytes = self.format.texel_bytes();
        &self.bytes[index * bytes..][..bytes]
    }

    /// Bytes that it takes on a GPU.
    pub fn gpu_bytes(&self) -> u64 {
        self.texel_count() as u64 * self.format.gpu_texel_bytes() as u64
    }
}
