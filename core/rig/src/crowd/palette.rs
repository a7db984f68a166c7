//! What skinning a crowd needs: for each instance and each joint of a skin, the way from the bound mesh
//! to the model.

use rayon::prelude::*;

use super::lanes::{LANES, Lanes, SimdLevel, Work};
use super::pose::{CrowdPose, Mat3x4, rows_of};
use super::sampling::{product, splat};
use crate::Skin;

/// `model_from_bind` of each joint of a skin, for each instance: what [`crate::Palette::matrices`] gives,
/// in float32. Made once, then reused: nothing is allocated while instances and joints do not grow in
/// number.
#[derive(Debug, Clone, Default)]
pub struct CrowdPalette {
    instances: usize,
    joint_from_bind: Vec<Mat3x4>,
    /// Instance after instance. The last block of eight may have instances to spare.
    matrices: Vec<Mat3x4>,
    level: SimdLevel,
}

impl CrowdPalette {
    /// An empty one that is made with other instructions than the widest.
    pub fn with_simd_level(level: SimdLevel) -> Self {
        Self {
            level,
            ..Self::default()
        }
    }

    /// Takes the pose's joints through the skin's inverse bind matrices. The skin must be on the skeleton
    /// that was posed. Uses one core.
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

    /// The same to the bit, on all threads of the current rayon pool.
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

    /// `model_from_bind` of each joint of the skin, for one instance. Panics where there is none of that
    /// number.
    pub fn instance(&self, instance: usize) -> &[Mat3x4] {
        let joints = self.joint_from_bind.len();
        &self.matrices()[instance * joints..(instance + 1) * joints]
    }

    /// Those of all instances in a row, as a GPU would take them.
    pub fn matrices(&self) -> &[Mat3x4] {
        &self.matrices[..self.instances * self.joint_from_bind.len()]
    }

    /// How many instances there are.
    pub fn instance_count(&self) -> usize {
        self.instances
    }
}

/// Makes the matrices of eight instances.
struct PaletteBlock<'a> {
    skin: &'a Skin,
    joint_from_bind: &'a [Mat3x4],
    pose: &'a CrowdPose,
    block: usize,
    out: &'a mut [Mat3x4],
}

impl Work for PaletteBlock<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let model_from_joint = self.pose.block(self.block);
        let stride = self.joint_from_bind.len();
        let entries = self.skin.joints().iter().zip(self.joint_from_bind);
        for (entry, (&joint, joint_from_bind)) in entries.enumerate() {
            let model_from_bind = product::<L>(&model_from_joint[joint], &splat(joint_from_bind));
            L::write_matrices(model_from_bind, &mut self.out[entry..], stride);
        }
    }
}
