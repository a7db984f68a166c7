//! The files that an import reads, for digests.

use std::collections::HashSet;
use std::path::Path;

use crate::abc::{ByteSource, FileBytes};
use crate::asset_files::{
    AssetFiles, FileTypes, folder_of, is_read_in_pieces, open_regular, read_asset,
};
use crate::error::{ErrorKind, Fault, ImportError, Outcome};
use crate::{SourceFormat, fbx, gltf};

/// Bytes of a file that are passed at once.
const PIECE_BYTES: u64 = 1 << 20;

/// Reads a `.glb`, `.gltf`, `.fbx`, `.obj`, `.abc` or `.bvh` file and the side files that it names, and passes the name and the bytes of
/// each to `visit`: the file itself first, with an empty name. An `.abc` file, which may be larger than memory, is passed
/// in several calls.
///
/// Files are read as by [`crate::import_file`] and [`crate::import_motion_file`]: regular files only, side files inside the
/// folder of the file, within [`crate::limits::MAX_FILE_BYTES`] together. Side files that cannot be read are left out, because the import
/// reports them. Only a file that cannot be read itself is an error.
pub fn visit_source_files(
    path: &Path,
    mut visit: impl FnMut(&str, &[u8]),
) -> Result<(), ImportError> {
    let fault = |fault: Fault| fault.in_file(&path.display().to_string());
    if is_read_in_pieces(path) {
        let (file, bytes) = open_regular(path, FileTypes::Characters).map_err(fault)?;
        let file = FileBytes::new(file, bytes);
        return visit_pieces(&file, visit).map_err(fault);
    }
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
        SourceFormat::Alembic | SourceFormat::Bvh | SourceFormat::Obj => Vec::new(),
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

fn visit_pieces(file: &FileBytes, mut visit: impl FnMut(&str, &[u8])) -> Outcome<()> {
    let mut piece = vec![0; file.len().min(PIECE_BYTES) as usize];
    let mut at = 0;
    while at < file.len() {
        let bytes = (file.len() - at).min(PIECE_BYTES);
        let piece = &mut piece[..bytes as usize];
        file.read_at(at, piece).map_err(|error| {
            Fault::new(ErrorKind::Io, "", format_args!("cannot be read: {error}"))
                .remedy("check the file")
        })?;
        visit("", piece);
        at += bytes;
    }
    Ok(())
}
