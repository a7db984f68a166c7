//! Other work on batches, compiled for the instructions of each level.
#![allow(unsafe_code)] // Calls into code that is compiled for more than the baseline.

use super::Level;
use super::simd::eight::Eight;
#[cfg(target_arch = "x86_64")]
use super::simd::eight::avx2::Avx2;
use super::simd::eight::plain::Plain;

/// Work that [`Level::run`] compiles once a level.
///
/// All that it calls should be `#[inline(always)]`: what is not inlined is compiled for the baseline.
pub trait Task {
    /// Does it, eight numbers at a time.
    fn run<V: Eight>(self);
}

impl Level {
    /// Does a task with the instructions of this level. Numbers come out the same at every level.
    ///
    /// # Panics
    /// Where the machine lacks the level.
    pub fn run(self, task: impl Task) {
        self.check();
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the level is available, and has what the function asks for.
            Self::Avx2 | Self::Avx512 => unsafe { run_avx2(task) },
            _ => task.run::<Plain>(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn run_avx2(task: impl Task) {
    task.run::<Avx2>();
}
