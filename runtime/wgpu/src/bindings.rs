//! Bind groups with explicit layouts, which pipelines share.

use throng_shaders::{TexelKind, UNIFORM_RECORDS};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::texture::upload_table;
use crate::{Gpu, GpuError};

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

/// Type of a [`Resource`], for layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    Uniform,
    Table,
    Texels(TexelKind),
    Storage,
    StorageRead,
    StorageTexture,
}

impl Resource {
    /// Creates a constant uniform buffer.
    pub fn uniform(gpu: &Gpu, label: &str, contents: &[u8]) -> Self {
        Self::Uniform(gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some(label),
            contents,
            usage: wgpu::BufferUsages::UNIFORM,
        }))
    }

    /// Uploads table records: as a uniform block if they fit, else as a texture.
    pub fn tables(gpu: &Gpu, records: &[[u32; 4]]) -> Result<Self, GpuError> {
        if records.len() > UNIFORM_RECORDS {
            return Ok(Self::Table(upload_table(gpu, "tables", records)?));
        }
        let mut block = records.to_vec();
        block.resize(UNIFORM_RECORDS, [0; 4]);
        Ok(Self::uniform(gpu, "tables", bytemuck::cast_slice(&block)))
    }

    pub fn kind(&self) -> ResourceKind {
        match self {
            Self::Uniform(_) => ResourceKind::Uniform,
            Self::Table(_) => ResourceKind::Table,
            Self::Texels(_, texels) => ResourceKind::Texels(*texels),
            Self::Storage(_) => ResourceKind::Storage,
            Self::StorageRead(_) => ResourceKind::StorageRead,
            Self::StorageTexture(_) => ResourceKind::StorageTexture,
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

impl ResourceKind {
    fn ty(self) -> wgpu::BindingType {
        let texture = |sample_type, view_dimension| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled: false,
        };
        let buffer = |ty| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let array = wgpu::TextureViewDimension::D2Array;
        match self {
            Self::Uniform => buffer(wgpu::BufferBindingType::Uniform),
            Self::Storage => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
            Self::StorageRead => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
            Self::StorageTexture => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: wgpu::TextureFormat::Rgba32Uint,
                view_dimension: wgpu::TextureViewDimension::D2,
            },
            Self::Table => texture(
                wgpu::TextureSampleType::Uint,
                wgpu::TextureViewDimension::D2,
            ),
            Self::Texels(TexelKind::Uint | TexelKind::Pairs) => {
                texture(wgpu::TextureSampleType::Uint, array)
            }
            Self::Texels(TexelKind::Float | TexelKind::Bytes) => {
                texture(wgpu::TextureSampleType::Float { filterable: false }, array)
            }
        }
    }
}

/// Binding numbers and kinds of resources.
pub(crate) type Kinds = Vec<(u32, ResourceKind)>;

/// Returns the kinds of resources.
pub(crate) fn kinds_of(resources: &[(u32, Resource)]) -> Kinds {
    let kinds = resources.iter();
    kinds
        .map(|(binding, resource)| (*binding, resource.kind()))
        .collect()
}

/// A layout of a bind group, and the bindings that it has.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub layout: wgpu::BindGroupLayout,
    kinds: Kinds,
    label: &'static str,
}

impl Layout {
    /// Makes the layout of a group that `stages` read.
    pub fn new(gpu: &Gpu, label: &'static str, kinds: Kinds, stages: wgpu::ShaderStages) -> Self {
        let entries: Vec<_> = kinds
            .iter()
            .map(|&(binding, kind)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: stages,
                ty: kind.ty(),
                count: None,
            })
            .collect();
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries: &entries,
            });
        Self {
            layout,
            kinds,
            label,
        }
    }

    /// Makes a group of those resources that the layout has.
    ///
    /// # Panics
    /// If a resource of the layout is missing.
    pub fn group(&self, gpu: &Gpu, resources: &[(u32, Resource)]) -> wgpu::BindGroup {
        let entries: Vec<_> = self
            .kinds
            .iter()
            .map(|&(binding, kind)| {
                let is_bound =
                    |(at, resource): &&(u32, Resource)| *at == binding && resource.kind() == kind;
                let (_, resource) = resources
                    .iter()
                    .find(is_bound)
                    .unwrap_or_else(|| panic!("'{}' has no resource {binding}", self.label));
                wgpu::BindGroupEntry {
                    binding,
                    resource: resource.binding(),
                }
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.label),
            layout: &self.layout,
            entries: &entries,
        })
    }
}
