//! CPU skinning.
//!
//! [`reference`](mod@reference) is float64 and written for clarity: everything else in Throng is measured
//! against it. [`fast`] is float32 and written for speed. [`throng_rig::Method`] lists the methods.
//!
//! Buffers belong to the caller and are reused from frame to frame.

pub mod artefacts;
mod bounds;
pub mod fast;
pub mod reference;
mod rest;

pub use bounds::{posed_bounds, rest_size};
pub use rest::rest_vertices;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
