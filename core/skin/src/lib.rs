//! Skinning on the CPU.
//!
//! [`reference`](mod@reference) is written in float64 and for clarity: it is what everything else in
//! Throng is measured against. [`fast`] is written in float32 and for speed. [`throng_rig::Method`] names the methods.
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
