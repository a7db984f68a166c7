//! The instance buffer.

use throng_shaders::InstanceBlock;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::instance_table::Uploads;
use crate::{Gpu, GpuError};

/// Creates the instance buffer. Compute passes read it where there are any.
pub(crate) fn instance_buffer(gpu: &Gpu, capacity: usize) -> Result<wgpu::Buffer, GpuError> {
    let record = size_of::<InstanceBlock>() as u64;
    let bytes = capacity as u64 * record;
    let limits = gpu.device.limits();
    if bytes > limits.max_buffer_size {
        return Err(GpuError::InstancesTooLarge {
            instances: capacity,
            bytes,
            max_bytes: limits.max_buffer_size,
            max_instances: limits.max_buffer_size / record,
        });
    }
    let storage = match limits.max_storage_buffers_per_shader_stage {
        0 => wgpu::BufferUsages::empty(),
        _ => wgpu::BufferUsages::STORAGE,
    };
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("instances"),
        size: bytes,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST | storage,
        mapped_at_creation: false,
    }))
}

/// Creates a buffer of the numbers from 0 on: the index of each instance.
pub(crate) fn index_buffer(gpu: &Gpu, capacity: usize) -> wgpu::Buffer {
    let indices: Vec<u32> = (0..capacity as u32).collect();
    gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: Some("indices of instances"),
        contents: bytemuck::cast_slice(&indices),
        usage: wgpu::BufferUsages::VERTEX,
    })
}

/// Uploads the records that changed.
pub(crate) fn upload_instances(gpu: &Gpu, buffer: &wgpu::Buffer, uploads: &Uploads<'_>) {
    for range in uploads.changes.ranges(uploads.current.len()) {
        let at = range.start as u64 * size_of::<InstanceBlock>() as u64;
        let changed = uploads.current[range].iter();
        let blocks: Vec<_> = changed
            .map(|instance| instance.to_block(uploads.clips))
            .collect();
        gpu.queue
            .write_buffer(buffer, at, bytemuck::cast_slice(&blocks));
    }
}
