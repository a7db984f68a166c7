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

    /// The control points of a node, each once, over all its parts.
    fn of_points(parts: &[PosedPart<'a>], count: usize) -> Self {
        let mut positions = vec![DVec3::ZERO; count];
        let mut normals = vec![DVec3::ZERO; count];
        // Backwards, so that the first vertex of a point has the last word.
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

/// Written as `[[x, y, z], …]`.
struct Vectors<'a>(Cow<'a, [DVec3]>);

impl Serialize for Vectors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(DVec3::to_array))
    }
}

/// One object a part, in the character's order; numbers are read back as the same float64.
///
/// Where the file splits its points at corners (FBX), one object a node has each control point once,
/// with the normal of the first vertex that was split from it.
pub(super) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let parts = posed.parts()?;
    let mut meshes = Vec::new();
    let mut rest = parts.as_slice();
    while let [first, ..] = rest {
        let together = match first.mesh.control_points() {
            Some(_) => rest
                .iter()
                .take_while(|p| p.part.node == first.part.node)
                .count(),
            None => 1,
        };
        let (group, others) = rest.split_at(together);
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
    use crate::export::fixture::{character, pointless_character, skinned};
    use serde_json::Value;

    /// All numbers in brackets. `Value` rounds the last digit of some, `parse` does not.
    fn numbers(text: &str) -> Vec<f64> {
        text.split(['[', ']', ','])
            .filter_map(|word| word.parse().ok())
            .collect()
    }

    #[test]
    fn every_number_is_read_back_bit_for_bit() {
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
    fn there_is_one_mesh_a_part_in_order() {
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
    fn the_layout_is_the_one_that_is_documented() {
        let character = pointless_character();
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
