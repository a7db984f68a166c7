//! A clip that is sampled for a crowd.

use rayon::prelude::*;
use throng_simd::{LANES, Level};

use super::layout::ClipLayout;
use super::pose::{CrowdPose, LaneKeys, MatrixLanes};
use super::sampling::SampleBlocks;
use crate::{Clip, Skeleton};

/// A clip laid out for sampling many instances at once. Made once; then it can be shared among threads.
///
/// Gives the results of [`crate::LocalPose::sample`] and [`crate::ModelPose::resolve`], in float32.
/// Rotations between linear keys follow the exact arc at any angle. A rotation spline has no direction
/// where it passes through zero: float32 cannot follow it close to that. Morph weights and cross-fades are those of
/// [`crate::CrowdClips`].
#[derive(Debug, Clone)]
pub struct CrowdClip {
    layout: ClipLayout,
    level: Level,
}

/// Maximum number of tasks per thread. More would balance the load better among threads that are slowed
/// down by others, and cost more to hand out.
pub(super) const TASKS_PER_THREAD: usize = 4;

impl CrowdClip {
    /// Lays out a clip of a character with this skeleton.
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        Self {
            layout: ClipLayout::new(skeleton, clip),
            level: Level::detect(),
        }
    }

    /// Samples with the instructions of another level than the widest. Sampling panics if the machine
    /// lacks it.
    pub fn with_simd_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Number of joints of the skeleton.
    pub fn joint_count(&self) -> usize {
        self.layout.joints.len()
    }

    /// Poses one instance per time. Times are in the file's time and clamped to the clip. Uses one core.
    pub fn sample(&self, times_secs: &[f64], pose: &mut CrowdPose) {
        pose.resize(
            times_secs.len(),
            self.joint_count(),
            self.layout.groups.len(),
        );
        let (_, blocks, keys) = pose.parts_mut();
        self.sample_blocks(times_secs, keys, blocks);
    }

    /// Poses as [`Self::sample`], equal to the bit, on all threads of the current rayon pool.
    pub fn sample_parallel(&self, times_secs: &[f64], pose: &mut CrowdPose) {
        let tasks = TASKS_PER_THREAD * rayon::current_num_threads();
        let blocks_per_task = times_secs.len().div_ceil(LANES).div_ceil(tasks).max(1);
        let (joints, groups) = (self.joint_count(), self.layout.groups.len().max(1));
        pose.resize(times_secs.len(), joints, tasks * groups);
        let (_, blocks, keys) = pose.parts_mut();
        times_secs
            .par_chunks(blocks_per_task * LANES)
            .zip(blocks.par_chunks_mut((blocks_per_task * joints).max(1)))
            .zip(keys.par_chunks_mut(groups))
            .for_each(|((times_secs, blocks), keys)| {
                self.sample_blocks(times_secs, keys, blocks);
            });
    }

    fn sample_blocks(&self, times_secs: &[f64], keys: &mut [LaneKeys], out: &mut [MatrixLanes]) {
        self.level.run(SampleBlocks {
            clip: &self.layout,
            times_secs,
            keys,
            out,
        });
    }
}
