//! Time of the device, by timestamps around all passes of a frame.

use std::sync::{Arc, OnceLock};

/// Two timestamps around commands, and the buffers that they are read through. One measurement at a time.
#[derive(Debug)]
pub struct GpuTimes {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    mapped: wgpu::Buffer,
    ns_per_tick: f64,
    /// Set when the buffer is mapped.
    is_mapped: Option<Arc<OnceLock<bool>>>,
}

/// Bytes of two timestamps.
const BYTES: u64 = 16;

impl GpuTimes {
    /// `None` unless the device has `TIMESTAMP_QUERY` and `TIMESTAMP_QUERY_INSIDE_ENCODERS`.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
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
            ns_per_tick: f64::from(queue.get_timestamp_period()),
            is_mapped: None,
        })
    }

    /// Returns true while a measurement was requested and not read.
    pub fn is_pending(&self) -> bool {
        self.is_mapped.is_some()
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

    /// Requests the timestamps of commands that were submitted.
    pub fn request(&mut self) {
        let done = Arc::new(OnceLock::new());
        self.is_mapped = Some(done.clone());
        self.mapped
            .map_async(wgpu::MapMode::Read, .., move |result| {
                // Mapping ends once.
                let _ = done.set(result.is_ok());
            });
    }

    /// Returns the milliseconds between both timestamps once the device is done and was polled. `None` before, and where
    /// they are not in order.
    pub fn try_read(&mut self) -> Option<f64> {
        let is_mapped = *self.is_mapped.as_ref()?.get()?;
        self.is_mapped = None;
        if !is_mapped {
            return None;
        }
        let bytes = self.mapped.get_mapped_range(..).ok();
        let ticks: Option<[u64; 2]> = bytes.map(|bytes| bytemuck::pod_read_unaligned(&bytes));
        self.mapped.unmap();
        let ticks = ticks.and_then(|[first, last]| last.checked_sub(first));
        ticks.map(|ticks| 1e-6 * ticks as f64 * self.ns_per_tick)
    }
}
