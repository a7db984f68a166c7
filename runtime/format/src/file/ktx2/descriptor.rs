//! Texel formats in KTX2: the Vulkan format and the data format descriptor.

use crate::{ChannelKind, TexelFormat};

/// Vulkan format number of a texel format.
pub fn vk_format(texels: TexelFormat) -> u32 {
    match texels {
        TexelFormat::Rgb8Unorm => 23,
        TexelFormat::Rgba8Unorm => 37,
        TexelFormat::Rg16Unorm => 77,
        TexelFormat::Rgb16Unorm => 84,
        TexelFormat::Rgba16Unorm => 91,
        TexelFormat::Rgba16Float => 97,
        TexelFormat::R32Uint => 98,
        TexelFormat::Rgb32Float => 106,
        TexelFormat::Rgba32Float => 109,
    }
}

/// Name of a Vulkan format: that of the texel format, or its number.
pub fn vk_format_text(number: u32) -> String {
    TexelFormat::ALL
        .into_iter()
        .find(|&texels| vk_format(texels) == number)
        .map_or_else(
            || format!("Vulkan format {number}"),
            |texels| format!("{texels}"),
        )
}

/// Bytes of the data format descriptor: its size, a basic block, and 16 bytes per channel.
pub fn descriptor_bytes(texels: TexelFormat) -> u32 {
    4 + 24 + 16 * texels.channels() as u32
}

const MODEL_RGBSDA: u8 = 1;
const PRIMARIES_UNSPECIFIED: u8 = 0;
const TRANSFER_UNSPECIFIED: u8 = 0;
const TRANSFER_LINEAR: u8 = 1;
const CHANNELS: [u8; 4] = [0, 1, 2, 15]; // Red, green, blue, alpha.
const QUALIFIER_SIGNED: u8 = 0x40;
const QUALIFIER_FLOAT: u8 = 0x80;

/// The data format descriptor: one basic block of version 2.
///
/// Texels are data, not colours, so primaries are unspecified. The transfer function is linear, and unspecified for
/// integers, as revision 4 of KTX requires.
pub fn descriptor(texels: TexelFormat) -> Vec<u8> {
    let kind = texels.channel_kind();
    let transfer = match kind {
        ChannelKind::Uint32 => TRANSFER_UNSPECIFIED,
        _ => TRANSFER_LINEAR,
    };
    // Values that mean 0 and 1; for floats -1 and 1, as float32 bits for every width.
    let (qualifiers, lower, upper) = match kind {
        ChannelKind::Unorm8 => (0, 0, u32::from(u8::MAX)),
        ChannelKind::Unorm16 => (0, 0, u32::from(u16::MAX)),
        ChannelKind::Uint32 => (0, 0, 1),
        ChannelKind::Float16 | ChannelKind::Float32 => (
            QUALIFIER_FLOAT | QUALIFIER_SIGNED,
            (-1f32).to_bits(),
            1f32.to_bits(),
        ),
    };
    let bytes = descriptor_bytes(texels);
    let mut out = Vec::with_capacity(bytes as usize);
    out.extend(bytes.to_le_bytes());
    out.extend([0; 4]); // Khronos, a basic block.
    out.extend(2u16.to_le_bytes());
    out.extend((bytes as u16 - 4).to_le_bytes());
    let straight_alpha = 0;
    out.extend([
        MODEL_RGBSDA,
        PRIMARIES_UNSPECIFIED,
        transfer,
        straight_alpha,
    ]);
    out.extend([0; 4]); // A block of 1 × 1 × 1 × 1 texels.
    out.extend([texels.texel_bytes() as u8, 0, 0, 0, 0, 0, 0, 0]); // Bytes of each plane.
    let bits = 8 * kind.bytes() as u16;
    for (index, channel) in CHANNELS.into_iter().take(texels.channels()).enumerate() {
        out.extend((index as u16 * bits).to_le_bytes());
        out.extend([bits as u8 - 1, channel | qualifiers]);
        out.extend([0; 4]); // Position in the block.
        out.extend(lower.to_le_bytes());
        out.extend(upper.to_le_bytes());
    }
    out
}
