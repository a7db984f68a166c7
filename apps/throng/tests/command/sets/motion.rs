//! Clips from other files: `throng bake --motion`.

use std::fs;

use serde_json::{Value, json};
use throng_testkit::shared_assets;

use super::{WorkFolder, number};
use crate::run::{has_adapter, list, run_in, tiny_gltf};

/// A small character with the names of a body.
const BODY: &str = "builtin:humanoid:500";

/// Motion of hips and legs by the names of Mixamo, in centimetres, with a rotation of the left thigh in degrees.
pub fn bvh(degrees: f64) -> String {
    let joint = |name: &str, offset: [f64; 3], inside: &str| {
        let [x, y, z] = offset;
        format!(
            "JOINT mixamorig:{name} {{ OFFSET {x} {y} {z} CHANNELS 3 Zrotation Xrotation Yrotation {inside} }}"
        )
    };
    let leg = |side: &str, x: f64| {
        let end = "End Site { OFFSET 0 0 8 }";
        let toes = joint(&format!("{side}ToeBase"), [0.0, -7.0, 12.0], end);
        let foot = joint(&format!("{side}Foot"), [0.0, -42.0, 0.0], &toes);
        let shin = joint(&format!("{side}Leg"), [0.0, -42.0, 0.0], &foot);
        joint(&format!("{side}UpLeg"), [x, -5.0, 0.0], &shin)
    };
    let [left, right] = [leg("Left", 9.0), leg("Right", -9.0)];
    let spine = joint("Spine", [0.0, 20.0, 0.0], "End Site { OFFSET 0 40 0 }");
    let mut frames = String::new();
    for frame in 0..=20 {
        let angle = degrees * f64::from(frame) / 20.0;
        let legs = format!("0 {} 0{}", -angle, " 0".repeat(9 + 12));
        frames += &format!("0 98 {frame} 0 0 0 {legs} 0 0 0\n");
    }
    format!(
        "HIERARCHY\nROOT mixamorig:Hips {{ OFFSET 0 98 0 \
         CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation {left} {right} {spine} }}\n\
         MOTION\nFrames: 21\nFrame Time: 0.05\n{frames}"
    )
}

fn clip_names(work: &WorkFolder, set: &str) -> Vec<String> {
    let manifest = work.json(&format!("{set}/manifest.json"));
    let clips = list(&manifest["clips"]).iter();
    clips
        .map(|clip| clip["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn bvh_on_a_character_is_baked_and_verified() {
    let work = WorkFolder::new();
    fs::write(work.at("step.bvh"), bvh(30.0)).unwrap();
    let args = [BODY, "--motion", "step.bvh", "-o", "set", "--json"];
    let run = work.bake(&args);
    assert!(
        run.stderr.contains("step.bvh: ") && run.stderr.contains("stay at rest: neck"),
        "{run:?}"
    );
    let report = crate::run::object(&run.ok());
    // Clips of other files come first.
    let names = clip_names(&work, "set");
    assert_eq!(names[..2], ["step", "idle"]);
    let source = &work.json("set/manifest.json")["source"];
    assert_eq!(source["motion"][0]["path"], "../step.bvh");
    work.assert_verifies_as_baked("set", &report);

    // The same files are not baked again; another motion is.
    assert!(work.bake(&args[..5]).ok().contains("up to date"));
    fs::write(work.at("step.bvh"), bvh(40.0)).unwrap();
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("step.bvh has changed"), "{error}");
    assert!(!work.bake(&args[..5]).ok().contains("up to date"));
    work.verify(&["set"]).ok();
}

#[test]
fn motion_of_folders_and_of_characters_is_taken() {
    let work = WorkFolder::new();
    fs::create_dir_all(work.at("clips/more")).unwrap();
    fs::write(work.at("clips/b.bvh"), bvh(10.0)).unwrap();
    fs::write(work.at("clips/more/a.BVH"), bvh(20.0)).unwrap();
    let motion = ["--motion", "clips", "--motion", "builtin:humanoid:500"];
    let clips = ["--clips", "b,a,humanoid:walk"];
    let all = [&[BODY, "-o", "set"][..], &motion, &clips].concat();
    work.bake(&all).ok();
    let names = clip_names(&work, "set");
    assert_eq!(names, ["b", "a", "humanoid:walk"]);
    work.verify(&["set"]).ok();
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().display().to_string();
    let error = work.bake(&[BODY, "--motion", &folder]).misused();
    assert!(
        error.contains("contains no .bvh, .fbx, .glb, .gltf or .abc file"),
        "{error}"
    );
}

#[test]
fn clips_of_a_new_motion_file_are_added_to_the_set() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("clips")).unwrap();
    fs::write(work.at("clips/b.bvh"), bvh(30.0)).unwrap();
    let args = [
        BODY, "--motion", "clips", "-o", "set", "--effort", "fast", "--json",
    ];
    work.bake(&args).ok();
    let names = clip_names(&work, "set");
    assert_eq!(names[..2], ["b", "idle"]);
    fs::write(work.at("clips/a.bvh"), bvh(20.0)).unwrap();
    let report = crate::run::object(&work.bake(&args).ok());
    assert_eq!(report["clips_added"], 1);
    assert_eq!(report["clips_kept"], names.len());
    // Clips keep their indices.
    assert_eq!(
        clip_names(&work, "set"),
        [&names[..], &["a".into()]].concat()
    );
    work.verify(&["set"]).ok();
}

#[test]
fn joints_are_paired_by_a_file() {
    let work = WorkFolder::new();
    let odd = bvh(30.0)
        .replace("mixamorig:", "x")
        .replace("Left", "Le")
        .replace("Right", "Ri");
    let odd = odd.replace("Hips", "Center").replace("Spine", "Column");
    fs::write(work.at("odd.bvh"), odd).unwrap();
    let args = [BODY, "--motion", "odd.bvh", "-o", "set"];
    let error = work.bake(&args).failed(1);
    assert!(
        error.contains("odd.bvh: no joint of the motion is on the character")
            && error.contains("--joint-map"),
        "{error}"
    );
    let pairs = json!({"hips": "xCenter", "left_thigh": "xLeUpLeg", "head": null});
    fs::write(work.at("pairs.json"), pairs.to_string()).unwrap();
    let with_map = [&args[..], &["--joint-map", "pairs.json"]].concat();
    work.bake(&with_map).ok();
    let source = &work.json("set/manifest.json")["source"];
    assert_eq!(source["joint_pairs"], pairs);
    work.verify(&["set"]).ok();

    let pairs = json!({"hips": "nowhere"});
    fs::write(work.at("pairs.json"), pairs.to_string()).unwrap();
    let error = work.bake(&with_map).failed(1);
    assert!(
        error.contains("the motion has no joint 'nowhere'"),
        "{error}"
    );
    fs::write(work.at("pairs.json"), "[1]").unwrap();
    let error = work.bake(&with_map).failed(3);
    assert!(
        error.contains("pairs.json: ") && error.contains("expected an object"),
        "{error}"
    );
    let error = work.bake(&[BODY, "--joint-map", "pairs.json"]).misused();
    assert!(error.contains("--motion"), "{error}");
}

#[test]
fn clips_of_a_split_file_bake_to_the_same_texels() {
    let work = WorkFolder::new();
    let whole: Value = serde_json::from_str(&tiny_gltf(&["move", "other"])).unwrap();
    let write = |name: &str, keep: &[usize]| {
        let mut part = whole.clone();
        let clips = list(&whole["animations"]);
        let kept: Vec<Value> = keep.iter().map(|&clip| clips[clip].clone()).collect();
        match kept.is_empty() {
            true => {
                part.as_object_mut().unwrap().remove("animations");
            }
            false => part["animations"] = kept.into(),
        }
        fs::write(work.at(name), part.to_string()).unwrap();
    };
    write("whole.gltf", &[0, 1]);
    write("mesh.gltf", &[]);
    write("first.gltf", &[0]);
    write("second.gltf", &[1]);
    let encoding = ["--encoding", "bone-local"];
    work.bake(&[&["whole.gltf", "-o", "a"][..], &encoding].concat())
        .ok();
    let motion = ["--motion", "first.gltf", "--motion", "second.gltf"];
    work.bake(&[&["mesh.gltf", "-o", "b"][..], &motion, &encoding].concat())
        .ok();
    let texels = |set: &str| fs::read(work.at(set).join("curves.ktx2")).unwrap();
    assert_eq!(texels("a"), texels("b"));
    let clips = |set: &str| work.json(&format!("{set}/manifest.json"))["clips"].clone();
    assert_eq!(clips("a"), clips("b"));
}

#[test]
fn motion_of_a_file_without_a_mesh_moves_its_character() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let work = WorkFolder::new();
    let file = |name: &str| assets.join(name).display().to_string();
    let (mesh, walk) = (file("fbx/ozz/arnaud.fbx"), file("fbx/ozz/walk.fbx"));
    let report = work
        .bake(&[&mesh, "--motion", &walk, "-o", "set", "--json"])
        .ok();
    assert!(number(&crate::run::object(&report), "max_error_mm") > 0.0);
    work.verify(&["set"]).ok();
}

#[test]
fn image_of_motion_from_another_file() {
    if !has_adapter() {
        return;
    }
    let work = WorkFolder::new();
    fs::write(work.at("step.bvh"), bvh(30.0)).unwrap();
    let args = [
        "render", BODY, "--motion", "step.bvh", "-o", "step.png", "--size", "64x64",
    ];
    run_in(work.path(), args).ok();
    assert!(work.at("step.png").exists());
    work.bake(&[BODY, "--clips", "idle", "-o", "set"]).ok();
    let args = ["render", "set", "--motion", "step.bvh", "-o", "step.png"];
    let error = run_in(work.path(), args).misused();
    assert!(error.contains("is a texture set"), "{error}");
}
