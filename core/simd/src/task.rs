//! Work that is compiled once per level, and its dispatch.

use crate::Level;
#[cfg(target_arch = "x86_64")]
use crate::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512::Avx512;
use crate::portable::Portable;
use crate::vector::{F32x8, Wide};

/// Work on 8 lanes. [`Level::run`] compiles it once per level.
///
/// `run` and everything that it calls with vectors must be `#[inline(always)]`: other code is compiled for
/// the baseline.
pub trait Task {
    /// Does the work.
    fn run<V: F32x8>(self);
}

/// Work on 8 or 16 lanes. [`Level::run_wide`] compiles it once per level.
///
/// `run` and everything that it calls with vectors must be `#[inline(always)]`: other code is compiled for
/// the baseline.
pub trait WideTask {
    /// Does the work.
    fn run<V: Wide>(self);
}

impl Level {
    /// Runs a task of 8 lanes with the instructions of this level. AVX-512 runs it as AVX2.
    ///
    /// # Panics
    /// If the machine lacks the level.
    pub fn run(self, task: impl Task) {
        self.check();
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the check above found AVX2, FMA and F16C.
            Self::Avx2 | Self::Avx512 => unsafe { run_avx2(task) },
            _ => task.run::<Portable>(),
        }
    }

    /// Runs a task of 8 or 16 lanes with the instructions of this level. Results that the task streamed
    /// are visible to all threads afterwards.
    ///
    /// # Panics
    /// If the machine lacks the level.
    pub fn run_wide(self, task: impl WideTask) {
        self.check();
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the check above found AVX2, FMA and F16C.
            Self::Avx2 => unsafe { run_wide_avx2(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the check above found AVX-512F, AVX2 and FMA.
            Self::Avx512 => unsafe { run_wide_avx512(task) },
            _ => task.run::<Portable>(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn run_avx2(task: impl Task) {
    task.run::<Avx2>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn run_wide_avx2(task: impl WideTask) {
    task.run::<Avx2>();
    fence();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn run_wide_avx512(task: impl WideTask) {
    task.run::<Avx512>();
    fence();
}

/// Makes streamed results visible to all threads.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fence() {
    // SAFETY: SSE is part of x86-64.
    unsafe { std::arch::x86_64::_mm_sfence() }
}
