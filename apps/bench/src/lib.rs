//! Benchmarks that are robust against other work on the machine.
//!
//! Times on a shared machine drift by more than what is to be measured. So contenders run in turns,
//! round after round, and the result is the ratio within a round ([`measure`]). The baseline of the kernels is a
//! plain loop ([`glam_loop`]).
//!
//! ```
//! use std::hint::black_box;
//! use std::time::Duration;
//!
//! use throng_bench::measure::{Contender, Effort, Times};
//!
//! let sum = |count: u64| move || { black_box((0..black_box(count)).map(black_box).sum::<u64>()); };
//! let mut contenders = [Contender::new(sum(2_000)), Contender::new(sum(20_000))];
//! let effort = Effort { rounds: 9, turn: Duration::from_micros(200) };
//! let times = Times::measure(&mut contenders, effort);
//! // The first is about ten times as fast as the second.
//! assert!(times.speed_ratio(0, 1) > 3.0);
//! ```

pub mod arena;
pub mod contest;
pub mod cpu_arena;
pub mod curves;
pub mod entrant;
mod error;
pub mod experiment;
pub mod glam_loop;
pub mod gpu_arena;
mod gpu_times;
pub mod ladder;
pub mod machine;
pub mod measure;
pub mod pace;
pub mod picture;
pub mod random;
pub mod record;
pub mod report;
pub mod run;
#[cfg(test)]
mod simulation;
pub mod stage;
pub mod stats;
pub mod subject;
pub mod suites;

pub use error::BenchError;
