//! Standard output and standard error that are closed or full.

use std::io::{BufRead, BufReader, pipe};
use std::path::PathBuf;
use std::process::Stdio;

use tempfile::TempDir;

use crate::run::{finished, throng, tiny_gltf};

/// Writes a file with so many clips that their list exceeds the buffer of a pipe.
fn big_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.gltf");
    let names: Vec<String> = (0..4000).map(|i| format!("clip {i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    std::fs::write(&path, tiny_gltf(&names)).unwrap();
    (folder, path)
}

#[test]
fn closing_the_pipe_early_is_not_an_error() {
    let (_folder, path) = big_file();
    for json in [&[][..], &["--json"]] {
        let mut command = throng();
        command.arg("inspect").arg(&path).args(json);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first_line = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        reader.read_line(&mut first_line).unwrap();
        drop(reader);
        finished(child.wait_with_output().unwrap()).quiet();
        assert!(!first_line.is_empty());
    }
}

#[test]
fn a_pipe_without_a_reader_is_not_an_error() {
    for args in [&[][..], &["inspect"], &["inspect", "--json"], &["pose"]] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = throng().args(args).stdout(writer).output().unwrap();
        finished(output).quiet();
    }
}

#[test]
fn closed_standard_error_keeps_the_exit_code() {
    for (args, code) in [
        (["pose", "--time", "99"], 0),
        (["pose", "--clip", "nosuch"], 2),
        (["pose", "-o", "no/such/folder.glb"], 1),
    ] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = throng().args(args).stderr(writer).output().unwrap();
        assert_eq!(finished(output).code, Some(code), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_standard_output_exits_with_1() {
    for args in [&[][..], &["inspect"], &["inspect", "--json"], &["pose"]] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = throng().args(args).stdout(full).output().unwrap();
        let error = finished(output).failed(1);
        assert!(error.contains("cannot write to standard output"), "{error}");
    }
}
