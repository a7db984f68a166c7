//! Time of the device, by timestamps around all passes of a frame.

use throng_wgpu::wgpu;
use throng_wgpu::{Gpu, GpuError};

/// Two timestamps, and the buffers that they are read through.
pub struct GpuTimes {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    mapped: wgpu::Buffer,
    ns_per_tick: f64,
}

/// Bytes of two timestamps.
const BYTES: u64 = 16;

impl GpuTimes {
    /// `None` if the device has no timestamps between passes.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        let device = gpu.device();
        let needed =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        use wgpu::BufferUsages as Usage;
        device.features().contains(needed).then(|| Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            mapped: buffer(Usage::COPY_DST | Usage::MAP_READ),
            ns_per_tick: f64::from(gpu.queue().get_timestamp_period()),
        })
    }

    /// Writes the first timestamp.
    pub fn begin(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.queries, 0);
    }

    /// Writes the second timestamp and copies both.
    pub fn end(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.mapped, 0, BYTES);
    }

    /// Milliseconds between both timestamps, once the device is done; `None` if they are not in order.
    pub fn read(&self, gpu: &Gpu) -> Result<Option<f64>, GpuError> {
        self.mapped.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.wait()?;
        let ticks: Option<[u64; 2]> = self
            .mapped
            .get_mapped_range(..)
            .ok()
            .map(|bytes| bytemuck::pod_read_unaligned(&bytes));
        self.mapped.unmap();
        let ticks = ticks.and_then(|[first, last]| last.checked_sub(first));
        Ok(ticks.map(|ticks| 1e-6 * ticks as f64 * self.ns_per_tick))
    }
}
