//! Killed and interrupted bakes.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::WorkFolder;
use crate::run::{names_in, throng};

/// Bakes a large set and sends a signal to the process as soon as it writes. Returns its exit code.
fn bake_and_signal(work: &WorkFolder, output: &str, signal: &str) -> Option<i32> {
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
    let kill = Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait().unwrap().code()
}

fn bake_bar(work: &WorkFolder) {
    let args = [
        "builtin:bar",
        "-o",
        "set",
        "--encoding",
        "bone-qt",
        "--force",
    ];
    work.bake(&args).quiet();
}

#[test]
#[cfg(unix)]
fn killed_bake_leaves_no_partial_set() {
    let work = WorkFolder::new();
    assert_eq!(bake_and_signal(&work, "set", "KILL"), None);
    assert!(!work.at("set").exists());
    // The next bake removes what the killed one left.
    bake_bar(&work);
    assert_eq!(names_in(work.path()), ["set"]);
    let before = fs::read(work.at("set/manifest.json")).unwrap();
    assert_eq!(bake_and_signal(&work, "set", "KILL"), None);
    assert_eq!(fs::read(work.at("set/manifest.json")).unwrap(), before);
    work.verify_json("set");
    bake_bar(&work);
    assert_eq!(names_in(work.path()), ["set"]);
}

#[test]
#[cfg(unix)]
fn interrupted_bake_exits_with_130_and_leaves_nothing() {
    let work = WorkFolder::new();
    assert_eq!(bake_and_signal(&work, "set", "INT"), Some(130));
    assert!(names_in(work.path()).is_empty());
    bake_bar(&work);
    let before = fs::read(work.at("set/manifest.json")).unwrap();
    assert_eq!(bake_and_signal(&work, "set", "TERM"), Some(130));
    assert_eq!(names_in(work.path()), ["set"]);
    assert_eq!(fs::read(work.at("set/manifest.json")).unwrap(), before);
}
