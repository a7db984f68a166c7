//! The uniform block that is written each frame.

use throng_shaders::Frame;

use crate::Gpu;
use crate::bindings::Resource;
use crate::instance::Ticks;

/// Binding of the block.
pub(crate) const FRAME_BINDING: u32 = 14;

/// Times of a frame and the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameTimes {
    pub now: Ticks,
    pub previous: Ticks,
    /// Blend between LBS (0) and DQS (1).
    pub deform_factor: f32,
}

/// The uniform block of a frame.
#[derive(Debug)]
pub(crate) struct FrameUniform {
    buffer: wgpu::Buffer,
    previous_first: u32,
    previous_group: u32,
}

impl FrameUniform {
    /// Creates the block. `previous_first` and `previous_group` are those of [`Frame`].
    pub fn new(gpu: &Gpu, previous_first: u32, previous_group: u32) -> Self {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            buffer,
            previous_first,
            previous_group,
        }
    }

    pub fn resource(&self) -> (u32, Resource) {
        (FRAME_BINDING, Resource::Uniform(self.buffer.clone()))
    }

    /// Writes the block for a number of instances; it takes effect with the next submission.
    pub fn write(&self, gpu: &Gpu, times: &FrameTimes, count: usize) {
        let block = Frame {
            now: times.now.0,
            previous_now: times.previous.0,
            previous_first: self.previous_first,
            previous_group: self.previous_group,
            deform_factor: times.deform_factor,
            count: count as u32,
            padding: [0; 2],
        };
        gpu.queue
            .write_buffer(&self.buffer, 0, bytemuck::bytes_of(&block));
    }
}
