//! Pipelines of passes before drawing.

use throng_shaders::{Deform, Pass, Shader, deform_shader};

use crate::Gpu;
use crate::bindings::Layout;
use crate::features::ShaderFeatures;
use crate::mesh::MeshBuffers;
use crate::vertex_layouts::{TANGENT_LAYOUT, vertex_layouts};

/// Vertex buffers and primitives of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitives {
    /// One point per vertex, with vertex and instance buffers.
    Points {
        /// Technique, which decides the attributes.
        deform: Deform,
        /// True if the shader reads tangents.
        has_tangents: bool,
    },
    /// A triangle that covers the target, without buffers.
    Cover,
}

/// Makes a shader module and a pipeline layout with one group.
fn parts_of(
    gpu: &Gpu,
    shader: &Shader,
    layout: &Layout,
) -> (wgpu::ShaderModule, wgpu::PipelineLayout) {
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
            bind_group_layouts: &[Some(&layout.layout)],
            immediate_size: 0,
        });
    (module, layout)
}

/// Makes the pipeline of a pass into `Rgba32Uint` targets. The group of the shader is 0.
pub(crate) fn word_pipeline(
    gpu: &Gpu,
    shader: Shader,
    layout: &Layout,
    primitives: Primitives,
    targets: usize,
) -> wgpu::RenderPipeline {
    let shader = shader.with_group(0);
    let (module, layout) = parts_of(gpu, &shader, layout);
    let colors = vec![Some(wgpu::TextureFormat::Rgba32Uint.into()); targets];
    let mut buffers = Vec::new();
    if let Primitives::Points {
        deform,
        has_tangents,
    } = primitives
    {
        buffers.extend(vertex_layouts(deform));
        buffers.extend(has_tangents.then_some(Some(TANGENT_LAYOUT)));
    }
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(shader.name),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(shader.entry_points[0]),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: match primitives {
                    Primitives::Points { .. } => wgpu::PrimitiveTopology::PointList,
                    Primitives::Cover => wgpu::PrimitiveTopology::TriangleList,
                },
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(shader.entry_points[1]),
                compilation_options: Default::default(),
                targets: &colors,
            }),
            multiview_mask: None,
            cache: None,
        })
}

/// Makes the compute pipeline of a shader with one entry point. The group of the shader is 0.
pub(crate) fn compute_pipeline(
    gpu: &Gpu,
    shader: Shader,
    layout: &Layout,
) -> wgpu::ComputePipeline {
    let mut pipelines = compute_pipelines(gpu, shader, layout);
    pipelines.swap_remove(0)
}

/// Makes a compute pipeline per entry point. The group of the shader is 0.
pub(crate) fn compute_pipelines(
    gpu: &Gpu,
    shader: Shader,
    layout: &Layout,
) -> Vec<wgpu::ComputePipeline> {
    let shader = shader.with_group(0);
    let (module, layout) = parts_of(gpu, &shader, layout);
    let pipelines = shader.entry_points.iter().map(|entry| {
        gpu.device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&layout),
                module: &module,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                cache: None,
            })
    });
    pipelines.collect()
}

/// Compiles the pass that draws each vertex as a point onto its own texel.
pub(crate) fn capture_pipelines(
    gpu: &Gpu,
    mesh: &MeshBuffers,
    features: &ShaderFeatures,
    deforms: &[Deform],
    layout: &Layout,
) -> Vec<wgpu::RenderPipeline> {
    let has_tangents = mesh.tangents.is_some();
    let pipelines = deforms.iter().map(|&deform| {
        let mut shader = features.reduce(deform_shader(deform, Pass::Capture));
        if has_tangents {
            shader = shader.with_tangents();
        }
        let primitives = Primitives::Points {
            deform,
            has_tangents,
        };
        word_pipeline(gpu, shader, layout, primitives, 2)
    });
    pipelines.collect()
}
