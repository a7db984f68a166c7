//! Encoding of one segment of one clip with an error budget per joint.
//!
//! Joints are encoded from the roots down, each relative to the decoded transform of its parent, so that errors of
//! rotation do not accumulate.

use glam::{DAffine3, DQuat, DVec3, DVec4};
use throng_rig::{Character, Clip, LocalPose, Transform, mrp_from_signed_quat, quat_from_mrp};

use super::LocalRig;
use super::channels::Channels;
use super::differences::Differences;
use super::samples::ClipSamples;
use crate::curves::{
    Bases, CompressedCurve, FitEffort, Fitter, Hints, Origins, SegmentCurves, middle, unwind,
};

/// Data that all segments of a clip share.
#[derive(Debug, Clone, Copy)]
pub struct SegmentContext<'a> {
    /// The character.
    pub character: &'a Character,
    /// Bones and probes.
    pub rig: &'a LocalRig,
    /// Constants and forms of channels.
    pub channels: &'a Channels,
    /// For each bone, whether rotation, translation and scale are curves in the clip.
    pub present: &'a [[bool; 3]],
    /// Largest displacement of a vertex in metres per radian of each bone's rotation.
    pub reach: &'a [f64],
    /// Samples of the clip.
    pub samples: &'a ClipSamples,
    /// Largest error of a vertex, in metres.
    pub max_error: f64,
    /// Part of the maximum error that probes must keep; the rest is for vertices that are not probes.
    pub probe_error: f64,
    /// Prices of the joints' errors at first.
    pub prices: &'a [f64],
    /// Effort of fitting a curve.
    pub fit: FitEffort,
}

/// A sampled segment.
pub(super) struct Segment<'a> {
    pub context: SegmentContext<'a>,
    bases: &'a Bases,
    pub samples: usize,
    /// Exact transforms, one per bone.
    pub exact: Vec<BoneSamples>,
    /// One per bone.
    origins: Vec<BoneOrigins>,
    /// Indices of probed vertices.
    pub probed: Vec<usize>,
}

/// Transforms of a bone at all samples.
#[derive(Debug, Clone, Default)]
pub(super) struct BoneSamples {
    /// In the parent's space.
    local: Vec<Transform>,
    /// `model_from_joint`.
    pub model: Vec<DAffine3>,
    /// Products of rotations from the root on.
    rotations: Vec<DQuat>,
}

impl BoneSamples {
    fn with_capacity(samples: usize) -> Self {
        Self {
            local: Vec::with_capacity(samples),
            model: Vec::with_capacity(samples),
            rotations: Vec::with_capacity(samples),
        }
    }
}

/// Origins of the curves of a bone, where they are present.
#[derive(Debug, Clone, Copy, Default)]
struct BoneOrigins {
    rotation: Option<(Origins, DQuat)>,
    translation: Option<(Origins, DVec3)>,
    scale: Option<(Origins, DVec3)>,
}

/// An encoded segment, and everything that helps to encode it again.
pub(super) struct Attempt {
    /// Decoded transforms, one per bone.
    pub decoded: Vec<BoneSamples>,
    pub differences: Differences,
    /// Curves of each bone.
    curves: Vec<[Option<CompressedCurve>; 3]>,
    hints: Vec<[Hints; 3]>,
    /// Typical number of keys of a curve.
    curve_keys: f64,
    /// Budgets that the bones are encoded with; negative where they are not encoded yet.
    budgets: Vec<f64>,
    fitter: Fitter,
    targets: Vec<DQuat>,
    values: Vec<DVec4>,
}

impl Attempt {
    /// Bits of references and keys.
    pub fn bits(&self) -> usize {
        let curves = self.curves.iter().flatten().flatten();
        curves.map(CompressedCurve::bits).sum()
    }

    /// All curves, in the order of their headers.
    pub fn curves(&self) -> SegmentCurves {
        self.curves.iter().flatten().flatten().cloned().collect()
    }

    /// Typical number of keys of a curve.
    pub fn curve_keys(&self) -> f64 {
        self.curve_keys
    }

    /// Number of values that a bone's curves store: components that take bits, of all keys, per typical number of keys.
    pub fn stored_values(&self, bone: usize) -> f64 {
        let of_curve = |curve: &CompressedCurve| {
            let components = curve.header.widths.iter().filter(|&&width| width > 0);
            components.count() * curve.keys.len()
        };
        let values: usize = self.curves[bone].iter().flatten().map(of_curve).sum();
        values as f64 / self.curve_keys
    }
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
        let mut exact: Vec<BoneSamples> = (rig.bones.iter())
            .map(|_| BoneSamples::with_capacity(samples))
            .collect();
        let mut pose = LocalPose::rest(character);
        let step_secs = (to - from) / (samples - 1).max(1) as f64;
        let known = context.samples.index_at(from, step_secs);
        for sample in 0..samples {
            if known.is_none() {
                let time = from + (to - from) * sample as f64 / (samples - 1).max(1) as f64;
                pose.sample(character, clip, time);
            }
            for (bone, &joint) in rig.bones.iter().enumerate() {
                let local = match known {
                    Some(first) => {
                        let known = &context.samples.bones[bone];
                        known[(first + sample).min(known.len() - 1)]
                    }
                    None => pose.joints[joint],
                };
                let (model, rotation) = match rig.parents[bone].map(|parent| &exact[parent]) {
                    Some(parent) => (
                        parent.model[sample] * local.to_affine(),
                        parent.rotations[sample] * local.rotation,
                    ),
                    None => (local.to_affine(), local.rotation),
                };
                let bone = &mut exact[bone];
                bone.local.push(local);
                bone.model.push(model);
                bone.rotations.push(rotation);
            }
        }
        let origins = (0..rig.bones.len())
            .map(|bone| BoneOrigins::find(context, bone, &exact[bone].local))
            .collect();
        Self {
            context,
            bases,
            samples,
            exact,
            origins,
            probed: rig.probes.clone(),
        }
    }

    pub fn add_probes(&mut self, vertices: impl Iterator<Item = usize>) {
        for vertex in vertices {
            if !self.probed.contains(&vertex) {
                self.probed.push(vertex);
            }
        }
    }

    /// Returns, for each bone, the vertex with the largest error, and that error as a part of the maximum error.
    pub fn worst_vertices(&self, differences: &Differences) -> Vec<(usize, f64)> {
        let rig = self.context.rig;
        let mut worst: Vec<Option<(usize, f64)>> = vec![None; rig.bones.len()];
        let mut buffer = Vec::new();
        for vertex in 0..rig.vertices.len() {
            let Some(first) = rig.vertices.of(vertex).first() else {
                continue;
            };
            let error = differences.of(rig, vertex, &mut buffer).size;
            if worst[first.bone].is_none_or(|(_, most)| error > most) {
                worst[first.bone] = Some((vertex, error));
            }
        }
        let parts = worst.into_iter().flatten();
        parts
            .map(|(vertex, error)| (vertex, error / self.context.max_error))
            .collect()
    }

    /// Returns an attempt in which nothing is encoded yet.
    pub fn begin(&self) -> Attempt {
        let bones = self.exact.len();
        let buffers = BoneSamples {
            local: Vec::new(),
            model: vec![DAffine3::IDENTITY; self.samples],
            rotations: vec![DQuat::IDENTITY; self.samples],
        };
        Attempt {
            decoded: vec![buffers; bones],
            differences: Differences::none(bones, self.samples),
            curves: vec![[const { None }; 3]; bones],
            hints: vec![Default::default(); bones],
            curve_keys: self.bases.samples() as f64 * 0.5,
            budgets: vec![-1.0; bones],
            fitter: Fitter::new(self.context.fit),
            targets: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Encodes every joint with its budget, a part of the maximum error. Joints whose budget and parents are those of
    /// the attempt stay as they are.
    pub fn encode(&self, budgets: &[f64], attempt: &mut Attempt) {
        let rig = self.context.rig;
        let mut is_new = vec![false; budgets.len()];
        for (bone, &budget) in budgets.iter().enumerate() {
            let parent = rig.parents[bone];
            is_new[bone] = parent.is_some_and(|p| is_new[p]) || attempt.budgets[bone] != budget;
            if is_new[bone] {
                attempt.budgets[bone] = budget;
                self.encode_bone(bone, budget, attempt);
            }
        }
    }

    fn encode_bone(&self, bone: usize, budget: f64, attempt: &mut Attempt) {
        let SegmentContext {
            rig,
            channels,
            reach,
            max_error,
            ..
        } = self.context;
        let Attempt {
            decoded,
            differences,
            curves,
            hints,
            fitter,
            targets,
            values,
            ..
        } = attempt;
        let constant = &channels.bones[bone];
        let (before, here) = decoded.split_at_mut(bone);
        let here = &mut here[0];
        let parent = rig.parents[bone].map(|parent| &before[parent]);
        // Where scales skew, the transforms of parents cannot be compensated.
        let compensated = parent.filter(|_| !channels.is_skewed);
        let exact = &self.exact[bone];
        let tolerance = budget * max_error;
        let reach = reach[bone].max(1e-9);
        let origins = &self.origins[bone];
        let [rotation_hints, translation_hints, scale_hints] = &mut hints[bone];
        let [rotation_curve, translation_curve, scale_curve] = &mut curves[bone];

        // Rotations are left in `targets`.
        targets.clear();
        match &origins.rotation {
            None => targets.resize(self.samples, constant.rotation),
            Some((origins, reference)) => {
                match compensated {
                    Some(parent) => {
                        let pairs = parent.rotations.iter().zip(&exact.rotations);
                        targets.extend(pairs.map(|(parent, model)| parent.inverse() * *model));
                    }
                    None => targets.extend(exact.local.iter().map(|local| local.rotation)),
                }
                unwind(*reference, targets, values);
                let angle = tolerance / reach;
                let curve = fitter.fit(self.bases, origins, values, angle, rotation_hints);
                *rotation_curve = Some(curve);
                let rotations = fitter.values.iter();
                targets.clear();
                targets.extend(rotations.map(|value| *reference * DQuat::from_vec4(*value)));
            }
        }
        let translation = origins.translation.as_ref().map(|(origins, reference)| {
            let extent = constant.translation_extent();
            values.clear();
            values.extend((0..self.samples).map(|sample| {
                let target = match compensated {
                    Some(parent) => {
                        let position = exact.model[sample].translation;
                        parent.model[sample].inverse().transform_point3(position)
                    }
                    None => exact.local[sample].translation,
                };
                ((target - constant.translation) / extent - *reference).extend(0.0)
            }));
            let per_unit = rig.carry[bone].max(1e-9) * rig.parent_scale[bone] * extent;
            let tolerance = tolerance / per_unit.max(1e-30);
            let curve = fitter.fit(self.bases, origins, values, tolerance, translation_hints);
            *translation_curve = Some(curve);
            let decoded = fitter.values.iter();
            let decoded = decoded
                .map(|value| constant.translation + extent * (*reference + value.truncate()));
            decoded.collect::<Vec<DVec3>>()
        });
        let scale =
            origins.scale.as_ref().map(|(origins, reference)| {
                let extent = constant.scale_extent();
                values.clear();
                values.extend(exact.local.iter().map(|local| {
                    ((local.scale - constant.scale) / extent - *reference).extend(0.0)
                }));
                let tolerance = tolerance / (reach * extent);
                let curve = fitter.fit(self.bases, origins, values, tolerance, scale_hints);
                *scale_curve = Some(curve);
                let decoded = fitter.values.iter();
                let decoded =
                    decoded.map(|value| constant.scale + extent * (*reference + value.truncate()));
                decoded.collect::<Vec<DVec3>>()
            });
        for sample in 0..self.samples {
            let parent_from_joint = DAffine3::from_scale_rotation_translation(
                scale.as_ref().map_or(constant.scale, |scale| scale[sample]),
                targets[sample],
                translation
                    .as_ref()
                    .map_or(constant.translation, |translation| translation[sample]),
            );
            (here.model[sample], here.rotations[sample]) = match parent {
                Some(parent) => (
                    parent.model[sample] * parent_from_joint,
                    parent.rotations[sample] * targets[sample],
                ),
                None => (parent_from_joint, targets[sample]),
            };
        }
        differences.set(bone, &exact.model, &here.model);
    }
}

impl BoneOrigins {
    fn find(context: SegmentContext<'_>, bone: usize, local: &[Transform]) -> Self {
        let constant = &context.channels.bones[bone];
        let [rotation, translation, scale] = context.present[bone];
        let points = |origin: DVec3, extent: f64, point: fn(&Transform) -> DVec3| {
            let points = local
                .iter()
                .map(move |local| (point(local) - origin) / extent);
            Origins::of_points(middle(points))
        };
        Self {
            rotation: rotation.then(|| {
                let rotations: Vec<DQuat> = local.iter().map(|local| local.rotation).collect();
                let first = rotations[rotations.len() / 2];
                let mut values = Vec::new();
                unwind(first, &rotations, &mut values);
                let parameters = values
                    .iter()
                    .map(|v| mrp_from_signed_quat(DQuat::from_vec4(*v)));
                let center = first * quat_from_mrp(middle(parameters));
                Origins::of_rotations(constant.rotation, center)
            }),
            translation: translation.then(|| {
                let extent = constant.translation_extent();
                points(constant.translation, extent, |local| local.translation)
            }),
            scale: scale
                .then(|| points(constant.scale, constant.scale_extent(), |local| local.scale)),
        }
    }
}
