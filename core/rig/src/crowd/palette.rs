//! Palettes of a crowd: one matrix per instance and joint of a skin, from bind space to model space.

use rayon::prelude::*;
use throng_simd::{F32x8, LANES, Level, Task};

use super::matrix::{product, splat};
use super::plan::Slots;
use super::pose::{CrowdPose, Mat3x4, affine_of, rows_of};
use crate::{Palette, Skin};

/// `model_from_bind` of each joint of a skin, for each instance: the results of
/// [`crate::Palette::matrices`] in float32. Made once, then reused: nothing is allocated while the numbers
/// of instances and joints do not grow.
#[derive(Debug, Clone, Default)]
pub struct CrowdPalette {
    instances: usize,
    joint_from_bind: Vec<Mat3x4>,
    /// Slot by slot. Blocks of eight may have unused slots.
    matrices: Vec<Mat3x4>,
    slots: Slots,
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
        let matrices = pose.block_count() * LANES * skin.len();
        self.matrices.resize(matrices, Mat3x4::default());
        self.slots.copy_from(pose.slots());
    }

    /// Gives every instance the matrices of one float64 palette.
    pub fn hold(&mut self, palette: &Palette, instances: usize) {
        self.instances = instances;
        self.joint_from_bind
            .resize(palette.len(), Mat3x4::default());
        self.matrices.clear();
        self.matrices.extend(palette.matrices().iter().map(rows_of));
        self.slots.share_first(instances);
    }

    /// Returns `model_from_bind` of each joint of the skin, for one instance.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn instance(&self, instance: usize) -> &[Mat3x4] {
        assert!(
            instance < self.instances,
            "instance {instance} of {}",
            self.instances
        );
        let joints = self.joint_from_bind.len();
        let slot = self.slots.of(instance);
        &self.matrices[slot * joints..(slot + 1) * joints]
    }

    /// Converts the matrices of one instance to dual quaternions and stretches, as [`Palette::update`] does for one
    /// character. Stretches below 2e-6 are rounding and left out.
    ///
    /// # Panics
    /// If the index is out of range, or the skin is another one.
    pub fn split_into(&self, instance: usize, skin: &Skin, out: &mut Palette) {
        let matrices = self.instance(instance);
        assert_eq!(matrices.len(), skin.len(), "joints");
        out.update_from_f32(skin, matrices.iter().map(affine_of));
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
