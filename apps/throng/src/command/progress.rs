//! Progress on standard error.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use throng_bake::Progress;

/// Time after which the remaining time is estimated.
const ESTIMATE_AFTER: Duration = Duration::from_secs(1);

/// Progress of one task: a bar with the stage and the time left on a terminal, and a line per stage elsewhere.
pub struct Bar {
    task: String,
    bar: ProgressBar,
    is_terminal: bool,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stage: String,
    /// Largest part of the task that was reported as done, from 0 to 1.
    done: f64,
}

impl Bar {
    /// Shows a bar, unless standard error is not a terminal.
    pub fn new(task: &str) -> Self {
        let is_terminal = stderr().is_terminal();
        let target = if is_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        let style = ProgressStyle::with_template("  {prefix} {wide_bar} {percent:>3} % {msg:>12}");
        bar.set_style(style.expect("a valid template"));
        bar.set_prefix(task.to_owned());
        Self {
            task: task.to_owned(),
            bar,
            is_terminal,
            start: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Estimates the time left, such as `12 s left`; empty while there is nothing to go by.
    fn time_left(&self, done: f64) -> String {
        let elapsed = self.start.elapsed();
        if elapsed < ESTIMATE_AFTER || done <= 0.0 {
            return String::new();
        }
        let secs = (elapsed.as_secs_f64() * (1.0 - done) / done).ceil();
        match secs as u64 {
            secs @ 0..120 => format!("{secs} s left"),
            secs => format!("{} min left", secs.div_ceil(60)),
        }
    }
}

/// Steps of a bar.
const STEPS: u64 = 1000;

impl Progress for Bar {
    fn step(&self, done: usize, total: usize) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        // Steps come from any thread in any order; the bar only moves forward.
        let part = done as f64 / total.max(1) as f64;
        if part > state.done {
            state.done = part.min(1.0);
            if self.is_terminal {
                self.bar.set_position((STEPS as f64 * state.done) as u64);
                self.bar.set_message(self.time_left(state.done));
            }
        }
    }

    fn stage(&self, name: &str) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        if state.stage == name {
            return;
        }
        name.clone_into(&mut state.stage);
        self.bar.set_prefix(format!("{}: {name}", self.task));
        if !self.is_terminal {
            let left = self.time_left(state.done);
            let left = if left.is_empty() {
                left
            } else {
                format!(", {left}")
            };
            // A reader that has gone away must not end the work.
            let _ = writeln!(stderr(), "progress: {}: {name}{left}", self.task);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
