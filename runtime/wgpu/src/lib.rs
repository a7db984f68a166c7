//! GPU crowds from animation textures, with wgpu.
//!
//! `throng-shaders` holds the shaders; this crate uploads texture sets, draws [`Crowd`]s and reads vertices back. It uses
//! a device that the caller owns ([`Gpu::new`]), or opens one without a window ([`Gpu::headless`]).
//!
//! ```no_run
//! use throng_wgpu::{Crowd, CrowdSettings, Gpu, GpuError, Instance, Play, Ticks};
//!
//! fn read_vertices_at_one_second(set: &throng_format::TextureSet) -> Result<(), GpuError> {
//!     let gpu = Gpu::headless()?;
//!     let mut crowd = Crowd::of_set(&gpu, set, CrowdSettings::default())?;
//!     crowd.set_instances(&[Instance { play: Play::new(0), ..Instance::default() }])?;
//!     let factor = crowd.deform_factor();
//!     let captured = crowd.capture(Ticks::from_secs(1.0), factor)?;
//!     println!("{} vertices", captured[0].positions.len());
//!     Ok(())
//! }
//! ```

mod animator;
mod bindings;
mod capture;
mod cpu;
mod crowd;
mod device;
mod error;
mod instance;
mod joint_decoder;
mod joint_pass;
mod mesh;
mod pipeline;
mod read_back;
mod set_info;
mod set_shaders;
mod skin_once;
mod target;
mod technique;
mod texture;

pub use bindings::FrameUniform;
pub use crowd::{Captured, Crowd, CrowdPipelines, CrowdSettings};
pub use device::{Gpu, GpuLimits};
pub use error::GpuError;
pub use instance::{Fade, Instance, Play, Ticks};
pub use joint_decoder::{ClipTime, JointDecoder};
pub use mesh::VERTEX_LAYOUTS;
pub use pipeline::PassTargets;
pub use set_shaders::{SetBuffers, SetPart, SetShaders, SetTexture, shader_method};
pub use technique::{DecodeMode, Fades, Instancing, Technique, UnknownTechnique};
pub use texture::DeviceTexels;
pub use throng_shaders::Frame;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
