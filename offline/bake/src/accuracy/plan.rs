//! What to measure, and in which unit.

use glam::{DAffine3, DVec3};
use throng_rig::{Character, CharacterPose, Clip, LoopPolicy};
use throng_skin::rest_size;

use super::times::{PlannedTime, Timeline};

/// How far off each joint the points of the bone metric are, in parts of the size: 3 cm at 1.8 m.
pub const BONE_POINT_OF_SIZE: f64 = 0.017;

/// Which clips are measured at which times, and what names the report gives to what it finds.
#[derive(Debug, Clone)]
pub struct MeasurePlan<'a> {
    pub(super) character: &'a Character,
    pub(super) size_m: f64,
    pub(super) clips: Vec<PlannedClip<'a>>,
    pub(super) bone_points: Vec<BonePoints>,
}

/// A clip of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipToMeasure {
    /// Index into the source's clips.
    pub source_clip: usize,
    /// Whether what is tested wraps at its end.
    pub looping: LoopPolicy,
}

#[derive(Debug, Clone)]
pub(super) struct PlannedClip<'a> {
    pub source: &'a Clip,
    pub looping: LoopPolicy,
    pub timeline: Timeline,
    stride: u64,
}

/// Points around a joint that moves vertices, in its own space: these and their opposites.
#[derive(Debug, Clone, Copy)]
pub(super) struct BonePoints {
    pub joint: usize,
    pub points: [DVec3; 3],
}

impl<'a> MeasurePlan<'a> {
    /// Every time. Clip `n` of both playbacks is `clips[n]` of the source.
    ///
    /// # Panics
    /// Where the source has no such clip.
    pub fn full(source: &'a Character, clips: &[ClipToMeasure]) -> Self {
        Self::probe(source, rest_size(source), clips, 1)
    }

    /// Every `stride`-th time of a character that has been reduced to a few vertices. Its size is that
    /// of the whole. An odd stride meets samples and times between alike.
    ///
    /// # Panics
    /// Where the source has no such clip, or at a stride of zero.
    pub fn probe(
        source: &'a Character,
        size_m: f64,
        clips: &[ClipToMeasure],
        stride: usize,
    ) -> Self {
        assert!(stride > 0, "a stride of at least one");
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

    /// How many times there are in all.
    pub fn times(&self) -> u64 {
        self.clips.iter().map(PlannedClip::len).sum()
    }

    /// How many clips there are.
    pub fn clip_count(&self) -> usize {
        self.clips.len()
    }

    /// The times of a clip.
    pub fn times_of(&self, clip: usize) -> impl Iterator<Item = PlannedTime> + '_ {
        let clip = &self.clips[clip];
        (0..clip.len()).map(|index| clip.at(index))
    }

    /// Vertices of all parts.
    pub fn vertices(&self) -> usize {
        let parts = self.character.parts().iter();
        parts
            .map(|p| self.character.mesh_of(p).vertex_count())
            .sum()
    }
}

impl PlannedClip<'_> {
    pub fn len(&self) -> u64 {
        self.timeline.len().div_ceil(self.stride)
    }

    pub fn at(&self, index: u64) -> PlannedTime {
        self.timeline.at(index * self.stride)
    }
}

/// Joints that move at least one vertex, in the order of the skeleton.
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

/// A joint's axes may be scaled: its points are as far off as they have to be at rest.
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
