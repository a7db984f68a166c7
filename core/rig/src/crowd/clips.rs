//! All clips of a character, sampled for a crowd.

use rayon::prelude::*;
use throng_simd::{F32x8, LANES, Lanes, Level, Task};

use super::clip::TASKS_PER_THREAD;
use super::layout::ClipLayout;
use super::morphs::MorphLayout;
use super::plan::Block;
use super::play::CrowdPlay;
use super::pose::{CrowdPose, LaneKeys, MatrixLanes};
use super::sampling::{Evaluated, locate, pose_block, pose_faded_block};
use crate::{Character, Clip};

/// All clips of a character, laid out for sampling many instances at once, each with its own clip, time and
/// cross-fade. Made once; then it can be shared among threads.
///
/// Gives the results of [`crate::LocalPose::sample`], [`crate::LocalPose::blend`] and [`crate::ModelPose::resolve`], in
/// float32. A character without clips has one clip, its rest pose. See [`crate::CrowdClip`] for what float32 cannot
/// follow.
#[derive(Debug, Clone)]
pub struct CrowdClips {
    clips: Vec<ClipLayout>,
    morphs: Vec<MorphLayout>,
    level: Level,
}

impl CrowdClips {
    /// Lays out the clips of a character.
    pub fn new(character: &Character) -> Self {
        let rest = Clip::new(String::new(), vec![], vec![]).expect("a clip may be empty");
        let clips = match character.clips() {
            [] => std::slice::from_ref(&rest),
            clips => clips,
        };
        let layout = |clip| ClipLayout::new(character.skeleton(), clip);
        Self {
            clips: clips.iter().map(layout).collect(),
            morphs: clips
                .iter()
                .map(|clip| MorphLayout::new(character, clip))
                .collect(),
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
        self.clips[0].joints.len()
    }

    /// Number of morph weights of all morph sets.
    pub fn morph_weight_count(&self) -> usize {
        self.morphs[0].len()
    }

    /// Poses one instance per playback. Uses one core.
    ///
    /// # Panics
    /// If there is no such clip.
    pub fn sample(&self, plays: &[CrowdPlay], pose: &mut CrowdPose) {
        let keys = self.keys_per_task();
        pose.resize_for(plays, self.joint_count(), keys);
        let (blocks, out, keys) = pose.parts_mut();
        self.sample_blocks(plays, blocks, keys, out);
    }

    /// Poses as [`Self::sample`], equal to the bit, on all threads of the current rayon pool.
    ///
    /// # Panics
    /// If there is no such clip.
    pub fn sample_parallel(&self, plays: &[CrowdPlay], pose: &mut CrowdPose) {
        let tasks = TASKS_PER_THREAD * rayon::current_num_threads();
        let (joints, keys) = (self.joint_count(), self.keys_per_task());
        pose.resize_for(plays, joints, tasks * keys);
        let blocks_per_task = pose.block_count().div_ceil(tasks).max(1);
        let (blocks, out, all_keys) = pose.parts_mut();
        blocks
            .par_chunks(blocks_per_task)
            .zip(out.par_chunks_mut((blocks_per_task * joints).max(1)))
            .zip(all_keys.par_chunks_mut(keys))
            .for_each(|((blocks, out), keys)| self.sample_blocks(plays, blocks, keys, out));
    }

    /// Writes the morph weights of an instance, [`Self::morph_weight_count`] numbers.
    ///
    /// # Panics
    /// If there is no such clip, or `out` has another length.
    pub fn morph_weights(&self, play: &CrowdPlay, out: &mut [f32]) {
        self.morphs[play.clip].sample(play.time_secs, out);
        if let Some(fade) = play.fade {
            self.morphs[fade.clip].blend(fade.time_secs, fade.weight, out);
        }
    }

    /// Number of groups of tracks of two clips, at least one.
    fn keys_per_task(&self) -> usize {
        let groups = self.clips.iter().map(|clip| clip.groups.len());
        2 * groups.max().unwrap_or(0).max(1)
    }

    fn sample_blocks(
        &self,
        plays: &[CrowdPlay],
        blocks: &[Block],
        keys: &mut [LaneKeys],
        out: &mut [MatrixLanes],
    ) {
        if self.joint_count() > 0 {
            self.level.run(SampleFadedBlocks {
                clips: &self.clips,
                plays,
                blocks,
                keys,
                out,
            });
        }
    }
}

/// Poses instances in blocks of eight. `out` has room for all joints of all blocks.
struct SampleFadedBlocks<'a> {
    clips: &'a [ClipLayout],
    plays: &'a [CrowdPlay],
    blocks: &'a [Block],
    /// Enough for the groups of tracks of two clips.
    keys: &'a mut [LaneKeys],
    out: &'a mut [MatrixLanes],
}

impl Task for SampleFadedBlocks<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let joints = self.clips[0].joints.len();
        for (block, out) in self.blocks.iter().zip(self.out.chunks_exact_mut(joints)) {
            let clip = &self.clips[block.clips.0];
            let (keys, to_keys) = self.keys.split_at_mut(clip.groups.len());
            let mut times_secs = [0.0; LANES];
            for (time_secs, &instance) in times_secs.iter_mut().zip(&block.instances) {
                *time_secs = self.plays[instance as usize].time_secs;
            }
            locate(clip, &times_secs, keys);
            let from = Evaluated::new(clip, keys);
            let Some(to) = block.clips.1 else {
                pose_block::<V>(&from, out);
                continue;
            };
            let mut weights = Lanes::ZERO;
            for (lane, &instance) in block.instances.iter().enumerate() {
                if let Some(fade) = self.plays[instance as usize].fade {
                    times_secs[lane] = fade.time_secs;
                    weights.0[lane] = fade.weight;
                }
            }
            locate(&self.clips[to], &times_secs, to_keys);
            let to = Evaluated::new(&self.clips[to], to_keys);
            pose_faded_block::<V>(&from, &to, &weights, out);
        }
    }
}
