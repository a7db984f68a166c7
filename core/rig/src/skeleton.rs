//! Joints in an order that can be walked once: parents before children.

use thiserror::Error;

use crate::Transform;

/// What a joint is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// A skin names it.
    Bone,
    /// A plain node: above the root, between bones, or one that carries a rigid part.
    Node,
    /// The end of a bone, in the file: it has no children and moves no vertex.
    Leaf,
    /// The end of a bone, added so that every bone can be drawn as a segment.
    AddedLeaf,
    /// The outer half of a node whose matrix shears (see [`crate::Transform::decompose`]).
    Stretch,
}

/// One joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// As in the file; need not be unique and may be empty.
    pub name: String,
    /// Always less than the joint's own index.
    pub parent: Option<usize>,
    /// The pose of a joint that no clip moves.
    pub parent_from_joint: Transform,
    /// What it is there for.
    pub kind: JointKind,
}

/// A forest of joints, parents before children.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// Why joints are not a skeleton.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkeletonError {
    /// A parent comes after its child, or is the joint itself.
    #[error("joint {joint} '{name}' has parent {parent}: parents come before their children")]
    ParentNotBefore {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent.
        parent: usize,
    },
    /// A transform is infinite or NaN.
    #[error("joint {joint} '{name}' has a rest transform that is not finite")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
    },
}

impl Skeleton {
    /// Checks that parents come before children and that every transform is finite.
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

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True for a character that has nothing to move.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// How many joints have no parent.
    pub fn root_count(&self) -> usize {
        self.joints.iter().filter(|j| j.parent.is_none()).count()
    }

    /// How many joints the longest chain has.
    pub fn depth(&self) -> usize {
        let mut depths = Vec::with_capacity(self.len());
        for joint in &self.joints {
            depths.push(joint.parent.map_or(1, |parent: usize| depths[parent] + 1));
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// True at each joint that is another's parent.
    pub fn has_children(&self) -> Vec<bool> {
        let mut has = vec![false; self.len()];
        for parent in self.joints.iter().filter_map(|j| j.parent) {
            has[parent] = true;
        }
        has
    }

    /// Adds joints at the end, so that no index changes.
    pub fn extend(self, more: impl IntoIterator<Item = Joint>) -> Result<Self, SkeletonError> {
        let mut joints = self.joints;
        joints.extend(more);
        Self::new(joints)
    }

    /// Every bone as a segment, from a joint to each of its children; [`JointKind::Leaf`] and
    /// [`JointKind::AddedLeaf`] joints are ends only.
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
    fn children_before_parents_and_cycles_are_refused() {
        for parents in [vec![Some(1), None], vec![Some(0)], vec![None, Some(7)]] {
            let joints = parents.iter().map(|&p| joint(p)).collect();
            assert!(matches!(
                Skeleton::new(joints),
                Err(SkeletonError::ParentNotBefore { .. })
            ));
        }
    }

    #[test]
    fn a_transform_that_is_not_finite_is_refused() {
        let mut bad = joint(None);
        bad.parent_from_joint.scale.y = f64::NAN;
        assert!(matches!(
            Skeleton::new(vec![bad]),
            Err(SkeletonError::NotFinite { joint: 0, .. })
        ));
    }

    #[test]
    fn several_roots_and_depth() {
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
