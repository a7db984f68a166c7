//! `Rgba32Uint` textures that passes write: palettes and vertices.

use throng_shaders::TABLE_COLUMNS;

use crate::{Gpu, GpuError, texture};

/// A texture of consecutive texels in rows of [`TABLE_COLUMNS`], instance after instance. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct WordTarget {
    pub texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    pub height: u32,
}

impl WordTarget {
    /// Number of rows for `texels` texels per instance.
    pub fn rows(texels: u32, instances: usize) -> u64 {
        let texels = u64::from(texels) * instances as u64;
        texels.div_ceil(u64::from(TABLE_COLUMNS)).max(1)
    }

    /// Creates a texture for `texels` texels per instance. `what` names the contents in errors.
    pub fn new(
        gpu: &Gpu,
        what: &'static str,
        texels: u32,
        instances: usize,
    ) -> Result<Self, GpuError> {
        let columns = u64::from(TABLE_COLUMNS);
        let rows = Self::rows(texels, instances);
        let max_rows = gpu.device.limits().max_texture_dimension_2d;
        if rows > u64::from(max_rows) {
            return Err(GpuError::TooManyInstances {
                what,
                instances,
                rows,
                max_rows,
                max_instances: u64::from(max_rows) * columns / u64::from(texels.max(1)),
            });
        }
        let rows = rows as u32;
        let has_storage = gpu.device.limits().max_storage_textures_per_shader_stage > 0;
        let storage = match has_storage {
            true => wgpu::TextureUsages::STORAGE_BINDING,
            false => wgpu::TextureUsages::empty(),
        };
        let texture = texture::create(
            gpu,
            what,
            [TABLE_COLUMNS, rows, 1],
            wgpu::TextureFormat::Rgba32Uint,
            wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | storage,
        );
        Ok(Self {
            view: texture.create_view(&Default::default()),
            texture,
            height: rows,
        })
    }

    /// Attachment that clears the texture.
    pub fn attachment(&self) -> Option<wgpu::RenderPassColorAttachment<'_>> {
        Some(wgpu::RenderPassColorAttachment {
            view: &self.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        })
    }

    /// Makes room for texels in whole rows.
    #[cfg(feature = "cpu")]
    pub fn resize_to_rows(texels: &mut Vec<[u32; 4]>, len: usize) {
        texels.resize(len.next_multiple_of(TABLE_COLUMNS as usize), [0; 4]);
    }

    /// Uploads whole rows of texels.
    #[cfg(feature = "cpu")]
    pub fn upload(&self, gpu: &Gpu, texels: &[[u32; 4]]) {
        let rows = texels.len() / TABLE_COLUMNS as usize;
        let size = [TABLE_COLUMNS, rows as u32, 1];
        if rows > 0 {
            texture::write(gpu, &self.texture, size, bytemuck::cast_slice(texels));
        }
    }
}
