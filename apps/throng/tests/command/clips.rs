//! `--clip` and `--time`.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, asset, object, run, tiny_gltf};

/// Writes a file with clips of these names.
fn file_with(clip_names: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gltf");
    std::fs::write(&path, tiny_gltf(clip_names)).unwrap();
    (folder, path)
}

fn posed(args: &[&str]) -> Run {
    run([&["pose", "--json"], args].concat())
}

/// Poses the cylinder, whose clips are `twist` and `bend`, each from 0 to 2 s.
fn cylinder(args: &[&str]) -> Run {
    posed(&[&["builtin:cylinder"], args].concat())
}

fn chosen(report: &str) -> (Value, Value) {
    let report = object(report);
    (report["clip"]["index"].clone(), report["time_secs"].clone())
}

#[test]
fn selects_a_clip_by_name_index_and_hash_index() {
    for clip in ["bend", "1", "#1"] {
        let report = cylinder(&["--clip", clip, "--time", "0.5"]).quiet();
        assert_eq!(chosen(&report), (1.into(), 0.5.into()));
        assert_eq!(object(&report)["clip"]["name"], "bend");
    }
}

#[test]
fn default_time_is_the_start_of_the_clip() {
    let report = cylinder(&["--clip", "twist"]).quiet();
    assert_eq!(chosen(&report), (0.into(), 0.0.into()));
}

#[test]
fn default_clip_of_a_time_is_the_first() {
    let report = cylinder(&["--time", "1.25"]).quiet();
    assert_eq!(chosen(&report), (0.into(), 1.25.into()));
}

#[test]
fn default_clip_is_none_the_rest_pose() {
    let rest = cylinder(&[]).quiet();
    assert_eq!(chosen(&rest), (Value::Null, Value::Null));
    assert_eq!(cylinder(&["--clip", "none"]).quiet(), rest);
    let warning = cylinder(&["--clip", "none", "--time", "1"]).warned();
    assert!(warning.contains("rest pose has no time"), "{warning}");
}

#[test]
fn uses_the_first_of_equal_clip_names_with_a_warning() {
    let check = |path: &str, first: usize, second: usize| {
        let run = posed(&[path, "--clip", "walk"]);
        assert_eq!(chosen(&run.stdout).0, first);
        let warning = run.warned();
        for index in [first, second] {
            assert!(warning.contains(&format!("#{index}")), "{warning}");
        }
        let other = posed(&[path, "--clip", &format!("#{second}")]).quiet();
        assert_eq!(chosen(&other).0, second);
    };
    let (_folder, path) = file_with(&["run", "walk", "walk"]);
    check(path.to_str().unwrap(), 1, 2);
    if let Some(path) = asset("gltf/crafted_valid/clip_names_hostile.glb") {
        check(path.to_str().unwrap(), 3, 4);
    }
}

#[test]
fn names_take_precedence_over_indices_but_not_over_none() {
    let (_folder, path) = file_with(&["1", "none", ""]);
    let path = path.to_str().unwrap();
    let index_of = |clip: &str| chosen(&posed(&[path, "--clip", clip]).quiet()).0;
    assert_eq!(index_of("1"), 0);
    assert_eq!(index_of("#1"), 1);
    assert_eq!(index_of(""), 2);
    assert_eq!(index_of("none"), Value::Null);
}

#[test]
fn unknown_clip_error_lists_the_clips() {
    for clip in ["nosuch", "2", "#2", "#", ""] {
        let error = cylinder(&["--clip", clip]).failed(2);
        for part in [&format!("'{clip}'"), "0 'twist', 1 'bend'", "none"] {
            assert!(error.contains(part), "{error}");
        }
    }
    let (_folder, path) = file_with(&["a\nb", "\u{1b}[31m"]);
    let error = posed(&[path.to_str().unwrap(), "--clip", "nosuch\n"]).failed(2);
    assert!(error.trim_end().chars().all(|c| !c.is_control()), "{error}");
}

#[test]
fn rejects_a_time_for_a_file_without_clips() {
    let (_folder, path) = file_with(&[]);
    let path = path.to_str().unwrap();
    let error = posed(&[path, "--time", "1"]).failed(2);
    assert!(error.contains("'tiny' has no clips"), "{error}");
    let error = posed(&[path, "--clip", "0"]).failed(2);
    assert!(error.contains("--clip: there are none"), "{error}");
    posed(&[path]).quiet();
}

#[test]
fn clamps_time_to_the_clip_with_a_warning() {
    for (asked, held) in [("99", 2.0), ("2.5", 2.0), ("-1", 0.0), ("-.5", 0.0)] {
        let run = cylinder(&["--clip", "bend", "--time", asked]);
        assert_eq!(chosen(&run.stdout), (1.into(), held.into()));
        let warning = run.warned();
        assert!(warning.contains("clip 'bend' spans 0 to 2 s"), "{warning}");
        assert!(
            warning.contains(&format!("clamped to {held} s")),
            "{warning}"
        );
    }
    for inside in ["0", "-0", "2", "2.0", "1e-3"] {
        cylinder(&["--time", inside]).quiet();
    }
}

#[test]
fn accepts_negative_times_without_an_equals_sign() {
    for time in ["-1", "-.5", "-1e-3", "-0.25"] {
        let apart = cylinder(&["--time", time]).warned();
        assert_eq!(cylinder(&[&format!("--time={time}")]).warned(), apart);
    }
}

#[test]
fn rejects_times_that_are_not_finite_numbers() {
    for time in ["nan", "inf", "-inf", "1e999", "1s", "", "--json"] {
        let error = cylinder(&["--time", time]).misused();
        assert!(error.contains("expected a number of seconds"), "{error}");
    }
}

#[test]
fn time_is_file_time() {
    let Some(path) = asset("gltf/crafted_valid/clip_edge_lengths.glb") else {
        return;
    };
    // The fifth clip starts at 2 s.
    let path = path.to_str().unwrap();
    assert_eq!(
        chosen(&posed(&[path, "--clip", "#4"]).quiet()).1,
        2.0,
        "start of the clip"
    );
    let warning = posed(&[path, "--clip", "#4", "--time", "0"]).warned();
    assert!(warning.contains("clamped to 2 s"), "{warning}");
}

#[test]
fn ignores_case_and_suggests_similar_names() {
    for clip in ["Bend", "BEND"] {
        let report = cylinder(&["--clip", clip]).quiet();
        assert_eq!(chosen(&report).0, 1);
    }
    let error = cylinder(&["--clip", "twst"]).failed(2);
    assert!(error.contains("did you mean 'twist'?"), "{error}");
    let error = run(["bake", "builtin:cylinder", "--clips", "bnd"]).failed(2);
    assert!(error.contains("did you mean 'bend'?"), "{error}");
}

#[test]
fn a_hyphen_or_an_index_selects_a_clip_without_a_name() {
    let (_folder, path) = file_with(&["walk", ""]);
    let path = path.to_str().unwrap();
    for clip in ["-", "#1", "1", ""] {
        assert_eq!(
            chosen(&posed(&[path, "--clip", clip]).quiet()).0,
            1,
            "{clip}"
        );
    }
    let error = posed(&[path, "--clip", "fly"]).failed(2);
    assert!(
        error.contains("1 without a name (select it as #1)"),
        "{error}"
    );
}

#[test]
fn a_clip_that_moves_nothing_is_not_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gltf");
    let mut gltf: Value = serde_json::from_str(&tiny_gltf(&["Take 001", "mixamo.com"])).unwrap();
    gltf["animations"][0]["channels"] = serde_json::json!([]);
    std::fs::write(&path, gltf.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let run = posed(&[path, "--time", "0.5"]);
    assert_eq!(chosen(&run.stdout), (1.into(), 0.5.into()));
    assert_eq!(chosen(&posed(&[path, "--clip", "0"]).stdout).0, 0);
}
