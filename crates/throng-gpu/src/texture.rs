//! Textures on the device.

use throng_format::{TexelFormat, Texture};
use throng_shaders::{TABLE_COLUMNS, TexelKind};

use crate::{Gpu, GpuError};

/// Uploads a texture of a set, as an array texture even where it has one layer.
pub(crate) fn upload(gpu: &Gpu, texture: &Texture) -> Result<wgpu::TextureView, GpuError> {
    let bytes = texture.bytes();
    let format = texture.format();
    if format == TexelFormat::Rgb8Unorm {
        let padded: Vec<u8> = bytes
            .chunks_exact(3)
            .flat_map(|texel| [texel[0], texel[1], texel[2], 255])
            .collect();
        return upload_array(gpu, texture.size(), gpu_format(format), &padded);
    }
    upload_array(gpu, texture.size(), gpu_format(format), bytes)
}

/// What a texel is on the device. 16 bits that stand for 0 to 1 go up as whole numbers, because browsers have
/// no such format.
fn gpu_format(format: TexelFormat) -> wgpu::TextureFormat {
    match format {
        TexelFormat::Rgb8Unorm | TexelFormat::Rgba8Unorm => wgpu::TextureFormat::Rgba8Unorm,
        TexelFormat::Rg16Unorm => wgpu::TextureFormat::Rg16Uint,
        TexelFormat::Rgba16Unorm => wgpu::TextureFormat::Rgba16Uint,
        TexelFormat::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        TexelFormat::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
        TexelFormat::R32Uint => wgpu::TextureFormat::R32Uint,
    }
}

/// What a shader sees of a format.
pub(crate) fn texel_kind(format: TexelFormat) -> TexelKind {
    match format {
        TexelFormat::Rg16Unorm | TexelFormat::Rgba16Unorm | TexelFormat::R32Uint => TexelKind::Uint,
        TexelFormat::Rgb8Unorm
        | TexelFormat::Rgba8Unorm
        | TexelFormat::Rgba16Float
        | TexelFormat::Rgba32Float => TexelKind::Float,
    }
}

/// Texels of words, counted through rows of [`TABLE_COLUMNS`].
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
    let texture = gpu.checked(|| {
        let texture = create(
            gpu,
            label,
            size,
            format,
            wgpu::TextureUsages::TEXTURE_BINDING,
        );
        write(gpu, &texture, size, bytemuck::cast_slice(&padded));
        texture
    })?;
    Ok(texture.create_view(&Default::default()))
}

/// Texels of words, counted through rows of [`TABLE_COLUMNS`] and layers of as many rows.
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
    // wgpu takes one layer for no array on GL, and shaders then read nothing: an empty second one helps.
    let is_gl = gpu.device.adapter_info().backend == wgpu::Backend::Gl;
    let made = if is_gl {
        [size[0], size[1], size[2].max(2)]
    } else {
        size
    };
    gpu.checked(|| {
        let texture = create(
            gpu,
            "texels",
            made,
            format,
            wgpu::TextureUsages::TEXTURE_BINDING,
        );
        write(gpu, &texture, size, bytes);
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        })
    })
}

/// No side is longer than the device takes.
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

pub(crate) fn write(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    [width, height, layers]: [u32; 3],
    bytes: &[u8],
) {
    let texels = width as usize * height as usize * layers as usize;
    let texel_bytes = bytes.len() / texels;
    gpu.queue.write_texture(
        texture.as_image_copy(),
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
