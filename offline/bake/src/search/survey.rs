//! What else there is: a frontier shows what more or less of an error costs.

use super::Goal;
use super::bench::Bench;
use super::candidates::Candidates;
use super::steps::Share;
use crate::Progress;

/// Other errors that joints are packed for, in parts of the goal.
const AROUND: [f64; 2] = [4.0, 0.25];
/// Vertices of all frames that this is done for; with more it takes too long.
const QUICK: u64 = 4_000_000;

/// Packs joints for more and for less than an error, and probes what was not looked at yet: at the first
/// rate alone, and the smallest of all.
pub(super) fn look_around(
    bench: &mut Bench<'_>,
    candidates: &mut Candidates,
    goal: Goal,
    share: &Share<'_>,
) {
    if let Goal::MaxError { of_size } = goal
        && bench.vertex_frames() <= QUICK
    {
        for (index, factor) in AROUND.into_iter().enumerate() {
            let share = share.part(0, 500).nth(index, AROUND.len());
            if let Some(candidate) = candidates.joint_tracks.first_mut() {
                bench.full(candidate, factor * of_size, &share);
            }
        }
    }
    let share = share.part(500, 1000);
    let count = candidates.plain.len();
    for (index, candidate) in candidates.plain.iter_mut().enumerate() {
        if candidate.seen.is_none() && (candidate.is_first_rate || index == 0) {
            bench.probe(candidate);
        }
        share.step(index + 1, count);
    }
}
