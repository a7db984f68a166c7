//! Numbers of each vertex that some methods need beside its weights.

use throng_rig::{Character, Clip, Mesh, MeshError, Method, Skinning};

use crate::{blend_factors, rotation_centers};

/// Returns true if [`prepare`] has been called, or the method does not need it.
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
/// Factors are chosen from `clips`, indices of clips of the character, or from all its clips where there are no indices.
pub fn prepare(character: Character, skinning: Skinning, clips: &[usize]) -> Character {
    match skinning {
        Skinning::BlendAuto => {
            let all = character.clips();
            let clips: Vec<&Clip> = match clips {
                [] => all.iter().collect(),
                some => some.iter().map(|&clip| &all[clip]).collect(),
            };
            let factors = blend_factors(&character, &clips);
            set(character, factors, Mesh::set_blend_factors)
        }
        Skinning::Method(Method::Cor) => {
            let centers = rotation_centers(&character);
            set(character, centers, Mesh::set_rotation_centers)
        }
        _ => character,
    }
}

/// Gives the source of a bake what the method needs, so that the bake can be compared with it. Factors are a choice of the
/// bake: they are those of `baked`. Centres follow from the source.
///
/// Factors are chosen from all clips where `baked` has none, or another number of vertices.
pub fn prepare_source(source: Character, baked: &Character, skinning: Skinning) -> Character {
    let counts = |character: &Character| -> Vec<usize> {
        let meshes = character.meshes().iter();
        meshes.map(Mesh::vertex_count).collect()
    };
    let has_factors = counts(&source) == counts(baked) && is_prepared(baked, skinning);
    if skinning != Skinning::BlendAuto || !has_factors {
        return prepare(source, skinning, &[]);
    }
    let factors = baked.meshes().iter();
    let factors = factors.map(|mesh| mesh.blend_factors().to_vec());
    set(source, factors.collect(), Mesh::set_blend_factors)
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
