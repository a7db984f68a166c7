//! The source of a texture set, found and imported again.

use std::path::Path;

use throng_format::{Manifest, MotionSource};
use throng_import::{Import, ImportOptions, PositionSharing, builtin, import, import_motion};

use super::CommandError;
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
        None => unchanged_file(set, &manifest.source.path, &manifest.source.digest)?,
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
            .map(|file| unchanged_file(set, &file.path, &file.digest))
            .collect()
    };
    let motion = Motion {
        files: files(&manifest.source.motion)?,
        pairs: manifest.source.joint_pairs.clone(),
    };
    let lenders = files(&manifest.source.lenders)?;
    let mut import = match manifest.is_motion() {
        true => import_with_or_without_mesh(&source, &options)?,
        false => import(&source, &options)?,
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

/// Returns the path of a file named in the manifest, if it is unchanged since the bake.
fn unchanged_file(set: &Path, named: &str, digest: &str) -> Result<String, CommandError> {
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
    let found = source_digest(&source).map_err(|error| {
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
