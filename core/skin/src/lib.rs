//! Skinning on the CPU.
//!
//! [`reference`](mod@reference) is written in float64 and for clarity: it is what everything else in
//! Throng is measured against. [`fast`] is written in float32 and for speed. One [`Method`] names each way of skinning wherever it is implemented.
//!
//! Buffers belong to the caller and are reused from frame to frame.

pub mod artefacts;
mod bounds;
pub mod fast;
mod method;
pub mod reference;

pub use bounds::{Bounds, posed_bounds, rest_size};
pub use method::{METHOD_NAMES, Method, ParseMethodError};
