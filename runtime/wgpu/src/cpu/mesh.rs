//! Meshes that the CPU skins.

use glam::Vec3;
use throng_rig::{Mesh, Method, Skinning};
use throng_skin::fast::FastMesh;

/// A mesh laid out for the kernels.
#[derive(Debug)]
pub(crate) struct CpuMesh {
    pub mesh: FastMesh,
    pub tips: Option<Tips>,
    pub method: MeshMethod,
}

/// Tips of the tangents, as another mesh in the same batches: the vector from a skinned vertex to its skinned tip is the
/// skinned tangent, because the motion of a vertex is affine.
#[derive(Debug, Clone)]
pub(crate) struct Tips {
    pub mesh: FastMesh,
    /// Length of a tangent: about the size of the mesh, so that rounding of positions does not matter.
    pub length: f32,
    /// Signs of the bitangents.
    pub signs: Vec<f32>,
}

/// Method of all vertices of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MeshMethod {
    Same(Method),
    /// [`Method::Blend`] with the authored factor of each vertex.
    BlendByVertex,
}

impl CpuMesh {
    pub fn new(mesh: &Mesh, skinning: Skinning) -> Self {
        let fast = FastMesh::new(mesh);
        Self {
            tips: (!mesh.tangents().is_empty()).then(|| Tips::new(mesh, &fast)),
            mesh: fast,
            method: match skinning.method_of_mesh(mesh) {
                Some(method) => MeshMethod::Same(method),
                None => MeshMethod::BlendByVertex,
            },
        }
    }
}

impl Tips {
    fn new(mesh: &Mesh, fast: &FastMesh) -> Self {
        let farthest = mesh.positions().iter().map(|position| position.length());
        let length = farthest.fold(0.0, f32::max);
        let mut tips = Self {
            mesh: fast.clone(),
            length: if length > 0.0 { length } else { 1.0 },
            signs: mesh.tangents().iter().map(|tangent| tangent.w).collect(),
        };
        let tangents = mesh.tangents().iter().map(|tangent| tangent.truncate());
        let positions: Vec<Vec3> = mesh
            .positions()
            .iter()
            .zip(tangents)
            .map(|(&position, tangent)| position + tangent * tips.length)
            .collect();
        tips.mesh.update_rest(&positions, mesh.normals());
        if mesh.rotation_centers().is_empty() {
            // A vertex that is its own centre is that of its tip, too.
            tips.mesh.update_rotation_centers(mesh.positions());
        }
        tips
    }
}
