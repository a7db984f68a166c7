//! Shared test support: locating test assets and programs, deterministic random numbers, file
//! corruption, and an allocator that measures peak memory.
//!
//! Tests that miss something say so in one line and pass; under `CI=true` they fail.
//!
//! ```
//! use throng_testkit::{Random, path_or_skip, workspace_root};
//!
//! // The same numbers in every run.
//! let mut random = Random::new(7);
//! assert_eq!(random.below(100), Random::new(7).below(100));
//! // A file that is there; `None` is a skipped test.
//! let lock = path_or_skip(workspace_root().join("Cargo.lock"), "the lock file");
//! assert!(lock.is_some());
//! ```

mod corrupt;
mod counting;
mod python;
mod random;
mod tier;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub use corrupt::{corrupt_bytes, corrupt_json};
pub use counting::{CountingAllocator, peak_of_process, peak_of_thread, peak_resident};
pub use python::ask_python;
pub use random::Random;
pub use tier::{Tier, cases};

/// Returns the root of the workspace whose tests are running. It may differ from the workspace that this
/// crate was built in, because several may share a target folder.
pub fn workspace_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    package
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").is_file())
        .expect("the root of the workspace has a lock file")
        .to_owned()
}

/// Returns the folder of test assets, `shared/assets` beside the workspace.
///
/// The assets are not part of the repository. If they are missing, this reports the skipped test and
/// returns `None`; see [`skip`].
pub fn shared_assets() -> Option<PathBuf> {
    path_or_skip(workspace_root().join("../shared/assets"), "test assets")
}

/// Returns `path` if it exists. Otherwise reports the skipped test and returns `None`; see [`skip`]. `what`
/// describes the path in that report.
pub fn path_or_skip(path: PathBuf, what: &str) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    skip(&format!("{what} not found at {}", path.display()));
    None
}

/// Returns the GPU device that a test needs, or reports the skipped test and returns `None`; see [`skip`].
///
/// `api` names the adapter ("GPU", "GL"), `packages` the Debian packages that provide a software one.
pub fn adapter_or_skip<T>(found: Option<T>, api: &str, packages: &str) -> Option<T> {
    if found.is_none() {
        skip(&format!("no {api} adapter; install {packages}"));
    }
    found
}

/// Reports why tests are skipped: one line per reason and test binary, on standard error, even if the test harness
/// captures output.
///
/// # Panics
/// Panics under `CI=true`, so that continuous integration never skips a test.
pub fn skip(reason: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{reason} (tests are never skipped under CI=true)"
    );
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if reported.insert(reason.to_owned()) {
        // A handle is not captured, unlike `eprintln`. A closed standard error is no reason to fail.
        let _ = writeln!(std::io::stderr(), "skipped: {reason}");
    }
}

/// Finds a program on the `PATH`. If it is missing, behaves as [`path_or_skip`]. `package` is the Debian
/// package to install, for the message.
pub fn program_or_skip(name: &str, package: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file());
    found.or_else(|| {
        path_or_skip(
            PathBuf::from(name),
            &format!("the program of package {package}"),
        )
    })
}

/// Lists all files below a folder that have one of the extensions, recursively and sorted.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("readable folder entry").path();
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
