//! Mapping from raw texels to numbers.

use throng_format::{Range, TexelFormat};
use throng_shaders::{Codec, TexelKind};

use crate::texture::texel_kind;

/// Mapping from raw texel values to -1 to 1: `offset + scale * raw`. `level` maps them to 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawMapping {
    pub offset: f64,
    pub scale: f64,
    level: f64,
}

impl RawMapping {
    /// Identity, for float formats.
    pub const NONE: Self = Self {
        offset: 0.0,
        scale: 1.0,
        level: 1.0,
    };

    pub fn of(format: TexelFormat) -> Self {
        if format.is_float() {
            return Self::NONE;
        }
        let level = match texel_kind(format) {
            TexelKind::Float => 1.0,
            TexelKind::Uint | TexelKind::Pairs | TexelKind::Bytes => 1.0 / 65535.0,
        };
        Self {
            offset: -1.0,
            scale: 2.0 * level,
            level,
        }
    }

    /// Writes the mapping into the constants of shaders.
    pub fn write(self, codec: &mut Codec) {
        codec.unit_offset = self.offset as f32;
        codec.unit_scale = self.scale as f32;
        codec.level_scale = self.level as f32;
    }

    /// Offset and scale from raw values to values of a range.
    pub fn ranged(self, range: Option<&Range>, metres: f64) -> ([f32; 4], [f32; 4]) {
        let mut offset = [(self.offset * metres) as f32; 4];
        let mut scale = [(self.scale * metres) as f32; 4];
        if let Some(range) = range {
            for (k, (center, half)) in range
                .center
                .iter()
                .zip(&range.half_extent)
                .enumerate()
                .take(4)
            {
                offset[k] = ((center + half * self.offset) * metres) as f32;
                scale[k] = (half * self.scale * metres) as f32;
            }
        }
        (offset, scale)
    }
}
