//! The files that an import reads, for digests.

use std::collections::HashSet;
use std::path::Path;

use crate::asset_files::{AssetFiles, FileTypes, folder_of, read_asset};
use crate::error::{Fault, ImportError};
use crate::{SourceFormat, fbx, gltf};

/// Reads a `.glb`, `.gltf`, `.fbx` or `.bvh` file and the side files that it names, and passes the name and the bytes of
/// each to `visit`: the file itself first, with an empty name.
///
/// Files are read as by [`crate::import_file`] and [`crate::import_motion_file`]: regular files only, side files inside the
/// folder of the file, within [`crate::limits::MAX_FILE_BYTES`] together. Side files that cannot be read are left out, because the import
/// reports them. Only a file that cannot be read itself is an error.
pub fn visit_source_files(
    path: &Path,
    mut visit: impl FnMut(&str, &[u8]),
) -> Result<(), ImportError> {
    let fault = |fault: Fault| fault.in_file(&path.display().to_string());
    let is_bvh = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("bvh"));
    let types = match is_bvh {
        true => FileTypes::Motion,
        false => FileTypes::Characters,
    };
    let bytes = read_asset(path, types).map_err(fault)?;
    visit("", &bytes);
    let names = match SourceFormat::of_file(path, &bytes) {
        SourceFormat::Bvh => Vec::new(),
        SourceFormat::Fbx => fbx::side_file_names(&bytes),
        _ => gltf::side_file_names(&bytes),
    };
    let files = AssetFiles::new(Some(folder_of(path)), bytes.len() as u64);
    drop(bytes);
    let mut seen = HashSet::new();
    for name in names {
        if let Ok(real) = files.locate(&name, &name, "")
            && seen.insert(real.clone())
            && let Ok(bytes) = files.read(&real, "")
        {
            visit(&name, &bytes);
        }
    }
    Ok(())
}
