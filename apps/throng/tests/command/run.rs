//! Runs the command and parses its output.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use throng_testkit::{adapter_or_skip, shared_assets};
use throng_wgpu::{Gpu, GpuError};

/// Exit code and output of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    /// Lines of progress on standard error.
    pub progress: String,
    /// All other lines on standard error.
    pub stderr: String,
}

/// Returns the command, not started, for a terminal of 80 columns.
pub fn throng() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.env("COLUMNS", "80");
    command
}

/// Returns whether there is a GPU adapter; reports a skipped test otherwise.
pub fn has_adapter() -> bool {
    static FOUND: LazyLock<bool> =
        LazyLock::new(|| !matches!(Gpu::headless(), Err(GpuError::NoAdapter(_))));
    adapter_or_skip(FOUND.then_some(()), "GPU", "mesa-vulkan-drivers").is_some()
}

/// Runs the command.
pub fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    finished(throng().args(args).output().expect("throng starts"))
}

/// Runs the command in a folder.
pub fn run_in<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Run {
    let mut command = throng();
    command.current_dir(folder).args(args);
    finished(command.output().expect("throng starts"))
}

pub fn finished(output: Output) -> Run {
    let stderr = String::from_utf8(output.stderr).expect("standard error is text");
    let (progress, stderr): (Vec<&str>, Vec<&str>) = stderr
        .split_inclusive('\n')
        .partition(|line| line.starts_with("progress: "));
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("standard output is text"),
        progress: progress.concat(),
        stderr: stderr.concat(),
    }
}

impl Run {
    /// Asserts success; returns standard output.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// Asserts success without output on standard error; returns standard output.
    #[track_caller]
    pub fn quiet(self) -> String {
        assert_eq!(self.stderr, "");
        self.ok()
    }

    /// Asserts success with one warning; returns the warning.
    #[track_caller]
    pub fn warned(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("warning: "), "{self:?}");
        self.stderr
    }

    /// Asserts failure with this code, one line of error and nothing on standard output; returns the line.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        assert!(self.stderr.ends_with('\n'), "{self:?}");
        self.stderr
    }

    /// Asserts that the arguments are rejected; returns standard error.
    #[track_caller]
    pub fn misused(self) -> String {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        self.stderr
    }
}

/// Parses text that is one JSON object.
#[track_caller]
pub fn object(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(value.is_object(), "{text}");
    assert!(text.ends_with("}\n"), "{text}");
    value
}

#[track_caller]
pub fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// Returns the elements of a JSON array.
#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[track_caller]
pub fn count(value: &Value) -> usize {
    let number = value.as_u64().expect("a whole number");
    usize::try_from(number).unwrap()
}

/// Returns an array of three JSON numbers.
#[track_caller]
pub fn vector(value: &Value) -> [f64; 3] {
    let numbers = list(value).iter().map(|x| x.as_f64().expect("a number"));
    numbers.collect::<Vec<f64>>().try_into().unwrap()
}

/// Lists the names in a folder, sorted.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns a file of the shared test assets, or `None` if they are missing.
pub fn asset(path: &str) -> Option<PathBuf> {
    Some(shared_assets()?.join(path))
}

/// Returns a glTF file with one triangle on an animated node, and one clip of 1 s per name.
pub fn tiny_gltf(clip_names: &[&str]) -> String {
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
    let hex: String = bytes.iter().map(|b| format!("%{b:02X}")).collect();
    let clips = clip_names.iter().map(|name| {
        serde_json::json!({
            "name": name,
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 1, "output": 2}],
        })
    });
    let view = |offset: usize, length: usize| serde_json::json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    let accessor = |view: usize, count: usize, kind: &str| serde_json::json!({"bufferView": view, "componentType": 5126, "count": count, "type": kind});
    serde_json::json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "animations": clips.collect::<Vec<Value>>(),
        "buffers": [{
            "byteLength": bytes.len(),
            "uri": format!("data:application/octet-stream,{hex}"),
        }],
        "bufferViews": [view(0, 36), view(36, 8), view(0, 24)],
        "accessors": [accessor(0, 3, "VEC3"), accessor(1, 2, "SCALAR"), accessor(2, 2, "VEC3")],
    })
    .to_string()
}
