//! Characters with fewer influences a vertex.

use throng_rig::{Character, Influences};

use crate::accuracy::Probe;
use crate::accuracy::moving_joints;

/// What most engines have room for.
const COMMON: usize = 4;

/// The character with at most `count` influences a vertex, at least one: the heaviest, summing to one.
pub fn keep_influences(character: &Character, count: usize) -> Character {
    let mut parts = character.clone().into_parts();
    for mesh in &mut parts.meshes {
        let all = mesh.influences();
        if all.max_per_vertex() <= count {
            continue;
        }
        let heaviest = (0..all.vertex_count()).map(|vertex| {
            let pairs = all.of(vertex).take(count.max(1));
            pairs.map(|(joint, weight)| (joint as u32, weight))
        });
        let kept = Influences::new(heaviest).expect("the heaviest has a weight");
        mesh.set_influences(kept)
            .expect("one run a vertex, as before");
    }
    Character::new(parts).expect("fewer influences of a character that was checked")
}

/// A character that candidates are baked from.
pub(super) struct Body {
    /// With as many influences as are kept.
    pub character: Character,
    /// The probe's vertices of it.
    pub probe: Character,
    /// How many, where that is fewer than the source has.
    pub limit: Option<usize>,
}

/// The source with as many influences as are fixed; else with all, and with four where that leaves fewer
/// joints: texels hold no weights, so that else it takes the same bytes and is only farther off.
pub(super) fn bodies(source: &Character, probe: &Probe, fixed: Option<usize>) -> Vec<Body> {
    let most = max_influences(source);
    let body = |character: Character, limit: Option<usize>| Body {
        probe: probe.reduce(&character),
        character,
        limit,
    };
    let limited = |count: usize| body(keep_influences(source, count), Some(count));
    let whole = || body(source.clone(), None);
    match fixed {
        Some(count) if count < most => vec![limited(count)],
        Some(_) => vec![whole()],
        None => {
            let mut bodies = vec![whole()];
            if most > COMMON {
                let fewer = limited(COMMON);
                if moving_joints(&fewer.character).len() < moving_joints(source).len() {
                    bodies.push(fewer);
                }
            }
            bodies
        }
    }
}

/// Influences that a vertex has at most.
pub(super) fn max_influences(character: &Character) -> usize {
    let parts = character.parts().iter();
    let counts = parts.map(|part| character.mesh_of(part).influences().max_per_vertex());
    counts.max().unwrap_or(0)
}
