//! Killed bakes.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::WorkFolder;
use crate::run::{names_in, throng};

/// Bakes a large set and kills the process as soon as it writes.
fn bake_and_kill(work: &WorkFolder, output: &str) {
    let mut command = throng();
    command
        .current_dir(work.path())
        .args(["bake", "builtin:humanoid:45000", "--clips", "run"]);
    command.args(["--encoding", "vertex", "--precision", "f32", "-o", output]);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    let start = Instant::now();
    while !names_in(work.path())
        .iter()
        .any(|name| name.starts_with(".throng-"))
    {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the bake ended before it was killed"
        );
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "the bake does not write"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert_eq!(
        child.wait().unwrap().code(),
        None,
        "the bake was not killed"
    );
}

#[test]
#[cfg(unix)]
fn killed_bake_leaves_no_partial_set() {
    let work = WorkFolder::new();
    bake_and_kill(&work, "set");
    assert!(!work.at("set").exists());
    // An existing set is kept, and files left by a killed bake do not disturb the next.
    work.bake(&["builtin:bar", "-o", "set", "--encoding", "bone-qt"])
        .quiet();
    let before = fs::read(work.at("set/manifest.json")).unwrap();
    for name in names_in(work.path()).iter().filter(|name| *name != "set") {
        fs::remove_dir_all(work.at(name)).unwrap();
    }
    bake_and_kill(&work, "set");
    assert_eq!(fs::read(work.at("set/manifest.json")).unwrap(), before);
    work.verify_json("set");
}
