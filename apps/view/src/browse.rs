//! Folders to choose a file from.

use std::path::{Path, PathBuf};

/// Files that can be opened, by extension.
const EXTENSIONS: [&str; 5] = ["glb", "gltf", "fbx", "abc", "obj"];

/// Most entries of a folder that are listed.
pub const MAX_ENTRIES: usize = 2000;

/// A folder and its entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// The folder, as an absolute path.
    pub folder: PathBuf,
    /// Folders, then what can be opened, each by name.
    pub entries: Vec<Entry>,
    /// True if there are more than [`MAX_ENTRIES`].
    pub is_cut: bool,
    /// Reason why the folder cannot be listed.
    pub problem: Option<String>,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Name without the folder.
    pub name: String,
}

/// Kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A folder to look into.
    Folder,
    /// A texture set, a folder too.
    Set,
    /// A file of a character, or a set of one file.
    File,
}

impl Listing {
    /// Lists a folder. Hidden entries and files that cannot be opened are left out.
    pub fn of(folder: &Path) -> Self {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let read = match std::fs::read_dir(&folder) {
            Ok(read) => read,
            Err(error) => {
                return Self {
                    problem: Some(format!("{}: {error}", folder.display())),
                    folder,
                    ..Self::default()
                };
            }
        };
        let entries = read.filter_map(|entry| Entry::of(&entry.ok()?.path()));
        let mut entries: Vec<Entry> = entries.take(MAX_ENTRIES + 1).collect();
        let is_cut = entries.len() > MAX_ENTRIES;
        entries.truncate(MAX_ENTRIES);
        entries.sort_by_key(|entry| (entry.kind, entry.name.to_lowercase()));
        Self {
            folder,
            entries,
            is_cut,
            problem: None,
        }
    }

    /// Lists the folder of a path, or the current folder.
    pub fn beside(path: Option<&str>) -> Self {
        let folder = path.and_then(|path| Path::new(path).parent());
        let folder = folder.filter(|folder| folder.is_dir());
        Self::of(folder.unwrap_or(Path::new(".")))
    }
}

impl Entry {
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if name.starts_with('.') {
            return None;
        }
        let kind = match path.is_dir() {
            true if path.join("manifest.json").is_file() => EntryKind::Set,
            true => EntryKind::Folder,
            false => {
                let extension = path.extension()?.to_str()?.to_lowercase();
                EXTENSIONS
                    .contains(&&*extension)
                    .then_some(EntryKind::File)?
            }
        };
        Some(Self {
            kind,
            name: name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_folders_sets_and_characters() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["b", "A", "knight.throng", ".hidden"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        for name in ["x.GLB", "y.fbx", "notes.txt", "z.gltf", ".w.glb", "u.abc"] {
            std::fs::write(at(name), "").unwrap();
        }
        std::fs::write(at("knight.throng/manifest.json"), "").unwrap();
        let listing = Listing::of(folder.path());
        let names = listing
            .entries
            .iter()
            .map(|entry| (entry.kind, &*entry.name));
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                (EntryKind::Folder, "A"),
                (EntryKind::Folder, "b"),
                (EntryKind::Set, "knight.throng"),
                (EntryKind::File, "u.abc"),
                (EntryKind::File, "x.GLB"),
                (EntryKind::File, "y.fbx"),
                (EntryKind::File, "z.gltf"),
            ]
        );
        assert!(!listing.is_cut);
    }

    #[test]
    fn folder_that_cannot_be_read_is_reported() {
        let listing = Listing::of(Path::new("/no/such/folder"));
        assert!(listing.entries.is_empty());
        assert!(listing.problem.unwrap().contains("/no/such/folder"));
    }
}
