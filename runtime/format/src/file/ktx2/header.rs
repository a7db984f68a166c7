//! The header of a KTX2 file: header fields, index, and level index of one level.

use super::MAGIC;
use super::descriptor::{descriptor_bytes, vk_format};
use crate::TexelFormat;
use crate::file::Supercompression;

/// Fields before the descriptor, in the order of the file, without the magic bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub vk_format: u32,
    pub type_bytes: u32,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    /// 0 where the texture is not an array.
    pub layers: u32,
    pub faces: u32,
    pub levels: u32,
    pub scheme: u32,
    pub descriptor_at: u32,
    pub descriptor_bytes: u32,
    pub keys_at: u32,
    pub keys_bytes: u32,
    pub globals_at: u64,
    pub globals_bytes: u64,
    pub level_at: u64,
    pub level_bytes: u64,
    pub level_bytes_uncompressed: u64,
}

impl Header {
    /// Number of bytes in the file, including the magic bytes.
    pub const BYTES: usize = 104;

    /// Offset of [`Self::level_bytes`] in the file.
    pub const LEVEL_BYTES_AT: u64 = 88;

    /// Header of a file, given the sizes of its key/value data and of its level.
    pub fn new(
        texels: TexelFormat,
        [width, height, layers]: [u32; 3],
        supercompression: Supercompression,
        keys_bytes: u32,
        level_bytes: u64,
    ) -> Self {
        let descriptor_at = Self::BYTES as u32;
        let keys_at = descriptor_at + descriptor_bytes(texels);
        let level_alignment = match supercompression {
            Supercompression::None => level_alignment(texels),
            Supercompression::Zstd => 1,
        };
        let texel_count = u64::from(width) * u64::from(height) * u64::from(layers);
        Self {
            vk_format: vk_format(texels),
            type_bytes: texels.channel_kind().bytes() as u32,
            width,
            height,
            depth: 0,
            layers: if layers == 1 { 0 } else { layers },
            faces: 1,
            levels: 1,
            scheme: match supercompression {
                Supercompression::None => 0,
                Supercompression::Zstd => 2,
            },
            descriptor_at,
            descriptor_bytes: descriptor_bytes(texels),
            keys_at,
            keys_bytes,
            globals_at: 0,
            globals_bytes: 0,
            level_at: u64::from(keys_at + keys_bytes).next_multiple_of(level_alignment),
            level_bytes,
            level_bytes_uncompressed: texel_count * texels.texel_bytes() as u64,
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(Self::BYTES);
        out.extend(MAGIC);
        for word in [
            self.vk_format,
            self.type_bytes,
            self.width,
            self.height,
            self.depth,
            self.layers,
            self.faces,
            self.levels,
            self.scheme,
            self.descriptor_at,
            self.descriptor_bytes,
            self.keys_at,
            self.keys_bytes,
        ] {
            out.extend(word.to_le_bytes());
        }
        for long in [
            self.globals_at,
            self.globals_bytes,
            self.level_at,
            self.level_bytes,
            self.level_bytes_uncompressed,
        ] {
            out.extend(long.to_le_bytes());
        }
        out
    }

    /// Inverse of [`Self::to_bytes`]. The magic bytes are ignored.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let (words, longs) = bytes[MAGIC.len()..].split_at(13 * 4);
        let word = |index: usize| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|byte| words[4 * index + byte]);
            u32::from_le_bytes([a, b, c, d])
        };
        let long = |index: usize| {
            u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|byte| longs[8 * index + byte]))
        };
        Self {
            vk_format: word(0),
            type_bytes: word(1),
            width: word(2),
            height: word(3),
            depth: word(4),
            layers: word(5),
            faces: word(6),
            levels: word(7),
            scheme: word(8),
            descriptor_at: word(9),
            descriptor_bytes: word(10),
            keys_at: word(11),
            keys_bytes: word(12),
            globals_at: long(0),
            globals_bytes: long(1),
            level_at: long(2),
            level_bytes: long(3),
            level_bytes_uncompressed: long(4),
        }
    }
}

/// Least common multiple of the texel size and 4 bytes.
fn level_alignment(texels: TexelFormat) -> u64 {
    let texel = texels.texel_bytes() as u64;
    let multiples = [texel, 2 * texel, 4 * texel];
    multiples
        .into_iter()
        .find(|bytes| bytes % 4 == 0)
        .expect("a multiple of four is divisible by four")
}
