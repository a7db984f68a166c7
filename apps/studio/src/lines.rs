//! Lines in world space: skeletons, bounding boxes, normals.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use throng_wgpu::wgpu;

use crate::Scene;
use crate::shader::LINES;
use crate::target::{DEPTH, LIT_FORMATS};

/// End of a line.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct LineVertex {
    /// Position in world space.
    pub position: [f32; 3],
    /// sRGB colour with alpha, premultiplied.
    pub color: [u8; 4],
}

/// Visibility of lines behind surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineDepth {
    /// Hidden behind surfaces.
    Tested,
    /// Drawn on top of everything.
    OnTop,
}

/// Lines of one pixel's width.
#[derive(Debug)]
pub struct Lines {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    vertices: wgpu::Buffer,
    /// Number of vertices that are drawn.
    count: u32,
}

impl LineVertex {
    /// The two ends of a line of one colour.
    pub fn line(ends: [Vec3; 2], color: [u8; 4]) -> [Self; 2] {
        ends.map(|end| Self {
            position: end.to_array(),
            color,
        })
    }
}

impl Scene {
    /// Makes lines for this scene; there are none until [`Lines::write`].
    pub fn lines(&self, depth: LineDepth) -> Lines {
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("lines"),
            source: wgpu::ShaderSource::Wgsl(LINES.into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("lines"),
            bind_group_layouts: &[Some(&self.camera_layout)],
            immediate_size: 0,
        });
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];
        let target = wgpu::ColorTargetState {
            format: LIT_FORMATS.color,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("lines"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("line_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<LineVertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &attributes,
                })],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::LineList,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(false),
                depth_compare: Some(match depth {
                    LineDepth::Tested => wgpu::CompareFunction::LessEqual,
                    LineDepth::OnTop => wgpu::CompareFunction::Always,
                }),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: LIT_FORMATS.samples,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("line_fragment"),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        });
        Lines {
            device: device.clone(),
            queue: self.queue.clone(),
            pipeline,
            vertices: vertex_buffer(device, 2),
            count: 0,
        }
    }
}

impl Lines {
    /// Replaces all lines: two vertices each. They show from the next submission on.
    pub fn write(&mut self, vertices: &[LineVertex]) {
        let bytes: &[u8] = bytemuck::cast_slice(vertices);
        if bytes.len() as u64 > self.vertices.size() {
            self.vertices = vertex_buffer(&self.device, vertices.len().next_power_of_two());
        }
        self.queue.write_buffer(&self.vertices, 0, bytes);
        self.count = vertices.len() as u32;
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.count > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, self.vertices.slice(..));
            pass.draw(0..self.count, 0..1);
        }
    }
}

fn vertex_buffer(device: &wgpu::Device, vertices: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("lines"),
        size: (vertices * size_of::<LineVertex>()) as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
