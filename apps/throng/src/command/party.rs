//! Folders of several sets: parties.

use std::path::{Path, PathBuf};

use throng_format::disk;

use super::CommandError;

/// Lists the sets of a folder that holds several and is none itself; `None` for any other path.
pub fn sets_of_party(path: &Path) -> Result<Option<Vec<PathBuf>>, CommandError> {
    if !path.is_dir() || path.join(disk::MANIFEST).exists() {
        return Ok(None);
    }
    let sets = disk::sets_below(path)?;
    Ok((!sets.is_empty()).then_some(sets))
}
