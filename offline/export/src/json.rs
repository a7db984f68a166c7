//! Positions and normals of every part as JSON, in float64.

use std::borrow::Cow;

use glam::DVec3;
use serde::{Serialize, Serializer};

use super::posed::PosedPart;
use super::{ExportError, Posed};

#[derive(Serialize)]
struct Document<'a> {
    meshes: Vec<Mesh<'a>>,
}

#[derive(Serialize)]
struct Mesh<'a> {
    node: usize,
    node_name: &'a str,
    primitive: usize,
    positions: Vectors<'a>,
    normals: Vectors<'a>,
}

impl<'a> Mesh<'a> {
    fn new(part: &PosedPart<'a>) -> Self {
        Self {
            node: part.part.node,
            node_name: &part.part.node_name,
            primitive: part.part.primitive,
            positions: Vectors(part.positions().into()),
            normals: Vectors(part.normals().into()),
        }
    }

    /// Returns the control points of a node, over all its parts.
    fn of_points(parts: &[PosedPart<'a>], count: usize) -> Self {
        let mut positions = vec![DVec3::ZERO; count];
        let mut normals = vec![DVec3::ZERO; count];
        // In reverse order, so that the first vertex of a point is kept.
        for part in parts.iter().rev() {
            let Some(points) = part.mesh.control_points() else {
                continue;
            };
            for (vertex, &point) in points.of_vertex.iter().enumerate().rev() {
                positions[point as usize] = part.positions()[vertex];
                normals[point as usize] = part.normals()[vertex];
            }
        }
        Self {
            positions: Vectors(positions.into()),
            normals: Vectors(normals.into()),
            primitive: 0,
            ..Self::new(&parts[0])
        }
    }
}

/// Serialised as `[[x, y, z], …]`.
struct Vectors<'a>(Cow<'a, [DVec3]>);

impl Serialize for Vectors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(DVec3::to_array))
    }
}

/// Writes one object per part, in the character's order. Numbers are parsed back to the same float64.
///
/// For files with control points (FBX), writes one object per node with each control point once, with the normal of
/// its first vertex.
pub(crate) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let parts = posed.parts()?;
    let mut meshes = Vec::new();
    let mut rest = parts.as_slice();
    while let [first, ..] = rest {
        let group_len = match first.mesh.control_points() {
            Some(_) => rest
                .iter()
                .take_while(|p| p.part.node == first.part.node)
                .count(),
            None => 1,
        };
        let (group, others) = rest.split_at(group_len);
        meshes.push(match first.mesh.control_points() {
            Some(points) => Mesh::of_points(group, points.count),
            None => Mesh::new(first),
        });
        rest = others;
    }
    Ok(serde_json::to_vec(&Document { meshes }).expect("plain numbers and names"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{character, character_without_triangles, skinned};
    use serde_json::Value;

    /// Returns all numbers in brackets. `parse` is exact; `Value` rounds the last digit of some.
    fn numbers(text: &str) -> Vec<f64> {
        text.split(['[', ']', ','])
            .filter_map(|word| word.parse().ok())
            .collect()
    }

    #[test]
    fn numbers_round_trip_exactly() {
        let character = character();
        let mut parts = skinned(&character);
        parts[1].positions[0] = DVec3::new(0.1 + 0.2, f64::MIN_POSITIVE, -f64::MAX);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let text = String::from_utf8(encode(&posed).unwrap()).unwrap();
        let expected: Vec<f64> = parts
            .iter()
            .flat_map(|skinned| skinned.positions.iter().chain(&skinned.normals))
            .flat_map(DVec3::to_array)
            .collect();
        assert_eq!(numbers(&text), expected);
    }

    #[test]
    fn writes_one_mesh_per_part_in_order() {
        let character = character();
        let parts = skinned(&character);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let document: Value = serde_json::from_slice(&encode(&posed).unwrap()).unwrap();
        let meshes = document["meshes"].as_array().unwrap();
        assert_eq!(meshes.len(), character.parts().len());
        for (mesh, part) in meshes.iter().zip(character.parts()) {
            assert_eq!(mesh["node"], part.node);
            assert_eq!(mesh["node_name"], part.node_name.as_str());
            assert_eq!(mesh["primitive"], part.primitive);
            let vertices = character.mesh_of(part).vertex_count();
            assert_eq!(mesh["positions"].as_array().unwrap().len(), vertices);
            assert_eq!(mesh["normals"].as_array().unwrap().len(), vertices);
        }
    }

    #[test]
    fn writes_the_documented_layout() {
        let character = character_without_triangles();
        let parts = skinned(&character);
        let posed = Posed {
            character: &character,
            parts: &parts,
        };
        let text = String::from_utf8(encode(&posed).unwrap()).unwrap();
        let (positions, normals) = ("[[0.25,2.125,-0.5]]", "[[0.0,1.0,0.0]]");
        assert_eq!(
            text,
            format!(
                r#"{{"meshes":[{{"node":9,"node_name":"points","primitive":0,"positions":{positions},"normals":{normals}}}]}}"#
            )
        );
    }
}
