//! Conversion of nodes to joints: bones of clusters, nodes with meshes, and their ancestors.

use throng_rig::{Joint, JointKind, Skeleton};
use ufbx::{Node, Scene};

use super::{label, transform};
use crate::error::{Fault, Outcome};

/// The skeleton, and the joint of each node.
pub(super) struct Joints {
    pub skeleton: Skeleton,
    /// By `typed_id` of a node, its joint if it has one.
    pub of_node: Vec<Option<usize>>,
}

impl Joints {
    pub(super) fn new(scene: &Scene) -> Outcome<Self> {
        let nodes = &scene.nodes;
        let mut bones = vec![false; nodes.len()];
        for cluster in scene.skin_clusters.iter() {
            if let Some(bone) = &cluster.bone_node {
                bones[id(bone)] = true;
            }
        }
        let mut needed = bones.clone();
        for node in nodes {
            needed[id(node)] |= node.mesh.is_some();
        }
        if !needed.contains(&true) {
            // A file with animations only: its bones, or else all nodes, are the character.
            for node in nodes {
                bones[id(node)] = node.bone.is_some();
                needed[id(node)] = bones[id(node)];
            }
            if !needed.contains(&true) {
                needed.fill(true);
            }
        }
        Self::of_nodes(scene, needed, &bones)
    }

    /// Makes joints of the needed nodes and their ancestors, and of the ends of bones.
    pub(super) fn of_nodes(scene: &Scene, mut needed: Vec<bool>, bones: &[bool]) -> Outcome<Self> {
        let nodes = &scene.nodes;
        let order = parents_first(scene);
        for &node in order.iter().rev() {
            if needed[id(node)]
                && let Some(parent) = &node.parent
            {
                needed[id(parent)] = true;
            }
        }
        let ends = known_ends(scene, &needed, bones);

        let mut joints = Vec::new();
        let mut of_node = vec![None; nodes.len()];
        for node in order {
            let local = transform(&node.local_transform);
            let is_identity_root = node.is_root && local == throng_rig::Transform::IDENTITY;
            if is_identity_root || !(needed[id(node)] || ends[id(node)]) {
                continue;
            }
            if !local.is_finite() {
                return Err(Fault::data(
                    label("node", &node.element.name),
                    "has a transform that is not finite",
                ));
            }
            of_node[id(node)] = Some(joints.len());
            joints.push(Joint {
                name: node.element.name.to_string(),
                parent: node.parent.as_ref().and_then(|parent| of_node[id(parent)]),
                parent_from_joint: local,
                kind: match (bones[id(node)], ends[id(node)]) {
                    (true, _) => JointKind::Bone,
                    (false, true) => JointKind::Leaf,
                    (false, false) => JointKind::Node,
                },
            });
        }
        let skeleton = Skeleton::new(joints).map_err(|error| Fault::data("", error))?;
        Ok(Self { skeleton, of_node })
    }

    /// Returns the joint of a node.
    pub(super) fn of(&self, node: &Node) -> Outcome<usize> {
        self.of_node[id(node)]
            .ok_or_else(|| Fault::data(label("node", &node.element.name), "is not in the skeleton"))
    }
}

/// Returns the index of a node among the nodes of its scene.
pub(super) fn id(node: &Node) -> usize {
    node.element.typed_id as usize
}

/// Returns all nodes, parents before children, siblings in file order.
pub(super) fn parents_first(scene: &Scene) -> Vec<&Node> {
    let mut order = Vec::with_capacity(scene.nodes.len());
    let mut stack: Vec<&Node> = vec![&scene.root_node];
    while let Some(node) = stack.pop() {
        order.push(node);
        let children: Vec<&Node> = (&node.children).into_iter().collect();
        stack.extend(children.into_iter().rev());
    }
    order
}

/// Returns true if a node holds a mesh, a camera or a light, or is a helper that `ufbx` added.
pub(super) fn holds_object(node: &Node) -> bool {
    node.mesh.is_some() || node.camera.is_some() || node.light.is_some() || node.is_scale_helper
}

/// Marks the ends of bones: childless nodes that hold nothing, directly below a bone that has no other needed child.
fn known_ends(scene: &Scene, needed: &[bool], bones: &[bool]) -> Vec<bool> {
    let mut ends = vec![false; scene.nodes.len()];
    for node in &scene.nodes {
        let open = bones[id(node)] && !(&node.children).into_iter().any(|child| needed[id(child)]);
        if open {
            for child in &node.children {
                ends[id(child)] = child.children.is_empty() && !holds_object(child);
            }
        }
    }
    ends
}
