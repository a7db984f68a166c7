//! The difference of two playbacks over all times, on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;
use throng_simd::LANES;

use super::compare::AtTime;
use super::heat::HeatMap;
use super::measured_clip::{MeasuredClip, error_report};
use super::plan::MeasurePlan;
use super::playback::Playback;
use super::report::ErrorReport;
use super::tally::{Histograms, Tally};
use super::workers::{Pairing, PlayedWorker, PosedWorker};
use crate::Progress;

/// Number of times that are measured before their results are added up.
const BATCH: u64 = 4096;
/// Approximate bytes of two players per vertex.
const BYTES_A_VERTEX: usize = 700;
/// Approximate limit of the bytes of all players together; one player always runs.
const PLAYERS_BYTES: usize = 1 << 30;

/// Plays both and compares every vertex, normal and joint at every time of the plan. The result does not depend on the
/// number of threads.
///
/// # Panics
/// If the two do not have the plan's clips, parts and vertices.
pub fn measure(
    reference: &dyn Playback,
    tested: &dyn Playback,
    plan: &MeasurePlan,
    progress: &dyn Progress,
) -> ErrorReport {
    let (clips, _) = measure_clips(reference, tested, plan, false, progress);
    error_report(&clips, &plan.subject())
}

/// [`measure`], and the largest error of each vertex.
pub fn measure_with_heat(
    reference: &dyn Playback,
    tested: &dyn Playback,
    plan: &MeasurePlan,
    progress: &dyn Progress,
) -> (ErrorReport, HeatMap) {
    let (clips, heat) = measure_clips(reference, tested, plan, true, progress);
    (error_report(&clips, &plan.subject()), heat)
}

/// Measures each clip. The heat map is empty unless asked for.
pub(super) fn measure_clips(
    reference: &dyn Playback,
    tested: &dyn Playback,
    plan: &MeasurePlan,
    with_heat: bool,
    progress: &dyn Progress,
) -> (Vec<MeasuredClip>, HeatMap) {
    let fits = PLAYERS_BYTES / (BYTES_A_VERTEX * plan.vertices()).max(1);
    let count = rayon::current_num_threads().min(fits).max(1);
    let pairing = Pairing::new(reference, tested);
    let worker = |_| match &pairing {
        Some(pairing) => Worker::Posed(Box::new(PosedWorker::new(pairing, with_heat))),
        None => {
            let worker = PlayedWorker::new(reference, tested, plan, with_heat);
            Worker::Played(Box::new(worker))
        }
    };
    let mut workers: Vec<Worker> = (0..count).map(worker).collect();
    let total = plan.times() as usize;
    let done = AtomicUsize::new(0);
    let tick = || progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, total);
    let mut clips = Vec::with_capacity(plan.clips.len());
    for (index, clip) in plan.clips.iter().enumerate() {
        let tally = measure_clip(plan, index, &mut workers, &tick);
        clips.push(MeasuredClip::new(clip, tally));
    }
    let heat = workers.into_iter().filter_map(Worker::into_heat);
    (clips, HeatMap::largest_of_squares(heat))
}

fn measure_clip(
    plan: &MeasurePlan,
    index: usize,
    workers: &mut [Worker],
    tick: &(dyn Fn() + Sync),
) -> Tally {
    let clip = &plan.clips[index];
    let mut tally = Tally::new();
    for start in (0..clip.len()).step_by(BATCH as usize) {
        let end = (start + BATCH).min(clip.len());
        let next = AtomicU64::new(start);
        let results = workers.par_iter_mut().flat_map_iter(|worker| {
            let at_once = worker.times_at_once();
            let mut results = Vec::new();
            loop {
                let first = next.fetch_add(at_once, Ordering::Relaxed);
                if first >= end {
                    return results;
                }
                let times = first..(first + at_once).min(end);
                worker.compare(plan, index, times.clone(), &mut results);
                times.for_each(|_| tick());
            }
        });
        let mut results: Vec<AtTime> = results.collect();
        results.sort_unstable_by_key(|at| at.index);
        for at in &results {
            tally.add(index, at);
        }
    }
    for worker in workers {
        worker.take_histograms(&mut tally.histograms);
    }
    tally
}

/// Players and buffers of one thread.
enum Worker<'a> {
    /// Two playbacks of joints.
    Posed(Box<PosedWorker<'a>>),
    /// Any other two.
    Played(Box<PlayedWorker<'a>>),
}

impl Worker<'_> {
    /// Number of times that are compared at once.
    fn times_at_once(&self) -> u64 {
        match self {
            Self::Posed(_) => LANES as u64,
            Self::Played(_) => 1,
        }
    }

    fn compare(
        &mut self,
        plan: &MeasurePlan,
        clip: usize,
        times: Range<u64>,
        out: &mut Vec<AtTime>,
    ) {
        match self {
            Self::Posed(worker) => worker.compare(plan, clip, times, out),
            Self::Played(worker) => out.extend(times.map(|time| worker.at(plan, clip, time))),
        }
    }

    fn take_histograms(&mut self, out: &mut Histograms) {
        match self {
            Self::Posed(worker) => worker.take_histograms(out),
            Self::Played(worker) => out.take(&mut worker.histograms),
        }
    }

    /// Returns the largest squared error of each vertex, where a heat map is asked for.
    fn into_heat(self) -> Option<Vec<Vec<f32>>> {
        match self {
            Self::Posed(worker) => worker.into_heat(),
            Self::Played(worker) => worker.heat,
        }
    }
}
