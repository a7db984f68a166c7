//! Normals against the surface: two tangents of a curved surface, by finite differences of the transformed
//! positions, span the plane that the transformed normal must be orthogonal to.

mod common;

use common::{Case, ONE_MAP_METHODS, affine, angle, case, heaviest_first, palette_of, rigid};
use glam::{DAffine3, DMat3, DVec3, Vec3};
use proptest::prelude::*;
use throng_rig::{Influences, Mesh, Method, MorphTarget, Palette};
use throng_skin::reference::{BoundVertex, Motion, Skinned, motion, skin};

/// In radians: 1e-4 of the smallest difference that 8-bit colours show.
const MAX_ERROR: f64 = 1e-6;

/// A closed surface over two angles, anticlockwise from outside.
#[derive(Debug, Clone, Copy)]
enum Surface {
    Ellipsoid(DVec3),
    Torus { major: f64, minor: f64 },
}

const TORUS: Surface = Surface::Torus {
    major: 1.0,
    minor: 0.4,
};

impl Surface {
    fn point(self, u: f64, v: f64) -> DVec3 {
        match self {
            Self::Ellipsoid(radii) => radii * direction(u, v),
            Self::Torus { major, minor } => {
                let ring = major + minor * v.cos();
                DVec3::new(ring * u.cos(), ring * u.sin(), minor * v.sin())
            }
        }
    }

    /// Returns the analytic normal, outwards.
    fn normal(self, u: f64, v: f64) -> DVec3 {
        match self {
            Self::Ellipsoid(radii) => (direction(u, v) / radii).normalize(),
            Self::Torus { .. } => direction(u, v),
        }
    }

    /// Returns the normal of the surface after a motion. Mirroring flips it, as it flips the winding of
    /// triangles.
    fn transformed_normal(self, motion: &Motion, u: f64, v: f64) -> DVec3 {
        // Central differences of smooth functions: an error of about 1e-10.
        let step = 1e-5;
        let at = |u, v| motion.position(self.point(u, v));
        let along_u = (at(u + step, v) - at(u - step, v)) / (2.0 * step);
        let along_v = (at(u, v + step) - at(u, v - step)) / (2.0 * step);
        along_u.cross(along_v)
    }
}

fn direction(u: f64, v: f64) -> DVec3 {
    DVec3::new(v.cos() * u.cos(), v.cos() * u.sin(), v.sin())
}

/// Surface parameters away from the poles of the ellipsoid, where they are singular.
fn parameters() -> impl Strategy<Value = (f64, f64)> {
    (-3.1..3.1f64, -1.3..1.3f64)
}

fn check(case: &Case, (u, v): (f64, f64)) -> Result<(), TestCaseError> {
    for surface in [
        Surface::Ellipsoid(DVec3::ONE),
        Surface::Ellipsoid(DVec3::new(0.5, 1.0, 2.0)),
        TORUS,
    ] {
        for method in ONE_MAP_METHODS {
            let motion = case.motion(method);
            let expected = surface.transformed_normal(&motion, u, v);
            // Blends may fold the surface flat; nearly flat surfaces magnify the error of the differences.
            if expected.length() < 1e-2 {
                continue;
            }
            let normal = motion.normal(surface.normal(u, v));
            let error = angle(normal, expected);
            prop_assert!(error < MAX_ERROR, "{method} on {surface:?}: off by {error}");
            prop_assert!((normal.length() - 1.0).abs() < 1e-14);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn normals_of_bent_surfaces_are_exact(case in case(rigid), at in parameters()) {
        check(&case, at)?;
    }

    #[test]
    fn normals_of_scaled_sheared_and_mirrored_surfaces_are_exact(case in case(affine), at in parameters()) {
        check(&case, at)?;
    }

    /// Normals stay on the side of the triangles' winding.
    #[test]
    fn mirroring_turns_the_surface_inside_out(matrix in affine(), (u, v) in parameters()) {
        let case = Case { palette: palette_of(&[None], &[DVec3::ONE], &[matrix]), influences: vec![(0, 1.0)] };
        let sphere = Surface::Ellipsoid(DVec3::ONE);
        let centre = matrix.translation;
        for method in ONE_MAP_METHODS {
            let motion = case.motion(method);
            let outwards = motion.position(sphere.point(u, v)) - centre;
            let normal = motion.normal(sphere.normal(u, v));
            prop_assert_eq!(normal.dot(outwards) > 0.0, matrix.matrix3.determinant() > 0.0, "{}", method);
        }
    }
}

#[test]
fn check_detects_a_normal_transformed_as_a_vector() {
    let squash = DAffine3::from_scale(DVec3::new(1.0, 0.5, 1.0));
    let motion = Motion::Matrix(squash);
    let (u, v) = (0.7, 0.3);
    let wrong = squash.transform_vector3(TORUS.normal(u, v));
    let expected = TORUS.transformed_normal(&motion, u, v);
    assert!(angle(wrong, expected) > 0.1);
    assert!(angle(motion.normal(TORUS.normal(u, v)), expected) < MAX_ERROR);
}

/// `blend-positions` blends skinned results: its positions are exact, its normals are not.
#[test]
fn blend_positions_has_inexact_normals_at_a_bend() {
    let bend = DAffine3::from_rotation_z(160f64.to_radians());
    let case = Case {
        palette: palette_of(
            &[None, Some(0)],
            &[DVec3::ZERO; 2],
            &[DAffine3::IDENTITY, bend],
        ),
        influences: heaviest_first(&[0.6, 0.4]),
    };
    let (one, two) = (Method::Blend(0.5), Method::BlendPositions(0.5));
    let mut worst_degrees: f64 = 0.0;
    for i in 0..64 {
        let (u, v) = (f64::from(i) * 0.1, 0.4);
        let (point, normal) = (TORUS.point(u, v), TORUS.normal(u, v));
        let expected = TORUS.transformed_normal(&case.motion(one), u, v);
        let moved = case.motion(one).position(point);
        assert!(case.motion(two).position(point).abs_diff_eq(moved, 1e-14));
        assert!(angle(case.motion(one).normal(normal), expected) < MAX_ERROR);
        let error = angle(case.motion(two).normal(normal), expected);
        worst_degrees = worst_degrees.max(error.to_degrees());
    }
    println!("blend-positions:0.5 at a bend of 160°: normals off by up to {worst_degrees:.2}°");
    assert!(worst_degrees > 5.0, "{worst_degrees}");
}

/// A chain of joints that rotate, scale, shear and mirror.
fn stretched_palette() -> Palette {
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.4, 1.0, 0.0), DVec3::Z);
    let matrices = [
        DMat3::from_rotation_z(0.9),
        DMat3::from_rotation_x(1.1) * DMat3::from_diagonal(DVec3::new(1.5, 0.7, 1.0)),
        DMat3::from_rotation_y(-0.8) * shear,
        DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.2)),
    ];
    let centres = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
    palette_of(
        &common::chain(4),
        &centres,
        &matrices.map(DAffine3::from_mat3),
    )
}

/// A sphere with a morph target that makes it an ellipsoid.
fn morphing_sphere(radii: DVec3, parameters: &[(f64, f64)]) -> Mesh {
    let sphere = Surface::Ellipsoid(DVec3::ONE);
    let ellipsoid = Surface::Ellipsoid(radii);
    let influences = parameters.iter().map(|&(u, _)| {
        let weight = 0.5 + 0.5 * u.sin();
        let joint = (u.cos() > 0.0).into();
        [(joint, weight), (joint + 1, 1.0 - weight), (3, 0.1)]
    });
    let list = |of: &dyn Fn(f64, f64) -> DVec3| -> Vec<Vec3> {
        parameters
            .iter()
            .map(|&(u, v)| of(u, v).as_vec3())
            .collect()
    };
    let mut mesh = Mesh::new(
        list(&|u, v| sphere.point(u, v)),
        vec![],
        Influences::new(influences).unwrap(),
    )
    .unwrap();
    mesh.set_normals(list(&|u, v| sphere.normal(u, v))).unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "long".into(),
        positions: list(&|u, v| ellipsoid.point(u, v) - sphere.point(u, v)),
        normals: list(&|u, v| ellipsoid.normal(u, v) - sphere.normal(u, v)),
        tangents: vec![],
    })
    .unwrap();
    mesh
}

#[test]
fn normals_of_a_morphed_and_skinned_mesh_are_exact() {
    let radii = DVec3::new(0.6, 1.0, 1.7);
    let parameters: Vec<_> = (0..40)
        .flat_map(|i| (-6..=6).map(move |j| (f64::from(i) * 0.157, f64::from(j) * 0.2)))
        .collect();
    let mesh = morphing_sphere(radii, &parameters);
    let palette = stretched_palette();
    let mut skinned = Skinned::default();
    for method in ONE_MAP_METHODS {
        for (weight, surface) in [
            (0.0, Surface::Ellipsoid(DVec3::ONE)),
            (1.0, Surface::Ellipsoid(radii)),
        ] {
            skin(method, &mesh, &[weight], &palette, &mut skinned);
            for (vertex, &(u, v)) in parameters.iter().enumerate() {
                let motion = motion(method, &palette, &BoundVertex::of(&mesh, &[], vertex));
                let expected = surface.transformed_normal(&motion, u, v);
                if expected.length() < 0.1 * surface.point(u, v).length() {
                    continue; // Folded nearly flat: the rounding of float32 normals dominates.
                }
                let error = angle(skinned.normals[vertex], expected);
                // The rounding of float32 normals, 1e-7, magnified by a scale of up to ten to one.
                assert!(
                    error < MAX_ERROR,
                    "{method} vertex {vertex}: off by {error}"
                );
            }
        }
    }
}
