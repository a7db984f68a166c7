//! Installs the Python packages of `tools/*`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::metadata::workspace_root;

/// Folder that the packages of a tool are installed to, beside its `requirements.txt`.
const MODULES: &str = "python_modules";

/// Runs `pip install` for every folder of `tools/` whose packages are missing or differ from its `requirements.txt`.
pub fn run() {
    for tool in outdated(&workspace_root().join("tools")) {
        let requirements = tool.join("requirements.txt");
        let modules = tool.join(MODULES);
        let status = Command::new("python3")
            .args(["-m", "pip", "install", "--quiet", "--upgrade"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .arg("--target")
            .arg(&modules)
            .arg("--requirement")
            .arg(&requirements)
            .status();
        let installed = status.is_ok_and(|status| status.success());
        if !installed || std::fs::copy(&requirements, mark(&tool)).is_err() {
            println!(
                "warning: 'python3 -m pip install --target {} -r {}' failed; tests that need it are skipped, or fail under CI=true",
                modules.display(),
                requirements.display()
            );
        }
    }
}

fn outdated(tools: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tools).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|folder| folder.join("requirements.txt").is_file() && !is_current(folder))
        .collect();
    folders.sort();
    folders
}

/// Copy of the requirements that were installed.
fn mark(tool: &Path) -> PathBuf {
    tool.join(MODULES).join("requirements.txt")
}

fn is_current(folder: &Path) -> bool {
    let wanted = std::fs::read(folder.join("requirements.txt"));
    let installed = std::fs::read(mark(folder));
    matches!((wanted, installed), (Ok(wanted), Ok(installed)) if wanted == installed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tools_whose_packages_are_missing_or_changed() {
        let tools = std::env::temp_dir().join(format!("throng-pip-{}", std::process::id()));
        let tool = tools.join("a");
        std::fs::create_dir_all(tool.join(MODULES)).unwrap();
        std::fs::create_dir(tools.join("without")).unwrap();
        std::fs::write(tool.join("requirements.txt"), "x==1").unwrap();
        assert_eq!(outdated(&tools), std::slice::from_ref(&tool));
        std::fs::write(mark(&tool), "x==1").unwrap();
        assert!(outdated(&tools).is_empty());
        std::fs::write(tool.join("requirements.txt"), "x==2").unwrap();
        assert_eq!(outdated(&tools), [tool]);
        std::fs::remove_dir_all(&tools).unwrap();
    }
}
