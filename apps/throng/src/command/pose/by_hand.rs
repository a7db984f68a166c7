//! Poses made by hand: joints turned, and a part of the way gone.

use glam::{DQuat, EulerRot};
use throng_rig::{Character, CharacterPose, Match, select_by_name};
use throng_skin::reference::Skinned;

use super::CommandError;
use crate::cli::Turn;
use crate::text::tell;

/// Turns joints about their own axes, X then Y then Z, on top of the pose.
pub fn turn_joints(
    turns: &[Turn],
    character: &Character,
    pose: &mut CharacterPose,
) -> Result<(), CommandError> {
    for turn in turns {
        let joints = character.skeleton().joints();
        let names = joints.iter().map(|joint| joint.name.as_str());
        let Match { index, namesakes } = select_by_name(names, &turn.joint)
            .map_err(|error| CommandError::Usage(format!("--rotate: {error}")))?;
        if !namesakes.is_empty() {
            let others: Vec<String> = namesakes.iter().map(|i| format!("#{i}")).collect();
            tell(
                "warning",
                format_args!(
                    "several joints are named '{}': taking #{index}; the others are {}",
                    turn.joint,
                    others.join(", ")
                ),
            );
        }
        let [x, y, z] = turn.degrees.map(f64::to_radians);
        let rotation = &mut pose.local.joints[index].rotation;
        *rotation = (*rotation * DQuat::from_euler(EulerRot::XYZ, x, y, z)).normalize();
    }
    if !turns.is_empty() {
        pose.resolve(character);
    }
    Ok(())
}

/// Takes each joint a fraction of the way from the rest pose, in its parent's space.
pub fn go_part_way(
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

/// Takes each vertex a fraction of the way from the rest pose, along a straight line.
pub fn move_part_way(rest: &[Skinned], fraction: f64, parts: &mut [Skinned]) {
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
            let mixed = rest.truncate().lerp(tangent.truncate(), fraction);
            let unit = mixed.try_normalize().unwrap_or(rest.truncate());
            *tangent = unit.extend(rest.w);
        }
    }
}
