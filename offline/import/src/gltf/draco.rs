//! Primitives compressed by Draco (`KHR_draco_mesh_compression`).

use std::rc::Rc;

use draco_core::{DecodeLimits, DecoderBuffer, MeshDecoder};

use super::document::Document;
use super::schema;
use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::DRACO_ELEMENT_BYTES;

/// A decoded primitive.
pub(super) struct DracoMesh<'d> {
    mesh: Rc<draco_core::Mesh>,
    /// Draco attribute ids by glTF attribute.
    ids: &'d std::collections::BTreeMap<String, u32>,
}

impl<'d> DracoMesh<'d> {
    /// Decodes a primitive, or takes the mesh that another primitive with the same data was decoded to.
    pub(super) fn decode(
        document: &Document,
        compression: &'d schema::Draco,
        object: &str,
    ) -> Outcome<Self> {
        let view = compression.buffer_view;
        let known = document.draco_meshes.borrow().get(&view).cloned();
        let mesh = match known {
            Some(mesh) => mesh,
            None => {
                let mesh = Rc::new(decode_view(document, view, object)?);
                let mut meshes = document.draco_meshes.borrow_mut();
                meshes.insert(view, mesh.clone());
                mesh
            }
        };
        Ok(Self {
            mesh,
            ids: &compression.attributes,
        })
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.mesh.num_points()
    }

    /// Returns the vertex indices of the triangles.
    pub(super) fn indices(&self, document: &Document, object: &str) -> Outcome<Vec<u32>> {
        document.charge(self.mesh.num_faces() as u64, 12, object)?;
        let faces = self.mesh.faces().iter();
        Ok(faces.flat_map(|face| face.map(|point| point.0)).collect())
    }

    /// Reads an attribute as stored, not normalised; `None` if the Draco data does not contain it.
    pub(super) fn read<const N: usize>(
        &self,
        document: &Document,
        attribute: &str,
        object: &str,
    ) -> Outcome<Option<Vec<[f32; N]>>> {
        let Some(&id) = self.ids.get(attribute) else {
            return Ok(None);
        };
        let Some(values) = self.mesh.attribute_by_unique_id(id) else {
            return Err(Fault::new(
                ErrorKind::Reference,
                format!("{object}, Draco"),
                format_args!("{attribute} refers to attribute {id}, which does not exist"),
            ));
        };
        if usize::from(values.num_components()) != N {
            return Err(Fault::data(
                format!("{object}, Draco"),
                format_args!(
                    "{attribute}: expected {N} components, found {}",
                    values.num_components()
                ),
            ));
        }
        let points = self.vertex_count();
        document.charge(points as u64, 4 * N as u64, object)?;
        let flat = values.read_f32s(points, N);
        Ok(Some(flat.as_chunks::<N>().0.to_vec()))
    }
}

/// Decodes the mesh in a buffer view, within the memory budget.
fn decode_view(document: &Document, view: usize, object: &str) -> Outcome<draco_core::Mesh> {
    let bytes = document.view(view, object)?;
    let left = document.budget.left();
    let limits = DecodeLimits::default()
        .with_max_points(left / DRACO_ELEMENT_BYTES)
        .with_max_faces(left / DRACO_ELEMENT_BYTES)
        .with_max_decoded_bytes(left);
    let mut mesh = draco_core::Mesh::new();
    MeshDecoder::new()
        .decode(
            &mut DecoderBuffer::new(&bytes).with_limits(limits),
            &mut mesh,
        )
        .map_err(|error| {
            Fault::data(
                format!("{object}, Draco"),
                format_args!("cannot decode: {error}"),
            )
        })?;
    let elements = mesh.num_points() as u64 + mesh.num_faces() as u64;
    document.charge(elements, DRACO_ELEMENT_BYTES, object)?;
    let attributes = (0..mesh.num_attributes()).map(|id| mesh.attribute(id));
    let bytes = attributes.map(|attribute| attribute.buffer().data_size() as u64);
    document.charge(bytes.sum(), 1, object)?;
    Ok(mesh)
}
