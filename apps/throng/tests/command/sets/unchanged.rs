//! Sets that are up to date, effort, and progress.

use std::fs;

use super::{RUNNER, WorkFolder, number};
use crate::run::{object, tiny_gltf};

#[test]
fn single_file_is_baked_again_only_where_something_changed() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    let bake = |args: &[&str]| {
        work.bake(&[&["a.gltf", "-o", "set"], args].concat())
            .quiet()
    };
    let is_skipped = |printed: &str| printed.contains("set is up to date");
    assert!(!is_skipped(&bake(&[])));
    let manifest = fs::read(work.at("set/manifest.json")).unwrap();
    assert!(is_skipped(&bake(&[])));
    let report = object(&bake(&["--json"]));
    assert_eq!(report["unchanged"], true);
    assert_eq!(report["output"], "set");
    assert!(number(&report, "gpu_bytes") > 0.0, "the report on disk");
    assert_eq!(fs::read(work.at("set/manifest.json")).unwrap(), manifest);

    assert!(!is_skipped(&bake(&["--force"])));
    assert!(!is_skipped(&bake(&["--mesh", "exact"])), "another setting");
    fs::write(work.at("a.gltf"), tiny_gltf(&["jump"])).unwrap();
    assert!(!is_skipped(&bake(&["--mesh", "exact"])), "another source");
    assert!(is_skipped(&bake(&["--mesh", "exact"])));
    fs::write(work.at("set/mesh.glb"), "damaged").unwrap();
    assert!(!is_skipped(&bake(&["--mesh", "exact"])), "a damaged set");
}

#[test]
fn single_glb_is_not_baked_again() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    let bake = || work.bake(&["a.gltf", "-o", "set.glb"]).quiet();
    assert!(!bake().contains("up to date"));
    assert!(bake().contains("set.glb is up to date"));
}

#[test]
fn progress_has_a_line_per_stage_where_there_is_no_terminal() {
    let work = WorkFolder::new();
    let run = work.bake(&[&RUNNER[..], &["-o", "set", "--json"]].concat());
    let stages: Vec<&str> = run.progress.lines().collect();
    assert!(stages.len() >= 3, "{run:?}");
    for stage in ["compressing curves", "measuring the error", "comparing"] {
        let lines = stages.iter().filter(|line| line.contains(stage));
        assert!(lines.count() >= 1, "{stage}: {run:?}");
    }
    object(&run.quiet());
}

#[test]
fn effort_changes_the_bytes_and_keeps_the_error() {
    let work = WorkFolder::new();
    let bytes = ["fast", "normal", "best"].map(|effort| {
        let baked = work.bake_runner(effort, &["--effort", effort, "--max-error", "0.5mm"]);
        assert!(number(&baked, "max_error_mm") <= 0.5, "{effort}");
        number(&baked, "gpu_bytes")
    });
    let [fast, normal, best] = bytes;
    assert!(fast <= 1.1 * normal && best <= normal, "{bytes:?}");
}
