//! Khronos' compiler of GLSL and HLSL.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use throng_testkit::program_or_skip;

/// The compiler; `None` if it is not installed.
pub fn glslang() -> Option<PathBuf> {
    program_or_skip("glslangValidator", "glslang-tools")
}

/// Compiles a source from standard input, and returns what the compiler said if it refuses.
pub fn compile(glslang: &Path, options: &[&str], source: &str) -> Result<(), String> {
    let mut child = Command::new(glslang)
        .arg("--stdin")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("glslangValidator starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(source.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stdout).into_owned()),
    }
}
