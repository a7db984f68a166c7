//! `throng render`: images and errors.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde_json::Value;

use crate::run::{Run, finished, has_adapter, run, run_in, throng};

/// Returns the number of frames of a PNG, its size and its first frame.
pub fn read_png(path: &Path) -> (u32, [u32; 2], Vec<u8>) {
    let file = BufReader::new(File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let (width, height) = reader.info().size();
    let frames = reader.info().animation_control.map_or(1, |a| a.num_frames);
    let mut first = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut first).unwrap();
    for _ in 1..frames {
        reader.next_frame(&mut first.clone()).unwrap();
    }
    (frames, [width, height], first)
}

/// Returns the number of distinct colours.
fn colors(rgb: &[u8]) -> usize {
    let mut distinct: Vec<&[u8]> = rgb.chunks_exact(3).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len()
}

/// Asserts failure with this code; returns standard error.
#[track_caller]
pub fn rejected(run: Run, code: i32) -> String {
    assert_eq!(run.code, Some(code), "{run:?}");
    assert_eq!(run.stdout, "", "{run:?}");
    run.stderr
}

/// Mesa's device-select layer complains about `XDG_RUNTIME_DIR` unless it is switched off.
#[test]
fn prints_nothing_on_standard_error_without_a_display() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = throng();
    for variable in [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XDG_RUNTIME_DIR",
        "NODEVICE_SELECT",
    ] {
        command.env_remove(variable);
    }
    command.current_dir(folder.path()).args([
        "render",
        "builtin:bar:200",
        "--size",
        "32x32",
        "-o",
        "bar.png",
    ]);
    finished(command.output().unwrap()).quiet();
}

#[test]
fn draws_one_character() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let args = ["render", "-o", "one.png", "--size", "160x90", "--json"];
    let report: Value = serde_json::from_str(&run_in(folder.path(), args).ok()).unwrap();
    assert_eq!(report["width"], 160);
    assert_eq!(report["frames"], 1);
    assert_eq!(report["panels"][0]["technique"], "palette-matrix");
    assert_eq!(report["clips"], serde_json::json!(["walk"]));
    assert_eq!(report["instances"], 1);
    assert!(report["triangles"].as_u64().unwrap() > 5000);
    assert!(!report["adapter"].as_str().unwrap().is_empty());
    let (frames, size, rgb) = read_png(&folder.path().join("one.png"));
    assert_eq!((frames, size), (1, [160, 90]));
    assert!(colors(&rgb) > 500, "{} colours", colors(&rgb));
}

#[test]
fn draws_an_animated_crowd_as_png_and_gif() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let crowd = [
        "render",
        "builtin:bar:200",
        "--instances",
        "12",
        "--frames",
        "3",
    ];
    for file in ["crowd.png", "crowd.gif"] {
        let more = ["--size", "96x64", "-o", file];
        let printed = run_in(folder.path(), crowd.iter().chain(&more)).ok();
        assert!(printed.contains("bone-qt unorm16"), "{printed}");
    }
    let (frames, size, _) = read_png(&folder.path().join("crowd.png"));
    assert_eq!((frames, size), (3, [96, 64]));
    let file = File::open(folder.path().join("crowd.gif")).unwrap();
    let mut gif = gif::Decoder::new(file).unwrap();
    assert_eq!((gif.width(), gif.height()), (96, 64));
    let mut frames = 0;
    while gif.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert_eq!(frames, 3);
}

#[test]
fn draws_a_texture_set() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bake = [
        "bake",
        "builtin:bar:200",
        "--encoding",
        "bone-dq",
        "-o",
        "bar",
    ];
    run_in(folder.path(), bake).ok();
    let draw = ["render", "bar", "--size", "64x48", "-o", "bar.png"];
    let printed = run_in(folder.path(), draw).ok();
    assert!(printed.contains("bone-dq unorm16"), "{printed}");
    let other = draw.iter().chain(&["--technique", "vertex"]);
    let printed = rejected(run_in(folder.path(), other), 2);
    assert!(printed.contains("baked as bone-dq"), "{printed}");
}

#[test]
fn rejects_invalid_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |args: &[&str]| run_in(folder.path(), ["render"].iter().chain(args));
    let printed = rejected(in_folder(&["-o", "x.png", "--technique", "magic"]), 2);
    assert!(
        printed.contains("palette-dq") && printed.contains("bone-local"),
        "{printed}"
    );
    let printed = rejected(in_folder(&["-o", "x.jpg"]), 2);
    assert!(printed.contains(".png or .gif"), "{printed}");
    let printed = rejected(in_folder(&["-o", "x.png", "--instances", "1000001"]), 2);
    assert!(printed.contains("1000000"), "{printed}");
    let printed = rejected(in_folder(&["-o", "x.png", "--clip", "fly"]), 2);
    assert!(printed.contains("fly"), "{printed}");
    let printed = rejected(
        in_folder(&["-o", "x.png", "--compare", &["cpu"; 10].join(",")]),
        2,
    );
    assert!(printed.contains("2 to 9 panels, found 10"), "{printed}");
    let printed = rejected(in_folder(&["nosuch.glb", "-o", "x.png"]), 3);
    assert!(printed.contains("nosuch.glb"), "{printed}");
    let printed = rejected(run(["render"]), 2);
    assert!(printed.contains("--output"), "{printed}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn rejects_an_output_in_a_missing_folder() {
    if !has_adapter() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "render",
        "builtin:bar:200",
        "--size",
        "32x32",
        "-o",
        "no/such/x.png",
    ];
    let printed = rejected(run_in(folder.path(), args), 1);
    assert!(printed.contains("no/such"), "{printed}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
