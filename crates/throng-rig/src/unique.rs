//! Vertices that are the same point: split only for a hard edge or a texture seam.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use glam::Vec3;

use crate::Mesh;

/// Which vertices share one true position, and which of those share a normal too.
///
/// Two vertices share a position when the position, the influences and what every morph does to it are
/// the same to the bit; they share a normal when that, and its morphs, are the same as well. A position
/// need then be skinned and stored only once, and hard edges stay hard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueVertices {
    position_of: Vec<u32>,
    first_of_position: Vec<u32>,
    normal_of: Vec<u32>,
    first_of_normal: Vec<u32>,
}

impl UniqueVertices {
    /// Finds the vertices that are the same.
    pub fn shared(mesh: &Mesh) -> Self {
        let position = |v: usize, key: &mut Vec<u32>| {
            let (joints, weights) = mesh.influences().run(v);
            push_bits(key, mesh.positions()[v]);
            for (joint, weight) in joints.iter().zip(weights) {
                key.extend([*joint, weight.to_bits()]);
            }
            for target in mesh.morph_targets() {
                push_bits(key, target.positions[v]);
            }
            key.extend(mesh.blend_factors().get(v).map(|factor| factor.to_bits()));
        };
        let (position_of, first_of_position) = number(mesh.vertex_count(), position);
        let normal = |v: usize, key: &mut Vec<u32>| {
            key.push(position_of[v]);
            push_bits(key, mesh.normals()[v]);
            for target in mesh.morph_targets() {
                push_bits(key, target.normals.get(v).copied().unwrap_or(Vec3::ZERO));
            }
        };
        let (normal_of, first_of_normal) = number(mesh.vertex_count(), normal);
        Self {
            position_of,
            first_of_position,
            normal_of,
            first_of_normal,
        }
    }

    /// Every vertex for itself: what sharing saves is measured against this.
    pub fn split(vertices: usize) -> Self {
        let each: Vec<u32> = (0..vertices as u32).collect();
        Self {
            position_of: each.clone(),
            first_of_position: each.clone(),
            normal_of: each.clone(),
            first_of_normal: each,
        }
    }

    /// For each vertex, the index of its true position.
    pub fn position_of(&self) -> &[u32] {
        &self.position_of
    }

    /// For each true position, the first vertex that has it.
    pub fn first_of_position(&self) -> &[u32] {
        &self.first_of_position
    }

    /// For each vertex, the index of its true normal.
    pub fn normal_of(&self) -> &[u32] {
        &self.normal_of
    }

    /// For each true normal, the first vertex that has it.
    pub fn first_of_normal(&self) -> &[u32] {
        &self.first_of_normal
    }

    /// How many true positions there are.
    pub fn position_count(&self) -> usize {
        self.first_of_position.len()
    }

    /// How many true normals there are.
    pub fn normal_count(&self) -> usize {
        self.first_of_normal.len()
    }
}

/// Bits of a vector; zeros of both signs are the same.
fn push_bits(key: &mut Vec<u32>, v: Vec3) {
    key.extend((v + 0.0).to_array().map(f32::to_bits));
}

/// Numbers equal keys in the order of their first vertex. Keys are written when they are compared, not
/// kept: a mesh may have millions.
fn number(count: usize, write_key: impl Fn(usize, &mut Vec<u32>)) -> (Vec<u32>, Vec<u32>) {
    let hasher = RandomState::new();
    let mut number_of_hash: HashMap<u64, u32> = HashMap::new();
    let mut first: Vec<u32> = Vec::new();
    let (mut key, mut other) = (Vec::new(), Vec::new());
    let numbers = (0..count)
        .map(|vertex| {
            key.clear();
            write_key(vertex, &mut key);
            let mut hash = hasher.hash_one(&key);
            loop {
                let number = *number_of_hash.entry(hash).or_insert(first.len() as u32);
                let Some(&original) = first.get(number as usize) else {
                    first.push(vertex as u32);
                    return number;
                };
                other.clear();
                write_key(original as usize, &mut other);
                if key == other {
                    return number;
                }
                // Another key with the same hash: the next free place.
                hash = hash.wrapping_add(1);
            }
        })
        .collect();
    (numbers, first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Influences, MorphTarget};

    /// Five copies of one point, each with one thing that tells it apart from the first.
    fn mesh() -> Mesh {
        let mut mesh = Mesh::new(
            vec![
                Vec3::ZERO,
                Vec3::new(-0.0, 0.0, 0.0),
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::ZERO,
            ],
            vec![[0, 1, 2]],
            Influences::new([
                [(0, 1.0), (1, 0.0)],
                [(0, 1.0), (1, 0.0)],
                [(0, 1.0), (1, 0.0)],
                [(0, 0.5), (1, 0.5)],
                [(0, 1.0), (1, 0.0)],
            ])
            .unwrap(),
        )
        .unwrap();
        mesh.set_normals(vec![Vec3::Y, Vec3::Y, Vec3::X, Vec3::Y, Vec3::Y])
            .unwrap();
        let mut positions = vec![Vec3::ZERO; 5];
        positions[4] = Vec3::ONE;
        mesh.add_morph_target(MorphTarget {
            name: String::new(),
            positions,
            normals: vec![],
            tangents: vec![],
        })
        .unwrap();
        mesh
    }

    #[test]
    fn only_true_copies_share() {
        let unique = UniqueVertices::shared(&mesh());
        assert_eq!(unique.position_of(), [0, 0, 0, 1, 2]);
        assert_eq!(unique.first_of_position(), [0, 3, 4]);
        assert_eq!(unique.normal_of(), [0, 0, 1, 2, 3]);
        assert_eq!(unique.first_of_normal(), [0, 2, 3, 4]);
    }

    #[test]
    fn split_shares_nothing() {
        let unique = UniqueVertices::split(3);
        assert_eq!((unique.position_count(), unique.normal_count()), (3, 3));
    }
}
