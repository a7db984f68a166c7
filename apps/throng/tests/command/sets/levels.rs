//! Levels of detail: `bake --lod`, and `inspect` and `verify` of such sets.

use std::fs;

use serde_json::Value;

use super::{WorkFolder, number};
use crate::run::{list, names_in, object, run_in};

const LEVELS: [&str; 2] = ["--lod", "100%,40%,0.1"];

#[test]
fn levels_are_stored_reported_and_verified() {
    let work = WorkFolder::new();
    let report = work.bake_runner("set", &LEVELS);
    let lods = list(&report["lods"]);
    assert_eq!(lods.len(), 2);
    assert!(number(&lods[0], "max_error_mm") < number(&lods[1], "max_error_mm"));
    assert!(number(&lods[0], "from_distance_m") < number(&lods[1], "from_distance_m"));
    let on_disk = work.json("set/report.json");
    assert_eq!(on_disk["lods"][0]["triangles"], lods[0]["triangles"]);
    let manifest = work.json("set/manifest.json");
    let stored = list(&manifest["lods"]);
    assert_eq!(stored.len(), 2);
    assert_eq!(stored[1]["triangles"], lods[1]["triangles"]);
    let text = run_in(work.path(), ["inspect", "set"]).quiet();
    assert!(text.contains("Levels of detail\n  TRIANGLES"), "{text}");
    let verified = work.verify_json("set");
    let again = list(&verified["lods"]);
    for (lod, again) in lods.iter().zip(again) {
        let ratio = number(again, "max_error_mm") / number(lod, "max_error_mm");
        assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
    }
    let text = work.verify(&["set"]).quiet();
    assert!(text.contains("FROM m"), "{text}");
    // A manifest that promises too much.
    let mut manifest = manifest.clone();
    let wrong = 0.5 * number(&stored[0], "max_error_of_size");
    manifest["lods"][0]["max_error_of_size"] = wrong.into();
    fs::write(work.at("set/manifest.json"), manifest.to_string()).unwrap();
    let run = work.verify(&["set"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("level of detail 1"), "{run:?}");
}

#[test]
fn one_file_and_vertex_sets_have_levels() {
    let work = WorkFolder::new();
    for (set, args) in [
        ("set.glb", &["--encoding", "bone-qt"][..]),
        ("vertices", &["--encoding", "vertex"]),
        (
            "curves",
            &["--encoding", "vertex", "--layout", "compressed"],
        ),
    ] {
        let report = work.bake_runner(set, &[&LEVELS[..], args].concat());
        assert_eq!(list(&report["lods"]).len(), 2);
        let verified = work.verify_json(set);
        assert_eq!(list(&verified["lods"]).len(), 2);
    }
}

#[test]
fn other_levels_are_baked_and_equal_ones_are_up_to_date() {
    let work = WorkFolder::new();
    let bake = |args: &[&str]| {
        let all = [
            &["builtin:humanoid:500", "--clips", "run", "-o", "set"],
            args,
        ]
        .concat();
        work.bake(&all).ok()
    };
    assert!(bake(&["--lod", "50%"]).contains("wrote set"));
    assert!(bake(&["--lod", "100%,50%"]).contains("up to date"));
    assert!(bake(&["--lod", "100%,50%,20%"]).contains("wrote set"));
    assert!(bake(&[]).contains("wrote set"));
    assert!(list(&work.json("set/manifest.json")["lods"]).is_empty());
}

#[test]
fn levels_are_measured_again_where_clips_are_added() {
    let work = WorkFolder::new();
    let bake = |clips: &str| {
        let args = [
            "builtin:humanoid:500",
            "--clips",
            clips,
            "-o",
            "set",
            "--json",
        ];
        let all = [&args[..], &["--encoding", "bone-local", "--lod", "40%"]].concat();
        object(&work.bake(&all).ok())
    };
    assert!(bake("run")["clips_kept"].is_null());
    let second = bake("run,walk");
    assert_eq!(second["clips_kept"], 1);
    let error = |report: &Value| number(&report["lods"][0], "max_error_mm");
    let verified = work.verify_json("set");
    assert!((error(&verified) / error(&second) - 1.0).abs() < 1e-5);
}

#[test]
fn characters_that_share_motion_have_their_own_levels() {
    let work = WorkFolder::new();
    let args = ["builtin:humanoid:600", "builtin:humanoid:1000", "--share"];
    let args = [
        &args[..],
        &["--clips", "run", "-o", "party", "--lod", "50%"],
    ]
    .concat();
    work.bake(&args).ok();
    let triangles = ["humanoid-600", "humanoid-1000"].map(|name| {
        let manifest = work.json(&format!("party/{name}.throng/manifest.json"));
        let lods = list(&manifest["lods"]).to_vec();
        assert_eq!(lods.len(), 1);
        number(&lods[0], "triangles")
    });
    assert!(triangles[0] < triangles[1]);
    let motion = work.json("party/motion.throng/manifest.json");
    assert!(list(&motion["lods"]).is_empty());
    work.verify(&["party"]).ok();
}

#[test]
fn levels_that_make_no_sense_are_refused() {
    let work = WorkFolder::new();
    for (args, expected) in [
        (&["--lod", "0%"][..], "above 0 and at most 100%"),
        (&["--lod", "120%"], "above 0 and at most 100%"),
        (&["--lod", "-5%"], "above 0 and at most 100%"),
        (&["--lod", "nan"], "above 0 and at most 100%"),
        (&["--lod", "half"], "above 0 and at most 100%"),
        (&["--lod", "100%,20%,40%"], "--lod: level 3: expected"),
        (&["--lod", "50%,50%"], "--lod: level 2: expected"),
        (
            &["--lod", "50%", "--preset", "p0-dq8"],
            "cannot be used with",
        ),
        (&["--lod", "50%", "--motion-only"], "cannot be used with"),
    ] {
        let error = work.bake(&[&["builtin:bar"], args].concat()).misused();
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert!(names_in(work.path()).is_empty());
}
