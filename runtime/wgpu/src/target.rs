//! Textures of words that passes fill: palettes, and vertices.

use throng_shaders::TABLE_COLUMNS;

use crate::{Gpu, GpuError, texture};

/// A texture whose texels are counted through rows of [`TABLE_COLUMNS`], instance by instance.
#[derive(Debug)]
pub(crate) struct WordTarget {
    pub texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    pub height: u32,
}

impl WordTarget {
    /// Rows that so many texels of each instance take.
    pub fn rows(texels: u32, instances: usize) -> u64 {
        let texels = u64::from(texels) * instances as u64;
        texels.div_ceil(u64::from(TABLE_COLUMNS)).max(1)
    }

    /// Room for so many texels of each instance.
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
        let texture = gpu.checked(|| {
            texture::create(
                gpu,
                what,
                [TABLE_COLUMNS, rows, 1],
                wgpu::TextureFormat::Rgba32Uint,
                wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::COPY_SRC
                    | storage,
            )
        })?;
        Ok(Self {
            view: texture.create_view(&Default::default()),
            texture,
            height: rows,
        })
    }

    /// For a pass that writes every texel it keeps.
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

    /// The texels, read back. Blocks, so it is not for browsers.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<[u32; 4]>, GpuError> {
        let bytes = crate::read_back::texture(gpu, &self.texture)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}
