//! The hidden folder in which new content is prepared.
//!
//! | entry | |
//! |---|---|
//! | `lock` | locked while the process lives |
//! | `new` | content that may be incomplete |
//! | `old` | a complete folder: the replaced one, or the new one just before both change places |

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::carry::retire;
use super::system::{FileSystem, exists, remove_tree};
use super::{AtomicError, Listing, PREFIX, interrupt};

pub(super) const NEW: &str = "new";
pub(super) const OLD: &str = "old";
pub(super) const LOCK: &str = "lock";
/// Content of a process that a signal has ended.
pub(super) const DROPPED: &str = "dropped";

/// Number of attempts to lock a folder that other processes remove at the same time.
const ATTEMPTS: usize = 100;

/// A file or folder to write.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// Path as the caller named it, for errors.
    pub name: PathBuf,
    /// Absolute path without symbolic links, which stays valid when the current folder is renamed.
    pub path: PathBuf,
    /// Parent folder of `path`.
    pub parent: PathBuf,
}

impl Target {
    /// Resolves a path. Errors where it does not end in a name, or its folder does not exist.
    pub fn new(name: &Path) -> Result<Self, AtomicError> {
        // Removes a trailing slash, which would follow a link.
        let path: PathBuf = name.components().collect();
        let failed = AtomicError::write(name);
        let path = match path.is_symlink() {
            true => path.canonicalize().map_err(&failed)?,
            false => path,
        };
        let Some(last) = path.file_name() else {
            return Err(AtomicError::NoName { path: name.into() });
        };
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if !parent.exists() {
            return Err(AtomicError::NoFolder {
                path: name.into(),
                folder: parent.into(),
            });
        }
        let parent = parent.canonicalize().map_err(&failed)?;
        Ok(Self {
            name: name.into(),
            path: parent.join(last),
            parent,
        })
    }

    /// Path of the hidden folder.
    fn hidden(&self) -> PathBuf {
        let mut name = std::ffi::OsString::from(PREFIX);
        name.push(self.path.file_name().unwrap_or_default());
        self.parent.join(name)
    }
}

/// Folder with the old content of a target that does not exist, which an interrupted write left.
pub fn leftover_of(path: &Path) -> Option<PathBuf> {
    let old = Target::new(path).ok()?.hidden().join(OLD);
    (!exists(path) && old.is_dir()).then_some(old)
}

/// A locked hidden folder. Dropping it removes it with all that is not needed to recover old content.
#[derive(Debug)]
pub(super) struct Staging<S: FileSystem> {
    pub system: S,
    folder: PathBuf,
    /// Holds the lock.
    _lock: File,
}

impl<S: FileSystem> Staging<S> {
    /// Creates and locks the hidden folder of a target, and recovers what an interrupted write left in it.
    pub fn open(system: S, target: &Target, listing: Listing) -> Result<Self, AtomicError> {
        let folder = target.hidden();
        let held_off = interrupt::hold_off();
        let lock = lock(&system, &folder).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => AtomicError::Busy {
                path: target.name.clone(),
            },
            _ => AtomicError::write(&target.name)(error),
        })?;
        interrupt::register(&folder);
        drop(held_off);
        let staging = Self {
            system,
            folder,
            _lock: lock,
        };
        match staging.recover(target, listing) {
            Ok(()) => Ok(staging),
            Err(error) => Err(staging.failed(target, error)),
        }
    }

    /// Path of the new content.
    pub fn new_path(&self) -> PathBuf {
        self.folder.join(NEW)
    }

    /// Path of the old content.
    pub fn old_path(&self) -> PathBuf {
        self.folder.join(OLD)
    }

    /// The hidden folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Converts an error of the system. It names old content that was left in the hidden folder.
    pub fn failed(&self, target: &Target, error: io::Error) -> AtomicError {
        let kept = self.old_path();
        match exists(&kept) {
            true => AtomicError::Leftover {
                path: target.name.clone(),
                kept,
                error,
            },
            false => AtomicError::write(&target.name)(error),
        }
    }

    fn recover(&self, target: &Target, listing: Listing) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name() != LOCK && entry.file_name() != OLD {
                remove_tree(&self.system, &entry.path())?;
            }
        }
        let old = self.old_path();
        if !exists(&old) {
            return Ok(());
        }
        if !exists(&target.path) {
            self.system.rename(&old, &target.path)?;
            return self.system.sync_folder(&target.parent);
        }
        let listed = listing(&old).unwrap_or_default();
        match retire(&self.system, &old, &target.path, &listed)? {
            true => Ok(()),
            false => Err(changed_meanwhile()),
        }
    }
}

/// Error of files that differ in the old and the new folder.
pub(super) fn changed_meanwhile() -> io::Error {
    io::Error::other("files changed while the folder was replaced")
}

impl<S: FileSystem> Drop for Staging<S> {
    fn drop(&mut self) {
        let _held_off = interrupt::hold_off();
        interrupt::unregister(&self.folder);
        // What cannot be removed, the next write of the target removes.
        let _ = remove_tree(&self.system, &self.new_path());
        let _ = close(&self.system, &self.folder);
    }
}

/// Removes a hidden folder that holds no content.
pub(super) fn close(system: &impl FileSystem, folder: &Path) -> io::Result<()> {
    if exists(&folder.join(OLD)) {
        return Ok(());
    }
    system.remove_file(&folder.join(LOCK))?;
    system.remove_folder(folder)
}

/// Creates a hidden folder and locks it. Errors with [`io::ErrorKind::WouldBlock`] where another process holds the lock.
fn lock(system: &impl FileSystem, folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    for _ in 0..ATTEMPTS {
        match system.create_folder(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let lock = match system.open_lock(&path) {
            // The process that had the lock has removed the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            lock => lock?,
        };
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            // File systems without locks leave it to the user not to write a target twice at once.
            _ if is_at(&lock, &path) => return Ok(lock),
            _ => {}
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

/// True where the open file is still the one at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(file), Ok(path)) => id(file) == id(path),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
