//! Why a file or a folder was not written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file or a folder was not written.
#[derive(Debug, Error)]
pub enum AtomicError {
    /// There is nowhere to put it.
    #[error("cannot write {}: the folder {} does not exist: make it first", path.display(), folder.display())]
    NoFolder {
        /// What was to be written.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// A folder or a device has the file's name.
    #[error("cannot write {}: it exists and is not a file: choose another name", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// A file or a device has the folder's name.
    #[error("cannot write {}: it exists and is not a folder: choose another name", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds something that is not ours to remove.
    #[error(
        "cannot replace {}: the folder holds something else: choose another name, or empty it first",
        path.display()
    )]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The path ends in no name, as `..` does.
    #[error("cannot write {}: it names no folder of its own: choose a name", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}: {error}: {remedy}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
        /// What may help.
        remedy: &'static str,
    },
}

impl AtomicError {
    /// Names what was to be written, not the temporary place.
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
