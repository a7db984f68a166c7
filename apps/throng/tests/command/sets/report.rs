//! What is written, and what is said of it.

use super::{Place, RUNNER, number};
use crate::run::{names_in, object};

const KEYS: [&str; 12] = [
    "encoding",
    "precision",
    "rate_hz",
    "max_error_mm",
    "p99_error_mm",
    "rms_error_mm",
    "max_error_of_size",
    "max_normal_error_deg",
    "bone_error_mm",
    "gpu_bytes",
    "disk_bytes",
    "bytes_per_joint_frame",
];

#[test]
fn a_set_is_four_files_and_verify_agrees_with_the_report() {
    let place = Place::new();
    let all = [&RUNNER[..], &["--encoding", "bone-local"]].concat();
    let text = place.bake(&all).quiet();
    assert!(text.contains("wrote humanoid-1000.throng"), "{text}");
    let set = "humanoid-1000.throng";
    assert_eq!(names_in(place.path()), [set]);
    assert_eq!(
        names_in(&place.at(set)),
        ["manifest.json", "mesh.glb", "report.json", "tracks.ktx2"]
    );
    let report = place.json(&format!("{set}/report.json"));
    for key in KEYS {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["encoding"], "bone-local");
    assert_eq!(report["precision"], "packed");
    assert!(number(&report, "max_error_of_size") <= 0.000_28);
    place.agrees(set, &report);
    // The table says so too.
    let table = place.verify(&[set]).quiet();
    for table in [&text, &table] {
        assert!(
            table.contains("bone-local") && table.contains("packed"),
            "{table}"
        );
    }
}

#[test]
fn bytes_on_disk_are_those_of_the_files_but_the_report() {
    let place = Place::new();
    let baked = place.runner("set", &["--encoding", "bone-qt"]);
    let bytes = |name: &String| place.at("set").join(name).metadata().unwrap().len();
    let names = names_in(&place.at("set"));
    let files = names.iter().filter(|name| *name != "report.json");
    assert_eq!(baked["disk_bytes"], files.map(bytes).sum::<u64>());
}

#[test]
fn json_is_one_object_and_the_report_beside_the_set_is_the_same() {
    let place = Place::new();
    let said = place.runner("set", &["--encoding", "bone-dq"]);
    let written = place.json("set/report.json");
    for (key, value) in written.as_object().unwrap() {
        assert_eq!(said[key], *value, "{key}");
    }
    assert_eq!(said["output"], "set");
}

#[test]
fn verify_exits_with_1_past_a_limit_and_says_by_how_much() {
    let place = Place::new();
    place.runner("set", &["--encoding", "bone-qt", "--precision", "unorm8"]);
    let error_mm = number(&place.verified("set"), "max_error_mm");
    for (limit, shown) in [
        (format!("{}mm", error_mm / 2.0), "mm\n"),
        ("0.0001%".into(), "the limit is 0.0001 %\n"),
    ] {
        let past = place.verify(&["set", "--max-error", &limit]);
        assert_eq!(past.code, Some(1), "{past:?}");
        assert!(past.stderr.starts_with("error: set: off by "), "{past:?}");
        assert!(
            past.stderr.contains(&format!("{error_mm:.3} mm")),
            "{past:?}"
        );
        assert!(past.stderr.ends_with(shown), "{past:?}");
        // The report is printed all the same.
        let past = place.verify(&["set", "--max-error", &limit, "--json"]);
        assert_eq!(past.code, Some(1));
        assert_eq!(object(&past.stdout)["within_limit"], false);
    }
    let wide = format!("{}mm", error_mm * 1.01);
    let within = place
        .verify(&["set", "--max-error", &wide, "--json"])
        .quiet();
    assert_eq!(object(&within)["within_limit"], true);
}
