//! One progress report for several tasks.

use crate::Progress;

/// Steps of a whole report.
const TOTAL: usize = 1000;

/// A span of a report, in thousandths: progress inside it is reported as progress of the whole.
pub(crate) struct ProgressSpan<'p> {
    pub progress: &'p dyn Progress,
    pub from: usize,
    pub to: usize,
}

impl<'p> ProgressSpan<'p> {
    /// The whole report.
    pub fn whole(progress: &'p dyn Progress) -> Self {
        Self {
            progress,
            from: 0,
            to: TOTAL,
        }
    }

    /// The span between two thousandths of this one.
    pub fn between(&self, from: usize, to: usize) -> Self {
        let at = |thousandth: usize| self.from + (self.to - self.from) * thousandth / TOTAL;
        ProgressSpan {
            progress: self.progress,
            from: at(from),
            to: at(to),
        }
    }

    /// The span at `index` of `count` equal ones.
    pub fn nth(&self, index: usize, count: usize) -> Self {
        self.between(
            TOTAL * index / count.max(1),
            TOTAL * (index + 1) / count.max(1),
        )
    }
}

impl Progress for ProgressSpan<'_> {
    fn step(&self, done: usize, total: usize) {
        let inside = (self.to - self.from) * done.min(total) / total.max(1);
        self.progress.step(self.from + inside, TOTAL);
    }

    fn stage(&self, name: &str) {
        self.progress.stage(name);
    }
}
