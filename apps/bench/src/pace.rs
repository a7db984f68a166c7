//! Deadlines and interruptions.

use std::cell::Cell;
use std::time::Instant;

/// Reason to stop before the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    OutOfTime,
    /// The user interrupted the run.
    Interrupted,
}

/// Clock of a run.
pub trait Clock {
    /// Seconds since some moment.
    fn secs(&self) -> f64;

    /// True after an interruption.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// A clock, and the time by which a piece of work has to end.
#[derive(Clone, Copy)]
pub struct Pace<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Seconds of the clock at which to stop.
    pub deadline_secs: f64,
}

impl Pace<'_> {
    /// Returns the reason to stop now, if there is one.
    pub fn stop(&self) -> Option<Stop> {
        if self.clock.is_interrupted() {
            Some(Stop::Interrupted)
        } else if self.clock.secs() >= self.deadline_secs {
            Some(Stop::OutOfTime)
        } else {
            None
        }
    }

    /// Seconds until the deadline; 0 after it.
    pub fn left_secs(&self) -> f64 {
        (self.deadline_secs - self.clock.secs()).max(0.0)
    }

    /// The same clock with an earlier deadline: a part of the time that is left.
    pub fn part(&self, part: f64) -> Self {
        Self {
            deadline_secs: self.clock.secs() + part.clamp(0.0, 1.0) * self.left_secs(),
            ..*self
        }
    }
}

/// The clock of the machine.
pub struct WallClock<'a> {
    start: Instant,
    is_interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> WallClock<'a> {
    /// Starts at 0.
    pub fn new(is_interrupted: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            start: Instant::now(),
            is_interrupted,
        }
    }
}

impl Clock for WallClock<'_> {
    fn secs(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn is_interrupted(&self) -> bool {
        (self.is_interrupted)()
    }
}

/// A clock that is moved by hand.
#[derive(Debug, Default)]
pub struct SimulatedClock(pub Cell<f64>);

impl Clock for SimulatedClock {
    fn secs(&self) -> f64 {
        self.0.get()
    }
}
