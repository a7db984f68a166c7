//! Several inputs at once, and sets that are there already.

use std::fs;

use serde_json::Value;

use super::Place;
use crate::run::{list, names_in, object, tiny_gltf};

const QUICK: [&str; 2] = ["--encoding", "bone-qt"];

/// A folder `in` with three characters, one of them broken, and a file that is none.
fn characters() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.at("in/deep")).unwrap();
    fs::write(place.at("in/a.gltf"), tiny_gltf(&["move"])).unwrap();
    fs::write(place.at("in/b.gltf"), "{").unwrap();
    fs::write(place.at("in/deep/c.gltf"), tiny_gltf(&["run"])).unwrap();
    fs::write(place.at("in/notes.txt"), "hello").unwrap();
    place
}

fn outputs(list_of: &Value) -> Vec<&str> {
    let outputs = list(list_of).iter();
    outputs
        .map(|set| set["output"].as_str().or(set.as_str()).unwrap())
        .collect()
}

#[test]
fn one_that_fails_does_not_stop_the_rest() {
    let place = characters();
    let run = place.bake(&[&["in", "-o", "out"], &QUICK[..]].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("error: in/b.gltf: "), "{run:?}");
    assert!(
        run.stderr.ends_with("error: 1 of 3 could not be baked\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("in/b.gltf: failed\n"), "{run:?}");
    assert!(
        run.stdout
            .ends_with("2 baked, 0 unchanged, 0 without motion, 1 failed\n"),
        "{run:?}"
    );
    assert_eq!(names_in(&place.at("out")), ["a.throng", "deep"]);
    place.verify(&["out/a.throng"]).ok();
    place.verify(&["out/deep/c.throng"]).ok();
}

#[test]
fn a_second_run_bakes_what_has_changed() {
    let place = characters();
    fs::remove_file(place.at("in/b.gltf")).unwrap();
    let bake = |args: &[&str]| {
        let all = [&["in", "-o", "out", "--json"], &QUICK[..], args].concat();
        object(&place.bake(&all).ok())
    };
    let both = ["out/a.throng", "out/deep/c.throng"];
    assert_eq!(outputs(&bake(&[])["sets"]), both);
    let again = bake(&[]);
    assert_eq!(outputs(&again["unchanged"]), both);
    assert!(list(&again["sets"]).is_empty());
    fs::write(place.at("in/a.gltf"), tiny_gltf(&["move", "turn"])).unwrap();
    let changed = bake(&[]);
    assert_eq!(outputs(&changed["sets"]), both[..1]);
    assert_eq!(outputs(&changed["unchanged"]), both[1..]);
    // Other settings make other sets; a damaged one is made again.
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both);
    place.edit_manifest("out/a.throng", |manifest| manifest["version"] = 0.into());
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both[..1]);
    fs::remove_file(place.at("out/a.throng/mesh.glb")).unwrap();
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both[..1]);
    let said = place
        .bake(&[&["in", "-o", "out", "--pow2"], &QUICK[..]].concat())
        .ok();
    assert!(said.contains("in/a.gltf: unchanged\n"), "{said}");
}

#[test]
fn sets_beside_their_sources_are_no_sources() {
    for format in ["ktx2", "glb"] {
        let place = characters();
        fs::remove_file(place.at("in/b.gltf")).unwrap();
        let all = [
            &["in", "-o", "in", "--json", "--heat", "--format", format],
            &QUICK[..],
        ];
        let first = object(&place.bake(&all.concat()).ok());
        assert_eq!(list(&first["sets"]).len(), 2);
        let second = object(&place.bake(&all.concat()).ok());
        assert_eq!(list(&second["unchanged"]).len(), 2, "{second}");
        assert!(list(&second["skipped"]).is_empty(), "{second}");
    }
}

#[test]
fn what_has_no_motion_is_passed_over() {
    let place = Place::new();
    fs::write(place.at("still.gltf"), tiny_gltf(&[])).unwrap();
    let all = [&["still.gltf", "builtin:bar", "-o", "out"], &QUICK[..]].concat();
    let said = place.bake(&all).ok();
    assert!(
        said.contains("still.gltf: nothing moves: skipped\n"),
        "{said}"
    );
    assert!(
        said.ends_with("1 baked, 0 unchanged, 1 without motion, 0 failed\n"),
        "{said}"
    );
    let alone = place.bake(&["still.gltf"]);
    assert_eq!(alone.code, Some(1), "{alone:?}");
    assert!(
        alone.stderr.contains("has no clip: nothing to bake"),
        "{alone:?}"
    );
}

#[test]
fn namesakes_do_not_overwrite_each_other() {
    let place = Place::new();
    for folder in ["x", "y"] {
        fs::create_dir(place.at(folder)).unwrap();
        fs::write(place.at(folder).join("a.gltf"), tiny_gltf(&[folder])).unwrap();
    }
    let all = [&["x/a.gltf", "y/a.gltf", "-o", "out"], &QUICK[..]].concat();
    let error = place.bake(&all).failed(2);
    assert!(
        error.contains("x/a.gltf") && error.contains("y/a.gltf"),
        "{error}"
    );
    assert!(!place.at("out").exists());
    // Two kinds of file keep their endings.
    fs::write(place.at("x/a.glb"), "no glTF").unwrap();
    let all = [&["x", "-o", "out"], &QUICK[..]].concat();
    assert_eq!(place.bake(&all).code, Some(1));
    assert_eq!(names_in(&place.at("out")), ["a.gltf.throng"]);
}

#[test]
fn several_inputs_do_not_go_to_one_file() {
    let place = Place::new();
    let all = [
        &["builtin:bar", "builtin:cylinder", "-o", "x.glb"],
        &QUICK[..],
    ]
    .concat();
    let error = place.bake(&all).failed(2);
    assert!(error.contains("x.glb"), "{error}");
    fs::write(place.at("file"), "something").unwrap();
    let all = [
        &["builtin:bar", "builtin:cylinder", "-o", "file"],
        &QUICK[..],
    ]
    .concat();
    let error = place.bake(&all).failed(1);
    assert!(error.contains("file"), "{error}");
    assert!(!error.contains("standard output"), "{error}");
    assert_eq!(names_in(place.path()), ["file"]);
}

#[test]
fn a_folder_without_characters_is_wrong_usage() {
    let place = Place::new();
    fs::create_dir(place.at("empty")).unwrap();
    let error = place.bake(&["empty", "-o", "out"]).failed(2);
    assert!(
        error.contains("empty has no .glb, .gltf or .fbx file"),
        "{error}"
    );
    assert!(!place.at("out").exists());
}

#[test]
fn a_folder_that_is_no_set_is_not_overwritten() {
    for (name, contents) in [
        ("notes.txt", "hello"),
        ("manifest.json", r#"{"name": "a web page", "version": 1}"#),
        ("manifest.json", "hello"),
    ] {
        let place = Place::new();
        fs::create_dir(place.at("out")).unwrap();
        fs::write(place.at("out").join(name), contents).unwrap();
        let error = place
            .bake(&[&["builtin:bar", "-o", "out"], &QUICK[..]].concat())
            .failed(1);
        assert!(error.contains("cannot replace out"), "{error}");
        assert_eq!(names_in(place.path()), ["out"]);
        assert_eq!(names_in(&place.at("out")), [name]);
        assert_eq!(
            fs::read_to_string(place.at("out").join(name)).unwrap(),
            contents
        );
    }
}

#[test]
fn a_set_that_is_there_is_replaced() {
    let place = Place::new();
    for precision in ["unorm8", "f32"] {
        let args = [
            "builtin:bar",
            "-o",
            "out",
            "--precision",
            precision,
            "--heat",
        ];
        place.bake(&[&args[..], &QUICK].concat()).quiet();
        assert_eq!(place.verified("out")["precision"], precision);
    }
    place
        .bake(&[&["builtin:bar", "-o", "out", "--format", "png"], &QUICK[..]].concat())
        .quiet();
    let names = names_in(&place.at("out"));
    let left = |n: &String| n.ends_with(".ktx2") || n == "heat.glb";
    assert!(!names.iter().any(left), "{names:?}");
    assert_eq!(names_in(place.path()), ["out"]);
}
