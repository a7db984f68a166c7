//! Devices without a window, and calls that block.

use crate::read_back::{ReadBack, lost};
use crate::{Gpu, GpuError};

/// Limits that are requested from a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GpuLimits {
    /// All limits of the adapter, for large sets and crowds.
    #[default]
    Adapter,
    /// The limits that every WebGPU device has, without optional features.
    WebGpu,
    /// The limits of WebGL2: no storage buffers, texture sides of at most 2 048.
    WebGl2,
}

/// Features that are requested where the adapter has them: timestamps of passes and between them, for benchmarks, and
/// indirect draws from any instance on, which take less memory for culling.
const FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(wgpu::Features::INDIRECT_FIRST_INSTANCE);

/// Everything here blocks, so browsers have none of it.
impl Gpu {
    /// Opens a device without a window.
    ///
    /// wgpu's environment variables, such as `WGPU_BACKEND`, restrict the choice. With [`GpuLimits::Adapter`], the device
    /// has `TIMESTAMP_QUERY`, `TIMESTAMP_QUERY_INSIDE_ENCODERS` and `INDIRECT_FIRST_INSTANCE` if the adapter offers them.
    pub fn headless() -> Result<Self, GpuError> {
        // GL is the last resort: without a display, its libraries print warnings on standard error.
        Self::headless_on(wgpu::Backends::PRIMARY, GpuLimits::Adapter)
            .or_else(|_| Self::headless_on(wgpu::Backends::all(), GpuLimits::Adapter))
    }

    /// [`Self::headless`] on one of `backends`, with the given limits.
    pub fn headless_on(backends: wgpu::Backends, limits: GpuLimits) -> Result<Self, GpuError> {
        let adapter = find_adapter(backends)?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("throng"),
            required_features: match limits {
                GpuLimits::Adapter => adapter.features() & FEATURES,
                GpuLimits::WebGpu | GpuLimits::WebGl2 => wgpu::Features::empty(),
            },
            required_limits: match limits {
                GpuLimits::Adapter => adapter.limits(),
                GpuLimits::WebGpu => wgpu::Limits::default(),
                GpuLimits::WebGl2 => wgpu::Limits::downlevel_webgl2_defaults(),
            },
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            adapter: adapter.get_info().name,
            source,
        })?;
        let gpu = Self::new(&device, &queue);
        let lost = gpu.lost.clone();
        gpu.device.set_device_lost_callback(move |reason, message| {
            // Only the first reason is kept.
            let _ = lost.set(format!("{reason:?}: {message}"));
        });
        Ok(gpu)
    }

    /// The wgpu device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Blocks until the device has finished everything that was submitted.
    pub fn wait(&self) -> Result<(), GpuError> {
        let done = self.device.poll(wgpu::PollType::wait_indefinitely());
        done.map(|_| ()).map_err(lost)
    }

    /// Reads back all bytes of a texture with one layer, row by row.
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, GpuError> {
        let read_back = self.checked(|| ReadBack::of_texture(self, texture))?;
        read_back.wait()?;
        read_back.bytes()
    }

    /// Graphics API of the device.
    pub fn backend(&self) -> wgpu::Backend {
        self.device.adapter_info().backend
    }

    /// Name of the adapter, its graphics API and its driver.
    pub fn name(&self) -> String {
        let info = self.device.adapter_info();
        format!("{} ({:?}, {})", info.name, info.backend, info.driver_info)
    }

    /// Converts a device error; after a device loss, every error is reported as that loss.
    fn device_error(&self, error: wgpu::Error) -> GpuError {
        match self.lost.get() {
            Some(reason) => GpuError::Lost(reason.clone()),
            None => GpuError::Refused(error),
        }
    }

    /// Runs `make` and returns the device errors that it causes, which would otherwise end the program.
    pub fn checked<T>(&self, make: impl FnOnce() -> T) -> Result<T, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Validation, Internal, OutOfMemory].map(|f| self.device.push_error_scope(f));
        let made = make();
        // Error scopes are popped in reverse order.
        for scope in scopes.into_iter().rev() {
            match pollster::block_on(scope.pop()) {
                None => {}
                Some(error @ wgpu::Error::OutOfMemory { .. }) => {
                    return Err(GpuError::OutOfMemory(error));
                }
                Some(error) => return Err(self.device_error(error)),
            }
        }
        Ok(made)
    }
}

/// Finds the fastest adapter of the backends that the environment allows.
fn find_adapter(backends: wgpu::Backends) -> Result<wgpu::Adapter, wgpu::RequestAdapterError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= backends;
    let instance = wgpu::Instance::new(descriptor);
    pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    }))
}
