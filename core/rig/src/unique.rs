//! Vertices that are the same point: split only for a hard edge or a texture seam.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use glam::Vec3;
use thiserror::Error;

use crate::{Mesh, MeshError};

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

/// Why numbers do not say which vertices are the same.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UniqueError {
    /// The two lists differ in length.
    #[error("{positions} true positions for {normals} true normals")]
    CountMismatch {
        /// How many positions.
        positions: usize,
        /// How many normals.
        normals: usize,
    },
    /// Numbers do not rise by one from zero, in the order of the first vertex of each.
    #[error("vertex {vertex} has true {what} {number}, the next new one would be {next}")]
    NotInOrder {
        /// Positions or normals.
        what: &'static str,
        /// The vertex.
        vertex: usize,
        /// Its number.
        number: u32,
        /// What a new number would be.
        next: usize,
    },
    /// Vertices share a normal but not the position.
    #[error(
        "vertex {vertex} shares its true normal with vertex {other}, but not its true position"
    )]
    NormalWithoutPosition {
        /// The vertex.
        vertex: usize,
        /// The first that has the normal.
        other: usize,
    },
}

impl UniqueVertices {
    /// Finds the vertices that are the same.
    pub fn shared(mesh: &Mesh) -> Self {
        let vertices = mesh.vertex_count();
        let (position_of, first_of_position) =
            number(vertices, |v, key| write_position(mesh, v, key));
        let (normal_of, first_of_normal) = number(vertices, |v, key| {
            key.push(position_of[v]);
            write_normal(mesh, v, key);
        });
        Self {
            position_of,
            first_of_position,
            normal_of,
            first_of_normal,
        }
    }

    /// Takes the numbers that [`Self::position_of`] and [`Self::normal_of`] gave. Whether they are true
    /// of a mesh is for [`Self::check`].
    pub fn from_indices(position_of: Vec<u32>, normal_of: Vec<u32>) -> Result<Self, UniqueError> {
        if position_of.len() != normal_of.len() {
            return Err(UniqueError::CountMismatch {
                positions: position_of.len(),
                normals: normal_of.len(),
            });
        }
        let first_of_position = first_of("position", &position_of)?;
        let first_of_normal = first_of("normal", &normal_of)?;
        for (vertex, &normal) in normal_of.iter().enumerate() {
            let other = first_of_normal[normal as usize] as usize;
            if position_of[vertex] != position_of[other] {
                return Err(UniqueError::NormalWithoutPosition { vertex, other });
            }
        }
        Ok(Self {
            position_of,
            first_of_position,
            normal_of,
            first_of_normal,
        })
    }

    /// Checks that vertices which share a position or a normal are the same in the mesh.
    pub fn check(&self, mesh: &Mesh) -> Result<(), MeshError> {
        let vertices = mesh.vertex_count();
        if self.position_of.len() != vertices {
            return Err(MeshError::CountMismatch {
                what: "true positions",
                actual: self.position_of.len(),
                vertices,
            });
        }
        let (mut key, mut other_key) = (Vec::new(), Vec::new());
        let mut same = |v: usize, other: u32, write: fn(&Mesh, usize, &mut Vec<u32>)| {
            key.clear();
            other_key.clear();
            write(mesh, v, &mut key);
            write(mesh, other as usize, &mut other_key);
            key == other_key
        };
        for vertex in 0..vertices {
            let position = self.first_of_position[self.position_of[vertex] as usize];
            let normal = self.first_of_normal[self.normal_of[vertex] as usize];
            for (what, other, write) in [
                (
                    "position",
                    position,
                    write_position as fn(&Mesh, usize, &mut Vec<u32>),
                ),
                ("normal", normal, write_normal),
            ] {
                if other as usize != vertex && !same(vertex, other, write) {
                    return Err(MeshError::NotTheSame {
                        what,
                        vertex,
                        other: other as usize,
                    });
                }
            }
        }
        Ok(())
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

/// What tells the true position of a vertex.
fn write_position(mesh: &Mesh, v: usize, key: &mut Vec<u32>) {
    let (joints, weights) = mesh.influences().run(v);
    push_bits(key, mesh.positions()[v]);
    for (joint, weight) in joints.iter().zip(weights) {
        key.extend([*joint, weight.to_bits()]);
    }
    for target in mesh.morph_targets() {
        push_bits(key, target.positions[v]);
    }
    key.extend(mesh.blend_factors().get(v).map(|factor| factor.to_bits()));
}

/// What tells the true normal of a vertex among those of its position.
fn write_normal(mesh: &Mesh, v: usize, key: &mut Vec<u32>) {
    push_bits(key, mesh.normals()[v]);
    for target in mesh.morph_targets() {
        push_bits(key, target.normals.get(v).copied().unwrap_or(Vec3::ZERO));
    }
}

/// The first vertex of each number.
fn first_of(what: &'static str, number_of: &[u32]) -> Result<Vec<u32>, UniqueError> {
    let mut first = Vec::new();
    for (vertex, &number) in number_of.iter().enumerate() {
        let next = first.len();
        if number as usize == next {
            first.push(vertex as u32);
        } else if number as usize > next {
            return Err(UniqueError::NotInOrder {
                what,
                vertex,
                number,
                next,
            });
        }
    }
    Ok(first)
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
    fn numbers_are_taken_back() {
        let mut mesh = mesh();
        mesh.share_positions();
        let shared = mesh.unique().clone();
        let numbers = |unique: &UniqueVertices| {
            let (positions, normals) = (unique.position_of(), unique.normal_of());
            UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap()
        };
        assert_eq!(numbers(&shared), shared);
        assert_eq!(shared.check(&mesh), Ok(()));
        let split = UniqueVertices::split(5);
        assert_eq!(numbers(&split), split);
        mesh.set_unique(split.clone()).unwrap();
        assert_eq!(mesh.unique(), &split);
    }

    #[test]
    fn numbers_that_share_nothing_true_are_refused() {
        let refuse = |positions: &[u32], normals: &[u32]| {
            UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap_err()
        };
        assert!(matches!(
            refuse(&[0, 1], &[0]),
            UniqueError::CountMismatch { .. }
        ));
        assert!(matches!(
            refuse(&[0, 2], &[0, 1]),
            UniqueError::NotInOrder {
                what: "position",
                vertex: 1,
                number: 2,
                next: 1
            }
        ));
        assert!(matches!(
            refuse(&[0, 1], &[1, 0]),
            UniqueError::NotInOrder {
                what: "normal",
                vertex: 0,
                ..
            }
        ));
        assert_eq!(
            refuse(&[0, 1], &[0, 0]),
            UniqueError::NormalWithoutPosition {
                vertex: 1,
                other: 0
            }
        );
    }

    #[test]
    fn numbers_of_another_mesh_are_refused() {
        let mut mesh = mesh();
        let mut refuse = |positions: &[u32], normals: &[u32]| {
            let unique =
                UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap();
            mesh.set_unique(unique).unwrap_err()
        };
        let not_the_same = |what, vertex, other| MeshError::NotTheSame {
            what,
            vertex,
            other,
        };
        // Vertex 3 has other weights, 4 another morph, 2 another normal.
        assert_eq!(
            refuse(&[0, 0, 0, 0, 1], &[0, 0, 1, 2, 3]),
            not_the_same("position", 3, 0)
        );
        assert_eq!(
            refuse(&[0, 1, 2, 3, 0], &[0, 1, 2, 3, 4]),
            not_the_same("position", 4, 0)
        );
        assert_eq!(
            refuse(&[0, 0, 0, 1, 2], &[0, 0, 0, 1, 2]),
            not_the_same("normal", 2, 0)
        );
        assert!(matches!(
            refuse(&[0], &[0]),
            MeshError::CountMismatch { .. }
        ));
    }

    #[test]
    fn split_shares_nothing() {
        let unique = UniqueVertices::split(3);
        assert_eq!((unique.position_count(), unique.normal_count()), (3, 3));
    }
}
