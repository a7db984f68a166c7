//! Normals for meshes that come without.

use glam::{DVec3, Vec3};

/// The normal at each vertex: the mean of the triangles that share the vertex, larger ones counting for
/// more. Unit length; +Y where no triangle has an area.
///
/// Vertices are never split, so a mesh that shares none between triangles (as glTF asks of files
/// without normals) comes out flat.
pub fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| positions[i as usize].as_dvec3());
        let area_normal = (b - a).cross(c - a);
        for &vertex in triangle {
            sums[vertex as usize] += area_normal;
        }
    }
    let unit = |sum: &DVec3| sum.try_normalize().unwrap_or(DVec3::Y).as_vec3();
    sums.iter().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tetrahedron_at_the_origin_looks_outwards() {
        let corners = [
            Vec3::ONE,
            Vec3::new(-1., -1., 1.),
            Vec3::new(-1., 1., -1.),
            Vec3::new(1., -1., -1.),
        ];
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        for (normal, corner) in vertex_normals(&corners, &triangles).iter().zip(corners) {
            assert!(
                normal.dot(corner.normalize()) > 0.999,
                "{normal} at {corner}"
            );
        }
    }

    #[test]
    fn nothing_to_go_by_still_is_a_unit_vector() {
        let normals = vertex_normals(&[Vec3::ONE; 4], &[[0, 1, 2]]);
        assert!(normals.iter().all(|n| *n == Vec3::Y));
    }
}
