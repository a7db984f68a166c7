//! Motion that must come out unchanged: of a rig on itself, on a scaled copy, and on a copy with other axes.

mod common;

use common::{
    humanoid, positions, scaled, times, turned, with_joints, with_mixamo_names, with_other_axes,
};
use glam::{DQuat, DVec3};
use throng_import::{ImportOptions, import, import_motion};
use throng_retarget::{Retargeted, Transfer, retarget};
use throng_rig::{Character, CharacterParts};
use throng_testkit::shared_assets;

/// Largest distance between joints of the retargeted and of the expected motion, in metres.
fn farthest(character: &Character, retargeted: &Retargeted, expected: &Character) -> f64 {
    let mut farthest: f64 = 0.0;
    for (clip, source) in retargeted.clips.iter().zip(expected.clips()) {
        for time in times(source, 40) {
            let found = positions(character, clip, time);
            let expected = positions(expected, source, time);
            let distances = found.iter().zip(&expected).map(|(a, b)| a.distance(*b));
            farthest = distances.fold(farthest, f64::max);
        }
    }
    farthest
}

/// Rotations without a pattern.
fn some_axes(joint: usize) -> DQuat {
    let angle = |factor: f64| (joint as f64 * factor).sin() * 3.0;
    DQuat::from_rotation_y(angle(1.7)) * DQuat::from_rotation_x(angle(2.9))
}

#[test]
fn motion_of_a_rig_on_itself_is_copied_bit_for_bit() {
    let humanoid = humanoid();
    let retargeted = retarget(&humanoid, &humanoid, &[]).unwrap();
    assert_eq!(retargeted.transfer, Transfer::Copied);
    assert_eq!(retargeted.clips, humanoid.clips());
    assert_eq!(retargeted.warning(), None);
}

#[test]
fn motion_of_a_file_on_its_own_character_is_copied_bit_for_bit() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for file in [
        "gltf/kaykit/Knight.glb",
        "gltf/khronos/Fox.glb",
        "gltf/godot/mannequiny.glb",
        "gltf/godot/platformer_enemy.glb",
        "gltf/three/RobotExpressive.glb",
        "fbx/quaternius/KnightCharacter.fbx",
        "fbx/quaternius/Zombie.fbx",
        "mocap/cmu_02_01.glb",
    ] {
        let source = assets.join(file).display().to_string();
        let options = ImportOptions::default();
        let motion = import_motion(&source, &options).unwrap().character;
        let character = import(&source, &options).unwrap().character;
        let retargeted = retarget(&motion, &character, &[]).unwrap();
        assert_eq!(retargeted.transfer, Transfer::Copied, "{file}");
        for clip in &retargeted.clips {
            let mut own = character.clips().iter();
            let own = own.find(|own| own.name == clip.name && own.joints() == clip.joints());
            assert!(own.is_some(), "{file}: clip '{}' differs", clip.name);
        }
    }
}

#[test]
fn motion_on_a_scaled_copy_is_the_scaled_motion() {
    let motion = humanoid();
    let larger = scaled(motion.clone(), 1.7);
    let retargeted = retarget(&motion, &larger, &[]).unwrap();
    assert_eq!(retargeted.transfer, Transfer::Copied);
    // Keys are float32; limbs are up to 3 m.
    assert!(farthest(&larger, &retargeted, &larger) < 2e-6);

    // The same, by the scale of the root.
    let scaled_root = with_joints(motion.clone(), |index, joint| {
        if index == 0 {
            joint.parent_from_joint.scale = DVec3::splat(1.7);
            joint.parent_from_joint.translation *= 1.7;
        }
    });
    let retargeted = retarget(&motion, &scaled_root, &[]).unwrap();
    assert!(farthest(&scaled_root, &retargeted, &larger) < 2e-6);
}

#[test]
fn motion_on_a_copy_under_another_node_is_the_same() {
    let motion = humanoid();
    // A node that scales and turns, as exporters put above the root.
    let mut parts = motion.clone().into_parts();
    let turn = DQuat::from_rotation_x(-1.0);
    let node = throng_rig::Joint {
        name: "Armature".into(),
        parent: None,
        parent_from_joint: throng_rig::Transform {
            rotation: turn,
            scale: DVec3::splat(0.01),
            translation: DVec3::ZERO,
        },
        kind: throng_rig::JointKind::Node,
    };
    let mut joints = vec![node];
    for joint in parts.skeleton.joints() {
        let mut joint = joint.clone();
        match joint.parent {
            Some(parent) => joint.parent = Some(parent + 1),
            None => {
                joint.parent = Some(0);
                joint.parent_from_joint.rotation =
                    turn.inverse() * joint.parent_from_joint.rotation;
                joint.parent_from_joint.translation =
                    turn.inverse() * joint.parent_from_joint.translation * 100.0;
            }
        }
        if joint.parent != Some(0) {
            joint.parent_from_joint.translation *= 100.0;
        }
        joints.push(joint);
    }
    parts.skeleton = throng_rig::Skeleton::new(joints).unwrap();
    parts.clips = Vec::new();
    let character = Character::new(CharacterParts { ..parts }).unwrap();
    let retargeted = retarget(&motion, &character, &[]).unwrap();
    assert_eq!(retargeted.transfer, Transfer::Copied);
    for (clip, source) in retargeted.clips.iter().zip(motion.clips()) {
        for time in times(source, 20) {
            let found = positions(&character, clip, time);
            let expected = positions(&motion, source, time);
            for (found, expected) in found[1..].iter().zip(&expected) {
                // Keys are float32, of lengths up to 200.
                assert!(found.distance(*expected) < 5e-6);
            }
        }
    }
}

#[test]
fn a_file_whose_rest_pose_is_a_frame_of_its_clip_is_the_same_rig() {
    let character = humanoid();
    // Only the rest pose is another; keys and axes are those of the character.
    let posed = with_joints(character.clone(), |index, joint| {
        joint.parent_from_joint.rotation *= DQuat::from_rotation_z(0.4 * (index as f64).sin());
    });
    let retargeted = retarget(&posed, &character, &[]).unwrap();
    assert_eq!(retargeted.transfer, Transfer::Copied);
    for (found, expected) in retargeted.clips.iter().zip(character.clips()) {
        for tracks in expected.joints() {
            let copied = found.joints().iter().find(|t| t.joint == tracks.joint);
            assert!(copied.unwrap().rotation.is_some());
            if tracks.rotation.is_some() {
                assert_eq!(copied.unwrap().rotation, tracks.rotation);
            }
        }
    }
}

#[test]
fn motion_on_a_copy_with_other_axes_and_names_is_the_same() {
    let motion = with_mixamo_names(with_other_axes(humanoid(), some_axes));
    let character = humanoid();
    let retargeted = retarget(&motion, &character, &[]).unwrap();
    let Transfer::Sampled { scale } = retargeted.transfer else {
        panic!("the axes differ");
    };
    assert!((scale - 1.0).abs() < 1e-9);
    assert_eq!(retargeted.warning(), None);
    // Rounding of keys to float32, at joints up to eight below the hips.
    let farthest = farthest(&character, &retargeted, &character);
    assert!(farthest < 2e-5, "{farthest}");
}

#[test]
fn motion_that_faces_elsewhere_is_turned() {
    for turn in [
        DQuat::from_rotation_y(1.6),
        DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
    ] {
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        // A turn near a quarter is a quarter, plus a difference of the rest pose.
        let (motion, slack) = match turn.y != 0.0 {
            true => (turned(humanoid(), quarter), 2e-5),
            false => (turned(humanoid(), turn), 2e-5),
        };
        let motion = with_mixamo_names(with_other_axes(motion, some_axes));
        let character = humanoid();
        let retargeted = retarget(&motion, &character, &[]).unwrap();
        let farthest = farthest(&character, &retargeted, &character);
        assert!(farthest < slack, "{turn}: {farthest}");
    }
}
