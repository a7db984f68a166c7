//! A device to run on.

use crate::GpuError;

/// A device and its queue.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

impl Gpu {
    /// On a device that the caller owns; both are handles, cheap to clone.
    pub fn new(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self { device, queue }
    }

    /// Finds a device where there is no window. Blocks, so it is not for browsers.
    ///
    /// The environment (`WGPU_BACKEND` and wgpu's other variables) may narrow the choice.
    pub fn headless() -> Result<Self, GpuError> {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("throng"),
            // All that the adapter has: sets and crowds may be large.
            required_limits: adapter.limits(),
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            adapter: adapter.get_info().name,
            source,
        })?;
        Ok(Self { device, queue })
    }

    /// What the adapter calls itself, and its driver.
    pub fn name(&self) -> String {
        let info = self.device.adapter_info();
        format!("{} ({:?}, {})", info.name, info.backend, info.driver_info)
    }

    /// Runs what makes things on the device; its errors come back instead of ending the program.
    pub(crate) fn checked<T>(&self, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Validation, Internal, OutOfMemory].map(|f| self.device.push_error_scope(f));
        let made = make();
        // Scopes close in the opposite order.
        for scope in scopes.into_iter().rev() {
            match pollster::block_on(scope.pop()) {
                None => {}
                Some(error @ wgpu::Error::OutOfMemory { .. }) => {
                    return Err(GpuError::OutOfMemory(error));
                }
                Some(error) => return Err(GpuError::Refused(error)),
            }
        }
        Ok(made)
    }
}
