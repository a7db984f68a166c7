//! Side files: files that an asset refers to. They must be inside the asset's folder.

use std::path::{Component, Path, PathBuf};

use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_FILE_BYTES;

/// Reads a side file at a path returned by [`locate`].
pub(crate) fn read(path: &Path, object: &str) -> Outcome<Vec<u8>> {
    let io = |error: std::io::Error| io_fault(&path.display(), object, &error);
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MAX_FILE_BYTES {
        let problem = format!("'{}' has {size} bytes", path.display());
        return Err(Fault::limit(
            object,
            problem,
            "MAX_FILE_BYTES",
            MAX_FILE_BYTES,
        ));
    }
    std::fs::read(path).map_err(io)
}

/// Returns the path of a side file.
///
/// `relative` is relative to the asset's folder. The file must be below that folder after symbolic links
/// are resolved. Without a folder, every side file is an error. `shown` is the path as written in the
/// asset, for errors.
pub(crate) fn locate(
    relative: &str,
    shown: &str,
    folder: Option<&Path>,
    object: &str,
) -> Outcome<PathBuf> {
    let fault = |problem: String| {
        Fault::new(ErrorKind::Path, object, problem)
            .remedy("side files are read from the asset's own folder only")
    };
    let folder = folder.ok_or_else(|| {
        fault(format!(
            "'{shown}' is a side file, but no folder was given to read it from"
        ))
    })?;
    let plain = Path::new(relative)
        .components()
        .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    // A colon is a scheme or a drive, a backslash another system's separator.
    if relative.is_empty() || !plain || relative.contains([':', '\\', '\0']) {
        return Err(fault(format!(
            "'{shown}' is not a relative path inside the asset's folder"
        )));
    }
    let real = folder
        .join(relative)
        .canonicalize()
        .map_err(|error| io_fault(&shown, object, &error))?;
    let home = folder
        .canonicalize()
        .map_err(|error| io_fault(&shown, object, &error))?;
    if !real.starts_with(&home) {
        return Err(fault(format!(
            "'{shown}' resolves to a path outside the asset's folder"
        )));
    }
    if !real.is_file() {
        return Err(fault(format!("'{shown}' is not a file")));
    }
    Ok(real)
}

fn io_fault(name: &dyn std::fmt::Display, object: &str, error: &std::io::Error) -> Fault {
    Fault::new(
        ErrorKind::Io,
        object,
        format_args!("cannot read '{name}': {error}"),
    )
    .remedy("put the side file beside the asset")
}
