//! Sets in one GLB, and what the Khronos validator says of every GLB that is written.

use std::fs;

use super::{Place, RUNNER};
use crate::run::names_in;
use crate::validator::assert_clean;

#[test]
fn the_name_or_the_format_makes_one_file() {
    let place = Place::new();
    let baked = place.runner("x.glb", &["--encoding", "bone-local"]);
    assert_eq!(names_in(place.path()), ["x.glb"]);
    place.agrees("x.glb", &baked);
    place
        .bake(&[&RUNNER[..], &["--format", "glb", "--encoding", "bone-qt"]].concat())
        .quiet();
    assert_eq!(
        names_in(place.path()),
        ["humanoid-1000.throng.glb", "x.glb"]
    );
    place.verified("humanoid-1000.throng.glb");
}

#[test]
fn a_file_of_any_name_finds_its_source() {
    let place = Place::new();
    fs::write(place.at("tiny.gltf"), crate::run::tiny_gltf(&["move"])).unwrap();
    fs::create_dir(place.at("sets")).unwrap();
    for set in ["one", "one.glb", "sets/two", "sets/two.glb"] {
        let args = ["tiny.gltf", "--encoding", "bone-qt", "--format", "glb"];
        place.bake(&[&args[..], &["-o", set]].concat()).ok();
        assert!(place.at(set).is_file());
        place.verify(&[set]).ok();
    }
}

#[test]
fn a_file_without_a_set_is_not_called_damaged() {
    let place = Place::new();
    let posed = crate::run::run_in(place.path(), ["pose", "builtin:bar", "-o", "bar.glb"]);
    posed.ok();
    place.runner("set", &["--encoding", "bone-qt"]);
    let mut files = vec!["bar.glb".to_owned(), "set/mesh.glb".to_owned()];
    if let Some(foreign) = crate::run::asset("gltf/khronos/BoxAnimated.glb") {
        files.push(foreign.to_str().unwrap().to_owned());
    }
    for file in &files {
        let error = place.verify(&[file]).failed(1);
        assert!(error.contains("has no texture set in it"), "{error}");
        assert!(error.contains("bake it first"), "{error}");
    }
}

#[test]
fn a_folder_format_does_not_fit_the_name_of_a_file() {
    let place = Place::new();
    let args = ["builtin:bar", "-o", "x.glb", "--format", "ktx2"];
    let error = place.bake(&args).failed(2);
    assert!(error.contains("x.glb is one file"), "{error}");
}

#[test]
fn a_source_is_not_overwritten_by_its_set() {
    let place = Place::new();
    let posed = crate::run::run_in(place.path(), ["pose", "builtin:bar", "-o", "bar.glb"]);
    posed.ok();
    let before = fs::read(place.at("bar.glb")).unwrap();
    for output in ["bar.glb", "./bar.glb"] {
        let error = place.bake(&["bar.glb", "-o", output]).failed(2);
        assert!(
            error.contains("would be overwritten by its own set"),
            "{error}"
        );
    }
    assert_eq!(fs::read(place.at("bar.glb")).unwrap(), before);
}

#[test]
fn the_validator_finds_nothing_wrong() {
    let place = Place::new();
    let mut files = Vec::new();
    for (index, (encoding, precision)) in [
        ("bone-local", "packed"),
        ("bone-qt", "unorm16"),
        ("vertex", "f16"),
        ("vertex", "packed"),
    ]
    .into_iter()
    .enumerate()
    {
        let kind = ["--encoding", encoding, "--precision", precision, "--heat"];
        let (folder, file) = (format!("{index}"), format!("{index}.glb"));
        place.runner(&folder, &kind);
        place.runner(&file, &kind);
        files.push(place.at(&folder).join("mesh.glb"));
        files.push(place.at(&folder).join("heat.glb"));
        files.push(place.at(&file));
        files.push(place.at(&format!("{index}.heat.glb")));
    }
    let heat = ["0", "--heat", "again.glb"];
    place.verify(&heat).quiet();
    files.push(place.at("again.glb"));
    assert_clean(&files);
}
