//! Bakes a character's clips into texture sets and measures their error.
//!
//! [`bake`] poses the character at every frame, encodes bones or vertices by [`BakeSettings`], and returns a set: textures,
//! manifest and mesh. [`accuracy`] measures the error of a set against its source. [`search`] finds the settings for a
//! maximum error or a maximum number of bytes.

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
pub use settings::{
    BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, DEFAULT_MAX_FRAMES, DEFAULT_MAX_MEMORY_BYTES,
    Preset, Rate, Sides,
};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
