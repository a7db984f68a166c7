//! Positions that the simplifier sees: vertices collapse together where their positions are equal to the bit.
//!
//! Vertices of one mesh with the same position in the file are welded, also where rounding separates them in the rest pose.
//! A vertex on an open border is welded to vertices of other meshes at the same place, so that meshes do not come apart. Other
//! vertices of different meshes are kept apart.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use throng_rig::Mesh;

/// Largest distance of welded vertices of different meshes, as a part of the size.
const WELD_OF_SIZE: f32 = 1e-5;
/// Distance by which equal positions of different meshes are separated, as a part of the size.
const APART_OF_SIZE: f32 = 2e-6;

/// Vertices of a mesh, welded.
pub(super) struct WeldedMesh {
    /// Place of each vertex.
    pub place_of: Vec<u32>,
    /// Position of each place in the rest pose.
    pub places: Vec<Vec3>,
    /// True for places on an edge that has no second triangle.
    pub is_border: Vec<bool>,
    /// True for places that another mesh has too.
    pub is_welded: Vec<bool>,
}

impl WeldedMesh {
    /// Welds vertices of a mesh, given their positions in the rest pose.
    pub fn new(mesh: &Mesh, rest: impl Fn(usize) -> Vec3) -> Self {
        let mut numbers = HashMap::new();
        let mut places = Vec::new();
        let vertices = mesh.positions().iter().enumerate();
        let place_of: Vec<u32> = vertices
            .map(|(vertex, position)| {
                // Both zeros are one position.
                let key = position.to_array().map(|x| (x + 0.0).to_bits());
                *numbers.entry(key).or_insert_with(|| {
                    places.push(rest(vertex));
                    places.len() as u32 - 1
                })
            })
            .collect();
        let mut out = Self {
            is_border: vec![false; places.len()],
            is_welded: vec![false; places.len()],
            places,
            place_of,
        };
        for [a, b] in out.open_edges(mesh.triangles()) {
            out.is_border[a as usize] = true;
            out.is_border[b as usize] = true;
        }
        out
    }

    /// True for places whose vertices have different keys.
    pub fn differing<K: PartialEq + Copy>(&self, key: impl Fn(usize) -> K) -> Vec<bool> {
        let mut keys: Vec<Option<K>> = vec![None; self.places.len()];
        let mut differs = vec![false; self.places.len()];
        for (vertex, &place) in self.place_of.iter().enumerate() {
            let key = key(vertex);
            differs[place as usize] |= *keys[place as usize].get_or_insert(key) != key;
        }
        differs
    }

    /// Edges of triangles, as places, that no other triangle has in the opposite direction.
    pub fn open_edges(&self, triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let edges = triangles.iter().flat_map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| self.place_of[vertex as usize]);
            [[a, b], [b, c], [c, a]]
        });
        let edges: Vec<[u32; 2]> = edges.filter(|[a, b]| a != b).collect();
        let known: HashSet<[u32; 2]> = edges.iter().copied().collect();
        let open = edges
            .into_iter()
            .filter(|[a, b]| !known.contains(&[*b, *a]));
        open.collect()
    }
}

/// Welds borders of meshes to other meshes, and separates everything else of different meshes.
pub(super) fn weld(meshes: &mut [WeldedMesh], size: f32) {
    if meshes.len() < 2 {
        return;
    }
    let tolerance = (WELD_OF_SIZE * size).max(f32::MIN_POSITIVE);
    let cell = |position: Vec3| (position / tolerance).floor().to_array().map(|x| x as i64);
    let mut cells: HashMap<[i64; 3], Vec<(usize, u32)>> = HashMap::new();
    for (index, mesh) in meshes.iter().enumerate() {
        for (place, &position) in mesh.places.iter().enumerate() {
            let of_cell = cells.entry(cell(position)).or_default();
            of_cell.push((index, place as u32));
        }
    }
    // Positions before any was changed.
    let before: Vec<Vec<Vec3>> = meshes.iter().map(|mesh| mesh.places.clone()).collect();
    for mesh in 0..meshes.len() {
        for place in 0..before[mesh].len() {
            if !meshes[mesh].is_border[place] {
                continue;
            }
            let position = before[mesh][place];
            let near = near_cells(cell(position)).filter_map(|cell| cells.get(&cell));
            for &(other, other_place) in near.flatten() {
                let other_place = other_place as usize;
                let distance = before[other][other_place].distance(position);
                if other == mesh || distance > tolerance {
                    continue;
                }
                let target = match meshes[other].is_welded[other_place] {
                    true => meshes[other].places[other_place],
                    false => meshes[mesh].places[place],
                };
                meshes[mesh].places[place] = target;
                meshes[other].places[other_place] = target;
                meshes[mesh].is_welded[place] = true;
                meshes[other].is_welded[other_place] = true;
            }
        }
    }
    separate(meshes, APART_OF_SIZE * size);
}

/// Moves positions that another mesh has too.
fn separate(meshes: &mut [WeldedMesh], distance: f32) {
    let mut owners: HashMap<[u32; 3], usize> = HashMap::new();
    let key = |position: Vec3| position.to_array().map(f32::to_bits);
    for (index, mesh) in meshes.iter_mut().enumerate() {
        let places = mesh.places.iter_mut().zip(&mesh.is_welded);
        for (position, _) in places.filter(|(_, is_welded)| !**is_welded) {
            while *owners.entry(key(*position)).or_insert(index) != index && distance > 0.0 {
                position.x += distance.max(position.x.abs() * f32::EPSILON);
            }
        }
    }
}

/// A cell and its neighbours.
fn near_cells([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let near = |cell: i64, offset: i64| cell.saturating_add(offset - 1);
    (0..27).map(move |index| {
        [
            near(x, index % 3),
            near(y, index / 3 % 3),
            near(z, index / 9),
        ]
    })
}
