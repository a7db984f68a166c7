//! The size of a texture that vertices are drawn into.

use throng_shaders::CaptureTarget;

use crate::Gpu;
use crate::bindings::Resource;
use crate::target::WordTarget;

/// Uniform block with the number of rows of a capture target.
#[derive(Debug)]
pub(crate) struct CaptureRows(wgpu::Buffer);

impl CaptureRows {
    pub fn new(gpu: &Gpu) -> Self {
        Self(gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("capture target"),
            size: size_of::<CaptureTarget>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    pub fn resource(&self) -> (u32, Resource) {
        (10, Resource::Uniform(self.0.clone()))
    }

    /// Writes the rows of a target; they take effect with the next submission.
    pub fn write(&self, gpu: &Gpu, target: &WordTarget) {
        let block = CaptureTarget {
            rows: target.height,
            ..CaptureTarget::default()
        };
        gpu.queue
            .write_buffer(&self.0, 0, bytemuck::bytes_of(&block));
    }
}
