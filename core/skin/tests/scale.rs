//! Scale, shear and mirroring under dual quaternions: stretches are blended linearly and applied first.

mod common;

use common::{Case, METHODS, chain, heaviest_first, palette_of, rigid, rotation, vec3};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use proptest::prelude::*;
use throng_rig::{LocalPose, Method, ModelPose, Palette, Skeleton, Skin, Transform};

const DUAL_METHODS: [Method; 4] = [
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
];

/// An arm along Y, bound straight, with joints 1 m apart; positions in bind space are in units of `bind_unit`
/// metres. Each joint is rotated by its quaternion, and `root` transforms the whole arm.
fn arm(bind_unit: f64, root: DAffine3, rotations: &[DQuat]) -> Palette {
    let joints = chain(rotations.len()).into_iter().map(|parent| {
        let along = if parent.is_some() {
            DVec3::Y
        } else {
            DVec3::ZERO
        };
        common::joint(parent, Transform::from_translation(along))
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let joint_from_bind = (0..rotations.len()).map(|i| {
        DAffine3::from_translation(DVec3::Y * -(i as f64))
            * DAffine3::from_scale(DVec3::splat(bind_unit))
    });
    let skin = Skin::new(
        String::new(),
        &skeleton,
        (0..rotations.len()).collect(),
        joint_from_bind.collect(),
    )
    .unwrap();
    let local = LocalPose {
        joints: skeleton
            .joints()
            .iter()
            .zip(rotations)
            .map(|(joint, &rotation)| Transform {
                rotation,
                ..joint.parent_from_joint
            })
            .collect(),
        morph_weights: Vec::new(),
    };
    let mut model = ModelPose::default();
    model.resolve(&skeleton, &local);
    for model_from_joint in &mut model.model_from_joint {
        *model_from_joint = root * *model_from_joint;
    }
    let mut palette = Palette::default();
    palette.update(&skin, &model);
    palette
}

fn bend() -> [DQuat; 3] {
    [
        DQuat::IDENTITY,
        DQuat::from_rotation_z(1.5),
        DQuat::from_rotation_x(1.2),
    ]
}

/// Many files store the mesh in centimetres, or quantised, and scale it by a node above the root.
#[test]
fn result_does_not_depend_on_the_unit_of_bind_space() {
    let point = DVec3::new(0.2, 1.1, -0.1);
    let influences = heaviest_first(&[0.3, 0.4, 0.3]);
    let metres = Case {
        palette: arm(1.0, DAffine3::IDENTITY, &bend()),
        influences: influences.clone(),
    };
    for bind_unit in [0.01, 0.3, 100.0] {
        let other = Case {
            palette: arm(bind_unit, DAffine3::IDENTITY, &bend()),
            influences: influences.clone(),
        };
        for method in METHODS {
            let expected = metres.motion(method).position(point);
            let actual = other.motion(method).position(point / bind_unit);
            // Rounding.
            assert!(
                actual.abs_diff_eq(expected, 1e-12),
                "{bind_unit} {method}: {actual} != {expected}"
            );
        }
    }
}

#[test]
fn scaling_the_root_scales_the_result() {
    let point = DVec3::new(0.2, 1.1, -0.1);
    let influences = heaviest_first(&[0.3, 0.4, 0.3]);
    let case = |root| Case {
        palette: arm(1.0, root, &bend()),
        influences: influences.clone(),
    };
    let plain = case(DAffine3::IDENTITY);
    for size in [0.01, 0.5, 3.0] {
        let scaled = case(DAffine3::from_scale(DVec3::splat(size)));
        for method in METHODS {
            let expected = plain.motion(method).position(point) * size;
            let actual = scaled.motion(method).position(point);
            assert!(
                actual.abs_diff_eq(expected, 1e-12),
                "{size} {method}: {actual} != {expected}"
            );
        }
    }
}

#[test]
fn mirroring_the_root_mirrors_the_result() {
    let point = DVec3::new(0.2, 1.1, -0.1);
    let influences = heaviest_first(&[0.3, 0.4, 0.3]);
    let case = |root| Case {
        palette: arm(1.0, root, &bend()),
        influences: influences.clone(),
    };
    let plain = case(DAffine3::IDENTITY);
    for scale in [
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::new(1.0, -1.0, 1.0),
        DVec3::splat(-2.0),
    ] {
        // For any orientation of the character.
        for radians in [0.0, 1.0, 2.0, 3.0] {
            let mirror = DAffine3::from_rotation_x(radians) * DAffine3::from_scale(scale);
            for method in METHODS {
                let expected = mirror.transform_point3(plain.motion(method).position(point));
                let actual = case(mirror).motion(method).position(point);
                // Signs of quaternions depend on the orientation of the character, and dqs-plain on the signs.
                if method != Method::DqsPlain {
                    assert!(
                        actual.abs_diff_eq(expected, 1e-12),
                        "{scale} {radians} {method}: {actual} != {expected}"
                    );
                }
            }
        }
    }
}

/// Joints without a common parent, as exported deformation bones often are.
#[test]
fn scaling_several_roots_scales_the_result() {
    let rotations = bend().map(DAffine3::from_quat);
    let centres = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let point = DVec3::new(0.4, 0.3, 0.0);
    let case = |size: f64| Case {
        palette: palette_of(
            &[None; 3],
            &centres,
            &rotations.map(|m| DAffine3::from_scale(DVec3::splat(size)) * m),
        ),
        influences: heaviest_first(&[0.3, 0.4, 0.3]),
    };
    for method in METHODS {
        let expected = case(1.0).motion(method).position(point) * 0.01;
        let actual = case(0.01).motion(method).position(point);
        assert!(
            actual.abs_diff_eq(expected, 1e-12),
            "{method}: {actual} != {expected}"
        );
    }
}

/// Between a stretched bone and its bent child the skin rotates about the stretched position of the joint.
#[test]
fn stretched_bone_bends_at_its_end() {
    let stretched = DAffine3::from_scale(DVec3::new(1.0, 3.0, 1.0));
    let elbow = DVec3::Y;
    let moved_elbow = stretched.transform_point3(elbow);
    let child = DAffine3::from_translation(moved_elbow)
        * DAffine3::from_rotation_z(1.5)
        * DAffine3::from_translation(-elbow);
    let case = Case {
        palette: palette_of(&chain(2), &[DVec3::ZERO, elbow], &[stretched, child]),
        influences: heaviest_first(&[0.5, 0.5]),
    };
    for method in METHODS {
        let moved = case.motion(method).position(elbow);
        assert!(
            moved.abs_diff_eq(moved_elbow, 1e-13),
            "{method}: {moved} != {moved_elbow}"
        );
    }
}

proptest! {
    #[test]
    fn uniform_scale_about_the_joints_scales_distances(
        joints in prop::collection::vec((rigid(), vec3(2.0), 0.01..1.0f64), 1..=6),
        size in 0.1..4.0f64, a in vec3(3.0), b in vec3(3.0),
    ) {
        let matrices: Vec<_> = joints.iter().map(|&(m, c, _)| {
            let about = DAffine3::from_translation(c) * DAffine3::from_scale(DVec3::splat(size)) * DAffine3::from_translation(-c);
            m * about
        }).collect();
        let centres: Vec<_> = joints.iter().map(|j| j.1).collect();
        let weights: Vec<_> = joints.iter().map(|j| j.2).collect();
        let case = Case {
            palette: palette_of(&chain(joints.len()), &centres, &matrices),
            influences: heaviest_first(&weights),
        };
        for method in [Method::Dqs, Method::DqsPlain, Method::DqsDirect] {
            let motion = case.motion(method);
            let distance = motion.position(a).distance(motion.position(b));
            // Rounding of coordinates up to some hundreds.
            prop_assert!((distance - size * a.distance(b)).abs() < 1e-10, "{method}");
        }
    }

    /// The linear part of the stretch is the weighted mean of the joints' stretches, as in the papers.
    #[test]
    fn stretches_are_blended_linearly(q in rotation(), s in prop::array::uniform3(0.2..4.0f64), w in 0.0..1.0f64, a in vec3(2.0), b in vec3(2.0)) {
        let scale = DMat3::from_diagonal(DVec3::from_array(s));
        let matrices = [DMat3::from_quat(q), DMat3::from_quat(q) * scale];
        let case = Case {
            palette: palette_of(&chain(2), &[DVec3::X, DVec3::Y], &matrices.map(DAffine3::from_mat3)),
            influences: heaviest_first(&[1.0 - w, w]),
        };
        let expected = q * ((DMat3::IDENTITY * (1.0 - w) + scale * w) * (a - b));
        for method in DUAL_METHODS {
            let motion = case.motion(method);
            let moved = motion.position(a) - motion.position(b);
            prop_assert!(moved.abs_diff_eq(expected, 1e-12), "{method}");
        }
    }

    #[test]
    fn results_are_continuous_in_scale_and_weight(
        angles in prop::array::uniform3(-1.5..1.5f64), s in prop::array::uniform3(0.2..3.0f64), w in 0.05..0.95f64, p in vec3(1.0),
    ) {
        let at = |s: DVec3, w: f64, method: Method| {
            let scale = DMat3::from_diagonal(s);
            let rotations = angles.map(DMat3::from_rotation_z);
            let matrices = [rotations[0], rotations[1] * scale, rotations[2]].map(DAffine3::from_mat3);
            let weights = [1.0 - w, w, 0.3];
            Case {
                palette: palette_of(&chain(3), &[DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0], &matrices),
                influences: heaviest_first(&weights),
            }.motion(method).position(p)
        };
        let s = DVec3::from_array(s);
        for method in METHODS {
            let here = at(s, w, method);
            prop_assert!(here.is_finite());
            for near in [at(s + 1e-7, w, method), at(s, w + 1e-7, method)] {
                // No result changes more than a thousand times as fast as its input.
                prop_assert!(near.distance(here) < 1e-4, "{method}: {near} next to {here}");
            }
        }
    }

    #[test]
    fn scale_close_to_one_is_close_to_no_scale(case in common::case(rigid), p in vec3(3.0)) {
        let nearly: Vec<_> = case.palette.matrices().iter().map(|m| *m * DAffine3::from_scale(DVec3::new(1.0 + 1e-9, 1.0, 1.0))).collect();
        let centres = vec![DVec3::ONE; nearly.len()];
        let make = |matrices: &[DAffine3]| Case { palette: palette_of(&chain(matrices.len()), &centres, matrices), ..case.clone() };
        let (one, nearly) = (make(case.palette.matrices()), make(&nearly));
        prop_assert!(one.palette.is_rigid() && !nearly.palette.is_rigid());
        // Two joints at most: with more, quaternions may nearly cancel.
        let methods = if case.influences.len() <= 2 { &METHODS[..] } else { &[Method::Lbs] };
        for &method in methods {
            // Effect of the scale at this size.
            prop_assert!(one.motion(method).position(p).abs_diff_eq(nearly.motion(method).position(p), 1e-6), "{method}");
        }
    }
}
