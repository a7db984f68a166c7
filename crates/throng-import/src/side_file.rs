//! Files beside an asset, and nowhere else.

use std::path::{Component, Path, PathBuf};

use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_FILE_BYTES;

/// Reads a file by its path relative to the asset's folder; without a folder, all are refused.
pub(crate) fn read(relative: &str, folder: Option<&Path>, object: &str) -> Outcome<Vec<u8>> {
    let path = resolve(relative, folder, object)?;
    let size = std::fs::metadata(&path)
        .map_err(|error| io_fault(relative, object, &error))?
        .len();
    if size > MAX_FILE_BYTES {
        let problem = format!("'{relative}' has {size} bytes");
        return Err(Fault::limit(
            object,
            problem,
            "MAX_FILE_BYTES",
            MAX_FILE_BYTES,
        ));
    }
    std::fs::read(&path).map_err(|error| io_fault(relative, object, &error))
}

/// The path of a side file: below the asset's folder, links followed.
fn resolve(relative: &str, folder: Option<&Path>, object: &str) -> Outcome<PathBuf> {
    let refuse = |problem: String| {
        Fault::new(ErrorKind::Path, object, problem)
            .remedy("side files are read from the asset's own folder only")
    };
    let folder = folder.ok_or_else(|| {
        refuse(format!(
            "'{relative}' is a side file, and the asset has no folder"
        ))
    })?;
    let plain = Path::new(relative)
        .components()
        .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    // A colon is a scheme or a drive, a backslash another system's separator.
    if relative.is_empty() || !plain || relative.contains([':', '\\', '\0']) {
        return Err(refuse(format!(
            "'{relative}' does not lie inside the asset's folder"
        )));
    }
    let real = folder
        .join(relative)
        .canonicalize()
        .map_err(|error| io_fault(relative, object, &error))?;
    let home = folder
        .canonicalize()
        .map_err(|error| io_fault(relative, object, &error))?;
    if !real.starts_with(&home) {
        return Err(refuse(format!(
            "'{relative}' leads outside the asset's folder"
        )));
    }
    if !real.is_file() {
        return Err(refuse(format!("'{relative}' is not a file")));
    }
    Ok(real)
}

fn io_fault(relative: &str, object: &str, error: &std::io::Error) -> Fault {
    Fault::new(
        ErrorKind::Io,
        object,
        format_args!("cannot read '{relative}': {error}"),
    )
    .remedy("put the side file beside the asset")
}
