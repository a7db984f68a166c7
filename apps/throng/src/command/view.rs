//! `throng view`: starts the viewer, a program of its own.

use std::io;
use std::path::PathBuf;
use std::process::Command;

use super::CommandError;
use crate::cli::ViewArgs;

/// File name of the viewer.
const VIEWER: &str = "throng-view";

/// Starts the viewer and waits until it is closed.
pub fn view(args: &ViewArgs) -> Result<(), CommandError> {
    let status = Command::new(viewer()).args(&args.file).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(CommandError::Failed(format!(
            "the viewer ended with {status}"
        ))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(CommandError::Failed(format!(
                "{VIEWER} is not installed: run `cargo install --path apps/view`, or `cargo build -p throng-view` beside a \
             `throng` that cargo built"
            )))
        }
        Err(error) => Err(CommandError::Failed(format!(
            "cannot start {VIEWER}: {error}"
        ))),
    }
}

/// Path of the viewer: beside this program, or found by the system.
fn viewer() -> PathBuf {
    let name = format!("{VIEWER}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|program| program.with_file_name(&name));
    match beside {
        Ok(beside) if beside.is_file() => beside,
        _ => name.into(),
    }
}
