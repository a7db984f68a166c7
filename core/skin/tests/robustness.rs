//! Results of valid rigs are finite, for any number of joints and influences.

mod common;

use common::{
    Case, METHODS, Noise, chain, heaviest_first, naive, palette_of, rotated, rotated_about_z, vec3,
};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3, Vec4};
use proptest::prelude::*;
use throng_rig::{
    Influences, LocalPose, Mesh, Method, ModelPose, MorphTarget, Palette, Skeleton, Skin, Transform,
};
use throng_skin::reference::{Skinned, skin};

fn is_unit(v: DVec3) -> bool {
    (v.length() - 1.0).abs() < 1e-12 // rounding
}

fn check(case: &Case) {
    for method in METHODS {
        let motion = case.motion(method);
        for point in [DVec3::ZERO, DVec3::ONE, DVec3::new(-3.0, 0.1, 2.0)] {
            assert!(motion.position(point).is_finite(), "{method} {case:?}");
        }
        for normal in [DVec3::X, DVec3::NEG_Y, DVec3::new(0.6, 0.0, -0.8)] {
            let moved = motion.normal(normal);
            assert!(is_unit(moved), "{method} {case:?}: normal {moved}");
            for tangent in [DVec3::Z, DVec3::ZERO, normal] {
                let tangent = motion.tangent(tangent, moved);
                assert!(is_unit(tangent), "{method} {case:?}: tangent {tangent}");
                // Rounding, for a tangent that is 1e-6 from parallel to its normal.
                assert!(tangent.dot(moved).abs() < 1e-9, "{method} {case:?}");
            }
        }
    }
}

#[test]
fn zero_and_mirroring_scales_give_finite_results() {
    let scales = [
        DVec3::ZERO,
        DVec3::ONE,
        DVec3::new(0.0, 1.0, 1.0),
        DVec3::new(0.0, 0.0, 1.0),
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::NEG_ONE,
        DVec3::new(-1.0, 0.0, 2.0),
        DVec3::splat(1e-12),
        DVec3::new(1e-9, 1.0, 1e9),
    ];
    for a in scales {
        for b in scales {
            for weights in [[0.5, 0.5], [0.9, 0.1], [1.0, 0.0]] {
                for radians in [0.0, 1.0, std::f64::consts::PI] {
                    let rotations = [0.0, radians].map(DMat3::from_rotation_x);
                    let matrices = [
                        rotations[0] * DMat3::from_diagonal(a),
                        rotations[1] * DMat3::from_diagonal(b),
                    ];
                    check(&Case {
                        palette: palette_of(
                            &chain(2),
                            &[DVec3::ZERO, DVec3::Y],
                            &matrices.map(DAffine3::from_mat3),
                        ),
                        influences: heaviest_first(&weights),
                    });
                }
            }
        }
    }
}

/// Rotations by about −90° become quaternions of opposite signs: the sum of `dqs-plain` is zero or rounding.
#[test]
fn cancelling_signs_give_finite_results() {
    let mut cancelled = 0;
    for exponent in 1..=17 {
        let apart_degrees = 10f64.powi(-exponent);
        let case = Case {
            palette: rotated_about_z(&[-90.0 + apart_degrees, -90.0 - apart_degrees]),
            influences: heaviest_first(&[0.5, 0.5]),
        };
        let [a, b] = [0, 1].map(|i| case.palette.rigid()[i]);
        if (a + b).normalized().is_none() {
            cancelled += 1;
            // The heaviest replaces the sum: −90°, within the angle between the two.
            let moved = case.motion(Method::DqsPlain).position(DVec3::X);
            assert!(moved.abs_diff_eq(DVec3::NEG_Y, apart_degrees.max(1e-12)));
        }
        check(&case);
    }
    assert!(cancelled > 0, "no pair cancelled: the test checks nothing");
}

proptest! {
    #[test]
    fn singular_matrices_give_finite_results(columns in prop::collection::vec((vec3(2.0), -1.0..1.0f64, 0..4u32), 1..=4)) {
        let matrices: Vec<_> = columns.iter().map(|&(a, s, rank)| DAffine3::from_mat3(match rank {
            0 => DMat3::ZERO,
            1 => DMat3::from_cols(a, a * s, a * (1.0 - s)),
            2 => DMat3::from_cols(a, DVec3::Y, a * s + DVec3::Y),
            _ => DMat3::from_cols(a, DVec3::Y, DVec3::Z),
        })).collect();
        let centres = vec![DVec3::ONE; matrices.len()];
        check(&Case {
            palette: palette_of(&chain(matrices.len()), &centres, &matrices),
            influences: heaviest_first(&vec![1.0; matrices.len()]),
        });
    }
}

#[test]
fn zero_normals_become_unit_vectors() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let mut mesh = Mesh::new(positions, vec![[0, 1, 2]], Influences::rigid(3)).unwrap();
    mesh.set_normals(vec![Vec3::ZERO, Vec3::Z, Vec3::X])
        .unwrap();
    mesh.set_tangents(vec![Vec4::W, Vec4::W, Vec4::new(1.0, 0.0, 0.0, -1.0)])
        .unwrap();
    // At weight one it makes every normal zero.
    mesh.add_morph_target(MorphTarget {
        name: String::new(),
        positions: vec![Vec3::ZERO; 3],
        normals: vec![Vec3::ZERO, Vec3::NEG_Z, Vec3::NEG_X],
        tangents: vec![Vec3::ZERO, Vec3::ZERO, Vec3::NEG_X],
    })
    .unwrap();
    let mut skinned = Skinned::default();
    for scale in [DVec3::ONE, DVec3::ZERO, DVec3::new(2.0, -1.0, 1.0)] {
        let palette = palette_of(&[None], &[DVec3::ZERO], &[DAffine3::from_scale(scale)]);
        for method in METHODS {
            for weight in [0.0, 0.5, 1.0] {
                skin(method, &mesh, &[weight], &palette, &mut skinned);
                for (normal, tangent) in skinned.normals.iter().zip(&skinned.tangents) {
                    assert!(is_unit(*normal), "{method} at {weight}: {normal}");
                    assert!(
                        is_unit(tangent.truncate()),
                        "{method} at {weight}: {tangent}"
                    );
                }
            }
        }
    }
}

/// A rigid rig with its motions as plain dual quaternions.
struct Rig {
    palette: Palette,
    duals: Vec<naive::Dual>,
}

/// Joints with random rotations and translations, and random bind poses.
fn rig(parents: &[Option<usize>], noise: &mut Noise) -> Rig {
    let joints: Vec<_> = parents
        .iter()
        .map(|&parent| {
            let transform = Transform {
                translation: noise.vec3() * 0.1,
                ..rotated(noise.rotation())
            };
            common::joint(parent, transform)
        })
        .collect();
    let binds: Vec<_> = parents
        .iter()
        .map(|_| (noise.rotation(), noise.vec3()))
        .collect();
    let skeleton = Skeleton::new(joints).unwrap();
    let skin = Skin::new(
        String::new(),
        &skeleton,
        (0..parents.len()).collect(),
        binds
            .iter()
            .map(|&(q, t)| DAffine3::from_rotation_translation(q, t))
            .collect(),
    )
    .unwrap();
    let local = LocalPose {
        joints: skeleton
            .joints()
            .iter()
            .map(|j| j.parent_from_joint)
            .collect(),
        morph_weights: Vec::new(),
    };
    let (mut model, mut palette) = (ModelPose::default(), Palette::default());
    model.resolve(&skeleton, &local);
    palette.update(&skin, &model);

    let mut model_from_joint: Vec<naive::Dual> = Vec::new();
    for (joint, &parent) in local.joints.iter().zip(parents) {
        let local = naive::dual(joint.rotation, joint.translation);
        let model = parent.map_or(local, |p| naive::dual_mul(model_from_joint[p], local));
        model_from_joint.push(model);
    }
    let duals = model_from_joint
        .iter()
        .zip(&binds)
        .map(|(&m, &(q, t))| naive::dual_mul(m, naive::dual(q, t)))
        .collect();
    Rig { palette, duals }
}

fn mesh(vertices: usize, influences: impl Fn(usize, &mut Noise) -> Vec<(u32, f64)>) -> Mesh {
    let mut noise = Noise(7);
    let positions: Vec<_> = (0..vertices).map(|_| noise.vec3().as_vec3()).collect();
    let influences = (0..vertices).map(|v| influences(v, &mut noise));
    let influences = Influences::new(influences.collect::<Vec<_>>()).unwrap();
    Mesh::new(positions, vec![], influences).unwrap()
}

/// Skins by the reference and by plain loops. Returns the largest distances under LBS and DQS.
fn largest_difference(rig: &Rig, mesh: &Mesh) -> [f64; 2] {
    [Method::Lbs, Method::Dqs].map(|method| {
        let mut skinned = Skinned::default();
        skin(method, mesh, &[], &rig.palette, &mut skinned);
        let mut worst: f64 = 0.0;
        for (vertex, position) in mesh.positions().iter().enumerate() {
            let influences = mesh.influences().of(vertex);
            let point = position.as_dvec3();
            let expected = match method {
                Method::Lbs => {
                    let each = influences.map(|(j, w)| naive::apply(rig.duals[j], point) * w);
                    each.sum()
                }
                _ => naive::apply(naive::dqs(&rig.duals, influences), point),
            };
            worst = worst.max(skinned.positions[vertex].distance(expected));
        }
        worst
    })
}

#[test]
fn one_to_twenty_influences_match_plain_loops() {
    let mut noise = Noise(1);
    let rig = rig(&chain(64), &mut noise);
    let mesh = mesh(2_000, |vertex, noise| {
        let count = 1 + vertex % 20;
        let first = noise.index(64);
        let pair = |i| (((first + 3 * i) % 64) as u32, 0.01 + noise.unit());
        (0..count).map(pair).collect()
    });
    assert_eq!(mesh.influences().max_per_vertex(), 20);
    let [lbs, dqs] = largest_difference(&rig, &mesh);
    // Rounding over 64 joints; for dqs larger where quaternions nearly cancel.
    assert!(lbs < 1e-12 && dqs < 1e-9, "{lbs} {dqs}");
}

#[test]
fn five_thousand_roots_match_plain_loops() {
    let rig = rig(&[None; 5_000], &mut Noise(2));
    let mesh = mesh(5_000, |vertex, noise| {
        let other = noise.index(5_000) as u32;
        vec![(vertex as u32, 0.6), (other, 0.4 * noise.unit())]
    });
    let [lbs, dqs] = largest_difference(&rig, &mesh);
    // Rounding; for dqs larger where quaternions nearly cancel.
    assert!(lbs < 1e-13 && dqs < 1e-10, "{lbs} {dqs}");
}

#[test]
fn chain_of_five_thousand_joints_matches_plain_loops() {
    let rig = rig(&chain(5_000), &mut Noise(3));
    let mesh = mesh(5_000, |vertex, noise| {
        let vertex = vertex as u32;
        vec![
            (vertex, 0.6),
            (vertex.saturating_sub(1), 0.4 * noise.unit()),
        ]
    });
    let [lbs, dqs] = largest_difference(&rig, &mesh);
    // Rounding over 5 000 joints that reach some metres.
    assert!(lbs < 1e-10 && dqs < 1e-9, "{lbs} {dqs}");
}

/// All steps are float64, so the shape does not depend on the position.
#[test]
fn shape_is_equal_far_from_the_origin() {
    let mut noise = Noise(4);
    let mesh = mesh(500, |_, noise| {
        (0..7).map(|joint| (joint, 0.01 + noise.unit())).collect()
    });
    let rotations: Vec<_> = (0..7)
        .map(|_| DAffine3::from_quat(DQuat::from_scaled_axis(noise.vec3())))
        .collect();
    let far = DVec3::new(1e4, 0.0, -1e4);
    let moved: Vec<_> = rotations
        .iter()
        .map(|m| DAffine3::from_translation(far) * *m)
        .collect();
    let centres = [DVec3::ZERO; 7];
    let (mut here, mut there) = (Skinned::default(), Skinned::default());
    for method in METHODS {
        skin(
            method,
            &mesh,
            &[],
            &palette_of(&chain(7), &centres, &rotations),
            &mut here,
        );
        skin(
            method,
            &mesh,
            &[],
            &palette_of(&chain(7), &centres, &moved),
            &mut there,
        );
        for (a, b) in here.positions.iter().zip(&there.positions) {
            // 0.01 µm at 14 km.
            assert!(
                (*b - far).abs_diff_eq(*a, 1e-8),
                "{method}: {} != {a}",
                *b - far
            );
        }
    }
}
