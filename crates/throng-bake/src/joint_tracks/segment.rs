//! One segment of one clip: the fewest bits whose vertices stay within the error.
//!
//! Joints are encoded from the roots down, each against where its parent came out, so that errors of
//! rotation do not add up. How much of the error each joint may take starts from the share that would
//! cost least if all curves cost the same, and is then moved, round by round, to where vertices still
//! have room.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_format::tracks::TrackHeader;
use throng_rig::{Character, Clip, LocalPose, ModelPose};

use super::LocalRig;
use super::channels::Channels;
use crate::curves::mrp::{mrp_from_quat, mrp_from_same_sign, quat_from_mrp, unwind};
use crate::curves::{
    Bases, Kind, PackedCurve, SegmentTracks, fit, fit_points, middle, stored_reference,
};

/// What all segments of a set share.
#[derive(Debug, Clone, Copy)]
pub struct Shared<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its joints and probes.
    pub rig: &'a LocalRig,
    /// What moves.
    pub channels: &'a Channels,
    /// In metres.
    pub max_error: f64,
}

/// A segment that is being encoded.
struct Segment<'a> {
    shared: Shared<'a>,
    bases: &'a Bases,
    samples: usize,
    /// By bone, then sample.
    local: Vec<Vec<throng_rig::Transform>>,
    model: Vec<Vec<DAffine3>>,
    /// Rotations from the root on, by bone, then sample.
    turned: Vec<Vec<DQuat>>,
    /// Vertices that are looked at.
    probed: Vec<usize>,
    /// Where they should be, by probe, then sample.
    probes: Vec<Vec<DVec3>>,
}

/// A segment as it came out.
struct Attempt {
    tracks: SegmentTracks,
    model: Vec<Vec<DAffine3>>,
    bits: usize,
}

/// The share of the error that the probes are held to; the rest is for vertices that are not probes.
const HELD: f64 = 0.97;

/// A segment as it is to be written.
#[derive(Debug)]
pub struct Encoded {
    /// All curves.
    pub tracks: SegmentTracks,
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

impl<'a> Segment<'a> {
    fn sample(shared: Shared<'a>, bases: &'a Bases, clip: &Clip, from: f64, to: f64) -> Self {
        let Shared { character, rig, .. } = shared;
        let samples = bases.samples();
        let count = rig.bones.len();
        let mut local = vec![Vec::with_capacity(samples); count];
        let mut model = vec![Vec::with_capacity(samples); count];
        let mut turned: Vec<Vec<DQuat>> = vec![Vec::with_capacity(samples); count];
        let mut pose = LocalPose::rest(character);
        let mut model_pose = ModelPose::default();
        for sample in 0..samples {
            let time = from + (to - from) * sample as f64 / (samples - 1).max(1) as f64;
            pose.sample(character, clip, time);
            model_pose.resolve(character.skeleton(), &pose);
            for (bone, &joint) in rig.bones.iter().enumerate() {
                local[bone].push(pose.joints[joint]);
                model[bone].push(model_pose.model_from_joint[joint]);
                let rotation = pose.joints[joint].rotation;
                let rotation = match rig.parents[bone] {
                    Some(parent) => turned[parent][sample] * rotation,
                    None => rotation,
                };
                turned[bone].push(rotation);
            }
        }
        let mut segment = Self {
            shared,
            bases,
            samples,
            local,
            model: Vec::new(),
            turned,
            probed: Vec::new(),
            probes: Vec::new(),
        };
        segment.model = model;
        segment.add_probes(rig.probes.iter().copied());
        segment
    }

    fn add_probes(&mut self, vertices: impl Iterator<Item = usize>) {
        for vertex in vertices {
            if !self.probed.contains(&vertex) {
                self.probes.push(self.positions(&self.model, vertex));
                self.probed.push(vertex);
            }
        }
    }

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

    /// Of all vertices, for each bone the one that is farthest off and how far, in parts of the error
    /// that is asked for.
    fn worst_vertices(&self, model: &[Vec<DAffine3>]) -> Vec<(usize, f64)> {
        let rig = self.shared.rig;
        let mut worst: Vec<Option<(usize, f64)>> = vec![None; rig.bones.len()];
        for vertex in 0..rig.vertices.len() {
            let Some(first) = rig.vertices.of(vertex).first() else {
                continue;
            };
            let error = self.vertex_error(model, vertex);
            if worst[first.bone].is_none_or(|(_, most)| error > most) {
                worst[first.bone] = Some((vertex, error));
            }
        }
        worst.into_iter().flatten().collect()
    }

    fn vertex_error(&self, model: &[Vec<DAffine3>], vertex: usize) -> f64 {
        let influences = self.shared.rig.vertices.of(vertex);
        let apart = |sample: usize| {
            let apart = influences.iter().map(|i| {
                let there = model[i.bone][sample].transform_point3(i.in_joint);
                let here = self.model[i.bone][sample].transform_point3(i.in_joint);
                i.weight * (there - here)
            });
            apart.sum::<DVec3>().length_squared()
        };
        let worst = (0..self.samples).map(apart).fold(0.0, f64::max);
        worst.sqrt() / self.shared.max_error
    }

    /// Where a vertex is, by sample.
    fn positions(&self, model: &[Vec<DAffine3>], vertex: usize) -> Vec<DVec3> {
        let mut positions = vec![DVec3::ZERO; self.samples];
        for i in self.shared.rig.vertices.of(vertex) {
            for (position, joint) in positions.iter_mut().zip(&model[i.bone]) {
                *position += i.weight * joint.transform_point3(i.in_joint);
            }
        }
        positions
    }

    /// Encodes every joint, each with its share of the error.
    fn attempt(&self, shares: &[f64]) -> Attempt {
        let Shared {
            rig,
            channels,
            max_error,
            ..
        } = self.shared;
        let mut tracks = SegmentTracks::new();
        let mut model: Vec<Vec<DAffine3>> = Vec::with_capacity(rig.bones.len());
        let mut turned: Vec<Vec<DQuat>> = Vec::with_capacity(rig.bones.len());
        let mut decoded = Vec::new();
        for (bone, share) in shares.iter().enumerate() {
            let constant = &channels.bones[bone];
            let parent = rig.parents[bone];
            let tolerance = share * max_error;
            let reach = rig.reach[bone].max(1e-9);
            let rotations: Vec<DQuat> = if constant.curves[0] {
                let targets: Vec<DQuat> = (0..self.samples)
                    .map(|i| match parent {
                        Some(p) if !channels.is_skewed => {
                            turned[p][i].inverse() * self.turned[bone][i]
                        }
                        _ => self.local[bone][i].rotation,
                    })
                    .collect();
                let (curve, rotations) = self.fit_rotation(&targets, tolerance / reach);
                tracks.push(curve);
                rotations
            } else {
                vec![constant.rotation; self.samples]
            };
            let translations: Vec<DVec3> = if constant.curves[1] {
                let extent = constant.translation_extent();
                let targets: Vec<DVec3> = (0..self.samples)
                    .map(|i| {
                        let target = match parent {
                            Some(p) if !channels.is_skewed => {
                                let there = self.model[bone][i].translation;
                                model[p][i].inverse().transform_point3(there)
                            }
                            _ => self.local[bone][i].translation,
                        };
                        (target - constant.translation) / extent
                    })
                    .collect();
                let per_unit = rig.carry[bone].max(1e-9) * rig.parent_scale[bone] * extent;
                let curve =
                    self.fit_vector(&targets, tolerance / per_unit.max(1e-30), &mut decoded);
                tracks.push(curve);
                decoded
                    .iter()
                    .map(|v| constant.translation + extent * v.truncate())
                    .collect()
            } else {
                vec![constant.translation; self.samples]
            };
            let scales: Vec<DVec3> = if constant.curves[2] {
                let extent = constant.scale_extent;
                let targets: Vec<DVec3> = self.local[bone]
                    .iter()
                    .map(|joint| (joint.scale - constant.scale) / extent)
                    .collect();
                let curve = self.fit_vector(&targets, tolerance / (reach * extent), &mut decoded);
                tracks.push(curve);
                decoded
                    .iter()
                    .map(|v| constant.scale + extent * v.truncate())
                    .collect()
            } else {
                vec![constant.scale; self.samples]
            };
            let mut bone_model = Vec::with_capacity(self.samples);
            let mut bone_turned = Vec::with_capacity(self.samples);
            for i in 0..self.samples {
                let parent_from_joint = DAffine3::from_scale_rotation_translation(
                    scales[i],
                    rotations[i],
                    translations[i],
                );
                match parent {
                    Some(p) => {
                        bone_model.push(model[p][i] * parent_from_joint);
                        bone_turned.push(turned[p][i] * rotations[i]);
                    }
                    None => {
                        bone_model.push(parent_from_joint);
                        bone_turned.push(rotations[i]);
                    }
                }
            }
            model.push(bone_model);
            turned.push(bone_turned);
        }
        let bits = tracks.iter().map(PackedCurve::bits).sum();
        Attempt {
            tracks,
            model,
            bits,
        }
    }

    fn fit_rotation(&self, targets: &[DQuat], tolerance: f64) -> (PackedCurve, Vec<DQuat>) {
        let mut values = Vec::with_capacity(targets.len());
        let first = targets[targets.len() / 2];
        unwind(first, targets, &mut values);
        let turns = values
            .iter()
            .map(|v| mrp_from_same_sign(DQuat::from_vec4(*v)));
        let reference = first * quat_from_mrp(middle(turns));
        let stored = mrp_from_quat(reference)
            .to_array()
            .map(TrackHeader::nearest_reference);
        let reference = quat_from_mrp(stored_reference(stored));
        unwind(reference, targets, &mut values);
        let curve = fit(self.bases, Kind::Rotation, stored, &values, tolerance);
        curve.values(self.bases, Kind::Rotation, &mut values);
        let rotations = values.iter().map(|v| reference * DQuat::from_vec4(*v));
        (curve, rotations.collect())
    }

    fn fit_vector(
        &self,
        targets: &[DVec3],
        tolerance: f64,
        decoded: &mut Vec<DVec4>,
    ) -> PackedCurve {
        let (curve, reference) = fit_points(self.bases, targets, tolerance);
        curve.values(self.bases, Kind::Vector, decoded);
        for v in decoded.iter_mut() {
            *v += reference.extend(0.0);
        }
        curve
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
        let truth = self.probes[probe][sample];
        let carried = |bone: usize| {
            let back = self.model[bone][sample].inverse();
            model[bone][sample].transform_point3(back.transform_point3(truth))
        };
        let mut here = carried(bone);
        let error = (here - truth).normalize_or_zero();
        loop {
            let (there, parent) = match rig.parents[bone] {
                Some(parent) => (carried(parent), Some(parent)),
                None => (truth, None),
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
