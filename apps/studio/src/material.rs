//! Materials on the device: base colour, base-colour texture, alpha cutoff.

use throng_rig::{AlphaMode, Character, Material, Wrap};
use throng_wgpu::wgpu;
use wgpu::util::{BufferInitDescriptor, DeviceExt, TextureDataOrder};

use crate::StudioError;
use crate::image::{MipLevel, decode};
use crate::shader::MaterialBlock;

/// Largest side of a texture; every device supports it.
const MAX_SIDE: u32 = 2048;

/// Alpha cutoff of blended materials: crowds are not sorted, so blending is replaced by alpha testing.
const BLEND_CUTOFF: f32 = 0.5;

/// One bind group per material, and one for parts without a material.
#[derive(Debug)]
pub(crate) struct Materials {
    groups: Vec<wgpu::BindGroup>,
    plain: wgpu::BindGroup,
}

/// Makes the layout of bind group 2 of shaders that draw.
pub(crate) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let entries = [
        entry(
            0,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
        ),
        entry(
            1,
            wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
        ),
        entry(
            2,
            wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        ),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("material"),
        entries: &entries,
    })
}

impl Materials {
    /// Decodes and uploads all materials of a character.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layout: &wgpu::BindGroupLayout,
        character: &Character,
    ) -> Result<Self, StudioError> {
        let white = upload(device, queue, MipLevel::white());
        // An image that several materials share is decoded once.
        let mut images: Vec<Option<wgpu::TextureView>> = vec![None; character.images().len()];
        let mut groups = Vec::new();
        for material in character.materials() {
            let view = match material.texture {
                Some(texture) => match &images[texture.image] {
                    Some(view) => view.clone(),
                    None => {
                        let view =
                            upload(device, queue, decode(&character.images()[texture.image])?);
                        images[texture.image].insert(view).clone()
                    }
                },
                None => white.clone(),
            };
            groups.push(group(device, layout, material, &view));
        }
        let plain = group(device, layout, &Material::default(), &white);
        Ok(Self { groups, plain })
    }

    /// Materials of a mesh that has none.
    pub fn plain(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let white = upload(device, queue, MipLevel::white());
        Self {
            groups: Vec::new(),
            plain: group(device, layout, &Material::default(), &white),
        }
    }

    /// Returns the bind group for a part's material.
    pub fn group(&self, material: Option<usize>) -> &wgpu::BindGroup {
        material.map_or(&self.plain, |index| &self.groups[index])
    }
}

fn upload(device: &wgpu::Device, queue: &wgpu::Queue, image: MipLevel) -> wgpu::TextureView {
    let levels = image.mip_chain(MAX_SIDE);
    let bytes: Vec<u8> = levels
        .iter()
        .flat_map(|level| &level.rgba)
        .copied()
        .collect();
    let texture = device.create_texture_with_data(
        queue,
        &wgpu::TextureDescriptor {
            label: Some("base colours"),
            size: wgpu::Extent3d {
                width: levels[0].width,
                height: levels[0].height,
                depth_or_array_layers: 1,
            },
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8UnormSrgb,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        TextureDataOrder::LayerMajor,
        &bytes,
    );
    texture.create_view(&Default::default())
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    material: &Material,
    view: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let block = MaterialBlock {
        base_color: material.base_color,
        alpha_cutoff: match material.alpha {
            AlphaMode::Opaque => 0.0,
            AlphaMode::Mask { cutoff } => cutoff,
            AlphaMode::Blend => BLEND_CUTOFF,
        },
        padding: [0; 3],
    };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let texture = material.texture;
    let buffer = device.create_buffer_init(&BufferInitDescriptor {
        label: Some("material"),
        contents: bytemuck::bytes_of(&block),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("base colours"),
        address_mode_u: texture.map_or(wgpu::AddressMode::Repeat, |t| wrap(t.wrap_u)),
        address_mode_v: texture.map_or(wgpu::AddressMode::Repeat, |t| wrap(t.wrap_v)),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("material"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: wgpu::BindingResource::TextureView(view),
            },
            wgpu::BindGroupEntry {
                binding: 2,
                resource: wgpu::BindingResource::Sampler(&sampler),
            },
        ],
    })
}
