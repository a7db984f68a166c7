//! Nodes as joints and parts.

use glam::{DQuat, DVec3};
use throng_rig::{Joint, JointKind, Part, Skeleton, Transform};

use super::super::error::At;
use super::super::{ModelError, UNIT_TOLERANCE};
use crate::glb::{F32, MorphSetExtras, Node, NodeRole, PartExtras};

/// What the nodes of a model are.
pub(super) struct Nodes {
    pub skeleton: Skeleton,
    pub parts: Vec<Part>,
    /// For each node, the joint that it is or stands for.
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
            let place = || format!("node {index}");
            let role = node.extras.take().ok_or("has no role").at(place)?.throng;
            if rank(&role) < last_rank {
                return Err("is not in the order of joints, parts, repeats, root").at(place);
            }
            last_rank = rank(&role);
            let joint = match role {
                NodeRole::Joint(kind) => {
                    joints.push(read_joint(node, kind, parent).at(place)?);
                    Some(index)
                }
                NodeRole::Part(extras) => {
                    check_parent(parent, Parent::None).at(place)?;
                    parts.push(read_part(node, &extras, morph_sets).at(place)?);
                    None
                }
                NodeRole::Repeat(joint) => {
                    check_parent(parent, Parent::Node(joint)).at(place)?;
                    check_bare(&node).at(place)?;
                    Some(joint)
                }
                NodeRole::Root => {
                    check_parent(parent, Parent::None).at(place)?;
                    check_bare(&node).at(place)?;
                    None
                }
            };
            joint_of.push(joint);
        }
        // Parents that are no joints come after all joints, and are refused for that.
        Ok(Self {
            skeleton: Skeleton::new(joints).at(|| "joints".to_owned())?,
            parts,
            joint_of,
        })
    }
}

/// What a node hangs on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    None,
    /// The node that stands above all joints without a parent.
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
            let place = || format!("node {index}");
            match parents.get_mut(child) {
                None => return Err(format!("child {child} is not there")).at(place),
                Some(parent @ Parent::None) => *parent = this,
                Some(_) => return Err(format!("child {child} has a parent already")).at(place),
            }
        }
    }
    Ok(parents)
}

/// The order of roles.
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
        Err("hangs on another node than its role says")
    }
}

/// A node that only stands for something.
fn check_bare(node: &Node) -> Result<(), &'static str> {
    let moves = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if moves || node.mesh.is_some() || node.skin.is_some() || !node.weights.is_empty() {
        return Err("has more than its role says");
    }
    Ok(())
}

fn read_joint(node: Node, kind: JointKind, parent: Parent) -> Result<Joint, &'static str> {
    let (Some(translation), Some(rotation), Some(scale)) =
        (node.translation, node.rotation, node.scale)
    else {
        return Err("is a joint without a transform");
    };
    if node.mesh.is_some() || node.skin.is_some() || !node.weights.is_empty() {
        return Err("is a joint and has more than a transform");
    }
    let rotation = DQuat::from_array(rotation.map(f64_of));
    if (rotation.length() - 1.0).abs() > UNIT_TOLERANCE {
        return Err("has a rotation that is not of unit length");
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

fn f64_of(number: F32) -> f64 {
    number.0.into()
}

fn read_part(
    node: Node,
    extras: &PartExtras,
    morph_sets: &[MorphSetExtras],
) -> Result<Part, &'static str> {
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        return Err("is a part and has a transform");
    }
    let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
        return Err("is a part without a mesh or a skin");
    };
    let weights = match extras.morph_set {
        Some(set) => {
            &morph_sets
                .get(set)
                .ok_or("names a morph set that is not there")?
                .weights
        }
        None => &Vec::new(),
    };
    if &node.weights != weights {
        return Err("has other weights than its morph set");
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
