//! Atomic writes of files and folders.
//!
//! Data is first written to a hidden file or folder next to the target, which is renamed once it is complete. Readers see
//! the old content or all of the new. A killed process leaves the hidden file or folder behind.

mod error;
mod file;
mod folder;

use std::path::Path;

pub use error::AtomicError;
pub use file::write_file;
pub use folder::AtomicFolder;

/// Prefix of the names of temporary files and folders.
const PREFIX: &str = ".throng-";

/// Parent folder of a path. Errors where it does not exist.
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
