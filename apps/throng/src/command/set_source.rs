//! The source of a texture set, found and imported again.

use std::path::Path;

use throng_bake::share::{difference, group_clips};
use throng_format::{Manifest, MotionSource};
use throng_import::{Import, ImportOptions, PositionSharing, builtin, import, import_motion};
use throng_rig::Character;

use super::CommandError;
use super::digest::source_digest;
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
        None => named_source(set, manifest)?,
    };
    let options = ImportOptions {
        positions: match &manifest.source {
            source if source.corner_vertices => PositionSharing::Corners,
            source if source.shared_positions => PositionSharing::Shared,
            _ => PositionSharing::Split,
        },
        ..ImportOptions::default()
    };
    let mut import = match manifest.is_motion() {
        true => import_with_or_without_mesh(&source, &options)?,
        false => import(&source, &options)?,
    };
    import.character = with_lent_clips(set, manifest, &source, import.character, &options)?;
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

/// Adds the clips of the other characters that the set was baked with.
fn with_lent_clips(
    set: &Path,
    manifest: &Manifest,
    source: &str,
    character: Character,
    options: &ImportOptions,
) -> Result<Character, CommandError> {
    let mut lenders = Vec::new();
    for MotionSource { path, digest } in &manifest.source.motion {
        let lender = unchanged_source(set, path, digest)?;
        let imported = import_with_or_without_mesh(&lender, options)?;
        if let Some(difference) = difference(&character, &imported.character) {
            return Err(CommandError::NoSource(format!(
                "{}: the skeletons of its sources {source} and {lender} differ: {difference}",
                set.display()
            )));
        }
        lenders.push((lender, imported.character));
    }
    if lenders.is_empty() {
        return Ok(character);
    }
    let lent = lenders.iter().map(|(name, lender)| (name.as_str(), lender));
    let members: Vec<_> = [(source, &character)].into_iter().chain(lent).collect();
    let clips = group_clips(&members).map_err(|error| CommandError::Share {
        source_names: set.display().to_string(),
        error,
    })?;
    Ok(clips.on(&character))
}

/// Returns the source named in the manifest, if it is unchanged since the bake.
fn named_source(set: &Path, manifest: &Manifest) -> Result<String, CommandError> {
    unchanged_source(set, &manifest.source.path, &manifest.source.digest)
}

/// Returns a source of a set by its path in the manifest, if it is unchanged since the bake.
fn unchanged_source(set: &Path, named: &str, digest: &str) -> Result<String, CommandError> {
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
