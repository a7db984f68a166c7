//! What upright columns share: a chain of equal bones, the weights along it and the way it is keyed.

use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat};
use throng_rig::{
    Character, Clip, Interpolation, Joint, JointKind, JointTracks, Skeleton, Skin, Track, Transform,
};

use super::one_part;
use super::surface::Surface;

/// How tall a column stands, in metres.
pub(super) const HEIGHT: f64 = 2.0;
/// How many bones it has, all of one length.
pub(super) const BONES: usize = 4;
/// From a joint to the next, in metres.
const BONE_LENGTH: f64 = HEIGHT / BONES as f64;

/// How long a clip takes, in seconds.
pub(super) const DURATION_SECS: f64 = 2.0;
/// Keys a second. A power of two, so that float32 holds every key's time exactly.
pub(super) const KEY_RATE_HZ: f64 = 32.0;

/// Binds a surface to the chain.
pub(super) fn character(
    name: &str,
    base_color: [f32; 4],
    surface: Surface,
    clips: Vec<Clip>,
) -> Character {
    let skeleton = skeleton();
    let skin = skin(name, &skeleton);
    let mesh = surface.into_mesh(|position| weights(f64::from(position.y)));
    one_part(name, base_color, skeleton, skin, mesh, clips)
}

/// `bone0` at the origin and up from there, then `end` at the tip.
fn skeleton() -> Skeleton {
    let joint = |index: usize| Joint {
        name: if index < BONES {
            format!("bone{index}")
        } else {
            "end".to_owned()
        },
        parent: index.checked_sub(1),
        parent_from_joint: match index {
            0 => Transform::IDENTITY,
            _ => Transform::from_translation(DVec3::Y * BONE_LENGTH),
        },
        kind: if index < BONES {
            JointKind::Bone
        } else {
            JointKind::Leaf
        },
    };
    Skeleton::new((0..=BONES).map(joint).collect()).expect("a chain, from its root up")
}

fn skin(name: &str, skeleton: &Skeleton) -> Skin {
    let joint_from_bind =
        |bone: usize| DAffine3::from_translation(DVec3::NEG_Y * (bone as f64 * BONE_LENGTH));
    Skin::new(
        name.to_owned(),
        skeleton,
        (0..BONES).collect(),
        (0..BONES).map(joint_from_bind).collect(),
    )
    .expect("one matrix a bone")
}

/// Bones and weights at a height: smoothly from one bone to the next, half and half at their joint,
/// and from the middle of a bone to the middle of the next.
fn weights(height: f64) -> [(u32, f64); 2] {
    let along = height / BONE_LENGTH;
    let joint = along.round().clamp(1.0, (BONES - 1) as f64);
    let upper = smoothstep(along - joint + 0.5);
    let bone = joint as u32;
    [(bone - 1, 1.0 - upper), (bone, upper)]
}

/// From 0 to 1, level at both ends.
fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A clip that turns each of the bones about an axis of its own. `radians` gives the angle at each
/// phase, 0 to 1; the last key is the first again.
pub(super) fn turning(
    name: &str,
    bones: Range<usize>,
    axis: DVec3,
    radians: impl Fn(f64) -> f64,
) -> Clip {
    let intervals = (DURATION_SECS * KEY_RATE_HZ) as usize;
    let times: Arc<[f64]> = (0..=intervals).map(|k| k as f64 / KEY_RATE_HZ).collect();
    let key = |k: usize| {
        let phase = (k % intervals) as f64 / intervals as f64;
        DQuat::from_axis_angle(axis, radians(phase)).as_quat()
    };
    let keys: Vec<Quat> = (0..=intervals).map(key).collect();
    let tracks = |bone: usize| {
        let track = Track::new(times.clone(), keys.clone(), Interpolation::Linear);
        JointTracks {
            rotation: Some(track.expect("a finite key at each of the rising times")),
            ..JointTracks::new(bone)
        }
    };
    Clip::new(name.to_owned(), bones.map(tracks).collect(), Vec::new()).expect("a track a bone")
}

/// From 0 to 1 at half the phase and back, level at all three.
pub(super) fn there_and_back(phase: f64) -> f64 {
    0.5 - 0.5 * (TAU * phase).cos()
}

/// From 0 to 1, through 0 to −1 and back.
pub(super) fn to_both_sides(phase: f64) -> f64 {
    (TAU * phase).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_meet_half_and_half_at_their_joints() {
        for joint in 1..BONES as u32 {
            let expected = [(joint - 1, 0.5), (joint, 0.5)];
            assert_eq!(weights(f64::from(joint) * BONE_LENGTH), expected);
        }
    }

    #[test]
    fn one_bone_holds_the_ends_and_the_middles() {
        let holder = |height| {
            let held = weights(height).into_iter().filter(|&(_, w)| w > 0.0);
            held.collect::<Vec<_>>()
        };
        assert_eq!(holder(0.0), [(0, 1.0)]);
        assert_eq!(holder(HEIGHT), [(BONES as u32 - 1, 1.0)]);
        for bone in 0..BONES as u32 {
            let middle = (f64::from(bone) + 0.5) * BONE_LENGTH;
            assert_eq!(holder(middle), [(bone, 1.0)]);
        }
    }

    #[test]
    fn weights_change_without_a_jump() {
        // The steepest slope of a smoothstep is 1.5 over its width.
        let step = HEIGHT / 1000.0;
        let most = 1.5 * step / BONE_LENGTH + 1e-9;
        let weight_of = |bone: u32, height: f64| -> f64 {
            let of_bone = weights(height).into_iter().filter(|&(b, _)| b == bone);
            of_bone.map(|(_, weight)| weight).sum()
        };
        for bone in 0..BONES as u32 {
            for k in 0..1000 {
                let height = f64::from(k) * step;
                let change = weight_of(bone, height + step) - weight_of(bone, height);
                assert!(change.abs() <= most, "bone {bone} at {height} m");
            }
        }
    }

    #[test]
    fn key_times_are_exact_in_float32() {
        let clip = turning("still", 0..1, DVec3::Y, |_| 0.0);
        for &time in clip.joints()[0].rotation.as_ref().unwrap().times() {
            assert_eq!(f64::from(time as f32), time);
        }
    }
}
