//! Nodes: joints, parts, and what glTF needs besides.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use throng_rig::{Character, Joint, Part, Skeleton, Skin};

use super::super::{ModelError, UNIT_TOLERANCE};
use crate::glb::{F32, Node, NodeRole, PartExtras, Throng};

/// The nodes of a model as they come together.
pub(super) struct Nodes {
    list: Vec<Node>,
    /// The nodes that stand for a joint where a skin names it once more: by the joint, and by how often
    /// the skin has named it before.
    repeats: BTreeMap<(usize, usize), usize>,
    /// For each joint, the one above it that has no parent.
    tree_of: Vec<usize>,
    /// True when a skin has joints of several trees.
    needs_root: bool,
    joints: usize,
    parts: usize,
}

impl Nodes {
    /// Joints in the order of the skeleton, then parts.
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

    /// The node of each entry of a skin, none of them twice.
    pub(super) fn of_skin(&mut self, skin: &Skin) -> Vec<usize> {
        let joints = skin.joints();
        self.needs_root |= joints
            .iter()
            .any(|&j| self.tree_of[j] != self.tree_of[joints[0]]);
        let mut times = BTreeMap::new();
        let node = |&joint: &usize| {
            let before = times.entry(joint).or_insert(0);
            *before += 1;
            match *before {
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
            Entry::Vacant(place) => {
                place.insert(new);
                self.list[joint].children.push(new);
                self.list.push(of_role(NodeRole::Repeat(joint)));
                new
            }
        }
    }

    /// All nodes, and those that the scene lists.
    pub(super) fn finish(self, skeleton: &Skeleton) -> (Vec<Node>, Vec<usize>) {
        let mut list = self.list;
        let joints = skeleton.joints().iter().enumerate();
        let mut roots: Vec<usize> = joints
            .filter(|(_, joint)| joint.parent.is_none())
            .map(|(index, _)| index)
            .collect();
        if self.needs_root {
            let mut root = of_role(NodeRole::Root);
            root.children = std::mem::replace(&mut roots, vec![list.len()]);
            list.push(root);
        }
        roots.extend(self.joints..self.joints + self.parts);
        (list, roots)
    }
}

fn of_role(role: NodeRole) -> Node {
    Node {
        extras: Some(Throng { throng: role }),
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
    // Nearly of unit length may be a hair above one, which glTF does not allow.
    let rotation = transform.rotation.to_array().map(|x| x.clamp(-1.0, 1.0));
    let (translation, scale) = (transform.translation.as_vec3(), transform.scale.as_vec3());
    if !(translation.is_finite() && scale.is_finite()) {
        let place = format!(
            "the transform of joint {index} '{}'",
            joint.name.escape_debug()
        );
        return Err(ModelError::NotFinite { place });
    }
    Ok(Node {
        name: joint.name.clone(),
        translation: Some(translation.to_array().map(F32)),
        rotation: Some(rotation.map(|x| F32(x as f32))),
        scale: Some(scale.to_array().map(F32)),
        ..of_role(NodeRole::Joint(joint.kind))
    })
}

fn part_node(character: &Character, part: &Part) -> Node {
    let set = part.morph_set.map(|set| &character.morph_sets()[set]);
    let weights = set.map_or(&[][..], |set| set.rest_weights());
    Node {
        name: part.node_name.clone(),
        mesh: Some(part.mesh),
        skin: Some(part.skin),
        weights: weights.iter().copied().map(F32).collect(),
        ..of_role(NodeRole::Part(PartExtras {
            node: part.node,
            primitive: part.primitive,
            morph_set: part.morph_set,
        }))
    }
}
