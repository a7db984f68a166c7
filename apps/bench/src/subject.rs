//! Characters of the benchmark.

use std::sync::Arc;

use throng_bake::accuracy::moving_joints;
use throng_bake::drawing_order;
use throng_format::TextureSet;
use throng_import::{ImportOptions, PositionSharing, import};
use throng_rig::{Character, CharacterPose};

use crate::BenchError;
use crate::record::Subject;

/// A character to import: where from, and which part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectSpec {
    /// File or `builtin:NAME`.
    pub source: String,
    /// Import options.
    pub options: ImportOptions,
    /// Names of the clips that instances play; empty for all.
    pub clips: Vec<String>,
    /// A texture set of the character, which takes part in the contest.
    pub set: Option<Arc<TextureSet>>,
}

impl SubjectSpec {
    /// A built-in character with some of its clips.
    pub fn builtin(name: &str, positions: PositionSharing, clips: &[&str]) -> Self {
        Self {
            source: format!("{}{name}", throng_import::builtin::PREFIX),
            options: ImportOptions {
                positions,
                ..ImportOptions::default()
            },
            clips: clips.iter().map(|&clip| clip.to_owned()).collect(),
            set: None,
        }
    }
}

/// A character that takes part: in drawing order, with only the clips that instances play.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The character.
    pub character: Arc<Character>,
    /// Description.
    pub subject: Subject,
    /// Warnings of the import.
    pub warnings: Vec<String>,
}

/// Imports a character.
pub fn prepare(spec: &SubjectSpec) -> Result<Prepared, BenchError> {
    let imported = import(&spec.source, &spec.options)?;
    let fault = |reason: String| BenchError::Subject {
        source_name: spec.source.clone(),
        reason,
    };
    let mut parts = imported.character.into_parts();
    if let Some(unknown) = spec
        .clips
        .iter()
        .find(|name| !parts.clips.iter().any(|clip| clip.name == **name))
    {
        let known: Vec<&str> = parts.clips.iter().map(|clip| clip.name.as_str()).collect();
        return Err(fault(format!(
            "there is no clip '{unknown}'; expected one of {}",
            known.join(", ")
        )));
    }
    if !spec.clips.is_empty() {
        parts.clips.retain(|clip| spec.clips.contains(&clip.name));
    }
    // A clip of one pose has nothing to play.
    parts.clips.retain(|clip| clip.duration_secs() > 0.0);
    if parts.clips.is_empty() {
        return Err(fault(
            "there is no clip to play: choose a character with motion".into(),
        ));
    }
    let character = Character::new(parts).map_err(|error| fault(error.to_string()))?;
    let character = Arc::new(drawing_order(&character));
    if character.parts().is_empty() {
        return Err(fault("there is no mesh to draw".into()));
    }
    let warnings = imported.warnings.iter().filter(|warning| !warning.is_note());
    Ok(Prepared {
        subject: describe(&character, &spec.source),
        warnings: warnings.map(ToString::to_string).collect(),
        character,
    })
}

fn describe(character: &Character, source: &str) -> Subject {
    let parts = character.parts();
    let meshes = || parts.iter().map(|part| character.mesh_of(part));
    Subject {
        name: character.name.clone(),
        source: source.to_owned(),
        meshes: parts.len(),
        vertices: meshes().map(|mesh| mesh.vertex_count()).sum(),
        triangles: meshes().map(|mesh| mesh.triangles().len()).sum(),
        joints: moving_joints(character).len(),
        influences: meshes()
            .map(|mesh| mesh.influences().max_per_vertex())
            .max()
            .unwrap_or(0),
        size_m: size_m(character),
        clip_secs: character.clips().iter().map(|clip| clip.duration_secs()).sum(),
    }
}

/// Largest extent of the rest pose, in metres.
pub fn size_m(character: &Character) -> f64 {
    let rest = CharacterPose::rest(character);
    throng_skin::posed_bounds(character, &rest).map_or(1.0, |bounds| bounds.size().max_element())
}
