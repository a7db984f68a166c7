//! Binary glTF 2.0: a static mesh with its materials and images.
//!
//! Parts of one node become the primitives of one mesh, on a node without a transform. All arrays are in one
//! buffer, each in its own view.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use glam::Vec2;
use throng_format::glb::{
    Buffer, Document, Glb, MaterialTable, Mesh, Node, Primitive, Scene, saturate,
};
use throng_rig::Character;

use super::posed::PosedPart;
use super::{ExportError, Posed};

/// Writes float32 numbers; normals and tangents have unit length and colours are in 0..1, as glTF requires.
pub(crate) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let parts = posed.drawn_parts()?;
    let (mut buffer, mut looks) = (Buffer::default(), MaterialTable::default());
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    for group in by_node(&parts) {
        let primitives: Result<_, _> = group
            .iter()
            .map(|part| primitive(posed.character, part, &mut buffer, &mut looks))
            .collect();
        nodes.push(Node {
            name: group[0].part.node_name.clone(),
            mesh: Some(meshes.len()),
            ..Node::default()
        });
        meshes.push(Mesh {
            primitives: primitives?,
            extras: None,
        });
    }
    let all = posed.character.images();
    let images = looks.images(posed.character, |index| buffer.bytes(&all[index].bytes));
    let document = Document {
        scenes: [Scene {
            nodes: (0..nodes.len()).collect(),
        }],
        nodes,
        meshes,
        materials: looks.materials,
        textures: looks.textures,
        samplers: looks.samplers,
        images,
        ..Document::default()
    };
    let glb = Glb::new(document, buffer).map_err(ExportError::TooLarge)?;
    Ok(glb.to_vec())
}

/// Groups parts by node, in the order of the first part of each.
fn by_node<'p, 'a>(parts: &'p [PosedPart<'a>]) -> Vec<Vec<&'p PosedPart<'a>>> {
    let mut group_of = HashMap::new();
    let mut groups: Vec<Vec<&PosedPart<'_>>> = Vec::new();
    for part in parts {
        let group = *group_of.entry(part.part.node).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(part);
    }
    groups
}

fn primitive(
    character: &Character,
    part: &PosedPart<'_>,
    buffer: &mut Buffer<'_>,
    looks: &mut MaterialTable,
) -> Result<Primitive, ExportError> {
    let mesh = part.mesh;
    let normals = part.normals_f32().map(|normal| normal.to_array());
    let tangents = part.tangents_f32().map(|tangent| tangent.to_array());
    let uvs = mesh.uvs().iter().map(Vec2::to_array);
    let colors = mesh.colors().iter().map(|color| color.map(saturate));
    let attributes = [
        ("POSITION", Some(buffer.positions(&part.positions_f32()?))),
        ("NORMAL", Some(buffer.attribute(normals))),
        ("TANGENT", buffer.optional_attribute(tangents)),
        ("TEXCOORD_0", buffer.optional_attribute(uvs)),
        ("COLOR_0", buffer.optional_attribute(colors)),
    ];
    let present = |(name, accessor): (&str, Option<usize>)| Some((name.to_owned(), accessor?));
    Ok(Primitive {
        attributes: attributes.into_iter().filter_map(present).collect(),
        indices: buffer.indices(mesh.triangles(), mesh.vertex_count()),
        material: looks.material_of(character, mesh),
        targets: Vec::new(),
    })
}
