//! Error budgets of joints: the fewest bits whose vertices stay within the maximum error.
//!
//! Budgets start from those that would cost least if all curves cost the same. Each round then moves them to joints whose
//! vertices still have room.

use glam::{DAffine3, DVec3};
use throng_rig::Clip;

use super::LocalRig;
use super::channels::Channels;
use super::segment::{Attempt, Segment, SegmentContext};
use crate::curves::{Bases, SegmentCurves};

/// Part of the maximum error that probes must keep; the rest is for vertices that are not probes.
const PROBE_ERROR: f64 = 0.97;

/// An encoded segment.
#[derive(Debug)]
pub struct Encoded {
    /// All curves of the segment.
    pub curves: SegmentCurves,
    /// Largest error of a vertex, as a part of the maximum error.
    pub worst: f64,
    /// Bits of all keys.
    pub bits: usize,
}

/// Number of rounds in which budgets may grow and shrink.
const ROUNDS: usize = 12;
/// Number of times that vertices with too large an error are added to the probes.
const SEARCHES: usize = 3;

/// Encodes the segment of a clip between two times.
pub fn encode(
    context: SegmentContext<'_>,
    bases: &Bases,
    clip: &Clip,
    from: f64,
    to: f64,
) -> Encoded {
    let mut segment = Segment::sample(context, bases, clip, from, to);
    let mut budgets = initial_budgets(context.rig, context.channels);
    let mut best: Option<Encoded> = None;
    for _ in 0..SEARCHES {
        let (attempt, is_within) = segment.search(&mut budgets);
        let found = segment.worst_vertices(&attempt.model);
        let worst = found.iter().map(|&(_, error)| error).fold(0.0, f64::max);
        let encoded = Encoded {
            curves: attempt.curves,
            worst,
            bits: attempt.bits,
        };
        if best.as_ref().is_none_or(|best| worst < best.worst) {
            best = Some(encoded);
        }
        if worst <= 1.0 || !is_within {
            break;
        }
        let before = segment.probed.len();
        let off = found.iter().filter(|&&(_, error)| error > PROBE_ERROR);
        segment.add_probes(off.map(|&(vertex, _)| vertex));
        if segment.probed.len() == before {
            break;
        }
    }
    best.expect("there is at least one search")
}

/// Returns the cheapest budgets under the assumption that all curves cost the same: their squares add up to one along
/// every path from a root to a leaf, and a joint with many descendants gets little.
fn initial_budgets(rig: &LocalRig, channels: &Channels) -> Vec<f64> {
    let own_curves =
        |bone: usize| channels.bones[bone].curves.iter().filter(|&&c| c).count() as f64;
    let count = rig.bones.len();
    let mut below: Vec<f64> = (0..count).map(own_curves).collect();
    for bone in (0..count).rev() {
        if let Some(parent) = rig.parents[bone] {
            below[parent] += below[bone];
        }
    }
    let mut left = vec![1.0; count];
    (0..count)
        .map(|bone| {
            let room: f64 = rig.parents[bone].map_or(1.0, |parent| left[parent]);
            let taken = if below[bone] > 0.0 {
                room * own_curves(bone) / below[bone]
            } else {
                0.0
            };
            left[bone] = room - taken;
            // Errors seldom point the same way, and a child compensates the errors of its parent.
            2.0 * taken.sqrt()
        })
        .collect()
}

/// Largest error of a probe, as a part of the maximum error, and its sample.
#[derive(Debug, Clone, Copy)]
struct ProbeError {
    size: f64,
    sample: usize,
}

impl Segment<'_> {
    /// Returns the attempt of fewest bits that keeps all probes within the error, and whether there was one.
    fn search(&self, budgets: &mut [f64]) -> (Attempt, bool) {
        let mut best: Option<(bool, f64, Attempt)> = None;
        // Budgets move both ways at first, then only down until all probes are within the error.
        for round in 0..2 * ROUNDS {
            let settling = round >= ROUNDS;
            if settling && best.as_ref().is_some_and(|(is_within, ..)| *is_within) {
                break;
            }
            let attempt = self.attempt(budgets);
            let errors = self.errors(&attempt.model);
            let worst = errors.iter().map(|e| e.size).fold(0.0, f64::max);
            let is_within = worst <= PROBE_ERROR;
            let better = match &best {
                None => true,
                Some((true, _, best)) => is_within && attempt.bits < best.bits,
                Some((false, least, _)) => is_within || worst < *least,
            };
            let eagerness = (!settling).then_some(1.0 - round as f64 / ROUNDS as f64);
            self.adjust_budgets(budgets, &errors, &attempt.model, eagerness);
            if better {
                best = Some((is_within, worst, attempt));
            }
        }
        let (is_within, _, attempt) = best.expect("there is at least one round");
        (attempt, is_within)
    }

    fn errors(&self, model: &[Vec<DAffine3>]) -> Vec<ProbeError> {
        let worst = |(vertex, here): (&usize, &Vec<DVec3>)| {
            let mut worst = ProbeError {
                size: 0.0,
                sample: 0,
            };
            let there = self.positions(model, *vertex);
            for (sample, (a, b)) in there.iter().zip(here).enumerate() {
                let size = a.distance_squared(*b);
                if size > worst.size {
                    worst = ProbeError { size, sample };
                }
            }
            worst.size = worst.size.sqrt() / self.context.max_error;
            worst
        };
        self.probed.iter().zip(&self.probes).map(worst).collect()
    }

    /// Lowers the budgets of joints whose vertices exceed the error, and raises those of joints that have room.
    fn adjust_budgets(
        &self,
        budgets: &mut [f64],
        errors: &[ProbeError],
        model: &[Vec<DAffine3>],
        eagerness: Option<f64>,
    ) {
        let rig = self.context.rig;
        let mut worst = vec![0f64; rig.bones.len()];
        let mut factors = vec![1f64; rig.bones.len()];
        let mut blame = Vec::new();
        for (probe, error) in errors.iter().enumerate() {
            for influence in rig.vertices.of(self.probed[probe]) {
                if influence.weight > 0.05 {
                    worst[influence.bone] = worst[influence.bone].max(error.size);
                }
            }
            if error.size > PROBE_ERROR {
                self.blame(probe, error.sample, model, &mut blame);
                let most = blame.iter().map(|&(_, b)| b).fold(1e-12, f64::max);
                for &(bone, part) in &blame {
                    let factor = (0.95 * PROBE_ERROR / error.size).powf(part.max(0.0) / most);
                    factors[bone] = factors[bone].min(factor.max(0.5));
                }
            }
        }
        for bone in (0..worst.len()).rev() {
            if let Some(parent) = rig.parents[bone] {
                worst[parent] = worst[parent].max(worst[bone]);
            }
        }
        for bone in 0..worst.len() {
            if let Some(eagerness) = eagerness
                && worst[bone] < 0.95 * PROBE_ERROR
            {
                let room = 0.97 * PROBE_ERROR / worst[bone].max(1e-3);
                factors[bone] = room.powf(0.3 + 0.6 * eagerness).min(1.5);
            }
            budgets[bone] = (budgets[bone] * factors[bone]).clamp(1e-3, 20.0);
        }
    }

    /// Returns each joint's part of a probe's error: a point fixed to the joint's reference transform moves step by step,
    /// from the root on, to the joint's decoded transform.
    fn blame(
        &self,
        probe: usize,
        sample: usize,
        model: &[Vec<DAffine3>],
        out: &mut Vec<(usize, f64)>,
    ) {
        let rig = self.context.rig;
        out.clear();
        let Some(heaviest) = rig.vertices.of(self.probed[probe]).first() else {
            return;
        };
        let mut bone = heaviest.bone;
        let reference = self.probes[probe][sample];
        let carried = |bone: usize| {
            let back = self.model[bone][sample].inverse();
            model[bone][sample].transform_point3(back.transform_point3(reference))
        };
        let mut here = carried(bone);
        let error = (here - reference).normalize_or_zero();
        loop {
            let (there, parent) = match rig.parents[bone] {
                Some(parent) => (carried(parent), Some(parent)),
                None => (reference, None),
            };
            out.push((bone, (here - there).dot(error)));
            match parent {
                Some(parent) => bone = parent,
                None => break,
            }
            here = there;
        }
    }
}
