//! Files that appear whole.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::{AtomicError, PREFIX, parent_of};

/// Writes a file, or replaces it, in one step: whoever looks sees the old file or the whole new one.
///
/// The bytes go to a temporary file in the same folder first, which is gone when this fails.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), AtomicError> {
    let folder = parent_of(path)?;
    if path.exists() && !path.is_file() {
        return Err(AtomicError::NotAFile { path: path.into() });
    }
    write_and_rename(folder, path, bytes).map_err(AtomicError::write(path))
}

fn write_and_rename(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_file(folder)?;
    // Not through `NamedTempFile`, whose errors name the temporary file.
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    // Temporary files are their owner's alone; this one is made as any file is, for it becomes one.
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
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.ply");
        write_file(&path, b"a long first text").unwrap();
        write_file(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["out.ply"]);
    }

    #[test]
    fn a_missing_folder_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out.ply");
        let message = write_file(&path, b"").unwrap_err().to_string();
        assert!(message.contains("none/out.ply"), "{message}");
        assert!(
            message.ends_with("does not exist: make it first"),
            "{message}"
        );
    }

    #[test]
    fn a_folder_of_that_name_stays() {
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
    fn a_failure_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let name = "n".repeat(5000) + ".ply";
        let error = write_file(&folder.path().join(name), b"bytes").unwrap_err();
        assert!(matches!(error, AtomicError::Write { .. }), "{error}");
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn the_permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_file(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }
}
