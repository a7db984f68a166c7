//! Which joints move a mesh, and where they were when it was bound to them.

use glam::{DAffine3, DVec3};
use thiserror::Error;

use crate::Skeleton;

/// Joints and their inverse bind matrices. A mesh's influences index into this list, not into the
/// skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// As in the file; may be empty.
    pub name: String,
    joints: Vec<usize>,
    joint_from_bind: Vec<DAffine3>,
    parents: Vec<Option<usize>>,
    parents_first: Vec<usize>,
    bind_positions: Vec<DVec3>,
}

/// Why joints and matrices are not a skin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkinError {
    /// Nothing to bind to.
    #[error("a skin needs at least one joint")]
    NoJoints,
    /// The two lists differ in length.
    #[error("{joints} joints but {matrices} inverse bind matrices")]
    CountMismatch {
        /// How many joints.
        joints: usize,
        /// How many matrices.
        matrices: usize,
    },
    /// The skeleton has no such joint.
    #[error("entry {entry} names joint {joint}, the skeleton has {len}")]
    JointOutOfRange {
        /// Index into the skin.
        entry: usize,
        /// Index into the skeleton.
        joint: usize,
        /// Joints of the skeleton.
        len: usize,
    },
    /// A matrix is infinite or NaN.
    #[error("the inverse bind matrix of entry {entry} is not finite")]
    NotFinite {
        /// Index into the skin.
        entry: usize,
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
        if let Some(entry) = joints.iter().position(|&joint| joint >= len) {
            return Err(SkinError::JointOutOfRange {
                entry,
                joint: joints[entry],
                len,
            });
        }
        if let Some(entry) = joint_from_bind.iter().position(|m| !m.is_finite()) {
            return Err(SkinError::NotFinite { entry });
        }
        // A joint by itself has no relative to look for, and files may have very many of those.
        let parents = match joints.len() {
            1 => vec![None],
            _ => nearest_parents(skeleton, &joints),
        };
        let mut parents_first: Vec<usize> = (0..joints.len()).collect();
        parents_first.sort_by_key(|&entry| joints[entry]);
        let bind_positions = joint_from_bind.iter().map(bind_position).collect();
        Ok(Self {
            name,
            joints,
            joint_from_bind,
            parents,
            parents_first,
            bind_positions,
        })
    }

    /// A skin of one joint that carries a rigid part, bound where the joint is.
    pub fn rigid(name: String, skeleton: &Skeleton, joint: usize) -> Result<Self, SkinError> {
        Self::new(name, skeleton, vec![joint], vec![DAffine3::IDENTITY])
    }

    /// Indices into the skeleton.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Inverse bind matrices, one a joint.
    pub fn joint_from_bind(&self) -> &[DAffine3] {
        &self.joint_from_bind
    }

    /// For each entry, the entry of the nearest ancestor that is in the skin too.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// All entries, ancestors before descendants.
    pub fn parents_first(&self) -> &[usize] {
        &self.parents_first
    }

    /// Where each joint was in the mesh's space when it was bound; the origin where its inverse bind
    /// matrix cannot be inverted.
    pub fn bind_positions(&self) -> &[DVec3] {
        &self.bind_positions
    }

    /// How many joints there are, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.joints.len()
    }
}

fn nearest_parents(skeleton: &Skeleton, joints: &[usize]) -> Vec<Option<usize>> {
    // Rigid parts have a skin each: a walk for every one would be slow.
    if joints.len() == 1 {
        return vec![None];
    }
    let mut entry_of = vec![None; skeleton.len()];
    for (entry, &joint) in joints.iter().enumerate().rev() {
        entry_of[joint] = Some(entry);
    }
    // One walk: what each joint's children find when they look up.
    let mut found_above = vec![None; skeleton.len()];
    let mut above = vec![None; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        above[index] = joint.parent.and_then(|parent| found_above[parent]);
        found_above[index] = entry_of[index].or(above[index]);
    }
    joints.iter().map(|&joint| above[joint]).collect()
}

fn bind_position(joint_from_bind: &DAffine3) -> DVec3 {
    let position = joint_from_bind.inverse().translation;
    // An inverse that is off float32's range is that of a matrix that all but flattens.
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
    fn the_nearest_ancestor_in_the_skin_is_found_past_others() {
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
    fn every_bad_list_is_refused() {
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
            SkinError::JointOutOfRange { entry: 1, .. }
        ));
        assert_eq!(make(vec![0], vec![nan]), SkinError::NotFinite { entry: 0 });
    }

    #[test]
    fn a_flat_bind_matrix_has_a_finite_position() {
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        let skin = Skin::new(String::new(), &chain(1), vec![0], vec![flat]).unwrap();
        assert_eq!(skin.bind_positions(), [DVec3::ZERO]);
    }
}
