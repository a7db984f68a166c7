//! Sampling of clips and resolution to model space.

mod common;

use std::sync::Arc;

use common::{Noise, chain, rotated};
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use throng_rig::{
    Character, CharacterParts, CharacterPose, Clip, Influences, Interpolation, JointTracks,
    LocalPose, Mesh, Method, ModelPose, MorphTarget, MorphTrack, Part, Skeleton, Skin, Track,
    Transform,
};
use throng_skin::reference::{Skinned, skin_part};
use throng_skin::{posed_bounds, rest_size};

fn track<K: throng_rig::Key>(times: &[f64], values: Vec<K>) -> Option<Track<K>> {
    Some(Track::new(times.into(), values, Interpolation::Linear).unwrap())
}

/// Two joints in a chain, one triangle, one morph target. Clip 0 animates all channels of joint 1 and the morph
/// weight; clip 1 only the translation of joint 0.
fn character() -> Character {
    let up = Transform::from_translation(DVec3::Y);
    let joints = vec![common::joint(None, up), common::joint(Some(0), up)];
    let skeleton = Skeleton::new(joints).unwrap();
    let bind = [-1.0, -2.0].map(|y| DAffine3::from_translation(DVec3::Y * y));
    let skin = Skin::new("skin".into(), &skeleton, vec![0, 1], bind.to_vec()).unwrap();
    let influences = Influences::new([
        [(0, 1.0), (1, 0.0)],
        [(0, 0.5), (1, 0.5)],
        [(0, 0.0), (1, 1.0)],
    ]);
    let mut mesh = Mesh::new(
        vec![
            Vec3::ZERO,
            Vec3::new(1.0, 2.0, 0.0),
            Vec3::new(0.0, 3.0, 0.0),
        ],
        vec![[0, 1, 2]],
        influences.unwrap(),
    )
    .unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "grow".into(),
        positions: vec![Vec3::X; 3],
        normals: vec![],
        tangents: vec![],
    })
    .unwrap();
    let times = [1.0, 3.0];
    let wave = JointTracks {
        translation: track(&times, vec![Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0)]),
        rotation: track(&times, vec![Quat::IDENTITY, Quat::from_rotation_z(1.0)]),
        scale: track(&times, vec![Vec3::ONE, Vec3::splat(3.0)]),
        ..JointTracks::new(1)
    };
    let grow = MorphTrack::new(
        0,
        Arc::from(times),
        vec![0.0, 1.0],
        1,
        Interpolation::Linear,
    );
    let shift = JointTracks {
        translation: track(&[0.0, 1.0], vec![Vec3::Z, Vec3::Z * 3.0]),
        ..JointTracks::new(0)
    };
    Character::new(CharacterParts {
        name: "test".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![Part {
            node: 0,
            node_name: String::new(),
            primitive: 0,
            mesh: 0,
            skin: 0,
            morph_set: Some(0),
        }],
        morph_sets: vec![("morphs".into(), vec![0.25])],
        clips: vec![
            Clip::new("wave".into(), vec![wave], vec![grow.unwrap()]).unwrap(),
            Clip::new("shift".into(), vec![shift], vec![]).unwrap(),
        ],
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

#[test]
fn sampling_a_second_clip_resets_the_pose() {
    let character = character();
    let [wave, shift] = [0, 1].map(|i| &character.clips()[i]);
    let mut reused = LocalPose::rest(&character);
    reused.sample(&character, wave, 2.0);
    assert_eq!(reused.joints[1].scale, DVec3::splat(2.0));
    assert_eq!(reused.joints[1].translation, DVec3::new(2.0, 0.0, 0.0));
    assert!(
        reused.joints[1]
            .rotation
            .abs_diff_eq(DQuat::from_rotation_z(0.5), 1e-7)
    ); // float32 keys
    assert_eq!(reused.morph_weights, [0.5]);

    reused.sample(&character, shift, 0.5);
    let mut fresh = LocalPose::rest(&character);
    assert_eq!(fresh.morph_weights, [0.25]);
    fresh.sample(&character, shift, 0.5);
    assert_eq!(reused, fresh);
    assert_eq!(reused.joints[0].translation, DVec3::Z * 2.0);
    assert_eq!(
        reused.joints[1],
        character.skeleton().joints()[1].parent_from_joint
    );
}

#[test]
fn times_outside_a_clip_are_clamped() {
    let character = character();
    let wave = &character.clips()[0];
    let at = |time_secs: f64| {
        let mut pose = LocalPose::rest(&character);
        pose.sample(&character, wave, time_secs);
        pose
    };
    let (first, last) = (at(1.0), at(3.0));
    for before in [0.999, 0.0, -1e9] {
        assert_eq!(at(before), first);
    }
    for after in [3.001, 1e9] {
        assert_eq!(at(after), last);
    }
    assert_eq!(first.morph_weights, [0.0]);
    assert_eq!(last.joints[1].scale, DVec3::splat(3.0));
}

#[test]
fn rotations_have_constant_angular_velocity() {
    let character = character();
    let mut pose = LocalPose::rest(&character);
    for step in 0..=20 {
        let fraction = f64::from(step) / 20.0;
        pose.sample(&character, &character.clips()[0], 1.0 + 2.0 * fraction);
        let expected = DQuat::from_rotation_z(fraction);
        assert!(pose.joints[1].rotation.abs_diff_eq(expected, 1e-7)); // float32 keys
    }
}

/// Multiplies transforms up to the root, recursively.
fn naive_model_from_joint(skeleton: &Skeleton, local: &LocalPose, joint: usize) -> DAffine3 {
    let t = &local.joints[joint];
    let parent_from_joint = DAffine3::from_translation(t.translation)
        * DAffine3::from_quat(t.rotation)
        * DAffine3::from_scale(t.scale);
    match skeleton.joints()[joint].parent {
        Some(parent) => naive_model_from_joint(skeleton, local, parent) * parent_from_joint,
        None => parent_from_joint,
    }
}

#[test]
fn resolve_multiplies_transforms_of_all_ancestors() {
    let mut noise = Noise(5);
    // Several trees with random branches.
    let joints = (0..200).map(|i| {
        let parent = if i % 40 == 0 {
            None
        } else {
            Some(i - 1 - noise.index((i % 40).min(3)))
        };
        common::joint(parent, Transform::IDENTITY)
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    assert_eq!(skeleton.root_count(), 5);
    let mut pose = ModelPose::default();
    for _ in 0..3 {
        let mut transform = || Transform {
            translation: noise.vec3(),
            scale: DVec3::ONE + noise.vec3() * 0.2,
            ..rotated(noise.rotation())
        };
        let local = LocalPose {
            joints: (0..200).map(|_| transform()).collect(),
            morph_weights: Vec::new(),
        };
        pose.resolve(&skeleton, &local);
        assert_eq!(pose.model_from_joint.len(), 200);
        for (joint, resolved) in pose.model_from_joint.iter().enumerate() {
            let expected = naive_model_from_joint(&skeleton, &local, joint);
            // Rounding over 40 joints.
            assert!(resolved.abs_diff_eq(expected, 1e-11), "joint {joint}");
        }
    }
}

#[test]
fn bind_pose_leaves_the_mesh_unchanged() {
    let mut noise = Noise(6);
    let joints = chain(8).into_iter().map(|parent| {
        let transform = Transform {
            translation: noise.vec3(),
            ..rotated(noise.rotation())
        };
        common::joint(parent, transform)
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let local = LocalPose {
        joints: skeleton
            .joints()
            .iter()
            .map(|j| j.parent_from_joint)
            .collect(),
        morph_weights: Vec::new(),
    };
    let mut model = ModelPose::default();
    model.resolve(&skeleton, &local);
    let joint_from_bind = model
        .model_from_joint
        .iter()
        .map(DAffine3::inverse)
        .collect();
    let skin = Skin::new(String::new(), &skeleton, (0..8).collect(), joint_from_bind).unwrap();
    let mut palette = throng_rig::Palette::default();
    palette.update(&skin, &model);
    let case = common::Case {
        palette,
        influences: common::heaviest_first(&[1.0; 8]),
    };
    for method in common::METHODS {
        let point = noise.vec3();
        assert!(
            case.motion(method)
                .position(point)
                .abs_diff_eq(point, 1e-13)
        ); // rounding
    }
}

#[test]
fn part_uses_its_morph_weights_and_palette() {
    let character = character();
    let mut pose = CharacterPose::rest(&character);
    let mut skinned = Skinned::default();
    let part = &character.parts()[0];
    skin_part(&character, part, &pose, Method::Dqs, &mut skinned);
    // The rest weight of the morph target is 0.25.
    let expected = [
        DVec3::new(0.25, 0.0, 0.0),
        DVec3::new(1.25, 2.0, 0.0),
        DVec3::new(0.25, 3.0, 0.0),
    ];
    assert_eq!(skinned.positions, expected);
    assert_eq!(rest_size(&character), 3.0);

    pose.sample(&character, &character.clips()[1], 1.0);
    let bounds = posed_bounds(&character, &pose, Method::Lbs);
    // Joint 0 is at 3 Z instead of Y.
    assert_eq!(bounds.min, DVec3::new(0.25, -1.0, 3.0));
    assert_eq!(bounds.max, DVec3::new(1.25, 2.0, 3.0));
}
