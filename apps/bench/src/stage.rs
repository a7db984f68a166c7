//! A picture of 1280 × 720 pixels that crowds are drawn into, and the times of its frames.

use std::cell::RefCell;
use std::time::Instant;

use glam::{Affine3A, Mat4, Quat, Vec3};
use throng_wgpu::{
    Crowd, CrowdMaterial, CrowdModel, CrowdView, Gpu, GpuTimes, Instance, MaterialDescriptor, Play,
    Ticks, ViewCamera, wgpu,
};

use crate::BenchError;
use crate::arena::FrameTimes;

/// Width and height of the picture.
pub const PICTURE: [u32; 2] = [1280, 720];

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Target and camera that all contestants share.
pub struct Stage {
    gpu: Gpu,
    camera: wgpu::Buffer,
    camera_layout: wgpu::BindGroupLayout,
    camera_group: wgpu::BindGroup,
    color: wgpu::Texture,
    depth: wgpu::Texture,
    times: Option<RefCell<GpuTimes>>,
}

impl Stage {
    /// Makes the target and the camera.
    pub fn new(gpu: &Gpu) -> Self {
        let texture = |format, usage| {
            gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("benchmark"),
                size: wgpu::Extent3d {
                    width: PICTURE[0],
                    height: PICTURE[1],
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
            label: Some("camera"),
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
                    label: Some("camera"),
                    entries: &[uniform],
                });
        let camera_group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("camera"),
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
            times: GpuTimes::new(gpu.device(), gpu.queue()).map(RefCell::new),
            gpu: gpu.clone(),
        }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// True if the device measures its own time.
    pub fn has_gpu_times(&self) -> bool {
        self.times.is_some()
    }

    /// Material of all contestants: one light, no textures.
    pub fn plain(&self, model: &CrowdModel) -> Result<CrowdMaterial, BenchError> {
        let material = MaterialDescriptor {
            wgsl: include_str!("plain.wgsl"),
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&self.camera_layout)],
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            ..Default::default()
        };
        Ok(model.material(&material)?)
    }

    /// Draws a frame of a crowd, all of it or what a view contains, and waits until the device is done.
    pub fn frame(
        &self,
        crowd: &mut Crowd,
        material: &CrowdMaterial,
        now: Ticks,
        clip_from_world: Mat4,
        view: Option<(&mut CrowdView, ViewCamera)>,
    ) -> Result<FrameTimes, BenchError> {
        let start = Instant::now();
        let camera = clip_from_world.to_cols_array();
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        queue.write_buffer(&self.camera, 0, bytemuck::cast_slice(&camera));
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(times) = &self.times {
            times.borrow().begin(&mut encoder);
        }
        crowd.prepare(&mut encoder, now)?;
        let view = match view {
            Some((view, camera)) => {
                crowd.cull(&mut encoder, view, &camera)?;
                Some(view)
            }
            None => None,
        };
        let [color, depth] = [&self.color, &self.depth].map(|t| t.create_view(&Default::default()));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("crowd"),
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
        match view {
            Some(view) => crowd.draw_view(&mut pass, material, view),
            None => crowd.draw(&mut pass, material),
        }
        drop(pass);
        if let Some(times) = &self.times {
            times.borrow().end(&mut encoder);
        }
        queue.submit([encoder.finish()]);
        let cpu = start.elapsed();
        self.gpu.wait()?;
        let whole = start.elapsed();
        let gpu_ms = match &self.times {
            Some(times) => {
                times.borrow_mut().request();
                self.gpu.wait()?;
                times.borrow_mut().try_read()
            }
            None => None,
        };
        Ok(FrameTimes {
            whole_ms: 1e3 * whole.as_secs_f64(),
            cpu_ms: 1e3 * cpu.as_secs_f64(),
            gpu_ms,
        })
    }

    /// Number of pixels that the last frame covers.
    pub fn covered_pixels(&self) -> Result<usize, BenchError> {
        let bytes = self.gpu.read_texture(&self.color)?;
        let pixels = bytes.chunks_exact(4);
        Ok(pixels.filter(|pixel| pixel[..3] != [0; 3]).count())
    }
}

/// Parallel camera that sees a grid of `height_m` metres from the front.
fn view(height_m: f32) -> Mat4 {
    let aspect = PICTURE[0] as f32 / PICTURE[1] as f32;
    let half = 0.5 * height_m;
    let scale = Vec3::new(1.0 / (half * aspect), 1.0 / half, -0.5 / height_m.max(1.0));
    Mat4::from_scale_rotation_translation(scale, Quat::IDENTITY, Vec3::new(0.0, 0.0, 0.5))
}

/// Fewest rows that the camera sees. Small crowds are drawn at the size of this many rows, so that pixels grow with
/// instances, and do not outweigh vertices.
const MIN_ROWS: f32 = 4.0;

/// Places instances on a grid in the picture plane, each at another time and speed, in rows `spacing_m` metres apart; also
/// returns the camera that sees them.
pub fn grid(count: u32, clips: u32, spacing_m: f32) -> (Vec<Instance>, Mat4) {
    let aspect = PICTURE[0] as f32 / PICTURE[1] as f32;
    // Width of a place, relative to its height.
    let wide = 0.6;
    let rows = ((count as f32 * wide / aspect).sqrt().ceil() as u32).max(1);
    let columns = count.div_ceil(rows);
    let instances = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        let place = Vec3::new(
            (column as f32 + 0.5 - columns as f32 / 2.0) * wide,
            row as f32 - rows as f32 / 2.0,
            0.0,
        ) * spacing_m;
        varied(index, clips, place)
    });
    let height = (rows as f32)
        .max(columns as f32 * wide / aspect)
        .max(MIN_ROWS);
    (instances.collect(), view(spacing_m * height))
}

/// An instance at a place, with a direction, a clip, a time and a speed of its own.
pub fn varied(index: u32, clips: u32, place: Vec3) -> Instance {
    Instance {
        world_from_model: Affine3A::from_rotation_translation(
            Quat::from_rotation_y(index as f32),
            place,
        ),
        play: Play::Running {
            clip: index % clips.max(1),
            start: Ticks(index.wrapping_mul(7919) % 600_000),
            speed: 0.9 + 0.2 * (index % 7) as f32 / 6.0,
        },
        ..Instance::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_of_a_grid_is_in_the_picture() {
        for count in [1, 2, 7, 100, 2500] {
            let (instances, clip_from_world) = grid(count, 3, 1.8);
            assert_eq!(instances.len(), count as usize);
            for instance in &instances {
                let feet = instance.world_from_model.translation;
                let head = feet + glam::Vec3A::new(0.0, 1.7, 0.0);
                for point in [feet, head] {
                    let at = clip_from_world.project_point3(point.into());
                    assert!(at.abs().max_element() <= 1.0, "{count}: {at}");
                }
            }
        }
    }
}
