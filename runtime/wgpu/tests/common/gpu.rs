//! Devices under test.

#![allow(dead_code, reason = "shared by test programs that use some of it")]

use std::sync::Arc;

use throng_format::TextureSet;
use throng_rig::{Character, LoopPolicy, Skinning};
use throng_testkit::adapter_or_skip;
use throng_wgpu::{Crowd, CrowdModel, Gpu, GpuError, GpuLimits, ModelSettings, Technique};

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

/// A crowd that a texture set animates.
pub fn crowd_of_set(
    gpu: &Gpu,
    set: &TextureSet,
    settings: ModelSettings,
) -> Result<Crowd, GpuError> {
    CrowdModel::new(gpu.device(), gpu.queue(), set, settings)?.crowd()
}

/// A crowd that is static or animated by the CPU.
pub fn crowd_of_character(
    gpu: &Gpu,
    character: &Arc<Character>,
    loops: &[LoopPolicy],
    technique: Technique,
    skinning: impl Into<Skinning>,
    settings: ModelSettings,
) -> Result<Crowd, GpuError> {
    let (device, queue) = (gpu.device(), gpu.queue());
    CrowdModel::of_character(
        device, queue, character, loops, technique, skinning, settings,
    )?
    .crowd()
}
