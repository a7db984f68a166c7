//! Reading and writing the channels of texels.

use half::f16;

use crate::{ChannelKind, TexelFormat, Texture};

/// Reader of texel channels: 0 to 1 in normalised formats, the value itself in other formats.
#[derive(Debug, Clone, Copy)]
pub struct Channels<'t> {
    bytes: &'t [u8],
    kind: ChannelKind,
    channels: usize,
}

impl<'t> Channels<'t> {
    /// Reader of all texels of a texture.
    pub fn of(texture: &'t Texture) -> Self {
        Self {
            bytes: texture.bytes(),
            kind: texture.format().channel_kind(),
            channels: texture.format().channels(),
        }
    }

    /// Value of a channel of a texel.
    pub fn get(&self, texel: usize, channel: usize) -> f64 {
        let size = self.kind.bytes();
        let at = &self.bytes[(texel * self.channels + channel) * size..][..size];
        match self.kind {
            ChannelKind::Unorm8 => f64::from(at[0]) / 255.0,
            ChannelKind::Unorm16 => f64::from(u16::from_le_bytes([at[0], at[1]])) / 65535.0,
            ChannelKind::Float16 => f16::from_le_bytes([at[0], at[1]]).to_f64(),
            ChannelKind::Float32 => f64::from(f32::from_le_bytes([at[0], at[1], at[2], at[3]])),
            ChannelKind::Uint32 => f64::from(u32::from_le_bytes([at[0], at[1], at[2], at[3]])),
        }
    }
}

impl TexelFormat {
    /// True for float formats, which store values without a range.
    pub fn is_float(self) -> bool {
        matches!(
            self.channel_kind(),
            ChannelKind::Float16 | ChannelKind::Float32
        )
    }
}

/// Writes a value into the bytes of a channel, rounded to the nearest representable value. Normalised channels clamp to
/// 0 to 1.
pub fn write_channel(out: &mut [u8], kind: ChannelKind, value: f64) {
    match kind {
        ChannelKind::Unorm8 => out[0] = (value.clamp(0.0, 1.0) * 255.0).round() as u8,
        ChannelKind::Unorm16 => {
            let level = (value.clamp(0.0, 1.0) * 65535.0).round() as u16;
            out.copy_from_slice(&level.to_le_bytes());
        }
        ChannelKind::Float16 => out.copy_from_slice(&f16::from_f64(value).to_le_bytes()),
        ChannelKind::Float32 => out.copy_from_slice(&(value as f32).to_le_bytes()),
        ChannelKind::Uint32 => out.copy_from_slice(&(value as u32).to_le_bytes()),
    }
}
