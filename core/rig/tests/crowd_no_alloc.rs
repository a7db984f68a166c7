//! Only the first frame of a crowd allocates: later frames reuse its buffers.
#![allow(unsafe_code)] // A global allocator is an unsafe trait.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Channels, Noise, Tree, any_times, character};
use throng_rig::{CrowdClip, CrowdClips, CrowdFade, CrowdPalette, CrowdPlay, CrowdPose, Palette};

thread_local! {
    /// Allocations of this thread; the test harness allocates in other threads.
    static HERE: Cell<usize> = const { Cell::new(0) };
}

/// Allocations of all threads.
static ANYWHERE: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: passes every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HERE.with(|n| n.set(n.get() + 1));
        ANYWHERE.fetch_add(1, Ordering::Relaxed);
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

fn allocations_here(work: impl FnOnce()) -> usize {
    let before = HERE.get();
    work();
    HERE.get() - before
}

fn allocations_anywhere(work: impl FnOnce()) -> usize {
    let before = ANYWHERE.load(Ordering::Relaxed);
    work();
    ANYWHERE.load(Ordering::Relaxed) - before
}

#[test]
fn second_frame_does_not_allocate() {
    let character = character(40, Tree::Bushy, Channels::All, 3);
    let (clip, skin) = (&character.clips()[0], &character.skins()[0]);
    let crowd = CrowdClip::new(character.skeleton(), clip);
    let times = any_times(&mut Noise(4), clip, 500);

    let (mut pose, mut palette) = (CrowdPose::default(), CrowdPalette::default());
    let mut frame = || {
        crowd.sample(&times, &mut pose);
        palette.update(skin, &pose);
    };
    assert!(
        allocations_here(&mut frame) > 0,
        "the allocator does not count"
    );
    assert_eq!(allocations_here(&mut frame), 0);

    let clips = CrowdClips::new(&character);
    let fades = times
        .iter()
        .enumerate()
        .map(|(index, &time_secs)| CrowdPlay {
            clip: 0,
            time_secs,
            fade: (index % 3 == 0).then_some(CrowdFade {
                clip: 0,
                time_secs: times[0],
                weight: 0.5,
            }),
        });
    let plays: Vec<CrowdPlay> = fades.collect();
    let (mut pose, mut palette) = (CrowdPose::default(), CrowdPalette::default());
    let (mut mixed, mut split) = (CrowdPose::default(), Palette::default());
    let mut frame = || {
        crowd.sample_parallel(&times, &mut pose);
        palette.update_parallel(skin, &pose);
        clips.sample_parallel(&plays, &mut mixed);
        palette.update_parallel(skin, &mixed);
        palette.split_into(1, skin, &mut split);
    };
    // Inside the pool: work from outside passes through a queue, which grows.
    rayon::scope(|_| {
        assert!(
            allocations_anywhere(&mut frame) > 0,
            "the allocator does not count"
        );
        // A thread allocates once, when it first steals work. Allocations of a frame would occur in every frame.
        let fewest = (0..20).map(|_| allocations_anywhere(&mut frame)).min();
        assert_eq!(fewest, Some(0));
    });
}
