//! Installs the npm packages of `tools/*` and `engines`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::install::on_path;
use crate::metadata::workspace_root;

/// Runs `npm ci` in `engines` and in every folder of `tools/` whose packages are missing or older than its lock file.
pub fn run() {
    let mut tools = outdated(&workspace_root().join("tools"));
    let engines = workspace_root().join("engines");
    if !is_current(&engines) {
        tools.push(engines);
    }
    if tools.is_empty() {
        return;
    }
    if !on_path("npm") {
        println!(
            "warning: npm is missing; tests that need tools/* and engines are skipped, or fail under CI=true"
        );
        return;
    }
    for tool in tools {
        let status = Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund", "--prefix"])
            .arg(&tool)
            .status();
        if !status.is_ok_and(|status| status.success()) {
            println!("warning: 'npm ci --prefix {}' failed", tool.display());
        }
    }
}

fn outdated(tools: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tools).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|folder| folder.join("package-lock.json").is_file() && !is_current(folder))
        .collect();
    folders.sort();
    folders
}

/// `npm ci` writes `node_modules/.package-lock.json` last.
fn is_current(folder: &Path) -> bool {
    let modified = |name: &str| {
        folder
            .join(name)
            .metadata()
            .and_then(|file| file.modified())
    };
    let lock = modified("package-lock.json");
    let installed = modified("node_modules/.package-lock.json");
    matches!((lock, installed), (Ok(lock), Ok(installed)) if installed >= lock)
}
