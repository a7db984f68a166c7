//! Operations that change a file system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::path::Path;

/// Every operation of an atomic write that changes the file system.
///
/// A test replaces [`Disk`] by a file system that fails or stops at a chosen operation.
pub(crate) trait FileSystem: Clone {
    /// A file that is written.
    type File: Write + Seek;

    /// Creates a folder. Errors where the path exists.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Creates a file. Errors where the path exists.
    fn create_file(&self, path: &Path) -> io::Result<Self::File>;
    /// Opens a file to lock, and creates it where it is missing.
    fn open_lock(&self, path: &Path) -> io::Result<File>;
    /// Flushes a file to disk.
    fn sync_file(&self, file: &Self::File) -> io::Result<()>;
    /// Flushes the names in a folder to disk.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
    /// Renames a file or folder. Replaces a file.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Exchanges two folders in one step. [`is_unsupported`] tells whether the system can.
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()>;
    /// Creates a hard link. Symbolic links are not followed.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file or a symbolic link.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl FileSystem for Disk {
    type File = File;

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create_file(&self, path: &Path) -> io::Result<File> {
        File::create_new(path)
    }

    fn open_lock(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).open(path)
    }

    fn sync_file(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        // Other systems cannot open a folder as a file.
        if cfg!(unix) {
            File::open(path)?.sync_all()?;
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
}

/// True for an exchange that the system or the file system does not offer.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    // File systems without the exchange return EINVAL.
    let kinds = [io::ErrorKind::Unsupported, io::ErrorKind::InvalidInput];
    kinds.contains(&error.kind())
}

/// True where the path exists, also as a broken symbolic link.
pub(super) fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Removes a file, or a folder with everything in it. A missing path is not an error.
pub(super) fn remove_tree(system: &impl FileSystem, path: &Path) -> io::Result<()> {
    let Ok(metadata) = path.symlink_metadata() else {
        return Ok(());
    };
    if !metadata.is_dir() {
        return system.remove_file(path);
    }
    for entry in fs::read_dir(path)? {
        remove_tree(system, &entry?.path())?;
    }
    system.remove_folder(path)
}
