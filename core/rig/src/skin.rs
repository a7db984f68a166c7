//! Skins: joints and inverse bind matrices.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use thiserror::Error;

use crate::Skeleton;

/// Joints and their inverse bind matrices. An index into this list is a palette index; influences of a mesh
/// are palette indices, not joints of the skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// Name as in the file; may be empty.
    pub name: String,
    joints: Vec<usize>,
    joint_from_bind: Vec<DAffine3>,
    parents: Vec<Option<usize>>,
    parents_first: Vec<usize>,
    bind_positions: Vec<DVec3>,
    bones: Arc<[BoneSegment]>,
}

/// A bone of a skin in bind space: the segment from a joint to the mean of its children, in the rest pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneSegment {
    /// Position of the joint.
    pub head: DVec3,
    /// End of the bone; the head where the joint has no children.
    pub tail: DVec3,
}

/// Joints and matrices that do not make a skin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkinError {
    /// There are no joints.
    #[error("a skin needs at least one joint")]
    NoJoints,
    /// The two lists differ in length.
    #[error("{joints} joints, but {matrices} inverse bind matrices; expected one per joint")]
    CountMismatch {
        /// Number of joints.
        joints: usize,
        /// Number of matrices.
        matrices: usize,
    },
    /// A joint is not in the skeleton.
    #[error("palette index {palette_index} is joint {joint}, but the skeleton has {len} joints")]
    JointOutOfRange {
        /// Index into the skin.
        palette_index: usize,
        /// Index into the skeleton.
        joint: usize,
        /// Number of joints of the skeleton.
        len: usize,
    },
    /// A matrix is infinite or NaN.
    #[error("the inverse bind matrix of palette index {palette_index} is not finite")]
    NotFinite {
        /// Index into the skin.
        palette_index: usize,
    },
}

impl Skin {
    /// Checks the lists against each other and the skeleton.
    pub fn new(
        name: String,
        skeleton: &Skeleton,
        joints: Vec<usize>,
        joint_from_bind: Vec<DAffine3>,
    ) -> Result<Self, SkinError> {
        if joints.is_empty() {
            return Err(SkinError::NoJoints);
        }
        if joints.len() != joint_from_bind.len() {
            return Err(SkinError::CountMismatch {
                joints: joints.len(),
                matrices: joint_from_bind.len(),
            });
        }
        let len = skeleton.len();
        if let Some(palette_index) = joints.iter().position(|&joint| joint >= len) {
            return Err(SkinError::JointOutOfRange {
                palette_index,
                joint: joints[palette_index],
                len,
            });
        }
        if let Some(palette_index) = joint_from_bind.iter().position(|m| !m.is_finite()) {
            return Err(SkinError::NotFinite { palette_index });
        }
        let parents = nearest_parents(skeleton, &joints);
        let mut parents_first: Vec<usize> = (0..joints.len()).collect();
        parents_first.sort_by_key(|&index| joints[index]);
        let bind_positions: Vec<DVec3> = joint_from_bind.iter().map(bind_position).collect();
        let bones = bones(skeleton, &joints, &joint_from_bind, &bind_positions);
        Ok(Self {
            name,
            joints,
            joint_from_bind,
            parents,
            parents_first,
            bind_positions,
            bones,
        })
    }

    /// Makes the skin of a rigid part: one joint, with the identity as inverse bind matrix.
    pub fn rigid(name: String, skeleton: &Skeleton, joint: usize) -> Result<Self, SkinError> {
        Self::new(name, skeleton, vec![joint], vec![DAffine3::IDENTITY])
    }

    /// Joints of the skeleton, by palette index.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Inverse bind matrices, one per joint.
    pub fn joint_from_bind(&self) -> &[DAffine3] {
        &self.joint_from_bind
    }

    /// For each palette index, that of the nearest ancestor in the skin.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// All palette indices, ancestors before descendants.
    pub fn parents_first(&self) -> &[usize] {
        &self.parents_first
    }

    /// Position of each joint in bind space; the origin if its inverse bind matrix cannot be inverted.
    pub fn bind_positions(&self) -> &[DVec3] {
        &self.bind_positions
    }

    /// Bone of each joint, in bind space. A skin of one joint has no bone: its tail is its head.
    pub fn bones(&self) -> &Arc<[BoneSegment]> {
        &self.bones
    }

    /// Number of joints, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.joints.len()
    }
}

fn nearest_parents(skeleton: &Skeleton, joints: &[usize]) -> Vec<Option<usize>> {
    // Rigid parts have a skin each; a walk over the skeleton per part would be slow.
    if joints.len() == 1 {
        return vec![None];
    }
    let mut palette_index_of = vec![None; skeleton.len()];
    for (palette_index, &joint) in joints.iter().enumerate().rev() {
        palette_index_of[joint] = Some(palette_index);
    }
    // Nearest palette index among the ancestors, without and with the joint itself.
    let mut above = vec![None; skeleton.len()];
    let mut at_or_above = vec![None; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        above[index] = joint.parent.and_then(|parent| at_or_above[parent]);
        at_or_above[index] = palette_index_of[index].or(above[index]);
    }
    joints.iter().map(|&joint| above[joint]).collect()
}

/// Returns the bone of each joint: from its bind position to the mean of its children's.
fn bones(
    skeleton: &Skeleton,
    joints: &[usize],
    joint_from_bind: &[DAffine3],
    bind_positions: &[DVec3],
) -> Arc<[BoneSegment]> {
    // Rigid parts have a skin each; memory and a walk over the skeleton per part would be slow.
    if let [head] = *bind_positions {
        return Arc::new([BoneSegment { head, tail: head }]);
    }
    let mut offsets = vec![(DVec3::ZERO, 0.0); skeleton.len()];
    for joint in skeleton.joints() {
        if let Some(parent) = joint.parent {
            offsets[parent].0 += joint.parent_from_joint.translation;
            offsets[parent].1 += 1.0;
        }
    }
    let bone = |((&joint, joint_from_bind), &head): ((&usize, &DAffine3), &DVec3)| {
        let (sum, children) = offsets[joint];
        let tail = match children {
            0.0 => head,
            _ => joint_from_bind.inverse().transform_point3(sum / children),
        };
        // As the bind position, where the matrix is nearly singular.
        let tail = if tail.as_vec3().is_finite() {
            tail
        } else {
            head
        };
        BoneSegment { head, tail }
    };
    let pairs = joints.iter().zip(joint_from_bind).zip(bind_positions);
    pairs.map(bone).collect()
}

fn bind_position(joint_from_bind: &DAffine3) -> DVec3 {
    let position = joint_from_bind.inverse().translation;
    // An inverse outside the range of float32 belongs to a nearly singular matrix.
    if position.as_vec3().is_finite() {
        position
    } else {
        DVec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, JointKind, Transform};

    fn chain(len: usize) -> Skeleton {
        let joints = (0..len).map(|i| Joint {
            name: format!("j{i}"),
            parent: i.checked_sub(1),
            parent_from_joint: Transform::IDENTITY,
            kind: JointKind::Bone,
        });
        Skeleton::new(joints.collect()).unwrap()
    }

    #[test]
    fn finds_the_nearest_ancestor_in_the_skin() {
        let skin = Skin::new(
            String::new(),
            &chain(6),
            vec![5, 0, 2],
            vec![DAffine3::IDENTITY; 3],
        )
        .unwrap();
        assert_eq!(skin.parents(), [Some(2), None, Some(1)]);
    }

    #[test]
    fn rejects_invalid_lists() {
        let make = |joints: Vec<usize>, matrices: Vec<DAffine3>| {
            Skin::new(String::new(), &chain(2), joints, matrices).unwrap_err()
        };
        let identity = DAffine3::IDENTITY;
        let nan = DAffine3::from_translation(DVec3::NAN);
        assert_eq!(make(vec![], vec![]), SkinError::NoJoints);
        assert!(matches!(
            make(vec![0, 1], vec![identity]),
            SkinError::CountMismatch { .. }
        ));
        assert!(matches!(
            make(vec![0, 2], vec![identity; 2]),
            SkinError::JointOutOfRange {
                palette_index: 1,
                ..
            }
        ));
        assert_eq!(
            make(vec![0], vec![nan]),
            SkinError::NotFinite { palette_index: 0 }
        );
    }

    #[test]
    fn bones_end_at_the_mean_of_the_children() {
        let joint = |parent, x: f64, y: f64| Joint {
            name: String::new(),
            parent,
            parent_from_joint: Transform::from_translation(DVec3::new(x, y, 0.0)),
            kind: JointKind::Bone,
        };
        // A wrist at (1, 0, 0) with two fingers.
        let joints = vec![
            joint(None, 1.0, 0.0),
            joint(Some(0), 1.0, 1.0),
            joint(Some(0), 1.0, -1.0),
        ];
        let skeleton = Skeleton::new(joints).unwrap();
        let positions = [[1.0, 0.0], [2.0, 1.0], [2.0, -1.0]];
        let joint_from_bind =
            positions.map(|[x, y]| DAffine3::from_translation(-DVec3::new(x, y, 0.0)));
        let skin = Skin::new(
            String::new(),
            &skeleton,
            vec![0, 1, 2],
            joint_from_bind.to_vec(),
        );
        let skin = skin.unwrap();
        assert_eq!(
            skin.bones()[0],
            BoneSegment {
                head: DVec3::X,
                tail: DVec3::X * 2.0
            }
        );
        assert_eq!(skin.bones()[1].head, skin.bones()[1].tail);
    }

    #[test]
    fn singular_bind_matrix_has_a_finite_bind_position() {
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        let skin = Skin::new(String::new(), &chain(1), vec![0], vec![flat]).unwrap();
        assert_eq!(skin.bind_positions(), [DVec3::ZERO]);
    }
}
