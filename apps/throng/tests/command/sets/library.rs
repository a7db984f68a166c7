//! Several inputs, and existing sets.

use std::fs;

use serde_json::Value;

use super::WorkFolder;
use crate::run::{list, names_in, object, tiny_gltf};

const QUICK: [&str; 2] = ["--encoding", "bone-qt"];

/// Creates a folder `in` with three characters, one of them invalid, and a text file.
fn characters() -> WorkFolder {
    let work = WorkFolder::new();
    fs::create_dir_all(work.at("in/deep")).unwrap();
    fs::write(work.at("in/a.gltf"), tiny_gltf(&["move"])).unwrap();
    fs::write(work.at("in/b.gltf"), "{").unwrap();
    fs::write(work.at("in/deep/c.gltf"), tiny_gltf(&["run"])).unwrap();
    fs::write(work.at("in/notes.txt"), "hello").unwrap();
    work
}

fn outputs(list_of: &Value) -> Vec<&str> {
    let outputs = list(list_of).iter();
    outputs
        .map(|set| set["output"].as_str().or(set.as_str()).unwrap())
        .collect()
}

#[test]
fn a_failed_input_does_not_stop_the_rest() {
    let work = characters();
    let run = work.bake(&[&["in", "-o", "out"], &QUICK[..]].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("error: in/b.gltf: "), "{run:?}");
    assert!(
        run.stderr
            .ends_with("error: 1 of 3 inputs could not be baked\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("in/b.gltf: failed\n"), "{run:?}");
    assert!(
        run.stdout
            .ends_with("2 baked, 0 unchanged, 0 without motion, 1 failed\n"),
        "{run:?}"
    );
    assert_eq!(names_in(&work.at("out")), ["a.throng", "deep"]);
    work.verify(&["out/a.throng"]).ok();
    work.verify(&["out/deep/c.throng"]).ok();
}

#[test]
fn unchanged_files_are_skipped() {
    let work = characters();
    fs::remove_file(work.at("in/b.gltf")).unwrap();
    let bake = |args: &[&str]| {
        let all = [&["in", "-o", "out", "--json"], &QUICK[..], args].concat();
        object(&work.bake(&all).ok())
    };
    let both = ["out/a.throng", "out/deep/c.throng"];
    assert_eq!(outputs(&bake(&[])["sets"]), both);
    let again = bake(&[]);
    assert_eq!(outputs(&again["unchanged"]), both);
    assert!(list(&again["sets"]).is_empty());
    fs::write(work.at("in/a.gltf"), tiny_gltf(&["move", "spin"])).unwrap();
    let changed = bake(&[]);
    assert_eq!(outputs(&changed["sets"]), both[..1]);
    assert_eq!(outputs(&changed["unchanged"]), both[1..]);
    // Other options make other sets; damaged sets are baked again.
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both);
    work.edit_manifest("out/a.throng", |manifest| manifest["version"] = 0.into());
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both[..1]);
    fs::remove_file(work.at("out/a.throng/mesh.glb")).unwrap();
    assert_eq!(outputs(&bake(&["--pow2"])["sets"]), both[..1]);
    let printed = work
        .bake(&[&["in", "-o", "out", "--pow2"], &QUICK[..]].concat())
        .ok();
    assert!(printed.contains("in/a.gltf: unchanged\n"), "{printed}");
}

#[test]
fn damaged_texels_are_baked_again() {
    let work = characters();
    fs::remove_file(work.at("in/b.gltf")).unwrap();
    let all = [&["in", "-o", "out", "--json"], &QUICK[..]].concat();
    let bake = || object(&work.bake(&all).ok());
    bake();
    let texture = work.at("out/a.throng/bones.ktx2");
    let whole = fs::read(&texture).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() - 1] ^= 1;
    fs::write(&texture, damaged).unwrap();
    assert_eq!(outputs(&bake()["sets"]), ["out/a.throng"]);
    assert_eq!(fs::read(&texture).unwrap(), whole);
}

#[test]
fn sets_in_the_input_folder_are_not_inputs() {
    for format in ["ktx2", "glb"] {
        let work = characters();
        fs::remove_file(work.at("in/b.gltf")).unwrap();
        let all = [
            &["in", "-o", "in", "--json", "--heat", "--format", format],
            &QUICK[..],
        ];
        let first = object(&work.bake(&all.concat()).ok());
        assert_eq!(list(&first["sets"]).len(), 2);
        let second = object(&work.bake(&all.concat()).ok());
        assert_eq!(list(&second["unchanged"]).len(), 2, "{second}");
        assert!(list(&second["skipped"]).is_empty(), "{second}");
    }
}

#[test]
fn files_without_motion_are_skipped() {
    let work = WorkFolder::new();
    fs::write(work.at("still.gltf"), tiny_gltf(&[])).unwrap();
    let all = [&["still.gltf", "builtin:bar", "-o", "out"], &QUICK[..]].concat();
    let printed = work.bake(&all).ok();
    assert!(
        printed.contains("still.gltf: no motion, skipped\n"),
        "{printed}"
    );
    assert!(
        printed.ends_with("1 baked, 0 unchanged, 1 without motion, 0 failed\n"),
        "{printed}"
    );
    let alone = work.bake(&["still.gltf"]);
    assert_eq!(alone.code, Some(1), "{alone:?}");
    assert!(
        alone.stderr.contains("has no clip: nothing to bake"),
        "{alone:?}"
    );
}

#[test]
fn inputs_of_one_name_do_not_overwrite_each_other() {
    let work = WorkFolder::new();
    for folder in ["x", "y"] {
        fs::create_dir(work.at(folder)).unwrap();
        fs::write(work.at(folder).join("a.gltf"), tiny_gltf(&[folder])).unwrap();
    }
    let all = [&["x/a.gltf", "y/a.gltf", "-o", "out"], &QUICK[..]].concat();
    let error = work.bake(&all).failed(2);
    assert!(
        error.contains("x/a.gltf") && error.contains("y/a.gltf"),
        "{error}"
    );
    assert!(!work.at("out").exists());
    // The name of a set does not depend on other files in the folder.
    let all = [&["x", "-o", "out"], &QUICK[..]].concat();
    work.bake(&all).ok();
    fs::write(work.at("x/a.glb"), "no glTF").unwrap();
    let error = work.bake(&all).failed(2);
    assert!(error.contains("x/a.glb and x/a.gltf"), "{error}");
    assert!(error.contains("rename one of them"), "{error}");
    assert_eq!(names_in(&work.at("out")), ["a.throng"]);
}

#[test]
fn rejects_one_output_file_for_several_inputs() {
    let work = WorkFolder::new();
    let all = [
        &["builtin:bar", "builtin:cylinder", "-o", "x.glb"],
        &QUICK[..],
    ]
    .concat();
    let error = work.bake(&all).failed(2);
    assert!(error.contains("x.glb"), "{error}");
    fs::write(work.at("file"), "something").unwrap();
    let all = [
        &["builtin:bar", "builtin:cylinder", "-o", "file"],
        &QUICK[..],
    ]
    .concat();
    let error = work.bake(&all).failed(1);
    assert!(error.contains("file"), "{error}");
    assert!(!error.contains("standard output"), "{error}");
    assert_eq!(names_in(work.path()), ["file"]);
}

#[test]
#[cfg(target_os = "linux")]
fn rejects_a_file_name_that_is_not_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let work = WorkFolder::new();
    fs::create_dir(work.at("in")).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.gltf");
    fs::write(work.at("in").join(name), tiny_gltf(&["move"])).unwrap();
    let error = work.bake(&["in", "-o", "out"]).failed(3);
    assert!(
        error.contains("is not valid Unicode: rename the file"),
        "{error}"
    );
    assert!(!work.at("out").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn writes_an_output_whose_name_is_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let work = WorkFolder::new();
    let name = OsStr::from_bytes(b"set\xff");
    let args = [
        "bake",
        "builtin:bar",
        "--encoding",
        "bone-qt",
        "--json",
        "-o",
    ];
    let args = args.map(OsStr::new);
    object(&crate::run::run_in(work.path(), args.into_iter().chain([name])).quiet());
    let args = [OsStr::new("verify"), name, OsStr::new("--json")];
    object(&crate::run::run_in(work.path(), args).quiet());
}

#[test]
fn rejects_a_folder_without_characters() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("empty")).unwrap();
    let error = work.bake(&["empty", "-o", "out"]).failed(2);
    assert!(
        error.contains("empty contains no .glb, .gltf, .fbx or .abc file"),
        "{error}"
    );
    assert!(!work.at("out").exists());
}

#[test]
fn does_not_overwrite_a_folder_that_is_not_a_set() {
    for (name, contents) in [
        ("notes.txt", "hello"),
        ("manifest.json", r#"{"name": "a web page", "version": 1}"#),
        ("manifest.json", "hello"),
    ] {
        let work = WorkFolder::new();
        fs::create_dir(work.at("out")).unwrap();
        fs::write(work.at("out").join(name), contents).unwrap();
        let error = work
            .bake(&[&["builtin:bar", "-o", "out"], &QUICK[..]].concat())
            .failed(1);
        assert!(error.contains("cannot replace out"), "{error}");
        assert_eq!(names_in(work.path()), ["out"]);
        assert_eq!(names_in(&work.at("out")), [name]);
        assert_eq!(
            fs::read_to_string(work.at("out").join(name)).unwrap(),
            contents
        );
    }
}

#[test]
fn keeps_foreign_files_in_the_folder_of_a_set() {
    let work = WorkFolder::new();
    let bake = |args: &[&str]| {
        let all = [&["builtin:bar", "-o", "out"], &QUICK[..], args].concat();
        work.bake(&all).quiet();
    };
    bake(&["--heat"]);
    fs::create_dir(work.at("out/thumbs")).unwrap();
    let foreign = [
        "notes.md",
        "mesh.glb.meta",
        "bones.ktx2.import",
        "thumbs/a.png",
    ];
    for name in foreign {
        fs::write(work.at("out").join(name), name).unwrap();
    }
    bake(&["--format", "png"]);
    for name in foreign {
        let text = fs::read_to_string(work.at("out").join(name)).unwrap();
        assert_eq!(text, name);
    }
    let names = names_in(&work.at("out"));
    let left = |n: &String| n.ends_with(".ktx2") || n == "heat.glb";
    assert!(!names.iter().any(left), "{names:?}");
    work.verify_json("out");
    assert_eq!(names_in(work.path()), ["out"]);
}

#[test]
fn does_not_write_a_set_around_its_source() {
    let work = WorkFolder::new();
    fs::create_dir_all(work.at("out/in")).unwrap();
    fs::write(work.at("out/in/a.gltf"), tiny_gltf(&["move"])).unwrap();
    for (source, output) in [("out/in/a.gltf", "out"), ("out/in/a.gltf", "out/in/")] {
        let error = work
            .bake(&[&[source, "-o", output], &QUICK[..]].concat())
            .failed(2);
        assert!(
            error.contains("inside the folder of its own set"),
            "{error}"
        );
    }
    assert_eq!(names_in(&work.at("out/in")), ["a.gltf"]);
}

#[test]
fn replaces_the_set_of_the_current_folder() {
    let work = WorkFolder::new();
    for precision in ["unorm8", "f32"] {
        fs::create_dir_all(work.at("out")).unwrap();
        let args = [
            "bake",
            "builtin:bar",
            "-o",
            "../out",
            "--precision",
            precision,
        ];
        crate::run::run_in(&work.at("out"), [&args[..], &QUICK].concat()).quiet();
        assert_eq!(work.verify_json("out")["precision"], precision);
    }
    assert_eq!(names_in(work.path()), ["out"]);
}

#[test]
fn rejects_a_folder_that_is_not_a_set_before_any_work() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("out")).unwrap();
    fs::write(work.at("out/manifest.json"), "{").unwrap();
    fs::write(work.at("a.gltf"), "not glTF").unwrap();
    let error = work.bake(&["a.gltf", "-o", "out"]).failed(1);
    assert!(
        error.contains("no manifest of a texture set that can be read"),
        "{error}"
    );
}

#[test]
fn replaces_an_existing_set() {
    let work = WorkFolder::new();
    for precision in ["unorm8", "f32"] {
        let args = [
            "builtin:bar",
            "-o",
            "out",
            "--precision",
            precision,
            "--heat",
        ];
        work.bake(&[&args[..], &QUICK].concat()).quiet();
        assert_eq!(work.verify_json("out")["precision"], precision);
    }
    work.bake(&[&["builtin:bar", "-o", "out", "--format", "png"], &QUICK[..]].concat())
        .quiet();
    let names = names_in(&work.at("out"));
    let left = |n: &String| n.ends_with(".ktx2") || n == "heat.glb";
    assert!(!names.iter().any(left), "{names:?}");
    assert_eq!(names_in(work.path()), ["out"]);
}

#[test]
fn errors_name_the_file() {
    let work = WorkFolder::new();
    fs::write(work.at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    fs::write(work.at("b.gltf"), tiny_gltf(&["run"])).unwrap();
    let all = [
        &["a.gltf", "b.gltf", "-o", "out", "--clips", "move"],
        &QUICK[..],
    ]
    .concat();
    let run = work.bake(&all);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stderr.contains("error: b.gltf: --clips move: "),
        "{run:?}"
    );
}
