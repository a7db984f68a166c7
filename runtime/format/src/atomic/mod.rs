//! Whole files and folders, or none.
//!
//! What is written goes to a hidden place beside its target first and is renamed when it is complete: whoever
//! looks sees what was there before or all that is new. A process that is killed leaves the hidden place.

mod error;
mod file;
mod folder;

use std::path::Path;

pub use error::AtomicError;
pub use file::write_file;
pub use folder::AtomicFolder;

/// What the names of temporary files and folders begin with.
const PREFIX: &str = ".throng-";

/// The folder that a path is in, which must exist.
fn parent_of(path: &Path) -> Result<&Path, AtomicError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if folder.exists() {
        Ok(folder)
    } else {
        Err(AtomicError::NoFolder {
            path: path.into(),
            folder: folder.into(),
        })
    }
}
