//! Known texels at the start of a texture, so that a run time detects changes by an importer.
//!
//! The first row of a texture (the first words of compressed curves) begins with [`STRIP`], as many of its texels as the
//! row has room for. A strip that reads back as written means an unchanged texture. Darker or brighter values mean an
//! sRGB conversion; texels that became alike mean filtering, mips or rescaling; a strip in the last row means a flip.

use half::f16;

use crate::{ChannelKind, Texture};

/// Bytes of the known texels, one per channel. Neighbours differ strongly, no texel is its own mirror image, and the
/// middle values change most under sRGB.
pub const STRIP: [[u8; 4]; 8] = [
    [0, 255, 64, 191],
    [255, 0, 191, 64],
    [32, 223, 128, 16],
    [223, 32, 16, 128],
    [1, 254, 85, 170],
    [254, 1, 170, 85],
    [48, 96, 144, 192],
    [84, 82, 78, 71],
];

/// Change that a texture underwent between bake and run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// None: every known texel is as written.
    Intact,
    /// Values were decoded from sRGB, which darkens them.
    DecodedFromSrgb,
    /// Values were encoded to sRGB, which brightens them.
    EncodedToSrgb,
    /// Rows are in reverse order: the strip is in the last row.
    Flipped,
    /// Another change: filtered, rescaled, compressed or cropped.
    Damaged,
}

/// Writes the strip into the first row.
pub fn write_strip(texture: &mut Texture) {
    let format = texture.format();
    let texel_bytes = format.texel_bytes();
    let texels = (texture.size()[0] as usize).min(STRIP.len());
    let kind = format.channel_kind();
    let row = texture.bytes_mut().chunks_exact_mut(texel_bytes);
    for (texel, known) in row.take(texels).zip(STRIP) {
        for (channel, byte) in texel.chunks_exact_mut(kind.bytes()).zip(known) {
            write_level(channel, kind, byte, known);
        }
    }
}

/// Checks the strip of a texture.
pub fn check_strip(texture: &Texture) -> Calibration {
    let [width, height, layers] = texture.size().map(|side| side as usize);
    let rows = height * layers;
    if matches(texture, 0, |level| level) {
        Calibration::Intact
    } else if rows > 1 && matches(texture, (rows - 1) * width, |level| level) {
        Calibration::Flipped
    } else if matches(texture, 0, linear_from_srgb) {
        Calibration::DecodedFromSrgb
    } else if matches(texture, 0, srgb_from_linear) {
        Calibration::EncodedToSrgb
    } else {
        Calibration::Damaged
    }
}

/// True where the texels from `first` on are those of the strip with `change` applied to each level except alpha, within
/// two steps of 8 bits.
fn matches(texture: &Texture, first: usize, change: impl Fn(f64) -> f64) -> bool {
    let kind = texture.format().channel_kind();
    let texels = (texture.size()[0] as usize).min(STRIP.len());
    STRIP[..texels].iter().enumerate().all(|(index, known)| {
        let texel = texture.texel(first + index);
        let channels = texel.chunks_exact(kind.bytes()).zip(known).enumerate();
        channels.into_iter().all(|(channel, (bytes, &byte))| {
            if kind == ChannelKind::Uint32 {
                return bytes == *known;
            }
            let level = f64::from(byte) / 255.0;
            let expected = if channel < 3 { change(level) } else { level };
            (read_level(bytes, kind) - expected).abs() <= 2.0 / 255.0
        })
    })
}

fn write_level(out: &mut [u8], kind: ChannelKind, byte: u8, texel: [u8; 4]) {
    let level = f32::from(byte) / 255.0;
    match kind {
        ChannelKind::Unorm8 => out[0] = byte,
        ChannelKind::Unorm16 => out.copy_from_slice(&(u16::from(byte) * 257).to_le_bytes()),
        ChannelKind::Float16 => out.copy_from_slice(&f16::from_f32(level).to_le_bytes()),
        ChannelKind::Float32 => out.copy_from_slice(&level.to_le_bytes()),
        ChannelKind::Uint32 => out.copy_from_slice(&texel),
    }
}

fn read_level(bytes: &[u8], kind: ChannelKind) -> f64 {
    match kind {
        ChannelKind::Unorm8 => f64::from(bytes[0]) / 255.0,
        ChannelKind::Unorm16 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 65535.0,
        ChannelKind::Float16 => f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        ChannelKind::Float32 | ChannelKind::Uint32 => {
            f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        }
    }
}

fn linear_from_srgb(level: f64) -> f64 {
    if level <= 0.04045 {
        level / 12.92
    } else {
        ((level + 0.055) / 1.055).powf(2.4)
    }
}

fn srgb_from_linear(level: f64) -> f64 {
    if level <= 0.003_130_8 {
        level * 12.92
    } else {
        1.055 * level.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TexelFormat;

    fn with_strip(format: TexelFormat) -> Texture {
        let mut texture = Texture::zeroed(format, [9, 4, 1]).unwrap();
        write_strip(&mut texture);
        texture
    }

    #[test]
    fn strip_reads_back_in_every_format() {
        for format in TexelFormat::ALL {
            assert_eq!(check_strip(&with_strip(format)), Calibration::Intact);
        }
    }

    #[test]
    fn detects_srgb_conversion_flip_and_filtering() {
        for format in [TexelFormat::Rgba8Unorm, TexelFormat::Rgb8Unorm] {
            let channels = format.channels();
            let map = |change: fn(f64) -> f64| {
                let mut texture = with_strip(format);
                for texel in texture.bytes_mut().chunks_exact_mut(channels) {
                    for byte in &mut texel[..3] {
                        *byte = (change(f64::from(*byte) / 255.0) * 255.0).round() as u8;
                    }
                }
                check_strip(&texture)
            };
            assert_eq!(map(linear_from_srgb), Calibration::DecodedFromSrgb);
            assert_eq!(map(srgb_from_linear), Calibration::EncodedToSrgb);
            assert_eq!(map(|level| 1.0 - level), Calibration::Damaged);
        }
        let mut flipped = with_strip(TexelFormat::R32Uint);
        let row = 9 * 4;
        flipped.bytes_mut().rotate_right(3 * row);
        assert_eq!(check_strip(&flipped), Calibration::Flipped);
        let mut filtered = with_strip(TexelFormat::Rgba8Unorm);
        let bytes = filtered.bytes_mut();
        for i in 0..28 {
            bytes[i] = ((u16::from(bytes[i]) + u16::from(bytes[i + 4])) / 2) as u8;
        }
        assert_eq!(check_strip(&filtered), Calibration::Damaged);
    }
}
