//! Candidates that cannot win but complete the frontier: what a larger or smaller error costs.

use throng_format::{Precision, Storage};

use super::Goal;
use super::candidates::Candidates;
use super::evaluator::Evaluator;
use crate::Progress;
use crate::progress_span::ProgressSpan;

/// Other errors that joint curves are compressed for, as multiples of the goal.
const ERROR_FACTORS: [f64; 2] = [4.0, 0.25];
/// Largest number of vertices of all frames for which joint curves are compressed again; more would take too long.
const MAX_VERTEX_FRAMES: u64 = 4_000_000;

/// Compresses joint curves for more and for less than an error, and probes frame candidates that were not evaluated
/// yet: of each encoding that of 16 bits, or of the fixed precision, at the first rate, and the smallest of all.
pub(super) fn explore_frontier(
    evaluator: &mut Evaluator<'_>,
    candidates: &mut Candidates,
    goal: Goal,
    span: &ProgressSpan<'_>,
) {
    span.progress.stage("comparing other errors and encodings");
    if let Goal::MaxError { of_size } = goal
        && evaluator.vertex_frames() <= MAX_VERTEX_FRAMES
    {
        for (index, factor) in ERROR_FACTORS.into_iter().enumerate() {
            let span = span.between(0, 500).nth(index, ERROR_FACTORS.len());
            if let Some(candidate) = candidates.joint_curves.first_mut() {
                evaluator.estimate(candidate, factor * of_size, &span);
            }
        }
    }
    let span = span.between(500, 1000);
    let count = candidates.frames.len();
    let has_common = |storage| storage == Storage::Frames(Precision::Unorm16);
    let is_fixed = !candidates.frames.iter().any(|c| has_common(c.storage));
    for (index, candidate) in candidates.frames.iter_mut().enumerate() {
        let is_typical = candidate.is_first_rate && (is_fixed || has_common(candidate.storage));
        if candidate.result.is_none() && (is_typical || index == 0) {
            evaluator.probe(candidate);
        }
        span.step(index + 1, count);
    }
}
