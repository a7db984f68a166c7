//! SIMD vectors of 8 and 16 float32 lanes and of 8 float64 lanes, with run-time detection of AVX2 and AVX-512 and a
//! portable fallback.
//!
//! Work is written once as a [`Task`] (8 lanes, [`F32x8`]) or a [`WideTask`] (8 or 16 lanes, [`Wide`]), generic over
//! the vector type. [`Level::run`] and [`Level::run_wide`] compile it once per [`Level`] and run the copy for the
//! level that is asked for. [`Lanes`] are eight aligned numbers in memory, which vectors are loaded from and stored
//! to. An [`F64Task`] works on 8 float64 lanes ([`F64x8`], [`Lanes64`]).
//!
//! # Example
//!
//! Eight vectors at a time are normalised, with the same bits at every level of this machine:
//!
//! ```
//! use throng_simd::{F32x8, LANES, Lanes, Level, Task};
//!
//! struct Normalize<'a>(&'a mut [Lanes; 3]);
//!
//! impl Task for Normalize<'_> {
//!     #[inline(always)]
//!     fn run<V: F32x8>(self) {
//!         let [x, y, z] = [V::load(&self.0[0]), V::load(&self.0[1]), V::load(&self.0[2])];
//!         let inverse_length = (x * x + y * y + z * z).inverse_sqrt();
//!         (x * inverse_length).store(&mut self.0[0]);
//!         (y * inverse_length).store(&mut self.0[1]);
//!         (z * inverse_length).store(&mut self.0[2]);
//!     }
//! }
//!
//! for level in Level::available() {
//!     let mut vectors = [Lanes([3.0; LANES]), Lanes([0.0; LANES]), Lanes([4.0; LANES])];
//!     level.run(Normalize(&mut vectors));
//!     assert_eq!(vectors.map(|axis| axis.0), [[0.6; LANES], [0.0; LANES], [0.8; LANES]]);
//! }
//! ```
//!
//! Everything that a task calls with vectors must be `#[inline(always)]`: only code that is inlined into the function
//! of a level is compiled for its instructions. Closures, `map` and `from_fn` are not always inlined.
//!
//! This crate holds the only `unsafe` code of the libraries outside FFI: calls of vector instructions, and calls into
//! functions that are compiled for them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod f64x8;
mod lanes;
mod level;
mod portable;
mod task;
mod vector;

pub use f64x8::{F64Task, F64x8, Lanes64};
pub use lanes::{LANES, Lanes};
pub use level::Level;
pub use task::{Task, WideTask};
pub use vector::{F32x8, Vector, Wide};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
