//! Atomic writes of files.

use std::io::{self, Write};
use std::path::Path;

use super::staging::{Staging, Target};
use super::system::{Disk, FileSystem, exists};
use super::{AtomicError, interrupt};

/// Writes or replaces a file atomically: readers see the old file or the complete new one.
///
/// A symbolic link stays, and the file that it names is replaced.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    write_on(Disk, path, bytes)
}

fn write_on(system: impl FileSystem, path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    let target = Target::new(path)?;
    if exists(&target.path) && !target.path.is_file() {
        return Err(AtomicError::NotAFile { path: path.into() });
    }
    let staging = Staging::open(system, &target, |_| None)?;
    write_and_rename(&staging, &target, bytes).map_err(|error| staging.failed(&target, error))
}

fn write_and_rename(
    staging: &Staging<impl FileSystem>,
    target: &Target,
    bytes: &[u8],
) -> io::Result<()> {
    let (system, new) = (&staging.system, staging.new_path());
    let mut file = {
        let _held_off = interrupt::hold_off();
        system.create_file(&new)?
    };
    file.write_all(bytes)?;
    system.sync_file(&file)?;
    drop(file);
    let _held_off = interrupt::hold_off();
    system.rename(&new, &target.path)?;
    system.sync_folder(&target.parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_a_file_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ply");
        write_file(&path, b"a long first text").unwrap();
        write_file(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["out.ply"]);
    }

    #[test]
    fn missing_folder_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out.ply");
        let message = write_file(&path, b"").unwrap_err().to_string();
        assert!(message.contains("none/out.ply"), "{message}");
        assert!(
            message.ends_with("does not exist: create it first"),
            "{message}"
        );
    }

    #[test]
    fn rejects_a_target_that_is_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ply");
        fs::create_dir(&path).unwrap();
        assert!(matches!(
            write_file(&path, b""),
            Err(AtomicError::NotAFile { .. })
        ));
        assert_eq!(names_in(folder.path()), ["out.ply"]);
    }

    #[test]
    fn failure_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let name = "n".repeat(5000) + ".ply";
        let error = write_file(&folder.path().join(name), b"bytes").unwrap_err();
        assert!(matches!(error, AtomicError::Write { .. }), "{error}");
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_those_of_an_ordinary_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_file(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }

    #[test]
    #[cfg(unix)]
    fn symbolic_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (link, real) = (folder.path().join("link"), folder.path().join("real"));
        fs::write(&real, b"old").unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(names_in(folder.path()), ["link", "real"]);
    }

    #[test]
    fn faults_leave_the_old_or_the_new_file() {
        use crate::atomic::{Fault, FaultyDisk};
        for fault in [Fault::Error, Fault::Kill, Fault::PowerLoss] {
            for operation in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("out.ply");
                write_file(&path, b"an old text").unwrap();
                let disk = FaultyDisk::new(fault, operation, true);
                let result = write_on(disk.clone(), &path, b"a new text");
                let found = fs::read(&path).unwrap();
                let is_old = found == b"an old text";
                assert!(is_old || found == b"a new text", "{fault:?} at {operation}");
                assert!(!(is_old && result.is_ok()), "{fault:?} at {operation}");
                write_file(&path, b"the last text").unwrap();
                assert_eq!(names_in(folder.path()), ["out.ply"]);
                if !disk.has_happened() {
                    break;
                }
            }
        }
    }
}
