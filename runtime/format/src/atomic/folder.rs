//! Atomic writes of folders.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, TempDir};

use super::{AtomicError, PREFIX, parent_of};

/// Age from which a temporary folder is taken to be left by a killed process.
const STALE_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Number of random letters and digits at the end of a temporary folder's name.
const RANDOM_CHARS: usize = 6;

/// A hidden temporary folder that [`Self::commit`] renames to its target.
///
/// Dropping it without a commit removes it.
#[derive(Debug)]
pub struct AtomicFolder {
    /// Target as the caller named it, for errors.
    name: PathBuf,
    /// Target with symbolic links resolved.
    target: PathBuf,
    temporary: TempDir,
}

impl AtomicFolder {
    /// Creates a hidden folder next to the target. The target may exist as a folder.
    ///
    /// Removes temporary folders of the same target that are older than a day, which killed processes left.
    pub fn create(target: &Path) -> Result<Self, AtomicError> {
        let name = target.to_owned();
        let target = resolve_link(target).map_err(AtomicError::write(&name))?;
        if target.file_name().is_none() {
            return Err(AtomicError::NoName { path: name });
        }
        let parent = parent_of(&target)?;
        if exists(&target) && !target.is_dir() {
            return Err(AtomicError::NotAFolder { path: name });
        }
        remove_stale(parent, &prefix(&target));
        let temporary = hidden_folder(&target).map_err(AtomicError::write(&name))?;
        Ok(Self {
            name,
            target,
            temporary,
        })
    }

    /// Path of the temporary folder, to write files to.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the folder to its target.
    ///
    /// An existing folder is replaced where it is empty, or where `may_replace` returns true for its path. It is renamed,
    /// and removed once the new folder has its name. Between the two renames the target does not exist; it never holds a
    /// mixture of both.
    pub fn commit(self, may_replace: impl Fn(&Path) -> bool) -> Result<(), AtomicError> {
        let Self {
            name,
            target,
            temporary,
        } = self;
        let failed = AtomicError::write(&name);
        sync_files(temporary.path()).map_err(&failed)?;
        if !exists(&target) {
            fs::rename(temporary.path(), &target).map_err(&failed)?;
        } else if !target.is_dir() {
            return Err(AtomicError::NotAFolder { path: name.clone() });
        } else if is_empty(&target).map_err(&failed)? || may_replace(&target) {
            replace(temporary.path(), &target).map_err(&failed)?;
        } else {
            return Err(AtomicError::HoldsOtherFiles { path: name.clone() });
        }
        // The temporary folder has become the target and must not be removed.
        let _ = temporary.keep();
        Ok(())
    }
}

/// Replaces a folder with another and removes the old one. Restores it on failure.
fn replace(new: &Path, target: &Path) -> io::Result<()> {
    let aside = hidden_folder(target)?;
    let old = aside.path().join("old");
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(new, target) {
        if fs::rename(&old, target).is_err() {
            // Keep the old folder rather than lose it.
            let _ = aside.keep();
        }
        return Err(error);
    }
    Ok(())
}

fn hidden_folder(target: &Path) -> io::Result<TempDir> {
    let parent = target.parent().unwrap_or(Path::new(""));
    Builder::new()
        .prefix(&prefix(target))
        .rand_bytes(RANDOM_CHARS)
        .tempdir_in(parent)
        // The error names the temporary folder, which the user does not know.
        .map_err(|error| error.kind().into())
}

/// Prefix of the names of a target's temporary folders.
fn prefix(target: &Path) -> OsString {
    let mut prefix = OsString::from(PREFIX);
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Removes old temporary folders. Errors are ignored.
fn remove_stale(parent: &Path, prefix: &OsString) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes());
        // Temporary folders of a target `a-b` share the prefix of `a`, but not the form of the suffix.
        let is_temporary = random.is_some_and(|random| {
            random.len() == RANDOM_CHARS && random.iter().all(u8::is_ascii_alphanumeric)
        });
        if is_temporary && is_stale(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_stale(entry: &fs::DirEntry) -> bool {
    let age = entry
        .metadata()
        .and_then(|metadata| metadata.modified())
        .map(|time| time.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > STALE_AGE)
}

/// Flushes the files to disk, so that the folder is complete once it is renamed.
fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_files(&entry.path())?;
        } else if kind.is_file() {
            let file = OpenOptions::new().write(true).open(entry.path())?;
            file.sync_all()?;
        }
    }
    Ok(())
}

/// Resolves a symbolic link, and removes a trailing slash.
fn resolve_link(path: &Path) -> io::Result<PathBuf> {
    let path: PathBuf = path.components().collect();
    if path.is_symlink() {
        path.canonicalize()
    } else {
        Ok(path)
    }
}

/// True where the path exists, also as a broken symbolic link.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}
