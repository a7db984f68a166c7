//! Reads nodes as joints and parts.

use glam::{DQuat, DVec3};
use throng_rig::{Joint, JointKind, Part, Skeleton, Transform};

use super::super::error::At;
use super::super::{ModelError, UNIT_TOLERANCE};
use crate::glb::{F32, MorphSetExtras, Node, NodeRole, PartExtras};

/// Joints and parts of a model.
pub(super) struct Nodes {
    pub skeleton: Skeleton,
    pub parts: Vec<Part>,
    /// Joint of each node: the node itself, or the joint that it repeats.
    pub joint_of: Vec<Option<usize>>,
}

impl Nodes {
    pub(super) fn read(
        nodes: Vec<Node>,
        morph_sets: &[MorphSetExtras],
    ) -> Result<Self, ModelError> {
        let parents = parents(&nodes)?;
        let mut joints = Vec::new();
        let mut parts = Vec::new();
        let mut joint_of = Vec::with_capacity(nodes.len());
        let mut last_rank = 0;
        for (index, (mut node, parent)) in nodes.into_iter().zip(parents).enumerate() {
            let location = || format!("node {index}");
            let role = node.extras.take().map(|extras| extras.throng);
            let role = role.unwrap_or(NodeRole::Joint(JointKind::Bone));
            if rank(&role) < last_rank {
                return Err("expected nodes in the order joints, parts, repeats, root")
                    .at(location);
            }
            last_rank = rank(&role);
            let joint = match role {
                NodeRole::Joint(kind) => {
                    joints.push(read_joint(node, kind, parent).at(location)?);
                    Some(index)
                }
                NodeRole::Part(extras) => {
                    check_parent(parent, Parent::None).at(location)?;
                    parts.push(read_part(node, &extras, morph_sets).at(location)?);
                    None
                }
                NodeRole::Repeat(joint) => {
                    check_parent(parent, Parent::Node(joint)).at(location)?;
                    check_bare(&node).at(location)?;
                    Some(joint)
                }
                NodeRole::Root => {
                    check_parent(parent, Parent::None).at(location)?;
                    check_bare(&node).at(location)?;
                    None
                }
            };
            joint_of.push(joint);
        }
        // `Skeleton::new` rejects parents that are not joints, since they come after all joints.
        Ok(Self {
            skeleton: Skeleton::new(joints).at(|| "joints".to_owned())?,
            parts,
            joint_of,
        })
    }
}

/// Parent of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    None,
    /// The common root of all joints without a parent.
    Root,
    Node(usize),
}

fn parents(nodes: &[Node]) -> Result<Vec<Parent>, ModelError> {
    let mut parents = vec![Parent::None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let is_root = matches!(
            node.extras.as_ref().map(|e| &e.throng),
            Some(NodeRole::Root)
        );
        let this = if is_root {
            Parent::Root
        } else {
            Parent::Node(index)
        };
        for &child in &node.children {
            let location = || format!("node {index}");
            match parents.get_mut(child) {
                None => return Err(format!("child {child} is out of range")).at(location),
                Some(parent @ Parent::None) => *parent = this,
                Some(_) => return Err(format!("child {child} has two parents")).at(location),
            }
        }
    }
    Ok(parents)
}

/// Position of a role in the order of nodes.
fn rank(role: &NodeRole) -> u8 {
    match role {
        NodeRole::Joint(_) => 0,
        NodeRole::Part(_) => 1,
        NodeRole::Repeat(_) => 2,
        NodeRole::Root => 3,
    }
}

fn check_parent(parent: Parent, expected: Parent) -> Result<(), &'static str> {
    if parent == expected {
        Ok(())
    } else {
        Err("its role requires another parent")
    }
}

/// Checks that a node has only a role and children.
fn check_bare(node: &Node) -> Result<(), &'static str> {
    let moves = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if moves || node.mesh.is_some() || node.skin.is_some() || !node.weights.is_empty() {
        return Err("its role allows no transform, mesh, skin or weights");
    }
    Ok(())
}

fn read_joint(node: Node, kind: JointKind, parent: Parent) -> Result<Joint, &'static str> {
    let translation = node.translation.unwrap_or_default();
    let rotation = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0].map(F32));
    let scale = node.scale.unwrap_or([1.0; 3].map(F32));
    if node.mesh.is_some() || node.skin.is_some() || !node.weights.is_empty() {
        return Err("a joint may not have mesh, skin or weights");
    }
    let rotation = DQuat::from_array(rotation.map(f64_of));
    if (rotation.length() - 1.0).abs() > UNIT_TOLERANCE {
        return Err("expected a rotation of unit length");
    }
    Ok(Joint {
        name: node.name,
        parent: match parent {
            Parent::None | Parent::Root => None,
            Parent::Node(parent) => Some(parent),
        },
        parent_from_joint: Transform {
            translation: DVec3::from_array(translation.map(f64_of)),
            rotation,
            scale: DVec3::from_array(scale.map(f64_of)),
        },
        kind,
    })
}

fn f64_of(value: F32) -> f64 {
    value.0.into()
}

fn read_part(
    node: Node,
    extras: &PartExtras,
    morph_sets: &[MorphSetExtras],
) -> Result<Part, &'static str> {
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        return Err("a part may not have a transform");
    }
    let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
        return Err("a part needs a mesh and a skin");
    };
    let weights = match extras.morph_set {
        Some(set) => {
            &morph_sets
                .get(set)
                .ok_or("its morph set is out of range")?
                .weights
        }
        None => &Vec::new(),
    };
    if &node.weights != weights {
        return Err("expected the weights of its morph set, found others");
    }
    Ok(Part {
        node: extras.node,
        node_name: node.name,
        primitive: extras.primitive,
        mesh,
        skin,
        morph_set: extras.morph_set,
    })
}
