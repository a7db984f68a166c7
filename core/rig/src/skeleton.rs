//! Skeletons: joints, parents before children.

use thiserror::Error;

use crate::Transform;

/// Role of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// A joint of a skin, or of motion that has no mesh.
    Bone,
    /// A node of no skin: above the root, between bones, or with a rigid part.
    Node,
    /// End of a bone in the file: a joint without children that moves no vertex.
    Leaf,
    /// End of a bone, added at import so that every bone can be drawn as a segment.
    AddedLeaf,
    /// Outer of the two joints of a node whose matrix shears (see [`crate::Transform::decompose`]).
    Stretch,
}

/// One joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name as in the file; need not be unique and may be empty.
    pub name: String,
    /// Index of the parent; always less than the joint's index.
    pub parent: Option<usize>,
    /// Transform in the rest pose.
    pub parent_from_joint: Transform,
    /// Role of the joint.
    pub kind: JointKind,
}

/// A forest of joints, parents before children.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// Joints that do not make a skeleton.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkeletonError {
    /// A parent is after its child, or is the joint itself.
    #[error("joint {joint} '{name}' has parent {parent}; expected a parent before the joint")]
    ParentNotBefore {
        /// Index of the joint.
        joint: usize,
        /// Name of the joint.
        name: String,
        /// Index of the parent.
        parent: usize,
    },
    /// A transform is infinite or NaN.
    #[error("joint {joint} '{name}' has a rest transform that is not finite")]
    NotFinite {
        /// Index of the joint.
        joint: usize,
        /// Name of the joint.
        name: String,
    },
}

impl Skeleton {
    /// Checks that parents are before their children and that every transform is finite.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        for (index, joint) in joints.iter().enumerate() {
            let name = || joint.name.clone();
            if let Some(parent) = joint.parent
                && parent >= index
            {
                return Err(SkeletonError::ParentNotBefore {
                    joint: index,
                    name: name(),
                    parent,
                });
            }
            if !joint.parent_from_joint.is_finite() {
                return Err(SkeletonError::NotFinite {
                    joint: index,
                    name: name(),
                });
            }
        }
        Ok(Self { joints })
    }

    /// All joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Returns true if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Number of joints without a parent.
    pub fn root_count(&self) -> usize {
        self.joints.iter().filter(|j| j.parent.is_none()).count()
    }

    /// Number of joints in the longest chain.
    pub fn depth(&self) -> usize {
        let mut depths = Vec::with_capacity(self.len());
        for joint in &self.joints {
            depths.push(joint.parent.map_or(1, |parent: usize| depths[parent] + 1));
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Returns, for each joint, true if it has children.
    pub fn has_children(&self) -> Vec<bool> {
        let mut has = vec![false; self.len()];
        for parent in self.joints.iter().filter_map(|j| j.parent) {
            has[parent] = true;
        }
        has
    }

    /// Appends joints. Existing indices do not change.
    pub fn extend(self, more: impl IntoIterator<Item = Joint>) -> Result<Self, SkeletonError> {
        let mut joints = self.joints;
        joints.extend(more);
        Self::new(joints)
    }

    /// Returns the bones as segments (parent, child): one from each [`JointKind::Bone`] joint to each of its
    /// children.
    pub fn segments(&self) -> impl Iterator<Item = (usize, usize)> {
        self.joints.iter().enumerate().filter_map(|(child, joint)| {
            let parent = joint.parent?;
            (self.joints[parent].kind == JointKind::Bone).then_some((parent, child))
        })
    }

    /// Sets the kind of a joint.
    pub fn set_kind(&mut self, joint: usize, kind: JointKind) {
        self.joints[joint].kind = kind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(parent: Option<usize>) -> Joint {
        Joint {
            name: "j".into(),
            parent,
            parent_from_joint: Transform::IDENTITY,
            kind: JointKind::Bone,
        }
    }

    #[test]
    fn rejects_parents_after_children_and_cycles() {
        for parents in [vec![Some(1), None], vec![Some(0)], vec![None, Some(7)]] {
            let joints = parents.iter().map(|&p| joint(p)).collect();
            assert!(matches!(
                Skeleton::new(joints),
                Err(SkeletonError::ParentNotBefore { .. })
            ));
        }
    }

    #[test]
    fn rejects_a_transform_that_is_not_finite() {
        let mut bad = joint(None);
        bad.parent_from_joint.scale.y = f64::NAN;
        assert!(matches!(
            Skeleton::new(vec![bad]),
            Err(SkeletonError::NotFinite { joint: 0, .. })
        ));
    }

    #[test]
    fn counts_roots_depth_and_segments() {
        let joints = [None, Some(0), Some(1), None, Some(3)].map(joint);
        let skeleton = Skeleton::new(joints.to_vec()).unwrap();
        assert_eq!(skeleton.root_count(), 2);
        assert_eq!(skeleton.depth(), 3);
        assert_eq!(
            skeleton.segments().collect::<Vec<_>>(),
            [(0, 1), (1, 2), (3, 4)]
        );
    }
}
