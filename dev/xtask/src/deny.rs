//! Licences, duplicates and sources of dependencies, by `cargo deny` and `deny.toml`.

use std::process::Command;

use crate::metadata::{cargo, target_folder, workspace_root};
use crate::program::{Program, succeed};

const CARGO_DENY: Program<'_> = Program {
    package: "cargo-deny",
    name: "cargo-deny",
    version: "0.20.2",
    locked: true,
};

/// Checks all dependencies. Installs `cargo-deny` into the target folder first, where it stays.
pub fn run() -> Result<(), String> {
    let program = CARGO_DENY.installed(&target_folder()?)?;
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
