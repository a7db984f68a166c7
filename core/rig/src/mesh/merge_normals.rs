//! One normal per unique position.

use glam::Vec3;

use super::Mesh;
use crate::UniqueVertices;

impl Mesh {
    /// Gives all vertices of a unique position one normal: the normalised sum of their unique normals, or the first where
    /// that is zero. Normal offsets of morph targets are averaged. Returns the number of unique positions that had several.
    pub fn merge_normals(&mut self) -> usize {
        let merged = self.unique.normal_count() - self.unique.position_count();
        if merged == 0 {
            return 0;
        }
        let unique = &self.unique;
        let mut count = vec![0_u32; unique.position_count()];
        for &vertex in unique.first_of_normal() {
            count[unique.position_of()[vertex as usize] as usize] += 1;
        }
        let sums = sums(unique, &self.normals);
        let normal = |position: usize| {
            let first = unique.first_of_position()[position] as usize;
            match count[position] {
                1 => self.normals[first],
                _ => sums[position].normalize_or(self.normals[first]),
            }
        };
        let normals: Vec<Vec3> = (0..sums.len()).map(normal).collect();
        spread(unique, &normals, &mut self.normals);
        for target in &mut self.morph_targets {
            if target.normals.is_empty() {
                continue;
            }
            let mut means = self::sums(unique, &target.normals);
            for (mean, &count) in means.iter_mut().zip(&count) {
                *mean /= count as f32;
            }
            spread(unique, &means, &mut target.normals);
        }
        if let Some(cache) = &mut self.vertex_cache {
            cache.merge_normals(&self.triangles);
        }
        let of = unique.position_of().to_vec();
        self.unique = UniqueVertices::from_indices(of.clone(), of).expect("indices of a mesh");
        count.iter().filter(|&&count| count > 1).count()
    }
}

/// Sum of the vectors of all unique normals of each unique position.
fn sums(unique: &UniqueVertices, vectors: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; unique.position_count()];
    for &vertex in unique.first_of_normal() {
        sums[unique.position_of()[vertex as usize] as usize] += vectors[vertex as usize];
    }
    sums
}

/// Copies the vector of each unique position to its vertices.
fn spread(unique: &UniqueVertices, vectors: &[Vec3], out: &mut [Vec3]) {
    for (out, &position) in out.iter_mut().zip(unique.position_of()) {
        *out = vectors[position as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Influences, MorphTarget};

    /// Two triangles at a right angle share two positions with different normals.
    #[test]
    fn normals_of_a_hard_edge_are_averaged_and_shared() {
        let (a, b) = (Vec3::ZERO, Vec3::Z);
        let positions = vec![a, b, Vec3::X, a, b, Vec3::Y];
        let triangles = vec![[0, 1, 2], [3, 4, 5]];
        let mut mesh = Mesh::new(positions, triangles, Influences::rigid(6)).unwrap();
        mesh.set_normals([[Vec3::Y; 3], [Vec3::X; 3]].concat())
            .unwrap();
        mesh.add_morph_target(MorphTarget {
            name: String::new(),
            positions: vec![Vec3::ZERO; 6],
            normals: [[Vec3::Y; 3], [Vec3::ZERO; 3]].concat(),
            tangents: vec![],
        })
        .unwrap();
        mesh.share_positions();
        assert_eq!(mesh.unique().normal_count(), 6);
        assert_eq!(mesh.merge_normals(), 2);
        let edge = Vec3::new(1.0, 1.0, 0.0).normalize();
        let expected = [edge, edge, Vec3::Y, edge, edge, Vec3::X];
        assert!((0..6).all(|v| mesh.normals()[v].abs_diff_eq(expected[v], 1e-6)));
        assert_eq!(mesh.morph_targets()[0].normals[0], Vec3::Y * 0.5);
        assert_eq!(mesh.unique().normal_of(), mesh.unique().position_of());
        mesh.check_unique().unwrap();
        assert_eq!(mesh.merge_normals(), 0);
    }
}
