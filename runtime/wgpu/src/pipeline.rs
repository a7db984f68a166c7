//! Render and compute pipelines.

use throng_shaders::Shader;

use crate::{Gpu, GpuError, mesh::VERTEX_LAYOUTS};

/// Formats and samples of a render pass.
#[derive(Debug, Clone)]
pub struct PassTargets {
    /// Formats of the colour attachments.
    pub colors: Vec<wgpu::TextureFormat>,
    /// Format of the depth attachment, if any.
    pub depth: Option<wgpu::TextureFormat>,
    /// Samples per pixel.
    pub samples: u32,
}

/// Primitives and vertex buffers of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitives {
    /// Triangles, with vertex and instance buffers.
    Triangles,
    /// One point per vertex, with vertex and instance buffers.
    Points,
    /// A triangle that covers the target, without buffers.
    Cover,
}

/// Makes a render pipeline with explicit layouts, so that pipelines share bind groups.
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
                    // Alpha-tested materials get smooth edges.
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

/// Makes a compute pipeline with explicit layouts.
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
