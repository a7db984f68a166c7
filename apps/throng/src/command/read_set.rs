//! Recognition of texture sets among sources.

use std::path::Path;

use throng_format::TextureSet;
use throng_format::disk::{self, DiskError};

use crate::command::{CommandError, may_be_glb_set};

/// Reads a set, if the source is one.
pub fn read_set(path: &Path) -> Result<Option<TextureSet>, CommandError> {
    let is_glb = may_be_glb_set(path);
    if !path.is_dir() && !is_glb {
        return Ok(None);
    }
    match disk::read(path) {
        Ok(set) => Ok(Some(set)),
        Err(error) if path.is_dir() => Err(error.into()),
        // A GLB of another tool may fail to parse as a set. One with our extension must parse.
        Err(
            error @ (DiskError::Manifest { .. }
            | DiskError::Texels { .. }
            | DiskError::Model { .. }
            | DiskError::Set { .. }),
        ) if has_extension(path) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// Returns whether a GLB contains the name of our extension.
fn has_extension(path: &Path) -> bool {
    let name = disk::EXTENSION.as_bytes();
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(name.len()).any(|window| window == name))
}
