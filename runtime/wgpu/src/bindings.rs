//! Bind groups with explicit layouts, which pipelines share.

use throng_format::ClipTiming;
use throng_shaders::{Frame, TexelKind, UNIFORM_RECORDS};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::texture::upload_table;
use crate::{Gpu, GpuError, Instance};

/// A bound resource.
#[derive(Debug, Clone)]
pub(crate) enum Resource {
    Uniform(wgpu::Buffer),
    /// A 2-D texture of integers.
    Table(wgpu::TextureView),
    /// An array texture of a set.
    Texels(wgpu::TextureView, TexelKind),
    /// A storage buffer that a compute pass writes.
    Storage(wgpu::Buffer),
    /// A storage buffer that a compute pass reads.
    StorageRead(wgpu::Buffer),
    /// A 2-D texture of integers that a compute pass writes.
    StorageTexture(wgpu::TextureView),
}

impl Resource {
    /// Creates a constant uniform buffer.
    pub fn uniform(gpu: &Gpu, label: &str, contents: &[u8]) -> Result<Self, GpuError> {
        let buffer = gpu.checked(|| {
            gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some(label),
                contents,
                usage: wgpu::BufferUsages::UNIFORM,
            })
        })?;
        Ok(Self::Uniform(buffer))
    }

    /// Uploads instances as a table, for passes before drawing.
    pub fn instances(
        gpu: &Gpu,
        instances: &[Instance],
        clips: &[ClipTiming],
    ) -> Result<Self, GpuError> {
        let blocks = instances.iter().flat_map(|instance| {
            let block: [[u32; 4]; 6] = bytemuck::cast(instance.to_block(clips));
            block
        });
        let blocks: Vec<_> = blocks.collect();
        Ok(Self::Table(upload_table(gpu, "instances", &blocks)?))
    }

    /// Uploads table records: as a uniform block if they fit, else as a texture.
    pub fn tables(gpu: &Gpu, records: &[[u32; 4]]) -> Result<Self, GpuError> {
        if records.len() > UNIFORM_RECORDS {
            return Ok(Self::Table(upload_table(gpu, "tables", records)?));
        }
        let mut block = records.to_vec();
        block.resize(UNIFORM_RECORDS, [0; 4]);
        Self::uniform(gpu, "tables", bytemuck::cast_slice(&block))
    }

    fn ty(&self) -> wgpu::BindingType {
        let texture = |sample_type, view_dimension| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled: false,
        };
        match self {
            Self::Uniform(_) => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Self::Storage(_) => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Self::StorageRead(_) => wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            Self::StorageTexture(_) => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: wgpu::TextureFormat::Rgba32Uint,
                view_dimension: wgpu::TextureViewDimension::D2,
            },
            Self::Table(_) => texture(
                wgpu::TextureSampleType::Uint,
                wgpu::TextureViewDimension::D2,
            ),
            Self::Texels(_, TexelKind::Uint | TexelKind::Pairs) => texture(
                wgpu::TextureSampleType::Uint,
                wgpu::TextureViewDimension::D2Array,
            ),
            Self::Texels(_, TexelKind::Float | TexelKind::Bytes) => texture(
                wgpu::TextureSampleType::Float { filterable: false },
                wgpu::TextureViewDimension::D2Array,
            ),
        }
    }

    fn binding(&self) -> wgpu::BindingResource<'_> {
        match self {
            Self::Uniform(buffer) | Self::Storage(buffer) | Self::StorageRead(buffer) => {
                buffer.as_entire_binding()
            }
            Self::Table(view) | Self::Texels(view, _) | Self::StorageTexture(view) => {
                wgpu::BindingResource::TextureView(view)
            }
        }
    }
}

/// A bind group and its layout.
#[derive(Debug, Clone)]
pub(crate) struct Bindings {
    pub layout: wgpu::BindGroupLayout,
    pub group: wgpu::BindGroup,
}

impl Bindings {
    /// Makes a bind group for render passes.
    pub fn new(gpu: &Gpu, label: &str, resources: &[(u32, Resource)]) -> Result<Self, GpuError> {
        Self::visible(gpu, label, resources, wgpu::ShaderStages::VERTEX_FRAGMENT)
    }

    /// Makes a bind group for compute passes.
    pub fn for_compute(
        gpu: &Gpu,
        label: &str,
        resources: &[(u32, Resource)],
    ) -> Result<Self, GpuError> {
        Self::visible(gpu, label, resources, wgpu::ShaderStages::COMPUTE)
    }

    fn visible(
        gpu: &Gpu,
        label: &str,
        resources: &[(u32, Resource)],
        visibility: wgpu::ShaderStages,
    ) -> Result<Self, GpuError> {
        let layouts: Vec<_> = resources
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupLayoutEntry {
                binding: *binding,
                visibility,
                ty: resource.ty(),
                count: None,
            })
            .collect();
        let entries: Vec<_> = resources
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: resource.binding(),
            })
            .collect();
        gpu.checked(|| {
            let layout = gpu
                .device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                    label: Some(label),
                    entries: &layouts,
                });
            let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &layout,
                entries: &entries,
            });
            Self { layout, group }
        })
    }
}

/// Uniform block that is written each frame; bind group 0 of every shader that draws.
#[derive(Debug)]
pub struct FrameUniform {
    buffer: wgpu::Buffer,
    pub(crate) bindings: Bindings,
}

impl FrameUniform {
    /// Creates the block; [`Self::write`] must precede the first draw call.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let buffer = gpu.checked(|| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame"),
                size: size_of::<Frame>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        // Every pass reads it. Devices without compute passes accept the stage.
        let stages = wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE;
        let block = [(0, Resource::Uniform(buffer.clone()))];
        let bindings = Bindings::visible(gpu, "frame", &block, stages)?;
        Ok(Self { buffer, bindings })
    }

    /// Writes the block; it takes effect with the next submission.
    pub fn write(&self, gpu: &Gpu, frame: &Frame) {
        gpu.queue
            .write_buffer(&self.buffer, 0, bytemuck::bytes_of(frame));
    }
}
