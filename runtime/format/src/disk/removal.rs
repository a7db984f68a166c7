//! Removal of sets, and of what killed bakes left.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{DiskError, MANIFEST, io, listed_files, read_bytes, read_manifest};
use crate::atomic;

/// End of the name of a set of one file.
const GLB_ENDING: &str = ".throng.glb";
/// End of the name of its heat map.
const HEAT_ENDING: &str = ".throng.heat.glb";

/// A set on disk, with the files that are its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOnDisk {
    /// Folder or file of the set.
    pub path: PathBuf,
    /// Source as the manifest names it: `builtin:NAME`, or a path relative to [`Self::folder`].
    pub source: String,
    /// Folder of the motion set whose textures the set uses.
    pub motion: Option<PathBuf>,
    /// The set's own files, the manifest last.
    files: Vec<PathBuf>,
}

impl SetOnDisk {
    /// Finds the set at a path: a folder with a manifest of any version, or a file named `*.throng.glb`. `None` for anything
    /// else, and for symbolic links.
    pub fn find(path: &Path) -> Option<Self> {
        let file_type = path.symlink_metadata().ok()?.file_type();
        if file_type.is_dir() {
            Self::of_folder(path)
        } else if file_type.is_file() {
            Self::of_file(path)
        } else {
            None
        }
    }

    /// The folder that the source is relative to.
    pub fn folder(&self) -> &Path {
        match self.files.as_slice() {
            [file, ..] => file.parent().unwrap_or(Path::new("")),
            [] => &self.path,
        }
    }

    fn of_folder(folder: &Path) -> Option<Self> {
        let manifest = folder.join(MANIFEST);
        if !is_file(&manifest) {
            return None;
        }
        let json: Value = serde_json::from_slice(&read_bytes(&manifest).ok()?).ok()?;
        let files: Vec<OsString> = listed_files(folder)?;
        Some(Self {
            path: folder.into(),
            source: json["source"]["path"].as_str()?.to_owned(),
            motion: json["motion"]["path"].as_str().and_then(|path| {
                let name = Path::new(path).file_name()?;
                Some(folder.with_file_name(name))
            }),
            files: files.iter().map(|name| folder.join(name)).collect(),
        })
    }

    fn of_file(path: &Path) -> Option<Self> {
        let stem = path.file_name()?.to_str()?.strip_suffix(GLB_ENDING)?;
        let manifest = read_manifest(path).ok()?;
        let heat = path.with_file_name(format!("{stem}{HEAT_ENDING}"));
        Some(Self {
            path: path.into(),
            source: manifest.source.path,
            motion: None,
            files: vec![heat, path.into()],
        })
    }

    /// Removes the set's own files, and its folder where it is then empty. Symbolic links are not its own. Returns what is
    /// left in the folder, sorted.
    pub fn remove(&self) -> Result<Vec<PathBuf>, DiskError> {
        for file in self.files.iter().filter(|file| is_file(file)) {
            fs::remove_file(file).map_err(io(file))?;
        }
        if !self.path.is_dir() {
            return Ok(Vec::new());
        }
        let failed = io(&self.path);
        let entries = fs::read_dir(&self.path).map_err(&failed)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut left: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(&failed)?;
        left.sort();
        if left.is_empty() {
            fs::remove_dir(&self.path).map_err(&failed)?;
        }
        Ok(left)
    }
}

/// Recovers a hidden folder `.throng-NAME` that a killed bake left: an old set without a replacement gets its name back,
/// everything else is removed. Returns false where it is no such folder, or a living process holds it.
pub fn recover_leftover(folder: &Path) -> Result<bool, DiskError> {
    Ok(atomic::recover_leftover(folder, listed_files)?)
}

/// True for a regular file; false for symbolic links.
fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file())
}
