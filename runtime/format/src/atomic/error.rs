//! Errors of atomic writes.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// An error while writing a file or a folder.
#[derive(Debug, Error)]
pub enum AtomicError {
    /// The parent folder does not exist.
    #[error("cannot write {}: the folder {} does not exist: create it first", path.display(), folder.display())]
    NoFolder {
        /// The file or folder to be written.
        path: PathBuf,
        /// Its parent folder.
        folder: PathBuf,
    },
    /// A folder or a device has the name of the file.
    #[error("cannot write {}: it exists and is not a file: choose another name", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// A file or a device has the name of the folder.
    #[error("cannot write {}: it exists and is not a folder: choose another name", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder exists and holds files that may not be removed.
    #[error(
        "cannot replace {}: the folder holds other files: choose another name, or empty it first",
        path.display()
    )]
    HoldsOtherFiles {
        /// The folder.
        path: PathBuf,
    },
    /// The path does not end in a name, such as `..`.
    #[error("cannot write {}: the path does not end in a folder name: choose a name", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// The system returned an error.
    #[error("cannot write {}: {error}: {remedy}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
        /// Advice to the user.
        remedy: &'static str,
    },
}

impl AtomicError {
    /// Converts an error of the system. It names the target, not the temporary file.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Write {
            path: path.into(),
            remedy: remedy(&error),
            error,
        }
    }
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        io::ErrorKind::InvalidFilename => "choose another name",
        _ => "choose another path",
    }
}
