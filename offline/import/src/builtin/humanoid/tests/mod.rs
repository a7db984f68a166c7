//! Tests of the humanoid.

mod bends;
mod clips;
mod feet;
mod shape;

use std::sync::LazyLock;

use throng_rig::{Character, Clip, Mesh};

use super::{DEFAULT_VERTICES, MIN_VERTICES, humanoid};
use crate::builtin::surface::FaceVertices;

/// Humanoid with the minimum number of vertices.
static FEWEST: LazyLock<Character> = LazyLock::new(|| whole(MIN_VERTICES));
/// Humanoid coarse enough to be skinned many times.
static COARSE: LazyLock<Character> = LazyLock::new(|| whole(2_330));
/// Humanoid with the default number of vertices.
static DEFAULT: LazyLock<Character> = LazyLock::new(|| whole(DEFAULT_VERTICES));

/// Generates the humanoid as it is drawn.
fn whole(vertices: usize) -> Character {
    humanoid(vertices, FaceVertices::Shared)
}

fn mesh(character: &Character) -> &Mesh {
    &character.meshes()[0]
}

fn clip<'a>(character: &'a Character, name: &str) -> &'a Clip {
    let found = character.clips().iter().find(|clip| clip.name == name);
    found.unwrap_or_else(|| panic!("no clip '{name}'"))
}
