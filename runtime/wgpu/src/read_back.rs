//! Read-back of textures and buffers.

use std::sync::{Arc, OnceLock};

use crate::{Gpu, GpuError};

/// Bytes on their way back from the device.
#[derive(Debug)]
pub(crate) struct ReadBack {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    /// Bytes of a row, and of a row with its padding.
    row: u32,
    padded_row: u32,
    /// Set when the buffer is mapped.
    mapped: Arc<OnceLock<Result<(), wgpu::BufferAsyncError>>>,
}

impl ReadBack {
    /// Requests the bytes of a buffer that a copy was submitted for.
    fn new(gpu: &Gpu, buffer: wgpu::Buffer, row: u32, padded_row: u32) -> Self {
        let mapped = Arc::new(OnceLock::new());
        let done = mapped.clone();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // Mapping ends once.
            let _ = done.set(result);
        });
        Self {
            device: gpu.device.clone(),
            buffer,
            row,
            padded_row,
            mapped,
        }
    }

    /// Copies a texture with one layer and submits the copy.
    pub fn of_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Self {
        let size = texture.size();
        let texel = texture.format().block_copy_size(None).unwrap_or(4);
        let row = size.width * texel;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = mappable(gpu, u64::from(padded_row) * u64::from(size.height));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row),
                    rows_per_image: Some(size.height),
                },
            },
            size,
        );
        gpu.queue.submit([encoder.finish()]);
        Self::new(gpu, buffer, row, padded_row)
    }

    /// Copies a buffer and submits the copy.
    #[cfg(feature = "headless")]
    pub fn of_buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> Self {
        let copy = mappable(gpu, buffer.size());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
        gpu.queue.submit([encoder.finish()]);
        Self::new(gpu, copy, 1, 1)
    }

    /// Returns true once the device is done. Does not wait.
    pub fn is_ready(&self) -> Result<bool, GpuError> {
        self.device.poll(wgpu::PollType::Poll).map_err(lost)?;
        match self.mapped.get() {
            None => Ok(false),
            Some(Ok(())) => Ok(true),
            Some(Err(error)) => Err(lost(error)),
        }
    }

    /// Blocks until the device is done.
    #[cfg(feature = "headless")]
    pub fn wait(&self) -> Result<(), GpuError> {
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(lost)?;
        match self.is_ready()? {
            true => Ok(()),
            false => Err(lost("a buffer was not mapped")),
        }
    }

    /// The bytes, once [`Self::is_ready`].
    pub fn bytes(&self) -> Result<Vec<u8>, GpuError> {
        let mapped = self.buffer.get_mapped_range(..).map_err(lost)?;
        let rows = mapped.chunks_exact(self.padded_row as usize);
        Ok(rows
            .flat_map(|bytes| &bytes[..self.row as usize])
            .copied()
            .collect())
    }
}

fn mappable(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

pub(crate) fn lost(error: impl std::fmt::Display) -> GpuError {
    GpuError::Lost(error.to_string())
}
