//! Files of some kinds below a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::CommandError;

/// Folders nested deeper than this are not searched.
const MAX_DEPTH: usize = 16;

/// A file below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Path of the file.
    pub source: String,
    /// Path below the folder, without extension.
    pub name: PathBuf,
}

/// Lists the files with one of some extensions (in lower case) below a folder, sorted by name, without those of baked
/// sets.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<FoundFile>, CommandError> {
    let mut found = Vec::new();
    walk([folder; 2], extensions, 0, &mut found)?;
    Ok(found)
}

fn walk(
    [root, folder]: [&Path; 2],
    extensions: &[&str],
    depth: usize,
    found: &mut Vec<FoundFile>,
) -> Result<(), CommandError> {
    let listed = |entries: fs::ReadDir| entries.map(|entry| Ok(entry?.path())).collect();
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(folder).and_then(listed);
    let mut entries = entries.map_err(|error| {
        CommandError::Unreadable(format!(
            "{}: {error}: choose a folder with read permission",
            folder.display()
        ))
    })?;
    entries.sort();
    for path in entries {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_dir() {
            if extension != "throng" && depth < MAX_DEPTH {
                walk([root, &path], extensions, depth + 1, found)?;
            }
        } else if extensions.contains(&extension.as_str()) && !is_baked(&path) {
            let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
            let source = path.to_str().ok_or_else(|| {
                CommandError::Unreadable(format!(
                    "{}: the name is not valid Unicode: rename the file or its folder",
                    path.display()
                ))
            })?;
            found.push(FoundFile {
                source: source.to_owned(),
                name,
            });
        }
    }
    Ok(())
}

/// Returns whether a file is one that `--format glb` wrote.
fn is_baked(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".throng.glb") || name.ends_with(".throng.heat.glb")
}
