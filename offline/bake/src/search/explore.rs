//! Candidates that cannot win but complete the frontier: what a larger or smaller error costs.

use throng_format::{Encoding, Precision, Storage};

use super::candidates::{CandidateSettings, Candidates};
use super::evaluator::{Evaluator, MeasuredSet};
use super::max_error::offer;
use super::{Goal, SearchSpace};
use crate::Progress;
use crate::progress_span::ProgressSpan;

/// Other errors that joint curves are compressed for, as multiples of the goal.
const ERROR_FACTORS: [f64; 2] = [4.0, 0.25];
/// Largest number of vertices of all frames for which joint curves are compressed again; more would take too long.
const MAX_VERTEX_FRAMES: u64 = 4_000_000;

/// Compresses joint curves for more and for less than an error, and probes frame candidates that were not evaluated
/// yet at the first rate: those of 16 bits of one bone and one vertex encoding, or all where encodings or the precision are
/// fixed; and the smallest of all. A set for less than the error that promises fewer bytes than the best is measured in full.
pub(super) fn explore_frontier(
    evaluator: &mut Evaluator<'_>,
    candidates: &mut Candidates,
    space: &SearchSpace,
    goal: Goal,
    best: &mut Option<MeasuredSet>,
    span: &ProgressSpan<'_>,
) {
    span.progress.stage("comparing other errors and encodings");
    if let Goal::MaxError { of_size } = goal
        && evaluator.vertex_frames() <= MAX_VERTEX_FRAMES
    {
        for (index, factor) in ERROR_FACTORS.into_iter().enumerate() {
            let span = span.between(0, 500).nth(index, ERROR_FACTORS.len());
            let Some(candidate) = candidates.joint_curves.first_mut() else {
                break;
            };
            let estimate = evaluator.estimate(candidate, factor * of_size, &span);
            let may_win = estimate.is_some_and(|(gpu_bytes, error)| {
                let is_smaller = |best: &MeasuredSet| gpu_bytes < best.gpu_bytes();
                error <= of_size && best.as_ref().is_none_or(is_smaller)
            });
            if may_win
                && let Some(measured_set) = evaluator.measure_estimate(candidate, factor * of_size)
                && measured_set.error() <= of_size
            {
                offer(best, measured_set);
            }
        }
    }
    let span = span.between(500, 1000);
    let count = candidates.frames.len();
    let is_fixed = space.encodings.is_some() || space.precision.is_some();
    let is_common = |candidate: &CandidateSettings| {
        candidate.storage == Storage::Frames(Precision::Unorm16)
            && matches!(candidate.encoding, Encoding::BoneQt | Encoding::Vertex)
    };
    for (index, candidate) in candidates.frames.iter_mut().enumerate() {
        let is_typical = candidate.is_first_rate && (is_fixed || is_common(candidate));
        if candidate.result.is_none() && (is_typical || index == 0) {
            evaluator.probe(candidate);
        }
        span.step(index + 1, count);
    }
}
