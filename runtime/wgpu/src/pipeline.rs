//! Pipelines.

use throng_shaders::Shader;

use crate::{Gpu, GpuError, mesh::VERTEX_LAYOUTS};

/// What a pipeline draws into, and how.
#[derive(Debug, Clone)]
pub struct PassTargets {
    /// Colours.
    pub colors: Vec<wgpu::TextureFormat>,
    /// Depth, where there is any.
    pub depth: Option<wgpu::TextureFormat>,
    /// Samples of a texel.
    pub samples: u32,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitives {
    /// Triangles with vertices and instances.
    Triangles,
    /// A point a vertex, with instances.
    Points,
    /// A triangle that covers everything, without buffers.
    Cover,
}

/// A pipeline over explicit layouts, so that bind groups can be shared.
pub(crate) fn render_pipeline(
    gpu: &Gpu,
    shader: &Shader,
    layouts: &[&wgpu::BindGroupLayout],
    primitives: Primitives,
    targets: &PassTargets,
) -> Result<wgpu::RenderPipeline, GpuError> {
    let colors: Vec<_> = targets
        .colors
        .iter()
        .map(|&format| Some(wgpu::ColorTargetState::from(format)))
        .collect();
    let layouts: Vec<_> = layouts.iter().map(|&layout| Some(layout)).collect();
    gpu.checked(|| {
        let module = gpu
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(shader.name),
                source: wgpu::ShaderSource::Wgsl(shader.source.as_str().into()),
            });
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(shader.name),
                bind_group_layouts: &layouts,
                immediate_size: 0,
            });
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(shader.name),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(shader.entry_points[0]),
                    compilation_options: Default::default(),
                    buffers: match primitives {
                        Primitives::Cover => &[],
                        Primitives::Triangles | Primitives::Points => &VERTEX_LAYOUTS,
                    },
                },
                primitive: wgpu::PrimitiveState {
                    topology: match primitives {
                        Primitives::Points => wgpu::PrimitiveTopology::PointList,
                        _ => wgpu::PrimitiveTopology::TriangleList,
                    },
                    // Materials may be double-sided, so nothing is culled.
                    cull_mode: None,
                    ..Default::default()
                },
                depth_stencil: targets.depth.map(|format| wgpu::DepthStencilState {
                    format,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Less),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState {
                    count: targets.samples,
                    // Surfaces that are cut off by alpha get smooth edges.
                    alpha_to_coverage_enabled: targets.samples > 1,
                    ..Default::default()
                },
                fragment: shader
                    .entry_points
                    .get(1)
                    .map(|&entry| wgpu::FragmentState {
                        module: &module,
                        entry_point: Some(entry),
                        compilation_options: Default::default(),
                        targets: &colors,
                    }),
                multiview_mask: None,
                cache: None,
            })
    })
}

/// A pipeline of a compute shader.
pub(crate) fn compute_pipeline(
    gpu: &Gpu,
    shader: &Shader,
    layouts: &[&wgpu::BindGroupLayout],
) -> Result<wgpu::ComputePipeline, GpuError> {
    let layouts: Vec<_> = layouts.iter().map(|&layout| Some(layout)).collect();
    gpu.checked(|| {
        let module = gpu
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(shader.name),
                source: wgpu::ShaderSource::Wgsl(shader.source.as_str().into()),
            });
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(shader.name),
                bind_group_layouts: &layouts,
                immediate_size: 0,
            });
        gpu.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(shader.name),
                layout: Some(&layout),
                module: &module,
                entry_point: Some(shader.entry_points[0]),
                compilation_options: Default::default(),
                cache: None,
            })
    })
}
