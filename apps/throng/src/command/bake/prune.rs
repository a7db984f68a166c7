//! `--prune`: removes sets whose source is gone, and what killed bakes left.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use throng_format::disk::{SetOnDisk, recover_leftover};
use throng_import::builtin;

use crate::command::CommandError;
use crate::text::print_warning;

/// Folders nested deeper than this are not searched.
const MAX_DEPTH: usize = 16;

/// Where sets are looked for.
#[derive(Debug, PartialEq, Eq)]
pub struct PruneScope {
    /// The folder; empty for the current one.
    pub folder: PathBuf,
    /// True where folders inside are searched too.
    pub is_recursive: bool,
}

/// Something that was removed.
#[derive(Debug, PartialEq, Eq)]
pub enum Pruned {
    /// A set, and its source as the manifest names it.
    Set { path: PathBuf, source: String },
    /// A hidden folder of a killed bake.
    Leftover(PathBuf),
}

impl Pruned {
    pub fn path(&self) -> &Path {
        match self {
            Self::Set { path, .. } | Self::Leftover(path) => path,
        }
    }

    /// Returns a line such as `removed a.throng: its source ../a.glb is gone`.
    pub fn line(&self) -> String {
        let path = self.path().display();
        match self {
            Self::Set { source, .. } => format!("removed {path}: its source {source} is gone"),
            Self::Leftover(_) => format!("removed {path}: an interrupted bake left it"),
        }
    }
}

/// Removes sets whose source is gone, in the order of their names. Links are not followed.
pub fn prune(scope: &PruneScope) -> Result<Vec<Pruned>, CommandError> {
    let mut pruned = Vec::new();
    if scope.folder.as_os_str().is_empty() || scope.folder.is_dir() {
        prune_folder(&scope.folder, scope.is_recursive, 0, &mut pruned)?;
    }
    Ok(pruned)
}

fn prune_folder(
    folder: &Path,
    is_recursive: bool,
    depth: usize,
    pruned: &mut Vec<Pruned>,
) -> Result<(), CommandError> {
    // A leftover may be the old set, which then gets its name back.
    for path in entries(folder)? {
        if is_hidden(&path) && recover_leftover(&path).map_err(CommandError::WriteSet)? {
            pruned.push(Pruned::Leftover(path));
        }
    }
    let shown = entries(folder)?.into_iter().filter(|path| !is_hidden(path));
    let found = shown.map(|path| (SetOnDisk::find(&path), path));
    let found: Vec<(Option<SetOnDisk>, PathBuf)> = found.collect();
    // A motion set stays as long as a set uses it.
    let staying = found.iter().filter_map(|(set, _)| set.as_ref());
    let staying = staying.filter(|set| !is_gone(set));
    let in_use: HashSet<PathBuf> = staying.filter_map(|set| set.motion.clone()).collect();
    for (set, path) in found {
        match set {
            Some(set) if is_gone(&set) && !in_use.contains(&path) => {
                remove(&set)?;
                pruned.push(Pruned::Set {
                    path,
                    source: set.source,
                });
            }
            Some(_) => {}
            None => {
                let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
                if is_folder && is_recursive && depth < MAX_DEPTH {
                    prune_folder(&path, is_recursive, depth + 1, pruned)?;
                }
            }
        }
    }
    Ok(())
}

/// Removes a set, and warns of files in its folder that are not its own.
fn remove(set: &SetOnDisk) -> Result<(), CommandError> {
    let left = set.remove().map_err(CommandError::WriteSet)?;
    if !left.is_empty() {
        let names = left.iter().filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.display().to_string()).collect();
        print_warning(format!(
            "{}: these are not part of the removed set and stay: {}",
            set.path.display(),
            names.join(", ")
        ));
    }
    Ok(())
}

/// Returns whether the source of a set does not exist. Built-ins always exist, and absolute paths are not followed, as no
/// bake writes them.
fn is_gone(set: &SetOnDisk) -> bool {
    let source = Path::new(&set.source);
    if set.source.starts_with(builtin::PREFIX) || source.is_absolute() || set.source.is_empty() {
        return false;
    }
    let path = set.folder().join(source);
    // Where the folder is behind a symbolic link, `..` is another folder than in the text of the path, which bakes use.
    let absolute = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    [path, without_parents(&absolute)]
        .iter()
        .all(|path| matches!(path.try_exists(), Ok(false)))
}

/// Returns a path without `..`, from its text alone.
fn without_parents(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Lists a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let names = fs::read_dir(here)
        .and_then(|entries| {
            entries
                .map(|entry| Ok(folder.join(entry?.file_name())))
                .collect()
        })
        .map_err(|error| {
            CommandError::Unreadable(format!(
                "{}: {error}: --prune needs a folder with read permission",
                here.display()
            ))
        });
    let mut names: Vec<PathBuf> = names?;
    names.sort();
    Ok(names)
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}
