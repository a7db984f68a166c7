//! The smallest set within an error.

use super::bench::{Bench, Trial};
use super::candidates::{Candidate, Candidates};
use super::steps::Share;
use crate::Progress;

/// How often curves are packed: the first time for the error itself.
const TRIES: usize = 2;
/// Less than this part of the error is not worth packing for.
const LEAST_BUDGET: f64 = 0.2;

/// Other errors that joints are packed for, in parts of the goal, to show what more or less of it costs.
const AROUND: [f64; 2] = [4.0, 0.25];
/// Vertices of all frames that this is done for; with more it takes too long.
const QUICK: u64 = 4_000_000;

/// Packed curves first, which are most often smallest; then everything that is smaller than the best so
/// far, fewest bytes first.
pub(super) fn find(
    bench: &mut Bench<'_>,
    candidates: Candidates,
    of_size: f64,
    progress: &dyn Progress,
) -> Option<Trial> {
    let all = Share::all(progress);
    let mut best: Option<Trial> = None;
    let mut joint_tracks = candidates.joint_tracks;
    let count = joint_tracks.len();
    for (index, candidate) in joint_tracks.iter_mut().enumerate() {
        let share = all.part(0, 500).nth(index, count);
        if let Some(trial) = hold(bench, candidate, of_size, &share) {
            offer(&mut best, trial);
        }
    }
    let mut plain = candidates.plain;
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
    let mut vertex_tracks = candidates.vertex_tracks;
    let count = vertex_tracks.len();
    for (index, candidate) in vertex_tracks.iter_mut().enumerate() {
        let share = all.part(700, 800).nth(index, count);
        let may_be_smaller = best
            .as_ref()
            .is_none_or(|best| candidate.gpu_bytes < best.gpu_bytes());
        if may_be_smaller && let Some(trial) = hold(bench, candidate, of_size, &share) {
            offer(&mut best, trial);
        }
    }
    if bench.vertex_frames() <= QUICK {
        for (index, factor) in AROUND.into_iter().enumerate() {
            let share = all.part(800, 900).nth(index, AROUND.len());
            if let Some(candidate) = joint_tracks.first_mut() {
                bench.full(candidate, factor * of_size, &share);
            }
        }
    }
    look_around(bench, &mut plain, &all.part(900, 1000));
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

/// Probes what was not looked at yet, at the first rate alone, and the smallest of all: a frontier is for
/// seeing what else there is.
pub(super) fn look_around(bench: &mut Bench<'_>, plain: &mut [Candidate], share: &Share<'_>) {
    let count = plain.len();
    for (index, candidate) in plain.iter_mut().enumerate() {
        if candidate.seen.is_none() && (candidate.is_first_rate || index == 0) {
            bench.probe(candidate);
        }
        share.step(index + 1, count);
    }
}
