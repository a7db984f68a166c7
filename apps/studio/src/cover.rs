//! Full-screen passes: the backdrop and blurs.

use throng_wgpu::wgpu;

use crate::shader::CoverShader;
use crate::target::{DEPTH, PassFormats};

/// Makes a pipeline that covers the target with one triangle and neither tests nor writes depth.
pub(crate) fn cover_pipeline(
    device: &wgpu::Device,
    shader: &CoverShader,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    targets: &PassFormats,
) -> wgpu::RenderPipeline {
    let colors = [Some(targets.color.into())];
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(shader.label),
        source: wgpu::ShaderSource::Wgsl(shader.source.as_str().into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.label),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(shader.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(shader.entries[0]),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: targets.has_depth.then(|| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(false),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState {
            count: targets.samples,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(shader.entries[1]),
            compilation_options: Default::default(),
            targets: &colors,
        }),
        multiview_mask: None,
        cache: None,
    })
}
