//! Characters with fewer influences per vertex.

use throng_rig::Character;

use crate::accuracy::Probe;
use crate::accuracy::moving_joints;

/// Influences per vertex that most engines support.
const COMMON_INFLUENCES: usize = 4;

/// Returns the character with at most `count` influences per vertex, but at least one: the heaviest, normalised to a
/// sum of one.
pub fn keep_influences(character: &Character, count: usize) -> Character {
    let mut parts = character.clone().into_parts();
    for mesh in &mut parts.meshes {
        if mesh.influences().max_per_vertex() > count {
            mesh.set_influences(mesh.influences().heaviest(count))
                .expect("the number of vertices is unchanged");
        }
    }
    Character::new(parts).expect("a checked character stays valid with fewer influences")
}

/// A form of the source that candidates are baked from.
pub(super) struct Variant {
    /// The source with its influences limited.
    pub character: Character,
    /// The probe's vertices of `character`.
    pub probe: Character,
    /// Most influences per vertex, where that is fewer than the source has.
    pub limit: Option<usize>,
}

/// Returns the source with the fixed number of influences. Without one: the source with all influences, and with four
/// where that leaves fewer joints. Textures hold no weights: with the same joints, fewer influences take the same
/// bytes and only add error.
pub(super) fn variants(source: &Character, probe: &Probe, fixed: Option<usize>) -> Vec<Variant> {
    let most = max_influences(source);
    let variant = |character: Character, limit: Option<usize>| Variant {
        probe: probe.reduce(&character),
        character,
        limit,
    };
    let limited = |count: usize| variant(keep_influences(source, count), Some(count));
    let whole = || variant(source.clone(), None);
    match fixed {
        Some(count) if count < most => vec![limited(count)],
        Some(_) => vec![whole()],
        None => {
            let mut variants = vec![whole()];
            if most > COMMON_INFLUENCES {
                let fewer = limited(COMMON_INFLUENCES);
                if moving_joints(&fewer.character).len() < moving_joints(source).len() {
                    variants.push(fewer);
                }
            }
            variants
        }
    }
}

/// Returns the largest number of influences of any vertex.
pub(super) fn max_influences(character: &Character) -> usize {
    let parts = character.parts().iter();
    let counts = parts.map(|part| character.mesh_of(part).influences().max_per_vertex());
    counts.max().unwrap_or(0)
}
