//! Characters of the benchmark.

use std::sync::Arc;

use throng_bake::accuracy::moving_joints;
use throng_bake::drawing_order;
use throng_import::{ImportOptions, PositionSharing, import};
use throng_rig::{Character, Clip, Mesh};
use throng_skin::rest_size;

use crate::BenchError;
use crate::record::Subject;

/// A character: imported when its turn comes, or given.
#[derive(Debug, Clone)]
pub struct SubjectSpec {
    /// File or `builtin:NAME`.
    pub source: String,
    /// Import options.
    pub options: ImportOptions,
    /// Names of the clips that instances play; empty for all.
    pub clips: Vec<String>,
    /// The character, if it was imported already.
    pub character: Option<Character>,
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
            character: None,
        }
    }

    /// Imports the character and puts it into drawing order, with only the clips that instances play.
    pub fn prepare(&self) -> Result<(Arc<Character>, Subject), BenchError> {
        let fault = |reason: String| BenchError::Subject {
            source_name: self.source.clone(),
            reason,
        };
        let character = match &self.character {
            Some(character) => character.clone(),
            None => import(&self.source, &self.options)?.character,
        };
        let mut parts = character.into_parts();
        let known: Vec<&str> = parts.clips.iter().map(|clip| clip.name.as_str()).collect();
        if let Some(unknown) = self
            .clips
            .iter()
            .find(|name| !known.contains(&name.as_str()))
        {
            let known = known.join(", ");
            return Err(fault(format!(
                "there is no clip '{unknown}'; expected one of {known}"
            )));
        }
        let is_played = |name: &String| self.clips.is_empty() || self.clips.contains(name);
        parts
            .clips
            .retain(|clip| is_played(&clip.name) && clip.duration_secs() > 0.0);
        if parts.clips.is_empty() {
            return Err(fault(
                "there is no clip to play: choose a character with motion".into(),
            ));
        }
        if parts.parts.is_empty() {
            return Err(fault("there is no mesh to draw".into()));
        }
        let character = Character::new(parts).map_err(|error| fault(error.to_string()))?;
        let character = Arc::new(drawing_order(&character));
        let subject = describe(&character, &self.source);
        Ok((character, subject))
    }
}

fn describe(character: &Character, source: &str) -> Subject {
    let parts = character.parts();
    let meshes = || parts.iter().map(|part| character.mesh_of(part));
    let influences = meshes().map(|mesh| mesh.influences().max_per_vertex());
    let clips = character.clips().iter();
    Subject {
        name: character.name.clone(),
        source: source.to_owned(),
        meshes: parts.len(),
        vertices: meshes().map(Mesh::vertex_count).sum(),
        triangles: meshes().map(|mesh| mesh.triangles().len()).sum(),
        joints: moving_joints(character).len(),
        influences: influences.max().unwrap_or(0),
        size_m: rest_size(character),
        clip_secs: clips.map(Clip::duration_secs).sum(),
    }
}
