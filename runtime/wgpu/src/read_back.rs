//! Read-back of textures and buffers.

use std::sync::mpsc;

use crate::{Gpu, GpuError};

/// Returns all bytes of a texture with one layer, row by row. Blocks, so it cannot be used in browsers.
pub(crate) fn texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Vec<u8>, GpuError> {
    let size = texture.size();
    let texel = texture.format().block_copy_size(None).unwrap_or(4);
    let row = size.width * texel;
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.checked(|| {
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(padded) * u64::from(size.height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded),
                    rows_per_image: Some(size.height),
                },
            },
            size,
        );
        gpu.queue.submit([encoder.finish()]);
        buffer
    })?;
    mapped(gpu, &buffer, |bytes| {
        let rows = bytes.chunks_exact(padded as usize);
        rows.flat_map(|bytes| &bytes[..row as usize])
            .copied()
            .collect()
    })
}

/// Returns all bytes of a buffer. Blocks, so it cannot be used in browsers.
pub(crate) fn buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u8>, GpuError> {
    let copy = gpu.checked(|| {
        let copy = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: buffer.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
        gpu.queue.submit([encoder.finish()]);
        copy
    })?;
    mapped(gpu, &copy, <[u8]>::to_vec)
}

/// Maps a buffer and passes its bytes to `read`. Blocks until the device is done.
fn mapped<T>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    read: impl FnOnce(&[u8]) -> T,
) -> Result<T, GpuError> {
    let lost = |error: &dyn std::fmt::Display| GpuError::Lost(error.to_string());
    let (sender, receiver) = mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver waits below; if it is gone, the result is not needed.
        let _ = sender.send(result);
    });
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| lost(&error))?;
    receiver
        .recv()
        .map_err(|error| lost(&error))?
        .map_err(|error| lost(&error))?;
    let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    Ok(read(&bytes))
}
