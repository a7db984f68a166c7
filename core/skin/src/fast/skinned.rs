//! Results of the kernels.

use glam::Vec3;
use throng_simd::Lanes;

use super::FastMesh;
use super::batching::BATCH;

/// Skinned vertices of one batch: x, y and z of all vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct SkinnedBatch {
    /// Positions in model space, in metres.
    pub positions: [Lanes; 3],
    /// Unit normals.
    pub normals: [Lanes; 3],
}

impl SkinnedBatch {
    const ZERO: Self = Self {
        positions: [Lanes::ZERO; 3],
        normals: [Lanes::ZERO; 3],
    };
}

/// A skinned mesh in batch order, the layout that the kernels write. Made once, then reused.
///
/// Slots are those of the [`FastMesh`]. [`Self::copy_in_mesh_order`] restores the vertex order of the mesh.
#[derive(Debug, Clone, Default)]
pub struct FastSkinned {
    batches: Vec<SkinnedBatch>,
}

impl FastSkinned {
    /// One per batch of the mesh that was skinned last.
    pub fn batches(&self) -> &[SkinnedBatch] {
        &self.batches
    }

    /// Returns the position in a slot.
    pub fn position(&self, slot: usize) -> Vec3 {
        vector(&self.batches[slot / BATCH].positions, slot % BATCH)
    }

    /// Returns the normal in a slot.
    pub fn normal(&self, slot: usize) -> Vec3 {
        vector(&self.batches[slot / BATCH].normals, slot % BATCH)
    }

    /// Copies positions and normals into the vertex order of the mesh. It costs about as much as skinning. To
    /// avoid it, map index buffers by [`FastMesh::slot_of`] once.
    ///
    /// # Panics
    /// If the buffers do not have one element per vertex, or the mesh is not the one that was skinned.
    pub fn copy_in_mesh_order(
        &self,
        mesh: &FastMesh,
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        assert_eq!(self.batches.len(), mesh.batch_count(), "batches");
        assert_eq!(positions.len(), mesh.vertex_count(), "positions");
        assert_eq!(normals.len(), mesh.vertex_count(), "normals");
        let out = positions.iter_mut().zip(normals);
        for (&slot, (position, normal)) in mesh.slot_of().iter().zip(out) {
            let batch = &self.batches[slot as usize / BATCH];
            *position = vector(&batch.positions, slot as usize % BATCH);
            *normal = vector(&batch.normals, slot as usize % BATCH);
        }
    }

    pub(super) fn resize(&mut self, batches: usize) -> &mut [SkinnedBatch] {
        self.batches.resize(batches, SkinnedBatch::ZERO);
        &mut self.batches
    }
}

#[inline]
fn vector(axes: &[Lanes; 3], lane: usize) -> Vec3 {
    Vec3::new(axes[0].0[lane], axes[1].0[lane], axes[2].0[lane])
}
