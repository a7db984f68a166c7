//! Characters that share a motion set: `bake --share`, `bake --motion-only`, and sets of a folder.

use std::fs;

use serde_json::Value;
use throng_testkit::shared_assets;

use super::{WorkFolder, number};
use crate::render::read_png;
use crate::run::{has_adapter, names_in, object, run_in};

/// Two characters of one skeleton, one clip.
const PAIR: [&str; 7] = [
    "builtin:humanoid:600",
    "builtin:humanoid:1000",
    "--share",
    "--clips",
    "run",
    "-o",
    "party",
];

fn party() -> (WorkFolder, Value) {
    let work = WorkFolder::new();
    let report = object(&work.bake(&[&PAIR[..], &["--json"]].concat()).ok());
    (work, report)
}

#[test]
fn party_has_one_motion_set_and_a_mesh_per_character() {
    let (work, report) = party();
    let folders = [
        "humanoid-1000.throng",
        "humanoid-600.throng",
        "motion.throng",
    ];
    assert_eq!(names_in(&work.at("party")), folders);
    for name in &folders[..2] {
        let files = names_in(&work.at(&format!("party/{name}")));
        assert_eq!(files, ["manifest.json", "mesh.glb", "report.json"]);
        let manifest = work.json(&format!("party/{name}/manifest.json"));
        assert_eq!(manifest["version"], 4);
        assert_eq!(manifest["motion"]["path"], "../motion.throng");
    }
    let files = names_in(&work.at("party/motion.throng"));
    assert_eq!(
        files,
        ["curves.ktx2", "manifest.json", "mesh.glb", "report.json"]
    );
    assert_eq!(report["character_count"], 2);
    let motion = &report["motion_sets"][0];
    assert_eq!(report["shared_gpu_bytes"], motion["gpu_bytes"]);
    let characters = motion["characters"].as_array().unwrap();
    assert_eq!(characters.len(), 2);
    for character in characters {
        assert!(number(character, "max_error_of_size") <= 0.000_28);
        assert_eq!(character["gpu_bytes"], motion["gpu_bytes"]);
    }
    let on_disk = characters
        .iter()
        .map(|c| number(c, "disk_bytes"))
        .sum::<f64>();
    assert_eq!(number(&report, "character_disk_bytes"), on_disk);
}

#[test]
fn every_set_of_a_party_verifies_as_baked() {
    let (work, report) = party();
    let all = object(&work.verify(&["party", "--json"]).quiet());
    assert_eq!(all["failed"], 0);
    let sets = all["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 3);
    for character in report["motion_sets"][0]["characters"].as_array().unwrap() {
        let set = character["output"].as_str().unwrap();
        let verified = work.verify_json(set);
        let error = number(character, "max_error_mm");
        assert!((number(&verified, "max_error_mm") - error).abs() <= 1e-4 * error);
    }
    let text = work.verify(&["party"]).quiet();
    assert_eq!(text.lines().count(), 3, "{text}");
    // A limit that no set meets fails for all of them.
    let failed = work.verify(&["party", "--max-error", "0.0001mm"]);
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("3 of 3 sets failed"),
        "{}",
        failed.stderr
    );
    let wrong = work.verify(&["party", "--heat", "heat.glb"]);
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn unchanged_party_is_skipped_until_a_set_is_missing() {
    let (work, _) = party();
    let before = fs::read(work.at("party/motion.throng/manifest.json")).unwrap();
    let text = work.bake(&PAIR).quiet();
    assert!(text.contains("party is up to date"), "{text}");
    let json = object(&work.bake(&[&PAIR[..], &["--json"]].concat()).quiet());
    assert_eq!(json["unchanged"], true);
    assert_eq!(json["characters"].as_array().unwrap().len(), 2);
    // A damaged motion set is baked again, and gives the same files.
    fs::remove_file(work.at("party/motion.throng/curves.ktx2")).unwrap();
    let text = work.bake(&PAIR).ok();
    assert!(text.contains("wrote party"), "{text}");
    assert_eq!(
        fs::read(work.at("party/motion.throng/manifest.json")).unwrap(),
        before
    );
    // Another character changes every set: the textures are for all of them.
    let other = [&["builtin:humanoid:500"], &PAIR[..]].concat();
    assert!(work.bake(&other).ok().contains("wrote party"));
}

#[test]
fn changed_motion_set_is_refused_by_characters_that_were_not_written_with_it() {
    let (work, _) = party();
    let args = ["builtin:humanoid:600", "--motion-only", "--clips", "walk"];
    work.bake(&[&args[..], &["-o", "party/motion.throng"]].concat())
        .ok();
    let failed = work.verify(&["party/humanoid-600.throng"]);
    assert_eq!(failed.code, Some(3));
    assert!(
        failed.stderr.contains("another than it was baked with"),
        "{}",
        failed.stderr
    );
}

#[test]
fn other_skeletons_get_motion_sets_of_their_own() {
    let work = WorkFolder::new();
    let args = [
        "builtin:humanoid:600",
        "builtin:bar",
        "builtin:bar:60",
        "--share",
    ];
    let run = work.bake(&[&args[..], &["--encoding", "bone-qt", "-o", "p"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stderr.contains("builtin:bar uses p/motion-2.throng"),
        "{}",
        run.stderr
    );
    let names = ["bar-60", "bar", "humanoid-600", "motion-2", "motion"];
    assert_eq!(
        names_in(&work.at("p")),
        names.map(|name| format!("{name}.throng"))
    );
    let manifest = work.json("p/bar-60.throng/manifest.json");
    assert_eq!(manifest["motion"]["path"], "../motion-2.throng");
    assert_eq!(work.verify(&["p"]).code, Some(0));
}

#[test]
fn motion_only_writes_a_set_without_a_mesh() {
    let work = WorkFolder::new();
    let args = [
        "builtin:humanoid:600",
        "--clips",
        "run",
        "--motion-only",
        "-o",
        "run",
    ];
    let text = work.bake(&args).ok();
    assert!(text.contains("wrote run"), "{text}");
    let manifest = work.json("run/manifest.json");
    assert_eq!(manifest["version"], 4);
    assert_eq!(manifest["parts"], serde_json::json!([]));
    work.verify_json("run");
    assert!(work.bake(&args).quiet().contains("up to date"));
    let shown = run_in(work.path(), ["inspect", "run"]).quiet();
    assert!(shown.contains("motion set without a mesh"), "{shown}");
    let drawn = run_in(work.path(), ["render", "run", "-o", "run.png"]);
    assert_eq!(drawn.code, Some(2));
    assert!(drawn.stderr.contains("without a mesh"), "{}", drawn.stderr);
}

#[test]
fn party_is_inspected_and_drawn_as_one() {
    let (work, _) = party();
    let shown = run_in(work.path(), ["inspect", "party"]).quiet();
    assert!(
        shown.contains("of motion.throng") && shown.contains("(motion set)"),
        "{shown}"
    );
    let json = object(&run_in(work.path(), ["inspect", "party", "--json"]).quiet());
    assert_eq!(json["sets"].as_array().unwrap().len(), 3);
    if !has_adapter() {
        return;
    }
    let draw = |seed: &str| {
        let args = ["render", "party", "--instances", "40", "--size", "160x90"];
        let args = [&args[..], &["--seed", seed, "-o", "party.png", "--json"]].concat();
        let report = object(&run_in(work.path(), args).ok());
        (report, read_png(&work.at("party.png")).2)
    };
    let (report, picture) = draw("3");
    assert_eq!(report["instances"], 40);
    let characters = report["characters"].as_array().unwrap();
    let counts: Vec<f64> = characters.iter().map(|c| number(c, "instances")).collect();
    assert_eq!(counts.iter().sum::<f64>(), 40.0);
    assert!(counts.iter().all(|&count| count > 8.0), "{counts:?}");
    assert!(draw("3").1 == picture);
    assert!(draw("4").1 != picture);
    let refused = ["render", "party", "--show-error", "-o", "a.png"];
    assert_eq!(run_in(work.path(), refused).code, Some(2));
}

#[test]
fn requests_that_cannot_be_shared_are_usage_errors() {
    let work = WorkFolder::new();
    let base = ["builtin:humanoid:600", "builtin:bar", "--share"];
    for (more, message) in [
        (&["--encoding", "vertex"][..], "choose a bone encoding"),
        (&["--format", "glb"], "a motion set is a folder"),
        (&["-o", "party.glb"], "name a folder"),
        (&["--preset", "p0-dq8"], "cannot be used with"),
        (&["--heat"], "cannot be used with"),
    ] {
        let run = work.bake(&[&base[..], more].concat());
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{more:?}: {}", run.stderr);
        assert!(names_in(work.path()).is_empty());
    }
}

/// Removes the animations of a GLB.
fn without_animations(glb: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let (document, rest) = glb[20..].split_at(length);
    let mut json: Value = serde_json::from_slice(document).unwrap();
    json.as_object_mut().unwrap().remove("animations").unwrap();
    let mut document = json.to_string().into_bytes();
    document.resize(document.len().next_multiple_of(4), b' ');
    let total = (20 + document.len() + rest.len()) as u32;
    let mut out = [&glb[..8], &total.to_le_bytes()].concat();
    out.extend((document.len() as u32).to_le_bytes());
    out.extend(&glb[16..20]);
    out.extend(document);
    out.extend(rest);
    out
}

#[test]
fn character_without_clips_plays_those_of_the_others() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let work = WorkFolder::new();
    let fox = fs::read(assets.join("gltf/khronos/Fox.glb")).unwrap();
    fs::write(work.at("fox.glb"), &fox).unwrap();
    fs::write(work.at("vixen.glb"), without_animations(&fox)).unwrap();
    let share = [
        "vixen.glb",
        "fox.glb",
        "--share",
        "--clips",
        "Run",
        "-o",
        "party",
    ];
    let run = work.bake(&share);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for (set, source) in [("vixen", "vixen.glb"), ("motion", "vixen.glb")] {
        let manifest = work.json(&format!("party/{set}.throng/manifest.json"));
        assert_eq!(manifest["clips"][0]["name"], "Run");
        assert_eq!(manifest["source"]["path"], format!("../../{source}"));
        let lenders = &manifest["source"]["lenders"];
        assert_eq!(lenders[0]["path"], "../../fox.glb");
        work.verify_json(&format!("party/{set}.throng"));
    }
    let fox = work.json("party/fox.throng/manifest.json");
    assert_eq!(fox["source"]["lenders"], Value::Null);
    // Without the other, there is nothing to bake, and a lender that has changed is reported.
    let alone = work.bake(&["vixen.glb", "--share", "-o", "alone"]);
    assert_eq!(alone.code, Some(1));
    assert!(alone.stderr.contains("no clip to bake"), "{}", alone.stderr);
    fs::copy(work.at("vixen.glb"), work.at("fox.glb")).unwrap();
    let changed = work.verify(&["party/vixen.throng"]);
    assert_eq!(changed.code, Some(2));
    assert!(
        changed.stderr.contains("fox.glb has changed"),
        "{}",
        changed.stderr
    );
}

#[test]
fn party_plays_motion_from_other_files() {
    let work = WorkFolder::new();
    fs::write(work.at("step.bvh"), super::motion::bvh(30.0)).unwrap();
    let args = ["builtin:humanoid:600", "builtin:humanoid:1000", "--share"];
    let motion = ["--motion", "step.bvh", "--clips", "step,run", "-o", "party"];
    let all = [&args[..], &motion].concat();
    work.bake(&all).ok();
    for name in ["humanoid-600", "humanoid-1000"] {
        let manifest = work.json(&format!("party/{name}.throng/manifest.json"));
        assert_eq!(manifest["clips"][0]["name"], "step");
        assert_eq!(manifest["source"]["motion"][0]["path"], "../../step.bvh");
        work.verify(&[&format!("party/{name}.throng")]).ok();
    }
    assert!(work.bake(&all).ok().contains("up to date"));
    fs::write(work.at("step.bvh"), super::motion::bvh(20.0)).unwrap();
    assert!(!work.bake(&all).ok().contains("up to date"));
}
