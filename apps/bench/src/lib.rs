//! Benchmarks that are robust against other work on the machine.
//!
//! Times on a shared machine drift by more than what is to be measured. So contestants run in rounds, in random order, and
//! the result is the ratio within a round, with its confidence interval ([`contest`]). Contestants are crowds on a device
//! ([`gpu_arena`]) or closures on the CPU ([`cpu_arena`]). The baseline of the skinning kernels is a plain loop
//! ([`glam_loop`]). [`suites`] are what `throng bench --suite NAME` runs.
//!
//! ```
//! use std::hint::black_box;
//!
//! use throng_bench::contest::{ContestRules, Pair, run_contest};
//! use throng_bench::cpu_arena::{CPU_TURN, CpuArena};
//! use throng_bench::pace::{Pace, WallClock};
//! use throng_bench::random::Random;
//! use throng_bench::record::Contest;
//! use throng_bench::stats::Verdict;
//!
//! let sum = |count: u64| move || { black_box((0..black_box(count)).map(black_box).sum::<u64>()); };
//! let mut arena = CpuArena::default();
//! arena.add(1, sum(2_000));
//! arena.add(1, sum(20_000));
//! let mut contest = Contest::of(vec![1, 1]);
//! let rules = ContestRules { turn: CPU_TURN, rounds: [8, 20], margin: 0.03, seed: 1 };
//! let clock = WallClock::new(&|| false);
//! let pace = Pace { clock: &clock, deadline_secs: 10.0 };
//! run_contest(&mut arena, &mut contest, &[Pair::of(1, 0)], rules, pace, &mut Random::new(1))?;
//! // The second takes about ten times as long as the first.
//! assert_eq!(contest.ratios[0].verdict, Verdict::Slower);
//! assert!(contest.ratios[0].ratio < 0.3);
//! # Ok::<(), throng_bench::BenchError>(())
//! ```

pub mod arena;
pub mod contest;
pub mod cpu_arena;
pub mod curves;
pub mod entrant;
mod error;
pub mod experiment;
pub mod field;
pub mod glam_loop;
pub mod gpu_arena;
pub mod ladder;
pub mod machine;
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
