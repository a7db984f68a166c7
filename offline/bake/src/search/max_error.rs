//! The smallest set within an error.

use super::candidates::{CandidateSettings, Candidates};
use super::evaluator::{Evaluator, MeasuredSet};
use crate::Progress;
use crate::progress_span::ProgressSpan;

/// Most attempts at compressing curves: the first for the error itself.
const TRIES: usize = 2;
/// Smallest error that curves are compressed for, as a part of the goal.
const MIN_BUDGET: f64 = 0.2;

/// Finds the smallest set within an error. Evaluates compressed joint curves first, which are most often smallest, then
/// everything that is smaller than the best so far, fewest bytes first.
pub(super) fn find(
    evaluator: &mut Evaluator<'_>,
    candidates: &mut Candidates,
    of_size: f64,
    all: &ProgressSpan<'_>,
) -> Option<MeasuredSet> {
    let mut best: Option<MeasuredSet> = None;
    let joint_curves = &mut candidates.joint_curves;
    let count = joint_curves.len();
    let mut is_met = vec![false; evaluator.variant_count()];
    for (index, candidate) in joint_curves.iter_mut().enumerate() {
        let span = all.between(0, 900).nth(index, count);
        // Later candidates of the variant have higher rates, which are larger.
        if !is_met[candidate.variant]
            && let Some(measured_set) = compress_within(evaluator, candidate, of_size, &span)
        {
            is_met[candidate.variant] = true;
            offer(&mut best, measured_set);
        }
    }
    let frames = &mut candidates.frames;
    let count = frames.len();
    for (index, candidate) in frames.iter_mut().enumerate() {
        let span = all.between(900, 940).nth(index, count);
        if best
            .as_ref()
            .is_some_and(|best| candidate.gpu_bytes > best.gpu_bytes())
        {
            break;
        }
        let passes = evaluator
            .probe(candidate)
            .is_some_and(|error| evaluator.may_meet(candidate, error, of_size));
        let is_smaller = best
            .as_ref()
            .is_none_or(|best| candidate.gpu_bytes <= best.gpu_bytes());
        if passes
            && is_smaller
            && let Some(measured_set) = evaluator.measure_fully(candidate, of_size, &span)
            && measured_set.error() <= of_size
        {
            offer(&mut best, measured_set);
        }
        span.step(1, 1);
    }
    let vertex_curves = &mut candidates.vertex_curves;
    let count = vertex_curves.len();
    for (index, candidate) in vertex_curves.iter_mut().enumerate() {
        let span = all.between(940, 1000).nth(index, count);
        let may_be_smaller = best
            .as_ref()
            .is_none_or(|best| candidate.gpu_bytes < best.gpu_bytes());
        if may_be_smaller
            && let Some(measured_set) = compress_within(evaluator, candidate, of_size, &span)
        {
            offer(&mut best, measured_set);
        }
    }
    best
}

/// Compresses curves until they are within an error. `None` where they never are.
fn compress_within(
    evaluator: &mut Evaluator<'_>,
    candidate: &mut CandidateSettings,
    of_size: f64,
    span: &ProgressSpan<'_>,
) -> Option<MeasuredSet> {
    let mut budget = of_size;
    for attempt in 0..TRIES {
        // The first attempt is most often the last.
        let span = match attempt {
            0 => span.between(0, 950),
            _ => span.between(950, 1000).nth(attempt, TRIES),
        };
        let measured_set = evaluator.measure_fully(candidate, budget, &span)?;
        let over = measured_set.error() - of_size;
        if over <= 0.0 {
            return Some(measured_set);
        }
        budget -= 1.1 * over;
        if budget < MIN_BUDGET * of_size {
            break;
        }
    }
    None
}

/// Keeps the smaller set; of equals the more accurate, then the first.
pub(super) fn offer(best: &mut Option<MeasuredSet>, measured_set: MeasuredSet) {
    let better = best.as_ref().is_none_or(|best| {
        let by_bytes = measured_set.gpu_bytes().cmp(&best.gpu_bytes());
        by_bytes
            .then(measured_set.error().total_cmp(&best.error()))
            .is_lt()
    });
    if better {
        *best = Some(measured_set);
    }
}
