//! Conversion of nodes to joints: joints of skins, nodes with meshes, and their ancestors.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use throng_rig::{Decomposition, Joint, JointKind, Skeleton, Transform};

use super::document::Document;
use super::graph::Graph;
use crate::Warning;
use crate::error::{Fault, Outcome};

/// The skeleton, and the joint of each node.
pub(super) struct Joints {
    pub skeleton: Skeleton,
    /// Per node, its joint if it has one.
    pub of_node: Vec<Option<usize>>,
    /// Per node, true if its matrix contains shear. Such nodes cannot be animated.
    pub sheared: Vec<bool>,
}

/// Builds joints for the wanted nodes and their ancestors. `bones` marks the joints of skins.
pub(super) fn build(
    document: &Document,
    graph: &Graph,
    wanted: &[bool],
    bones: &[bool],
    warnings: &mut Vec<Warning>,
) -> Outcome<Joints> {
    let nodes = &document.root.nodes;
    let mut needed = wanted.to_vec();
    for &node in graph.order.iter().rev() {
        if needed[node]
            && let Some(parent) = graph.parents[node]
        {
            needed[parent] = true;
        }
    }
    let ends = known_ends(document, &needed, bones);

    let mut joints: Vec<Joint> = Vec::new();
    let mut of_node = vec![None; nodes.len()];
    let mut sheared = vec![false; nodes.len()];
    for &node in &graph.order {
        if !needed[node] && !ends[node] {
            continue;
        }
        let parent = graph.parents[node].and_then(|parent| of_node[parent]);
        let name = nodes[node].name.clone();
        let kind = match (bones[node], ends[node]) {
            (true, _) => JointKind::Bone,
            (false, true) => JointKind::Leaf,
            (false, false) => JointKind::Node,
        };
        let mut push = |name, parent, parent_from_joint, kind| {
            joints.push(Joint {
                name,
                parent,
                parent_from_joint,
                kind,
            });
            joints.len() - 1
        };
        let joint = match local_transform(document, node, warnings)? {
            Decomposition::Trs(transform) => push(name, parent, transform, kind),
            Decomposition::Sheared { outer, inner } => {
                sheared[node] = true;
                warnings.push(Warning::NodeSheared {
                    node: document.node_name(node),
                });
                let outer = push(format!("{name}_stretch"), parent, outer, JointKind::Stretch);
                push(name, Some(outer), inner, kind)
            }
        };
        of_node[node] = Some(joint);
    }
    let skeleton = Skeleton::new(joints).map_err(|error| Fault::data("", error))?;
    Ok(Joints {
        skeleton,
        of_node,
        sheared,
    })
}

/// Marks the ends of bones: childless nodes without a mesh or a camera, directly below a bone that has no other needed
/// child. Exporters write them as nodes but do not list them in the skin.
fn known_ends(document: &Document, needed: &[bool], bones: &[bool]) -> Vec<bool> {
    let nodes = &document.root.nodes;
    let mut ends = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let open = bones[index] && !node.children.iter().any(|&child| needed[child]);
        for &child in node.children.iter().filter(|_| open) {
            ends[child] = nodes[child].children.is_empty() && !nodes[child].holds_object();
        }
    }
    ends
}

fn local_transform(
    document: &Document,
    index: usize,
    warnings: &mut Vec<Warning>,
) -> Outcome<Decomposition> {
    let node = &document.root.nodes[index];
    let finite = |finite: bool| {
        if finite {
            Ok(())
        } else {
            Err(Fault::data(
                document.node_name(index),
                "has a transform that is not finite",
            ))
        }
    };
    if let Some(matrix) = &node.matrix {
        let matrix = DAffine3::from_mat4(DMat4::from_cols_array(matrix));
        finite(matrix.is_finite())?;
        return Ok(Transform::decompose(&matrix));
    }
    let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    finite(rotation.is_finite())?;
    let rotation = match rotation.length() {
        length if length > 0.0 && length.is_finite() => rotation * (1.0 / length),
        _ => {
            warnings.push(Warning::ZeroRotation {
                node: document.node_name(index),
            });
            DQuat::IDENTITY
        }
    };
    let transform = Transform {
        translation: DVec3::from_array(node.translation.unwrap_or_default()),
        rotation,
        scale: node.scale.map_or(DVec3::ONE, DVec3::from_array),
    };
    finite(transform.is_finite())?;
    Ok(Decomposition::Trs(transform))
}
