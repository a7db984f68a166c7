//! A device to run on.

use std::sync::{Arc, OnceLock};

use crate::GpuError;

/// How much of a device is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GpuLimits {
    /// All that the adapter has: sets and crowds may be large.
    #[default]
    Adapter,
    /// What every browser has: no storage buffers, sides of 2 048.
    WebGl2,
}

/// A device and its queue.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Why the device is gone, once it is; only of devices that were found here.
    lost: Arc<OnceLock<String>>,
}

impl Gpu {
    /// On a device that the caller owns; both are handles, cheap to clone.
    pub fn new(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self {
            device,
            queue,
            lost: Arc::default(),
        }
    }

    /// Finds a device where there is no window. Blocks, so it is not for browsers.
    ///
    /// The environment (`WGPU_BACKEND` and wgpu's other variables) may narrow the choice.
    pub fn headless() -> Result<Self, GpuError> {
        // GL comes last: where there is no display, its libraries complain on standard error.
        Self::headless_on(wgpu::Backends::PRIMARY, GpuLimits::Adapter)
            .or_else(|_| Self::headless_on(wgpu::Backends::all(), GpuLimits::Adapter))
    }

    /// [`Self::headless`], on one of some backends and with other limits.
    pub fn headless_on(backends: wgpu::Backends, limits: GpuLimits) -> Result<Self, GpuError> {
        let adapter = find_adapter(backends)?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("throng"),
            required_limits: match limits {
                GpuLimits::Adapter => adapter.limits(),
                GpuLimits::WebGl2 => wgpu::Limits::downlevel_webgl2_defaults(),
            },
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            adapter: adapter.get_info().name,
            source,
        })?;
        let gpu = Self::new(device, queue);
        let lost = gpu.lost.clone();
        gpu.device.set_device_lost_callback(move |reason, message| {
            // The first reason stays.
            let _ = lost.set(format!("{reason:?}: {message}"));
        });
        Ok(gpu)
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The device's queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// All bytes of a plain texture, row by row. Blocks, so it is not for browsers.
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, GpuError> {
        crate::read_back::texture(self, texture)
    }

    /// The API that it runs on.
    pub fn backend(&self) -> wgpu::Backend {
        self.device.adapter_info().backend
    }

    /// What the adapter calls itself, and its driver.
    pub fn name(&self) -> String {
        let info = self.device.adapter_info();
        format!("{} ({:?}, {})", info.name, info.backend, info.driver_info)
    }

    /// What a lost device refuses, it refuses for that reason alone.
    fn refused(&self, error: wgpu::Error) -> GpuError {
        match self.lost.get() {
            Some(reason) => GpuError::Lost(reason.clone()),
            None => GpuError::Refused(error),
        }
    }

    /// Runs `make` and returns the device errors that it causes, which would otherwise end the program. Blocks, so it
    /// cannot be used in browsers.
    pub fn checked<T>(&self, make: impl FnOnce() -> T) -> Result<T, GpuError> {
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
                Some(error) => return Err(self.refused(error)),
            }
        }
        Ok(made)
    }
}

/// The fastest adapter of some backends, of those that the environment allows.
fn find_adapter(backends: wgpu::Backends) -> Result<wgpu::Adapter, wgpu::RequestAdapterError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= backends;
    let instance = wgpu::Instance::new(descriptor);
    pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    }))
}
