//! Bending of limbs.

use glam::{DQuat, DVec3};
use throng_rig::{CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};

use super::{DEFAULT, FEWEST, mesh};
use crate::builtin::humanoid::bones::{FOOT, FOREARM, HAND, SHIN, Side, THIGH, UPPER_ARM};

/// Returns the bend of a child bone against its parent in degrees, positive in the anatomical direction.
fn flexion(pose: &CharacterPose, parent: usize, child: usize) -> f64 {
    let [parent, child] = [parent, child].map(|j| pose.model.model_from_joint[j].matrix3);
    let along = parent.inverse() * child.y_axis;
    along.z.atan2(along.y).to_degrees()
}

#[test]
fn knees_and_elbows_bend_in_one_direction_only() {
    let character = &*FEWEST;
    let mut pose = CharacterPose::rest(character);
    for clip in character.clips() {
        for sample in 0..200 {
            let secs = clip.duration_secs() * f64::from(sample) / 200.0;
            pose.sample(character, clip, secs);
            for side in Side::BOTH {
                for (parent, child) in [(THIGH, SHIN), (UPPER_ARM, FOREARM)] {
                    let bent = flexion(&pose, side.joint(parent), side.joint(child));
                    assert!(
                        (0.0..150.0).contains(&bent),
                        "{} at {secs} s: {side:?} joint {child} is bent by {bent}°",
                        clip.name
                    );
                }
            }
        }
    }
}

/// Bends a joint by 90° and returns the minimum distance of nearby vertices from the bones, relative to the
/// rest pose.
fn min_thickness(parent: usize, joint: usize, child: usize, method: Method) -> f64 {
    let character = &*DEFAULT;
    let mut pose = CharacterPose::rest(character);
    let joints = [parent, joint, child].map(|j| Side::Left.joint(j));
    let nearest = |pose: &CharacterPose, point: DVec3| {
        let [a, b, c] = joints.map(|j| pose.model.model_from_joint[j].translation);
        let to_segment = |from: DVec3, to: DVec3| {
            let along = to - from;
            let t = (point - from).dot(along) / along.length_squared();
            (from + along * t.clamp(0.0, 1.0)).distance(point)
        };
        to_segment(a, b).min(to_segment(b, c))
    };
    let bend = DQuat::from_rotation_x(90f64.to_radians());
    let mut bent = pose.clone();
    bent.local.joints[joints[1]].rotation *= bend;
    bent.resolve(character);
    let mut skinned = Skinned::default();
    skin_part(
        character,
        &character.parts()[0],
        &bent,
        method,
        &mut skinned,
    );
    pose.resolve(character);
    let center = pose.model.model_from_joint[joints[1]].translation;
    let mut thickness = f64::INFINITY;
    for (rest, moved) in mesh(character).positions().iter().zip(&skinned.positions) {
        let rest = rest.as_dvec3();
        if rest.distance(center) < 0.085 {
            thickness = thickness.min(nearest(&bent, *moved) / nearest(&pose, rest));
        }
    }
    thickness
}

#[test]
fn elbows_and_knees_keep_their_thickness_when_bent() {
    for (name, [parent, joint, child]) in [
        ("elbow", [UPPER_ARM, FOREARM, HAND]),
        ("knee", [THIGH, SHIN, FOOT]),
    ] {
        for (method, limit) in [(Method::Dqs, 0.6), (Method::Lbs, 0.45)] {
            let thickness = min_thickness(parent, joint, child, method);
            println!("{name}, {method}: {thickness:.2}");
            assert!(thickness > limit, "{name}, {method}: {thickness}");
        }
    }
}
