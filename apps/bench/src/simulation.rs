//! Contestants with known frame times, on a clock that is not the machine's. For tests.

use std::rc::Rc;

use crate::BenchError;
use crate::arena::{Arena, FrameTimes};
use crate::pace::SimulatedClock;
use crate::random::Random;

/// Noise of frame times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Standard deviation of a frame, as a part.
    pub spread: f64,
    /// Part of the frames that take twice as long.
    pub second_mode: f64,
    /// Part by which the machine becomes slower and faster again, every 20 s.
    pub drift: f64,
}

/// Contestants whose frames take `fixed + each × instances` milliseconds, times noise.
pub struct SimulatedArena {
    costs: Vec<(f64, f64)>,
    instances: Vec<u32>,
    noise: Noise,
    random: Random,
    clock: Rc<SimulatedClock>,
}

impl SimulatedArena {
    pub fn new(costs: &[(f64, f64)], noise: Noise, seed: u64) -> Self {
        Self {
            costs: costs.to_vec(),
            instances: vec![0; costs.len()],
            noise,
            random: Random::new(seed ^ 0x5eed),
            clock: Rc::default(),
        }
    }

    /// Multiplies the frame times of a contestant.
    pub fn slow_down(&mut self, entrant: usize, factor: f64) {
        self.costs[entrant].0 *= factor;
        self.costs[entrant].1 *= factor;
    }

    /// Clock that the frames advance.
    pub fn clock(&self) -> Rc<SimulatedClock> {
        self.clock.clone()
    }
}

impl Arena for SimulatedArena {
    fn set_instances(&mut self, entrant: usize, instances: u32) -> Result<(), BenchError> {
        self.instances[entrant] = instances;
        Ok(())
    }

    fn frame(&mut self, entrant: usize) -> Result<FrameTimes, BenchError> {
        let (fixed, each) = self.costs[entrant];
        let Noise {
            spread,
            second_mode,
            drift,
        } = self.noise;
        let normal = (0..12).map(|_| self.random.unit()).sum::<f64>() - 6.0;
        let mode = match self.random.unit() < second_mode {
            true => 2.0,
            false => 1.0,
        };
        let secs = self.clock.0.get();
        let slow = 1.0 + drift * (0.5 + 0.5 * (secs * std::f64::consts::TAU / 20.0).sin());
        let ms = (fixed + each * f64::from(self.instances[entrant]))
            * (1.0 + spread * normal)
            * mode
            * slow;
        self.clock.0.set(secs + 1e-3 * ms);
        Ok(FrameTimes {
            whole_ms: ms,
            cpu_ms: 0.1 * ms,
            gpu_ms: None,
        })
    }
}
