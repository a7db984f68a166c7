//! Runs the command `throng`, for exports.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use throng_bake::Progress;
use throng_format::atomic::write_file;

/// File name of the command.
const COMMAND: &str = "throng";

/// A process that ends with its owner: a request that is stopped must not leave it running.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the command. Its output is written to a file where one is given. Returns a message for the user.
pub fn run(
    arguments: &[String],
    output: Option<&Path>,
    progress: &dyn Progress,
) -> Result<String, String> {
    let mut command = Command::new(program());
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| {
        format!("cannot start the command {COMMAND}: {error}; install it beside the viewer")
    })?;
    let mut running = Running(child);
    let stdout = running.0.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(mut stdout) = stdout {
            // A command that is killed ends its output.
            let _ = stdout.read_to_end(&mut text);
        }
        text
    });
    let mut errors = Vec::new();
    if let Some(stderr) = running.0.stderr.take() {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            match line.strip_prefix("progress: ") {
                Some(stage) => progress.stage(stage),
                None => errors.push(line),
            }
        }
    }
    let status = running.0.wait().map_err(|error| error.to_string())?;
    let text = reader.join().unwrap_or_default();
    if !status.success() {
        let message = errors.join("\n");
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        return Err(match message.is_empty() {
            true => format!("the command {COMMAND} ended with {status}"),
            false => message.to_owned(),
        });
    }
    match output {
        Some(path) => {
            write_file(path, &text).map_err(|error| error.to_string())?;
            Ok(format!("wrote {}", path.display()))
        }
        None => Ok(String::from_utf8_lossy(&text).trim().to_owned()),
    }
}

/// Path of the command: beside this program, beside the folder of a test, or found by the system.
fn program() -> PathBuf {
    let name = format!("{COMMAND}{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().unwrap_or_default();
    let folders = own.ancestors().skip(1).take(2);
    let mut beside = folders.map(|folder| folder.join(&name));
    beside.find(|path| path.is_file()).unwrap_or(name.into())
}
