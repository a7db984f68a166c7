//! Crowds with poses that are known in closed form.

mod common;

use common::{Channels, Noise, Tree, affine, any_times, character};
use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use throng_rig::{
    Clip, CrowdClip, CrowdPalette, CrowdPose, Interpolation, Joint, JointKind, JointTracks,
    Skeleton, Track, Transform,
};
use throng_simd::Level;

/// Tolerance of each element of a rotation matrix: a few roundings of float32, of keys and of results.
const ROTATION: f64 = 1e-6;

fn joint(parent: Option<usize>, parent_from_joint: Transform) -> Joint {
    Joint {
        name: String::new(),
        parent,
        parent_from_joint,
        kind: JointKind::Bone,
    }
}

fn one_joint() -> Skeleton {
    Skeleton::new(vec![joint(None, Transform::IDENTITY)]).unwrap()
}

fn clip(tracks: JointTracks) -> Clip {
    Clip::new(String::new(), vec![tracks], vec![]).unwrap()
}

fn rotating(times: &[f64], values: Vec<Quat>, interpolation: Interpolation) -> Clip {
    clip(JointTracks {
        rotation: Some(Track::new(times.into(), values, interpolation).unwrap()),
        ..JointTracks::new(0)
    })
}

fn translating(times: &[f64], x: &[f32], interpolation: Interpolation) -> Clip {
    let values = x.iter().map(|&x| Vec3::X * x).collect();
    clip(JointTracks {
        translation: Some(Track::new(times.into(), values, interpolation).unwrap()),
        ..JointTracks::new(0)
    })
}

/// Returns the transform of the only joint at a time, at every level.
fn at(clip: &Clip, time_secs: f64) -> Vec<DAffine3> {
    let levels = Level::available();
    let posed = levels.map(|level| {
        let mut pose = CrowdPose::default();
        let crowd = CrowdClip::new(&one_joint(), clip).with_simd_level(level);
        crowd.sample(&[time_secs], &mut pose);
        affine(&pose.model_from_joint(0, 0))
    });
    posed.collect()
}

proptest! {
    /// At constant velocity along the arc, for any length and any signs of the keys.
    #[test]
    fn rotations_take_the_shortest_arc(
        degrees in prop_oneof![0.0..1e-3f64, 0.0..180.0f64, 179.9..180.0f64],
        at_fraction in 0.0..1.0f64,
        seed: u64,
        flip: bool,
    ) {
        let mut noise = Noise(seed);
        let (from, axis) = (noise.rotation(), noise.rotation() * DVec3::X);
        let rotation = |degrees: f64| from * DQuat::from_axis_angle(axis, f64::to_radians(degrees));
        let to = rotation(degrees) * if flip { -1.0 } else { 1.0 };
        // Keys are float32, so the arc is not exactly as requested.
        let keys = [from, to].map(DQuat::as_quat);
        let dot = keys[0].as_dquat().normalize().dot(keys[1].as_dquat().normalize()).abs();
        prop_assume!(dot > 1e-6);
        let clip = rotating(&[0.0, 1.0], keys.to_vec(), Interpolation::Linear);
        for posed in at(&clip, at_fraction) {
            let expected = DMat3::from_quat(rotation(degrees * at_fraction));
            prop_assert!(posed.matrix3.abs_diff_eq(expected, ROTATION), "{posed}, expected {expected}");
        }
    }
}

#[test]
fn rotation_by_180_degrees_follows_the_signs_of_the_keys() {
    // Both arcs are equally long; the sign of the keys decides, as in the reference.
    for quat in [
        Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        Quat::from_xyzw(-1.0, 0.0, 0.0, 0.0),
    ] {
        let clip = rotating(
            &[0.0, 1.0],
            vec![Quat::IDENTITY, quat],
            Interpolation::Linear,
        );
        let expected = clip.joints()[0].rotation.as_ref().unwrap().sample(0.25);
        let expected = DMat3::from_quat(expected);
        for posed in at(&clip, 0.25) {
            assert!(posed.matrix3.abs_diff_eq(expected, ROTATION), "{posed}");
        }
    }
}

#[test]
fn samples_equal_keys_to_the_bit_and_ends_are_held() {
    let times = [1.0, 1.5, 4.0];
    for interpolation in [Interpolation::Step, Interpolation::Linear] {
        let clip = translating(&times, &[0.1, 0.3, 0.7], interpolation);
        for (time, x) in [
            (0.0, 0.1f32),
            (1.0, 0.1),
            (1.5, 0.3),
            (4.0, 0.7),
            (9.0, 0.7),
        ] {
            for posed in at(&clip, time) {
                assert_eq!(
                    posed.translation.x,
                    f64::from(x),
                    "{interpolation:?} at {time}"
                );
            }
        }
    }
}

#[test]
fn steps_hold_until_the_next_key() {
    let clip = translating(&[1.0, 1.5, 4.0], &[1.0, 2.0, 3.0], Interpolation::Step);
    for (time, x) in [
        (1.5f64.next_down(), 1.0),
        (1.5, 2.0),
        (4.0f64.next_down(), 2.0),
    ] {
        for posed in at(&clip, time) {
            assert_eq!(posed.translation.x, x);
        }
    }
}

#[test]
fn spline_through_zero_is_still_a_rotation() {
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let values = vec![zero, Quat::IDENTITY, zero, zero, -Quat::IDENTITY, zero];
    let clip = rotating(&[0.0, 1.0], values, Interpolation::CubicSpline);
    for posed in at(&clip, 0.5) {
        assert_eq!(posed, DAffine3::IDENTITY);
    }
}

/// Times in float32 would have an error of 1 ms here.
#[test]
fn keys_at_late_times_are_exact() {
    let times: Vec<f64> = (0..10)
        .map(|key| 10_000.0 + f64::from(key) / 30.0)
        .collect();
    let x: Vec<f32> = (0..10u8).map(f32::from).collect();
    let clip = translating(&times, &x, Interpolation::Linear);
    for posed in at(&clip, 10_000.0 + 3.3 / 30.0) {
        assert!((posed.translation.x - 3.3).abs() < 1e-6);
    }
}

#[test]
fn scale_of_a_parent_shears_the_child() {
    let parent = Transform {
        scale: DVec3::new(2.0, 1.0, 1.0),
        ..Transform::IDENTITY
    };
    let child = Transform {
        rotation: DQuat::from_rotation_z(45f64.to_radians()),
        ..Transform::from_translation(DVec3::X)
    };
    let skeleton = Skeleton::new(vec![joint(None, parent), joint(Some(0), child)]).unwrap();
    let empty = Clip::new(String::new(), vec![], vec![]).unwrap();
    let mut pose = CrowdPose::default();
    CrowdClip::new(&skeleton, &empty).sample(&[0.0; 3], &mut pose);
    let expected = parent.to_affine() * child.to_affine();
    for instance in 0..3 {
        let found = affine(&pose.model_from_joint(instance, 1));
        assert!(found.abs_diff_eq(expected, 2e-7), "{found:?}");
    }
}

#[test]
fn empty_skeletons_and_empty_crowds_are_allowed() {
    let empty = Clip::new(String::new(), vec![], vec![]).unwrap();
    let no_joints = CrowdClip::new(&Skeleton::new(vec![]).unwrap(), &empty);
    let one_joint = CrowdClip::new(&one_joint(), &empty);
    let mut pose = CrowdPose::default();
    for times in [&[][..], &[1.0, 2.0, 3.0]] {
        no_joints.sample(times, &mut pose);
        no_joints.sample_parallel(times, &mut pose);
        assert_eq!(
            (pose.instance_count(), pose.joint_count()),
            (times.len(), 0)
        );
    }
    one_joint.sample(&[], &mut pose);
    one_joint.sample_parallel(&[], &mut pose);
    assert_eq!((pose.instance_count(), pose.joint_count()), (0, 1));
}

#[test]
fn buffers_can_be_reused_for_crowds_of_any_size() {
    let mut pose = CrowdPose::default();
    let mut palette = CrowdPalette::default();
    for (joints, instances) in [(30, 40), (5, 3), (50, 17), (5, 8), (30, 1)] {
        let character = character(joints, Tree::Bushy, Channels::All, joints as u64);
        let (clip, skin) = (&character.clips()[0], &character.skins()[0]);
        let times = any_times(&mut Noise(5), clip, instances);
        let crowd = CrowdClip::new(character.skeleton(), clip);
        crowd.sample(&times, &mut pose);
        palette.update(skin, &pose);
        let (mut fresh_pose, mut fresh) = (CrowdPose::default(), CrowdPalette::default());
        crowd.sample(&times, &mut fresh_pose);
        fresh.update(skin, &fresh_pose);
        assert_eq!(palette.instance_count(), instances);
        for instance in 0..instances {
            assert_eq!(palette.instance(instance), fresh.instance(instance));
            assert_eq!(palette.instance(instance).len(), joints);
        }
    }
}

#[test]
#[should_panic(expected = "instance 3 of 3")]
fn rejects_an_instance_out_of_range() {
    let empty = Clip::new(String::new(), vec![], vec![]).unwrap();
    let mut pose = CrowdPose::default();
    CrowdClip::new(&one_joint(), &empty).sample(&[0.0; 3], &mut pose);
    pose.model_from_joint(3, 0);
}
