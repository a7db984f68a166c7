//! Characters whose parts share no mesh.

use throng_rig::{Character, CharacterParts};

/// The character with one mesh per part: parts that share a mesh may differ in their rest pose or
/// in the bones of their vertices.
pub(crate) fn mesh_per_part(character: &Character) -> CharacterParts {
    let mut parts = character.clone().into_parts();
    let meshes = character.parts().iter();
    parts.meshes = meshes.map(|part| character.mesh_of(part).clone()).collect();
    for (index, part) in parts.parts.iter_mut().enumerate() {
        part.mesh = index;
    }
    parts
}
