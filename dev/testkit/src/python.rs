//! Python programs in `tools` that answer questions of tests.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{path_or_skip, program_or_skip, workspace_root};

/// Runs `tools/TOOL/answers.py` with a text on standard input, and returns its standard output.
///
/// If Python or one of the packages is missing, this reports the skipped test and returns `None`; see [`crate::skip`].
///
/// # Panics
/// If the program fails, with what it wrote on standard error.
pub fn ask_python(tool: &str, packages: &[&str], questions: &str) -> Option<Vec<u8>> {
    let folder = workspace_root().join("tools").join(tool);
    program_or_skip("python3", "python3")?;
    for package in packages {
        path_or_skip(
            folder.join("python_modules").join(package),
            &format!("{package} (pip install, see tools/{tool}/README.md)"),
        )?;
    }
    let mut child = Command::new("python3")
        .arg("-B")
        .arg(folder.join("answers.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // The tool reads all of its input before it writes.
    stdin
        .write_all(questions.as_bytes())
        .expect("the tool reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the tool ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(output.stdout)
}
