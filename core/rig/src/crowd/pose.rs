//! Model-space transforms of every joint of every instance.

use glam::{DAffine3, DMat3, DVec3};
use throng_simd::{LANES, Lanes};

use super::plan::{Block, Plan, Slots};
use super::play::CrowdPlay;

/// An affine transform in float32, by rows: each row times `(x, y, z, 1)` is a coordinate.
pub type Mat3x4 = [[f32; 4]; 3];

/// One matrix of each of eight instances.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MatrixLanes(pub [[Lanes; 4]; 3]);

/// Key and fraction of eight instances in one group of tracks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LaneKeys {
    /// Index of the first row of each instance's key.
    pub(super) rows: [usize; LANES],
    /// Fraction of the time to the next key, 0 to 1.
    pub(super) fractions: Lanes,
}

/// Poses of a crowd, written by [`crate::CrowdClip::sample`] or [`crate::CrowdClips::sample`]. Made once, then
/// reused: nothing is allocated while the numbers of instances and joints do not grow.
#[derive(Debug, Clone, Default)]
pub struct CrowdPose {
    instances: usize,
    joints: usize,
    /// Instances in blocks of eight; in each block one matrix per joint. Blocks may have unused lanes.
    blocks: Vec<MatrixLanes>,
    /// Order of the instances.
    plan: Plan,
    /// Scratch memory of sampling.
    keys: Vec<LaneKeys>,
}

impl CrowdPose {
    /// Number of posed instances.
    pub fn instance_count(&self) -> usize {
        self.instances
    }

    /// Number of joints per instance.
    pub fn joint_count(&self) -> usize {
        self.joints
    }

    /// Returns the model-space transform of a joint of an instance.
    ///
    /// # Panics
    /// If either index is out of range.
    pub fn model_from_joint(&self, instance: usize, joint: usize) -> Mat3x4 {
        assert!(
            instance < self.instances && joint < self.joints,
            "instance {instance} of {}, joint {joint} of {}",
            self.instances,
            self.joints
        );
        let slot = self.plan.slots().of(instance);
        let matrix = &self.block(slot / LANES)[joint];
        matrix.0.map(|row| row.map(|lanes| lanes.0[slot % LANES]))
    }

    /// Slots of the instances.
    pub(super) fn slots(&self) -> &Slots {
        self.plan.slots()
    }

    /// Number of blocks.
    pub(super) fn block_count(&self) -> usize {
        self.plan.block_count(self.instances)
    }

    pub(super) fn block(&self, block: usize) -> &[MatrixLanes] {
        &self.blocks[block * self.joints..(block + 1) * self.joints]
    }

    /// Makes room for instances in their own order, and for `keys` keys.
    pub(super) fn resize(&mut self, instances: usize, joints: usize, keys: usize) {
        self.plan.clear();
        self.make_room(instances, joints, keys);
    }

    /// Orders instances by what they play, and makes room for them.
    pub(super) fn resize_for(&mut self, plays: &[CrowdPlay], joints: usize, keys: usize) {
        self.plan.arrange(plays);
        self.make_room(plays.len(), joints, keys);
    }

    fn make_room(&mut self, instances: usize, joints: usize, keys: usize) {
        self.instances = instances;
        self.joints = joints;
        let blocks = self.block_count() * joints;
        self.blocks.resize(blocks, MatrixLanes::default());
        self.keys.resize(keys, LaneKeys::default());
    }

    pub(super) fn parts_mut(&mut self) -> (&[Block], &mut [MatrixLanes], &mut [LaneKeys]) {
        (self.plan.blocks(), &mut self.blocks, &mut self.keys)
    }
}

/// Converts a matrix to float32 rows.
pub(super) fn rows_of(matrix: &DAffine3) -> Mat3x4 {
    let columns = [
        matrix.matrix3.x_axis,
        matrix.matrix3.y_axis,
        matrix.matrix3.z_axis,
        matrix.translation,
    ];
    std::array::from_fn(|row| columns.map(|column| column[row] as f32))
}

/// Converts float32 rows to a matrix.
pub(super) fn affine_of([x, y, z]: &Mat3x4) -> DAffine3 {
    let column = |at: usize| DVec3::new(x[at].into(), y[at].into(), z[at].into());
    DAffine3 {
        matrix3: DMat3::from_cols(column(0), column(1), column(2)),
        translation: column(3),
    }
}
