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

mod bindings;
mod capture;
#[cfg(feature = "cpu")]
mod cpu;
#[cfg(feature = "cpu")]
mod cpu_model;
mod crowd;
mod device;
mod error;
mod features;
mod frame_uniform;
#[cfg(feature = "headless")]
mod headless;
mod instance;
mod instance_table;
mod instances;
#[cfg(feature = "headless")]
mod joint_decoder;
mod joint_pass;
mod material;
mod mesh;
mod model;
mod pipeline;
mod poses;
mod read_back;
mod set_info;
mod set_shaders;
mod skin_once;
mod target;
mod technique;
mod texture;

pub use capture::{Captured, PendingCapture};
pub use crowd::Crowd;
#[cfg(feature = "headless")]
pub use device::Gpu;
#[cfg(not(feature = "headless"))]
pub(crate) use device::Gpu;
pub use error::GpuError;
#[cfg(feature = "headless")]
pub use headless::GpuLimits;
pub use instance::{Fade, Instance, Play, Ticks};
pub use instances::InstanceId;
#[cfg(feature = "headless")]
pub use joint_decoder::{ClipTime, JointDecoder};
pub use material::{CrowdMaterial, MaterialDescriptor};
pub use mesh::VERTEX_LAYOUTS;
pub use model::{CrowdModel, ModelSettings};
pub use set_shaders::{MeshPart, SetBuffers, SetShaders, SetTexture, shader_method};
pub use technique::{DecodeMode, Fades, Instancing, Motion, Technique, UnknownTechnique};
pub use texture::DeviceTexels;
/// The version of wgpu that this crate uses.
pub use wgpu;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
