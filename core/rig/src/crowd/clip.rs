//! A clip laid out for sampling a crowd.

use std::collections::HashMap;

use glam::DVec3;
use rayon::prelude::*;

use super::keys::KeyTimes;
use super::lanes::{Eight, LANES, SimdLevel};
use super::pose::{CrowdPose, Mat3x4, MatrixLanes, Spots, rows_of};
use super::sampling::SampleBlocks;
use super::segments::{RowKey, Segments, Shape};
use crate::{Clip, JointTracks, Skeleton, Track, Transform};

/// A clip laid out for sampling many instances at once. Made once; then it can be shared among threads.
///
/// It gives what [`crate::LocalPose::sample`] and [`crate::ModelPose::resolve`] give, in float32. Rotations
/// between linear keys are on the true arc, at any angle. A spline of rotations has no direction where it
/// passes through zero: close to that, float32 cannot follow it. Morph weights are not sampled.
#[derive(Debug, Clone)]
pub struct CrowdClip {
    pub(super) groups: Vec<Group>,
    pub(super) rows: Vec<Eight>,
    pub(super) joints: Vec<JointPlan>,
    level: SimdLevel,
}

/// Tracks that have the same key times. Their rows stand together, key by key, so that an instance
/// reads one stretch of memory.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) times: KeyTimes,
    /// Index of the first row of the first key.
    pub(super) first_row: usize,
    /// How many rows a key has.
    pub(super) rows_per_key: usize,
}

/// How a joint is posed.
#[derive(Debug, Clone)]
pub(super) struct JointPlan {
    pub(super) parent: Option<usize>,
    pub(super) local: Local,
}

/// How `parent_from_joint` is made.
#[derive(Debug, Clone)]
pub(super) enum Local {
    /// Nothing moves it.
    Fixed(Mat3x4),
    /// Something does.
    Moving {
        translation: Channel,
        rotation: Channel,
        /// `None` where the joint never scales.
        scale: Option<Channel>,
    },
}

/// Where three or four numbers come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Channel {
    Constant([f32; 4]),
    Moving {
        shape: Shape,
        group: usize,
        /// Index of the track's first row among those of a key.
        row: usize,
    },
}

/// How many pieces of work each thread gets at most: more would share the work better among threads that
/// are slowed down by others, and cost more to hand out.
const TASKS_PER_THREAD: usize = 4;

impl CrowdClip {
    /// Lays out a clip of a character with this skeleton.
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut tracks_of = vec![None; skeleton.len()];
        for tracks in clip.joints() {
            tracks_of[tracks.joint] = Some(tracks);
        }
        let mut layout = Layout::default();
        let joints = skeleton
            .joints()
            .iter()
            .zip(tracks_of)
            .map(|(joint, tracks)| JointPlan {
                parent: joint.parent,
                local: layout.local(joint.parent_from_joint, tracks),
            })
            .collect();
        let (groups, rows) = layout.finish();
        Self {
            groups,
            rows,
            joints,
            level: SimdLevel::widest(),
        }
    }

    /// The same, sampled with other instructions than the widest.
    pub fn with_simd_level(self, level: SimdLevel) -> Self {
        Self { level, ..self }
    }

    /// How many joints the skeleton has.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// Poses one instance for each time, in the file's own time, clamped to the clip. Uses one core.
    pub fn sample(&self, times_secs: &[f64], pose: &mut CrowdPose) {
        pose.resize(times_secs.len(), self.joints.len(), self.groups.len());
        let (blocks, spots) = pose.parts_mut();
        self.sample_blocks(times_secs, spots, blocks);
    }

    /// The same to the bit, on all threads of the current rayon pool.
    pub fn sample_parallel(&self, times_secs: &[f64], pose: &mut CrowdPose) {
        let tasks = TASKS_PER_THREAD * rayon::current_num_threads();
        let blocks_per_task = times_secs.len().div_ceil(LANES).div_ceil(tasks).max(1);
        let groups = self.groups.len().max(1);
        pose.resize(times_secs.len(), self.joints.len(), tasks * groups);
        let (blocks, spots) = pose.parts_mut();
        times_secs
            .par_chunks(blocks_per_task * LANES)
            .zip(blocks.par_chunks_mut((blocks_per_task * self.joints.len()).max(1)))
            .zip(spots.par_chunks_mut(groups))
            .for_each(|((times_secs, blocks), spots)| {
                self.sample_blocks(times_secs, spots, blocks);
            });
    }

    fn sample_blocks(&self, times_secs: &[f64], spots: &mut [Spots], out: &mut [MatrixLanes]) {
        self.level.run(SampleBlocks {
            clip: self,
            times_secs,
            spots,
            out,
        });
    }
}

/// A clip that is being laid out.
#[derive(Default)]
struct Layout {
    groups: Vec<Building>,
    group_of: HashMap<Vec<u64>, usize>,
}

struct Building {
    times: KeyTimes,
    keys: usize,
    rows_per_key: usize,
    tracks: Vec<(Shape, Vec<Eight>)>,
}

impl Layout {
    fn local(&mut self, rest: Transform, tracks: Option<&JointTracks>) -> Local {
        let translation = tracks.and_then(|t| t.translation.as_ref());
        let rotation = tracks.and_then(|t| t.rotation.as_ref());
        let scale = tracks.and_then(|t| t.scale.as_ref());
        let (translation, still_translation) = self.channel(translation, rest.translation);
        let (rotation, still_rotation) = self.channel(rotation, rest.rotation);
        let (scale, still_scale) = self.channel(scale, rest.scale);
        if let (Some(translation), Some(rotation), Some(scale)) =
            (still_translation, still_rotation, still_scale)
        {
            let still = Transform {
                translation,
                rotation,
                scale,
            };
            return Local::Fixed(rows_of(&still.to_affine()));
        }
        Local::Moving {
            translation,
            rotation,
            scale: (still_scale != Some(DVec3::ONE)).then_some(scale),
        }
    }

    /// Where to read a value, and the value itself if nothing moves it.
    fn channel<K: RowKey>(
        &mut self,
        track: Option<&Track<K>>,
        rest: K::Value,
    ) -> (Channel, Option<K::Value>) {
        let value = match track {
            None => rest,
            Some(track) => match Segments::from(track) {
                Segments::Constant(value) => value,
                Segments::Moving { shape, rows } => {
                    return (self.moving(track.times(), shape, rows), None);
                }
            },
        };
        let four = K::four(&value).as_vec4().to_array();
        (Channel::Constant(four), Some(value))
    }

    fn moving(&mut self, times_secs: &[f64], shape: Shape, rows: Vec<Eight>) -> Channel {
        let group = self.group(times_secs);
        let building = &mut self.groups[group];
        let row = building.rows_per_key;
        building.rows_per_key += shape.rows();
        building.tracks.push((shape, rows));
        Channel::Moving { shape, group, row }
    }

    fn group(&mut self, times_secs: &[f64]) -> usize {
        let bits = times_secs.iter().map(|t| t.to_bits()).collect();
        *self.group_of.entry(bits).or_insert_with(|| {
            self.groups.push(Building {
                times: KeyTimes::new(times_secs),
                keys: times_secs.len(),
                rows_per_key: 0,
                tracks: Vec::new(),
            });
            self.groups.len() - 1
        })
    }

    fn finish(self) -> (Vec<Group>, Vec<Eight>) {
        let mut rows = Vec::new();
        let groups = self.groups.into_iter().map(|building| {
            let first_row = rows.len();
            for key in 0..building.keys {
                for (shape, track) in &building.tracks {
                    let n = shape.rows();
                    rows.extend_from_slice(&track[key * n..(key + 1) * n]);
                }
            }
            Group {
                times: building.times,
                first_row,
                rows_per_key: building.rows_per_key,
            }
        });
        (groups.collect(), rows)
    }
}
