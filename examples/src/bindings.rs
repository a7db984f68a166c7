//! Bind groups of the examples.

use throng_wgpu::wgpu;

/// A bind group and its layout.
#[derive(Debug)]
pub struct Group {
    /// The layout.
    pub layout: wgpu::BindGroupLayout,
    /// The group.
    pub group: wgpu::BindGroup,
}

impl Group {
    /// Makes a group of resources, bound from 0 on, for vertex and fragment shaders.
    pub fn new(
        device: &wgpu::Device,
        resources: &[(wgpu::BindingType, wgpu::BindingResource<'_>)],
    ) -> Self {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, (ty, _))| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: *ty,
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, (_, resource))| wgpu::BindGroupEntry {
                binding,
                resource: resource.clone(),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        Self { layout, group }
    }

    /// A group of one uniform block.
    pub fn uniform(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Self {
        let uniform = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        Self::new(device, &[(uniform, buffer.as_entire_binding())])
    }

    /// A group of a shadow map and the sampler that compares depths with it.
    pub fn shadow(device: &wgpu::Device, map: &wgpu::TextureView) -> Self {
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let comparison = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
        Self::new(
            device,
            &[
                (texture, wgpu::BindingResource::TextureView(map)),
                (comparison, wgpu::BindingResource::Sampler(&sampler)),
            ],
        )
    }
}
