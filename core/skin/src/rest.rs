//! Skinning the rest pose.

use throng_rig::{Character, CharacterPose, RestVertices, Skinning};

use crate::reference::{Skinned, skin_part};

/// Skins the rest pose in float64 and rounds it to float32.
pub fn rest_vertices(character: &Character, skinning: impl Into<Skinning>) -> RestVertices {
    let skinning = skinning.into();
    let pose = CharacterPose::rest(character);
    let mut out = RestVertices::default();
    let mut skinned = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, &pose, skinning, &mut skinned);
        let unique = character.mesh_of(part).unique();
        let first = unique.first_of_position().iter();
        out.positions
            .extend(first.map(|&vertex| skinned.positions[vertex as usize].as_vec3()));
        let first = unique.first_of_normal().iter();
        out.normals
            .extend(first.map(|&vertex| skinned.normals[vertex as usize].as_vec3()));
    }
    out
}
