//! What the humanoid promises.

mod bends;
mod clips;
mod feet;
mod shape;

use std::sync::LazyLock;

use throng_rig::{Character, Clip, Mesh};

use super::{DEFAULT_VERTICES, MIN_VERTICES, humanoid};

/// As few vertices as can be.
static FEWEST: LazyLock<Character> = LazyLock::new(|| humanoid(MIN_VERTICES));
/// Coarse enough to be skinned many times over.
static COARSE: LazyLock<Character> = LazyLock::new(|| humanoid(2_330));
/// As it comes without a number.
static DEFAULT: LazyLock<Character> = LazyLock::new(|| humanoid(DEFAULT_VERTICES));

fn mesh(character: &Character) -> &Mesh {
    &character.meshes()[0]
}

fn clip<'a>(character: &'a Character, name: &str) -> &'a Clip {
    let found = character.clips().iter().find(|clip| clip.name == name);
    found.unwrap_or_else(|| panic!("a clip '{name}'"))
}
