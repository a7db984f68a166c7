//! The difference of two playbacks over all times, on all cores.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::compare::{AtTime, VertexSinks};
use super::heat::HeatMap;
use super::plan::{MeasurePlan, PlannedClip};
use super::playback::{Playback, Played, Player};
use super::report::{ClipErrors, ErrorReport};
use super::tally::{Histograms, Tally, unit};
use super::times::TimeKind;
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
    run(reference, tested, plan, false, progress).0
}

/// [`measure`], and the largest error of each vertex.
pub fn measure_with_heat(
    reference: &dyn Playback,
    tested: &dyn Playback,
    plan: &MeasurePlan,
    progress: &dyn Progress,
) -> (ErrorReport, HeatMap) {
    run(reference, tested, plan, true, progress)
}

fn run(
    reference: &dyn Playback,
    tested: &dyn Playback,
    plan: &MeasurePlan,
    with_heat: bool,
    progress: &dyn Progress,
) -> (ErrorReport, HeatMap) {
    let fits = PLAYERS_BYTES / (BYTES_A_VERTEX * plan.vertices()).max(1);
    let count = rayon::current_num_threads().min(fits).max(1);
    let mut workers: Vec<Worker> = (0..count)
        .map(|_| Worker::new(reference, tested, plan, with_heat))
        .collect();
    let total = plan.times() as usize;
    let done = AtomicUsize::new(0);
    let tick = || progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, total);
    let mut all = Tally::new();
    let mut clips = Vec::with_capacity(plan.clips.len());
    for (index, clip) in plan.clips.iter().enumerate() {
        let tally = measure_clip(plan, index, &mut workers, &tick);
        clips.push(ClipErrors {
            name: clip.source.name.clone(),
            duration_secs: clip.timeline.duration_secs,
            source_rate_hz: clip.timeline.rate_hz,
            looping: clip.looping,
            errors: tally.errors(plan),
        });
        all.merge(&tally);
    }
    let report = ErrorReport {
        size_m: plan.size_m,
        vertices: plan.vertices(),
        joints: plan.bone_points.len(),
        errors: all.errors(plan),
        clips,
    };
    let heat = workers.into_iter().filter_map(|worker| worker.heat);
    (report, HeatMap::largest_of_squares(heat))
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
        let take = || {
            let time = next.fetch_add(1, Ordering::Relaxed);
            (time < end).then_some(time)
        };
        let results = workers.par_iter_mut().flat_map_iter(|worker| {
            let times = std::iter::from_fn(take);
            times.map(|time| {
                let at = worker.at(plan, index, clip, time);
                tick();
                at
            })
        });
        let mut results: Vec<AtTime> = results.collect();
        results.sort_unstable_by_key(|at| at.index);
        for at in &results {
            tally.add(index, at);
        }
    }
    for worker in workers {
        tally.histograms.take(&mut worker.histograms);
    }
    tally
}

/// Players and buffers of one thread.
struct Worker<'a> {
    reference: Box<dyn Player + 'a>,
    tested: Box<dyn Player + 'a>,
    expected: Played,
    found: Played,
    histograms: Histograms,
    heat: Option<Vec<Vec<f32>>>,
}

impl<'a> Worker<'a> {
    fn new(
        reference: &'a dyn Playback,
        tested: &'a dyn Playback,
        plan: &MeasurePlan,
        with_heat: bool,
    ) -> Self {
        let parts = plan.character.parts().iter();
        let cold = |part| vec![0.0; plan.character.mesh_of(part).vertex_count()];
        Self {
            reference: reference.player(),
            tested: tested.player(),
            expected: Played::default(),
            found: Played::default(),
            histograms: Histograms::new(),
            heat: with_heat.then(|| parts.map(cold).collect()),
        }
    }

    fn at(&mut self, plan: &MeasurePlan, index: usize, clip: &PlannedClip, time: u64) -> AtTime {
        let planned = clip.at(time);
        // Across the seam the set is compared with itself: the step is what a viewer sees.
        let expected = match planned.kind {
            TimeKind::Seam => &mut self.tested,
            _ => &mut self.reference,
        };
        expected.play(index, planned.reference_secs, &mut self.expected);
        self.tested
            .play(index, planned.tested_secs, &mut self.found);
        let mut at = AtTime::new(time, planned.kind, planned.tested_secs);
        let size = unit(plan.size_m);
        let heat = self.heat.as_deref_mut();
        let mut sinks = VertexSinks {
            histogram: self.histograms.of(planned.kind),
            size_sq: size * size,
            heat: heat.filter(|_| planned.kind != TimeKind::Jump),
        };
        at.add_vertices(&self.expected, &self.found, &mut sinks);
        at.add_bones(&self.expected, &self.found, &plan.bone_points);
        at
    }
}
