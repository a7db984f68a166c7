//! Peak memory use of a function.
//!
//! Works in tests that declare `#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`.

#![allow(
    unsafe_code,
    reason = "GlobalAlloc is an unsafe trait; this allocator counts and forwards every call"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The system allocator, counting live and peak bytes per process and per thread.
#[derive(Debug)]
pub struct CountingAllocator;

static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    static THREAD_LIVE: Cell<isize> = const { Cell::new(0) };
    static THREAD_PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Adds to the counts of the process and of the thread. While a thread exits, only the process counts.
fn add(bytes: isize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
    let _ = THREAD_LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = THREAD_PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: every call is forwarded to the system allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The old and the new block may both be live during the copy.
        add(size as isize);
        add(-(layout.size() as isize));
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs a function and returns its result and the peak bytes that the calling thread allocated on top of
/// what was live before. Other tests may run at the same time.
pub fn peak_of_thread<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = THREAD_LIVE.get();
    THREAD_PEAK.set(before);
    let result = run();
    (result, (THREAD_PEAK.get() - before) as usize)
}

/// Runs a function and returns its result and the peak bytes that all threads allocated on top of what
/// was live before. Nothing else may run at the same time.
pub fn peak_of_process<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    (result, (PEAK.load(Ordering::Relaxed) - before) as usize)
}

/// Runs a function and returns its result and the peak of resident memory on top of what was resident before, in bytes:
/// also that of C code. `None` where the system does not tell (Linux does). Nothing else may run at the same time.
pub fn peak_resident<T>(run: impl FnOnce() -> T) -> (T, Option<usize>) {
    // Writing 5 resets the peak.
    let is_reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = resident("VmRSS:");
    let result = run();
    let peak = resident("VmHWM:").zip(before);
    let grown = peak.map(|(peak, before)| peak.saturating_sub(before));
    (result, grown.filter(|_| is_reset))
}

/// Returns a size of `/proc/self/status`, in bytes.
fn resident(field: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
