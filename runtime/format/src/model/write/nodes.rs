//! Writes nodes: joints, parts, and additional nodes that glTF requires.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use throng_rig::{Character, Joint, JointKind, Part, Skeleton, Skin};

use super::super::{ModelError, UNIT_TOLERANCE};
use crate::glb::{F32, Node, NodeRole, PartExtras, ThrongExtras};

/// Builder of the nodes of a model.
pub(super) struct Nodes {
    list: Vec<Node>,
    /// Nodes that repeat a joint which a skin lists more than once, by joint and occurrence in the skin.
    repeats: BTreeMap<(usize, usize), usize>,
    /// Root of each joint.
    tree_of: Vec<usize>,
    /// True where a skin has joints of several trees.
    needs_root: bool,
    joints: usize,
    parts: usize,
}

impl Nodes {
    /// Adds joints in the order of the skeleton, then parts.
    pub(super) fn new(character: &Character) -> Result<Self, ModelError> {
        let joints = character.skeleton().joints();
        let parts = character.parts();
        let mut list = Vec::with_capacity(joints.len() + parts.len() + 1);
        let mut tree_of: Vec<usize> = Vec::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            list.push(joint_node(index, joint)?);
            tree_of.push(joint.parent.map_or(index, |parent| tree_of[parent]));
            if let Some(parent) = joint.parent {
                list[parent].children.push(index);
            }
        }
        list.extend(parts.iter().map(|part| part_node(character, part)));
        Ok(Self {
            list,
            repeats: BTreeMap::new(),
            tree_of,
            needs_root: false,
            joints: joints.len(),
            parts: parts.len(),
        })
    }

    /// Node of each joint of a skin, each node at most once.
    pub(super) fn of_skin(&mut self, skin: &Skin) -> Vec<usize> {
        let joints = skin.joints();
        self.needs_root |= joints
            .iter()
            .any(|&j| self.tree_of[j] != self.tree_of[joints[0]]);
        let mut occurrences = BTreeMap::new();
        let node = |&joint: &usize| {
            let occurrence = occurrences.entry(joint).or_insert(0);
            *occurrence += 1;
            match *occurrence {
                1 => joint,
                nth => self.repeat(joint, nth),
            }
        };
        joints.iter().map(node).collect()
    }

    fn repeat(&mut self, joint: usize, nth: usize) -> usize {
        let new = self.list.len();
        match self.repeats.entry((joint, nth)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(entry) => {
                entry.insert(new);
                self.list[joint].children.push(new);
                self.list.push(node_with_role(NodeRole::Repeat(joint)));
                new
            }
        }
    }

    /// All nodes, and the root nodes of the scene.
    pub(super) fn finish(self, skeleton: &Skeleton) -> (Vec<Node>, Vec<usize>) {
        let mut list = self.list;
        let joints = skeleton.joints().iter().enumerate();
        let mut roots: Vec<usize> = joints
            .filter(|(_, joint)| joint.parent.is_none())
            .map(|(index, _)| index)
            .collect();
        if self.needs_root {
            let mut root = node_with_role(NodeRole::Root);
            root.children = std::mem::replace(&mut roots, vec![list.len()]);
            list.push(root);
        }
        roots.extend(self.joints..self.joints + self.parts);
        (list, roots)
    }
}

fn node_with_role(role: NodeRole) -> Node {
    Node {
        extras: Some(ThrongExtras { throng: role }),
        ..Node::default()
    }
}

fn joint_node(index: usize, joint: &Joint) -> Result<Node, ModelError> {
    let transform = &joint.parent_from_joint;
    let length = transform.rotation.length();
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        return Err(ModelError::RotationNotUnit {
            joint: index,
            name: joint.name.clone(),
            length,
        });
    }
    // Rounding may exceed one, which glTF does not allow.
    let rotation = transform.rotation.to_array().map(|x| x.clamp(-1.0, 1.0));
    let (translation, scale) = (transform.translation.as_vec3(), transform.scale.as_vec3());
    if !(translation.is_finite() && scale.is_finite()) {
        let location = format!(
            "the transform of joint {index} '{}'",
            joint.name.escape_debug()
        );
        return Err(ModelError::NotFinite { location });
    }
    let role = node_with_role(NodeRole::Joint(joint.kind));
    Ok(Node {
        name: joint.name.clone(),
        translation: unless(translation.to_array(), [0.0; 3]),
        rotation: unless(rotation.map(|x| x as f32), [0.0, 0.0, 0.0, 1.0]),
        scale: unless(scale.to_array(), [1.0; 3]),
        // A bone is what a node with a name is.
        extras: role
            .extras
            .filter(|_| joint.kind != JointKind::Bone || joint.name.is_empty()),
        ..Node::default()
    })
}

/// The values, unless they are the default to the bit.
fn unless<const N: usize>(values: [f32; N], default: [f32; N]) -> Option<[F32; N]> {
    (values.map(f32::to_bits) != default.map(f32::to_bits)).then(|| values.map(F32))
}

fn part_node(character: &Character, part: &Part) -> Node {
    let set = part.morph_set.map(|set| &character.morph_sets()[set]);
    let weights = set.map_or(&[][..], |set| set.rest_weights());
    Node {
        name: part.node_name.clone(),
        mesh: Some(part.mesh),
        skin: Some(part.skin),
        weights: weights.iter().copied().map(F32).collect(),
        ..node_with_role(NodeRole::Part(PartExtras {
            node: part.node,
            primitive: part.primitive,
            morph_set: part.morph_set,
        }))
    }
}
