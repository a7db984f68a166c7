//! Palettes of a crowd: one matrix per instance and joint of a skin, from bind space to model space.

use rayon::prelude::*;
use throng_simd::{F32x8, LANES, Level, Task};

use super::pose::{CrowdPose, Mat3x4, rows_of};
use super::sampling::{product, splat};
use crate::Skin;

/// `model_from_bind` of each joint of a skin, for each instance: the results of
/// [`crate::Palette::matrices`] in float32. Made once, then reused: nothing is allocated while the numbers
/// of instances and joints do not grow.
#[derive(Debug, Clone, Default)]
pub struct CrowdPalette {
    instances: usize,
    joint_from_bind: Vec<Mat3x4>,
    /// Instance by instance. The last block of eight may have unused instances.
    matrices: Vec<Mat3x4>,
    level: Level,
}

impl CrowdPalette {
    /// Makes an empty palette that is computed with the instructions of another level than the widest.
    /// Updates panic if the machine lacks it.
    pub fn with_simd_level(level: Level) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Multiplies the joints of the pose by the inverse bind matrices of the skin. The skin must belong to
    /// the skeleton that was posed. Uses one core.
    pub fn update(&mut self, skin: &Skin, pose: &CrowdPose) {
        self.resize(skin, pose);
        let blocks = self.matrices.chunks_exact_mut(LANES * skin.len());
        let level = self.level;
        for (block, out) in blocks.enumerate() {
            level.run(PaletteBlock {
                skin,
                joint_from_bind: &self.joint_from_bind,
                pose,
                block,
                out,
            });
        }
    }

    /// Computes as [`Self::update`], equal to the bit, on all threads of the current rayon pool.
    pub fn update_parallel(&mut self, skin: &Skin, pose: &CrowdPose) {
        self.resize(skin, pose);
        let blocks = self.matrices.par_chunks_exact_mut(LANES * skin.len());
        let (level, joint_from_bind) = (self.level, &self.joint_from_bind);
        blocks.enumerate().for_each(|(block, out)| {
            level.run(PaletteBlock {
                skin,
                joint_from_bind,
                pose,
                block,
                out,
            });
        });
    }

    fn resize(&mut self, skin: &Skin, pose: &CrowdPose) {
        self.instances = pose.instance_count();
        self.joint_from_bind.clear();
        let joint_from_bind = skin.joint_from_bind().iter().map(rows_of);
        self.joint_from_bind.extend(joint_from_bind);
        let matrices = self.instances.next_multiple_of(LANES) * skin.len();
        self.matrices.resize(matrices, Mat3x4::default());
    }

    /// Returns `model_from_bind` of each joint of the skin, for one instance.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn instance(&self, instance: usize) -> &[Mat3x4] {
        let joints = self.joint_from_bind.len();
        &self.matrices()[instance * joints..(instance + 1) * joints]
    }

    /// Returns the matrices of all instances, instance by instance, ready for upload to a GPU.
    pub fn matrices(&self) -> &[Mat3x4] {
        &self.matrices[..self.instances * self.joint_from_bind.len()]
    }

    /// Number of instances.
    pub fn instance_count(&self) -> usize {
        self.instances
    }
}

/// Computes the matrices of eight instances.
struct PaletteBlock<'a> {
    skin: &'a Skin,
    joint_from_bind: &'a [Mat3x4],
    pose: &'a CrowdPose,
    block: usize,
    out: &'a mut [Mat3x4],
}

impl Task for PaletteBlock<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let model_from_joint = self.pose.block(self.block);
        let stride = self.joint_from_bind.len();
        let joints = self.skin.joints().iter().zip(self.joint_from_bind);
        for (index, (&joint, joint_from_bind)) in joints.enumerate() {
            let model_from_bind = product::<V>(&model_from_joint[joint], &splat(joint_from_bind));
            V::write_matrices(model_from_bind, &mut self.out[index..], stride);
        }
    }
}
