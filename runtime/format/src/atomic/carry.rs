//! Files in a folder that are not its own: they stay when the folder is replaced.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::system::{FileSystem, exists};

/// Links everything but the listed files into a new folder, folders with all that is in them. Files are copied where the
/// file system has no links.
///
/// Errors with [`io::ErrorKind::AlreadyExists`] where the new folder has a file of that name.
pub(super) fn carry_over(
    system: &impl FileSystem,
    old: &Path,
    new: &Path,
    listed: &[OsString],
) -> Result<(), CarryError> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let (name, is_folder) = (entry.file_name(), entry.file_type()?.is_dir());
        if !is_folder && listed.contains(&name) {
            continue;
        }
        let (from, to) = (entry.path(), new.join(&name));
        if exists(&to) {
            return Err(CarryError::Taken(name));
        }
        if is_folder {
            system.create_folder(&to)?;
            carry_over(system, &from, &to, &[])?;
            fs::set_permissions(&to, entry.metadata()?.permissions())?;
            system.sync_folder(&to)?;
        } else if system.link(&from, &to).is_err() {
            copy(system, &from, &to)?;
        }
    }
    Ok(())
}

/// Reason why files cannot be carried over.
pub(super) enum CarryError {
    /// The new folder has a file of that name.
    Taken(OsString),
    /// The system returned an error.
    Io(io::Error),
}

impl From<io::Error> for CarryError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn copy(system: &impl FileSystem, from: &Path, to: &Path) -> io::Result<()> {
    // Reading a pipe or a device might never end.
    if !from.symlink_metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{} can be neither linked nor copied", from.display()),
        ));
    }
    let mut file = File::open(from)?;
    let mut out = system.create_file(to)?;
    io::copy(&mut file, &mut out)?;
    system.sync_file(&out)?;
    fs::set_permissions(to, file.metadata()?.permissions())
}

/// Removes a folder that another has replaced: its listed files, and files that were carried over. Files that appeared
/// or changed after that are moved to the new folder, or kept where it has one of that name.
///
/// Returns true where the folder is gone.
pub(super) fn retire(
    system: &impl FileSystem,
    old: &Path,
    new: &Path,
    listed: &[OsString],
) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let (name, is_folder) = (entry.file_name(), entry.file_type()?.is_dir());
        if !is_folder && listed.contains(&name) {
            continue;
        }
        let (from, to) = (entry.path(), new.join(&name));
        match to.symlink_metadata() {
            Err(_) => system.rename(&from, &to)?,
            Ok(found) if is_folder && found.is_dir() => {
                is_empty &= retire(system, &from, &to, &[])?;
            }
            Ok(_) if !is_folder && is_same(&from, &to)? => system.remove_file(&from)?,
            Ok(_) => is_empty = false,
        }
    }
    if !is_empty {
        return Ok(false);
    }
    system.sync_folder(new)?;
    for name in listed {
        let path = old.join(name);
        if exists(&path) {
            system.remove_file(&path)?;
        }
    }
    system.remove_folder(old)?;
    Ok(true)
}

/// True for two links to one file, and for files of equal content.
fn is_same(a: &Path, b: &Path) -> io::Result<bool> {
    let (of_a, of_b) = (a.symlink_metadata()?, b.symlink_metadata()?);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (of_a.dev(), of_a.ino()) == (of_b.dev(), of_b.ino()) {
            return Ok(true);
        }
    }
    if !of_a.is_file() || !of_b.is_file() || of_a.len() != of_b.len() {
        return Ok(false);
    }
    let bytes = |path| File::open(path).map(|file| BufReader::new(file).bytes());
    for (a, b) in bytes(a)?.zip(bytes(b)?) {
        if a? != b? {
            return Ok(false);
        }
    }
    Ok(true)
}
