//! Bakes a character's clips into texture sets, and measures what was lost.
//!
//! [`bake`] poses the character at every frame, encodes bones or vertices as [`BakeSettings`] ask for,
//! and puts the texels together with a manifest and the mesh. [`accuracy`] says how far a set is from
//! its source; [`search`] finds the settings for an error or for so many bytes.

pub mod accuracy;
mod atlas;
mod bake;
mod bones;
mod compressed;
pub mod curves;
mod describe;
mod error;
pub mod joint_curves;
mod measured;
mod order;
mod plan;
mod progress;
mod range;
mod rate;
mod sampler;
pub mod search;
mod settings;
pub mod text;
mod vertex_curves;
mod vertices;

pub use bake::{Baked, bake};
pub use error::BakeError;
pub use order::drawing_order;
pub use progress::Progress;
pub use settings::{BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, Preset, Rate, Sides};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
