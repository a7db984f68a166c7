//! Leaf joints, the ends of bones: marked where the file has them, added where it does not.

use glam::DVec3;
use throng_rig::{Joint, JointKind, Mesh, Part, Skeleton, SkeletonError, Skin, Transform};

use crate::{LeafPolicy, Warning};

/// Length of a bone of unknown length, in metres.
const FALLBACK_LENGTH: f64 = 0.1;

/// Marks childless bones that move nothing as leaves, and adds a leaf joint to those that do. `reaches` has, per joint,
/// the length of its bone, or zero if that is unknown; `None` if it moves nothing. Joints are appended, so that no index
/// changes.
pub(crate) fn mark_and_add(
    mut skeleton: Skeleton,
    reaches: &[Option<f64>],
    policy: LeafPolicy,
    warnings: &mut Vec<Warning>,
) -> Result<Skeleton, SkeletonError> {
    let has_children = skeleton.has_children();
    let mut ends = Vec::new();
    for joint in 0..skeleton.len() {
        let Joint {
            name, parent, kind, ..
        } = &skeleton.joints()[joint];
        if *kind != JointKind::Bone || has_children[joint] {
            continue;
        }
        match reaches[joint] {
            None if parent.is_some() => skeleton.set_kind(joint, JointKind::Leaf),
            reach if policy == LeafPolicy::Add => ends.push(Joint {
                name: format!("{name}_end"),
                parent: Some(joint),
                parent_from_joint: Transform::from_translation(end_of(&skeleton, joint, reach)),
                kind: JointKind::AddedLeaf,
            }),
            _ => {}
        }
    }
    if ends.is_empty() {
        return Ok(skeleton);
    }
    warnings.push(Warning::LeafJointsAdded { joints: ends.len() });
    skeleton.extend(ends)
}

/// Returns the unit direction from the parent to the joint, in the space of the joint, and their
/// distance.
fn direction(skeleton: &Skeleton, joint: usize) -> (DVec3, f64) {
    let local = &skeleton.joints()[joint].parent_from_joint;
    let to_parent = local.to_affine().inverse().translation;
    match to_parent.try_normalize() {
        Some(unit) if to_parent.is_finite() => (-unit, to_parent.length()),
        _ => (DVec3::Y, FALLBACK_LENGTH),
    }
}

fn end_of(skeleton: &Skeleton, joint: usize, reach: Option<f64>) -> DVec3 {
    let (direction, parent_length) = direction(skeleton, joint);
    direction * reach.filter(|&r| r > 0.0).unwrap_or(parent_length)
}

/// Returns, per joint, the distance that its vertices extend along its direction; `None` if it moves
/// none.
pub(crate) fn reaches(
    skeleton: &Skeleton,
    skins: &[Skin],
    meshes: &[Mesh],
    parts: &[Part],
) -> Vec<Option<f64>> {
    let directions: Vec<DVec3> = (0..skeleton.len())
        .map(|joint| direction(skeleton, joint).0)
        .collect();
    let mut reaches: Vec<Option<f64>> = vec![None; skeleton.len()];
    for part in parts {
        let (mesh, skin) = (&meshes[part.mesh], &skins[part.skin]);
        for vertex in 0..mesh.vertex_count() {
            let position = mesh.positions()[vertex].as_dvec3();
            for (rank, (palette_index, _)) in mesh.influences().of(vertex).enumerate() {
                let joint = skin.joints()[palette_index];
                let along = if rank == 0 {
                    let in_joint = skin.joint_from_bind()[palette_index].transform_point3(position);
                    in_joint.dot(directions[joint])
                } else {
                    // A vertex measures the bone of its heaviest joint only.
                    0.0
                };
                let reach = reaches[joint].get_or_insert(0.0);
                *reach = reach.max(along);
            }
        }
    }
    reaches
}
