//! Edits of a pose: rotated joints, and interpolation from the rest pose.

use glam::{DQuat, EulerRot};
use throng_rig::{Character, CharacterPose, Match, select_by_name};
use throng_skin::reference::Skinned;

use super::CommandError;
use crate::cli::JointRotation;
use crate::text::print_warning;

/// Rotates joints about their local X, then Y, then Z axes, on top of the pose.
pub fn rotate_joints(
    rotations: &[JointRotation],
    character: &Character,
    pose: &mut CharacterPose,
) -> Result<(), CommandError> {
    for asked in rotations {
        let joints = character.skeleton().joints();
        let names = joints.iter().map(|joint| joint.name.as_str());
        let Match { index, namesakes } = select_by_name(names, &asked.joint)
            .map_err(|error| CommandError::Usage(format!("--rotate: {error}")))?;
        if !namesakes.is_empty() {
            let others: Vec<String> = namesakes.iter().map(|i| format!("#{i}")).collect();
            print_warning(format_args!(
                "several joints are named '{}': using #{index}; the others are {}",
                asked.joint,
                others.join(", ")
            ));
        }
        let [x, y, z] = asked.degrees.map(f64::to_radians);
        let rotation = &mut pose.local.joints[index].rotation;
        *rotation = (*rotation * DQuat::from_euler(EulerRot::XYZ, x, y, z)).normalize();
    }
    if !rotations.is_empty() {
        pose.resolve(character);
    }
    Ok(())
}

/// Interpolates the local transforms of joints, and the morph weights, between the rest pose (0) and the pose (1).
pub fn interpolate_joints(
    character: &Character,
    rest: &CharacterPose,
    fraction: f64,
    pose: &mut CharacterPose,
) {
    for (joint, rest) in pose.local.joints.iter_mut().zip(&rest.local.joints) {
        joint.translation = rest.translation.lerp(joint.translation, fraction);
        joint.rotation = rest.rotation.slerp(joint.rotation, fraction);
        joint.scale = rest.scale.lerp(joint.scale, fraction);
    }
    let weights = pose.local.morph_weights.iter_mut();
    for (weight, rest) in weights.zip(&rest.local.morph_weights) {
        *weight = rest + (*weight - rest) * fraction;
    }
    pose.resolve(character);
}

/// Interpolates skinned vertices between the rest pose (0) and the pose (1), along straight lines.
pub fn interpolate_vertices(rest: &[Skinned], fraction: f64, parts: &mut [Skinned]) {
    for (part, rest) in parts.iter_mut().zip(rest) {
        for (position, rest) in part.positions.iter_mut().zip(&rest.positions) {
            *position = rest.lerp(*position, fraction);
        }
        for (normal, rest) in part.normals.iter_mut().zip(&rest.normals) {
            *normal = rest
                .lerp(*normal, fraction)
                .try_normalize()
                .unwrap_or(*rest);
        }
        for (tangent, rest) in part.tangents.iter_mut().zip(&rest.tangents) {
            let direction = rest.truncate().lerp(tangent.truncate(), fraction);
            let unit = direction.try_normalize().unwrap_or(rest.truncate());
            *tangent = unit.extend(rest.w);
        }
    }
}
