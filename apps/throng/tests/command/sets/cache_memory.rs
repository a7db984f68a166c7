//! Memory of the command with a large vertex cache: frames are read one by one.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::WorkFolder;
use super::caches::{grid_obj, position};
use crate::run::throng;

const SIDE: usize = 224;
/// With 50 176 points, a cache of 60 MB.
const FRAMES: usize = 100;

/// Most memory beyond the files of the set, in bytes.
const MAX_BYTES: u64 = 100_000_000;

fn write_pc2(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    out.write_all(b"POINTCACHE2\0").unwrap();
    let [points, frames] = [SIDE * SIDE, FRAMES].map(|count| count as i32);
    for bytes in [1, points].map(i32::to_le_bytes) {
        out.write_all(&bytes).unwrap();
    }
    for bytes in [0.0, 1.0].map(f32::to_le_bytes) {
        out.write_all(&bytes).unwrap();
    }
    out.write_all(&frames.to_le_bytes()).unwrap();
    for frame in 0..FRAMES {
        for point in 0..SIDE * SIDE {
            for number in position(SIDE, point, frame) {
                out.write_all(&number.to_le_bytes()).unwrap();
            }
        }
    }
    out.flush().unwrap();
}

/// Runs the command, and returns the peak of its resident memory in bytes.
fn peak_bytes(folder: &Path, args: &[&str]) -> u64 {
    let mut command = throng();
    command.current_dir(folder).args(args);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        // The peak never shrinks, so that reading it often is enough.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(1024 * kib.unwrap_or(0));
        if let Some(code) = child.try_wait().unwrap() {
            assert!(code.success(), "{args:?}: {code}");
            return peak;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn bytes_of(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

#[test]
fn memory_does_not_grow_with_the_frames_of_a_cache() {
    let work = WorkFolder::new();
    fs::write(work.at("flag.obj"), grid_obj(SIDE)).unwrap();
    write_pc2(&work.at("flag.pc2"));
    let bake = ["bake", "flag.obj", "--cache", "flag.pc2", "-o", "set"];
    let baking = peak_bytes(work.path(), &bake);
    let set = bytes_of(&work.at("set"));
    assert!(set > 60_000_000, "the set has {set} bytes");
    let verifying = peak_bytes(work.path(), &["verify", "set"]);
    for (what, peak) in [("baking", baking), ("verifying", verifying)] {
        println!("{what}: {peak} bytes, {set} of them the set");
        assert!(peak > set, "{what}: {peak} bytes were measured");
        assert!(
            peak < set + MAX_BYTES,
            "{what}: {peak} bytes, {set} of them the set"
        );
    }
}
