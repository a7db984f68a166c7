//! One progress for many bakes.

use crate::Progress;

/// Steps of a whole search.
const ALL: usize = 1000;

/// A share of a search: what is done of it counts from one thousandth to another.
pub(super) struct Share<'p> {
    pub progress: &'p dyn Progress,
    pub from: usize,
    pub to: usize,
}

impl<'p> Share<'p> {
    /// All of it.
    pub fn all(progress: &'p dyn Progress) -> Self {
        Self {
            progress,
            from: 0,
            to: ALL,
        }
    }

    /// The part between two thousandths.
    pub fn part(&self, from: usize, to: usize) -> Self {
        let at = |thousandth: usize| self.from + (self.to - self.from) * thousandth / ALL;
        Share {
            progress: self.progress,
            from: at(from),
            to: at(to),
        }
    }

    /// One of so many equal parts.
    pub fn nth(&self, index: usize, count: usize) -> Self {
        self.part(ALL * index / count.max(1), ALL * (index + 1) / count.max(1))
    }
}

impl Progress for Share<'_> {
    fn step(&self, done: usize, total: usize) {
        let own = (self.to - self.from) * done.min(total) / total.max(1);
        self.progress.step(self.from + own, ALL);
    }
}
