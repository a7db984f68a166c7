//! Devices under test.

use throng_testkit::optional_adapter;
use throng_wgpu::{Gpu, GpuError, GpuLimits};

/// Opens a device on one of `backends`; `None` if there is no adapter, which fails under `CI=true`.
pub fn open(backends: wgpu::Backends, limits: GpuLimits) -> Option<Gpu> {
    let gpu = match Gpu::headless_on(backends, limits) {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap_or_else(|error| panic!("{error}"))),
    };
    match backends {
        wgpu::Backends::GL => optional_adapter(gpu, "GL", "libegl1 and libgl1-mesa-dri"),
        _ => optional_adapter(gpu, "GPU", "mesa-vulkan-drivers"),
    }
}
