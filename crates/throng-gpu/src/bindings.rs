//! What shaders see: bind groups with layouts of their own, so that pipelines can share them.

use throng_shaders::{Frame, TexelKind};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::{Gpu, GpuError};

/// Something that is bound.
#[derive(Debug, Clone)]
pub(crate) enum Resource {
    Uniform(wgpu::Buffer),
    /// A plain texture of words.
    Table(wgpu::TextureView),
    /// An array texture.
    Texels(wgpu::TextureView, TexelKind),
}

impl Resource {
    /// A block that stays as it is.
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
            Self::Table(_) => texture(
                wgpu::TextureSampleType::Uint,
                wgpu::TextureViewDimension::D2,
            ),
            Self::Texels(_, TexelKind::Uint) => texture(
                wgpu::TextureSampleType::Uint,
                wgpu::TextureViewDimension::D2Array,
            ),
            Self::Texels(_, TexelKind::Float) => texture(
                wgpu::TextureSampleType::Float { filterable: false },
                wgpu::TextureViewDimension::D2Array,
            ),
        }
    }

    fn binding(&self) -> wgpu::BindingResource<'_> {
        match self {
            Self::Uniform(buffer) => buffer.as_entire_binding(),
            Self::Table(view) | Self::Texels(view, _) => wgpu::BindingResource::TextureView(view),
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
    pub fn new(gpu: &Gpu, label: &str, resources: &[(u32, Resource)]) -> Result<Self, GpuError> {
        let layouts: Vec<_> = resources
            .iter()
            .map(|(binding, resource)| wgpu::BindGroupLayoutEntry {
                binding: *binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
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

/// The one block that is written each frame; group 0 of every shader that draws.
#[derive(Debug)]
pub struct FrameUniform {
    buffer: wgpu::Buffer,
    pub(crate) bindings: Bindings,
}

impl FrameUniform {
    /// Not written yet.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let buffer = gpu.checked(|| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame"),
                size: size_of::<Frame>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        let bindings = Bindings::new(gpu, "frame", &[(0, Resource::Uniform(buffer.clone()))])?;
        Ok(Self { buffer, bindings })
    }

    /// Takes effect with the next submission.
    pub fn write(&self, gpu: &Gpu, frame: &Frame) {
        gpu.queue
            .write_buffer(&self.buffer, 0, bytemuck::bytes_of(frame));
    }
}
