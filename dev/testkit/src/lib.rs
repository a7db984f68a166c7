//! What tests share: where the test assets are and when their absence is a failure, numbers that look
//! random, damage, and an allocator that counts.

mod counting;
mod damage;
mod random;
mod tier;

use std::path::{Path, PathBuf};

pub use counting::{Counting, peak_of_process, peak_of_thread};
pub use damage::{damage, damage_structure};
pub use random::Random;
pub use tier::{Tier, cases};

/// The root of the workspace that the tests run in, whichever this crate was built in: a target folder may serve several.
pub fn workspace_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    package
        .ancestors()
        .nth(2)
        .expect("every crate is two folders below the root")
        .to_owned()
}

/// The folder of test assets, `shared/assets` beside the workspace.
///
/// They are not part of the project. Where they are missing this says so in a line and gives `None`,
/// and the test passes over; under `CI=true` it panics, so that continuous integration never skips.
pub fn shared_assets() -> Option<PathBuf> {
    optional(workspace_root().join("../shared/assets"), "test assets")
}

/// Gives `path` where it exists; elsewhere says so, or panics under `CI=true`.
pub fn optional(path: PathBuf, what: &str) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    let missing = format!("{what} not found at {}", path.display());
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{missing}, and CI=true"
    );
    eprintln!("passed over: {missing}");
    None
}

/// Finds a program on the path; where it is missing, as [`optional`]. `package` says how to install it.
pub fn program(name: &str, package: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file());
    found.or_else(|| optional(PathBuf::from(name), &format!("the program of {package}")))
}

/// All files below a folder with one of the extensions, sorted.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder entry").path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if path.is_dir() {
                folders.push(path);
            } else if extensions.contains(&extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
