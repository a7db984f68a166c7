//! Vertices with the same position or normal: split only for a hard edge or a texture seam.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use thiserror::Error;

/// Unique positions and unique normals of a mesh.
///
/// Vertices share a unique position if their position, influences and morph offsets are equal to the bit. They
/// share a unique normal if their normals and normal offsets are equal too. Each unique position is skinned and
/// stored once, and hard edges stay hard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueVertices {
    position_of: Vec<u32>,
    first_of_position: Vec<u32>,
    normal_of: Vec<u32>,
    first_of_normal: Vec<u32>,
}

/// Indices that do not describe unique positions and normals.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UniqueError {
    /// The two lists differ in length.
    #[error("{positions} indices of unique positions, but {normals} of unique normals")]
    CountMismatch {
        /// Number of position indices.
        positions: usize,
        /// Number of normal indices.
        normals: usize,
    },
    /// Indices are not numbered from zero in the order of their first vertex.
    #[error("vertex {vertex} has unique {what} {number}, expected at most {next}")]
    NotInOrder {
        /// Positions or normals.
        what: &'static str,
        /// Index of the vertex.
        vertex: usize,
        /// Its index.
        number: u32,
        /// Next unused index.
        next: usize,
    },
    /// Vertices share a normal but not the position.
    #[error(
        "vertex {vertex} shares its unique normal with vertex {other}, but not its unique position"
    )]
    NormalWithoutPosition {
        /// Index of the vertex.
        vertex: usize,
        /// First vertex of the normal.
        other: usize,
    },
}

/// A vertex that shares a position or normal and differs from the first vertex of it.
pub(crate) struct Mismatch {
    /// Position or normal.
    pub(crate) what: &'static str,
    pub(crate) vertex: usize,
    /// First vertex of the position or normal.
    pub(crate) other: usize,
}

impl UniqueVertices {
    /// Finds vertices with equal keys. `position_key` writes the numbers that identify the position of a vertex,
    /// `normal_key` those that identify its normal among vertices of the same position.
    pub(crate) fn from_keys(
        vertices: usize,
        position_key: impl Fn(usize, &mut Vec<u32>),
        normal_key: impl Fn(usize, &mut Vec<u32>),
    ) -> Self {
        let (position_of, first_of_position) = number(vertices, position_key);
        let (normal_of, first_of_normal) = number(vertices, |v, key| {
            key.push(position_of[v]);
            normal_key(v, key);
        });
        Self {
            position_of,
            first_of_position,
            normal_of,
            first_of_normal,
        }
    }

    /// Makes the maps from [`Self::position_of`] and [`Self::normal_of`]. [`crate::Mesh::set_unique`] checks
    /// them against a mesh.
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

    /// Returns the first vertex that shares a position or a normal but has another key than the first vertex of
    /// it. Keys are those of [`Self::from_keys`].
    pub(crate) fn first_mismatch(
        &self,
        position_key: impl Fn(usize, &mut Vec<u32>),
        normal_key: impl Fn(usize, &mut Vec<u32>),
    ) -> Option<Mismatch> {
        let (mut key, mut other_key) = (Vec::new(), Vec::new());
        let mut differs = |vertex: usize, other: usize, write: &dyn Fn(usize, &mut Vec<u32>)| {
            key.clear();
            other_key.clear();
            write(vertex, &mut key);
            write(other, &mut other_key);
            key != other_key
        };
        for vertex in 0..self.position_of.len() {
            let position = self.first_of_position[self.position_of[vertex] as usize];
            let normal = self.first_of_normal[self.normal_of[vertex] as usize];
            let (position, normal) = (position as usize, normal as usize);
            let mismatch = |what, other| {
                Some(Mismatch {
                    what,
                    vertex,
                    other,
                })
            };
            if position != vertex && differs(vertex, position, &position_key) {
                return mismatch("position", position);
            }
            if normal != vertex && differs(vertex, normal, &normal_key) {
                return mismatch("normal", normal);
            }
        }
        None
    }

    /// Gives each vertex a position and a normal of its own.
    pub fn split(vertices: usize) -> Self {
        let each: Vec<u32> = (0..vertices as u32).collect();
        Self {
            position_of: each.clone(),
            first_of_position: each.clone(),
            normal_of: each.clone(),
            first_of_normal: each,
        }
    }

    /// For each vertex, the index of its unique position.
    pub fn position_of(&self) -> &[u32] {
        &self.position_of
    }

    /// For each unique position, the first vertex that has it.
    pub fn first_of_position(&self) -> &[u32] {
        &self.first_of_position
    }

    /// For each vertex, the index of its unique normal.
    pub fn normal_of(&self) -> &[u32] {
        &self.normal_of
    }

    /// For each unique normal, the first vertex that has it.
    pub fn first_of_normal(&self) -> &[u32] {
        &self.first_of_normal
    }

    /// Number of unique positions.
    pub fn position_count(&self) -> usize {
        self.first_of_position.len()
    }

    /// Number of unique normals.
    pub fn normal_count(&self) -> usize {
        self.first_of_normal.len()
    }
}

/// Returns the first vertex of each index.
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

/// Numbers equal keys in the order of their first vertex. Keys are written when they are compared, and not
/// stored: a mesh may have millions. Returns the number of each vertex and the first vertex of each number.
pub(crate) fn number(
    count: usize,
    write_key: impl Fn(usize, &mut Vec<u32>),
) -> (Vec<u32>, Vec<u32>) {
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
                // Another key with the same hash: try the next slot.
                hash = hash.wrapping_add(1);
            }
        })
        .collect();
    (numbers, first)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{Influences, Mesh, MeshError, MorphTarget};

    /// Five copies of one vertex that differ from the first in one attribute each.
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
    fn only_equal_vertices_share_positions_and_normals() {
        let mut mesh = mesh();
        mesh.share_positions();
        let unique = mesh.unique();
        assert_eq!(unique.position_of(), [0, 0, 0, 1, 2]);
        assert_eq!(unique.first_of_position(), [0, 3, 4]);
        assert_eq!(unique.normal_of(), [0, 0, 1, 2, 3]);
        assert_eq!(unique.first_of_normal(), [0, 2, 3, 4]);
    }

    #[test]
    fn indices_round_trip() {
        let mut mesh = mesh();
        mesh.share_positions();
        let shared = mesh.unique().clone();
        let remade = |unique: &UniqueVertices| {
            let (positions, normals) = (unique.position_of(), unique.normal_of());
            UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap()
        };
        assert_eq!(remade(&shared), shared);
        assert_eq!(mesh.check_unique(), Ok(()));
        let split = UniqueVertices::split(5);
        assert_eq!(remade(&split), split);
        mesh.set_unique(split.clone()).unwrap();
        assert_eq!(mesh.unique(), &split);
    }

    #[test]
    fn rejects_inconsistent_indices() {
        let error_of = |positions: &[u32], normals: &[u32]| {
            UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap_err()
        };
        assert!(matches!(
            error_of(&[0, 1], &[0]),
            UniqueError::CountMismatch { .. }
        ));
        assert!(matches!(
            error_of(&[0, 2], &[0, 1]),
            UniqueError::NotInOrder {
                what: "position",
                vertex: 1,
                number: 2,
                next: 1
            }
        ));
        assert!(matches!(
            error_of(&[0, 1], &[1, 0]),
            UniqueError::NotInOrder {
                what: "normal",
                vertex: 0,
                ..
            }
        ));
        assert_eq!(
            error_of(&[0, 1], &[0, 0]),
            UniqueError::NormalWithoutPosition {
                vertex: 1,
                other: 0
            }
        );
    }

    #[test]
    fn rejects_indices_of_another_mesh() {
        let mut mesh = mesh();
        let mut error_of = |positions: &[u32], normals: &[u32]| {
            let unique =
                UniqueVertices::from_indices(positions.to_vec(), normals.to_vec()).unwrap();
            mesh.set_unique(unique).unwrap_err()
        };
        let not_shared = |what, vertex, other| MeshError::NotShared {
            what,
            vertex,
            other,
        };
        // Vertex 3 has other weights, vertex 4 another morph target, vertex 2 another normal.
        assert_eq!(
            error_of(&[0, 0, 0, 0, 1], &[0, 0, 1, 2, 3]),
            not_shared("position", 3, 0)
        );
        assert_eq!(
            error_of(&[0, 1, 2, 3, 0], &[0, 1, 2, 3, 4]),
            not_shared("position", 4, 0)
        );
        assert_eq!(
            error_of(&[0, 0, 0, 1, 2], &[0, 0, 0, 1, 2]),
            not_shared("normal", 2, 0)
        );
        assert!(matches!(
            error_of(&[0], &[0]),
            MeshError::CountMismatch { .. }
        ));
    }

    #[test]
    fn split_vertices_share_nothing() {
        let unique = UniqueVertices::split(3);
        assert_eq!((unique.position_count(), unique.normal_count()), (3, 3));
    }
}
