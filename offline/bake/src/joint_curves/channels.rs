//! Channels (rotation, translation, scale) of joints: their constants, and the clips that animate them.

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use throng_format::curves::{JointRecord, RecordForm};
use throng_rig::{Character, LocalPose, ModelPose, Transform, mrp_from_quat, quat_from_mrp};

use super::LocalRig;
use super::samples::{ClipSpan, SampledClips};

/// Constants of all bones, and scales of their curves.
#[derive(Debug, Clone)]
pub struct Channels {
    /// Form of the joint table.
    pub form: RecordForm,
    /// One per bone.
    pub bones: Vec<BoneChannels>,
    /// For each clip and bone, whether rotation, translation and scale are curves; the others are constant.
    pub present: Vec<Vec<[bool; 3]>>,
    /// True where scales are not uniform, so that rotations of parent and child do not simply multiply.
    pub is_skewed: bool,
}

/// Channels of a bone.
#[derive(Debug, Clone)]
pub struct BoneChannels {
    /// The record of the bone as it is stored.
    pub record: JointRecord,
    /// Constant translation, and the origin of translation curves.
    pub translation: DVec3,
    /// Constant rotation, and an origin of rotation curves.
    pub rotation: DQuat,
    /// Constant scale, and the origin of scale curves.
    pub scale: DVec3,
}

impl BoneChannels {
    fn new(record: &JointRecord, form: RecordForm) -> Self {
        Self::stored(record.as_stored(form))
    }

    /// Channels of a record that was read.
    pub(super) fn stored(record: JointRecord) -> Self {
        Self {
            record,
            translation: record.translation.as_dvec3(),
            rotation: quat_from_mrp(record.rotation.as_dvec3()),
            scale: record.scale.as_dvec3(),
        }
    }

    /// Factor of translation curves.
    pub fn translation_extent(&self) -> f64 {
        f64::from(self.record.translation_extent())
    }

    /// Factor of scale curves.
    pub fn scale_extent(&self) -> f64 {
        f64::from(self.record.scale_extent())
    }
}

/// Largest error of a channel that is stored as a constant, as a part of the maximum error.
const CONSTANT_ERROR: f64 = 0.05;
/// Largest error that 16-bit constants may add, as a part of the maximum error.
const SHORT_ERROR: f64 = 0.04;
/// Most clips whose constants are compared with all others.
const MAX_CANDIDATES: usize = 64;

/// Values of a bone in a clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moving {
    pub(super) translation: Extent,
    pub(super) scale: Extent,
    /// Mean rotation.
    rotation: DQuat,
    /// Largest angle between the mean and a sample.
    angle: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    min: DVec3,
    max: DVec3,
}

impl Extent {
    const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    fn add(&mut self, v: DVec3) {
        self.min = self.min.min(v);
        self.max = self.max.max(v);
    }

    fn middle(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    fn half(&self) -> f64 {
        ((self.max - self.min) * 0.5).length()
    }

    /// Largest component of the distance from a point.
    pub(super) fn most_from(&self, point: DVec3) -> DVec3 {
        (self.max - point).abs().max((self.min - point).abs())
    }
}

impl Moving {
    /// True where the scale is not uniform or not positive.
    pub(super) fn is_skewed(&self) -> bool {
        let uniform =
            |s: DVec3| (s.max_element() - s.min_element()).abs() < 1e-6 * s.abs().max_element();
        let Extent { min, max } = self.scale;
        min.min_element() <= 0.0 || !uniform(min) || !uniform(max)
    }
}

impl Channels {
    /// Finds constants and the channels that move in each clip. `max_error` is in metres.
    pub fn find(
        character: &Character,
        rig: &LocalRig,
        clips: &SampledClips<'_>,
        max_error: f64,
    ) -> Self {
        let constant_error = CONSTANT_ERROR * max_error;
        let moving = moving_bones(clips);
        let mut records: Vec<JointRecord> = (0..rig.bones.len())
            .map(|bone| constants(rig, &moving, bone, constant_error))
            .collect();
        let has_scale = |records: &[JointRecord]| {
            let constant = |r: &JointRecord| r.scale.as_dvec3().distance(DVec3::ONE) > 1e-6;
            let moves = |bone: usize| {
                let deviation = |clip: &Vec<Moving>| clip[bone].scale.most_from(DVec3::ONE);
                let most = moving.iter().map(deviation).fold(DVec3::ZERO, DVec3::max);
                most.length() * rig.reach[bone].max(1e-9) > constant_error
            };
            records.iter().any(constant) || (0..records.len()).any(moves)
        };
        let mut form = RecordForm {
            is_exact: true,
            has_scale: has_scale(&records),
        };
        let mut present = find_present(rig, clips, &moving, &records, max_error);
        for bone in present.iter_mut().flatten() {
            // Rounding of a constant must not add a curve that records have no place for.
            bone[2] &= form.has_scale;
        }
        for (bone, record) in records.iter_mut().enumerate() {
            let most = |channel: usize, from: DVec3, extent: fn(&Moving) -> Extent| {
                let clips = moving.iter().zip(&present);
                let clips = clips.filter(|(_, present)| present[bone][channel]);
                let most = clips.map(|(clip, _)| extent(&clip[bone]).most_from(from));
                let most = most.fold(DVec3::ZERO, DVec3::max).max_element();
                ((most * 1.01).max(1e-30).log2().ceil() as i32).clamp(-100, 100)
            };
            let (translation, scale) = (record.translation.as_dvec3(), record.scale.as_dvec3());
            record.translation_exponent = most(1, translation, |moving| moving.translation);
            record.scale_exponent = most(2, scale, |moving| moving.scale);
        }
        let is_skewed = moving.iter().flatten().any(Moving::is_skewed);
        let with_form = |form: RecordForm| Self {
            form,
            bones: records
                .iter()
                .map(|record| BoneChannels::new(record, form))
                .collect(),
            present: present.clone(),
            is_skewed,
        };
        let exact = with_form(form);
        form.is_exact = false;
        let short = with_form(form);
        let error = |channels: &Self| channels.constant_error(character, rig, &clips.spans);
        if error(&short) <= error(&exact) + SHORT_ERROR * max_error {
            short
        } else {
            exact
        }
    }

    /// Returns the largest error of a probe where all curves are exact, at the start of every clip.
    fn constant_error(&self, character: &Character, rig: &LocalRig, clips: &[ClipSpan<'_>]) -> f64 {
        let mut pose = LocalPose::rest(character);
        let mut exact = ModelPose::default();
        let mut worst: f64 = 0.0;
        for (clip, present) in clips.iter().zip(&self.present) {
            pose.sample(character, clip.clip, clip.clip.start_secs());
            exact.resolve(character.skeleton(), &pose);
            let mut rotations: Vec<[DQuat; 2]> = Vec::with_capacity(rig.bones.len());
            let mut model: Vec<glam::DAffine3> = Vec::with_capacity(rig.bones.len());
            for (bone, &joint) in rig.bones.iter().enumerate() {
                let parent = rig.parents[bone];
                let local = &pose.joints[joint];
                let constant = &self.bones[bone];
                let [here, there] = parent.map_or([DQuat::IDENTITY; 2], |p| rotations[p]);
                let exact_rotation = here * local.rotation;
                let rotation = match (present[bone][0], self.is_skewed) {
                    (true, false) => there.inverse() * exact_rotation,
                    (true, true) => local.rotation,
                    (false, _) => constant.rotation,
                };
                let translation = match (present[bone][1], parent) {
                    (true, Some(p)) if !self.is_skewed => {
                        let position = exact.model_from_joint[joint].translation;
                        model[p].inverse().transform_point3(position)
                    }
                    (true, _) => local.translation,
                    (false, _) => constant.translation,
                };
                let scale = if present[bone][2] {
                    local.scale
                } else {
                    constant.scale
                };
                rotations.push([exact_rotation, there * rotation]);
                let parent_from_joint =
                    glam::DAffine3::from_scale_rotation_translation(scale, rotation, translation);
                model.push(parent.map_or(parent_from_joint, |p| model[p] * parent_from_joint));
            }
            for &vertex in &rig.probes {
                let moved = rig.vertices.of(vertex).iter().map(|influence| {
                    let point = influence.in_joint;
                    let here = exact.model_from_joint[rig.bones[influence.bone]];
                    let there = model[influence.bone];
                    influence.weight
                        * (there.transform_point3(point) - here.transform_point3(point))
                });
                worst = worst.max(moved.sum::<DVec3>().length());
            }
        }
        worst
    }
}

/// Measures how far the bones move in each clip.
pub(super) fn moving_bones(clips: &SampledClips<'_>) -> Vec<Vec<Moving>> {
    let moving = |clip| {
        let samples = clips.of(clip);
        let bones = samples.bones.iter();
        bones.map(|bone| Moving::new(bone)).collect()
    };
    (0..clips.spans.len()).into_par_iter().map(moving).collect()
}

/// Returns which channels of each bone leave their constants in each clip. `max_error` is in metres.
pub(super) fn find_present(
    rig: &LocalRig,
    clips: &SampledClips<'_>,
    moving: &[Vec<Moving>],
    records: &[JointRecord],
    max_error: f64,
) -> Vec<Vec<[bool; 3]>> {
    let constant_error = CONSTANT_ERROR * max_error;
    let present = |clip: usize| {
        let bones = &clips.of(clip).bones;
        present_in_clip(rig, bones, &moving[clip], records, constant_error)
    };
    (0..clips.spans.len())
        .into_par_iter()
        .map(present)
        .collect()
}

/// Returns the largest angle between rotations and another one.
fn largest_angle(samples: &[Transform], rotation: DQuat) -> f64 {
    let cosines = samples
        .iter()
        .map(|local| local.rotation.dot(rotation).abs());
    2.0 * cosines.fold(1.0, f64::min).acos()
}

impl Moving {
    /// Measures how far a bone moves.
    fn new(samples: &[Transform]) -> Self {
        let mut moving = Self {
            translation: Extent::EMPTY,
            scale: Extent::EMPTY,
            rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            angle: 0.0,
        };
        for local in samples {
            moving.translation.add(local.translation);
            moving.scale.add(local.scale);
            let sign = if moving.rotation.dot(local.rotation) < 0.0 {
                -1.0
            } else {
                1.0
            };
            moving.rotation += local.rotation * sign;
        }
        let length = moving.rotation.length();
        moving.rotation = if length > 1e-9 {
            moving.rotation * (1.0 / length)
        } else {
            DQuat::IDENTITY
        };
        moving.angle = largest_angle(samples, moving.rotation);
        moving
    }
}

/// Chooses the constants of a bone: those of most clips in which it stands still, or else the middle of all.
fn constants(
    rig: &LocalRig,
    moving: &[Vec<Moving>],
    bone: usize,
    constant_error: f64,
) -> JointRecord {
    let clips = || moving.iter().map(|clip| &clip[bone]);
    let (reach, carry) = (rig.reach[bone].max(1e-9), rig.carry[bone].max(1e-9));
    let per_metre = carry * rig.parent_scale[bone];
    let rotations: Vec<DQuat> = clips()
        .filter(|clip| clip.angle * reach <= constant_error)
        .map(|clip| clip.rotation)
        .collect();
    let rotation = most_common(&rotations, |a, b| {
        a.angle_between(*b) * reach <= constant_error
    });
    let rotation = rotation.unwrap_or_else(|| {
        let first = clips().next().map_or(DQuat::IDENTITY, |clip| clip.rotation);
        let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        for clip in clips() {
            let sign = if first.dot(clip.rotation) < 0.0 {
                -1.0
            } else {
                1.0
            };
            sum += clip.rotation * sign;
        }
        if sum.length() > 1e-9 {
            sum.normalize()
        } else {
            first
        }
    });
    let vector = |extent: fn(&Moving) -> Extent, gain: f64, default: DVec3| {
        let constants: Vec<DVec3> = clips()
            .map(extent)
            .filter(|extent| extent.half() * gain <= constant_error)
            .map(|extent| extent.middle())
            .collect();
        let common = most_common(&constants, |a, b| a.distance(*b) * gain <= constant_error);
        let all = clips().map(extent).fold(Extent::EMPTY, |mut all, extent| {
            all.add(extent.min);
            all.add(extent.max);
            all
        });
        let middle = if moving.is_empty() {
            default
        } else {
            all.middle()
        };
        common.unwrap_or(middle).as_vec3()
    };
    JointRecord {
        parent: rig.parents[bone].map(|parent| parent as u32),
        translation: vector(|moving| moving.translation, per_metre, DVec3::ZERO),
        translation_exponent: 0,
        rotation: mrp_from_quat(rotation).as_vec3(),
        scale: vector(|moving| moving.scale, reach, DVec3::ONE),
        scale_exponent: 0,
    }
}

/// Returns the value that is near most others; of equals, the first.
fn most_common<T: Copy>(values: &[T], is_near: impl Fn(&T, &T) -> bool) -> Option<T> {
    let candidates = values.iter().take(MAX_CANDIDATES);
    let counted = candidates.map(|value| {
        let near = values.iter().filter(|other| is_near(value, other)).count();
        (near, *value)
    });
    let mut best: Option<(usize, T)> = None;
    for (near, value) in counted {
        if best.is_none_or(|(most, _)| near > most) {
            best = Some((near, value));
        }
    }
    best.map(|(_, value)| value)
}

/// Returns which channels of each bone leave their constants in a clip.
fn present_in_clip(
    rig: &LocalRig,
    samples: &[Vec<Transform>],
    moving: &[Moving],
    records: &[JointRecord],
    constant_error: f64,
) -> Vec<[bool; 3]> {
    let bones = samples.iter().zip(moving).zip(records).enumerate();
    bones
        .map(|(bone, ((samples, moving), record))| {
            let reach = rig.reach[bone];
            let per_metre = rig.carry[bone].max(1e-9) * rig.parent_scale[bone];
            let constant = quat_from_mrp(record.rotation.as_dvec3());
            let translation = moving.translation.most_from(record.translation.as_dvec3());
            let scale = moving.scale.most_from(record.scale.as_dvec3());
            [
                largest_angle(samples, constant) * reach > constant_error,
                translation.length() * per_metre > constant_error,
                scale.length() * reach.max(1e-9) > constant_error,
            ]
        })
        .collect()
}
