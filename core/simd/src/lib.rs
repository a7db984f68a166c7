//! The SIMD layer: float32 vectors, and dispatch to the instructions that the machine has.
//!
//! Work is written once as a [`Task`] (8 lanes) or a [`WideTask`] (8 or 16 lanes), generic over the vector
//! type. [`Level::run`] and [`Level::run_wide`] compile it once per [`Level`] and run the copy for the
//! level that is asked for:
//!
//! ```
//! use throng_simd::{F32x8, LANES, Lanes, Level, Task};
//!
//! struct Double<'a>(&'a mut Lanes);
//!
//! impl Task for Double<'_> {
//!     #[inline(always)]
//!     fn run<V: F32x8>(self) {
//!         let numbers = V::load(self.0);
//!         (numbers + numbers).store(self.0);
//!     }
//! }
//!
//! let mut numbers = Lanes([1.5; LANES]);
//! Level::detect().run(Double(&mut numbers));
//! assert_eq!(numbers.0, [3.0; LANES]);
//! ```
//!
//! Everything that a task calls with vectors must be `#[inline(always)]`: only code that is inlined into
//! the function of a level is compiled for its instructions. Closures, `map` and `from_fn` are not always
//! inlined.
//!
//! This crate holds the only `unsafe` code of the libraries outside FFI: calls of vector instructions, and
//! calls into functions that are compiled for them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
mod level;
mod portable;
mod task;
mod vector;

pub use lanes::{LANES, Lanes};
pub use level::Level;
pub use task::{Task, WideTask};
pub use vector::{F32x8, Vector, Wide};

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
