//! Characters with other axes, sizes and rest poses that move alike.
#![allow(dead_code)] // Each test program uses some of these.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use throng_rig::{
    Character, CharacterParts, Clip, Joint, JointTracks, LocalPose, ModelPose, Skeleton, Track,
    Transform,
};

/// The humanoid without its mesh.
pub fn humanoid() -> Character {
    let character = throng_import::builtin::builtin("humanoid").expect("a built-in character");
    without_mesh(character.into_parts())
}

fn without_mesh(parts: CharacterParts) -> Character {
    let parts = CharacterParts::without_mesh(parts.name, parts.skeleton, parts.clips);
    Character::new(parts).expect("a skeleton with clips is a character")
}

pub fn joint(character: &Character, name: &str) -> usize {
    let mut joints = character.skeleton().joints().iter();
    let found = joints.position(|joint| joint.name == name);
    found.unwrap_or_else(|| panic!("no joint {name}"))
}

/// Changes the joints of the skeleton.
pub fn with_joints(character: Character, mut change: impl FnMut(usize, &mut Joint)) -> Character {
    let mut parts = character.into_parts();
    let mut joints = parts.skeleton.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        change(index, joint);
    }
    parts.skeleton = Skeleton::new(joints).expect("valid joints");
    without_mesh(parts)
}

/// Changes the keys of all rotation and translation tracks.
fn with_keys(
    character: Character,
    rotation: impl Fn(usize, Quat) -> Quat,
    translation: impl Fn(usize, Vec3) -> Vec3,
) -> Character {
    let mut parts = character.into_parts();
    let changed = |clip: &Clip| {
        let tracks = clip.joints().iter().map(|tracks| {
            let joint = tracks.joint;
            JointTracks {
                rotation: tracks.rotation.as_ref().map(|track| {
                    let values = track.values().iter().map(|&q| rotation(joint, q));
                    rekeyed(track, values.collect())
                }),
                translation: tracks.translation.as_ref().map(|track| {
                    let values = track.values().iter().map(|&v| translation(joint, v));
                    rekeyed(track, values.collect())
                }),
                ..tracks.clone()
            }
        });
        clip.with_joints(tracks.collect()).expect("valid tracks")
    };
    parts.clips = parts.clips.iter().map(changed).collect();
    without_mesh(parts)
}

fn rekeyed<K: throng_rig::Key>(track: &Track<K>, values: Vec<K>) -> Track<K> {
    let times: Arc<[f64]> = track.times().into();
    Track::new(times, values, track.interpolation()).expect("valid keys")
}

/// Turns the axes of each joint by a rotation in its own space. The character moves as before.
pub fn with_other_axes(character: Character, axes: impl Fn(usize) -> DQuat) -> Character {
    let joints = character.skeleton().joints().to_vec();
    let above = |joint: usize| joints[joint].parent.map_or(DQuat::IDENTITY, &axes);
    let turned = with_joints(character, |index, joint| {
        let Transform {
            rotation,
            translation,
            scale,
        } = joint.parent_from_joint;
        joint.parent_from_joint = Transform {
            rotation: (above(index).inverse() * rotation * axes(index)).normalize(),
            translation: above(index).inverse() * translation,
            scale,
        };
    });
    with_keys(
        turned,
        |joint, q| (above(joint).inverse() * q.as_dquat() * axes(joint)).as_quat(),
        |joint, v| (above(joint).inverse() * v.as_dvec3()).as_vec3(),
    )
}

/// Multiplies all lengths.
pub fn scaled(character: Character, factor: f64) -> Character {
    let larger = with_joints(character, |_, joint| {
        joint.parent_from_joint.translation *= factor;
    });
    with_keys(larger, |_, q| q, |_, v| v * factor as f32)
}

/// Turns the whole character about a fixed axis: its roots and their keys.
pub fn turned(character: Character, turn: DQuat) -> Character {
    let joints = character.skeleton().joints().to_vec();
    let is_root = |joint: usize| joints[joint].parent.is_none();
    let turned = with_joints(character, |index, joint| {
        if is_root(index) {
            joint.parent_from_joint.rotation = turn * joint.parent_from_joint.rotation;
            joint.parent_from_joint.translation = turn * joint.parent_from_joint.translation;
        }
    });
    with_keys(
        turned,
        |joint, q| match is_root(joint) {
            true => (turn * q.as_dquat()).as_quat(),
            false => q,
        },
        |joint, v| match is_root(joint) {
            true => (turn * v.as_dvec3()).as_vec3(),
            false => v,
        },
    )
}

/// Names of Mixamo for the joints of the humanoid that a body has.
pub fn with_mixamo_names(character: Character) -> Character {
    with_joints(character, |_, joint| {
        let (side, rest) = match joint.name.split_once('_') {
            Some(("left", rest)) => ("Left", rest),
            Some(("right", rest)) => ("Right", rest),
            _ => ("", joint.name.as_str()),
        };
        let name = match rest {
            "hips" => "Hips".to_owned(),
            "spine1" => "Spine".to_owned(),
            "spine2" => "Spine1".to_owned(),
            "spine3" => "Spine2".to_owned(),
            "neck" => "Neck".to_owned(),
            "head" => "Head".to_owned(),
            "clavicle" => "Shoulder".to_owned(),
            "upper_arm" => "Arm".to_owned(),
            "forearm" => "ForeArm".to_owned(),
            "hand" => "Hand".to_owned(),
            "thigh" => "UpLeg".to_owned(),
            "shin" => "Leg".to_owned(),
            "foot" => "Foot".to_owned(),
            "toes" => "ToeBase".to_owned(),
            finger => {
                let finger = finger.replace("little", "pinky");
                let mut letters = finger.chars();
                let first = letters.next().map(|c| c.to_ascii_uppercase());
                format!("Hand{}{}", first.unwrap_or_default(), letters.as_str())
            }
        };
        joint.name = format!("mixamorig:{side}{name}");
    })
}

/// Positions of all joints at a time.
pub fn positions(character: &Character, clip: &Clip, time: f64) -> Vec<DVec3> {
    let mut local = LocalPose::rest(character);
    let mut model = ModelPose::default();
    local.sample(character, clip, time);
    model.resolve(character.skeleton(), &local);
    let joints = model.model_from_joint.iter();
    joints.map(|joint| joint.translation).collect()
}

/// Times of a clip: `count` equal steps.
pub fn times(clip: &Clip, count: usize) -> impl Iterator<Item = f64> {
    let (start, duration) = (clip.start_secs(), clip.duration_secs());
    (0..=count).map(move |step| start + duration * step as f64 / count as f64)
}

pub fn clip<'c>(clips: &'c [Clip], name: &str) -> &'c Clip {
    clips.iter().find(|clip| clip.name == name).expect("a clip")
}
