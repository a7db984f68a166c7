//! Textures of a set, on the device.

use throng_format::{TexelFormat, Texture};

use crate::{Gpu, GpuError};

/// Uploads a texture of words, as an array texture even where it has one layer.
pub(crate) fn words(gpu: &Gpu, texture: &Texture) -> Result<wgpu::TextureView, GpuError> {
    if texture.format() != TexelFormat::R32Uint {
        return Err(GpuError::WrongTexels(texture.format()));
    }
    let [width, height, layers] = texture.size();
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
    let size = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: layers,
    };
    // wgpu takes one layer for no array on GL, and shaders then read nothing: an empty second one helps.
    let is_gl = gpu.device.adapter_info().backend == wgpu::Backend::Gl;
    let made_layers = if is_gl { layers.max(2) } else { layers };
    gpu.checked(|| {
        let uploaded = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("words"),
            size: wgpu::Extent3d {
                depth_or_array_layers: made_layers,
                ..size
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R32Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        gpu.queue.write_texture(
            uploaded.as_image_copy(),
            texture.bytes(),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width * 4),
                rows_per_image: Some(height),
            },
            size,
        );
        uploaded.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        })
    })
}
