//! The instance buffer.

use throng_shaders::InstanceBlock;

use crate::instance_table::Uploads;
use crate::{Gpu, GpuError};

/// Creates the instance buffer.
pub(crate) fn instance_buffer(gpu: &Gpu, capacity: usize) -> Result<wgpu::Buffer, GpuError> {
    let bytes = capacity as u64 * size_of::<InstanceBlock>() as u64;
    gpu.check_buffer_size("instances", bytes)?;
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("instances"),
        size: bytes,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    }))
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
