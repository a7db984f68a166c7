//! A frame of a crowd takes no memory: buffers grow in the first and are reused in all that follow.
#![allow(unsafe_code)] // A global allocator that counts can only be written with it.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Moves, Noise, Tree, any_times, character};
use throng_rig::{CrowdClip, CrowdPalette, CrowdPose};

/// Of all threads: this file has one test only, so that no other gets in between.
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: hands every call on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract for `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` by `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

#[test]
fn the_second_frame_allocates_nothing() {
    let character = character(40, Tree::Bushy, Moves::All, 3);
    let (clip, skin) = (&character.clips()[0], &character.skins()[0]);
    let crowd = CrowdClip::new(character.skeleton(), clip);
    let times = any_times(&mut Noise(4), clip, 500);

    let (mut pose, mut palette) = (CrowdPose::default(), CrowdPalette::default());
    let mut frame = || {
        crowd.sample(&times, &mut pose);
        palette.update(skin, &pose);
    };
    assert!(allocations(&mut frame) > 0, "the allocator does not count");
    assert_eq!(allocations(&mut frame), 0);

    let (mut pose, mut palette) = (CrowdPose::default(), CrowdPalette::default());
    let mut frame = || {
        crowd.sample_parallel(&times, &mut pose);
        palette.update_parallel(skin, &pose);
    };
    // Inside the pool: handing work to it from outside goes through a queue of its own, which grows.
    rayon::scope(|_| {
        assert!(allocations(&mut frame) > 0, "the allocator does not count");
        // What a thread needs when it first steals work comes once, whenever that is; what a frame needs
        // would come in every one.
        let fewest = (0..20).map(|_| allocations(&mut frame)).min();
        assert_eq!(fewest, Some(0));
    });
}
