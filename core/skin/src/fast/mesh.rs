//! The one-time reorder of a mesh.

use glam::{DVec3, Vec3};
use throng_rig::Mesh;
use throng_simd::Lanes;

use super::batching::{BATCH, Group, group};

/// Batches in a run at most, so that work can be shared out evenly.
pub(super) const MAX_RUN_BATCHES: usize = 128;

/// Rows of [`Lanes`] in a batch's record before its weights: position x, y, z and normal x, y, z.
pub(super) const REST_ROWS: usize = 6;

/// A mesh in the order and layout that the kernels want. Made once from a [`Mesh`], then only read.
///
/// Vertices stand in batches of [`BATCH`] that share one set of joints. The last batch of a set is filled
/// up with copies of one of its vertices, so there are more *slots* than vertices: [`Self::source_of`]
/// says which vertex a slot holds, [`Self::slot_of`] the one slot that speaks for a vertex.
///
/// Every influence is kept, however many there are. Morph targets are not: morph first, then
/// [`Self::update_rest`].
#[derive(Debug, Clone)]
pub struct FastMesh {
    runs: Vec<Run>,
    joints: Vec<u32>,
    /// Records of all batches in a row: [`REST_ROWS`], then one row of weights a joint of the run.
    records: Vec<Lanes>,
    /// One a slot: which joint of its run is the heaviest.
    pivots: Vec<[u32; BATCH]>,
    source_of: Vec<u32>,
    slot_of: Vec<u32>,
    max_joint: usize,
}

/// Batches in a row that share one set of joints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Where its joints start in the list of all.
    pub first_joint: usize,
    /// How many joints it has: at least one.
    pub influences: usize,
    /// Its first batch.
    pub first_batch: usize,
    /// How many batches it has.
    pub batches: usize,
    /// Where its records start.
    pub first_row: usize,
}

impl Run {
    /// Rows of one batch's record.
    pub fn rows(&self) -> usize {
        REST_ROWS + self.influences
    }
}

impl FastMesh {
    /// Reorders a mesh. Its morph targets are left out; its normals are made of unit length.
    pub fn new(mesh: &Mesh) -> Self {
        let mut out = Self {
            runs: Vec::new(),
            joints: Vec::new(),
            records: Vec::new(),
            pivots: Vec::new(),
            source_of: Vec::new(),
            slot_of: vec![0; mesh.vertex_count()],
            max_joint: mesh.influences().max_joint(),
        };
        for group in group(mesh.influences()) {
            out.push_group(mesh, &group);
        }
        out.update_rest(mesh.positions(), mesh.normals());
        out
    }

    fn push_group(&mut self, mesh: &Mesh, group: &Group) {
        let first_joint = self.joints.len();
        self.joints.extend_from_slice(&group.joints);
        for vertices in group.vertices.chunks(MAX_RUN_BATCHES * BATCH) {
            self.runs.push(Run {
                first_joint,
                influences: group.joints.len(),
                first_batch: self.pivots.len(),
                batches: vertices.len().div_ceil(BATCH),
                first_row: self.records.len(),
            });
            for batch in vertices.chunks(BATCH) {
                self.push_batch(mesh, &group.joints, batch);
            }
        }
    }

    /// Lays out maps, weights and pivots; positions and normals come later.
    fn push_batch(&mut self, mesh: &Mesh, joints: &[u32], vertices: &[u32]) {
        let weights = self.records.len() + REST_ROWS;
        self.records.resize(weights + joints.len(), Lanes::ZERO);
        let mut pivots = [0; BATCH];
        for (lane, pivot) in pivots.iter_mut().enumerate() {
            let vertex = *vertices.get(lane).unwrap_or(&vertices[0]);
            if lane < vertices.len() {
                self.slot_of[vertex as usize] = self.source_of.len() as u32;
            }
            self.source_of.push(vertex);
            let (own_joints, own_weights) = mesh.influences().run(vertex as usize);
            for (rank, (joint, &weight)) in own_joints.iter().zip(own_weights).enumerate() {
                let index = joints.binary_search(joint).expect("a group has them all");
                self.records[weights + index].0[lane] = weight;
                if rank == 0 {
                    *pivot = index as u32;
                }
            }
        }
        self.pivots.push(pivots);
    }

    /// Takes other positions and normals in bind space, one a vertex of the mesh, as after morphing.
    /// Normals are made of unit length.
    ///
    /// # Panics
    /// Where the counts differ from the mesh's.
    pub fn update_rest(&mut self, positions: &[Vec3], normals: &[Vec3]) {
        assert_eq!(positions.len(), self.vertex_count(), "positions");
        assert_eq!(normals.len(), self.vertex_count(), "normals");
        for run in &self.runs {
            let rows = &mut self.records[run.first_row..][..run.batches * run.rows()];
            for (index, record) in rows.chunks_exact_mut(run.rows()).enumerate() {
                let first_slot = (run.first_batch + index) * BATCH;
                for (lane, &vertex) in self.source_of[first_slot..][..BATCH].iter().enumerate() {
                    let position = positions[vertex as usize];
                    let normal = normals[vertex as usize];
                    let unit = normal.as_dvec3().try_normalize();
                    let normal = unit.map_or(normal, |unit: DVec3| unit.as_vec3());
                    for axis in 0..3 {
                        record[axis].0[lane] = position[axis];
                        record[3 + axis].0[lane] = normal[axis];
                    }
                }
            }
        }
    }

    /// How many vertices the mesh has.
    pub fn vertex_count(&self) -> usize {
        self.slot_of.len()
    }

    /// How many batches there are.
    pub fn batch_count(&self) -> usize {
        self.pivots.len()
    }

    /// The vertex of each slot, batch after batch. A vertex may be in several slots, with the same result.
    pub fn source_of(&self) -> &[u32] {
        &self.source_of
    }

    /// The slot of each vertex: batch `slot / BATCH`, lane `slot % BATCH`.
    pub fn slot_of(&self) -> &[u32] {
        &self.slot_of
    }

    /// How many sets of joints in a row the kernels work through.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Bytes that skinning reads: positions, normals and weights, with padding.
    pub fn read_bytes(&self) -> usize {
        size_of_val(self.records.as_slice())
    }

    /// The largest joint that any vertex uses.
    pub(super) fn max_joint(&self) -> usize {
        self.max_joint
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(super) fn joints_of(&self, run: &Run) -> &[u32] {
        &self.joints[run.first_joint..][..run.influences]
    }

    /// The records of a run, [`Run::rows`] for each batch.
    pub(super) fn records_of(&self, run: &Run) -> &[Lanes] {
        &self.records[run.first_row..][..run.batches * run.rows()]
    }

    pub(super) fn pivots_of(&self, run: &Run) -> &[[u32; BATCH]] {
        &self.pivots[run.first_batch..][..run.batches]
    }
}
