//! How much of the error each joint may take: the fewest bits whose vertices stay within it.
//!
//! Shares start from those that would cost least if all curves cost the same, and are then moved, round by
//! round, to where vertices still have room.

use glam::{DAffine3, DVec3};
use throng_rig::Clip;

use super::LocalRig;
use super::channels::Channels;
use super::segment::{Attempt, Segment, Shared};
use crate::curves::{Bases, SegmentCurves};

/// The share of the error that the probes are held to; the rest is for vertices that are not probes.
const HELD: f64 = 0.97;

/// A segment as it is to be written.
#[derive(Debug)]
pub struct Encoded {
    /// All curves.
    pub tracks: SegmentCurves,
    /// The largest error of a vertex, in parts of the error that is asked for.
    pub worst: f64,
    /// Bits of all keys.
    pub bits: usize,
}

/// How often shares are moved both ways.
const ROUNDS: usize = 12;
/// How often vertices that are no probes are looked for among those that are off.
const SEARCHES: usize = 3;

/// Encodes the segment of a clip between two times.
pub fn encode(shared: Shared<'_>, bases: &Bases, clip: &Clip, from: f64, to: f64) -> Encoded {
    let mut segment = Segment::sample(shared, bases, clip, from, to);
    let mut shares = starting_shares(shared.rig, shared.channels);
    let mut best: Option<Encoded> = None;
    for _ in 0..SEARCHES {
        let (attempt, held) = segment.search(&mut shares);
        let found = segment.worst_vertices(&attempt.model);
        let worst = found.iter().map(|&(_, error)| error).fold(0.0, f64::max);
        let encoded = Encoded {
            tracks: attempt.tracks,
            worst,
            bits: attempt.bits,
        };
        if best.as_ref().is_none_or(|best| worst < best.worst) {
            best = Some(encoded);
        }
        if worst <= 1.0 || !held {
            break;
        }
        let before = segment.probed.len();
        let off = found.iter().filter(|&&(_, error)| error > HELD);
        segment.add_probes(off.map(|&(vertex, _)| vertex));
        if segment.probed.len() == before {
            break;
        }
    }
    best.expect("there was a search")
}

/// If every curve cost the same, these shares of the error would be cheapest: squares add up to one
/// along every way from a root to a leaf, and a joint that many others hang on takes little.
fn starting_shares(rig: &LocalRig, channels: &Channels) -> Vec<f64> {
    let own = |bone: usize| channels.bones[bone].curves.iter().filter(|&&c| c).count() as f64;
    let count = rig.bones.len();
    let mut below: Vec<f64> = (0..count).map(own).collect();
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
                room * own(bone) / below[bone]
            } else {
                0.0
            };
            left[bone] = room - taken;
            // Errors seldom point the same way, and what a parent did wrong its child makes good.
            2.0 * taken.sqrt()
        })
        .collect()
}

/// The largest error of a probe, in parts of the error that is asked for, and its sample.
#[derive(Debug, Clone, Copy)]
struct ProbeError {
    size: f64,
    sample: usize,
}

impl Segment<'_> {
    /// The fewest bits that hold all probes, and whether there was such an attempt at all.
    fn search(&self, shares: &mut [f64]) -> (Attempt, bool) {
        let mut best: Option<(bool, f64, Attempt)> = None;
        // Shares are moved both ways at first, then only down until all probes are held.
        for round in 0..2 * ROUNDS {
            let settling = round >= ROUNDS;
            if settling && best.as_ref().is_some_and(|(held, ..)| *held) {
                break;
            }
            let attempt = self.attempt(shares);
            let errors = self.errors(&attempt.model);
            let worst = errors.iter().map(|e| e.size).fold(0.0, f64::max);
            let held = worst <= HELD;
            let better = match &best {
                None => true,
                Some((true, _, best)) => held && attempt.bits < best.bits,
                Some((false, least, _)) => held || worst < *least,
            };
            let eagerness = (!settling).then_some(1.0 - round as f64 / ROUNDS as f64);
            self.move_shares(shares, &errors, &attempt.model, eagerness);
            if better {
                best = Some((held, worst, attempt));
            }
        }
        let (held, _, attempt) = best.expect("there is a round");
        (attempt, held)
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
            worst.size = worst.size.sqrt() / self.shared.max_error;
            worst
        };
        self.probed.iter().zip(&self.probes).map(worst).collect()
    }

    /// Takes from the joints that vertices are too far off for, and gives to those that have room.
    fn move_shares(
        &self,
        shares: &mut [f64],
        errors: &[ProbeError],
        model: &[Vec<DAffine3>],
        eagerness: Option<f64>,
    ) {
        let rig = self.shared.rig;
        let mut worst = vec![0f64; rig.bones.len()];
        let mut factors = vec![1f64; rig.bones.len()];
        let mut blame = Vec::new();
        for (probe, error) in errors.iter().enumerate() {
            for influence in rig.vertices.of(self.probed[probe]) {
                if influence.weight > 0.05 {
                    worst[influence.bone] = worst[influence.bone].max(error.size);
                }
            }
            if error.size > HELD {
                self.blame(probe, error.sample, model, &mut blame);
                let most = blame.iter().map(|&(_, b)| b).fold(1e-12, f64::max);
                for &(bone, part) in &blame {
                    let factor = (0.95 * HELD / error.size).powf(part.max(0.0) / most);
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
                && worst[bone] < 0.95 * HELD
            {
                let room = 0.97 * HELD / worst[bone].max(1e-3);
                factors[bone] = room.powf(0.3 + 0.6 * eagerness).min(1.5);
            }
            shares[bone] = (shares[bone] * factors[bone]).clamp(1e-3, 20.0);
        }
    }

    /// How much of a probe's error each joint made: a point that is fixed to where the joint should be is
    /// moved by each joint from the root on to where it came out.
    fn blame(
        &self,
        probe: usize,
        sample: usize,
        model: &[Vec<DAffine3>],
        out: &mut Vec<(usize, f64)>,
    ) {
        let rig = self.shared.rig;
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
