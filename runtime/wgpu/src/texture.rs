//! Uploads of textures.

use std::borrow::Cow;

use throng_format::{TexelFormat, Texture};
use throng_shaders::{TABLE_COLUMNS, TexelKind};

use crate::{Gpu, GpuError};

/// Texels of a set in a format of the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceTexels<'a> {
    /// Width, height and layers.
    pub size: [u32; 3],
    /// Format of the device.
    pub format: wgpu::TextureFormat,
    /// Bytes, row by row and layer by layer.
    pub bytes: Cow<'a, [u8]>,
}

impl<'a> DeviceTexels<'a> {
    /// Converts a texture for shaders that read texels of a kind. Bytes are passed on as they are, except for formats that
    /// devices lack: RGB is padded to RGBA, and unorm16 is uploaded as integers or bytes, because browsers have no 16-bit
    /// normalised formats.
    pub(crate) fn of(texture: &'a Texture, kind: TexelKind) -> Self {
        let [width, height, layers] = texture.size();
        let mut size = texture.size();
        let mut bytes = Cow::Borrowed(texture.bytes());
        let format = match texture.format() {
            TexelFormat::Rgb8Unorm => {
                bytes = padded(bytes, 3, 4, 255);
                wgpu::TextureFormat::Rgba8Unorm
            }
            TexelFormat::Rgb16Unorm => {
                bytes = padded(bytes, 6, 8, 0);
                wgpu::TextureFormat::Rgba16Uint
            }
            TexelFormat::Rgb32Float => {
                bytes = padded(bytes, 12, 16, 0);
                wgpu::TextureFormat::Rgba32Float
            }
            TexelFormat::Rgba8Unorm | TexelFormat::Rg16Unorm => wgpu::TextureFormat::Rgba8Unorm,
            TexelFormat::Rgba16Unorm if kind == TexelKind::Pairs => {
                let pairs = width.div_ceil(2);
                size = [pairs, height, layers];
                bytes = padded(bytes, 8 * width as usize, 16 * pairs as usize, 0);
                wgpu::TextureFormat::Rgba32Uint
            }
            TexelFormat::Rgba16Unorm => wgpu::TextureFormat::Rgba16Uint,
            TexelFormat::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
            TexelFormat::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
            TexelFormat::R32Uint => wgpu::TextureFormat::R32Uint,
        };
        Self {
            size,
            format,
            bytes,
        }
    }
}

/// Pads each chunk of `length` bytes to `padded_length`.
fn padded(bytes: Cow<'_, [u8]>, length: usize, padded_length: usize, with: u8) -> Cow<'_, [u8]> {
    if length == padded_length {
        return bytes;
    }
    let mut out = Vec::with_capacity(bytes.len() / length * padded_length);
    for chunk in bytes.chunks_exact(length) {
        out.extend_from_slice(chunk);
        out.resize(out.len() + padded_length - length, with);
    }
    Cow::Owned(out)
}

/// Uploads a texture of a set as an array texture, even if it has one layer.
pub(crate) fn upload(gpu: &Gpu, texels: &DeviceTexels<'_>) -> Result<wgpu::TextureView, GpuError> {
    upload_array(gpu, texels.size, texels.format, &texels.bytes)
}

/// Returns the default texel kind of a format.
pub(crate) fn texel_kind(format: TexelFormat) -> TexelKind {
    match format {
        TexelFormat::Rgb16Unorm | TexelFormat::Rgba16Unorm | TexelFormat::R32Uint => {
            TexelKind::Uint
        }
        TexelFormat::Rg16Unorm => TexelKind::Bytes,
        TexelFormat::Rgb8Unorm
        | TexelFormat::Rgba8Unorm
        | TexelFormat::Rgba16Float
        | TexelFormat::Rgb32Float
        | TexelFormat::Rgba32Float => TexelKind::Float,
    }
}

/// Uploads consecutive texels of integers in rows of [`TABLE_COLUMNS`].
pub(crate) fn upload_table<const WORDS: usize>(
    gpu: &Gpu,
    label: &'static str,
    texels: &[[u32; WORDS]],
) -> Result<wgpu::TextureView, GpuError> {
    let rows = texels.len().div_ceil(TABLE_COLUMNS as usize).max(1);
    let mut padded = texels.to_vec();
    padded.resize(rows * TABLE_COLUMNS as usize, [0; WORDS]);
    let format = match WORDS {
        2 => wgpu::TextureFormat::Rg32Uint,
        _ => wgpu::TextureFormat::Rgba32Uint,
    };
    let size = [TABLE_COLUMNS, rows as u32, 1];
    check_size(gpu, size)?;
    let usage = wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = create(gpu, label, size, format, usage);
    write(gpu, &texture, size, bytemuck::cast_slice(&padded));
    Ok(texture.create_view(&Default::default()))
}

/// Uploads consecutive texels of integers in rows of [`TABLE_COLUMNS`] and layers of as many rows.
pub(crate) fn upload_layered_table(
    gpu: &Gpu,
    texels: &[[u32; 4]],
) -> Result<wgpu::TextureView, GpuError> {
    let columns = TABLE_COLUMNS as usize;
    let rows = texels.len().div_ceil(columns).max(1);
    let layers = rows.div_ceil(columns);
    let height = rows.min(columns);
    let mut padded = texels.to_vec();
    padded.resize(layers * height * columns, [0; 4]);
    upload_array(
        gpu,
        [TABLE_COLUMNS, height as u32, layers as u32],
        wgpu::TextureFormat::Rgba32Uint,
        bytemuck::cast_slice(&padded),
    )
}

fn upload_array(
    gpu: &Gpu,
    size: [u32; 3],
    format: wgpu::TextureFormat,
    bytes: &[u8],
) -> Result<wgpu::TextureView, GpuError> {
    check_size(gpu, size)?;
    // On GL, wgpu makes a plain texture of one layer, and shaders read zeros from it: a second layer keeps it an array.
    let is_gl = gpu.device.adapter_info().backend == wgpu::Backend::Gl;
    let created = if is_gl {
        [size[0], size[1], size[2].max(2)]
    } else {
        size
    };
    let usage = wgpu::TextureUsages::TEXTURE_BINDING;
    let texture = create(gpu, "texels", created, format, usage);
    write(gpu, &texture, size, bytes);
    Ok(texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    }))
}

/// Checks a size against the limits of the device.
pub(crate) fn check_size(gpu: &Gpu, [width, height, layers]: [u32; 3]) -> Result<(), GpuError> {
    let limits = gpu.device.limits();
    let max_side = limits.max_texture_dimension_2d;
    let max_layers = limits.max_texture_array_layers;
    if width > max_side || height > max_side || layers > max_layers {
        return Err(GpuError::TextureTooLarge {
            width,
            height,
            layers,
            max_side,
            max_layers,
        });
    }
    Ok(())
}

pub(crate) fn create(
    gpu: &Gpu,
    label: &str,
    [width, height, layers]: [u32; 3],
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: layers,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

pub(crate) fn write(gpu: &Gpu, texture: &wgpu::Texture, size: [u32; 3], bytes: &[u8]) {
    write_rows(gpu, texture, 0, size, bytes);
}

/// Writes rows from `first_row` on.
pub(crate) fn write_rows(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    first_row: u32,
    [width, height, layers]: [u32; 3],
    bytes: &[u8],
) {
    let texels = width as usize * height as usize * layers as usize;
    let texel_bytes = bytes.len() / texels;
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d {
                y: first_row,
                ..Default::default()
            },
            ..texture.as_image_copy()
        },
        bytes,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * texel_bytes as u32),
            rows_per_image: Some(height),
        },
        wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: layers,
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(format: TexelFormat, size: [u32; 3]) -> Texture {
        let mut texture = Texture::zeroed(format, size).unwrap();
        for (k, byte) in texture.bytes_mut().iter_mut().enumerate() {
            *byte = k as u8;
        }
        texture
    }

    #[test]
    fn pairs_pad_rows_of_odd_length() {
        let texture = texture(TexelFormat::Rgba16Unorm, [3, 2, 1]);
        let texels = DeviceTexels::of(&texture, TexelKind::Pairs);
        assert_eq!(texels.size, [2, 2, 1]);
        assert_eq!(texels.format, wgpu::TextureFormat::Rgba32Uint);
        let rows: Vec<_> = texels.bytes.chunks(32).collect();
        for (row, original) in rows.iter().zip(texture.bytes().chunks(24)) {
            assert_eq!((&row[..24], &row[24..]), (original, &[0; 8][..]));
        }
    }
}
