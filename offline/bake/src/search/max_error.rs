//! The smallest set within an error.

use super::bench::{Bench, Trial};
use super::candidates::{Candidate, Candidates};
use super::steps::Share;
use crate::Progress;

/// How often curves are packed: the first time for the error itself.
const TRIES: usize = 2;
/// Less than this part of the error is not worth packing for.
const LEAST_BUDGET: f64 = 0.2;

/// Packed curves first, which are most often smallest; then everything that is smaller than the best so
/// far, fewest bytes first.
pub(super) fn find(
    bench: &mut Bench<'_>,
    candidates: &mut Candidates,
    of_size: f64,
    all: &Share<'_>,
) -> Option<Trial> {
    let mut best: Option<Trial> = None;
    let joint_tracks = &mut candidates.joint_tracks;
    let count = joint_tracks.len();
    let mut held = vec![false; bench.bodies()];
    for (index, candidate) in joint_tracks.iter_mut().enumerate() {
        let share = all.part(0, 500).nth(index, count);
        // A higher rate is larger.
        if !held[candidate.body]
            && let Some(trial) = hold(bench, candidate, of_size, &share)
        {
            held[candidate.body] = true;
            offer(&mut best, trial);
        }
    }
    let plain = &mut candidates.plain;
    let count = plain.len();
    for (index, candidate) in plain.iter_mut().enumerate() {
        let share = all.part(500, 700).nth(index, count);
        if best
            .as_ref()
            .is_some_and(|best| candidate.gpu_bytes > best.gpu_bytes())
        {
            break;
        }
        let passes = bench
            .probe(candidate)
            .is_some_and(|error| bench.may_meet(candidate, error, of_size));
        if passes
            && let Some(trial) = bench.full(candidate, of_size, &share)
            && trial.error() <= of_size
        {
            offer(&mut best, trial);
        }
        share.step(1, 1);
    }
    let vertex_tracks = &mut candidates.vertex_tracks;
    let count = vertex_tracks.len();
    for (index, candidate) in vertex_tracks.iter_mut().enumerate() {
        let share = all.part(700, 1000).nth(index, count);
        let may_be_smaller = best
            .as_ref()
            .is_none_or(|best| candidate.gpu_bytes < best.gpu_bytes());
        if may_be_smaller && let Some(trial) = hold(bench, candidate, of_size, &share) {
            offer(&mut best, trial);
        }
    }
    best
}

/// Packs curves until they are within an error; `None` where they are not.
fn hold(
    bench: &mut Bench<'_>,
    candidate: &mut Candidate,
    of_size: f64,
    share: &Share<'_>,
) -> Option<Trial> {
    let mut budget = of_size;
    for attempt in 0..TRIES {
        let trial = bench.full(candidate, budget, &share.nth(attempt, TRIES))?;
        let over = trial.error() - of_size;
        if over <= 0.0 {
            return Some(trial);
        }
        budget -= 1.1 * over;
        if budget < LEAST_BUDGET * of_size {
            break;
        }
    }
    None
}

/// Keeps the smaller, of equals the more accurate, of those the first.
fn offer(best: &mut Option<Trial>, trial: Trial) {
    let better = best.as_ref().is_none_or(|best| {
        let by_bytes = trial.gpu_bytes().cmp(&best.gpu_bytes());
        by_bytes
            .then(trial.error().total_cmp(&best.error()))
            .is_lt()
    });
    if better {
        *best = Some(trial);
    }
}
