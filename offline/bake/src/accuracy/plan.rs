//! Plan of a measurement: clips, times and units.

use glam::{DAffine3, DVec3};
use throng_rig::{Character, CharacterPose, Clip, LoopPolicy};
use throng_skin::rest_size;

use super::times::{PlannedTime, Timeline};

/// Distance between a joint and the points of the bone metric, as a part of the size: 3 cm at 1.8 m.
pub const BONE_POINT_OF_SIZE: f64 = 0.017;

/// Clips and times to measure, and names for the report.
#[derive(Debug, Clone)]
pub struct MeasurePlan<'a> {
    pub(super) character: &'a Character,
    pub(super) size_m: f64,
    pub(super) clips: Vec<PlannedClip<'a>>,
    pub(super) bone_points: Vec<BonePoints>,
}

/// Names and the unit of a report.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    pub character: &'a Character,
    pub size_m: f64,
    pub clip_names: Vec<&'a str>,
}

/// A clip to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipToMeasure {
    /// Index into the source's clips.
    pub source_clip: usize,
    /// Loop policy of the tested playback.
    pub looping: LoopPolicy,
}

#[derive(Debug, Clone)]
pub(super) struct PlannedClip<'a> {
    pub source: &'a Clip,
    pub looping: LoopPolicy,
    pub timeline: Timeline,
    stride: u64,
}

/// Points around a joint that moves vertices, in joint space. Their opposites are measured, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct BonePoints {
    pub joint: usize,
    pub points: [DVec3; 3],
}

impl<'a> MeasurePlan<'a> {
    /// Plans every time. Clip `n` of both playbacks is `clips[n]` of the source.
    ///
    /// # Panics
    /// If the source has no such clip.
    pub fn full(source: &'a Character, clips: &[ClipToMeasure]) -> Self {
        Self::probe(source, rest_size(source), clips, 1)
    }

    /// Plans every `stride`-th time of a character that was reduced to a few vertices. `size_m` is the size of the whole
    /// character. An odd stride covers both samples and times between samples.
    ///
    /// # Panics
    /// If the source has no such clip, or the stride is zero.
    pub fn probe(
        source: &'a Character,
        size_m: f64,
        clips: &[ClipToMeasure],
        stride: usize,
    ) -> Self {
        assert!(stride > 0, "stride must be at least 1");
        let planned = clips.iter().map(|clip| {
            let source = &source.clips()[clip.source_clip];
            PlannedClip {
                source,
                looping: clip.looping,
                timeline: Timeline::new(source, clip.looping, size_m),
                stride: stride as u64,
            }
        });
        Self {
            character: source,
            size_m,
            clips: planned.collect(),
            bone_points: bone_points(source, size_m),
        }
    }

    /// Names and the unit of a report.
    pub(super) fn subject(&self) -> Subject<'a> {
        Subject {
            character: self.character,
            size_m: self.size_m,
            clip_names: self.clips.iter().map(|c| c.source.name.as_str()).collect(),
        }
    }

    /// Number of times of all clips.
    pub fn times(&self) -> u64 {
        self.clips.iter().map(PlannedClip::len).sum()
    }

    /// Number of clips.
    pub fn clip_count(&self) -> usize {
        self.clips.len()
    }

    /// Times of a clip.
    pub fn times_of(&self, clip: usize) -> impl Iterator<Item = PlannedTime> + '_ {
        let clip = &self.clips[clip];
        (0..clip.len()).map(|index| clip.at(index))
    }

    /// Number of vertices of all parts.
    pub fn vertices(&self) -> usize {
        vertices(self.character)
    }
}

/// Number of vertices of all parts.
pub(super) fn vertices(character: &Character) -> usize {
    let parts = character.parts().iter();
    parts.map(|p| character.mesh_of(p).vertex_count()).sum()
}

impl PlannedClip<'_> {
    pub fn len(&self) -> u64 {
        self.timeline.len().div_ceil(self.stride)
    }

    pub fn at(&self, index: u64) -> PlannedTime {
        self.timeline.at(index * self.stride)
    }
}

/// Returns the joints that move at least one vertex, in the order of the skeleton.
pub fn moving_joints(character: &Character) -> Vec<usize> {
    let mut moves = vec![false; character.skeleton().len()];
    for part in character.parts() {
        let (mesh, skin) = (character.mesh_of(part), character.skin_of(part));
        for &vertex in mesh.unique().first_of_position() {
            for &entry in mesh.influences().run(vertex as usize).0 {
                moves[skin.joints()[entry as usize]] = true;
            }
        }
    }
    let joints = moves.iter().enumerate().filter(|(_, moves)| **moves);
    joints.map(|(joint, _)| joint).collect()
}

/// Returns points at [`BONE_POINT_OF_SIZE`] from the joint in the rest pose, whatever the joint's scale.
fn bone_points(character: &Character, size_m: f64) -> Vec<BonePoints> {
    let rest = CharacterPose::rest(character).model;
    let around = |joint: usize| {
        let axes: &DAffine3 = &rest.model_from_joint[joint];
        let point = |axis: DVec3| {
            let length = axes.transform_vector3(axis).length();
            if length > 0.0 {
                axis * (BONE_POINT_OF_SIZE * size_m / length)
            } else {
                DVec3::ZERO
            }
        };
        BonePoints {
            joint,
            points: DVec3::AXES.map(point),
        }
    };
    moving_joints(character).into_iter().map(around).collect()
}
