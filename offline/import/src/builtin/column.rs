//! Shared parts of the bar and the cylinder: a chain of equal bones, its weights and its clips.

use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat};
use throng_rig::{
    Character, Clip, Interpolation, Joint, JointKind, JointTracks, Skeleton, Skin, Track, Transform,
};

use super::one_part;
use super::surface::Surface;

/// Height of a column, in metres.
pub(super) const HEIGHT: f64 = 2.0;
/// Number of bones, all of equal length.
pub(super) const BONES: usize = 4;
/// Distance between consecutive joints, in metres.
const BONE_LENGTH: f64 = HEIGHT / BONES as f64;

/// Duration of a clip, in seconds.
pub(super) const DURATION_SECS: f64 = 2.0;
/// Keys per second. A power of two, so that every key time is exact in float32.
pub(super) const KEY_RATE_HZ: f64 = 32.0;

/// Binds a surface to the chain of bones.
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

/// Builds the chain: `bone0` at the origin, the other bones above, and the leaf `end` at the tip.
pub(super) fn skeleton() -> Skeleton {
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
    Skeleton::new((0..=BONES).map(joint).collect()).expect("parents precede children")
}

pub(super) fn skin(name: &str, skeleton: &Skeleton) -> Skin {
    let joint_from_bind =
        |bone: usize| DAffine3::from_translation(DVec3::NEG_Y * (bone as f64 * BONE_LENGTH));
    Skin::new(
        name.to_owned(),
        skeleton,
        (0..BONES).collect(),
        (0..BONES).map(joint_from_bind).collect(),
    )
    .expect("one inverse bind matrix per bone")
}

/// Returns bones and weights at a height. Between the middles of two bones the weight moves smoothly from
/// the lower to the upper; at their joint each has one half.
pub(super) fn weights(height: f64) -> [(u32, f64); 2] {
    let along = height / BONE_LENGTH;
    let joint = along.round().clamp(1.0, (BONES - 1) as f64);
    let upper = smoothstep(along - joint + 0.5);
    let bone = joint as u32;
    [(bone - 1, 1.0 - upper), (bone, upper)]
}

fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Builds a looping clip that rotates each of the bones about an axis of its local space. `radians` maps a
/// phase, 0 to 1, to an angle.
pub(super) fn rotation_clip(
    name: &str,
    bones: Range<usize>,
    axis: DVec3,
    radians: impl Fn(f64) -> f64,
) -> Clip {
    let intervals = (DURATION_SECS * KEY_RATE_HZ) as usize;
    looping_clip(name, intervals, bones, |_, phase| {
        DQuat::from_axis_angle(axis, radians(phase))
    })
}

/// Builds a looping clip of rotations in local space, with keys at [`KEY_RATE_HZ`]. `rotation` maps a bone and a
/// phase, 0 to 1, to its rotation.
pub(super) fn looping_clip(
    name: &str,
    intervals: usize,
    bones: Range<usize>,
    rotation: impl Fn(usize, f64) -> DQuat,
) -> Clip {
    let times: Arc<[f64]> = (0..=intervals).map(|k| k as f64 / KEY_RATE_HZ).collect();
    let tracks = |bone: usize| {
        let key = |k: usize| {
            let phase = (k % intervals) as f64 / intervals as f64;
            rotation(bone, phase).as_quat()
        };
        let keys: Vec<Quat> = (0..=intervals).map(key).collect();
        let track = Track::new(times.clone(), keys, Interpolation::Linear);
        JointTracks {
            rotation: Some(track.expect("finite keys at increasing times")),
            ..JointTracks::new(bone)
        }
    };
    Clip::new(name.to_owned(), bones.map(tracks).collect(), Vec::new()).expect("one track per bone")
}

/// Rises from 0 to 1 at phase 0.5 and falls back to 0, with zero slope at all three.
pub(super) fn raised_cosine(phase: f64) -> f64 {
    0.5 - 0.5 * (TAU * phase).cos()
}

/// Sine with one period over the phase.
pub(super) fn sine(phase: f64) -> f64 {
    (TAU * phase).sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_equal_at_joints() {
        for joint in 1..BONES as u32 {
            let expected = [(joint - 1, 0.5), (joint, 0.5)];
            assert_eq!(weights(f64::from(joint) * BONE_LENGTH), expected);
        }
    }

    #[test]
    fn ends_and_middles_of_bones_have_one_influence() {
        let nonzero = |height| {
            let influences = weights(height).into_iter().filter(|&(_, w)| w > 0.0);
            influences.collect::<Vec<_>>()
        };
        assert_eq!(nonzero(0.0), [(0, 1.0)]);
        assert_eq!(nonzero(HEIGHT), [(BONES as u32 - 1, 1.0)]);
        for bone in 0..BONES as u32 {
            let middle = (f64::from(bone) + 0.5) * BONE_LENGTH;
            assert_eq!(nonzero(middle), [(bone, 1.0)]);
        }
    }

    #[test]
    fn weights_are_continuous() {
        // The maximum slope of a smoothstep is 1.5 over its width.
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
        let clip = rotation_clip("still", 0..1, DVec3::Y, |_| 0.0);
        for &time in clip.joints()[0].rotation.as_ref().unwrap().times() {
            assert_eq!(f64::from(time as f32), time);
        }
    }
}
