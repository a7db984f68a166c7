//! Output files are written completely or not at all.

use std::fs;
use std::path::Path;

use crate::run::{Run, finished, names_in, run, run_in};

const OLD: &[u8] = b"previous content";

/// Creates a folder with `out.glb` in it.
fn folder_with_a_file() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.glb"), OLD).unwrap();
    folder
}

#[track_caller]
fn assert_untouched(folder: &Path) {
    assert_eq!(names_in(folder), ["out.glb"]);
    assert_eq!(fs::read(folder.join("out.glb")).unwrap(), OLD);
}

#[test]
fn replaces_a_file_without_leftovers() {
    let folder = folder_with_a_file();
    run_in(folder.path(), ["pose", "-o", "out.glb"]).quiet();
    assert_eq!(names_in(folder.path()), ["out.glb"]);
    assert!(
        fs::read(folder.path().join("out.glb"))
            .unwrap()
            .starts_with(b"glTF")
    );
}

#[test]
fn failed_run_keeps_the_old_file() {
    for args in [
        &["no/such/file.glb"][..],
        &["out.glb"],
        &["builtin:nosuch"],
        &["--clip", "nosuch"],
        &["--method", "nosuch"],
    ] {
        let folder = folder_with_a_file();
        for output in ["out.glb", "new.glb"] {
            let run = run_in(
                folder.path(),
                [&["pose"], args, &["-o", output][..]].concat(),
            );
            assert_ne!(run.code, Some(0), "{run:?}");
            assert_untouched(folder.path());
        }
    }
}

#[test]
fn missing_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = run_in(folder.path(), ["pose", "-o", "none/out.glb"]).failed(1);
    assert!(error.contains("none/out.glb"), "{error}");
    assert!(
        error.contains("the folder none does not exist: create it"),
        "{error}"
    );
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn does_not_replace_a_folder_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out.glb")).unwrap();
    let error = run_in(folder.path(), ["pose", "-o", "out.glb"]).failed(1);
    assert!(
        error.contains("out.glb: it exists and is not a file"),
        "{error}"
    );
    assert_eq!(names_in(folder.path()), ["out.glb"]);
    assert!(folder.path().join("out.glb").is_dir());
}

#[test]
fn file_as_a_parent_folder_is_an_error() {
    let folder = folder_with_a_file();
    let error = run_in(folder.path(), ["pose", "-o", "out.glb/new.glb"]).failed(1);
    assert!(!error.contains(".throng-"), "{error}");
    assert_untouched(folder.path());
}

#[test]
#[cfg(unix)]
fn symbolic_link_stays_and_its_file_is_replaced() {
    let folder = folder_with_a_file();
    std::os::unix::fs::symlink("out.glb", folder.path().join("link.glb")).unwrap();
    run_in(folder.path(), ["pose", "-o", "link.glb"]).quiet();
    assert!(folder.path().join("link.glb").is_symlink());
    let bytes = fs::read(folder.path().join("out.glb")).unwrap();
    assert!(bytes.starts_with(b"glTF"));
}

/// Runs `throng pose` in a shell that limits files to a few kilobytes.
#[cfg(unix)]
fn run_on_a_full_disk(folder: &Path, output: &str) -> Run {
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" pose -o \"$1\"";
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", script, env!("CARGO_BIN_EXE_throng"), output])
        .current_dir(folder);
    finished(shell.output().expect("sh starts"))
}

#[test]
#[cfg(unix)]
fn full_disk_leaves_no_partial_file() {
    let folder = folder_with_a_file();
    for output in ["out.glb", "new.ply", "new.json"] {
        let error = run_on_a_full_disk(folder.path(), output).failed(1);
        assert!(error.contains(&format!("cannot write {output}")), "{error}");
        assert!(!error.contains(".throng-"), "{error}");
        assert_untouched(folder.path());
    }
}

#[test]
#[cfg(unix)]
fn read_only_folder_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with_a_file();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let probe = folder.path().join("probe");
    if fs::write(&probe, b"").is_ok() {
        eprintln!("skipped: root can write to every folder");
        return;
    }
    let error = run_in(folder.path(), ["pose", "-o", "out.glb"]).failed(1);
    assert!(error.contains("a folder that you may write to"), "{error}");
    assert!(!error.contains(".throng-"), "{error}");
    assert_untouched(folder.path());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn too_long_file_name_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let name = "n".repeat(5000) + ".glb";
    let path = folder.path().join(name);
    run(["pose", "-o", path.to_str().unwrap()]).failed(1);
    assert!(names_in(folder.path()).is_empty());
}
