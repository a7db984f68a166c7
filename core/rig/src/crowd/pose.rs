//! Where every joint of every instance is, in the model's space.

use glam::DAffine3;

use super::lanes::{Eight, LANES};

/// An affine transform in float32, row after row: each row times `(x, y, z, 1)` is a coordinate.
pub type Mat3x4 = [[f32; 4]; 3];

/// One matrix of each of eight instances.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MatrixLanes(pub [[Eight; 4]; 3]);

/// Where eight instances are among the keys of a group.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spots {
    /// Index of the first row of each instance's key.
    pub(super) rows: [usize; LANES],
    /// How far each is to its next key.
    pub(super) fractions: Eight,
}

/// Poses of a crowd, as [`crate::CrowdClip::sample`] leaves them. Made once, then reused: nothing is
/// allocated while instances and joints do not grow in number.
#[derive(Debug, Clone, Default)]
pub struct CrowdPose {
    instances: usize,
    joints: usize,
    /// Instances in blocks of eight; in each block one a joint. The last block may have lanes to spare.
    blocks: Vec<MatrixLanes>,
    /// Room to work in.
    spots: Vec<Spots>,
}

impl CrowdPose {
    /// How many instances were posed.
    pub fn instance_count(&self) -> usize {
        self.instances
    }

    /// How many joints each has.
    pub fn joint_count(&self) -> usize {
        self.joints
    }

    /// Where a joint of an instance is. Panics where there is none of that number.
    pub fn model_from_joint(&self, instance: usize, joint: usize) -> Mat3x4 {
        assert!(
            instance < self.instances && joint < self.joints,
            "instance {instance} of {}, joint {joint} of {}",
            self.instances,
            self.joints
        );
        let matrix = &self.block(instance / LANES)[joint];
        matrix
            .0
            .map(|row| row.map(|lanes| lanes.0[instance % LANES]))
    }

    pub(super) fn block(&self, block: usize) -> &[MatrixLanes] {
        &self.blocks[block * self.joints..(block + 1) * self.joints]
    }

    pub(super) fn resize(&mut self, instances: usize, joints: usize, spots: usize) {
        self.instances = instances;
        self.joints = joints;
        let blocks = instances.div_ceil(LANES) * joints;
        self.blocks.resize(blocks, MatrixLanes::default());
        self.spots.resize(spots, Spots::default());
    }

    pub(super) fn parts_mut(&mut self) -> (&mut [MatrixLanes], &mut [Spots]) {
        (&mut self.blocks, &mut self.spots)
    }
}

/// A matrix in float32.
pub(super) fn rows_of(matrix: &DAffine3) -> Mat3x4 {
    let columns = [
        matrix.matrix3.x_axis,
        matrix.matrix3.y_axis,
        matrix.matrix3.z_axis,
        matrix.translation,
    ];
    std::array::from_fn(|row| columns.map(|column| column[row] as f32))
}
