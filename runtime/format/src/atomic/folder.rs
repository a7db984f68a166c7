//! Folders that appear whole.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{Builder, TempDir};

use super::{AtomicError, PREFIX, parent_of};

/// A temporary folder of this age is of a process that was killed: no one writes a set for so long.
const STALE_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Letters and digits at the end of a temporary folder's name.
const RANDOM_CHARS: usize = 6;

/// A hidden folder that becomes its target, with all that is in it, or nothing.
///
/// It is gone when it is dropped before [`Self::commit`].
#[derive(Debug)]
pub struct AtomicFolder {
    /// As the caller names it, for errors.
    name: PathBuf,
    /// Where it goes: what a link points to, not the link.
    target: PathBuf,
    temporary: TempDir,
}

impl AtomicFolder {
    /// Makes a hidden folder beside the target, where there may be a folder already.
    ///
    /// Removes what killed processes left there of the same target, more than a day ago.
    pub fn create(target: &Path) -> Result<Self, AtomicError> {
        let name = target.to_owned();
        let target = followed(target).map_err(AtomicError::write(&name))?;
        if target.file_name().is_none() {
            return Err(AtomicError::NoName { path: name });
        }
        let parent = parent_of(&target)?;
        if is_something(&target) && !target.is_dir() {
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

    /// Where to write what belongs in the folder.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the folder to its target.
    ///
    /// A folder that is there already is replaced where it is empty, or where `replaces` says of its path that
    /// it is ours to remove: it is renamed away, and removed when the new one is in its place. For that moment
    /// the target does not exist; it never is half of one and half of the other.
    pub fn commit(self, replaces: impl Fn(&Path) -> bool) -> Result<(), AtomicError> {
        let Self {
            name,
            target,
            temporary,
        } = self;
        let failed = AtomicError::write(&name);
        sync_files(temporary.path()).map_err(&failed)?;
        if !is_something(&target) {
            fs::rename(temporary.path(), &target).map_err(&failed)?;
        } else if !target.is_dir() {
            return Err(AtomicError::NotAFolder { path: name.clone() });
        } else if is_empty(&target).map_err(&failed)? || replaces(&target) {
            replace(temporary.path(), &target).map_err(&failed)?;
        } else {
            return Err(AtomicError::NotOurs { path: name.clone() });
        }
        // It is the target now, and nothing is left to remove.
        let _ = temporary.keep();
        Ok(())
    }
}

/// Puts a folder in the place of another, which is removed; or puts the other back.
fn replace(new: &Path, target: &Path) -> io::Result<()> {
    let aside = hidden_folder(target)?;
    let old = aside.path().join("old");
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(new, target) {
        if fs::rename(&old, target).is_err() {
            // What was there is worth more than a tidy folder.
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
        // The error names the temporary folder, which is nothing to the user.
        .map_err(|error| error.kind().into())
}

/// What the names of a target's temporary folders begin with.
fn prefix(target: &Path) -> OsString {
    let mut prefix = OsString::from(PREFIX);
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Removes old temporary folders. What cannot be removed stays: it does no harm.
fn remove_stale(parent: &Path, prefix: &OsString) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name
            .as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes());
        // A target called `a-b` has folders that begin as those of `a` do, but not such an end.
        let ours = random.is_some_and(|random| {
            random.len() == RANDOM_CHARS && random.iter().all(u8::is_ascii_alphanumeric)
        });
        if ours && is_stale(&entry) {
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

/// Puts the files on the disk before the folder's name says that they are there.
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

/// What a link points to, and otherwise the path, without a slash at its end.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let path: PathBuf = path.components().collect();
    if path.is_symlink() {
        path.canonicalize()
    } else {
        Ok(path)
    }
}

fn is_something(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}
