//! The most accurate set that fits.

use super::bench::{Bench, Trial};
use super::candidates::{Candidate, Candidates};
use super::steps::Share;
use crate::Progress;

/// How often joints are packed.
const JOINT_PACKS: usize = 5;
/// How often vertices are.
const VERTEX_PACKS: usize = 4;
/// Plain sets that are measured in full.
const FULL: usize = 3;
/// What curves are packed for, in parts of the size: nothing is seen of what is finer, and what is coarser
/// is no character any more.
const ERRORS: [f64; 2] = [1e-6, 0.1];
/// Bytes that are this near to the limit are near enough.
const FILLED: f64 = 0.96;
/// Errors that are this near to each other, as logarithms, are the same.
const SAME_ERROR: f64 = 0.02;
/// How bytes fall with the error, as a power: a first guess.
const FALL: f64 = 0.25;

/// Curves packed for the error that just fits, and the plain sets whose probes are best.
pub(super) fn find(
    bench: &mut Bench<'_>,
    candidates: &mut Candidates,
    limit: u64,
    all: &Share<'_>,
) -> Option<Trial> {
    let mut best: Option<Trial> = None;
    let [joints, vertices] = [
        (&mut candidates.joint_tracks, JOINT_PACKS, all.part(0, 500)),
        (
            &mut candidates.vertex_tracks,
            VERTEX_PACKS,
            all.part(500, 700),
        ),
    ];
    for (tracks, packs, share) in [joints, vertices] {
        let count = tracks.len();
        for (index, candidate) in tracks.iter_mut().enumerate() {
            if candidate.gpu_bytes <= limit {
                let share = share.nth(index, count);
                fill(bench, candidate, limit, packs, &share, &mut best);
            }
        }
    }
    let plain = &mut candidates.plain;
    let fitting = plain.partition_point(|candidate| candidate.gpu_bytes <= limit);
    let share = all.part(700, 800);
    let mut probed: Vec<(f64, usize)> = Vec::new();
    for (index, candidate) in plain[..fitting].iter_mut().enumerate() {
        probed.extend(bench.probe(candidate).map(|error| (error, index)));
        share.step(index + 1, fitting);
    }
    // A stable sort: of equals, the smaller first.
    probed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (rank, (error, index)) in probed.into_iter().take(FULL).enumerate() {
        let candidate = &mut plain[index];
        let may_win = best
            .as_ref()
            .is_none_or(|best| bench.may_meet(candidate, error, best.error()));
        if !may_win {
            continue;
        }
        let share = all.part(800, 1000).nth(rank, FULL);
        let max_error = bench.base.max_error_of_size;
        if let Some(trial) = bench.full(candidate, max_error, &share) {
            offer(&mut best, trial, limit);
        }
    }
    best
}

/// Keeps the more accurate of those that fit, of equals the smaller, of those the first.
fn offer(best: &mut Option<Trial>, trial: Trial, limit: u64) {
    let better = best.as_ref().is_none_or(|best| {
        let by_error = trial.error().total_cmp(&best.error());
        by_error
            .then(trial.gpu_bytes().cmp(&best.gpu_bytes()))
            .is_lt()
    });
    if better && trial.gpu_bytes() <= limit {
        *best = Some(trial);
    }
}

/// Packs curves for one error after another, closing in on the limit.
fn fill(
    bench: &mut Bench<'_>,
    candidate: &mut Candidate,
    limit: u64,
    packs: usize,
    share: &Share<'_>,
    best: &mut Option<Trial>,
) {
    let [finest, coarsest] = ERRORS.map(f64::ln);
    let mut bracket = Bracket::default();
    let mut at = bench.base.max_error_of_size.ln().clamp(finest, coarsest);
    for pack in 0..packs {
        let Some(trial) = bench.full(candidate, at.exp(), &share.nth(pack, packs)) else {
            return;
        };
        let bytes = trial.gpu_bytes();
        offer(best, trial, limit);
        let point = (at, (bytes as f64).ln());
        if bytes > limit {
            bracket.too_large = Some(point);
        } else if bytes as f64 >= FILLED * limit as f64 {
            return;
        } else {
            bracket.fits = Some(point);
        }
        let next = bracket.next((limit as f64).ln()).clamp(finest, coarsest);
        if (next - at).abs() < SAME_ERROR {
            return;
        }
        at = next;
    }
}

/// Logarithms of errors, and of the bytes that they take.
#[derive(Debug, Default)]
struct Bracket {
    too_large: Option<(f64, f64)>,
    fits: Option<(f64, f64)>,
}

impl Bracket {
    /// The error to try next, for so many bytes.
    fn next(&self, bytes: f64) -> f64 {
        // A step of at least twice the error, so that there are two sides soon.
        let step = |from: f64| ((from - bytes).abs() / FALL).max(2f64.ln());
        match (self.too_large, self.fits) {
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
