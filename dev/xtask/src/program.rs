//! Programs of crates.io that checks run, installed into the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::metadata::cargo;

/// A program at one version. Others may know other settings.
pub struct Program<'a> {
    pub package: &'a str,
    /// Name of the executable.
    pub name: &'a str,
    pub version: &'a str,
    /// Whether to install with the versions of the package's own lock file.
    pub locked: bool,
}

impl Program<'_> {
    /// Path of the executable, which may be missing.
    pub fn path(&self, target: &Path) -> PathBuf {
        self.root(target).join("bin").join(self.name)
    }

    fn root(&self, target: &Path) -> PathBuf {
        let root = format!("{}-{}", self.package, self.version);
        target.join("tools").join(root)
    }

    /// Path of the executable. Installs it first where it is missing.
    pub fn installed(&self, target: &Path) -> Result<PathBuf, String> {
        let path = self.path(target);
        if !path.is_file() {
            let Self {
                package, version, ..
            } = self;
            println!("installing {package} {version}, which takes minutes");
            let mut install = cargo();
            install
                .args(["install", "--quiet", package, "--version", version])
                .args(self.locked.then_some("--locked"))
                .arg("--root")
                .arg(self.root(target))
                // It runs for seconds: a fast build matters more.
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
                .env("CARGO_PROFILE_RELEASE_LTO", "off");
            succeed(&mut install, "cargo install")?;
        }
        Ok(path)
    }
}

/// Runs a command with its output on the terminal.
pub fn succeed(command: &mut Command, name: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{name} failed, see above")),
        Err(error) => Err(format!("cannot run {name}: {error}")),
    }
}
