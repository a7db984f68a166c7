//! Options of a bake: their effects, and verification of the set.

use serde_json::Value;

use super::{WorkFolder, number, runner_report};
use crate::run::{count, list, names_in, object};

/// Width, height and layers of the textures.
fn sides(report: &Value) -> Vec<[usize; 3]> {
    let textures = list(&report["textures"]).iter();
    textures
        .map(|t| ["width", "height", "layers"].map(|side| count(&t[side])))
        .collect()
}

/// Bakes two sets, without and with the options, and verifies the second, named `with`; returns both reports.
#[track_caller]
fn pair(kind: &[&str], options: &[&str]) -> (WorkFolder, Value, Value) {
    let work = WorkFolder::new();
    let plain = runner_report(kind);
    let with = work.bake_runner("with", &[kind, options].concat());
    work.assert_verifies_as_baked("with", &with);
    (work, plain, with)
}

#[test]
fn pow2_rounds_sides_up() {
    for kind in [
        &["--encoding", "bone-qt"][..],
        &["--encoding", "bone-local"],
    ] {
        let (_work, plain, with) = pair(kind, &["--pow2"]);
        for (exact, [width, height, _]) in sides(&plain).iter().zip(sides(&with)) {
            assert!(width.is_power_of_two() && height.is_power_of_two());
            assert!(width * height >= exact[0] * exact[1]);
        }
        assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
    }
}

#[test]
fn max_side_adds_layers() {
    for encoding in ["vertex", "bone-matrix", "bone-local"] {
        let (_work, plain, with) = pair(&["--encoding", encoding], &["--max-side", "64"]);
        for [width, height, _] in sides(&with) {
            assert!(width <= 64 && height <= 64, "{encoding}");
        }
        assert_eq!(plain["max_error_mm"], with["max_error_mm"], "{encoding}");
    }
    // PNG has one file per layer.
    let kind = ["--encoding", "vertex", "--format", "png"];
    let (work, _, with) = pair(&kind, &["--max-side", "64"]);
    let files: usize = sides(&with).iter().map(|side| side[2]).sum();
    let names = names_in(&work.at("with"));
    assert_eq!(names.iter().filter(|n| n.ends_with(".png")).count(), files);
    assert!(files > sides(&with).len());
}

#[test]
fn metadata_column_is_part_of_the_texture() {
    let (work, plain, with) = pair(&["--encoding", "bone-qt"], &["--metadata", "column"]);
    assert!(number(&with, "gpu_bytes") > number(&plain, "gpu_bytes"));
    assert_eq!(work.json("with/manifest.json")["metadata"], "column");
    assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
}

#[test]
fn one_box_for_all_bones_has_a_larger_error() {
    let kind = ["--encoding", "bone-qt", "--precision", "unorm8"];
    let (_work, plain, with) = pair(&kind, &["--boxes", "whole"]);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm"));
}

#[test]
fn zstandard_changes_only_the_size_of_files() {
    let kind = ["--encoding", "vertex", "--precision", "f16"];
    let (_work, plain, with) = pair(&kind, &["--zstd"]);
    assert!(number(&with, "disk_bytes") < number(&plain, "disk_bytes"));
    for key in ["gpu_bytes", "max_error_mm", "rms_error_mm"] {
        assert_eq!(with[key], plain[key], "{key}");
    }
}

#[test]
fn manifest_has_the_loop_policy() {
    let (work, _, _) = pair(&["--encoding", "bone-local"], &["--loop", "once"]);
    work.bake_runner("plain", &["--encoding", "bone-local"]);
    let policy = |set: &str| work.json(&format!("{set}/manifest.json"))["clips"][0]["loop"].clone();
    assert_eq!(policy("plain"), "wrap");
    assert_eq!(policy("with"), "once");
}

#[test]
fn slerp_vertices_has_a_smaller_error_between_frames() {
    for encoding in ["bone-matrix", "virtual-bones"] {
        let kind = ["--encoding", encoding, "--rate", "6"];
        let (work, plain, with) = pair(&kind, &["--interpolate", "slerp-vertices"]);
        assert_eq!(
            work.json("with/manifest.json")["interpolation"],
            "slerp-vertices"
        );
        assert!(number(&with, "rms_error_mm") < number(&plain, "rms_error_mm"));
        pair(
            &["--encoding", encoding],
            &["--interpolate", "slerp-vertices", "--rate", "auto"],
        );
    }
}

#[test]
fn a_low_sample_rate_is_smaller_with_a_larger_error() {
    let (_work, plain, with) = pair(&["--encoding", "bone-qt"], &["--rate", "6"]);
    // Rates are rounded up to a whole number of frames per clip.
    assert!((6.0..8.0).contains(&number(&with, "rate_hz")));
    assert!(number(&with, "gpu_bytes") < number(&plain, "gpu_bytes") / 2.0);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm") * 2.0);
    pair(&["--encoding", "bone-qt"], &["--rate", "auto"]);
}

#[test]
fn errors_include_dropped_influences() {
    let (_work, plain, with) = pair(&["--encoding", "bone-qt"], &["--max-influences", "2"]);
    assert_eq!(with["influences"], 2);
    assert_eq!(with["source_influences"], plain["source_influences"]);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm"));
}

#[test]
fn manifest_has_the_method() {
    let (_work, plain, with) = pair(&["--encoding", "bone-dq"], &["--method", "dqs"]);
    assert_ne!(plain["method"], "dqs");
    assert_eq!(with["method"], "dqs");
}

#[test]
fn clips_are_selected_by_name_and_index() {
    let work = WorkFolder::new();
    let args = [
        "builtin:cylinder",
        "--encoding",
        "bone-dq",
        "-o",
        "set",
        "--clips",
    ];
    for (chosen, names) in [
        ("bend", &["bend"][..]),
        ("#1,twist", &["bend", "twist"]),
        ("0,0", &["twist"]),
    ] {
        work.bake(&[&args[..], &[chosen]].concat()).quiet();
        let manifest = work.json("set/manifest.json");
        let found = list(&manifest["clips"]).iter().map(|clip| &clip["name"]);
        assert_eq!(found.collect::<Vec<_>>(), names);
        work.verify_json("set");
    }
}

#[test]
fn corners_have_texels_of_their_own() {
    let work = WorkFolder::new();
    let bake = |set: &str, positions: &str| {
        let args = ["builtin:box", "--encoding", "vertex", "-o", set, "--json"];
        let report = work.bake(&[&args[..], &["--positions", positions]].concat());
        let report = object(&report.quiet());
        work.assert_verifies_as_baked(set, &report);
        let positions = |part: &Value| count(&part["positions"]);
        let manifest = work.json(&format!("{set}/manifest.json"));
        let parts = list(&manifest["parts"]).iter();
        (
            parts.map(positions).sum::<usize>(),
            manifest["source"].clone(),
        )
    };
    let (shared, _) = bake("shared", "shared");
    let (corners, source) = bake("corners", "corners");
    // The paper: 5.03 times fewer vertices without duplicates.
    assert_eq!((shared, corners), (62, 312));
    assert_eq!(source["corner_vertices"], true);
    assert_eq!(source["shared_positions"], false);
}

#[test]
fn heat_map_is_part_of_the_set() {
    let (work, plain, with) = pair(&["--encoding", "bone-qt"], &["--heat"]);
    work.bake_runner("plain", &["--encoding", "bone-qt"]);
    assert!(work.at("with/heat.glb").is_file());
    assert!(!work.at("plain/heat.glb").exists());
    assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
}
