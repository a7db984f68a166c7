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
    /// The folder exists and holds other files than a set.
    #[error(
        "cannot replace {}: it holds files, but no manifest of a texture set that can be read: choose another name, \
         or move the folder away",
        path.display()
    )]
    HoldsOtherFiles {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has a file of the name of a new one, which is not part of the set.
    #[error(
        "cannot replace {}: {} in it is not part of the set and would be overwritten: rename it, or choose another name",
        path.display(), file.display()
    )]
    HoldsFile {
        /// The folder.
        path: PathBuf,
        /// Name of the file.
        file: PathBuf,
    },
    /// Another process writes the same file or folder.
    #[error("cannot write {}: another process is writing it: wait until it ends", path.display())]
    Busy {
        /// The file or folder.
        path: PathBuf,
    },
    /// The system returned an error, and old files are still in the hidden folder.
    #[error(
        "cannot write {}: {error}: old files are in {}, and writing {} again recovers them",
        path.display(), kept.display(), path.display()
    )]
    Leftover {
        /// The folder.
        path: PathBuf,
        /// Folder of the old files.
        kept: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The path does not end in a name, such as `..`.
    #[error("cannot write {}: the path does not end in a name: choose a name", path.display())]
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
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Write {
            path: path.clone(),
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
        // A mount point cannot be renamed.
        io::ErrorKind::ResourceBusy => "choose a folder inside it",
        _ => "choose another path",
    }
}
