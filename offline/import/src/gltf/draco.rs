//! Primitives compressed by Draco (`KHR_draco_mesh_compression`).

use draco_core::{DecodeLimits, DecoderBuffer, MeshDecoder};

use super::document::Document;
use super::schema;
use crate::error::{ErrorKind, Fault, Outcome};

/// A decoded primitive.
pub(super) struct DracoMesh<'d> {
    mesh: draco_core::Mesh,
    /// Draco attribute ids by glTF attribute.
    ids: &'d std::collections::BTreeMap<String, u32>,
}

impl<'d> DracoMesh<'d> {
    pub(super) fn decode(
        document: &Document,
        compression: &'d schema::Draco,
        object: &str,
    ) -> Outcome<Self> {
        let bytes = document.view(compression.buffer_view, object)?;
        let left = document.budget.left();
        let limits = DecodeLimits::default()
            .with_max_points(left / 12)
            .with_max_faces(left / 12)
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
        document.charge(mesh.num_faces() as u64, 12, object)?;
        Ok(Self {
            mesh,
            ids: &compression.attributes,
        })
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.mesh.num_points()
    }

    /// Returns the vertex indices of the triangles.
    pub(super) fn indices(&self) -> Vec<u32> {
        let faces = self.mesh.faces().iter();
        faces.flat_map(|face| face.map(|point| point.0)).collect()
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
