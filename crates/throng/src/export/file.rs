//! Whole files or none.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::ExportError;

/// Writes a file, or replaces it, in one step: whoever looks sees the old file or the whole new one.
///
/// The bytes go to a temporary file in the same folder first, which is gone when this fails.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.exists() {
        return Err(ExportError::NoFolder {
            path: path.into(),
            folder: folder.into(),
        });
    }
    if path.exists() && !path.is_file() {
        return Err(ExportError::NotAFile { path: path.into() });
    }
    write_and_rename(folder, path, bytes).map_err(|error| ExportError::Write {
        path: path.into(),
        remedy: remedy(&error),
        error,
    })
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
        .prefix(".throng-")
        .make_in(folder, |path| File::create_new(path))
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a folder that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        io::ErrorKind::InvalidFilename => "choose another name",
        _ => "choose another path",
    }
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
        write_atomically(&path, b"a long first text").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["out.ply"]);
    }

    #[test]
    fn a_missing_folder_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out.ply");
        let message = write_atomically(&path, b"").unwrap_err().to_string();
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
            write_atomically(&path, b""),
            Err(ExportError::NotAFile { .. })
        ));
        assert_eq!(names_in(folder.path()), ["out.ply"]);
    }

    #[test]
    fn a_failure_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let name = "n".repeat(5000) + ".ply";
        let error = write_atomically(&folder.path().join(name), b"bytes").unwrap_err();
        assert!(matches!(error, ExportError::Write { .. }), "{error}");
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn the_permissions_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_atomically(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(ours), mode(plain));
    }
}
