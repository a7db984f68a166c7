//! Progress bars on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use throng_bake::Progress;

/// Progress bar of one task.
pub struct Bar {
    bar: ProgressBar,
    /// Largest step so far.
    most: AtomicU64,
}

impl Bar {
    /// Shows a bar, unless standard error is not a terminal.
    pub fn new(task: &str) -> Self {
        let target = if stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        let style = ProgressStyle::with_template("  {msg:24} {wide_bar} {percent:>3} %");
        bar.set_style(style.expect("a valid template"));
        bar.set_message(task.to_owned());
        Self {
            bar,
            most: AtomicU64::new(0),
        }
    }
}

impl Progress for Bar {
    fn step(&self, done: usize, total: usize) {
        // Steps come from any thread in any order; the bar only moves forward.
        let before = self.most.fetch_max(done as u64, Ordering::Relaxed);
        if done as u64 >= before {
            self.bar.set_length(total as u64);
            self.bar.set_position(done as u64);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
