//! What offsets of vertices are added to.

use glam::Vec3;
use throng_rig::{Character, CharacterPose, Skinning};
use throng_skin::reference::{Skinned, skin_part};

/// The rest pose: one entry a true position and a true normal, parts in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RestVertices {
    /// In model space, metres.
    pub positions: Vec<Vec3>,
    /// Of unit length.
    pub normals: Vec<Vec3>,
}

/// The vertices of a model in its rest pose, which offsets of a vertex set are from: skinned in float64
/// by the set's method, rounded to float32. Meshes may be bound in
/// other units or places than they are posed in; offsets from there would be far longer than any motion.
pub fn rest_vertices(model: &Character, skinning: impl Into<Skinning>) -> RestVertices {
    let skinning = skinning.into();
    let pose = CharacterPose::rest(model);
    let mut out = RestVertices::default();
    let mut skinned = Skinned::default();
    for part in model.parts() {
        skin_part(model, part, &pose, skinning, &mut skinned);
        let unique = model.mesh_of(part).unique();
        let first = unique.first_of_position().iter();
        out.positions
            .extend(first.map(|&vertex| skinned.positions[vertex as usize].as_vec3()));
        let first = unique.first_of_normal().iter();
        out.normals
            .extend(first.map(|&vertex| skinned.normals[vertex as usize].as_vec3()));
    }
    out
}
