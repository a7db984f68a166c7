//! Meshes made of selected vertices of another mesh.

use crate::{ControlPoints, Mesh, MorphTarget, UniqueVertices};

impl Mesh {
    /// Returns a mesh of the given vertices, in the given order, with all their attributes. `triangles` index the new
    /// vertices. Vertices that shared a unique position or normal still do.
    ///
    /// # Panics
    /// Panics where a vertex or a triangle corner is out of range.
    pub fn select_vertices(&self, vertices: &[u32], triangles: Vec<[u32; 3]>) -> Self {
        fn pick<T: Copy>(values: &[T], vertices: &[u32]) -> Vec<T> {
            match values {
                [] => Vec::new(),
                _ => vertices.iter().map(|&v| values[v as usize]).collect(),
            }
        }
        let checked = "attributes of a mesh that was checked";
        let influences = self
            .influences()
            .select(vertices.iter().map(|&v| v as usize));
        let positions = pick(self.positions(), vertices);
        let mut out = Self::new(positions, triangles, influences).expect(checked);
        out.set_normals(pick(self.normals(), vertices))
            .expect(checked);
        if !self.tangents().is_empty() {
            out.set_tangents(pick(self.tangents(), vertices))
                .expect(checked);
        }
        if !self.uvs().is_empty() {
            out.set_uvs(pick(self.uvs(), vertices)).expect(checked);
        }
        if !self.colors().is_empty() {
            out.set_colors(pick(self.colors(), vertices))
                .expect(checked);
        }
        if !self.blend_factors().is_empty() {
            out.set_blend_factors(pick(self.blend_factors(), vertices))
                .expect(checked);
        }
        if !self.rotation_centers().is_empty() {
            out.set_rotation_centers(pick(self.rotation_centers(), vertices))
                .expect(checked);
        }
        for target in self.morph_targets() {
            let target = MorphTarget {
                name: target.name.clone(),
                positions: pick(&target.positions, vertices),
                normals: pick(&target.normals, vertices),
                tangents: pick(&target.tangents, vertices),
            };
            out.add_morph_target(target).expect(checked);
        }
        if let Some(points) = self.control_points() {
            let points = ControlPoints {
                of_vertex: pick(&points.of_vertex, vertices),
                count: points.count,
            };
            out.set_control_points(points).expect(checked);
        }
        out.select_vertex_cache(self, vertices);
        let renumbered = |index_of: &[u32]| renumber(&pick(index_of, vertices), index_of.len());
        let positions = renumbered(self.unique().position_of());
        let normals = renumbered(self.unique().normal_of());
        let unique = UniqueVertices::from_indices(positions, normals).expect(checked);
        out.set_unique(unique).expect(checked);
        out.material = self.material;
        out.authored_method = self.authored_method;
        out
    }

    /// Returns a mesh in which each corner of each triangle is a vertex of its own, with a unique position and normal of
    /// its own. Vertices without a triangle follow.
    pub fn split_corners(&self) -> Self {
        let mut vertices = self.triangles().as_flattened().to_vec();
        let corners = 0..vertices.len() as u32;
        let triangles = corners
            .step_by(3)
            .map(|first| [first, first + 1, first + 2]);
        let triangles = triangles.collect();
        let mut is_used = vec![false; self.vertex_count()];
        for &vertex in &vertices {
            is_used[vertex as usize] = true;
        }
        vertices.extend((0..self.vertex_count() as u32).filter(|&v| !is_used[v as usize]));
        let mut out = self.select_vertices(&vertices, triangles);
        out.split_positions();
        out
    }
}

/// Numbers equal indices in the order of their first appearance. All indices are below `end`.
fn renumber(indices: &[u32], end: usize) -> Vec<u32> {
    let mut number_of = vec![None; end];
    let mut next = 0;
    let number = |&index: &u32| {
        *number_of[index as usize].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    indices.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use crate::Influences;

    /// A square of two triangles whose second corner is split for a texture seam.
    fn square() -> Mesh {
        let corners = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::X,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::Y,
        ];
        let triangles = vec![[0, 1, 4], [2, 3, 4]];
        let mut mesh = Mesh::new(corners.to_vec(), triangles, Influences::rigid(5)).unwrap();
        mesh.set_normals(vec![Vec3::Z; 5]).unwrap();
        let uvs = (0..5_u8).map(|v| Vec2::splat(v.into())).collect();
        mesh.set_uvs(uvs).unwrap();
        mesh.share_positions();
        mesh
    }

    #[test]
    fn permuted_vertices_keep_their_attributes_and_share_positions() {
        let mesh = square();
        let order = [2, 3, 4, 0, 1];
        let out = mesh.select_vertices(&order, vec![[0, 1, 2], [3, 4, 2]]);
        for (new, &old) in order.iter().enumerate() {
            assert_eq!(out.positions()[new], mesh.positions()[old as usize]);
            assert_eq!(out.uvs()[new], mesh.uvs()[old as usize]);
        }
        assert_eq!(out.unique().position_of(), [0, 1, 2, 3, 0]);
        assert_eq!(out.unique().normal_of(), [0, 1, 2, 3, 0]);
    }

    #[test]
    fn split_corners_repeat_shared_vertices_with_their_attributes() {
        let mut mesh = square();
        let target = MorphTarget {
            name: "up".to_owned(),
            positions: (0..5_u8).map(|v| Vec3::Z * f32::from(v)).collect(),
            normals: vec![Vec3::X; 5],
            tangents: Vec::new(),
        };
        mesh.add_morph_target(target).unwrap();
        mesh.set_tangents(vec![glam::Vec4::ONE; 5]).unwrap();
        mesh.share_positions();
        let out = mesh.split_corners();
        assert_eq!(out.triangles(), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(out.unique().position_of(), [0, 1, 2, 3, 4, 5]);
        let uvs: Vec<f32> = out.uvs().iter().map(|uv| uv.x).collect();
        assert_eq!(uvs, [0.0, 1.0, 4.0, 2.0, 3.0, 4.0]);
        let morphs: Vec<f32> = out.morph_targets()[0]
            .positions
            .iter()
            .map(|p| p.z)
            .collect();
        assert_eq!(morphs, uvs);
        assert_eq!(out.tangents().len(), 6);
    }

    #[test]
    fn split_corners_keep_vertices_without_a_triangle() {
        let points = square().select_vertices(&[0, 1, 4, 3], vec![[0, 1, 2]]);
        let out = points.split_corners();
        assert_eq!(out.vertex_count(), 4);
        assert_eq!(out.positions()[3], points.positions()[3]);
    }

    #[test]
    fn subset_is_renumbered_from_zero() {
        let out = square().select_vertices(&[4, 1], Vec::new());
        assert_eq!(out.vertex_count(), 2);
        assert_eq!(out.unique().position_of(), [0, 1]);
    }
}
