//! Atomic writes of folders.

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::carry::{CarryError, carry_over, retire};
use super::staging::{Staging, Target, changed_meanwhile};
use super::system::{Disk, FileSystem, exists, is_unsupported};
use super::{AtomicError, Listing, interrupt};

/// A new folder that [`Self::commit`] puts in place of its target.
///
/// Dropping it without a commit removes it.
#[derive(Debug)]
pub(crate) struct AtomicFolder<S: FileSystem = Disk> {
    target: Target,
    listing: Listing,
    staging: Staging<S>,
}

impl<S: FileSystem> AtomicFolder<S> {
    /// Creates a hidden folder next to the target, and recovers what an interrupted write of the target left.
    ///
    /// The target may exist as a folder that is empty or that `listing` knows.
    pub fn create(system: S, name: &Path, listing: Listing) -> Result<Self, AtomicError> {
        let target = Target::new(name)?;
        if exists(&target.path) && !target.path.is_dir() {
            return Err(AtomicError::NotAFolder { path: name.into() });
        }
        let staging = Staging::open(system, &target, listing)?;
        let _held_off = interrupt::hold_off();
        staging
            .system
            .create_folder(&staging.new_path())
            .map_err(AtomicError::write(name))?;
        Ok(Self {
            target,
            listing,
            staging,
        })
    }

    /// Creates a file in the new folder. [`Self::finish_file`] completes it.
    pub fn create_file(&self, name: &str) -> Result<BufWriter<S::File>, AtomicError> {
        let path = self.staging.new_path().join(name);
        let file = self.staging.system.create_file(&path);
        let failed = AtomicError::write(&self.target.name.join(name));
        Ok(BufWriter::new(file.map_err(failed)?))
    }

    /// Flushes a file to disk. Returns its path until the commit.
    pub fn finish_file(
        &self,
        name: &str,
        mut file: BufWriter<S::File>,
    ) -> Result<PathBuf, AtomicError> {
        let flushed = file.flush();
        flushed
            .and_then(|()| self.staging.system.sync_file(file.get_ref()))
            .map_err(AtomicError::write(&self.target.name.join(name)))?;
        Ok(self.staging.new_path().join(name))
    }

    /// Writes a file in the new folder.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), AtomicError> {
        let mut file = self.create_file(name)?;
        file.write_all(bytes)
            .map_err(AtomicError::write(&self.target.name.join(name)))?;
        self.finish_file(name, file).map(|_| ())
    }

    /// Puts the new folder in place of its target, which is empty, missing, or known to the listing.
    ///
    /// Listed files of the old folder are removed, all others are in the new folder.
    pub fn commit(self) -> Result<(), AtomicError> {
        let _held_off = interrupt::hold_off();
        let (target, new) = (&self.target, self.staging.new_path());
        let system = &self.staging.system;
        let failed = |error| self.staging.failed(target, error);
        system.sync_folder(&new).map_err(failed)?;
        if !exists(&target.path) {
            system.rename(&new, &target.path).map_err(failed)?;
            return system.sync_folder(&target.parent).map_err(failed);
        }
        if !target.path.is_dir() {
            return Err(AtomicError::NotAFolder {
                path: target.name.clone(),
            });
        }
        let listed = match is_empty(&target.path).map_err(failed)? {
            true => Vec::new(),
            false => (self.listing)(&target.path).ok_or_else(|| AtomicError::HoldsOtherFiles {
                path: target.name.clone(),
            })?,
        };
        carry_over(system, &target.path, &new, &listed).map_err(|error| match error {
            CarryError::Taken(file) => AtomicError::HoldsFile {
                path: target.name.clone(),
                file: file.into(),
            },
            CarryError::Io(error) => failed(error),
        })?;
        self.exchange().map_err(failed)?;
        match retire(system, &self.staging.old_path(), &target.path, &listed) {
            Ok(true) => Ok(()),
            Ok(false) => Err(failed(changed_meanwhile())),
            Err(error) => Err(failed(error)),
        }
    }

    /// Moves the new folder to the target and the old one to the hidden folder.
    fn exchange(&self) -> io::Result<()> {
        let (system, hidden) = (&self.staging.system, self.staging.folder());
        let (new, old) = (self.staging.new_path(), self.staging.old_path());
        let (target, parent) = (&self.target.path, &self.target.parent);
        fs::set_permissions(&new, fs::metadata(target)?.permissions())?;
        system.sync_folder(&new)?;
        // After the exchange, this is the name of the old folder.
        system.rename(&new, &old)?;
        system.sync_folder(hidden)?;
        system.sync_folder(parent)?;
        if let Err(error) = system.exchange(&old, target) {
            system.rename(&old, &new)?;
            if !is_unsupported(&error) {
                return Err(error);
            }
            system.rename(target, &old)?;
            let flushed = system.sync_folder(hidden);
            if let Err(error) = flushed.and_then(|()| system.rename(&new, target)) {
                system.rename(&old, target)?;
                return Err(error);
            }
        }
        system.sync_folder(parent)?;
        system.sync_folder(hidden)
    }
}

fn is_empty(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_none())
}
