//! The camera of a pass: bind group 0 of shaders that draw crowds.

use glam::Mat4;
use throng_wgpu::wgpu;

/// A uniform block with the matrix from world space to clip space.
#[derive(Debug)]
pub(crate) struct PassCamera {
    buffer: wgpu::Buffer,
    pub group: wgpu::BindGroup,
}

/// Makes the layout of bind group 0.
pub(crate) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("camera"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

impl PassCamera {
    pub fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("camera"),
            size: size_of::<Mat4>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("camera"),
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        });
        Self { buffer, group }
    }

    /// Writes the matrix; it takes effect with the next submission.
    pub fn write(&self, queue: &wgpu::Queue, clip_from_world: Mat4) {
        let columns = clip_from_world.to_cols_array();
        queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&columns));
    }
}
