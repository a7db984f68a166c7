//! The lowest sample rate whose interpolation error is small enough.

use glam::{DAffine3, DVec3};
use throng_format::decode::{BoneSample, slerp_vertex, vertex_center};
use throng_format::{BoneCode, BoneEntry, FrameInterpolation};
use throng_rig::{CacheCursors, Character, CharacterPose, Clip, ModelPose, Palette};
use throng_skin::reference::skin_position;

use crate::BakeSettings;
use crate::accuracy::moving_joints;
use crate::bones::{BoneFrames, JointScale, bone_entries, code_of, joint_rotations, sample};
use crate::plan::{frame_count, native_rate};

/// Rates that are tried, the lowest first; the clip's native rate is inserted.
const LADDER_HZ: [f64; 14] = [
    6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 24.0, 30.0, 40.0, 48.0, 60.0, 80.0, 96.0, 120.0,
];

/// Most vertices that are measured.
const PROBES: usize = 256;

/// Most intervals that are measured, spread over the clip.
const INTERVALS: u32 = 256;

/// Positions in an interval that are measured.
const FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];

/// Returns the lowest rate at which interpolation, before quantisation, keeps some vertices within the maximum error; where
/// none does, the rate with the smallest error. An estimate: it measures neither all vertices nor all times.
pub(crate) fn auto_rate(
    character: &Character,
    clip: &Clip,
    settings: &BakeSettings,
    size: f64,
) -> f64 {
    let native = native_rate(clip);
    let mut rates = LADDER_HZ.to_vec();
    rates.push(native);
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let limit = settings.max_error_of_size * size;
    let mut probe = Probe::new(character, clip, settings);
    let mut best = (f64::INFINITY, native);
    for rate in rates {
        let error = probe.interpolation_error(rate, limit.max(best.0));
        if error <= limit {
            return rate;
        }
        if error < best.0 {
            best = (error, rate);
        }
    }
    best.1
}

/// Some vertices of a character in a clip.
struct Probe<'c> {
    character: &'c Character,
    clip: &'c Clip,
    settings: &'c BakeSettings,
    vertices: Vec<(usize, usize)>,
    joints: Vec<usize>,
    reference: CharacterPose,
    palettes: Vec<Palette>,
    caches: CacheCursors,
}

impl<'c> Probe<'c> {
    fn new(character: &'c Character, clip: &'c Clip, settings: &'c BakeSettings) -> Self {
        let parts = character.parts().iter().enumerate();
        let all: Vec<(usize, usize)> = parts
            .flat_map(|(index, part)| {
                let first = character.mesh_of(part).unique().first_of_position();
                first.iter().map(move |&vertex| (index, vertex as usize))
            })
            .collect();
        let step = all.len().div_ceil(PROBES).max(1);
        Self {
            character,
            clip,
            settings,
            vertices: all.into_iter().step_by(step).collect(),
            joints: moving_joints(character),
            reference: CharacterPose::rest(character),
            palettes: vec![Palette::default(); character.skins().len()],
            caches: CacheCursors::default(),
        }
    }

    /// Returns the largest distance between interpolated and reference vertices; stops above `enough`.
    fn interpolation_error(&mut self, rate_hz: f64, enough: f64) -> f64 {
        let duration = self.clip.duration_secs();
        let intervals = (frame_count(duration, rate_hz) - 1.0).min(f64::from(u32::MAX)) as u32;
        let step = intervals.div_ceil(INTERVALS).max(1);
        let time =
            |position: f64| self.clip.start_secs() + duration * position / f64::from(intervals);
        let mut worst = 0.0;
        for interval in (0..intervals).step_by(step as usize) {
            let start = f64::from(interval);
            let ends = [time(start), time(start + 1.0)];
            let between = FRACTIONS.map(|fraction| (fraction, time(start + fraction)));
            worst = self.error_between(ends, between).max(worst);
            if worst > enough {
                break;
            }
        }
        worst
    }

    fn error_between(&mut self, ends: [f64; 2], between: [(f64, f64); 3]) -> f64 {
        if self.settings.encoding.is_vertex() {
            let [first, second] = ends.map(|time| self.reference_vertices(time));
            let mut worst = 0.0f64;
            for (fraction, time) in between {
                let reference = self.reference_vertices(time);
                for ((a, b), reference) in first.iter().zip(&second).zip(reference) {
                    worst = worst.max(a.lerp(*b, fraction).distance(reference));
                }
            }
            return worst;
        }
        let ends = ends.map(|time| self.model_pose(time));
        let bones = self.bone_samples(&ends);
        let interpolation = self
            .settings
            .interpolation
            .unwrap_or(FrameInterpolation::Linear);
        let mut worst = 0.0f64;
        for (fraction, time) in between {
            let reference = self.reference_vertices(time);
            let interpolated = if interpolation == FrameInterpolation::SlerpVertices {
                let [from, to] = [0, 1].map(|end| {
                    let pose = self.posed(&bones, |ends| ends[end].to_affine());
                    let centres = self.centres(&pose);
                    (self.posed_vertices(&pose), centres)
                });
                let between =
                    |v| slerp_vertex([from.0[v], to.0[v]], [from.1[v], to.1[v]], fraction);
                (0..reference.len()).map(between).collect()
            } else {
                let pose = self.posed(&bones, |[a, b]| a.between(b, fraction, interpolation));
                self.posed_vertices(&pose)
            };
            for (interpolated, reference) in interpolated.iter().zip(reference) {
                worst = worst.max(interpolated.distance(reference));
            }
        }
        worst
    }

    /// Returns the reference pose with the transforms of bones replaced.
    fn posed(
        &self,
        (samples, bones): &(Vec<[BoneSample; 2]>, Vec<BoneEntry>),
        transform: impl Fn(&[BoneSample; 2]) -> DAffine3,
    ) -> ModelPose {
        let mut pose = self.reference.model.clone();
        for (bone, ends) in bones.iter().zip(samples) {
            pose.model_from_joint[bone.joint] = bone.model_from_joint(transform(ends));
        }
        pose
    }

    fn posed_vertices(&mut self, pose: &ModelPose) -> Vec<DVec3> {
        for (palette, skin) in self.palettes.iter_mut().zip(self.character.skins()) {
            palette.update(skin, pose);
        }
        self.vertices_at(&self.palettes, &self.reference.local.morph_weights)
    }

    /// Returns the centres that vertices rotate about.
    fn centres(&self, pose: &ModelPose) -> Vec<DVec3> {
        let one = |&(part, vertex): &(usize, usize)| {
            let part = &self.character.parts()[part];
            let influences = self.character.mesh_of(part).influences().of(vertex);
            let skin = self.character.skin_of(part);
            vertex_center(influences, skin, &pose.model_from_joint)
        };
        self.vertices.iter().map(one).collect()
    }

    /// Returns both ends of an interval in the form that the encoding interpolates, and the bones. Transforms that the
    /// encoding cannot represent are refused later.
    fn bone_samples(&self, ends: &[ModelPose; 2]) -> (Vec<[BoneSample; 2]>, Vec<BoneEntry>) {
        let transforms = ends.iter().flat_map(|pose| {
            self.joints
                .iter()
                .map(|&joint| pose.model_from_joint[joint])
        });
        let frames = BoneFrames {
            joints: self.joints.clone(),
            transforms: transforms.collect(),
            morph_weights: Vec::new(),
            morphs: 0,
        };
        let code = code_of(self.settings);
        let scales: Vec<JointScale> = (0..frames.bones())
            .map(|bone| match JointScale::of(frames.of_bone(bone)) {
                JointScale::Varying(_) if code != BoneCode::RotationPosition => {
                    JointScale::Constant(1.0)
                }
                JointScale::Sheared(_) => JointScale::Constant(1.0),
                held => held,
            })
            .collect();
        let rotations = joint_rotations(self.character, self.settings, &self.joints);
        let bones = bone_entries(code, &frames, &scales, &rotations, |_, _| ()).unwrap_or_default();
        let count = frames.bones();
        let ends = |(index, bone): (usize, &BoneEntry)| {
            let first = sample(code, bone, &frames.transforms[index], None);
            let second = sample(code, bone, &frames.transforms[count + index], Some(&first));
            [first, second]
        };
        let samples = bones.iter().enumerate().map(ends).collect();
        (samples, bones)
    }

    fn model_pose(&mut self, time_secs: f64) -> ModelPose {
        self.reference.sample(self.character, self.clip, time_secs);
        self.reference.model.clone()
    }

    fn reference_vertices(&mut self, time_secs: f64) -> Vec<DVec3> {
        self.reference.sample(self.character, self.clip, time_secs);
        let weights = &self.reference.local.morph_weights;
        self.caches.seek(self.character, weights);
        self.vertices_at(
            &self.reference.palettes,
            &self.reference.local.morph_weights,
        )
    }

    fn vertices_at(&self, palettes: &[Palette], morph_weights: &[f64]) -> Vec<DVec3> {
        let one = |&(part, vertex): &(usize, usize)| {
            let cursor = self.caches.of_part(part);
            let part = &self.character.parts()[part];
            let mesh = self.character.mesh_of(part);
            let weights = &morph_weights[self.character.morph_range(part)];
            let palette = &palettes[part.skin];
            skin_position(
                self.settings.skinning,
                mesh,
                weights,
                palette,
                vertex,
                cursor,
            )
        };
        self.vertices.iter().map(one).collect()
    }
}
