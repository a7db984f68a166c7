//! Solids of the street on the device: one mesh per shape, drawn with instances.

use std::f32::consts::{PI, TAU};

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use throng_examples::steering::street::{Shape, Solid};
use throng_examples::{depth_state, multisample};
use throng_wgpu::wgpu;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Segments of a circle.
const SEGMENTS: usize = 28;

/// A vertex: position in the box of sides 2, and normal.
type Vertex = [[f32; 3]; 2];

/// An instance.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    center: [f32; 3],
    half: [f32; 3],
    color: [f32; 3],
    surface: u32,
}

/// Triangles of one shape, and the solids of that shape.
struct Batch {
    vertices: wgpu::Buffer,
    vertex_count: u32,
    records: wgpu::Buffer,
    record_count: u32,
}

/// All solids.
pub struct Solids {
    batches: Vec<Batch>,
    lit: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
}

impl Solids {
    /// Uploads solids. `layouts` are the bind groups of the shaders.
    pub fn new(
        device: &wgpu::Device,
        layouts: &[Option<&wgpu::BindGroupLayout>],
        format: wgpu::TextureFormat,
        solids: &[Solid],
    ) -> Self {
        let source = concat!(include_str!("light.wgsl"), include_str!("solids.wgsl"));
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("solids"),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let targets = [Some(format.into())];
        let fragment = wgpu::FragmentState {
            module: &module,
            entry_point: Some("solid_fragment"),
            compilation_options: Default::default(),
            targets: &targets,
        };
        let shapes = [Shape::Box, Shape::Cylinder, Shape::Ball];
        let batches = shapes.map(|shape| Batch::new(device, shape, solids));
        Self {
            batches: batches.into_iter().collect(),
            lit: pipeline(device, layouts, (&module, "solid_vertex"), Some(fragment)),
            shadow: pipeline(device, &layouts[..3], (&module, "solid_shadow"), None),
        }
    }

    /// Draws with light. The caller has set the bind groups.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, &self.lit);
    }

    /// Draws depth for the sun.
    pub fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, &self.shadow);
    }

    fn draw_with(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        pass.set_pipeline(pipeline);
        for batch in &self.batches {
            pass.set_vertex_buffer(0, batch.vertices.slice(..));
            pass.set_vertex_buffer(1, batch.records.slice(..));
            pass.draw(0..batch.vertex_count, 0..batch.record_count);
        }
    }
}

impl Batch {
    fn new(device: &wgpu::Device, shape: Shape, solids: &[Solid]) -> Self {
        let vertices = match shape {
            Shape::Box => unit_box(),
            Shape::Cylinder => unit_cylinder(),
            Shape::Ball => unit_ball(),
        };
        let records: Vec<Record> = solids
            .iter()
            .filter(|solid| solid.shape == shape)
            .map(|solid| Record {
                center: solid.center.into(),
                half: solid.half.into(),
                color: solid.color,
                surface: solid.surface as u32,
            })
            .collect();
        let buffer = |contents: &[u8]| {
            device.create_buffer_init(&BufferInitDescriptor {
                label: Some("solids"),
                contents,
                usage: wgpu::BufferUsages::VERTEX,
            })
        };
        Self {
            vertices: buffer(bytemuck::cast_slice(&vertices)),
            vertex_count: vertices.len() as u32,
            records: buffer(bytemuck::cast_slice(&records)),
            record_count: records.len() as u32,
        }
    }
}

/// A pipeline of solids; without a fragment shader, for the shadow map.
fn pipeline(
    device: &wgpu::Device,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    (module, entry_point): (&wgpu::ShaderModule, &str),
    fragment: Option<wgpu::FragmentState<'_>>,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("solids"),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    let vertex = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
    let record =
        wgpu::vertex_attr_array![2 => Float32x3, 3 => Float32x3, 4 => Float32x3, 5 => Uint32];
    let depth = depth_state(wgpu::CompareFunction::Less);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("solids"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(entry_point),
            compilation_options: Default::default(),
            buffers: &[
                Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &vertex,
                }),
                Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Record>() as u64,
                    step_mode: wgpu::VertexStepMode::Instance,
                    attributes: &record,
                }),
            ],
        },
        primitive: wgpu::PrimitiveState {
            cull_mode: Some(wgpu::Face::Back),
            ..Default::default()
        },
        multisample: match fragment {
            Some(_) => multisample(),
            None => Default::default(),
        },
        depth_stencil: Some(match fragment {
            Some(_) => depth,
            None => shadow_depth(),
        }),
        fragment,
        multiview_mask: None,
        cache: None,
    })
}

/// Depth test of the shadow map, with a bias against shadows of a surface on itself.
pub fn shadow_depth() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        bias: wgpu::DepthBiasState {
            constant: 2,
            slope_scale: 2.0,
            clamp: 0.0,
        },
        ..depth_state(wgpu::CompareFunction::Less)
    }
}

/// Two triangles of four corners in order around them, counter-clockwise as seen from outside.
fn quad(out: &mut Vec<Vertex>, corners: [Vec3; 4], normals: [Vec3; 4]) {
    let vertex = |k: usize| [corners[k].to_array(), normals[k].to_array()];
    out.extend([0, 1, 2, 0, 2, 3].map(vertex));
}

fn unit_box() -> Vec<Vertex> {
    let mut out = Vec::new();
    for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
        let u = Vec3::new(normal.y.abs(), normal.z.abs(), normal.x.abs());
        let v = normal.cross(u);
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        quad(
            &mut out,
            corners.map(|[a, b]| normal + a * u + b * v),
            [normal; 4],
        );
    }
    out
}

fn unit_cylinder() -> Vec<Vertex> {
    let mut out = Vec::new();
    let around = |k: usize| {
        let angle = TAU * k as f32 / SEGMENTS as f32;
        Vec3::new(angle.sin(), 0.0, angle.cos())
    };
    for k in 0..SEGMENTS {
        let [a, b] = [around(k), around(k + 1)];
        quad(
            &mut out,
            [a - Vec3::Y, b - Vec3::Y, b + Vec3::Y, a + Vec3::Y],
            [a, b, b, a],
        );
        let top = [Vec3::Y, a + Vec3::Y, b + Vec3::Y];
        out.extend(top.map(|at| [at.to_array(), Vec3::Y.to_array()]));
    }
    out
}

fn unit_ball() -> Vec<Vertex> {
    let mut out = Vec::new();
    let rings = SEGMENTS / 2;
    let at = |ring: usize, k: usize| {
        let (down, around) = (
            PI * ring as f32 / rings as f32,
            TAU * k as f32 / SEGMENTS as f32,
        );
        Vec3::new(
            down.sin() * around.sin(),
            down.cos(),
            down.sin() * around.cos(),
        )
    };
    for ring in 0..rings {
        for k in 0..SEGMENTS {
            let corners = [
                at(ring + 1, k),
                at(ring + 1, k + 1),
                at(ring, k + 1),
                at(ring, k),
            ];
            quad(&mut out, corners, corners);
        }
    }
    out
}
