//! Licences, duplicates and sources of dependencies, by `cargo deny` and `deny.toml`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::metadata::{cargo, metadata, text, workspace_root};

/// Version that is installed. Others may know other settings.
const VERSION: &str = "0.20.2";

/// Checks all dependencies. Installs `cargo-deny` into the target folder first, where it stays.
pub fn run() -> Result<(), String> {
    let metadata = metadata()?;
    let program = installed(Path::new(text(&metadata["target_directory"])))?;
    // Sources of all platforms. Without a network this succeeds where they are there already.
    succeed(
        cargo().args(["fetch", "--locked", "--quiet"]),
        "cargo fetch",
    )?;
    let mut check = Command::new(program);
    check
        .current_dir(workspace_root())
        .args(["--locked", "--offline", "check"])
        .args(["licenses", "bans", "sources"]);
    succeed(&mut check, "cargo deny")
}

/// Path of `cargo-deny`.
fn installed(target: &Path) -> Result<PathBuf, String> {
    let root = target.join("tools").join(format!("cargo-deny-{VERSION}"));
    let program = root.join("bin/cargo-deny");
    if !program.is_file() {
        println!("installing cargo-deny {VERSION}, which takes minutes");
        let mut install = cargo();
        install
            .args([
                "install",
                "--quiet",
                "--locked",
                "cargo-deny",
                "--version",
                VERSION,
            ])
            .arg("--root")
            .arg(&root)
            // It runs for a second: a fast build matters more.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_RELEASE_LTO", "off");
        succeed(&mut install, "cargo install")?;
    }
    Ok(program)
}

fn succeed(command: &mut Command, name: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{name} failed, see above")),
        Err(error) => Err(format!("cannot run {name}: {error}")),
    }
}
