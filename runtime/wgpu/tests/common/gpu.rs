//! Devices under test.

use throng_testkit::adapter_or_skip;
use throng_wgpu::{Gpu, GpuError, GpuLimits};

/// Opens a device on one of `backends`; `None` if there is no adapter, which fails under `CI=true`.
pub fn open(backends: wgpu::Backends, limits: GpuLimits) -> Option<Gpu> {
    let gpu = match Gpu::headless_on(backends, limits) {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap_or_else(|error| panic!("{error}"))),
    };
    match backends {
        wgpu::Backends::GL => adapter_or_skip(gpu, "GL", "libegl1 and libgl1-mesa-dri"),
        _ => adapter_or_skip(gpu, "GPU", "mesa-vulkan-drivers"),
    }
}
