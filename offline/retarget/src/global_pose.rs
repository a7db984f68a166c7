//! Joints in model space, rotations and positions apart.

use glam::{DAffine3, DQuat, DVec3};
use throng_rig::{Skeleton, Transform};

/// Rotation and transform of every joint in model space. Rotations are those of the joints alone: scale and shear are in
/// the transforms only.
#[derive(Debug, Clone, Default)]
pub struct GlobalPose {
    /// One per joint.
    pub rotations: Vec<DQuat>,
    /// `model_from_joint`, one per joint.
    pub transforms: Vec<DAffine3>,
}

impl GlobalPose {
    /// The rest pose.
    pub fn rest(skeleton: &Skeleton) -> Self {
        let mut pose = Self::default();
        let rest: Vec<Transform> = rest_of(skeleton).collect();
        pose.resolve(skeleton, &rest);
        pose
    }

    /// Computes all joints from their transforms in parent space.
    pub fn resolve(&mut self, skeleton: &Skeleton, local: &[Transform]) {
        self.rotations.clear();
        self.transforms.clear();
        for (joint, local) in skeleton.joints().iter().zip(local) {
            let affine = local.to_affine();
            let (rotation, transform) = match joint.parent {
                Some(parent) => (
                    self.rotations[parent] * local.rotation,
                    self.transforms[parent] * affine,
                ),
                None => (local.rotation, affine),
            };
            self.rotations.push(rotation);
            self.transforms.push(transform);
        }
    }

    /// Position of a joint.
    pub fn position(&self, joint: usize) -> DVec3 {
        self.transforms[joint].translation
    }
}

/// Transforms of the rest pose in parent space.
pub fn rest_of(skeleton: &Skeleton) -> impl Iterator<Item = Transform> + '_ {
    skeleton
        .joints()
        .iter()
        .map(|joint| joint.parent_from_joint)
}

/// Largest extent of the joints in a pose.
pub fn extent(pose: &GlobalPose) -> f64 {
    let positions = || pose.transforms.iter().map(|joint| joint.translation);
    let min = positions().fold(DVec3::INFINITY, DVec3::min);
    let max = positions().fold(DVec3::NEG_INFINITY, DVec3::max);
    (max - min).max_element().max(0.0)
}
