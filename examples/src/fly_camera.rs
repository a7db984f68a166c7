//! A camera that flies, as a uniform block of the caller.

use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Quat, Vec3};
use throng_wgpu::wgpu;

/// A camera that flies: its position, its direction, and the bind group that materials read.
///
/// Binding 0 is a uniform block: the matrix from world space to clip space, that of the frame before, and the position.
#[derive(Debug)]
pub struct FlyCamera {
    /// Position in metres.
    pub eye: Vec3,
    /// Rotation about the vertical axis; 0 looks along -Z.
    pub yaw_rad: f32,
    /// Angle above the horizon.
    pub pitch_rad: f32,
    /// Layout of the bind group.
    pub layout: wgpu::BindGroupLayout,
    /// The bind group.
    pub group: wgpu::BindGroup,
    block: wgpu::Buffer,
    /// Matrix of the last frame.
    previous: Option<Mat4>,
}

impl FlyCamera {
    /// Makes a camera and its bind group.
    pub fn new(device: &wgpu::Device, eye: Vec3, pitch_rad: f32) -> Self {
        let block = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("camera"),
            size: (2 * size_of::<Mat4>() + size_of::<[f32; 4]>()) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("camera"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("camera"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: block.as_entire_binding(),
            }],
        });
        Self {
            eye,
            yaw_rad: 0.0,
            pitch_rad,
            layout,
            group,
            block,
            previous: None,
        }
    }

    /// Moves by metres to the right, upwards and forwards, and turns by radians to the left and upwards.
    pub fn fly(&mut self, [right, up, forward]: [f32; 3], [left, upwards]: [f32; 2]) {
        self.yaw_rad += left;
        self.pitch_rad = (self.pitch_rad + upwards).clamp(-1.5, 1.5);
        self.eye += self.rotation() * Vec3::new(right, 0.0, -forward) + Vec3::Y * up;
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw_rad) * Quat::from_rotation_x(self.pitch_rad)
    }

    /// Matrix from world space to clip space.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let view = look_to_mat4(self.eye, self.rotation() * Vec3::NEG_Z, Vec3::Y);
        perspective(0.6, aspect, 0.1, 300.0) * view
    }

    /// Writes the block for a frame.
    pub fn write(&mut self, queue: &wgpu::Queue, aspect: f32) {
        let clip_from_world = self.clip_from_world(aspect);
        let before = self.previous.replace(clip_from_world);
        let matrices = [clip_from_world, before.unwrap_or(clip_from_world)];
        let mut numbers = matrices.map(|matrix| matrix.to_cols_array()).concat();
        numbers.extend(self.eye.extend(1.0).to_array());
        queue.write_buffer(&self.block, 0, bytemuck::cast_slice(&numbers));
    }
}
