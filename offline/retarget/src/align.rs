//! Differences between two rest poses: facing, and directions of bones.

use glam::{DMat3, DQuat, DVec3};
use throng_rig::Skeleton;

use crate::global_pose::{GlobalPose, extent};
use crate::joint_map::JointMap;
use crate::role::{Role, Side};

/// Length below which a bone has no direction, as a part of the skeleton's extent.
const MIN_BONE: f64 = 1e-3;

/// Returns the rotation from the motion's axes to the character's: one of the 24 that map axes to axes, because rest poses
/// of humanoids differ a little in direction without facing elsewhere. The identity where hips, legs and head are unknown.
pub fn facing(map: &JointMap, source: &GlobalPose, target: &GlobalPose) -> DQuat {
    let [from, to] = [(source, Pick::Source), (target, Pick::Target)]
        .map(|(pose, pick)| body_axes(map, pose, pick));
    let (Some(from), Some(to)) = (from, to) else {
        return DQuat::IDENTITY;
    };
    nearest_axis_rotation(to * from.transpose())
}

/// Skeleton of a pair of joints.
#[derive(Debug, Clone, Copy)]
enum Pick {
    Source,
    Target,
}

/// Left, up and forward of a body, as columns.
fn body_axes(map: &JointMap, pose: &GlobalPose, pick: Pick) -> Option<DMat3> {
    let position = |role| {
        let (target, source) = map.joint(role)?;
        Some(pose.position(match pick {
            Pick::Source => source,
            Pick::Target => target,
        }))
    };
    let hips = position(Role::Hips)?;
    let top = position(Role::Head).or_else(|| position(Role::Neck))?;
    let left = position(Role::Thigh(Side::Left))? - position(Role::Thigh(Side::Right))?;
    let up = (top - hips).try_normalize()?;
    let left = left.reject_from_normalized(up).try_normalize()?;
    Some(DMat3::from_cols(left, up, left.cross(up)))
}

/// Returns the rotation that maps axes to axes and is nearest to another.
fn nearest_axis_rotation(rotation: DMat3) -> DQuat {
    let mut best = (f64::NEG_INFINITY, DQuat::IDENTITY);
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let signed = axes.into_iter().flat_map(|axis| [axis, -axis]);
    for x in signed.clone() {
        for y in signed.clone().filter(|y| y.dot(x) == 0.0) {
            let candidate = DMat3::from_cols(x, y, x.cross(y));
            let trace = (candidate.transpose() * rotation).to_cols_array();
            let agreement = trace[0] + trace[4] + trace[8];
            if agreement > best.0 + 1e-9 {
                best = (agreement, DQuat::from_mat3(&candidate));
            }
        }
    }
    best.1
}

/// Feet of the motion's rest pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestFeet {
    /// Soles are flat on the ground, whatever the height of the ankle: feet are turned about the vertical only.
    Flat,
    /// Feet are square to the legs, as in the zero pose of motion capture, whose legs are spread: they are turned with them.
    SquareToLegs,
}

/// Returns, for each joint of the character, the rotation in model space that turns its bone from the character's rest pose
/// to the motion's. The motion's joints are turned by `facing` first.
///
/// Arms and legs are turned as a whole, so that A-poses and T-poses agree. Feet are turned as [`RestFeet`] says. Hips, spine,
/// neck, head and clavicles stay: a body that stands upright is a matter of modelling, not of posture.
pub fn alignments(
    map: &JointMap,
    [source, target]: [&Skeleton; 2],
    [source_rest, target_rest]: [&GlobalPose; 2],
    facing: DQuat,
    feet: RestFeet,
) -> Vec<DQuat> {
    let min_lengths = [source_rest, target_rest].map(|rest| MIN_BONE * extent(rest));
    let children = moved_children(map, target);
    let mut alignments: Vec<DQuat> = Vec::with_capacity(map.len());
    for (joint, children) in children.iter().enumerate() {
        let above = target.joints()[joint].parent;
        let above = above.map_or(DQuat::IDENTITY, |parent: usize| alignments[parent]);
        let Some(from) = map.source_of(joint) else {
            alignments.push(above);
            continue;
        };
        let direction = || {
            let child = bone_end(map, joint, children)?;
            let to = target_rest.position(child) - target_rest.position(joint);
            let end = map.source_of(child)?;
            let is_below = crate::joint_map::ancestors(source, end).any(|above| above == from);
            let bone = facing * (source_rest.position(end) - source_rest.position(from));
            let lengths = [bone.length(), to.length()];
            let is_long = lengths.iter().zip(min_lengths).all(|(l, min)| *l > min);
            (is_below && is_long).then_some((to, bone))
        };
        alignments.push(match (map.role(joint), direction()) {
            (Some(role), _) if stands_upright(role) => DQuat::IDENTITY,
            (Some(Role::Foot(_)), Some((from, to))) => {
                let leg = match feet {
                    RestFeet::Flat => DQuat::IDENTITY,
                    RestFeet::SquareToLegs => above,
                };
                swing(flat(leg * from), flat(to)) * leg
            }
            (_, Some((from, to))) => swing(from, to),
            (_, None) => above,
        });
    }
    alignments
}

/// True for joints of the trunk.
fn stands_upright(role: Role) -> bool {
    matches!(
        role,
        Role::Hips | Role::Spine | Role::Neck | Role::Head | Role::Clavicle(_)
    )
}

/// Moved joints whose nearest moved ancestor is each joint.
fn moved_children(map: &JointMap, target: &Skeleton) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); map.len()];
    for (joint, _) in map.pairs() {
        if let Some(parent) = map.moved_ancestor(target, joint) {
            children[parent].push(joint);
        }
    }
    children
}

/// Joint that a bone leads to: the only moved one below it; for a hand the middle finger.
fn bone_end(map: &JointMap, joint: usize, children: &[usize]) -> Option<usize> {
    match (map.role(joint), children) {
        (Some(Role::Hand(side)), _) => {
            let middle = Role::Finger(side, crate::role::Finger::Middle, 1);
            children
                .iter()
                .copied()
                .find(|&child| map.role(child) == Some(middle))
        }
        (_, [child]) => Some(*child),
        _ => None,
    }
}

/// Horizontal part of a vector.
fn flat(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}

/// Returns the smallest rotation from one direction to another; the identity where one has no length.
pub fn swing(from: DVec3, to: DVec3) -> DQuat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => DQuat::from_rotation_arc(from, to),
        _ => DQuat::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn axis_rotations_are_nearest() {
        for (angle, expected) in [(0.3, 0.0), (1.4, FRAC_PI_2), (-2.0, -FRAC_PI_2), (3.0, PI)] {
            let tilted = DMat3::from_rotation_y(angle) * DMat3::from_rotation_x(0.1);
            let found = nearest_axis_rotation(tilted);
            let expected = DQuat::from_rotation_y(expected);
            assert!(found.angle_between(expected) < 1e-6, "{angle}: {found}");
        }
    }

    #[test]
    fn swing_of_no_direction_is_the_identity() {
        assert_eq!(swing(DVec3::ZERO, DVec3::X), DQuat::IDENTITY);
        let turned = swing(DVec3::X * 3.0, DVec3::Y) * DVec3::X;
        assert!(turned.abs_diff_eq(DVec3::Y, 1e-12));
    }
}
