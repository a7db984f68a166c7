//! What the humanoid promises.

mod bends;
mod clips;
mod feet;
mod shape;

use throng_rig::{Character, Clip, Mesh};

use super::humanoid;

/// Coarse enough to be skinned many times over.
const COARSE: usize = 2_330;

fn mesh(character: &Character) -> &Mesh {
    &character.meshes()[0]
}

fn clip<'a>(character: &'a Character, name: &str) -> &'a Clip {
    let found = character.clips().iter().find(|clip| clip.name == name);
    found.unwrap_or_else(|| panic!("a clip '{name}'"))
}
