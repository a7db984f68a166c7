//! A 1280 × 720 target that all instances fit into.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use glam::{Affine3A, Mat4, Quat, Vec3};
use throng_wgpu::wgpu::util::{BufferInitDescriptor, DeviceExt};
use throng_wgpu::{
    Crowd, CrowdMaterial, CrowdModel, Gpu, Instance, MaterialDescriptor, Play, SetBuffers, Ticks,
    VERTEX_LAYOUTS, wgpu,
};

use crate::float64::Float64;

pub const SIZE: [u32; 2] = [1280, 720];
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Target and camera that all contenders share.
pub struct Stage {
    gpu: Gpu,
    camera: wgpu::Buffer,
    camera_layout: wgpu::BindGroupLayout,
    camera_group: wgpu::BindGroup,
    color: wgpu::Texture,
    depth: wgpu::Texture,
}

/// Draw calls of a contender.
pub enum Drawn {
    Crowd(Box<Crowd>, CrowdMaterial),
    /// The draw calls of a crowd that is prepared once. The float64 reference does the CPU's work of each frame.
    Float64(Box<Crowd>, CrowdMaterial, Box<Float64>),
    Bare(BareDraw),
}

/// The smallest draw of a static mesh at every instance's transform, without Throng.
pub struct BareDraw {
    pipeline: wgpu::RenderPipeline,
    vertices: [wgpu::Buffer; 3],
    indices: wgpu::Buffer,
    counts: [u32; 2],
}

/// Time of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameTime {
    /// Seconds until the device was done.
    pub whole: Duration,
    /// CPU seconds of the calling thread until submission.
    pub calling_thread: Duration,
    /// Seconds of preparing the frame: on the CPU, posing and uploading.
    pub preparing: Duration,
}

impl Stage {
    pub fn new(gpu: &Gpu) -> Self {
        let texture = |format, usage| {
            gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d {
                    width: SIZE[0],
                    height: SIZE[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let camera = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size_of::<Mat4>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let uniform = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let camera_layout =
            gpu.device()
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                    label: None,
                    entries: &[uniform],
                });
        let camera_group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &camera_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: camera.as_entire_binding(),
            }],
        });
        Self {
            camera,
            camera_layout,
            camera_group,
            color: texture(COLOR, attachment | wgpu::TextureUsages::COPY_SRC),
            depth: texture(DEPTH, attachment),
            gpu: gpu.clone(),
        }
    }

    /// Material of the benchmark: one light, no textures.
    pub fn plain(&self, model: &CrowdModel) -> CrowdMaterial {
        let material = MaterialDescriptor {
            wgsl: include_str!("plain.wgsl"),
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&self.camera_layout)],
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(depth_state()),
            ..Default::default()
        };
        model.material(&material).unwrap()
    }

    /// The smallest shader that draws a static mesh at every instance's transform.
    pub fn bare(&self, mesh: &SetBuffers, instances: &[Instance]) -> BareDraw {
        let device = self.gpu.device();
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents,
                usage,
            })
        };
        let blocks: Vec<_> = instances.iter().map(|one| one.to_block(&[])).collect();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("bare"),
            source: wgpu::ShaderSource::Wgsl(include_str!("bare.wgsl").into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&self.camera_layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("bare"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("bare_vertex"),
                compilation_options: Default::default(),
                buffers: &VERTEX_LAYOUTS,
            },
            primitive: Default::default(),
            depth_stencil: Some(depth_state()),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("bare_fragment"),
                compilation_options: Default::default(),
                targets: &[Some(COLOR.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let vertex = wgpu::BufferUsages::VERTEX;
        BareDraw {
            pipeline,
            vertices: [
                buffer(&mesh.vertices, vertex),
                buffer(&mesh.attributes, vertex),
                buffer(bytemuck::cast_slice(&blocks), vertex),
            ],
            indices: buffer(
                bytemuck::cast_slice(&mesh.indices),
                wgpu::BufferUsages::INDEX,
            ),
            counts: [mesh.indices.len() as u32, instances.len() as u32],
        }
    }

    /// Draws a frame and waits for it.
    pub fn draw(&self, drawn: &mut Drawn, now: Ticks, spread: f32) -> FrameTime {
        let (start, thread) = (Instant::now(), ThreadTime::now());
        let camera = view(spread).to_cols_array();
        let queue = self.gpu.queue();
        queue.write_buffer(&self.camera, 0, bytemuck::cast_slice(&camera));
        let mut encoder = self
            .gpu
            .device()
            .create_command_encoder(&Default::default());
        let prepare = Instant::now();
        match drawn {
            Drawn::Crowd(crowd, _) => crowd.prepare(&mut encoder, now).unwrap(),
            Drawn::Float64(crowd, _, work) => work.frame(crowd.instances(), now),
            Drawn::Bare(_) => {}
        }
        let preparing = prepare.elapsed();
        let [color, depth] = [&self.color, &self.depth].map(|t| t.create_view(&Default::default()));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.camera_group, &[]);
        match drawn {
            Drawn::Crowd(crowd, material) | Drawn::Float64(crowd, material, _) => {
                crowd.draw(&mut pass, material);
            }
            Drawn::Bare(bare) => {
                pass.set_pipeline(&bare.pipeline);
                for (slot, buffer) in (0..).zip(&bare.vertices) {
                    pass.set_vertex_buffer(slot, buffer.slice(..));
                }
                pass.set_index_buffer(bare.indices.slice(..), wgpu::IndexFormat::Uint32);
                let [indices, instances] = bare.counts;
                pass.draw_indexed(0..indices, 0, 0..instances);
            }
        }
        drop(pass);
        self.gpu.queue().submit([encoder.finish()]);
        let calling_thread = thread.elapsed();
        self.gpu
            .device()
            .poll(wgpu::PollType::wait_indefinitely())
            .unwrap();
        FrameTime {
            whole: start.elapsed(),
            calling_thread,
            preparing,
        }
    }

    /// A crowd that is prepared once, here.
    pub fn float64(&self, model: &CrowdModel, mut crowd: Crowd, work: Float64) -> Drawn {
        let device = self.gpu.device();
        let mut encoder = device.create_command_encoder(&Default::default());
        crowd.prepare(&mut encoder, Ticks(0)).unwrap();
        self.gpu.queue().submit([encoder.finish()]);
        Drawn::Float64(Box::new(crowd), self.plain(model), Box::new(work))
    }

    /// Number of pixels that are not background, after a frame.
    pub fn covered(&self) -> usize {
        let bytes = self.gpu.read_texture(&self.color).unwrap();
        bytes
            .chunks_exact(4)
            .filter(|texel| texel[..3] != [0; 3])
            .count()
    }
}

fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Less),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

/// Camera that sees a grid of `spread` metres from the front.
fn view(spread: f32) -> Mat4 {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let half = 0.5 * spread;
    let depth = 200.0;
    let scale = Vec3::new(1.0 / (half * aspect), 1.0 / half, -1.0 / depth);
    Mat4::from_scale_rotation_translation(scale, Quat::IDENTITY, Vec3::new(0.0, 0.0, 0.5))
}

/// Places instances on a grid in the picture plane, each with its own time; also returns the height of the grid.
pub fn grid_of_instances(count: usize, clips: u32, size: f32) -> (Vec<Instance>, f32) {
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let wide = 0.6;
    let rows = ((count as f32 * wide / aspect).sqrt().ceil() as usize).max(1);
    let columns = count.div_ceil(rows);
    let instances = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        let place = Vec3::new(
            (column as f32 + 0.5 - columns as f32 / 2.0) * wide,
            row as f32 - rows as f32 / 2.0,
            0.0,
        ) * size;
        Instance {
            world_from_model: Affine3A::from_rotation_translation(
                Quat::from_rotation_y(index as f32),
                place,
            ),
            play: Play::Running {
                clip: index as u32 % clips.max(1),
                start: Ticks((index as u32).wrapping_mul(7919) % 600_000),
                speed: 0.9 + 0.2 * (index % 7) as f32 / 6.0,
            },
            ..Instance::default()
        }
    });
    (
        instances.collect(),
        size * (rows as f32).max(columns as f32 * wide / aspect),
    )
}
