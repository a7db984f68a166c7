//! Comparison of two playbacks by one thread.

use std::ops::Range;

use throng_format::decode::BonePose;
use throng_rig::Character;
use throng_simd::{LANES, Level};
use throng_skin::reference::Skinned;

use super::compare::{AtTime, VertexSinks};
use super::histogram::BUCKETS;
use super::linear::{Comparison, LaneErrors, LanePose, LaneSinks, LinearPart, MeshSide, Slots};
use super::plan::MeasurePlan;
use super::playback::{JointPlayer, Playback, Played, Player, PosedPlayback};
use super::skinner::{Skinner, is_linear_blend};
use super::tally::{Histograms, unit};
use super::times::TimeKind;

/// Compares playbacks vertex by vertex.
pub(super) struct PlayedWorker<'a> {
    reference: Box<dyn Player + 'a>,
    tested: Box<dyn Player + 'a>,
    expected: Played,
    found: Played,
    pub histograms: Histograms,
    pub heat: Option<Vec<Vec<f32>>>,
}

impl<'a> PlayedWorker<'a> {
    pub fn new(
        reference: &'a dyn Playback,
        tested: &'a dyn Playback,
        plan: &MeasurePlan,
        with_heat: bool,
    ) -> Self {
        Self {
            reference: reference.player(),
            tested: tested.player(),
            expected: Played::default(),
            found: Played::default(),
            histograms: Histograms::new(),
            heat: with_heat.then(|| cold(plan.character)),
        }
    }

    pub fn at(&mut self, plan: &MeasurePlan, clip: usize, time: u64) -> AtTime {
        let planned = plan.clips[clip].at(time);
        // Across the seam the set is compared with itself: the step is what a viewer sees.
        let expected = match planned.kind {
            TimeKind::Seam => &mut self.tested,
            _ => &mut self.reference,
        };
        expected.play(clip, planned.reference_secs, &mut self.expected);
        self.tested.play(clip, planned.tested_secs, &mut self.found);
        let mut at = AtTime::new(time, planned.kind, planned.tested_secs);
        let heat = self.heat.as_deref_mut();
        let mut sinks = VertexSinks {
            histogram: self.histograms.of(planned.kind),
            per_size_sq: per_square(unit(plan.size_m)),
            heat: heat.filter(|_| planned.kind != TimeKind::Jump),
        };
        at.add_vertices(&self.expected, &self.found, &mut sinks);
        let joints = (&self.expected, &self.found);
        let bones = &plan.bone_points;
        at.add_bones(
            &joints.0.model_from_joint,
            &joints.1.model_from_joint,
            bones,
        );
        at
    }
}

/// Factor from square metres to parts of the squared size.
fn per_square(size_m: f64) -> f64 {
    1.0 / (size_m * size_m)
}

/// One zero per vertex of each part.
fn cold(character: &Character) -> Vec<Vec<f32>> {
    let parts = character.parts().iter();
    parts
        .map(|part| vec![0.0; character.mesh_of(part).vertex_count()])
        .collect()
}

/// Two playbacks of joints, with the vertices of both paired.
pub(super) struct Pairing<'a> {
    playbacks: [&'a dyn Playback; 2],
    character: &'a Character,
    pub slots: [Slots<'a>; 2],
    pub linear: Vec<LinearPart>,
    /// The same parts of the tested playback, paired with themselves and without normals: for steps across the seam.
    seam: Vec<LinearPart>,
    /// Parts that are compared vertex by vertex.
    others: Vec<usize>,
}

impl<'a> Pairing<'a> {
    /// Pairs vertices; `None` where either playback has no joints.
    ///
    /// # Panics
    /// If the two have different parts or vertices.
    pub fn new(reference: &'a dyn Playback, tested: &'a dyn Playback) -> Option<Self> {
        let posed = [reference.posed()?, tested.posed()?];
        let characters = posed.each_ref().map(|posed| posed.character);
        let [parts, _] = characters.map(|character| character.parts().len());
        assert_eq!(parts, characters[1].parts().len(), "part counts differ");
        let mut slots = characters.map(Slots::new);
        let (mut linear, mut seam, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..parts {
            let side = |playback: usize| {
                let posed = &posed[playback];
                let character = posed.character;
                let part = &character.parts()[part];
                let is_linear = is_linear_blend(character, part, posed.skinning)
                    && character.mesh_of(part).vertex_cache().is_none();
                is_linear.then(|| MeshSide {
                    playback,
                    mesh: character.mesh_of(part),
                    skin: part.skin,
                    first_morph_weight: character.morph_range(part).start,
                })
            };
            match [0, 1].map(side) {
                [Some(a), Some(b)] => {
                    linear.push(LinearPart::new(part, [a, b], &mut slots));
                    seam.push(LinearPart::new(part, [b, b], &mut slots).without_normals());
                }
                _ => others.push(part),
            }
        }
        Some(Self {
            playbacks: [reference, tested],
            character: characters[0],
            slots,
            linear,
            seam,
            others,
        })
    }

    /// Returns a player of the joints of each playback.
    pub fn joints(&self) -> [Box<dyn JointPlayer + 'a>; 2] {
        self.posed().map(|posed| posed.joints)
    }

    fn posed(&self) -> [PosedPlayback<'a>; 2] {
        self.playbacks.map(|playback| {
            let posed = playback.posed();
            posed.expect("both playbacks have joints, or there is no pairing")
        })
    }
}

/// Counts of samples, of times between samples and of all others, one after the other.
const HISTOGRAMS: usize = 3;

/// Compares playbacks of joints, eight times at once.
pub(super) struct PosedWorker<'a> {
    pairing: &'a Pairing<'a>,
    level: Level,
    joints: [Box<dyn JointPlayer + 'a>; 2],
    /// Poses of the reference and of the tested playback, and of the tested playback before a seam.
    lane_poses: [LanePose; 3],
    /// Pose that is compared with the tested one.
    expected: BonePose,
    counts: Vec<u64>,
    heat: Option<PointHeat>,
    /// Vertices of the other parts.
    others: Option<Others<'a>>,
}

/// Largest squared errors of each point of the linear parts.
struct PointHeat {
    linear: Vec<Vec<f32>>,
    seam: Vec<Vec<f32>>,
}

impl<'a> PosedWorker<'a> {
    pub fn new(pairing: &'a Pairing<'a>, with_heat: bool) -> Self {
        let posed = pairing.posed();
        let others = !pairing.others.is_empty();
        let others = others.then(|| Others::new(pairing, &posed, with_heat));
        let cold_points = |parts: &[LinearPart]| {
            let parts = parts.iter();
            parts.map(|part| vec![0.0; part.points.len()]).collect()
        };
        let [reference, tested] = &pairing.slots;
        Self {
            pairing,
            level: Level::detect(),
            joints: posed.map(|posed| posed.joints),
            lane_poses: [reference, tested, tested].map(LanePose::new),
            expected: BonePose {
                model_from_joint: Vec::new(),
                morph_weights: Vec::new(),
            },
            counts: vec![0; HISTOGRAMS * BUCKETS],
            heat: with_heat.then(|| PointHeat {
                linear: cold_points(&pairing.linear),
                seam: cold_points(&pairing.seam),
            }),
            others,
        }
    }

    /// Compares up to eight times.
    pub fn compare(
        &mut self,
        plan: &MeasurePlan,
        clip: usize,
        times: Range<u64>,
        out: &mut Vec<AtTime>,
    ) {
        let is_seam = |&time: &u64| plan.clips[clip].at(time).kind == TimeKind::Seam;
        let (seam, inside): (Vec<u64>, Vec<u64>) = times.partition(is_seam);
        for (times, is_seam) in [(inside, false), (seam, true)] {
            if !times.is_empty() {
                self.compare_lanes(plan, clip, &times, is_seam, out);
            }
        }
    }

    /// Compares times of which all or none are a seam.
    fn compare_lanes(
        &mut self,
        plan: &MeasurePlan,
        clip: usize,
        times: &[u64],
        is_seam: bool,
        out: &mut Vec<AtTime>,
    ) {
        let Pairing { slots, others, .. } = self.pairing;
        let per_size_sq = per_square(unit(plan.size_m));
        let mut histograms = [2 * BUCKETS; LANES];
        let mut has_heat = [false; LANES];
        let first = out.len();
        // Across the seam the set is compared with itself: the step is what a viewer sees.
        let (playback, expected) = if is_seam { (1, 2) } else { (0, 0) };
        for (lane, &time) in times.iter().enumerate() {
            let planned = plan.clips[clip].at(time);
            let mut at = AtTime::new(time, planned.kind, planned.tested_secs);
            let pose = self.joints[playback].pose(clip, planned.reference_secs);
            self.lane_poses[expected].set(lane, &slots[playback], pose);
            self.expected.clone_from(pose);
            let found = self.joints[1].pose(clip, planned.tested_secs);
            self.lane_poses[1].set(lane, &slots[1], found);
            let joints = [&self.expected, found].map(|pose| pose.model_from_joint.as_slice());
            at.add_bones(joints[0], joints[1], &plan.bone_points);
            histograms[lane] = match planned.kind {
                TimeKind::Sample => 0,
                TimeKind::Between => BUCKETS,
                TimeKind::Seam | TimeKind::Jump => 2 * BUCKETS,
            };
            has_heat[lane] = planned.kind != TimeKind::Jump;
            if let Some(skinned) = &mut self.others {
                let poses = [(expected, &self.expected), (1, found)];
                skinned.compare(poses, others, per_size_sq, &mut at);
            }
            out.push(at);
        }
        for pose in [expected, 1] {
            self.lane_poses[pose].repeat_from(times.len() - 1);
        }
        let heat = self.heat.as_mut();
        let (parts, mut heat) = match is_seam {
            true => (&self.pairing.seam, heat.map(|heat| &mut heat.seam)),
            false => (&self.pairing.linear, heat.map(|heat| &mut heat.linear)),
        };
        for (index, part) in parts.iter().enumerate() {
            let mut errors = LaneErrors::NONE;
            self.level.run_f64(Comparison {
                part,
                poses: [expected, 1].map(|pose| &self.lane_poses[pose]),
                sinks: LaneSinks {
                    counts: &mut self.counts,
                    histograms,
                    per_size_sq,
                    heat: heat.as_mut().map(|parts| parts[index].as_mut_slice()),
                    has_heat,
                },
                errors: &mut errors,
            });
            for (lane, at) in out[first..].iter_mut().enumerate() {
                at.add_lane(part.part, part.point_of.len(), &errors, lane);
            }
        }
    }

    pub fn take_histograms(&mut self, out: &mut Histograms) {
        let mut parts = self.counts.chunks_exact_mut(BUCKETS);
        for histogram in [&mut out.at_samples, &mut out.between] {
            histogram.take_counts(parts.next().expect("there are three histograms"));
        }
        if let Some(others) = &mut self.others {
            out.take(&mut others.histograms);
        }
    }

    /// Returns the largest squared error of each vertex, where a heat map is asked for.
    pub fn into_heat(self) -> Option<Vec<Vec<f32>>> {
        let PointHeat { linear, seam } = self.heat?;
        let others = self.others.and_then(|others| others.heat);
        let mut heat = others.unwrap_or_else(|| cold(self.pairing.character));
        let parts = self.pairing.linear.iter().zip(linear);
        let parts = parts.chain(self.pairing.seam.iter().zip(seam));
        for (part, of_point) in parts {
            let of_vertex = part.point_of.iter().map(|&point| of_point[point as usize]);
            for (most, error) in heat[part.part].iter_mut().zip(of_vertex) {
                *most = most.max(error);
            }
        }
        Some(heat)
    }
}

/// Skins parts for which linear blend skinning is not enough.
struct Others<'a> {
    /// Of the poses of [`PosedWorker::lane_poses`].
    skinners: [Skinner<'a>; 3],
    skinned: [Skinned; 2],
    histograms: Histograms,
    heat: Option<Vec<Vec<f32>>>,
}

impl<'a> Others<'a> {
    fn new(
        pairing: &Pairing<'a>,
        [reference, tested]: &[PosedPlayback<'a>; 2],
        with_heat: bool,
    ) -> Self {
        Self {
            skinners: [reference, tested, tested]
                .map(|posed| Skinner::new(posed.character, posed.skinning)),
            skinned: Default::default(),
            histograms: Histograms::new(),
            heat: with_heat.then(|| cold(pairing.character)),
        }
    }

    /// Skins and compares parts in two poses, each with the index of its skinner.
    fn compare(
        &mut self,
        poses: [(usize, &BonePose); 2],
        parts: &[usize],
        per_size_sq: f64,
        at: &mut AtTime,
    ) {
        let heat = self.heat.as_deref_mut();
        let mut sinks = VertexSinks {
            histogram: self.histograms.of(at.kind),
            per_size_sq,
            heat: heat.filter(|_| at.kind != TimeKind::Jump),
        };
        for (skinner, pose) in poses {
            self.skinners[skinner].set_joints(&pose.model_from_joint);
        }
        for &part in parts {
            for ((skinner, pose), skinned) in poses.iter().zip(&mut self.skinned) {
                self.skinners[*skinner].skin_part(part, &pose.morph_weights, skinned);
            }
            let [a, b] = &self.skinned;
            at.add_part(part, a, b, &mut sinks);
        }
    }
}
