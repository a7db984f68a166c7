//! Sets that share textures: each motion set is read once.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{DiskError, io, leftover_of, read_folder, read_glb};
use crate::{SharedTextures, TextureSet};

/// Reads sets. Those that use one motion set hold one copy of its textures.
///
/// ```
/// # use throng_format::disk::SetReader;
/// # fn f() -> Result<(), Box<dyn std::error::Error>> {
/// let mut reader = SetReader::default();
/// let knight = reader.read("party/knight.throng".as_ref())?;
/// let mage = reader.read("party/mage.throng".as_ref())?;
/// assert!(knight.shared_textures().is_same(mage.shared_textures()));
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct SetReader {
    /// Textures by the folder of their motion set, with the digests that were checked.
    pub(super) motions: HashMap<PathBuf, (Vec<crate::FileEntry>, SharedTextures)>,
}

impl SetReader {
    /// Reads and checks a set: a folder, or a GLB.
    pub fn read(&mut self, path: &Path) -> Result<TextureSet, DiskError> {
        if !path.exists() {
            let path = path.to_owned();
            return Err(match leftover_of(&path) {
                Some(kept) => DiskError::Interrupted { path, kept },
                None => DiskError::NotFound { path },
            });
        }
        match path.is_dir() {
            true => read_folder(self, path),
            false => read_glb(path),
        }
    }
}

/// A set of a party.
#[derive(Debug, Clone)]
pub struct PartySet {
    /// Folder of the set.
    pub path: PathBuf,
    /// The set; one without a mesh where [`crate::Manifest::is_motion`].
    pub set: TextureSet,
}

/// Reads every set directly below a folder, `*.throng`, in the order of their names. Textures of each motion set are read
/// once. Errors where there is none, or one that cannot be read.
pub fn read_party(folder: &Path) -> Result<Vec<PartySet>, DiskError> {
    let mut reader = SetReader::default();
    let mut sets = Vec::new();
    for path in sets_below(folder)? {
        let set = reader.read(&path)?;
        sets.push(PartySet { path, set });
    }
    match sets.is_empty() {
        false => Ok(sets),
        true => Err(DiskError::NoSets {
            path: folder.into(),
        }),
    }
}

/// Lists the folders of sets directly below a folder, `*.throng`, by name. Empty where there is none.
pub fn sets_below(folder: &Path) -> Result<Vec<PathBuf>, DiskError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io(folder))? {
        let path = entry.map_err(io(folder))?.path();
        // Folders of interrupted writes are hidden.
        let is_hidden = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.as_encoded_bytes().starts_with(b".")
        };
        if path.extension().is_some_and(|ending| ending == "throng")
            && !is_hidden(&path)
            && path.join(super::MANIFEST).is_file()
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
