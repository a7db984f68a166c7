//! The error at many equally spaced times: a check of the bound.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use super::bound::unique_points;
use super::plan::{MeasurePlan, PlannedClip};
use super::set::SetPlayback;
use super::source::SourcePlayback;
use super::tally::unit;
use crate::Progress;

/// Number of times that a thread takes at once.
const CHUNK: u64 = 32;

/// Errors at equally spaced times.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DenseErrors {
    /// Number of times per interval between samples of the source.
    pub per_source_frame: u32,
    /// Number of times of all clips, without intervals in which the source jumps.
    pub times: u64,
    /// Largest error.
    pub max_error_mm: f64,
    /// Largest error, as a part of the size.
    pub max_error_of_size: f64,
    /// Name of the clip with the largest error.
    pub clip_name: String,
    /// Time of the largest error, in seconds from the clip's start.
    pub time_secs: f64,
}

/// Compares every vertex at `per_interval` times per interval of the source.
pub(super) fn measure_densely(
    (reference, tested): (&SourcePlayback<'_>, &SetPlayback<'_>),
    plan: &MeasurePlan<'_>,
    per_interval: u32,
    progress: &dyn Progress,
) -> DenseErrors {
    let points = unique_points(plan);
    let steps = |clip: &PlannedClip<'_>| clip.timeline.intervals() * u64::from(per_interval);
    let total: u64 = plan.clips.iter().map(|clip| steps(clip) + 1).sum();
    let done = AtomicU64::new(0);
    let mut worst = (0.0, 0.0, 0);
    let mut times = 0;
    for (index, clip) in plan.clips.iter().enumerate() {
        let last = steps(clip);
        let jumps: Vec<[f64; 2]> = clip.timeline.jump_intervals().collect();
        let measure_chunk = |chunk: u64| {
            let (mut reference, mut tested) = (reference.points(), tested.points());
            let (mut worst, mut times) = ((0.0, 0.0), 0);
            for step in (chunk * CHUNK..=last).take(CHUNK as usize) {
                let time_secs = clip.timeline.duration_secs * (step as f64 / last.max(1) as f64);
                if jumps
                    .iter()
                    .any(|jump| (jump[0]..=jump[1]).contains(&time_secs))
                {
                    continue;
                }
                reference.seek(index, time_secs);
                tested.seek(index, time_secs);
                times += 1;
                for &(part, vertex) in &points {
                    let (part, vertex) = (part as usize, vertex as usize);
                    let error = tested.position(part, vertex) - reference.position(part, vertex);
                    let squared = error.length_squared();
                    if squared > worst.0 {
                        worst = (squared, time_secs);
                    }
                }
            }
            let done = done.fetch_add(CHUNK, Ordering::Relaxed) + CHUNK;
            progress.step(done.min(total) as usize, total as usize);
            (worst, times)
        };
        let chunks: Vec<((f64, f64), u64)> = (0..last / CHUNK + 1)
            .into_par_iter()
            .map(measure_chunk)
            .collect();
        for ((squared, time_secs), count) in chunks {
            times += count;
            if squared > worst.0 {
                worst = (squared, time_secs, index);
            }
        }
    }
    let (squared, time_secs, clip) = worst;
    DenseErrors {
        per_source_frame: per_interval,
        times,
        max_error_mm: 1e3 * squared.sqrt(),
        max_error_of_size: squared.sqrt() / unit(plan.size_m),
        clip_name: plan.clips[clip].source.name.clone(),
        time_secs,
    }
}
