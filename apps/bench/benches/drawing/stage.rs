//! A 1280 × 720 target that all instances fit into.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use glam::{Affine3A, Mat4, Quat, Vec3};
use throng_shaders::{Deform, Pass, Shader, bare_shader, deform_shader};
use throng_wgpu::{
    Crowd, CrowdPipelines, Frame, FrameUniform, Gpu, Instance, PassTargets, Play, Ticks,
};

pub const SIZE: [u32; 2] = [1280, 720];
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Target, camera and uniforms that all contenders share.
pub struct Stage {
    gpu: Gpu,
    frame: FrameUniform,
    color: wgpu::Texture,
    depth: wgpu::Texture,
}

/// Time of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameTime {
    /// Seconds until the device was done.
    pub whole: Duration,
    /// CPU seconds of the calling thread until submission.
    pub calling_thread: Duration,
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
        Self {
            frame: FrameUniform::new(gpu).unwrap(),
            color: texture(COLOR, attachment | wgpu::TextureUsages::COPY_SRC),
            depth: texture(DEPTH, attachment),
            gpu: gpu.clone(),
        }
    }

    /// Pipelines of the benchmark: one light, no materials.
    pub fn plain(&self, crowd: &Crowd) -> CrowdPipelines {
        self.pipelines(crowd, |deform| deform_shader(deform, Pass::Plain))
    }

    /// Pipelines of the smallest shader that draws the static mesh at every instance's transform.
    pub fn bare(&self, crowd: &Crowd) -> CrowdPipelines {
        self.pipelines(crowd, |_| bare_shader())
    }

    fn pipelines(&self, crowd: &Crowd, shader: impl Fn(Deform) -> Shader) -> CrowdPipelines {
        let targets = PassTargets {
            colors: vec![COLOR],
            depth: Some(DEPTH),
            samples: 1,
        };
        crowd
            .pipelines_with(&self.frame, &[], &targets, shader)
            .unwrap()
    }

    /// Draws a frame and waits for it.
    pub fn draw(
        &self,
        crowd: &mut Crowd,
        pipelines: &CrowdPipelines,
        now: Ticks,
        spread: f32,
    ) -> FrameTime {
        let (start, thread) = (Instant::now(), ThreadTime::now());
        self.frame.write(
            &self.gpu,
            &Frame {
                clip_from_world: view(spread).to_cols_array_2d(),
                now: now.0,
                deform_factor: 1.0,
                ..Frame::default()
            },
        );
        let mut encoder = self
            .gpu
            .device()
            .create_command_encoder(&Default::default());
        crowd.prepare(&mut encoder, &self.frame, now).unwrap();
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
        crowd.draw(&mut pass, &self.frame, pipelines, |_, _| {});
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
        }
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
            play: Play {
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
