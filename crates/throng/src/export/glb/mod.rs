//! Binary glTF 2.0: a static mesh where the pose has it, with its materials and images.
//!
//! Parts of one node become one mesh with a primitive each, on a node that moves nothing. All arrays
//! are in one buffer, each in a view of its own.

mod buffer;
mod document;
mod looks;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use glam::Vec2;
use throng_rig::Character;

use super::posed::PosedPart;
use super::{ExportError, GENERATOR, Posed};
use buffer::{Buffer, pad};
use document::{Asset, Attributes, BufferLength, Document, Mesh, Node, Primitive, Scene};
use looks::{Looks, unit};

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON_CHUNK: &[u8; 4] = b"JSON";
const BINARY_CHUNK: &[u8; 4] = b"BIN\0";
/// Magic, version and length.
const HEADER_BYTES: usize = 12;
/// Length and kind.
const CHUNK_HEADER_BYTES: usize = 8;

/// Numbers are float32; directions are of unit length and colours between 0 and 1, as glTF asks.
pub(super) fn encode(posed: &Posed) -> Result<Vec<u8>, ExportError> {
    let parts = posed.drawn_parts()?;
    let (mut buffer, mut looks) = (Buffer::default(), Looks::default());
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    for group in by_node(&parts) {
        let primitives: Result<_, _> = group
            .iter()
            .map(|part| primitive(posed.character, part, &mut buffer, &mut looks))
            .collect();
        nodes.push(Node {
            name: group[0].part.node_name.clone(),
            mesh: meshes.len(),
        });
        meshes.push(Mesh {
            primitives: primitives?,
        });
    }
    let images = looks.images(posed.character, &mut buffer);
    let document = Document {
        asset: Asset {
            version: "2.0",
            generator: GENERATOR,
        },
        scene: 0,
        scenes: [Scene {
            nodes: (0..nodes.len()).collect(),
        }],
        nodes,
        meshes,
        materials: looks.materials,
        textures: looks.textures,
        samplers: looks.samplers,
        images,
        accessors: buffer.accessors,
        buffer_views: buffer.views,
        buffers: [BufferLength {
            byte_length: buffer.bytes.len(),
        }],
    };
    let json = serde_json::to_vec(&document).expect("plain numbers and names");
    container(json, &buffer.bytes)
}

/// Parts of the same node together, in the order of the first of each.
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
    buffer: &mut Buffer,
    looks: &mut Looks,
) -> Result<Primitive, ExportError> {
    let mesh = part.mesh;
    let colors = mesh.colors().iter().map(|color| color.map(unit));
    let attributes = Attributes {
        position: buffer.positions(&part.positions_f32()?),
        normal: buffer.attribute(part.normals_f32().map(Into::into)),
        tangent: buffer.optional_attribute(part.tangents_f32().map(Into::into)),
        texcoord_0: buffer.optional_attribute(mesh.uvs().iter().map(Vec2::to_array)),
        color_0: buffer.optional_attribute(colors),
    };
    Ok(Primitive {
        attributes,
        indices: buffer.indices(mesh.triangles(), mesh.vertex_count()),
        material: looks.material_of(character, mesh),
    })
}

/// A header and two chunks. `binary` is padded already.
fn container(mut json: Vec<u8>, binary: &[u8]) -> Result<Vec<u8>, ExportError> {
    pad(&mut json, b' ');
    let length = total_length(json.len(), binary.len())?;
    let mut out = Vec::with_capacity(length as usize);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend(length.to_le_bytes());
    for (kind, chunk) in [(JSON_CHUNK, json.as_slice()), (BINARY_CHUNK, binary)] {
        // Fits: it is a part of the total.
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    Ok(out)
}

/// A GLB states its length in 32 bits.
fn total_length(json: usize, binary: usize) -> Result<u32, ExportError> {
    let bytes = HEADER_BYTES + CHUNK_HEADER_BYTES + json + CHUNK_HEADER_BYTES + binary;
    u32::try_from(bytes).map_err(|_| ExportError::TooLarge { bytes })
}
