//! A bake that is killed leaves no half set.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::Place;
use crate::run::{names_in, throng};

/// Bakes a set that takes a while to write, and kills it as soon as it writes.
fn bake_and_kill(place: &Place, output: &str) {
    let mut command = throng();
    command
        .current_dir(place.path())
        .args(["bake", "builtin:humanoid:45000", "--clips", "run"]);
    command.args(["--encoding", "vertex", "--precision", "f32", "-o", output]);
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().unwrap();
    let start = Instant::now();
    while !names_in(place.path())
        .iter()
        .any(|name| name.starts_with(".throng-"))
    {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "it was killed in time");
}

#[test]
#[cfg(unix)]
fn a_killed_bake_leaves_nothing_or_what_was_there() {
    let place = Place::new();
    bake_and_kill(&place, "set");
    assert!(!place.at("set").exists());
    // A set that was there stays, and the next bake is not in the way of what was left.
    place
        .bake(&["builtin:bar", "-o", "set", "--encoding", "bone-qt"])
        .quiet();
    let before = fs::read(place.at("set/manifest.json")).unwrap();
    for name in names_in(place.path()).iter().filter(|name| *name != "set") {
        fs::remove_dir_all(place.at(name)).unwrap();
    }
    bake_and_kill(&place, "set");
    assert_eq!(fs::read(place.at("set/manifest.json")).unwrap(), before);
    place.verified("set");
}
