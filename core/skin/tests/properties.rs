//! Properties that hold for every palette, weight and vertex.

mod common;

use common::{
    Case, METHODS, affine, case, chain, heaviest_first, palette_of, rigid, rotation, unit_vec3,
    vec3,
};
use glam::{DAffine3, DQuat, DVec3};
use proptest::prelude::*;
use throng_rig::{LocalPose, Method, ModelPose, Palette, Skeleton, Skin, Transform};
use throng_skin::reference::Motion;

/// Returns the position, normal and tangent of a vertex after a motion.
fn transformed(motion: &Motion, p: DVec3, n: DVec3, t: DVec3) -> [DVec3; 3] {
    let normal = motion.normal(n);
    [motion.position(p), normal, motion.tangent(t, normal)]
}

fn close(a: &[DVec3], b: &[DVec3], tolerance: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff_eq(*b, tolerance))
}

/// A chain in which each joint is rotated relative to its parent by less than 180°, in model space.
fn bent_chain() -> impl Strategy<Value = Palette> {
    let joint = (unit_vec3(), 0.0..3.1f64, vec3(1.0), vec3(1.0));
    prop::collection::vec(joint, 2..=12).prop_map(|joints| {
        let mut rotation = DQuat::IDENTITY;
        let mut matrices = Vec::new();
        for &(axis, radians, translation, _) in &joints {
            rotation = (rotation * DQuat::from_axis_angle(axis, radians)).normalize();
            matrices.push(DAffine3::from_rotation_translation(rotation, translation));
        }
        let centres: Vec<_> = joints.iter().map(|j| j.3).collect();
        palette_of(&chain(joints.len()), &centres, &matrices)
    })
}

proptest! {
    #[test]
    fn single_influence_follows_the_joint(
        matrix in affine(), centre in vec3(3.0), p in vec3(3.0), n in unit_vec3(), t in unit_vec3(),
    ) {
        prop_assume!(n.cross(t).length() > 0.1);
        let case = Case {
            palette: palette_of(&[None], &[centre], &[matrix]),
            influences: vec![(0, 1.0)],
        };
        prop_assert!(case.motion(Method::Lbs).position(p).abs_diff_eq(matrix.transform_point3(p), 1e-13));
        let lbs = transformed(&case.motion(Method::Lbs), p, n, t);
        for method in METHODS {
            let other = transformed(&case.motion(method), p, n, t);
            // Rounding of coordinates up to about 20 and of singular values ten to one.
            prop_assert!(close(&other, &lbs, 1e-12), "{method}: {other:?} != {lbs:?}");
        }
    }

    #[test]
    fn single_influence_follows_its_joint_in_a_skin_of_many(case in case(affine), p in vec3(3.0), n in unit_vec3()) {
        for joint in 0..case.palette.len() {
            let alone = Case { influences: vec![(joint, 1.0)], ..case.clone() };
            let matrix = case.palette.matrices()[joint];
            let lbs = alone.motion(Method::Lbs).normal(n);
            for method in METHODS {
                let motion = alone.motion(method);
                // A stretch may move a joint some hundred units away, and the rigid part back.
                prop_assert!(motion.position(p).abs_diff_eq(matrix.transform_point3(p), 1e-10), "{method}");
                prop_assert!(motion.normal(n).abs_diff_eq(lbs, 1e-12), "{method}");
            }
        }
    }

    #[test]
    fn equal_rigid_motion_of_all_joints_keeps_distances(
        shape in case(rigid), motion in rigid(), a in vec3(3.0), b in vec3(3.0), n in unit_vec3(),
    ) {
        let len = shape.palette.len();
        let centres: Vec<_> = shape.palette.matrices().iter().map(|m| m.translation).collect();
        let case = Case {
            palette: palette_of(&chain(len), &centres, &vec![motion; len]),
            ..shape
        };
        for method in METHODS {
            let moved = case.motion(method);
            let distance = moved.position(a).distance(moved.position(b));
            // Rounding of coordinates up to about 10.
            prop_assert!((distance - a.distance(b)).abs() < 1e-13, "{method}");
            prop_assert!(moved.position(a).abs_diff_eq(motion.transform_point3(a), 1e-13), "{method}");
            prop_assert!(moved.normal(n).abs_diff_eq(motion.transform_vector3(n), 1e-14), "{method}");
        }
    }

    /// The same pose with `q` or `-q`, and with angles or angles minus 360°.
    #[test]
    fn sign_of_a_quaternion_does_not_change_the_result(
        rotations in prop::collection::vec((unit_vec3(), -7.0..7.0f64, any::<bool>(), any::<bool>()), 1..=6),
        p in vec3(2.0), n in unit_vec3(),
    ) {
        let joints: Vec<_> = chain(rotations.len())
            .into_iter()
            .map(|parent| common::joint(parent, Transform::from_translation(DVec3::Y)))
            .collect();
        let skeleton = Skeleton::new(joints).unwrap();
        let bind = |i: usize| DAffine3::from_translation(DVec3::Y * -(i as f64 + 1.0));
        let skin = Skin::new(
            String::new(),
            &skeleton,
            (0..rotations.len()).collect(),
            (0..rotations.len()).map(bind).collect(),
        ).unwrap();
        let posed = |quats: Vec<DQuat>| {
            let local = LocalPose {
                joints: quats
                    .into_iter()
                    .map(|rotation| Transform { rotation, ..Transform::from_translation(DVec3::Y) })
                    .collect(),
                morph_weights: Vec::new(),
            };
            let (mut model, mut palette) = (ModelPose::default(), Palette::default());
            model.resolve(&skeleton, &local);
            palette.update(&skin, &model);
            let weights: Vec<f64> = (0..rotations.len()).map(|i| 1.0 + i as f64).collect();
            Case { palette, influences: heaviest_first(&weights) }
        };
        let plain = posed(rotations.iter().map(|t| DQuat::from_axis_angle(t.0, t.1)).collect());
        let flipped = posed(rotations.iter().map(|&(axis, radians, flip, unwind)| {
            let offset = if unwind { std::f64::consts::TAU } else { 0.0 };
            let q = DQuat::from_axis_angle(axis, radians - offset);
            if flip { -q } else { q }
        }).collect());
        for method in [Method::Dqs, Method::Blend(0.6), Method::DqsSum] {
            let (a, b) = (plain.motion(method), flipped.motion(method));
            // Rounding, larger where quaternions nearly cancel.
            prop_assert!(a.position(p).abs_diff_eq(b.position(p), 1e-11), "{method}");
            prop_assert!(a.normal(n).abs_diff_eq(b.normal(n), 1e-11), "{method}");
        }
    }

    #[test]
    fn blends_equal_lbs_at_0_and_dqs_at_1(
        case in case(affine), p in vec3(3.0), n in unit_vec3(), t in unit_vec3(),
    ) {
        let ends = [Method::Lbs, Method::Dqs].map(|m| transformed(&case.motion(m), p, n, t));
        for (f, end) in [0.0, 1.0].into_iter().zip(ends) {
            for method in [Method::Blend(f), Method::BlendPositions(f)] {
                let blend = transformed(&case.motion(method), p, n, t);
                prop_assert!(close(&blend, &end, 1e-12), "{method}: {blend:?} != {end:?}");
            }
        }
    }

    #[test]
    fn blended_positions_are_linear_in_the_factor(case in case(affine), p in vec3(3.0), f in 0.0..1.0f64) {
        let lbs = case.motion(Method::Lbs).position(p);
        let dqs = case.motion(Method::Dqs).position(p);
        let expected = lbs * (1.0 - f) + dqs * f;
        for method in [Method::Blend(f), Method::BlendPositions(f)] {
            // Rounding of coordinates up to some hundreds.
            prop_assert!(case.motion(method).position(p).abs_diff_eq(expected, 1e-11), "{method}");
        }
    }

    #[test]
    fn dqs_direct_equals_dqs_between_parent_and_child(palette in bent_chain(), w in 0.0..1.0f64, p in vec3(2.0), n in unit_vec3()) {
        for child in 1..palette.len() {
            let mut influences = vec![(child - 1, 1.0 - w), (child, w)];
            influences.sort_by(|a, b| b.1.total_cmp(&a.1));
            let case = Case { palette: palette.clone(), influences };
            let (dqs, direct) = (case.motion(Method::Dqs), case.motion(Method::DqsDirect));
            // Rounding, divided by the length of the sum: at least cos(3.1 / 2) = 0.02.
            prop_assert!(dqs.position(p).abs_diff_eq(direct.position(p), 1e-12));
            prop_assert!(dqs.normal(n).abs_diff_eq(direct.normal(n), 1e-12));
        }
    }

    #[test]
    fn rigid_motion_of_the_model_commutes_with_skinning(case in case(rigid), motion in rigid(), p in vec3(3.0)) {
        let centres: Vec<_> = (0..case.palette.len()).map(|i| DVec3::splat(i as f64)).collect();
        let make = |matrices: Vec<DAffine3>| Case {
            palette: palette_of(&chain(matrices.len()), &centres, &matrices),
            ..case.clone()
        };
        let before = make(case.palette.matrices().to_vec());
        let after = make(case.palette.matrices().iter().map(|m| motion * *m).collect());
        for method in [Method::Lbs, Method::DqsSum, Method::BlendPositions(0.0)] {
            let expected = motion.transform_point3(before.motion(method).position(p));
            prop_assert!(after.motion(method).position(p).abs_diff_eq(expected, 1e-12), "{method}");
        }
        // Two joints: with more, the sign of a joint relative to the heaviest may be a tie.
        if case.influences.len() == 2 {
            let expected = motion.transform_point3(before.motion(Method::Dqs).position(p));
            // Rounding, larger where quaternions nearly cancel.
            prop_assert!(after.motion(Method::Dqs).position(p).abs_diff_eq(expected, 1e-10));
        }
    }

    #[test]
    fn splitting_a_weight_among_equal_joints_does_not_change_the_result(a in rotation(), b in rotation(), w in 0.1..0.4f64, p in vec3(2.0)) {
        let matrices = [a, b, b].map(DAffine3::from_quat);
        let palette = palette_of(&chain(3), &[DVec3::ZERO; 3], &matrices);
        for method in METHODS {
            let one = Case { palette: palette.clone(), influences: vec![(0, 0.5), (1, 0.5)] };
            let two = Case { palette: palette.clone(), influences: vec![(0, 0.5), (1, 0.5 - w), (2, w)] };
            // Rounding, larger where quaternions nearly cancel.
            prop_assert!(one.motion(method).position(p).abs_diff_eq(two.motion(method).position(p), 1e-10), "{method}");
        }
    }
}
