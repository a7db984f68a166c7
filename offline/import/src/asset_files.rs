//! Reads the files of an asset: its own, and side files inside its folder. No other code of this crate opens files.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::error::{ErrorKind, Fault, Outcome};
use crate::limits::MAX_FILE_BYTES;

/// The files of one asset. Their sizes count together against [`MAX_FILE_BYTES`].
pub(crate) struct AssetFiles {
    /// Folder of side files; without one, every side file is an error.
    folder: Option<PathBuf>,
    /// Bytes read so far.
    read_bytes: Cell<u64>,
}

impl AssetFiles {
    /// Creates the files of an asset whose own file, of `bytes` bytes, is in memory.
    pub(crate) fn new(folder: Option<&Path>, bytes: u64) -> Self {
        Self {
            folder: folder.map(Path::to_owned),
            read_bytes: Cell::new(bytes),
        }
    }

    /// Returns the path of a side file.
    ///
    /// `relative` is relative to the asset's folder. The file must be below that folder after symbolic links
    /// are resolved. `shown` is the path as written in the asset, for errors.
    pub(crate) fn locate(&self, relative: &str, shown: &str, object: &str) -> Outcome<PathBuf> {
        let fault = |problem: String| {
            Fault::new(ErrorKind::Path, object, problem)
                .remedy("side files are read from the asset's own folder only")
        };
        let folder = self.folder.as_deref().ok_or_else(|| {
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
        let io = |error: io::Error| io_fault(&shown, object, &error);
        let real = folder.join(relative).canonicalize().map_err(io)?;
        let home = folder.canonicalize().map_err(io)?;
        if !real.starts_with(&home) {
            return Err(fault(format!(
                "'{shown}' resolves to a path outside the asset's folder"
            )));
        }
        if !real.is_file() {
            return Err(fault(format!("'{shown}' is not a regular file")));
        }
        Ok(real)
    }

    /// Reads a side file at a path returned by [`Self::locate`].
    pub(crate) fn read(&self, path: &Path, object: &str) -> Outcome<Vec<u8>> {
        let before = self.read_bytes.get();
        let limit = MAX_FILE_BYTES.saturating_sub(before);
        let bytes = read_regular(path, limit).map_err(|error| match error {
            ReadError::Io(error) => io_fault(&path.display(), object, &error),
            ReadError::NotRegular(found) => Fault::new(
                ErrorKind::Path,
                object,
                format_args!("'{}' is {found}, expected a file", path.display()),
            ),
            ReadError::TooLarge(bytes) => Fault::limit(
                object,
                format_args!(
                    "'{}' has {bytes} bytes, after {before} of other files",
                    path.display()
                ),
                "MAX_FILE_BYTES",
                MAX_FILE_BYTES,
            ),
        })?;
        self.read_bytes.set(before + bytes.len() as u64);
        Ok(bytes)
    }
}

/// Types of files that are read for a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileTypes {
    /// Files that may hold a character: `.glb`, `.gltf`, `.fbx`, `.obj` and `.abc`.
    Characters,
    /// Files that may hold motion: `.glb`, `.gltf`, `.fbx`, `.abc` and `.bvh`.
    Motion,
    /// Vertex caches beside a mesh file: `.pc2` and `.mdd`.
    Caches,
}

impl FileTypes {
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Characters => &["glb", "gltf", "fbx", "obj", "abc"],
            Self::Motion => &["glb", "gltf", "fbx", "abc", "bvh"],
            Self::Caches => &["pc2", "mdd"],
        }
    }

    /// Formats the extensions: `.glb, .gltf, .fbx, .obj or .abc`.
    fn list(self) -> &'static str {
        match self {
            Self::Characters => ".glb, .gltf, .fbx, .obj or .abc",
            Self::Motion => ".glb, .gltf, .fbx, .abc or .bvh",
            Self::Caches => ".pc2 or .mdd",
        }
    }

    /// Refuses a file of another type, by the extension of its name.
    pub(crate) fn check(self, path: &Path) -> Outcome<()> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if self.extensions().iter().any(|known| extension == *known) {
            return Ok(());
        }
        if self == Self::Caches {
            let problem = format!("unsupported file type '.{}'", extension.display());
            let fault = Fault::new(ErrorKind::UnknownSource, "", problem);
            return Err(fault.remedy(format!("expected a {} file", self.list())));
        }
        if extension == "bvh" {
            return Err(bvh_has_no_mesh(path));
        }
        if Self::Caches
            .extensions()
            .iter()
            .any(|known| extension == *known)
        {
            let problem = "a vertex cache has positions, but no mesh";
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let remedy = format!("pass it with its mesh: throng bake MESH --cache {name}");
            return Err(Fault::new(ErrorKind::UnknownSource, "", problem).remedy(remedy));
        }
        let problem = match extension.is_empty() {
            true => "the file name has no extension".to_owned(),
            false => format!("unsupported file type '.{}'", extension.display()),
        };
        Err(Fault::new(ErrorKind::UnknownSource, "", problem)
            .remedy(format!("expected {}, or builtin:NAME", self.list())))
    }
}

/// Fault of a BVH file that is imported as a character.
pub(crate) fn bvh_has_no_mesh(path: &Path) -> Fault {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Fault::new(
        ErrorKind::UnknownSource,
        "",
        "a BVH file has motion, but no mesh",
    )
    .remedy(format!(
        "pass it as motion to a character: throng bake CHARACTER --motion {name}"
    ))
}

/// Reads the file of an asset, if its type is one of `types`.
pub(crate) fn read_asset(path: &Path, types: FileTypes) -> Outcome<Vec<u8>> {
    types.check(path)?;
    read_regular(path, MAX_FILE_BYTES).map_err(|error| read_fault(error, types))
}

/// Opens a regular file of any size, if its type is one of `types`. Returns its size in bytes, too.
pub(crate) fn open_regular(path: &Path, types: FileTypes) -> Outcome<(File, u64)> {
    types.check(path)?;
    open_file(path, u64::MAX).map_err(|error| read_fault(error, types))
}

/// Returns true for a file that is read in pieces, by the extension of its name.
pub(crate) fn is_read_in_pieces(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("abc")
}

fn read_fault(error: ReadError, types: FileTypes) -> Fault {
    match error {
        ReadError::Io(error) => {
            Fault::new(ErrorKind::Io, "", format_args!("cannot be read: {error}"))
                .remedy("check the path")
        }
        ReadError::NotRegular(found) => Fault::new(
            ErrorKind::Io,
            "",
            format_args!("is {found}, expected a file"),
        )
        .remedy(format!("name a {} file", types.list())),
        ReadError::TooLarge(bytes) => Fault::limit(
            "",
            format_args!("has {bytes} bytes"),
            "MAX_FILE_BYTES",
            MAX_FILE_BYTES,
        ),
    }
}

/// Returns the folder that side files of an asset are in.
pub(crate) fn folder_of(asset: &Path) -> &Path {
    match asset.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

enum ReadError {
    Io(io::Error),
    /// Kind of file that was found: "a folder", "a pipe or a device".
    NotRegular(&'static str),
    /// Size of the file, in bytes.
    TooLarge(u64),
}

/// Opens a regular file of at most `limit` bytes. Pipes and devices are not opened, because that may block. Returns its
/// size in bytes, too.
fn open_file(path: &Path, limit: u64) -> Result<(File, u64), ReadError> {
    let checked_size = |metadata: &std::fs::Metadata| match metadata.len() {
        _ if metadata.is_dir() => Err(ReadError::NotRegular("a folder")),
        _ if !metadata.is_file() => Err(ReadError::NotRegular("a pipe or a device")),
        bytes if bytes > limit => Err(ReadError::TooLarge(bytes)),
        bytes => Ok(bytes),
    };
    checked_size(&std::fs::metadata(path).map_err(ReadError::Io)?)?;
    let file = File::open(path).map_err(ReadError::Io)?;
    let size = checked_size(&file.metadata().map_err(ReadError::Io)?)?;
    Ok((file, size))
}

/// Reads a regular file of at most `limit` bytes. Nothing is read of a file that is too large.
fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, size) = open_file(path, limit)?;
    let mut bytes = Vec::with_capacity(size as usize);
    // The file may grow while it is read.
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(ReadError::Io)?;
    match bytes.len() as u64 {
        length if length > limit => Err(ReadError::TooLarge(length)),
        _ => Ok(bytes),
    }
}

fn io_fault(name: &dyn std::fmt::Display, object: &str, error: &io::Error) -> Fault {
    Fault::new(
        ErrorKind::Io,
        object,
        format_args!("cannot read '{name}': {error}"),
    )
    .remedy("put the side file beside the asset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_all_files_count_together() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), [0; 6]).unwrap();
        let files = AssetFiles::new(Some(folder.path()), MAX_FILE_BYTES - 10);
        let path = files.locate("a.bin", "a.bin", "buffer 0").unwrap();
        assert_eq!(files.read(&path, "buffer 0").unwrap(), [0; 6]);
        let error = files.read(&path, "buffer 1").unwrap_err().in_file("x.gltf");
        assert_eq!(error.kind, ErrorKind::Limit);
        assert!(error.to_string().contains("MAX_FILE_BYTES"), "{error}");
    }
}
