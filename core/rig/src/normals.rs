//! Normals of meshes without authored normals.

use glam::{DVec3, Vec3};

/// Computes the normal of each vertex: the mean of its triangles' normals, weighted by area. Unit length; +Y
/// where no triangle has an area.
///
/// Vertices are never split. A mesh whose triangles share no vertex is shaded flat, as glTF requires of files
/// without normals.
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
    fn normals_of_a_tetrahedron_point_outwards() {
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
    fn degenerate_triangles_have_unit_normals() {
        let normals = vertex_normals(&[Vec3::ONE; 4], &[[0, 1, 2]]);
        assert!(normals.iter().all(|n| *n == Vec3::Y));
    }
}
