//! Bakes skeletal animation into animation textures for GPU crowds (vertex animation textures, bone textures and
//! compressed curves), and measures their error against float64 skinning of the source.
//!
//! - [`bake()`] poses a [`throng_rig::Character`] at every frame, encodes bones or vertices as [`BakeSettings`] say,
//!   and returns a [`throng_format::TextureSet`]: textures, manifest and mesh.
//! - [`accuracy::verify`] compares a set with its source, every vertex at every time, and returns an
//!   [`accuracy::BakeReport`] whose max error is a bound.
//! - [`share::bake_shared`] bakes several characters of one skeleton into one motion set.
//! - [`search::search`] finds the settings for a maximum error or a maximum number of bytes ([`search::Goal`]).
//!
//! Long calls report to a [`Progress`]; `&()` ignores it. `throng_format::disk` writes sets to files.
//!
//! # Example
//!
//! A bar of 2 m that bends, as compressed curves within half a millimetre:
//!
//! ```
//! use throng_bake::accuracy::verify;
//! use throng_bake::{BakeSettings, bake};
//! use throng_format::{Encoding, Source, Storage};
//! use throng_import::builtin::builtin;
//!
//! let bar = builtin("bar:100")?;
//! let settings = BakeSettings {
//!     encoding: Encoding::BoneLocal,
//!     storage: Storage::Compressed,
//!     max_error_of_size: 0.5e-3 / 2.0,
//!     ..BakeSettings::default()
//! };
//! // Copied into the manifest, so that tools find the source again.
//! let source = Source::in_memory("builtin:bar:100");
//! let baked = bake(&bar, &settings, &source, &())?;
//!
//! let report = verify(&baked.set, &bar, &())?;
//! assert!(report.error.errors.overall.max_error_mm <= 0.5);
//! assert!(report.gpu_bytes < 1000); // two seconds of four bones
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accuracy;
pub mod append;
mod atlas;
mod bake;
mod bones;
mod cache_threads;
mod compact_mesh;
mod compressed;
pub mod curves;
mod describe;
mod error;
pub mod joint_curves;
pub mod lod;
mod measured;
mod mesh_per_part;
mod order;
mod overshoot;
mod p0_model;
mod p0_pages;
mod plan;
pub mod pose_clip;
mod progress;
mod progress_span;
mod range;
mod rate;
mod sampler;
pub mod search;
mod settings;
pub mod share;
pub mod text;
mod vertex_curves;
mod vertices;
mod warning;
mod within;

pub use bake::{Baked, bake};
pub use error::BakeError;
pub use order::drawing_order;
pub use progress::Progress;
pub use settings::{
    BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, DEFAULT_MAX_FRAMES, DEFAULT_MAX_MEMORY_BYTES,
    Effort, Preset, Rate, Sides,
};
pub use warning::BakeWarning;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
