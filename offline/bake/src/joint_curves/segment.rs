//! Encoding of one segment of one clip with an error budget per joint.
//!
//! Joints are encoded from the roots down, each relative to the decoded transform of its parent, so that errors of
//! rotation do not accumulate.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_format::curves::CurveHeader;
use throng_rig::{
    Character, Clip, LocalPose, ModelPose, mrp_from_quat, mrp_from_signed_quat, quat_from_mrp,
};

use super::LocalRig;
use super::channels::Channels;
use crate::curves::{
    Bases, CompressedCurve, Kind, SegmentCurves, fit, fit_points, middle, stored_reference, unwind,
};

/// Data that all segments of a set budget.
#[derive(Debug, Clone, Copy)]
pub struct SegmentContext<'a> {
    /// The character.
    pub character: &'a Character,
    /// Bones and probes.
    pub rig: &'a LocalRig,
    /// Channels that move.
    pub channels: &'a Channels,
    /// Largest error of a vertex, in metres.
    pub max_error: f64,
}

/// A sampled segment.
pub(super) struct Segment<'a> {
    pub context: SegmentContext<'a>,
    bases: &'a Bases,
    samples: usize,
    /// Local transforms by bone, then sample.
    local: Vec<Vec<throng_rig::Transform>>,
    pub model: Vec<Vec<DAffine3>>,
    /// Products of rotations from the root on, by bone, then sample.
    model_rotations: Vec<Vec<DQuat>>,
    /// Indices of probed vertices.
    pub probed: Vec<usize>,
    /// Reference positions by probe, then sample.
    pub probes: Vec<Vec<DVec3>>,
}

/// An encoded segment and its decoded transforms.
pub(super) struct Attempt {
    pub curves: SegmentCurves,
    /// Decoded `model_from_joint` by bone, then sample.
    pub model: Vec<Vec<DAffine3>>,
    /// Bits of all keys.
    pub bits: usize,
}

impl<'a> Segment<'a> {
    pub fn sample(
        context: SegmentContext<'a>,
        bases: &'a Bases,
        clip: &Clip,
        from: f64,
        to: f64,
    ) -> Self {
        let SegmentContext { character, rig, .. } = context;
        let samples = bases.samples();
        let count = rig.bones.len();
        let mut local = vec![Vec::with_capacity(samples); count];
        let mut model = vec![Vec::with_capacity(samples); count];
        let mut model_rotations: Vec<Vec<DQuat>> = vec![Vec::with_capacity(samples); count];
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
                    Some(parent) => model_rotations[parent][sample] * rotation,
                    None => rotation,
                };
                model_rotations[bone].push(rotation);
            }
        }
        let mut segment = Self {
            context,
            bases,
            samples,
            local,
            model: Vec::new(),
            model_rotations,
            probed: Vec::new(),
            probes: Vec::new(),
        };
        segment.model = model;
        segment.add_probes(rig.probes.iter().copied());
        segment
    }

    pub fn add_probes(&mut self, vertices: impl Iterator<Item = usize>) {
        for vertex in vertices {
            if !self.probed.contains(&vertex) {
                self.probes.push(self.positions(&self.model, vertex));
                self.probed.push(vertex);
            }
        }
    }

    /// Returns, for each bone, the vertex with the largest error, and that error as a part of the maximum error.
    pub fn worst_vertices(&self, model: &[Vec<DAffine3>]) -> Vec<(usize, f64)> {
        let rig = self.context.rig;
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
        let influences = self.context.rig.vertices.of(vertex);
        let apart = |sample: usize| {
            let apart = influences.iter().map(|i| {
                let there = model[i.bone][sample].transform_point3(i.in_joint);
                let here = self.model[i.bone][sample].transform_point3(i.in_joint);
                i.weight * (there - here)
            });
            apart.sum::<DVec3>().length_squared()
        };
        let worst = (0..self.samples).map(apart).fold(0.0, f64::max);
        worst.sqrt() / self.context.max_error
    }

    /// Returns the positions of a vertex by sample.
    pub fn positions(&self, model: &[Vec<DAffine3>], vertex: usize) -> Vec<DVec3> {
        let mut positions = vec![DVec3::ZERO; self.samples];
        for i in self.context.rig.vertices.of(vertex) {
            for (position, joint) in positions.iter_mut().zip(&model[i.bone]) {
                *position += i.weight * joint.transform_point3(i.in_joint);
            }
        }
        positions
    }

    /// Encodes every joint with its budget, a part of the maximum error.
    pub fn attempt(&self, budgets: &[f64]) -> Attempt {
        let SegmentContext {
            rig,
            channels,
            max_error,
            ..
        } = self.context;
        let mut curves = SegmentCurves::new();
        let mut model: Vec<Vec<DAffine3>> = Vec::with_capacity(rig.bones.len());
        let mut model_rotations: Vec<Vec<DQuat>> = Vec::with_capacity(rig.bones.len());
        let mut decoded = Vec::new();
        for (bone, budget) in budgets.iter().enumerate() {
            let constant = &channels.bones[bone];
            let parent = rig.parents[bone];
            let tolerance = budget * max_error;
            let reach = rig.reach[bone].max(1e-9);
            let rotations: Vec<DQuat> = if constant.curves[0] {
                let targets: Vec<DQuat> = (0..self.samples)
                    .map(|i| match parent {
                        Some(p) if !channels.is_skewed => {
                            model_rotations[p][i].inverse() * self.model_rotations[bone][i]
                        }
                        _ => self.local[bone][i].rotation,
                    })
                    .collect();
                let (curve, rotations) = self.fit_rotation(&targets, tolerance / reach);
                curves.push(curve);
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
                curves.push(curve);
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
                curves.push(curve);
                decoded
                    .iter()
                    .map(|v| constant.scale + extent * v.truncate())
                    .collect()
            } else {
                vec![constant.scale; self.samples]
            };
            let mut bone_model = Vec::with_capacity(self.samples);
            let mut bone_rotations = Vec::with_capacity(self.samples);
            for i in 0..self.samples {
                let parent_from_joint = DAffine3::from_scale_rotation_translation(
                    scales[i],
                    rotations[i],
                    translations[i],
                );
                match parent {
                    Some(p) => {
                        bone_model.push(model[p][i] * parent_from_joint);
                        bone_rotations.push(model_rotations[p][i] * rotations[i]);
                    }
                    None => {
                        bone_model.push(parent_from_joint);
                        bone_rotations.push(rotations[i]);
                    }
                }
            }
            model.push(bone_model);
            model_rotations.push(bone_rotations);
        }
        let bits = curves.iter().map(CompressedCurve::bits).sum();
        Attempt {
            curves,
            model,
            bits,
        }
    }

    fn fit_rotation(&self, targets: &[DQuat], tolerance: f64) -> (CompressedCurve, Vec<DQuat>) {
        let mut values = Vec::with_capacity(targets.len());
        let first = targets[targets.len() / 2];
        unwind(first, targets, &mut values);
        let parameters = values
            .iter()
            .map(|v| mrp_from_signed_quat(DQuat::from_vec4(*v)));
        let reference = first * quat_from_mrp(middle(parameters));
        let stored = mrp_from_quat(reference)
            .to_array()
            .map(CurveHeader::nearest_reference);
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
    ) -> CompressedCurve {
        let (curve, reference) = fit_points(self.bases, targets, tolerance);
        curve.values(self.bases, Kind::Vector, decoded);
        for v in decoded.iter_mut() {
            *v += reference.extend(0.0);
        }
        curve
    }
}
