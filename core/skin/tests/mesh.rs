//! Whole meshes: morph targets, tangents, and unique positions that are skinned once.

mod common;

use common::{METHODS, Noise, chain, naive, palette_of, rotated};
use glam::{DAffine3, DVec3, DVec4, Vec3, Vec4};
use throng_rig::{Influences, Mesh, Method, MorphTarget, Palette, Transform};
use throng_skin::reference::{Skinned, skin};

/// Four joints that rotate, scale and shear.
fn palette(noise: &mut Noise) -> Palette {
    let matrices: Vec<_> = (0..4)
        .map(|_| {
            let stretch = Transform {
                translation: noise.vec3(),
                scale: DVec3::ONE + noise.vec3() * 0.5,
                ..rotated(noise.rotation())
            };
            stretch.to_affine() * rotated(noise.rotation()).to_affine()
        })
        .collect();
    let centres: Vec<_> = (0..4).map(|_| noise.vec3()).collect();
    palette_of(&chain(4), &centres, &matrices)
}

/// Points with five corners each. Some corners of a point share a normal, some do not. In every third point one
/// corner is morphed away from the others.
fn mesh_of_corners(points: usize, noise: &mut Noise) -> Mesh {
    const CORNERS: usize = 5;
    let count = points * CORNERS;
    let each = |values: &[DVec3], corner: &mut dyn FnMut(usize, DVec3) -> DVec3| -> Vec<Vec3> {
        (0..count)
            .map(|v| corner(v, values[v / CORNERS]).as_vec3())
            .collect()
    };
    let mut list = || -> Vec<DVec3> { (0..points).map(|_| noise.vec3()).collect() };
    let (positions, normals, deltas, other_deltas) = (list(), list(), list(), list());
    let influences = (0..count).map(|vertex| {
        let point = vertex / CORNERS;
        [0, 1, 2].map(|i| (((point + i) % 4) as u32, positions[point][i].abs() + 0.1))
    });
    let mut mesh = Mesh::new(
        each(&positions, &mut |_, p| p),
        vec![],
        Influences::new(influences).unwrap(),
    )
    .unwrap();
    let mut hard = |v: usize, n: DVec3| if v % CORNERS < 3 { n } else { noise.vec3() }.normalize();
    mesh.set_normals(each(&normals, &mut hard)).unwrap();
    let tangents = (0..count).map(|_| noise.vec3().normalize().extend(1.0).as_vec4());
    mesh.set_tangents(tangents.collect()).unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "apart".into(),
        positions: each(&deltas, &mut |v, d| {
            let apart = v % CORNERS == 1 && (v / CORNERS).is_multiple_of(3);
            if apart { -d } else { d }
        }),
        normals: each(&other_deltas, &mut |v, d| {
            if v % CORNERS == 2 { -d } else { d }
        }),
        tangents: each(&other_deltas, &mut |_, d| d),
    })
    .unwrap();
    mesh.add_morph_target(MorphTarget {
        name: "together".into(),
        positions: each(&other_deltas, &mut |_, d| d),
        normals: vec![],
        tangents: vec![],
    })
    .unwrap();
    mesh
}

fn bits(skinned: &Skinned) -> Vec<[u64; 10]> {
    let corners = skinned.positions.iter().zip(&skinned.normals);
    corners
        .zip(&skinned.tangents)
        .map(|((p, n), t)| [p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y, t.z, t.w].map(f64::to_bits))
        .collect()
}

#[test]
fn shared_and_split_positions_are_skinned_to_equal_bits() {
    let mut noise = Noise(1);
    let split = mesh_of_corners(400, &mut noise);
    let mut shared = split.clone();
    shared.share_positions();
    // Of 2 000 corners: 400 points and 134 corners morphed apart; hard normals in addition.
    assert_eq!(shared.unique().position_count(), 534);
    assert_eq!(shared.unique().normal_count(), 134 + 400 * 4);
    assert_eq!(split.unique().position_count(), 2_000);
    let (mut a, mut b) = (Skinned::default(), Skinned::default());
    for _ in 0..4 {
        let palette = palette(&mut noise);
        for method in METHODS {
            let weights = [noise.unit(), noise.unit() - 0.5];
            skin(method, &split, &weights, &palette, &mut a);
            skin(method, &shared, &weights, &palette, &mut b);
            assert_eq!(b.positions.len(), 2_000);
            assert!(bits(&a) == bits(&b), "{method}");
        }
    }
}

#[test]
fn buffers_can_be_reused_for_a_smaller_mesh() {
    let mut noise = Noise(2);
    let (large, small) = (
        mesh_of_corners(50, &mut noise),
        mesh_of_corners(3, &mut noise),
    );
    let palette = palette(&mut noise);
    let (mut reused, mut fresh) = (Skinned::default(), Skinned::default());
    skin(Method::Dqs, &large, &[0.2, 0.1], &palette, &mut reused);
    skin(Method::Lbs, &small, &[0.3, 0.0], &palette, &mut reused);
    skin(Method::Lbs, &small, &[0.3, 0.0], &palette, &mut fresh);
    assert_eq!(bits(&reused), bits(&fresh));
}

#[test]
fn morph_targets_are_applied_before_skinning() {
    let mut noise = Noise(3);
    let mesh = mesh_of_corners(60, &mut noise);
    let palette = palette(&mut noise);
    let weights = [0.75, -0.5];
    let mut skinned = Skinned::default();
    skin(Method::Lbs, &mesh, &weights, &palette, &mut skinned);
    for (vertex, &position) in skinned.positions.iter().enumerate() {
        let mut morphed = mesh.positions()[vertex].as_dvec3();
        for (target, weight) in mesh.morph_targets().iter().zip(weights) {
            morphed += target.positions[vertex].as_dvec3() * weight;
        }
        let expected = naive::lbs(palette.matrices(), mesh.influences().of(vertex), morphed);
        assert!(position.abs_diff_eq(expected, 1e-13)); // rounding of coordinates of about 3
    }
}

/// Two joints that differ by a rotation of 90° and a translation, and one morph target.
#[test]
fn morphed_vertex_matches_manual_calculation() {
    let quarter = DAffine3::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let matrices = [DAffine3::from_translation(DVec3::Z), quarter];
    let palette = palette_of(&chain(2), &[DVec3::ZERO; 2], &matrices);
    let influences = Influences::new([[(0, 0.75), (1, 0.25)]]).unwrap();
    let mut mesh = Mesh::new(vec![Vec3::X], vec![], influences).unwrap();
    mesh.set_normals(vec![Vec3::X]).unwrap();
    mesh.set_tangents(vec![Vec4::new(0.0, 0.0, 1.0, -1.0)])
        .unwrap();
    mesh.add_morph_target(MorphTarget {
        name: String::new(),
        positions: vec![Vec3::new(2.0, 4.0, 0.0)],
        normals: vec![Vec3::new(-2.0, 2.0, 0.0)],
        tangents: vec![],
    })
    .unwrap();
    let mut skinned = Skinned::default();
    skin(Method::Lbs, &mesh, &[0.5], &palette, &mut skinned);
    // Morphed to (2, 2, 0); ¾ of (2, 2, 1) and ¼ of (-2, 2, 0).
    assert!(skinned.positions[0].abs_diff_eq(DVec3::new(1.0, 2.0, 0.75), 1e-15));
    // Morphed to +Y. The summed matrix rotates by atan(⅓) and scales in X and Y.
    let normal = DVec3::new(-1.0, 3.0, 0.0) / 10f64.sqrt();
    assert!(skinned.normals[0].abs_diff_eq(normal, 1e-15));
    assert!(skinned.tangents[0].abs_diff_eq(DVec4::new(0.0, 0.0, 1.0, -1.0), 1e-15));
}

#[test]
fn tangents_are_unit_and_orthogonal_to_normals() {
    let mut noise = Noise(4);
    let mesh = mesh_of_corners(100, &mut noise);
    let mut skinned = Skinned::default();
    for _ in 0..4 {
        let palette = palette(&mut noise);
        for method in METHODS {
            skin(
                method,
                &mesh,
                &[noise.unit(), noise.unit()],
                &palette,
                &mut skinned,
            );
            assert_eq!(skinned.tangents.len(), mesh.vertex_count());
            for (tangent, normal) in skinned.tangents.iter().zip(&skinned.normals) {
                let along = tangent.truncate();
                assert!((normal.length() - 1.0).abs() < 1e-14);
                assert!((along.length() - 1.0).abs() < 1e-14);
                // Rounding, larger where a tangent is nearly parallel to its normal.
                assert!(along.dot(*normal).abs() < 1e-11, "{method}");
                assert_eq!(tangent.w, 1.0);
            }
        }
    }
}
