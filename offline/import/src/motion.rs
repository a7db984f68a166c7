//! Import of motion: the skeleton and the clips of a file, for use on another character.

use std::path::Path;
use std::sync::Arc;

use throng_rig::{Character, CharacterParts};

use crate::asset_files::{
    AssetFiles, FileTypes, folder_of, is_read_in_pieces, open_regular, read_asset,
};
use crate::error::{Fault, ImportError};
use crate::{
    Import, ImportOptions, SourceFormat, abc, builtin, bvh, character_name, fbx, gltf,
    import_builtin, import_pieces,
};

/// Imports the motion of a `.bvh`, `.fbx`, `.glb`, `.gltf` or `.abc` file or of a built-in character (`builtin:NAME`), for use on
/// another character.
///
/// The character of the result has a skeleton and clips, and neither meshes, skins, materials nor morph sets. Its joints
/// are the animated nodes, the bones of the file, the nodes above them, and the nodes below them but for childless ones
/// that only hold a mesh, a camera or a light. Rest transforms are those of the file, in metres, Y-up and right-handed.
///
/// Clips are those of [`crate::import()`] without morph tracks, which are reported as
/// [`Warning::MorphTracksDropped`](crate::Warning::MorphTracksDropped). Clips that animate no joint are left out, and a
/// file without any other clip is an error. Of the options, only [`ImportOptions::leaves`] has an effect: an animated
/// bone without an end gets one. Of Alembic files, transforms are read; vertex caches count as morph tracks.
pub fn import_motion(source: &str, options: &ImportOptions) -> Result<Import, ImportError> {
    match source.strip_prefix(builtin::PREFIX) {
        Some(name) => import_builtin_motion(source, name, options),
        None => import_motion_file(Path::new(source), options),
    }
}

/// Imports the motion of a `.bvh`, `.fbx`, `.glb`, `.gltf` or `.abc` file, as [`import_motion`] does. Side files are read from its
/// folder.
pub fn import_motion_file(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let source_name = path.display().to_string();
    if is_read_in_pieces(path) {
        let opened = open_regular(path, FileTypes::Motion);
        let (file, bytes) = opened.map_err(|fault| fault.in_file(&source_name))?;
        let file = abc::FileBytes::new(file, bytes);
        return import_pieces(&source_name, Arc::new(file), abc::read_motion, options);
    }
    let bytes = read_asset(path, FileTypes::Motion).map_err(|fault| fault.in_file(&source_name))?;
    import_motion_bytes(&source_name, &bytes, Some(folder_of(path)), options)
}

/// Imports the motion in the bytes of a file, as [`import_motion`] does.
///
/// The bytes are read as BVH, FBX or Alembic if `source_name` ends in `.bvh`, `.fbx` or `.abc`, otherwise as GLB or glTF by
/// their first bytes. OBJ files (`.obj`) are an error, because they have no motion. Side files are read from `folder`;
/// without one they are an error.
pub fn import_motion_bytes(
    source_name: &str,
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let name = character_name(source_name);
    let format = SourceFormat::of_file(Path::new(source_name), bytes);
    if format == SourceFormat::Obj {
        let checked = FileTypes::Motion.check(Path::new(source_name));
        checked.map_err(|fault| fault.in_file(source_name))?;
    }
    let mut warnings = Vec::new();
    let read = match format {
        SourceFormat::Alembic => {
            let bytes: Arc<[u8]> = bytes.into();
            return import_pieces(source_name, Arc::new(bytes), abc::read_motion, options);
        }
        SourceFormat::Bvh => bvh::read_motion,
        SourceFormat::Fbx => fbx::read_motion,
        _ => gltf::read_motion,
    };
    let files = AssetFiles::new(folder, bytes.len() as u64);
    let (character, generator) = read(&name, bytes, &files, options, &mut warnings)
        .map_err(|fault| fault.in_file(source_name))?;
    Ok(Import {
        character,
        format,
        generator,
        warnings,
    })
}

/// Imports a built-in character without its meshes. Built-in characters have no morph tracks.
fn import_builtin_motion(
    source: &str,
    name: &str,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    let import = import_builtin(source, name, options)?;
    let parts = import.character.into_parts();
    let parts = CharacterParts::without_mesh(parts.name, parts.skeleton, parts.clips);
    let character =
        Character::new(parts).map_err(|error| Fault::data("", error).in_file(source))?;
    Ok(Import {
        character,
        warnings: Vec::new(),
        ..import
    })
}
