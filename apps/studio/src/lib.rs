//! Pictures of crowds: camera, lights, shadows, and image files.
//!
//! [`Scene`] holds the render target, the lights and the shadow maps. A [`Subject`] is a crowd with its materials. A
//! [`Shot`] holds the camera and the time. [`Scene::shoot`] draws a subject and reads back a [`Picture`], [`canvas`]
//! arranges pictures and labels them, and [`PictureFile`] encodes them.
//!
//! ```no_run
//! use throng_rig::{Bounds, Character};
//! use throng_studio::{Camera, Picture, Scene, Shot, StudioError, View};
//! use throng_wgpu::{Crowd, Gpu, Ticks};
//!
//! fn portrait(gpu: &Gpu, crowd: Crowd, character: &Character, bounds: Bounds) -> Result<Picture, StudioError> {
//!     let mut scene = Scene::new(gpu, [640, 360])?;
//!     let mut subject = scene.subject(crowd, character)?;
//!     let corners = bounds.corners().map(|corner| corner.as_vec3());
//!     let shot = Shot {
//!         camera: Camera::framing(corners, View::PORTRAIT, 640.0 / 360.0),
//!         casters: bounds,
//!         ground_y: bounds.min.y as f32,
//!         character_size: bounds.extent().max_element() as f32,
//!         now: Ticks::from_secs(0.5),
//!     };
//!     scene.shoot(&mut subject, &shot)
//! }
//! ```

mod camera;
pub mod canvas;
mod contact;
mod cover;
mod error;
mod headless;
mod image;
mod light;
mod maps;
mod material;
mod pass_camera;
mod picture;
mod picture_file;
mod scene;
mod shader;
mod shadow;
mod target;

pub use camera::{Camera, View};
pub use error::StudioError;
pub use headless::silence_device_select_layer;
pub use light::Lights;
pub use picture::Picture;
pub use picture_file::{EncodeError, PictureFile, PictureFormat};
pub use scene::{Scene, Shot, Subject};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
