//! Skinning artefacts, measured on the built-in cylinder.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use throng_import::builtin::builtin;
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::artefacts::{Artefacts, JointArtefacts, PosedSurface, measure};
use throng_skin::reference::{Skinned, skin_part};

/// Joint that the tests rotate.
const ROTATED: usize = 2;

fn skinned(character: &Character, pose: &CharacterPose, method: Method) -> Vec<Skinned> {
    let skin = |part| {
        let mut out = Skinned::default();
        skin_part(character, part, pose, method, &mut out);
        out
    };
    character.parts().iter().map(skin).collect()
}

fn measured(change: impl Fn(&mut CharacterPose), method: Method) -> Artefacts {
    let character = builtin("cylinder").unwrap();
    let rest = CharacterPose::rest(&character);
    let mut pose = rest.clone();
    change(&mut pose);
    pose.resolve(&character);
    let rest_parts = skinned(&character, &rest, method);
    let parts = skinned(&character, &pose, method);
    measure(
        &character,
        PosedSurface {
            pose: &rest,
            parts: &rest_parts,
        },
        PosedSurface {
            pose: &pose,
            parts: &parts,
        },
    )
}

fn rotated(axis: DVec3, angle: f64, method: Method) -> JointArtefacts {
    let artefacts = measured(
        |pose| pose.local.joints[ROTATED].rotation = DQuat::from_axis_angle(axis, angle),
        method,
    );
    let mut joints = artefacts.joints.into_iter();
    joints.find(|joint| joint.joint == ROTATED).unwrap()
}

#[test]
fn half_twist_collapses_with_lbs_but_not_with_dqs() {
    let lbs = rotated(DVec3::Y, PI, Method::Lbs);
    assert!(lbs.min_radius_ratio < 0.05, "{lbs:?}");
    assert!(lbs.volume_ratio.unwrap() < 0.6, "{lbs:?}");
    let dqs = rotated(DVec3::Y, PI, Method::Dqs);
    assert!(dqs.min_radius_ratio > 0.95, "{dqs:?}");
    assert!(dqs.max_radius_ratio < 1.05, "{dqs:?}");
    let blend = rotated(DVec3::Y, PI, Method::Blend(0.5));
    assert!((blend.min_radius_ratio - 0.5).abs() < 0.01, "{blend:?}");
}

#[test]
fn bend_collapses_with_lbs_and_bulges_with_dqs() {
    let at = |method| rotated(DVec3::Z, 2.0 * PI / 3.0, method);
    let (lbs, blend, dqs) = (at(Method::Lbs), at(Method::Blend(0.5)), at(Method::Dqs));
    // The ring at the joint is halfway between 0° and 120°: LBS shortens its distance to cos 60°.
    assert!((lbs.min_distance_ratio - 0.5).abs() < 1e-6, "{lbs:?}");
    assert!((dqs.min_distance_ratio - 1.0).abs() < 1e-6, "{dqs:?}");
    assert!(dqs.max_radius_ratio > 1.05, "{dqs:?}");
    assert!(lbs.max_radius_ratio < 1.01, "{lbs:?}");
    for (low, middle, high) in [
        (
            lbs.min_distance_ratio,
            blend.min_distance_ratio,
            dqs.min_distance_ratio,
        ),
        (
            lbs.max_radius_ratio,
            blend.max_radius_ratio,
            dqs.max_radius_ratio,
        ),
        (
            lbs.volume_ratio.unwrap(),
            blend.volume_ratio.unwrap(),
            dqs.volume_ratio.unwrap(),
        ),
    ] {
        assert!(low < middle && middle < high, "{low} {middle} {high}");
    }
}

#[test]
fn rigid_motion_has_no_artefacts() {
    let artefacts = measured(
        |pose| {
            pose.local.joints[0].translation = DVec3::new(3.0, -1.0, 2.0);
            pose.local.joints[0].rotation = DQuat::from_rotation_x(1.0);
        },
        Method::Lbs,
    );
    assert!((artefacts.volume_ratio - 1.0).abs() < 1e-9);
    assert_eq!(artefacts.joints.len(), 4, "every bone has a region");
    for joint in &artefacts.joints {
        assert!(joint.worst_change() < 1e-9, "{joint:?}");
    }
}

#[test]
fn volume_scales_with_the_cube() {
    for method in [Method::Lbs, Method::Dqs] {
        let artefacts = measured(
            |pose| pose.local.joints[0].scale = DVec3::splat(2.0),
            method,
        );
        assert!((artefacts.volume_ratio - 8.0).abs() < 1e-6, "{artefacts:?}");
        for joint in &artefacts.joints {
            assert!(
                (joint.volume_ratio.unwrap() - 8.0).abs() < 1e-6,
                "{joint:?}"
            );
            assert!((joint.min_radius_ratio - 2.0).abs() < 1e-6, "{joint:?}");
            assert!((joint.max_distance_ratio - 2.0).abs() < 1e-6, "{joint:?}");
        }
    }
}
