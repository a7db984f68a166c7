//! The source of a texture set, found and imported again.

use std::path::Path;

use throng_format::{CacheSource, Manifest, MotionSource};
use throng_import::{
    CacheFile, Import, ImportError, ImportOptions, PositionSharing, builtin, import, import_motion,
    import_with_caches,
};

use super::CommandError;
use super::caches::cache_digest;
use super::digest::source_digest;
use super::lent_clips::with_lent_clips;
use super::motion::Motion;
use super::pose_clip::add_pose_clip;

/// Imports the source of a set as it was baked: `against` where it is given, else the source named in the manifest.
/// Returns its name, too.
pub fn import_source(
    set: &Path,
    manifest: &Manifest,
    against: Option<&str>,
) -> Result<(String, Import), CommandError> {
    let source = match against {
        Some(source) => source.to_owned(),
        None => unchanged_source(set, &manifest.source.path, &manifest.source.digest)?,
    };
    let options = ImportOptions {
        positions: match &manifest.source {
            source if source.corner_vertices => PositionSharing::Corners,
            source if source.shared_positions => PositionSharing::Shared,
            _ => PositionSharing::Split,
        },
        ..ImportOptions::default()
    };
    let files = |files: &[MotionSource]| -> Result<Vec<String>, CommandError> {
        let files = files.iter();
        files
            .map(|file| unchanged_source(set, &file.path, &file.digest))
            .collect()
    };
    let motion = Motion {
        files: files(&manifest.source.motion)?,
        pairs: manifest.source.joint_pairs.clone(),
    };
    let lenders = files(&manifest.source.lenders)?;
    let mut import = match manifest.is_motion() {
        true => import_with_or_without_mesh(&source, &options)?,
        false => import_with_caches(&source, &options, &caches_of(set, manifest)?)?,
    };
    // The bake has reported the warnings.
    import.character = motion.put_on(import.character, &mut Vec::new())?;
    import.character = with_lent_clips(&source, import.character, &lenders, &options)?;
    if let Some(edits) = &manifest.source.pose {
        // The bake has reported the warnings.
        let warnings = &mut Vec::new();
        import.character = add_pose_clip(import.character, edits, manifest.method, warnings)?;
    }
    Ok((source, import))
}

/// Imports a character, or the skeleton and the clips of a file without a mesh.
pub fn import_with_or_without_mesh(
    source: &str,
    options: &ImportOptions,
) -> Result<Import, CommandError> {
    let extension = Path::new(source).extension().unwrap_or_default();
    if !extension.eq_ignore_ascii_case("bvh") {
        let imported = import(source, options)?;
        if !imported.character.parts().is_empty() {
            return Ok(imported);
        }
    }
    Ok(import_motion(source, options)?)
}

/// Returns the vertex caches that the manifest names, if they are unchanged since the bake.
fn caches_of(set: &Path, manifest: &Manifest) -> Result<Vec<CacheFile>, CommandError> {
    let caches = manifest.source.caches.iter();
    let one = |cache: &CacheSource| {
        let digest = |path: &str| cache_digest(Path::new(path));
        let path = unchanged_file(set, &cache.path, &cache.digest, digest)?;
        Ok(CacheFile {
            path: path.into(),
            mesh: cache.mesh.clone(),
            frames_per_sec: cache.frames_per_sec,
        })
    };
    caches.map(one).collect()
}

/// Returns the path of a source or motion that the manifest names, if it is unchanged since the bake.
fn unchanged_source(set: &Path, named: &str, digest: &str) -> Result<String, CommandError> {
    unchanged_file(set, named, digest, source_digest)
}

/// Returns the path of a file named in the manifest, if it has the digest that it had when the set was baked.
fn unchanged_file(
    set: &Path,
    named: &str,
    digest: &str,
    digest_of: impl Fn(&str) -> Result<String, ImportError>,
) -> Result<String, CommandError> {
    let source = if named.starts_with(builtin::PREFIX) {
        named.to_owned()
    } else {
        // A bake writes relative paths; an absolute one was put there to make this program read another file.
        if Path::new(named).is_absolute() {
            return Err(CommandError::NoSource(format!(
                "{}: its source {named} is an absolute path, which is not followed",
                set.display()
            )));
        }
        let folder = if set.is_dir() {
            set
        } else {
            set.parent().unwrap_or(Path::new(""))
        };
        let path = folder.join(named).into_os_string().into_string();
        path.map_err(|path| {
            CommandError::NoSource(format!(
                "{}: the path of its source {} is not valid Unicode",
                set.display(),
                path.display()
            ))
        })?
    };
    let found = digest_of(&source).map_err(|error| {
        CommandError::Unreadable(format!(
            "{}: cannot read its source {source} ({}): name the source with --against FILE",
            set.display(),
            error.problem
        ))
    })?;
    if found != digest {
        return Err(CommandError::NoSource(format!(
            "{}: its source {source} has changed since it was baked",
            set.display()
        )));
    }
    Ok(source)
}
