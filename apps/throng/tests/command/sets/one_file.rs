//! Sets in one GLB file, and the Khronos validator.

use std::fs;

use super::{RUNNER, WorkFolder, storage_options};
use crate::run::names_in;
use crate::validator::assert_clean;

#[test]
fn output_name_or_format_selects_one_file() {
    let work = WorkFolder::new();
    let baked = work.bake_runner("x.glb", &["--encoding", "bone-local"]);
    assert_eq!(names_in(work.path()), ["x.glb"]);
    work.assert_verifies_as_baked("x.glb", &baked);
    work.bake(&[&RUNNER[..], &["--format", "glb", "--encoding", "bone-qt"]].concat())
        .quiet();
    assert_eq!(names_in(work.path()), ["humanoid-1000.throng.glb", "x.glb"]);
    work.verify_json("humanoid-1000.throng.glb");
}

#[test]
fn finds_the_source_of_a_set_in_one_file() {
    let work = WorkFolder::new();
    fs::write(work.at("tiny.gltf"), crate::run::tiny_gltf(&["move"])).unwrap();
    fs::create_dir(work.at("sets")).unwrap();
    for set in ["one", "one.glb", "sets/two", "sets/two.glb"] {
        let args = ["tiny.gltf", "--encoding", "bone-qt", "--format", "glb"];
        work.bake(&[&args[..], &["-o", set]].concat()).ok();
        assert!(work.at(set).is_file());
        work.verify(&[set]).ok();
    }
}

#[test]
fn glb_without_a_set_is_not_reported_as_damaged() {
    let work = WorkFolder::new();
    let posed = crate::run::run_in(work.path(), ["pose", "builtin:bar", "-o", "bar.glb"]);
    posed.ok();
    work.bake_runner("set", &["--encoding", "bone-qt"]);
    let mut files = vec!["bar.glb".to_owned(), "set/mesh.glb".to_owned()];
    if let Some(foreign) = crate::run::asset("gltf/khronos/BoxAnimated.glb") {
        files.push(foreign.to_str().unwrap().to_owned());
    }
    for file in &files {
        let error = work.verify(&[file]).failed(3);
        assert!(error.contains("has no texture set in it"), "{error}");
        assert!(error.contains("bake it first"), "{error}");
    }
}

#[test]
fn rejects_a_folder_format_for_a_glb_output() {
    let work = WorkFolder::new();
    let args = ["builtin:bar", "-o", "x.glb", "--format", "ktx2"];
    let error = work.bake(&args).failed(2);
    assert!(error.contains("x.glb is one file"), "{error}");
}

#[test]
fn does_not_overwrite_the_source() {
    let work = WorkFolder::new();
    let posed = crate::run::run_in(work.path(), ["pose", "builtin:bar", "-o", "bar.glb"]);
    posed.ok();
    let before = fs::read(work.at("bar.glb")).unwrap();
    for output in ["bar.glb", "./bar.glb"] {
        let error = work.bake(&["bar.glb", "-o", output]).failed(2);
        assert!(
            error.contains("would be overwritten by its own set"),
            "{error}"
        );
    }
    assert_eq!(fs::read(work.at("bar.glb")).unwrap(), before);
}

#[test]
fn written_glb_files_pass_the_khronos_validator() {
    let work = WorkFolder::new();
    let mut files = Vec::new();
    for (index, (encoding, storage)) in [
        ("bone-local", "compressed"),
        ("bone-qt", "unorm16"),
        ("vertex", "f16"),
        ("vertex", "compressed"),
    ]
    .into_iter()
    .enumerate()
    {
        let kind = [
            &["--encoding", encoding, "--heat"],
            &storage_options(storage)[..],
        ]
        .concat();
        let (folder, file) = (format!("{index}"), format!("{index}.glb"));
        work.bake_runner(&folder, &kind);
        work.bake_runner(&file, &kind);
        files.push(work.at(&folder).join("mesh.glb"));
        files.push(work.at(&folder).join("heat.glb"));
        files.push(work.at(&file));
        files.push(work.at(&format!("{index}.heat.glb")));
    }
    let heat = ["0", "--heat", "again.glb"];
    work.verify(&heat).quiet();
    files.push(work.at("again.glb"));
    assert_clean(&files);
}
