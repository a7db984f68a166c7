//! Atomic writes of files.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::{AtomicError, PREFIX, parent_of};

/// Writes or replaces a file atomically: readers see the old file or the complete new one.
///
/// The bytes are first written to a temporary file in the same folder, which is removed on failure.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    let folder = parent_of(path)?;
    if path.exists() && !path.is_file() {
        return Err(AtomicError::NotAFile { path: path.into() });
    }
    write_and_rename(folder, path, bytes).map_err(AtomicError::write(path))
}

fn write_and_rename(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_file(folder)?;
    // Errors of `NamedTempFile::write_all` would name the temporary file.
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    // The default permissions of temporary files are too narrow: this one becomes an ordinary file.
    builder
        .prefix(PREFIX)
        .make_in(folder, |path| File::create_new(path))
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
}
