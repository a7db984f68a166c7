//! Assertions on the surface of a mesh.

use std::collections::HashMap;

use glam::DVec3;
use throng_rig::Mesh;

/// Asserts that the mesh, welded by its unique positions, is a closed surface without holes or handles:
/// each edge has two triangles with opposite directions, and V − E + F is 2.
pub(super) fn assert_closed(name: &str, mesh: &Mesh) {
    let point = |corner: u32| mesh.unique().position_of()[corner as usize];
    let mut uses: HashMap<(u32, u32), usize> = HashMap::new();
    for &[a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *uses.entry((point(from), point(to))).or_default() += 1;
        }
    }
    for (&(from, to), &count) in &uses {
        let back = uses.get(&(to, from)).copied().unwrap_or(0);
        assert_eq!((count, back), (1, 1), "{name}: edge {from} to {to}");
    }
    let (points, edges, faces) = (
        mesh.unique().position_count(),
        uses.len() / 2,
        mesh.triangles().len(),
    );
    assert_eq!(points + faces, edges + 2, "{name}");
}

/// Asserts that normals have unit length and are within 10° of the normal given by each triangle's winding.
pub(super) fn assert_normals_agree_with_winding(name: &str, mesh: &Mesh) {
    let min_cos = 10f64.to_radians().cos();
    for (index, triangle) in mesh.triangles().iter().enumerate() {
        let [a, b, c] = corners(mesh, triangle);
        let wound = (b - a).cross(c - a).try_normalize();
        let wound = wound.unwrap_or_else(|| panic!("{name}: triangle {index} has no area"));
        for &corner in triangle {
            let normal = mesh.normals()[corner as usize].as_dvec3();
            assert!((normal.length() - 1.0).abs() < 1e-6, "{name}: {normal}");
            assert!(normal.dot(wound) > min_cos, "{name}: triangle {index}");
        }
    }
}

/// Returns the enclosed volume in cubic metres, positive if triangles face outwards.
pub(super) fn signed_volume(mesh: &Mesh) -> f64 {
    let tetrahedra = mesh.triangles().iter().map(|triangle| {
        let [a, b, c] = corners(mesh, triangle);
        a.dot(b.cross(c)) / 6.0
    });
    tetrahedra.sum()
}

fn corners(mesh: &Mesh, triangle: &[u32; 3]) -> [DVec3; 3] {
    triangle.map(|corner| mesh.positions()[corner as usize].as_dvec3())
}
