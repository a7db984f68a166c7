//! How many bytes of memory something needs at its worst moment.
//!
//! For tests that say `#[global_allocator] static ALLOCATOR: Counting = Counting;`.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait; this one only counts and passes on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The system's allocator, which counts.
#[derive(Debug)]
pub struct Counting;

static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    static OWN_LIVE: Cell<isize> = const { Cell::new(0) };
    static OWN_PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Counts for the process and for the thread. A thread that ends no longer counts.
fn add(bytes: isize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
    let _ = OWN_LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = OWN_PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there while one is copied.
        add(size as isize);
        add(-(layout.size() as isize));
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs something; gives what its own thread needed on top of what there was. Tests may run side by side.
pub fn peak_of_thread<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = OWN_LIVE.get();
    OWN_PEAK.set(before);
    let result = run();
    (result, (OWN_PEAK.get() - before) as usize)
}

/// Runs something; gives what all threads needed on top of what there was. Nothing else may run.
pub fn peak_of_process<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    (result, (PEAK.load(Ordering::Relaxed) - before) as usize)
}
