//! Clips added to an existing set.

use std::fs;

use serde_json::{Value, json};

use super::{WorkFolder, number, six_digits};
use crate::run::{list, object, tiny_gltf};

const CURVES: [&str; 2] = ["--encoding", "bone-local"];

/// Bakes `a.gltf` to `set` as joint curves; returns the JSON report.
fn bake_curves(work: &WorkFolder, args: &[&str]) -> Value {
    let all = [&["a.gltf", "-o", "set", "--json"], &CURVES[..], args].concat();
    object(&work.bake(&all).quiet())
}

/// [`tiny_gltf`] with a clip that moves along another axis.
fn gltf_with_sideways(names: &[&str]) -> String {
    let mut gltf: Value = serde_json::from_str(&tiny_gltf(names)).unwrap();
    let view = json!({"buffer": 0, "byteOffset": 12, "byteLength": 24});
    gltf["bufferViews"].as_array_mut().unwrap().push(view);
    let accessor = json!({"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"});
    gltf["accessors"].as_array_mut().unwrap().push(accessor);
    let clip = json!({
        "name": "sideways",
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 3}],
    });
    gltf["animations"].as_array_mut().unwrap().push(clip);
    gltf.to_string()
}

fn clip_names(report: &Value) -> Vec<&str> {
    let clips = list(&report["clips"]).iter();
    clips.map(|clip| clip["name"].as_str().unwrap()).collect()
}

#[test]
fn clips_of_a_searched_set_are_added_and_the_rest_is_kept() {
    let work = WorkFolder::new();
    let bake = |clips: &str, args: &[&str]| {
        let character = ["builtin:humanoid:500", "--clips", clips, "-o", "set"];
        work.bake(&[&character[..], args].concat()).quiet()
    };
    let first = object(&bake("run", &["--json"]));
    assert_eq!(first["encoding"], "bone-local");
    assert!(first["clips_added"].is_null());
    let second = object(&bake("run,walk", &["--json"]));
    assert_eq!(second["clips_added"], 1);
    assert_eq!(second["clips_kept"], 1);
    assert_eq!(clip_names(&second), ["run", "walk"]);
    // The errors of every clip are those of a verification of the whole set.
    let verified = work.verify_json("set");
    assert_eq!(six_digits(&verified["clips"]), six_digits(&second["clips"]));
    let [before, after] = [&first, &second].map(|report| six_digits(&report["clips"][0]));
    assert_eq!(before, after);
    assert!(number(&verified, "max_error_of_size") <= 0.000_28);
    // Unchanged again, and printed as text.
    assert!(bake("run,walk", &[]).contains("up to date"));
    let printed = bake("run,walk,idle", &[]);
    assert!(printed.contains("\n1 clip added, 2 kept\n"), "{printed}");
    let printed = bake("idle,run", &[]);
    assert!(
        printed.contains("\n0 clips added, 1 removed, 2 kept\n"),
        "{printed}"
    );
    // The order of the set stays.
    assert_eq!(clip_names(&work.verify_json("set")), ["run", "idle"]);
    let forced = object(&bake("run,walk", &["--json", "--force"]));
    assert!(forced["clips_added"].is_null());
}

#[test]
fn clips_of_a_changed_file_are_added() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    bake_curves(&work, &[]);
    fs::write(work.at("a.gltf"), tiny_gltf(&["spin", "move"])).unwrap();
    let second = bake_curves(&work, &[]);
    assert_eq!(second["clips_added"], 1);
    assert_eq!(clip_names(&second), ["move", "spin"]);
    work.verify(&["set"]).ok();
    // Other settings make another set.
    fs::write(work.at("a.gltf"), tiny_gltf(&["move", "spin", "jump"])).unwrap();
    let other = bake_curves(&work, &["--max-error", "1mm"]);
    assert!(other["clips_added"].is_null());
    // A heat map measures the whole set, and keeps the clips.
    let heat = bake_curves(&work, &["--max-error", "1mm", "--heat"]);
    assert_eq!(heat["clips_kept"], 3);
    assert!(work.at("set/heat.glb").is_file());
}

#[test]
fn clip_that_does_not_fit_the_joint_table_bakes_all_again_with_a_note() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    bake_curves(&work, &[]);
    fs::write(work.at("a.gltf"), gltf_with_sideways(&["move"])).unwrap();
    let run = work.bake(&[&["a.gltf", "-o", "set", "--json"], &CURVES[..]].concat());
    let note = "note: set: clip 'sideways' moves joint ";
    assert!(run.stderr.starts_with(note), "{run:?}");
    assert!(
        run.stderr.ends_with(": all clips are baked again\n"),
        "{run:?}"
    );
    let report = object(&run.ok());
    assert!(report["clips_added"].is_null());
    assert_eq!(clip_names(&report), ["move", "sideways"]);
    work.assert_verifies_as_baked("set", &report);
}

#[test]
fn single_files_are_appended_to() {
    let work = WorkFolder::new();
    let bake = |clips: &[&str]| {
        fs::write(work.at("a.gltf"), tiny_gltf(clips)).unwrap();
        let args = ["a.gltf", "-o", "set.glb", "--json"];
        object(&work.bake(&[&args[..], &CURVES].concat()).quiet())
    };
    bake(&["move"]);
    let second = bake(&["move", "spin"]);
    assert_eq!(second["clips_added"], 1);
    work.assert_verifies_as_baked("set.glb", &without_changes(second));
}

/// The report without the numbers of clips, which a verification does not print.
fn without_changes(mut report: Value) -> Value {
    let fields = report.as_object_mut().unwrap();
    fields.retain(|key, _| !key.starts_with("clips_"));
    report
}

#[test]
fn frames_are_baked_again() {
    let work = WorkFolder::new();
    let bake = |clips: &[&str]| {
        fs::write(work.at("a.gltf"), tiny_gltf(clips)).unwrap();
        let args = ["a.gltf", "-o", "set", "--json", "--encoding", "bone-qt"];
        object(&work.bake(&args).quiet())
    };
    bake(&["move"]);
    assert!(bake(&["move", "spin"])["clips_added"].is_null());
}

#[test]
fn report_that_was_edited_is_not_used() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    bake_curves(&work, &[]);
    let mut report = work.json("set/report.json");
    report["clips"][0]["max_error_mm"] = 0.0.into();
    fs::write(work.at("set/report.json"), report.to_string()).unwrap();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move", "spin"])).unwrap();
    let second = bake_curves(&work, &[]);
    assert_eq!(second["clips_kept"], 1);
    work.assert_verifies_as_baked("set", &without_changes(second));
}
