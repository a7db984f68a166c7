//! A vertex in bind space.

use glam::DVec3;
use throng_rig::Mesh;

use super::morphed_position;

/// Everything about a vertex that its motion depends on.
#[derive(Debug, Clone)]
pub struct BoundVertex<I> {
    /// (joint, weight) pairs, heaviest first.
    pub influences: I,
    /// Position in bind space, morphed. Only [`throng_rig::Method::DqsBulgeFree`] depends on it.
    pub position: DVec3,
    /// Centre of rotation in bind space, for [`throng_rig::Method::Cor`].
    pub center: DVec3,
}

impl BoundVertex<()> {
    /// Returns a vertex of a mesh. One without a centre of rotation has its own position.
    pub fn of<'a>(
        mesh: &'a Mesh,
        morph_weights: &[f64],
        vertex: usize,
    ) -> BoundVertex<impl Iterator<Item = (usize, f64)> + Clone + 'a> {
        let weights = morph_weights.iter().copied().enumerate();
        let weights = weights.take(mesh.morph_targets().len());
        let position = morphed_position(mesh, weights, vertex);
        let center = mesh.rotation_centers().get(vertex);
        BoundVertex {
            influences: mesh.influences().of(vertex),
            position,
            center: center.map_or(position, |center| center.as_dvec3()),
        }
    }
}
