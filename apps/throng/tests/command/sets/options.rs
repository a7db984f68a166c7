//! Options of a bake: what they change, and that the set still verifies.

use serde_json::Value;

use super::{Place, number};
use crate::run::{count, list, names_in};

fn sides(report: &Value) -> Vec<[usize; 3]> {
    let textures = list(&report["textures"]).iter();
    textures
        .map(|t| ["width", "height", "layers"].map(|side| count(&t[side])))
        .collect()
}

/// Bakes two sets, without and with the options; both verify.
#[track_caller]
fn pair(kind: &[&str], options: &[&str]) -> (Place, Value, Value) {
    let place = Place::new();
    let plain = place.runner("plain", kind);
    let with = place.runner("with", &[kind, options].concat());
    place.agrees("with", &with);
    (place, plain, with)
}

#[test]
fn pow2_rounds_sides_up() {
    for kind in [
        &["--encoding", "bone-qt"][..],
        &["--encoding", "bone-local"],
    ] {
        let (_place, plain, with) = pair(kind, &["--pow2"]);
        for (exact, [width, height, _]) in sides(&plain).iter().zip(sides(&with)) {
            assert!(width.is_power_of_two() && height.is_power_of_two());
            assert!(width * height >= exact[0] * exact[1]);
        }
        assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
    }
}

#[test]
fn max_side_makes_layers() {
    for encoding in ["vertex", "bone-matrix", "bone-local"] {
        let (_place, plain, with) = pair(&["--encoding", encoding], &["--max-side", "64"]);
        for [width, height, _] in sides(&with) {
            assert!(width <= 64 && height <= 64, "{encoding}");
        }
        assert_eq!(plain["max_error_mm"], with["max_error_mm"], "{encoding}");
    }
    // PNG has a file a layer.
    let kind = ["--encoding", "vertex", "--format", "png"];
    let (place, _, with) = pair(&kind, &["--max-side", "64"]);
    let files: usize = sides(&with).iter().map(|side| side[2]).sum();
    let names = names_in(&place.at("with"));
    assert_eq!(names.iter().filter(|n| n.ends_with(".png")).count(), files);
    assert!(files > sides(&with).len());
}

#[test]
fn metadata_goes_to_a_column() {
    let (place, plain, with) = pair(&["--encoding", "bone-qt"], &["--metadata", "column"]);
    assert!(number(&with, "gpu_bytes") > number(&plain, "gpu_bytes"));
    assert_eq!(place.json("with/manifest.json")["metadata"], "column");
    assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
}

#[test]
fn one_box_for_all_is_coarser() {
    let kind = ["--encoding", "bone-qt", "--precision", "unorm8"];
    let (_place, plain, with) = pair(&kind, &["--boxes", "whole"]);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm"));
}

#[test]
fn zstandard_makes_files_smaller_and_changes_nothing_else() {
    let kind = ["--encoding", "vertex", "--precision", "f16"];
    let (_place, plain, with) = pair(&kind, &["--zstd"]);
    assert!(number(&with, "disk_bytes") < number(&plain, "disk_bytes"));
    for key in ["gpu_bytes", "max_error_mm", "rms_error_mm"] {
        assert_eq!(with[key], plain[key], "{key}");
    }
}

#[test]
fn a_loop_policy_is_in_the_manifest() {
    let (place, _, _) = pair(&["--encoding", "bone-local"], &["--loop", "once"]);
    let policy =
        |set: &str| place.json(&format!("{set}/manifest.json"))["clips"][0]["loop"].clone();
    assert_eq!(policy("plain"), "wrap");
    assert_eq!(policy("with"), "once");
}

#[test]
fn vertices_go_along_arcs_between_frames() {
    for encoding in ["bone-matrix", "virtual-bones"] {
        let kind = ["--encoding", encoding, "--rate", "6"];
        let (place, plain, with) = pair(&kind, &["--interpolate", "slerp-vertices"]);
        assert_eq!(place.json("with/manifest.json")["blend"], "slerp-vertices");
        assert!(number(&with, "rms_error_mm") < number(&plain, "rms_error_mm"));
        pair(
            &["--encoding", encoding],
            &["--interpolate", "slerp-vertices", "--rate", "auto"],
        );
    }
}

#[test]
fn a_low_rate_is_smaller_and_farther_off() {
    let (_place, plain, with) = pair(&["--encoding", "bone-qt"], &["--rate", "6"]);
    // A clip is a whole number of frames long.
    assert!((6.0..8.0).contains(&number(&with, "rate_hz")));
    assert!(number(&with, "gpu_bytes") < number(&plain, "gpu_bytes") / 2.0);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm") * 2.0);
    pair(&["--encoding", "bone-qt"], &["--rate", "auto"]);
}

#[test]
fn fewer_influences_are_measured_against_all() {
    let (_place, plain, with) = pair(&["--encoding", "bone-qt"], &["--max-influences", "2"]);
    assert_eq!(with["influences"], 2);
    assert_eq!(with["source_influences"], plain["source_influences"]);
    assert!(number(&with, "max_error_mm") > number(&plain, "max_error_mm"));
}

#[test]
fn a_method_is_kept_in_the_set() {
    let (_place, plain, with) = pair(&["--encoding", "bone-dq"], &["--method", "dqs"]);
    assert_ne!(plain["method"], "dqs");
    assert_eq!(with["method"], "dqs");
}

#[test]
fn clips_are_chosen_by_name_and_index() {
    let place = Place::new();
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
        place.bake(&[&args[..], &[chosen]].concat()).quiet();
        let manifest = place.json("set/manifest.json");
        let found = list(&manifest["clips"]).iter().map(|clip| &clip["name"]);
        assert_eq!(found.collect::<Vec<_>>(), names);
        place.verified("set");
    }
}

#[test]
fn a_heat_map_is_part_of_the_set() {
    let (place, plain, with) = pair(&["--encoding", "bone-qt"], &["--heat"]);
    assert!(place.at("with/heat.glb").is_file());
    assert!(!place.at("plain/heat.glb").exists());
    assert_eq!(plain["max_error_mm"], with["max_error_mm"]);
}
