//! The device and its queue.

#[cfg(feature = "headless")]
use std::sync::{Arc, OnceLock};

use crate::GpuError;

/// A device and its queue. Both are handles, cheap to clone.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Reason of a device loss; reported only for devices opened by [`Self::headless_on`].
    #[cfg(feature = "headless")]
    pub(crate) lost: Arc<OnceLock<String>>,
}

impl Gpu {
    /// Uses a device that the caller owns.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        Self {
            device: device.clone(),
            queue: queue.clone(),
            #[cfg(feature = "headless")]
            lost: Arc::default(),
        }
    }

    /// Fails if a buffer is larger than the device supports.
    pub(crate) fn check_buffer_size(&self, what: &'static str, bytes: u64) -> Result<(), GpuError> {
        let max_bytes = self.device.limits().max_buffer_size;
        match bytes > max_bytes {
            true => Err(GpuError::BufferTooLarge {
                what,
                bytes,
                max_bytes,
            }),
            false => Ok(()),
        }
    }
}
