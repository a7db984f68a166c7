//! Meshes reordered for the kernels.

use glam::{DVec3, Vec3};
use throng_rig::Mesh;
use throng_simd::Lanes;

use super::batching::{BATCH, Group, group};

/// Largest number of batches per run, so that work can be divided evenly.
pub(super) const MAX_RUN_BATCHES: usize = 128;

/// Rows of [`Lanes`] in a batch's record before its weights: position x, y, z and normal x, y, z.
pub(super) const REST_ROWS: usize = 6;

/// A mesh in the order and layout of the kernels. Made once from a [`Mesh`], then only read.
///
/// Vertices are in batches of [`BATCH`] that share one set of joints. The last batch of a set is padded with
/// copies of one of its vertices, so there are more *slots* than vertices. [`Self::source_of`] maps slots to
/// vertices, [`Self::slot_of`] maps vertices to slots.
///
/// All influences are kept. Morph targets are not: apply them, then call [`Self::update_rest`].
#[derive(Debug, Clone)]
pub struct FastMesh {
    runs: Vec<Run>,
    joints: Vec<u32>,
    /// Records of all batches: [`REST_ROWS`], then one row of weights per joint of the run.
    records: Vec<Lanes>,
    /// Index of the heaviest joint among those of the run, per slot.
    pivots: Vec<[u32; BATCH]>,
    /// Blend factors of each batch, as authored.
    factors: Vec<Lanes>,
    /// Centres of rotation of each batch, x, y and z; empty if the mesh has none.
    centers: Vec<[Lanes; 3]>,
    source_of: Vec<u32>,
    slot_of: Vec<u32>,
    max_joint: usize,
}

/// Consecutive batches that share one set of joints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Index of its first joint in the list of all.
    pub first_joint: usize,
    /// Number of joints, at least one.
    pub influences: usize,
    /// Index of its first batch.
    pub first_batch: usize,
    /// Number of batches.
    pub batches: usize,
    /// Index of its first row.
    pub first_row: usize,
}

impl Run {
    /// Number of rows per batch.
    pub fn rows(&self) -> usize {
        REST_ROWS + self.influences
    }
}

impl FastMesh {
    /// Reorders a mesh. Morph targets are left out; normals are normalised.
    pub fn new(mesh: &Mesh) -> Self {
        let mut out = Self {
            runs: Vec::new(),
            joints: Vec::new(),
            records: Vec::new(),
            pivots: Vec::new(),
            factors: Vec::new(),
            centers: Vec::new(),
            source_of: Vec::new(),
            slot_of: vec![0; mesh.vertex_count()],
            max_joint: mesh.influences().max_joint(),
        };
        for group in group(mesh.influences()) {
            out.push_group(mesh, &group);
        }
        out.update_rest(mesh.positions(), mesh.normals());
        out.update_rotation_centers(mesh.rotation_centers());
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

    /// Adds maps, weights, pivots and factors. [`Self::update_rest`] adds positions and normals.
    fn push_batch(&mut self, mesh: &Mesh, joints: &[u32], vertices: &[u32]) {
        let weights = self.records.len() + REST_ROWS;
        self.records.resize(weights + joints.len(), Lanes::ZERO);
        let mut pivots = [0; BATCH];
        let mut factors = Lanes::ZERO;
        for (lane, pivot) in pivots.iter_mut().enumerate() {
            let vertex = *vertices.get(lane).unwrap_or(&vertices[0]);
            if lane < vertices.len() {
                self.slot_of[vertex as usize] = self.source_of.len() as u32;
            }
            self.source_of.push(vertex);
            let factor = mesh.blend_factors().get(vertex as usize);
            factors.0[lane] = factor.copied().unwrap_or(0.0);
            let (vertex_joints, vertex_weights) = mesh.influences().run(vertex as usize);
            for (rank, (joint, &weight)) in vertex_joints.iter().zip(vertex_weights).enumerate() {
                let index = joints
                    .binary_search(joint)
                    .expect("a group has all joints of its vertices");
                self.records[weights + index].0[lane] = weight;
                if rank == 0 {
                    *pivot = index as u32;
                }
            }
        }
        self.pivots.push(pivots);
        self.factors.push(factors);
    }

    /// Sets positions and normals in bind space, one per vertex of the mesh, as after morphing. Normals are
    /// normalised.
    ///
    /// # Panics
    /// If the counts differ from the mesh's.
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

    /// Sets the centre of rotation of each vertex in bind space, for [`throng_rig::Method::Cor`]. Without centres each
    /// vertex is its own.
    ///
    /// # Panics
    /// If there are centres, and their count differs from the mesh's.
    pub fn update_rotation_centers(&mut self, centers: &[Vec3]) {
        self.centers.clear();
        if centers.is_empty() {
            return;
        }
        assert_eq!(centers.len(), self.vertex_count(), "centres of rotation");
        self.centers
            .extend(self.source_of.chunks_exact(BATCH).map(|vertices| {
                let mut axes = [Lanes::ZERO; 3];
                for (lane, &vertex) in vertices.iter().enumerate() {
                    let center = centers[vertex as usize];
                    for (axis, lanes) in axes.iter_mut().enumerate() {
                        lanes.0[lane] = center[axis];
                    }
                }
                axes
            }));
    }

    /// Number of vertices of the mesh.
    pub fn vertex_count(&self) -> usize {
        self.slot_of.len()
    }

    /// Number of batches.
    pub fn batch_count(&self) -> usize {
        self.pivots.len()
    }

    /// Vertex of each slot, batch by batch. A vertex may be in several slots, with equal results.
    pub fn source_of(&self) -> &[u32] {
        &self.source_of
    }

    /// Slot of each vertex: batch `slot / BATCH`, lane `slot % BATCH`.
    pub fn slot_of(&self) -> &[u32] {
        &self.slot_of
    }

    /// Number of runs: consecutive batches that share a set of joints.
    pub fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Number of bytes that skinning reads: positions, normals and weights, with padding.
    pub fn read_bytes(&self) -> usize {
        size_of_val(self.records.as_slice())
    }

    /// Largest palette index in use.
    pub(super) fn max_joint(&self) -> usize {
        self.max_joint
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(super) fn joints_of(&self, run: &Run) -> &[u32] {
        &self.joints[run.first_joint..][..run.influences]
    }

    /// Records of a run, [`Run::rows`] per batch.
    pub(super) fn records_of(&self, run: &Run) -> &[Lanes] {
        &self.records[run.first_row..][..run.batches * run.rows()]
    }

    pub(super) fn pivots_of(&self, run: &Run) -> &[[u32; BATCH]] {
        &self.pivots[run.first_batch..][..run.batches]
    }

    pub(super) fn factors_of(&self, run: &Run) -> &[Lanes] {
        &self.factors[run.first_batch..][..run.batches]
    }

    /// Centres of rotation, if the mesh has them.
    pub(super) fn centers_of(&self, run: &Run) -> Option<&[[Lanes; 3]]> {
        (!self.centers.is_empty()).then(|| &self.centers[run.first_batch..][..run.batches])
    }
}
