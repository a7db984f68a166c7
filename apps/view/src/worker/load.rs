//! Opening of files, texture sets and built-in characters.

use std::path::Path;
use std::sync::Arc;

use throng_bake::accuracy::{source_rate_hz, verify};
use throng_bake::pose_clip::add_pose_clip;
use throng_bake::{Progress, drawing_order};
use throng_format::disk::{self, DiskError};
use throng_format::{TextureSet, disk::EXTENSION};
use throng_import::{ImportOptions, PositionSharing, builtin, import};
use throng_rig::{Bounds, Character, CharacterPose, Clip, LoopPolicy, Skinning};
use throng_skin::{posed_bounds, prepare_source};

use super::PoseClipRequest;
use super::bake::summary;
use crate::choice::VertexSharing;
use crate::document::{BakedSet, Document, DocumentClip};

/// Poses in the bounding box of a clip.
const BOUNDS_POSES: u32 = 12;

/// A clip loops if no joint moves by more than this part of the size from its end to its start.
const LOOP_TOLERANCE: f64 = 1e-3;

/// Opens a source.
pub fn open(
    source: &str,
    sharing: VertexSharing,
    progress: &dyn Progress,
) -> Result<Document, String> {
    progress.stage("reading");
    if !source.starts_with(builtin::PREFIX)
        && let Some(set) = read_set(Path::new(source))?
    {
        return of_set(source, set, progress);
    }
    let options = ImportOptions {
        positions: match sharing {
            VertexSharing::Shared => PositionSharing::Shared,
            VertexSharing::Split => PositionSharing::Split,
        },
        ..ImportOptions::default()
    };
    let imported = import(source, &options).map_err(|error| error.to_string())?;
    let warnings = imported.warnings.iter().map(ToString::to_string).collect();
    let character = Arc::new(drawing_order(&imported.character));
    if character.parts().is_empty() {
        return Err(format!(
            "{source}: there is no mesh to show: open the character, or put its motion on one with `throng bake --motion`"
        ));
    }
    progress.stage("measuring the clips");
    let (rest, clips) = measured(&character, progress);
    Ok(Document {
        source: source.to_owned(),
        has_motion: true,
        is_file: true,
        clips,
        size_m: rest.extent().max_element(),
        rest,
        set: None,
        warnings,
        character,
    })
}

/// Reads a set, if the path is one.
fn read_set(path: &Path) -> Result<Option<TextureSet>, String> {
    let is_glb = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("glb"));
    let may_be_set = path.is_dir() || is_glb && has_extension(path);
    if !may_be_set {
        return Ok(None);
    }
    match disk::read(path) {
        Ok(set) if set.manifest().is_motion() => Err(format!(
            "{}: this is a motion set, without a mesh: open a set that uses it",
            path.display()
        )),
        Ok(set) => Ok(Some(set)),
        Err(DiskError::NotASet { .. }) if path.is_dir() => Err(format!(
            "{}: this folder is not a texture set: open a file in it, or a folder that `throng bake` wrote",
            path.display()
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns whether a GLB contains the name of our extension.
fn has_extension(path: &Path) -> bool {
    let name = EXTENSION.as_bytes();
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}

/// Opens a set, with its source where that is found.
fn of_set(source: &str, set: TextureSet, progress: &dyn Progress) -> Result<Document, String> {
    let manifest = set.manifest();
    let clips: Vec<DocumentClip> = manifest
        .clips
        .iter()
        .map(|clip| DocumentClip {
            name: clip.name.clone(),
            duration_secs: clip.duration_secs,
            looping: clip.looping,
            bounds: clip.bounds,
            rate_hz: clip.rate_hz,
        })
        .collect();
    let mut warnings = Vec::new();
    let found = source_of(Path::new(source), &set);
    let (character, has_motion) = match found {
        Ok(character) => (character, true),
        Err(reason) => {
            warnings.push(format!("the source is not shown: {reason}"));
            (set.model().clone(), false)
        }
    };
    let summary = match has_motion {
        true => {
            progress.stage("measuring the error");
            let report = verify(&set, &character, progress);
            report.ok().as_ref().map(summary)
        }
        false => None,
    };
    let rest = rest_bounds(&character);
    Ok(Document {
        source: source.to_owned(),
        character: Arc::new(character),
        has_motion,
        is_file: false,
        clips,
        size_m: rest.extent().max_element(),
        rest,
        warnings,
        set: Some(Arc::new(BakedSet {
            set,
            summary,
            note: None,
        })),
    })
}

/// Imports the source that a manifest names, with the clips of the set only and in their order.
fn source_of(path: &Path, set: &TextureSet) -> Result<Character, String> {
    let manifest = set.manifest();
    let named = &manifest.source.path;
    let is_plain = manifest.source.pose.is_none()
        && manifest.source.motion.is_empty()
        && manifest.source.lenders.is_empty()
        && manifest.source.caches.is_empty();
    if !is_plain {
        return Err("it was put together from several files or a pose".into());
    }
    let source = match named.starts_with(builtin::PREFIX) {
        true => named.clone(),
        false if Path::new(named).is_absolute() => {
            return Err(format!(
                "{named} is an absolute path, which is not followed"
            ));
        }
        false => {
            let folder = match path.is_dir() {
                true => path,
                false => path.parent().unwrap_or(Path::new("")),
            };
            folder.join(named).display().to_string()
        }
    };
    let options = ImportOptions {
        positions: match &manifest.source {
            source if source.corner_vertices => PositionSharing::Corners,
            source if source.shared_positions => PositionSharing::Shared,
            _ => PositionSharing::Split,
        },
        ..ImportOptions::default()
    };
    let imported = import(&source, &options).map_err(|error| error.to_string())?;
    let mut parts = drawing_order(&imported.character).into_parts();
    let mut clips = Vec::new();
    for entry in &manifest.clips {
        let clip = parts.clips.iter().find(|clip| clip.name == entry.name);
        clips.push(
            clip.cloned()
                .ok_or_else(|| format!("{source} has no clip '{}'", entry.name))?,
        );
    }
    parts.clips = clips;
    let character = Character::new(parts).map_err(|error| error.to_string())?;
    let vertices = |character: &Character| -> usize {
        let parts = character.parts().iter();
        parts
            .map(|part| character.mesh_of(part).vertex_count())
            .sum()
    };
    match vertices(&character) == vertices(set.model()) {
        true => Ok(prepare_source(character, set.model(), manifest.method)),
        false => Err(format!("{source} has changed since it was baked")),
    }
}

/// Adds a pose as a clip of a document.
pub fn with_pose_clip(
    request: &PoseClipRequest,
    progress: &dyn Progress,
) -> Result<Document, String> {
    let PoseClipRequest {
        document,
        pose,
        keyframe,
        skinning,
    } = request;
    let character = (*document.character).clone();
    let character = add_pose_clip(character, pose, *keyframe, *skinning);
    let character = Arc::new(character.map_err(|error| error.to_string())?);
    let (rest, clips) = measured(&character, progress);
    Ok(Document {
        character,
        clips,
        rest,
        is_file: false,
        // The set that was opened does not have the clip.
        set: None,
        ..(**document).clone()
    })
}

fn rest_bounds(character: &Character) -> Bounds {
    let rest = CharacterPose::rest(character);
    posed_bounds(character, &rest, Skinning::AsAuthored)
}

/// Measures the bounding boxes and loops of all clips.
fn measured(character: &Character, progress: &dyn Progress) -> (Bounds, Vec<DocumentClip>) {
    let rest = rest_bounds(character);
    let size_m = rest.extent().max_element();
    let count = character.clips().len();
    let clips = character.clips().iter().enumerate().map(|(index, clip)| {
        progress.step(index, count);
        measured_clip(character, clip, size_m)
    });
    (rest, clips.collect())
}

fn measured_clip(character: &Character, clip: &Clip, size_m: f64) -> DocumentClip {
    let mut pose = CharacterPose::rest(character);
    let mut bounds = Bounds::EMPTY;
    let mut ends: Vec<Vec<glam::DVec3>> = Vec::new();
    for step in 0..=BOUNDS_POSES {
        let part = f64::from(step) / f64::from(BOUNDS_POSES);
        pose.sample(
            character,
            clip,
            clip.start_secs() + part * clip.duration_secs(),
        );
        bounds.union(&posed_bounds(character, &pose, Skinning::AsAuthored));
        if step == 0 || step == BOUNDS_POSES {
            let joints = pose.model.model_from_joint.iter();
            ends.push(joints.map(|joint| joint.translation).collect());
        }
    }
    let near = LOOP_TOLERANCE * size_m;
    let is_loop = ends[0]
        .iter()
        .zip(&ends[1])
        .all(|(a, b)| a.distance(*b) <= near);
    DocumentClip {
        name: clip.name.clone(),
        duration_secs: clip.duration_secs(),
        looping: match is_loop {
            true => LoopPolicy::Wrap,
            false => LoopPolicy::Once,
        },
        bounds,
        rate_hz: source_rate_hz(clip),
    }
}
