//! Meshes of a character and the points of caches.

use std::collections::HashMap;

use throng_rig::{Character, Mesh, select_by_name};

use super::CacheFile;
use crate::error::{Fault, Outcome};
use crate::{ImportOptions, PositionSharing};

/// A mesh of the file: the meshes of its primitives, under one or more nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileMesh {
    /// Name of the first node.
    pub name: String,
    /// Meshes of the primitives, in order.
    pub meshes: Vec<usize>,
    /// Parts of all nodes.
    pub parts: Vec<usize>,
    /// Number of control points; `None` where vertices are not those of the file.
    points: Option<usize>,
    /// Number of different positions.
    positions: usize,
}

/// A mesh that a cache belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matched {
    pub mesh: usize,
    /// True where points were matched by position.
    pub by_position: bool,
}

/// Lists the meshes of the file.
pub(super) fn file_meshes(character: &Character, options: &ImportOptions) -> Vec<FileMesh> {
    let mut of_node: Vec<Vec<usize>> = Vec::new();
    let mut index_of: HashMap<usize, usize> = HashMap::new();
    for (index, part) in character.parts().iter().enumerate() {
        let found = *index_of.entry(part.node).or_insert(of_node.len());
        if found == of_node.len() {
            of_node.push(Vec::new());
        }
        of_node[found].push(index);
    }
    let mut out: Vec<FileMesh> = Vec::new();
    let mut number_of: HashMap<Vec<usize>, usize> = HashMap::new();
    for parts in of_node {
        let meshes: Vec<usize> = parts.iter().map(|&p| character.parts()[p].mesh).collect();
        if let Some(&known) = number_of.get(&meshes) {
            out[known].parts.extend(parts);
            continue;
        }
        number_of.insert(meshes.clone(), out.len());
        out.push(FileMesh {
            name: character.parts()[parts[0]].node_name.clone(),
            points: control_points(character, &meshes, options),
            positions: position_numbers(character, &meshes).1,
            meshes,
            parts,
        });
    }
    out
}

fn control_points(
    character: &Character,
    meshes: &[usize],
    options: &ImportOptions,
) -> Option<usize> {
    let mut meshes = meshes.iter().map(|&mesh| &character.meshes()[mesh]);
    let first = meshes.next()?;
    match first.control_points() {
        Some(points) => Some(points.count),
        None if options.positions == PositionSharing::Corners => None,
        None => Some(first.vertex_count() + meshes.map(Mesh::vertex_count).sum::<usize>()),
    }
}

/// Numbers the positions of all vertices in the order of their first appearance. Returns the number of each vertex of each
/// mesh, and the number of different ones.
fn position_numbers(character: &Character, meshes: &[usize]) -> (Vec<Vec<u32>>, usize) {
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut of_mesh = Vec::with_capacity(meshes.len());
    for &mesh in meshes {
        let positions = character.meshes()[mesh].positions().iter();
        let of_vertex = positions.map(|&position| {
            let next = numbers.len() as u32;
            let key = (position + 0.0).to_array().map(f32::to_bits);
            *numbers.entry(key).or_insert(next)
        });
        of_mesh.push(of_vertex.collect());
    }
    (of_mesh, numbers.len())
}

impl FileMesh {
    /// Returns the point of each vertex of each primitive's mesh.
    pub fn point_of_vertex(&self, character: &Character, by_position: bool) -> Vec<Vec<u32>> {
        if by_position {
            return position_numbers(character, &self.meshes).0;
        }
        let mut first = 0;
        let of_mesh = |&mesh: &usize| {
            let mesh = &character.meshes()[mesh];
            match mesh.control_points() {
                Some(points) => points.of_vertex.clone(),
                None => {
                    let start = first;
                    first += mesh.vertex_count() as u32;
                    (start..first).collect()
                }
            }
        };
        self.meshes.iter().map(of_mesh).collect()
    }

    fn has(&self, points: usize) -> Option<bool> {
        match self.points == Some(points) {
            true => Some(false),
            false => (self.positions == points).then_some(true),
        }
    }

    fn count(&self) -> String {
        let name = &self.name;
        match self.points {
            Some(points) if points == self.positions => format!("'{name}' {points}"),
            Some(points) => format!("'{name}' {points} ({} different positions)", self.positions),
            None => format!("'{name}' {} different positions", self.positions),
        }
    }
}

/// Returns the mesh that a cache with a number of points belongs to.
pub(super) fn find(cache: &CacheFile, points: usize, meshes: &[FileMesh]) -> Outcome<Matched> {
    let counts = |meshes: &[&FileMesh]| {
        let counts: Vec<String> = meshes.iter().map(|mesh| mesh.count()).collect();
        counts.join(", ")
    };
    if let Some(name) = &cache.mesh {
        let names = meshes.iter().map(|mesh| mesh.name.as_str());
        let found = select_by_name(names, name)
            .map_err(|error| Fault::data("", format!("mesh of the cache: {error}")).remedy(""))?;
        let mesh = &meshes[found.index];
        return match mesh.has(points) {
            Some(by_position) => Ok(Matched {
                mesh: found.index,
                by_position,
            }),
            None => {
                let problem = format!(
                    "has {points} points, but mesh {} control points",
                    mesh.count()
                );
                Err(Fault::data("", problem).remedy("export both from the same mesh"))
            }
        };
    }
    // Control points before positions.
    for by_position in [false, true] {
        let is_match = |mesh: &FileMesh| mesh.has(points) == Some(by_position);
        let matching: Vec<usize> = (0..meshes.len())
            .filter(|&m| is_match(&meshes[m]))
            .collect();
        match matching.as_slice() {
            [] => {}
            &[mesh] => return Ok(Matched { mesh, by_position }),
            several => {
                let several: Vec<&FileMesh> = several.iter().map(|&m| &meshes[m]).collect();
                let problem = format!(
                    "has {points} points, as several meshes do: {}",
                    counts(&several)
                );
                return Err(Fault::data("", problem).remedy("name the mesh: --cache NAME=FILE"));
            }
        }
    }
    let all: Vec<&FileMesh> = meshes.iter().collect();
    let problem = match all.is_empty() {
        true => format!("has {points} points, but the file has no mesh"),
        false => format!(
            "has {points} points, but control points of meshes are {}",
            counts(&all)
        ),
    };
    Err(Fault::data("", problem).remedy("export both from the same mesh"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import;

    #[test]
    fn parts_of_a_node_are_one_mesh_in_any_order() {
        let options = ImportOptions::default();
        let bar = import("builtin:bar:100", &options).unwrap();
        let mut parts = bar.character.into_parts();
        let part = parts.parts[0].clone();
        parts.parts = [5, 2, 5, 7]
            .map(|node| throng_rig::Part {
                node,
                node_name: format!("node {node}"),
                ..part.clone()
            })
            .to_vec();
        let character = Character::new(parts).unwrap();
        let meshes = file_meshes(&character, &options);
        let found: Vec<_> = meshes
            .iter()
            .map(|mesh| (mesh.name.as_str(), mesh.parts.as_slice()))
            .collect();
        assert_eq!(found, [("node 5", &[0, 2][..]), ("node 2", &[1, 3][..])]);
    }
}
