//! Morph targets, applied before skinning.

use glam::Vec3;
use throng_rig::Mesh;
use throng_skin::fast::FastMesh;

use crate::cpu::mesh::CpuMesh;

/// A morphed copy of a mesh.
#[derive(Debug)]
pub(crate) struct MorphedMesh {
    pub mesh: FastMesh,
    pub tips: Option<FastMesh>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl MorphedMesh {
    pub fn new(mesh: &CpuMesh) -> Self {
        Self {
            mesh: mesh.mesh.clone(),
            tips: mesh.tips.as_ref().map(|tips| tips.mesh.clone()),
            positions: Vec::new(),
            normals: Vec::new(),
        }
    }

    /// Applies the targets of a mesh, one weight each.
    pub fn update(&mut self, mesh: &Mesh, fast: &CpuMesh, weights: &[f32]) {
        self.positions.clear();
        self.positions.extend_from_slice(mesh.positions());
        self.normals.clear();
        self.normals.extend_from_slice(mesh.normals());
        let targets = || mesh.morph_targets().iter().zip(weights);
        for (target, &weight) in targets().filter(|(_, weight)| **weight != 0.0) {
            add(&mut self.positions, &target.positions, weight);
            add(&mut self.normals, &target.normals, weight);
        }
        for (normal, &rest) in self.normals.iter_mut().zip(mesh.normals()) {
            let unit = normal.try_normalize().or_else(|| rest.try_normalize());
            *normal = unit.unwrap_or(Vec3::Y);
        }
        self.mesh.update_rest(&self.positions, &self.normals);
        if let (Some(out), Some(tips)) = (&mut self.tips, &fast.tips) {
            for (position, tangent) in self.positions.iter_mut().zip(mesh.tangents()) {
                *position += tangent.truncate() * tips.length;
            }
            for (target, &weight) in targets() {
                add(&mut self.positions, &target.tangents, weight * tips.length);
            }
            out.update_rest(&self.positions, &self.normals);
        }
    }
}

/// Adds weighted differences, which may be missing.
fn add(to: &mut [Vec3], differences: &[Vec3], weight: f32) {
    for (to, difference) in to.iter_mut().zip(differences) {
        *to += *difference * weight;
    }
}
