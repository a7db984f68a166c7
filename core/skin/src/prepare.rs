//! What methods need to know of a character beside its weights.

use throng_rig::{Character, Mesh, MeshError, Method, Skinning};

use crate::{blend_factors, rotation_centers};

/// Whether [`prepare`] has been called where the method needs it.
pub fn is_prepared(character: &Character, skinning: Skinning) -> bool {
    let mut skinned = character
        .meshes()
        .iter()
        .filter(|mesh| mesh.vertex_cache().is_none() && mesh.vertex_count() > 0);
    match skinning {
        Skinning::BlendAuto => skinned.all(|mesh| !mesh.blend_factors().is_empty()),
        Skinning::Method(Method::Cor) => skinned.all(|mesh| !mesh.rotation_centers().is_empty()),
        _ => true,
    }
}

/// Gives a character what the method needs: blend factors for `blend:auto`, centres of rotation for `cor`. Other methods
/// need nothing.
///
/// Factors come from the clips that the character has now, so call it once they are chosen.
pub fn prepare(character: Character, skinning: Skinning) -> Character {
    match skinning {
        Skinning::BlendAuto => {
            let factors = blend_factors(&character);
            set(character, factors, Mesh::set_blend_factors)
        }
        Skinning::Method(Method::Cor) => {
            let centers = rotation_centers(&character);
            set(character, centers, Mesh::set_rotation_centers)
        }
        _ => character,
    }
}

/// Gives a character the blend factors and the centres of rotation of another, as far as the method needs them. Returns
/// `None` if that is not prepared, or if its meshes have other numbers of vertices.
pub fn prepare_like(
    character: &Character,
    model: &Character,
    skinning: Skinning,
) -> Option<Character> {
    let counts = |character: &Character| -> Vec<usize> {
        let meshes = character.meshes().iter();
        meshes.map(Mesh::vertex_count).collect()
    };
    if counts(character) != counts(model) || !is_prepared(model, skinning) {
        return None;
    }
    let meshes = model.meshes().iter();
    let character = character.clone();
    Some(match skinning {
        Skinning::BlendAuto => {
            let factors = meshes.map(|mesh| mesh.blend_factors().to_vec());
            set(character, factors.collect(), Mesh::set_blend_factors)
        }
        Skinning::Method(Method::Cor) => {
            let centers = meshes.map(|mesh| mesh.rotation_centers().to_vec());
            set(character, centers.collect(), Mesh::set_rotation_centers)
        }
        _ => character,
    })
}

fn set<T>(
    character: Character,
    values: Vec<Vec<T>>,
    set: impl Fn(&mut Mesh, Vec<T>) -> Result<(), MeshError>,
) -> Character {
    let mut parts = character.into_parts();
    // Vertices of a cache have neither.
    let meshes = parts.meshes.iter_mut().zip(values);
    for (mesh, values) in meshes.filter(|(mesh, _)| mesh.vertex_cache().is_none()) {
        set(mesh, values).expect("there is one finite value per vertex");
    }
    Character::new(parts).expect("the character was valid before")
}
