//! Caches put on the meshes of a character.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use throng_rig::{Character, CharacterParts, Clip, MorphTrack, VertexCache, VertexFrames};

use super::matching::{FileMesh, file_meshes, find};
use super::{CacheFile, PointCache};
use crate::error::{Fault, ImportError, Outcome};
use crate::{ImportOptions, PositionSharing, Warning, fbx};

/// Puts caches on the meshes of a character that was imported from `source`.
pub(super) fn attach(
    source: &str,
    character: Character,
    options: &ImportOptions,
    caches: &[CacheFile],
    warnings: &mut Vec<Warning>,
) -> Result<Character, ImportError> {
    let meshes = file_meshes(&character, options);
    let scale = fbx::geometry_scale(Path::new(source)).map_err(|fault| fault.in_file(source))?;
    let mut attacher = Attacher {
        taken: vec![false; meshes.len()],
        parts: character.clone().into_parts(),
        character,
        meshes,
        scale,
        positions: options.positions,
    };
    let mut tracks = Vec::new();
    for cache in caches {
        let name = cache.path.display().to_string();
        let attached = attacher.attach(cache, warnings);
        tracks.push(attached.map_err(|fault| fault.in_file(&name))?);
    }
    let mut parts = attacher.parts;
    let name = caches[0].path.file_stem().unwrap_or_default();
    let clip = Clip::new(name.to_string_lossy().into_owned(), Vec::new(), tracks)
        .map_err(|error| Fault::data("", error).in_file(source))?;
    parts.clips.insert(0, clip);
    Character::new(parts).map_err(|error| Fault::data("", error).in_file(source))
}

/// A character that is given caches.
struct Attacher {
    /// The character without caches.
    character: Character,
    meshes: Vec<FileMesh>,
    /// Meshes that have a cache.
    taken: Vec<bool>,
    scale: Vec3,
    positions: PositionSharing,
    /// The character with caches.
    parts: CharacterParts,
}

impl Attacher {
    /// Puts a cache on its mesh, and returns its track.
    fn attach(&mut self, cache: &CacheFile, warnings: &mut Vec<Warning>) -> Outcome<MorphTrack> {
        let Self {
            character,
            meshes,
            taken,
            scale,
            positions,
            parts,
        } = self;
        let frames = PointCache::open_scaled(&cache.path, cache.frames_per_sec, *scale, warnings)?;
        let points = frames.point_count();
        let found = find(cache, points, meshes)?;
        let mesh = &meshes[found.mesh];
        if std::mem::replace(&mut taken[found.mesh], true) {
            let problem = format!("mesh '{}' has another cache already", mesh.name);
            return Err(Fault::data("", problem).remedy("name another mesh: --cache NAME=FILE"));
        }
        if found.by_position {
            warnings.push(Warning::CachePointsMatched {
                mesh: mesh.name.clone(),
                points,
            });
        }
        let times: Arc<[f64]> = frames.times_secs().into();
        let frames: Arc<dyn VertexFrames> = Arc::new(frames);
        let of_vertex = mesh.point_of_vertex(character, found.by_position);
        for (&index, point_of_vertex) in mesh.meshes.iter().zip(of_vertex) {
            let target = &mut parts.meshes[index];
            if target.vertex_cache().is_some() {
                let problem = format!(
                    "mesh '{}' has a vertex cache in its own file, which this one would replace",
                    mesh.name
                );
                return Err(Fault::data("", problem)
                    .remedy("leave out --cache, or export the mesh without its cache"));
            }
            if target.influences().max_joint() > 0 {
                let problem = format!("mesh '{}' has a skin, which a cache replaces", mesh.name);
                return Err(Fault::data("", problem).remedy("export the mesh without its skin"));
            }
            if !target.morph_targets().is_empty() {
                let problem = format!(
                    "mesh '{}' has morph targets, which a cache replaces",
                    mesh.name
                );
                return Err(
                    Fault::data("", problem).remedy("export the mesh without its morph targets")
                );
            }
            let cache = VertexCache::new(frames.clone(), point_of_vertex, Vec::new());
            let fault = |error| Fault::data(format!("mesh '{}'", mesh.name), error);
            target.set_vertex_cache(cache).map_err(fault)?;
            match *positions {
                PositionSharing::Shared => target.share_positions(),
                PositionSharing::Split | PositionSharing::Corners => target.split_positions(),
            }
        }
        let set = parts.morph_sets.len();
        // Position −1 is the rest pose.
        parts.morph_sets.push((mesh.name.clone(), vec![-1.0]));
        for &part in &mesh.parts {
            parts.parts[part].morph_set = Some(set);
        }
        MorphTrack::of_frames(set, times).map_err(|error| Fault::data("", error))
    }
}
