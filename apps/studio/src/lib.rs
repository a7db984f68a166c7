//! Pictures of crowds: camera, lights, shadows, and image files.
//!
//! [`Scene`] holds the render target, the lights and the shadow maps, on a device of the caller. A [`Subject`] is a crowd
//! with its materials; a [`PosedMesh`] has vertices and colours of the caller; [`Lines`] are lines. A [`Shot`] holds the
//! camera and the time. [`Scene::draw`] encodes a picture and waits for nothing. With the feature `headless`,
//! [`Scene::shoot`] draws a subject and reads back a [`Picture`], [`canvas`] arranges pictures and labels them, and
//! [`PictureFile`] encodes them.
//!
//! ```
//! use std::sync::Arc;
//!
//! use glam::DVec3;
//! use throng_rig::{Bounds, Skinning};
//! use throng_studio::{Camera, Scene, Shot, View};
//! use throng_wgpu::{CrowdModel, Gpu, Instance, ModelSettings, Play, Technique, Ticks};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let Ok(gpu) = Gpu::headless() else { return Ok(()) };
//! # /*
//! let gpu = Gpu::headless()?;
//! # */
//! let bar = Arc::new(throng_import::builtin::builtin("bar")?);
//! let model = CrowdModel::of_character(
//!     gpu.device(),
//!     gpu.queue(),
//!     &bar,
//!     &[],
//!     Technique::PaletteMatrix,
//!     Skinning::AsAuthored,
//!     ModelSettings::default(),
//! )?;
//! let mut crowd = model.crowd()?;
//! crowd.set_instances(&[Instance::default().playing(Play::held(0, 0.4))])?;
//!
//! let mut scene = Scene::new(gpu.device(), gpu.queue(), [160, 90])?;
//! let mut subject = scene.subject(crowd, &bar)?;
//! let bounds = Bounds::of([DVec3::new(-0.6, 0.0, -0.3), DVec3::new(0.6, 1.1, 0.3)]);
//! let corners = bounds.corners().map(|corner| corner.as_vec3());
//! let shot = Shot {
//!     camera: Camera::framing(corners, View::PORTRAIT, 160.0 / 90.0),
//!     casters: bounds,
//!     ground_y: 0.0,
//!     character_size: 1.0,
//!     now: Ticks(0),
//! };
//! let picture = scene.shoot(&mut subject, &shot)?;
//! assert_eq!([picture.width, picture.height], [160, 90]);
//! # Ok(())
//! # }
//! ```
//!
//! It uses nothing but the public interface of `throng-wgpu`: lit surfaces and shadow casters are two materials.

mod arrangement;
mod camera;
mod camera_name;
pub mod canvas;
mod contact;
mod cover;
mod culling;
mod error;
mod ground;
mod headless;
mod image;
mod light;
mod lines;
mod maps;
mod material;
mod pass_camera;
mod picture;
mod picture_file;
mod posed_mesh;
mod ramp;
mod random;
mod scene;
mod shader;
mod shadow;
#[cfg(feature = "headless")]
mod shoot;
mod surface;
mod target;
mod wardrobe;
mod wireframe;

pub use arrangement::{Activity, Arrangement, Place, Variation, places};
pub use camera::{Camera, View};
pub use camera_name::{CameraName, Formation};
pub use culling::Culling;
pub use error::StudioError;
pub use ground::GroundMesh;
pub use headless::silence_device_select_layer;
pub use light::Lights;
pub use lines::{LineDepth, LineVertex, Lines};
pub use picture::Picture;
pub use picture_file::{EncodeError, PictureFile, PictureFormat};
pub use posed_mesh::{PosedColors, PosedMesh, PosedVertex};
pub use ramp::ramp;
pub use random::{Random, random_tint};
pub use scene::{Cast, Scene, Shot, Subject};
pub use surface::Surface;
pub use wardrobe::{Outfit, Wardrobe};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
