//! The most accurate set within a number of GPU bytes.

use super::candidates::{CandidateSettings, Candidates};
use super::evaluator::{Evaluator, MeasuredSet};
use crate::Progress;
use crate::progress_span::ProgressSpan;

/// Most attempts at compressing joint curves.
const JOINT_TRIES: usize = 14;
/// Most attempts at compressing vertex curves.
const VERTEX_TRIES: usize = 8;
/// Number of frame candidates that are measured in full.
const MAX_FULL: usize = 3;
/// Range of errors that curves are compressed for, as parts of the size. A smaller error is invisible, a larger one
/// destroys the character.
const ERRORS: [f64; 2] = [1e-6, 0.1];
/// Part of the byte limit that counts as filled.
const FILLED: f64 = 0.96;
/// Difference of the logarithms of two errors below which they count as equal.
const SAME_ERROR: f64 = 0.005;
/// First guess of the exponent in `bytes ∝ error^-FALL`.
const FALL: f64 = 0.25;

/// Finds the most accurate set that fits: curves compressed for the smallest error that fits, and the frame candidates
/// with the best probes.
pub(super) fn find(
    evaluator: &mut Evaluator<'_>,
    candidates: &mut Candidates,
    limit: u64,
    all: &ProgressSpan<'_>,
) -> Option<MeasuredSet> {
    let mut best: Option<MeasuredSet> = None;
    let [joints, vertices] = [
        (
            &mut candidates.joint_curves,
            JOINT_TRIES,
            all.between(0, 500),
        ),
        (
            &mut candidates.vertex_curves,
            VERTEX_TRIES,
            all.between(500, 700),
        ),
    ];
    for (curves, tries, span) in [joints, vertices] {
        let count = curves.len();
        for (index, candidate) in curves.iter_mut().enumerate() {
            if candidate.gpu_bytes <= limit {
                let span = span.nth(index, count);
                fill(evaluator, candidate, limit, tries, &span, &mut best);
            }
        }
    }
    let frames = &mut candidates.frames;
    let fitting = frames.partition_point(|candidate| candidate.gpu_bytes <= limit);
    let span = all.between(700, 800);
    let mut probed: Vec<(f64, usize)> = Vec::new();
    for (index, candidate) in frames[..fitting].iter_mut().enumerate() {
        probed.extend(evaluator.probe(candidate).map(|error| (error, index)));
        span.step(index + 1, fitting);
    }
    // The sort is stable: of equals, the smaller set comes first.
    probed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (rank, (error, index)) in probed.into_iter().take(MAX_FULL).enumerate() {
        let candidate = &mut frames[index];
        let may_win = best
            .as_ref()
            .is_none_or(|best| evaluator.may_meet(candidate, error, best.error()));
        if !may_win {
            continue;
        }
        let span = all.between(800, 1000).nth(rank, MAX_FULL);
        let max_error = evaluator.base.max_error_of_size;
        if let Some(measured_set) = evaluator.measure_fully(candidate, max_error, &span) {
            offer(&mut best, measured_set, limit);
        }
    }
    best
}

/// Keeps the more accurate of the sets that fit; of equals the smaller, then the first.
fn offer(best: &mut Option<MeasuredSet>, measured_set: MeasuredSet, limit: u64) {
    let better = best.as_ref().is_none_or(|best| {
        let by_error = measured_set.error().total_cmp(&best.error());
        by_error
            .then(measured_set.gpu_bytes().cmp(&best.gpu_bytes()))
            .is_lt()
    });
    if better && measured_set.gpu_bytes() <= limit {
        *best = Some(measured_set);
    }
}

/// Compresses curves for one error after another, closing in on the byte limit.
fn fill(
    evaluator: &mut Evaluator<'_>,
    candidate: &mut CandidateSettings,
    limit: u64,
    tries: usize,
    span: &ProgressSpan<'_>,
    best: &mut Option<MeasuredSet>,
) {
    let [finest, coarsest] = ERRORS.map(f64::ln);
    let mut bracket = Bracket::default();
    let mut at = evaluator
        .base
        .max_error_of_size
        .ln()
        .clamp(finest, coarsest);
    for attempt in 0..tries {
        let Some(measured_set) =
            evaluator.measure_fully(candidate, at.exp(), &span.nth(attempt, tries))
        else {
            return;
        };
        let bytes = measured_set.gpu_bytes();
        offer(best, measured_set, limit);
        let point = (at, (bytes as f64).ln());
        let fits = bytes <= limit;
        if fits && bytes as f64 >= FILLED * limit as f64 {
            return;
        }
        bracket.add(point, fits);
        let next = bracket.next((limit as f64).ln()).clamp(finest, coarsest);
        if (next - at).abs() < SAME_ERROR {
            return;
        }
        at = next;
    }
}

/// The tightest pair of (log error, log bytes) around the limit so far.
#[derive(Debug, Default)]
struct Bracket {
    too_large: Option<(f64, f64)>,
    fits: Option<(f64, f64)>,
    /// Number of times in a row that the same end moved; positive where it is the one that fits.
    streak: i32,
}

impl Bracket {
    /// Adds a point.
    fn add(&mut self, point: (f64, f64), fits: bool) {
        let end = if fits {
            &mut self.fits
        } else {
            &mut self.too_large
        };
        *end = Some(point);
        let sign = if fits { 1 } else { -1 };
        self.streak = if self.streak * sign > 0 {
            self.streak + sign
        } else {
            sign
        };
    }

    /// Returns the logarithm of the error to try next, for the logarithm of the byte limit.
    fn next(&self, bytes: f64) -> f64 {
        // Steps of at least a factor of two, so that the limit is soon enclosed.
        let step = |from: f64| ((from - bytes).abs() / FALL).max(2f64.ln());
        match (self.too_large, self.fits) {
            // Interpolation that keeps moving one end is slower than halving.
            (Some((fine, _)), Some((coarse, _))) if self.streak.abs() > 1 => 0.5 * (fine + coarse),
            (Some((fine, large)), Some((coarse, small))) => {
                let along = if large > small {
                    (large - bytes) / (large - small)
                } else {
                    0.5
                };
                fine + (coarse - fine) * along.clamp(0.1, 0.9)
            }
            (Some((fine, large)), None) => fine + step(large),
            (None, Some((coarse, small))) => coarse - step(small),
            (None, None) => ERRORS[0].ln(),
        }
    }
}
