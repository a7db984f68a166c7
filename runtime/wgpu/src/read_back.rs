//! Read-back of textures and buffers.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{Gpu, GpuError};

/// Bytes on their way back from the device.
#[derive(Debug)]
pub(crate) struct ReadBack {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    /// Bytes of a row, and of a row with its padding.
    row: u32,
    padded_row: u32,
}

impl ReadBack {
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
        Self {
            device: gpu.device.clone(),
            buffer,
            row,
            padded_row,
        }
    }

    /// Copies a buffer and submits the copy.
    #[cfg(feature = "headless")]
    pub fn of_buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> Self {
        let copy = mappable(gpu, buffer.size());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, buffer.size());
        gpu.queue.submit([encoder.finish()]);
        Self {
            device: gpu.device.clone(),
            buffer: copy,
            row: 1,
            padded_row: 1,
        }
    }

    /// Returns the bytes once the device is done. Outside of browsers, the device must be polled meanwhile.
    pub async fn read(self) -> Result<Vec<u8>, GpuError> {
        self.mapping().await.map_err(lost)?;
        self.bytes()
    }

    /// Blocks until the device is done.
    #[cfg(feature = "headless")]
    pub fn wait(self) -> Result<Vec<u8>, GpuError> {
        let mapping = self.mapping();
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(lost)?;
        pollster::block_on(mapping).map_err(lost)?;
        self.bytes()
    }

    fn mapping(&self) -> Mapping {
        let state = Arc::new(Mutex::new(MapState::default()));
        let done = state.clone();
        self.buffer
            .map_async(wgpu::MapMode::Read, .., move |result| {
                let mut state = done.lock().unwrap_or_else(PoisonError::into_inner);
                state.result = Some(result);
                if let Some(waker) = state.waker.take() {
                    waker.wake();
                }
            });
        Mapping {
            device: self.device.clone(),
            state,
        }
    }

    fn bytes(self) -> Result<Vec<u8>, GpuError> {
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

fn lost(error: impl std::fmt::Display) -> GpuError {
    GpuError::Lost(error.to_string())
}

#[derive(Debug, Default)]
struct MapState {
    result: Option<Result<(), wgpu::BufferAsyncError>>,
    waker: Option<Waker>,
}

/// Ends when a buffer is mapped.
struct Mapping {
    device: wgpu::Device,
    state: Arc<Mutex<MapState>>,
}

impl Future for Mapping {
    type Output = Result<(), wgpu::BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // WebGL2 has no other means to notice that work is done. An error is that of the mapping too.
        let _ = self.device.poll(wgpu::PollType::Poll);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}
