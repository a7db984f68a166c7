//! Crowds of animated characters inside a wgpu renderer: from animation textures (VAT and bone textures), in one
//! instanced draw per part.
//!
//! The caller brings the device, the queue, the encoder, the render pass, the camera, and the material: WGSL that receives a
//! `VertexOut` ([`MaterialDescriptor`] lists its fields). Throng takes one bind group. Nothing here waits for the device, so
//! that everything works in browsers too, on WebGPU and on WebGL2 (feature `webgl`).
//!
//! | type | |
//! |---|---|
//! | [`CrowdModel`] | a texture set on the device; makes materials and crowds |
//! | [`CrowdMaterial`] | the caller's WGSL and pipeline state: colours, depth only, motion vectors |
//! | [`Crowd`] | instances: spawned, moved, re-timed and removed one by one, or all set at once |
//! | [`CrowdView`], [`ViewCamera`] | visible instances and their levels of detail, for a camera or a shadow map |
//! | [`Instance`], [`Play`], [`Fade`] | transform, tint, clip, time, speed, cross-fade |
//!
//! ```
//! # use throng_bake::{BakeSettings, bake};
//! use throng_wgpu::{CrowdModel, Gpu, Instance, MaterialDescriptor, ModelSettings, Play, Ticks, wgpu};
//!
//! const WGSL: &str = "
//!     fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
//!         return vec4(0.4 * world_position.xy, 0.5, 1.0);
//!     }
//!
//!     @fragment
//!     fn shade(in: VertexOut) -> @location(0) vec4<f32> {
//!         return in.tint * (0.5 + 0.5 * normalize(in.normal).y);
//!     }
//! ";
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let character = throng_import::builtin::builtin("bar:100")?;
//! # let source = throng_format::Source::in_memory("bar");
//! # let set = bake(&character, &BakeSettings::default(), &source, &())?.set;
//! // Any device will do; this one needs no window.
//! # let Ok(gpu) = Gpu::headless() else { return Ok(()) };
//! # /*
//! let gpu = Gpu::headless()?;
//! # */
//! let (device, queue) = (gpu.device(), gpu.queue());
//! let format = wgpu::TextureFormat::Rgba8Unorm;
//!
//! let model = CrowdModel::new(device, queue, &set, ModelSettings::default())?;
//! let material = model.material(&MaterialDescriptor {
//!     wgsl: WGSL,
//!     fragment: Some("shade"),
//!     targets: &[Some(format.into())],
//!     ..Default::default()
//! })?;
//! let mut crowd = model.crowd()?;
//! let bar = crowd.spawn(Instance::default().playing(Play::new(0)).tinted([255, 40, 40, 255]))?;
//!
//! // Each frame:
//! # let target = device.create_texture(&wgpu::TextureDescriptor {
//! #     label: None, size: wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 }, mip_level_count: 1,
//! #     sample_count: 1, dimension: wgpu::TextureDimension::D2, format,
//! #     usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC, view_formats: &[],
//! # });
//! # let view = target.create_view(&Default::default());
//! let mut encoder = device.create_command_encoder(&Default::default());
//! crowd.prepare(&mut encoder, Ticks::from_secs(0.5))?;
//! # let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
//! #     color_attachments: &[Some(wgpu::RenderPassColorAttachment {
//! #         view: &view, depth_slice: None, resolve_target: None,
//! #         ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
//! #     })],
//! #     ..Default::default()
//! # });
//! # /*
//! let mut pass = encoder.begin_render_pass(/* your attachments */);
//! # */
//! crowd.draw(&mut pass, &material);
//! drop(pass);
//! queue.submit([encoder.finish()]);
//!
//! let pixels = gpu.read_texture(&target)?;
//! let red = pixels.chunks(4).filter(|pixel| pixel[0] > 2 * pixel[1]).count();
//! assert!(red > 50, "{red} red pixels");
//! # Ok(())
//! # }
//! ```
//!
//! The package `throng-examples` has whole programs: a window, shadow maps, a depth pre-pass.
//!
//! Features: `cpu` for crowds without a texture set (static, CPU skinning, palettes of the CPU), `headless` for devices
//! without a window and calls that block, `webgl` for browsers without WebGPU. [`wgpu`] is re-exported, so that versions
//! cannot differ. Errors of the device and of the caller's WGSL are reported as wgpu reports them, to its error scopes or its
//! handler of uncaptured errors.

mod bindings;
mod capture;
mod capture_rows;
#[cfg(feature = "cpu")]
mod cpu;
mod crowd;
mod cull;
mod curve_texture;
mod device;
mod engine_options;
mod error;
mod features;
mod frame_uniform;
mod gpu_times;
#[cfg(feature = "headless")]
mod headless;
mod instance;
mod instance_buffer;
mod instance_table;
mod instances;
#[cfg(feature = "headless")]
mod joint_decoder;
mod joint_pass;
mod material;
mod mesh;
mod metadata_column;
mod model;
mod motion_textures;
mod pipeline;
mod pose_source;
mod poses;
mod raw_mapping;
mod read_back;
mod set_deform;
mod set_info;
mod set_shaders;
mod skin_once;
mod skin_pipelines;
mod switches;
mod target;
mod technique;
mod texture;
mod vertex_layouts;
mod view;

pub use capture::{Captured, PendingCapture};
pub use crowd::Crowd;
pub use cull::{CpuCulling, CullModel, Detail, ViewCamera, Visible};
#[cfg(feature = "headless")]
pub use device::Gpu;
#[cfg(not(feature = "headless"))]
pub(crate) use device::Gpu;
pub use engine_options::engine_options;
pub use error::GpuError;
pub use gpu_times::GpuTimes;
#[cfg(feature = "headless")]
pub use headless::GpuLimits;
pub use instance::{Fade, FadeProgress, Instance, Play, Ticks};
pub use instances::InstanceId;
#[cfg(feature = "headless")]
pub use joint_decoder::{ClipTime, JointDecoder};
pub use material::{CrowdMaterial, Invariance, MaterialDescriptor};
pub use mesh::{MeshPart, shader_method};
pub use model::{CrowdModel, ModelLevel, ModelSettings};
pub use motion_textures::MotionTextures;
pub use set_shaders::{SetBuffers, SetShaders, SetTexture};
pub use switches::{DrawOrder, InfluenceLimit, SkeletonEvaluation, Step, Switches};
pub use technique::{
    DecodeMode, Fades, Instancing, MetadataSource, Motion, Technique, UnknownTechnique,
};
pub use texture::DeviceTexels;
pub use vertex_layouts::{VERTEX_LAYOUTS, vertex_layouts};
pub use view::{CrowdView, CullingMode};
/// The version of wgpu that this crate uses.
pub use wgpu;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
