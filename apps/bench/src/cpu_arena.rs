//! Contestants that are closures on the CPU, for kernels without a device.

use std::time::Instant;

use crate::BenchError;
use crate::arena::{Arena, FrameTimes, TurnLength};

/// Shortest duration of a batch of runs, in milliseconds, because clocks are read in tens of nanoseconds.
const BATCH_MS: f64 = 0.25;

/// Duration of a frame of short closures, in milliseconds: several batches, of which the fastest counts.
const FRAME_MS: f64 = 1.0;

/// Most runs per batch.
const MAX_RUNS: f64 = 1e6;

/// Timings by which the runs of a batch are chosen.
const TRIALS: usize = 5;

/// Turns of closures: up to 8 frames, about 10 ms, so that the contestants of a round run under the same conditions. The
/// frame that is not counted brings the contestant's data into the cache.
pub const CPU_TURN: TurnLength = TurnLength {
    settle_ms: 0.0,
    sample_ms: 20.0,
    max_frames: 8,
};

/// Closures that are timed.
///
/// A frame runs one of them for about a millisecond, or once if that takes longer. Its times are those of a single run, in the
/// fastest of a few batches: other work on the machine only ever slows a closure down.
#[derive(Default)]
pub struct CpuArena<'a> {
    kernels: Vec<Kernel<'a>>,
}

struct Kernel<'a> {
    run: Box<dyn FnMut() + 'a>,
    instances: u32,
    /// Batches per frame and runs per batch; `None` before the first frame.
    plan: Option<[u32; 2]>,
}

impl<'a> CpuArena<'a> {
    /// Adds a closure and returns its index. `instances` is the work of one run, such as a number of vertices: throughput is
    /// instances per second.
    pub fn add(&mut self, instances: u32, run: impl FnMut() + 'a) -> usize {
        self.kernels.push(Kernel {
            run: Box::new(run),
            instances,
            plan: None,
        });
        self.kernels.len() - 1
    }

    /// Number of closures.
    pub fn len(&self) -> usize {
        self.kernels.len()
    }

    /// True without closures.
    pub fn is_empty(&self) -> bool {
        self.kernels.is_empty()
    }

    /// Work of one run of a closure.
    pub fn instances(&self, entrant: usize) -> u32 {
        self.kernels[entrant].instances
    }
}

impl Arena for CpuArena<'_> {
    /// The work of a closure is fixed: any other number is an error.
    fn set_instances(&mut self, entrant: usize, instances: u32) -> Result<(), BenchError> {
        let expected = self.instances(entrant);
        match instances == expected {
            true => Ok(()),
            false => Err(BenchError::FixedWork {
                expected,
                found: instances,
            }),
        }
    }

    fn frame(&mut self, entrant: usize) -> Result<FrameTimes, BenchError> {
        let kernel = &mut self.kernels[entrant];
        let [batches, runs] = match kernel.plan {
            Some(plan) => plan,
            None => *kernel.plan.insert(plan(&mut kernel.run)),
        };
        let batches = (0..batches).map(|_| time_ms(&mut kernel.run, runs));
        let ms = batches.fold(f64::INFINITY, f64::min) / f64::from(runs);
        Ok(FrameTimes {
            whole_ms: ms,
            cpu_ms: ms,
            gpu_ms: None,
        })
    }
}

/// Chooses the batches per frame and the runs per batch.
fn plan(run: &mut dyn FnMut()) -> [u32; 2] {
    // The first run allocates.
    run();
    let mut runs = 1;
    while time_ms(run, runs) < 0.1 * BATCH_MS && f64::from(runs) < MAX_RUNS {
        runs *= 2;
    }
    let trials = (0..TRIALS).map(|_| time_ms(run, runs));
    let run_ms = trials.fold(f64::INFINITY, f64::min).max(1e-6) / f64::from(runs);
    let runs = (BATCH_MS / run_ms).clamp(1.0, MAX_RUNS).ceil();
    let batches = (FRAME_MS / (runs * run_ms)).round().max(1.0);
    [batches as u32, runs as u32]
}

fn time_ms(run: &mut dyn FnMut(), runs: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..runs {
        run();
    }
    1e3 * start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::hint::black_box;

    use super::*;
    use crate::arena::take_turn;
    use crate::contest::{ContestRules, Pair, run_contest};
    use crate::pace::{Pace, WallClock};
    use crate::random::Random;
    use crate::record::Contest;
    use crate::stats::Verdict;

    /// Multiplications of which each needs the one before it.
    fn chain(length: u32) -> impl FnMut() {
        move || {
            let mut value = black_box(1.000_1_f64);
            for _ in 0..length {
                value *= black_box(1.000_1);
            }
            black_box(value);
        }
    }

    #[test]
    fn a_closure_with_four_times_the_work_is_slower() {
        let mut arena = CpuArena::default();
        for length in [10_000, 40_000] {
            arena.add(1000, chain(length));
        }
        let mut contest = Contest::of(vec![1000; 2]);
        let rules = ContestRules {
            turn: CPU_TURN,
            rounds: [8, 60],
            margin: 0.1,
            seed: 1,
        };
        let clock = WallClock::new(&|| false);
        let pace = Pace {
            clock: &clock,
            deadline_secs: 30.0,
        };
        let pairs = [Pair::of(1, 0)];
        let random = &mut Random::new(1);
        run_contest(&mut arena, &mut contest, &pairs, rules, pace, random).unwrap();
        let slower = &contest.ratios[0];
        assert_eq!(slower.verdict, Verdict::Slower, "{slower:?}");
    }

    #[test]
    fn times_are_those_of_a_single_run() {
        let count = Cell::new(0_u32);
        let mut work = chain(2_000);
        let mut arena = CpuArena::default();
        arena.add(5, || {
            count.set(count.get() + 1);
            work();
        });
        let turn = take_turn(&mut arena, 0, 5, CPU_TURN).unwrap();
        assert_eq!(turn.frames_ms.len(), 8);
        // A multiplication takes at least half a nanosecond.
        assert!(
            turn.mean_ms() > 1e-3 && turn.mean_ms() < 0.5 * FRAME_MS,
            "{turn:?}"
        );
        assert!(count.get() > 20, "{}", count.get());
        assert_eq!(turn.rating(), 5e3 / turn.mean_ms());
    }

    #[test]
    fn rejects_another_number_of_instances() {
        let mut arena = CpuArena::default();
        arena.add(7, || {});
        let error = arena.set_instances(0, 8).unwrap_err().to_string();
        assert_eq!(
            error,
            "the contestant processes 7 instances per run, found 8"
        );
    }
}
