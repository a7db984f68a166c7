//! Decoding of base-colour images, and their mip levels.

use std::io::Cursor;

use throng_rig::{Image, ImageFormat};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::StudioError;

/// Largest side of an image; larger ones are rejected before allocation.
const MAX_SIDE: u32 = 16_384;
/// Largest number of texels of an image: 256 MiB of RGBA.
const MAX_TEXELS: u64 = 1 << 26;

/// sRGB with linear alpha, four bytes per texel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MipLevel {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// Decodes a PNG or JPEG image to RGBA.
pub(crate) fn decode(image: &Image) -> Result<MipLevel, StudioError> {
    let error = |reason: String| StudioError::Image {
        name: image.name.clone(),
        reason,
    };
    match image.format {
        ImageFormat::Png => decode_png(&image.bytes).map_err(error),
        ImageFormat::Jpeg => decode_jpeg(&image.bytes).map_err(error),
    }
}

fn check_size(width: u32, height: u32) -> Result<(), String> {
    let is_large =
        width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_TEXELS;
    if is_large {
        return Err(format!(
            "{width} × {height} texels are too many; expected at most {MAX_SIDE} per side and {MAX_TEXELS} in all"
        ));
    }
    if width == 0 || height == 0 {
        return Err("the image is empty".into());
    }
    Ok(())
}

fn decode_png(bytes: &[u8]) -> Result<MipLevel, String> {
    let limits = png::Limits { bytes: 1 << 29 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(
        png::Transformations::EXPAND | png::Transformations::STRIP_16 | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = reader.info().size();
    check_size(width, height)?;
    let size = reader
        .output_buffer_size()
        .ok_or("the image is too large")?;
    let mut raw = vec![0; size];
    let info = reader
        .next_frame(&mut raw)
        .map_err(|error| error.to_string())?;
    raw.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => raw,
        png::ColorType::GrayscaleAlpha => {
            let texels = raw.chunks_exact(2);
            texels
                .flat_map(|texel| [texel[0], texel[0], texel[0], texel[1]])
                .collect()
        }
        other => return Err(format!("unsupported colour type {other:?}")),
    };
    Ok(MipLevel {
        width,
        height,
        rgba,
    })
}

fn decode_jpeg(bytes: &[u8]) -> Result<MipLevel, String> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE as usize)
        .set_max_height(MAX_SIDE as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder
        .decode_headers()
        .map_err(|error| error.to_string())?;
    let info = decoder.info().ok_or("the header is missing")?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height)?;
    let rgba = decoder.decode().map_err(|error| error.to_string())?;
    if rgba.len() as u64 != 4 * u64::from(width) * u64::from(height) {
        return Err("the decoded size differs from the size in the header".into());
    }
    Ok(MipLevel {
        width,
        height,
        rgba,
    })
}

impl MipLevel {
    /// One white texel, for materials without an image.
    pub fn white() -> Self {
        Self {
            width: 1,
            height: 1,
            rgba: vec![255; 4],
        }
    }

    /// Returns the mip levels, from the largest that fits `max_side` down to one texel.
    pub fn mip_chain(self, max_side: u32) -> Vec<Self> {
        let tables = SrgbTables::new();
        let mut levels = vec![self];
        while let Some(last) = levels.last()
            && last.width.max(last.height) > 1
        {
            let half = last.half(&tables);
            if last.width.max(last.height) > max_side {
                levels.pop();
            }
            levels.push(half);
        }
        levels
    }

    /// Halves width and height, rounding down. Colours are averaged in linear light, weighted by alpha.
    fn half(&self, tables: &SrgbTables) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let mut sum = [0.0f32; 4];
                let mut unweighted = [0.0f32; 3];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let from_x = (2 * x + dx).min(self.width - 1) as usize;
                    let from_y = (2 * y + dy).min(self.height - 1) as usize;
                    let at = 4 * (from_y * self.width as usize + from_x);
                    let alpha = f32::from(self.rgba[at + 3]);
                    for c in 0..3 {
                        let light = tables.linear[usize::from(self.rgba[at + c])];
                        sum[c] += alpha * light;
                        unweighted[c] += 0.25 * light;
                    }
                    sum[3] += alpha;
                }
                for c in 0..3 {
                    let light = if sum[3] > 0.0 {
                        sum[c] / sum[3]
                    } else {
                        unweighted[c]
                    };
                    rgba.push(tables.srgb(light));
                }
                rgba.push((0.25 * sum[3]).round() as u8);
            }
        }
        Self {
            width,
            height,
            rgba,
        }
    }
}

/// Conversion tables between sRGB bytes and linear light.
struct SrgbTables {
    linear: [f32; 256],
    srgb: Vec<u8>,
}

/// Steps of the linear table; fine enough for the darkest sRGB bytes.
const STEPS: usize = 8192;

impl SrgbTables {
    fn new() -> Self {
        let linear = std::array::from_fn(|byte| {
            let channel = byte as f32 / 255.0;
            if channel <= 0.04045 {
                channel / 12.92
            } else {
                ((channel + 0.055) / 1.055).powf(2.4)
            }
        });
        let srgb = (0..=STEPS).map(|step| {
            let light = step as f32 / STEPS as f32;
            let channel = if light <= 0.003_130_8 {
                light * 12.92
            } else {
                1.055 * light.powf(1.0 / 2.4) - 0.055
            };
            (channel * 255.0).round() as u8
        });
        Self {
            linear,
            srgb: srgb.collect(),
        }
    }

    fn srgb(&self, light: f32) -> u8 {
        self.srgb[((light * STEPS as f32).round() as usize).min(STEPS)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, color: png::ColorType, bytes: &[u8]) -> Image {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(color);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(bytes).unwrap();
        writer.finish().unwrap();
        Image {
            name: "skin".into(),
            format: ImageFormat::Png,
            bytes: file,
        }
    }

    #[test]
    fn decodes_rgb_and_grey_png_to_rgba() {
        let rgb = decode(&png(1, 1, png::ColorType::Rgb, &[1, 2, 3])).unwrap();
        assert_eq!(rgb.rgba, [1, 2, 3, 255]);
        let grey = decode(&png(2, 1, png::ColorType::Grayscale, &[7, 9])).unwrap();
        assert_eq!(grey.rgba, [7, 7, 7, 255, 9, 9, 9, 255]);
    }

    #[test]
    fn mip_chain_ends_at_one_texel_and_keeps_flat_colours() {
        let flat = MipLevel {
            width: 5,
            height: 3,
            rgba: [10, 128, 250, 255].repeat(15),
        };
        let levels = flat.mip_chain(2048);
        let sizes: Vec<_> = levels.iter().map(|l| (l.width, l.height)).collect();
        assert_eq!(sizes, [(5, 3), (2, 1), (1, 1)]);
        for level in &levels {
            assert!(
                level
                    .rgba
                    .chunks(4)
                    .all(|texel| texel == [10, 128, 250, 255])
            );
        }
    }

    #[test]
    fn mip_chain_starts_at_the_largest_supported_side() {
        let wide = MipLevel {
            width: 64,
            height: 2,
            rgba: vec![255; 4 * 128],
        };
        assert_eq!(wide.mip_chain(16)[0].width, 16);
    }

    #[test]
    fn transparent_texels_do_not_darken_edges() {
        let mut rgba = [200, 100, 50, 255].repeat(2);
        rgba.extend([0; 8]);
        let edge = MipLevel {
            width: 2,
            height: 2,
            rgba,
        };
        assert_eq!(edge.mip_chain(2048)[1].rgba, [200, 100, 50, 128]);
    }

    #[test]
    fn error_of_a_damaged_image_names_it() {
        let mut image = png(4, 4, png::ColorType::Rgb, &[9; 48]);
        image.bytes.truncate(60);
        let message = decode(&image).unwrap_err().to_string();
        assert!(message.contains("'skin'"), "{message}");
        image.format = ImageFormat::Jpeg;
        assert!(decode(&image).is_err());
    }
}
