//! Characters as P0's textures hold them.

use throng_format::p0;
use throng_rig::{Character, Mesh};

use crate::{BakeWarning, Preset};

/// Returns the character with what P0's shaders cannot read left out: for bone textures, influences past the third; for
/// vertex textures, all but one normal per unique position.
pub(crate) fn p0_model(character: Character, preset: Preset) -> (Character, Vec<BakeWarning>) {
    let mut parts = character.into_parts();
    let mut warnings = Vec::new();
    match preset {
        Preset::P0Vertex8 => {
            let positions = parts.meshes.iter_mut().map(Mesh::merge_normals).sum();
            if positions > 0 {
                warnings.push(BakeWarning::Normals { positions });
            }
        }
        _ => {
            let counts = parts
                .meshes
                .iter()
                .map(|mesh| mesh.influences().max_per_vertex());
            let most = counts.max().unwrap_or(0);
            let vertices = parts.meshes.iter_mut().map(limit_influences).sum();
            if vertices > 0 {
                warnings.push(BakeWarning::Influences {
                    vertices,
                    most,
                    kept: p0::MAX_INFLUENCES,
                });
            }
        }
    }
    let character = Character::new(parts).expect("a checked character stays valid");
    (character, warnings)
}

/// Keeps the heaviest influences of each vertex, and returns the number of vertices that had more. Vertices that share a
/// unique position still do, because their influences are equal.
fn limit_influences(mesh: &mut Mesh) -> usize {
    let influences = mesh.influences();
    let is_above = |&vertex: &usize| influences.run(vertex).0.len() > p0::MAX_INFLUENCES;
    let above = (0..influences.vertex_count()).filter(is_above).count();
    if above > 0 {
        mesh.set_influences(influences.heaviest(p0::MAX_INFLUENCES))
            .expect("the number of vertices is unchanged");
    }
    above
}
