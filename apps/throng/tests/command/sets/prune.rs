//! `throng bake --prune`.

use std::fs::{self, File};
use std::path::Path;

use serde_json::Value;

use super::WorkFolder;
use crate::run::{list, names_in, object, tiny_gltf};

const QUICK: [&str; 2] = ["--encoding", "bone-qt"];

/// A folder `in` with characters, and their sets in `out`.
fn library(names: &[&str]) -> WorkFolder {
    let work = WorkFolder::new();
    for name in names {
        let path = work.at(&format!("in/{name}.gltf"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, tiny_gltf(&["move"])).unwrap();
    }
    work.bake(&[&["in", "-o", "out"], &QUICK[..]].concat()).ok();
    work
}

fn prune(work: &WorkFolder, args: &[&str]) -> Value {
    let all = [&["in", "-o", "out", "--prune", "--json"], &QUICK[..], args].concat();
    object(&work.bake(&all).quiet())
}

fn pruned(report: &Value) -> Vec<&str> {
    let paths = list(&report["pruned"]).iter();
    paths.map(|path| path.as_str().unwrap()).collect()
}

#[test]
fn sets_whose_source_is_gone_are_removed() {
    let work = library(&["a", "b", "deep/c"]);
    assert!(pruned(&prune(&work, &[])).is_empty());
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    fs::rename(work.at("in/deep/c.gltf"), work.at("in/deep/moved.gltf")).unwrap();
    // Without the option, sets stay.
    let kept = object(
        &work
            .bake(&[&["in", "-o", "out", "--json"], &QUICK[..]].concat())
            .ok(),
    );
    assert!(kept["pruned"].is_null());
    assert_eq!(names_in(&work.at("out")), ["a.throng", "b.throng", "deep"]);
    let report = prune(&work, &[]);
    assert_eq!(pruned(&report), ["out/a.throng", "out/deep/c.throng"]);
    assert_eq!(names_in(&work.at("out")), ["b.throng", "deep"]);
    assert_eq!(names_in(&work.at("out/deep")), ["moved.throng"]);
}

#[test]
fn removed_sets_are_listed_as_text() {
    let work = library(&["a", "b"]);
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    let all = [&["in", "-o", "out", "--prune"], &QUICK[..]].concat();
    let printed = work.bake(&all).quiet();
    let line = "removed out/a.throng: its source ../../in/a.gltf is gone\n";
    assert!(printed.contains(line), "{printed}");
}

#[test]
fn files_of_the_user_stay_and_are_named() {
    let work = library(&["a", "b"]);
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    fs::write(work.at("out/a.throng/notes.txt"), "mine").unwrap();
    fs::create_dir(work.at("out/a.throng/more")).unwrap();
    let all = [&["in", "-o", "out", "--prune", "--json"], &QUICK[..]].concat();
    let run = work.bake(&all);
    let warning =
        "warning: out/a.throng: these are not part of the removed set and stay: more, notes.txt\n";
    assert_eq!(run.stderr, warning);
    assert_eq!(pruned(&object(&run.ok())), ["out/a.throng"]);
    assert_eq!(names_in(&work.at("out/a.throng")), ["more", "notes.txt"]);
    // It is no set any more.
    assert!(pruned(&prune(&work, &[])).is_empty());
}

#[test]
fn built_ins_and_folders_of_others_stay() {
    let work = library(&["a"]);
    work.bake(&[&["builtin:bar", "-o", "out/bar"], &QUICK[..]].concat())
        .ok();
    fs::create_dir_all(work.at("out/site")).unwrap();
    let other = r#"{"name": "a web page", "source": {"path": "gone.html"}}"#;
    fs::write(work.at("out/site/manifest.json"), other).unwrap();
    fs::write(work.at("out/site/notes.throng.glb"), "not a set").unwrap();
    // No bake writes absolute paths.
    work.bake(&[&["builtin:bar", "-o", "out/far"], &QUICK[..]].concat())
        .ok();
    work.edit_manifest("out/far", |manifest| {
        manifest["source"]["path"] = "/gone/for/ever.glb".into();
    });
    assert!(pruned(&prune(&work, &[])).is_empty());
    let all = ["a.throng", "bar", "far", "site"];
    assert_eq!(names_in(&work.at("out")), all);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let work = library(&["a", "b"]);
    // A set elsewhere, seen through a link to it and through a link to its folder.
    fs::create_dir(work.at("elsewhere")).unwrap();
    fs::rename(work.at("out/b.throng"), work.at("elsewhere/b.throng")).unwrap();
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    fs::rename(work.at("in/b.gltf"), work.at("in/c.gltf")).unwrap();
    symlink(work.at("elsewhere/b.throng"), work.at("out/link.throng")).unwrap();
    symlink(work.at("elsewhere"), work.at("out/folder")).unwrap();
    // A file of a set that the user has replaced by a link.
    fs::rename(work.at("out/a.throng/mesh.glb"), work.at("precious.glb")).unwrap();
    symlink(work.at("precious.glb"), work.at("out/a.throng/mesh.glb")).unwrap();
    let all = [&["in", "-o", "out", "--prune", "--json"], &QUICK[..]].concat();
    let run = work.bake(&all);
    assert!(run.stderr.ends_with("stay: mesh.glb\n"), "{run:?}");
    assert_eq!(pruned(&object(&run.ok())), ["out/a.throng"]);
    assert!(work.at("precious.glb").is_file());
    assert!(work.at("elsewhere/b.throng/manifest.json").is_file());
    assert!(work.at("out/link.throng").is_symlink());
}

#[cfg(unix)]
#[test]
fn source_behind_a_link_is_not_gone() {
    let work = library(&["a"]);
    // The path of the source is relative to the name of the folder, not to where a link leads.
    fs::create_dir_all(work.at("far/away")).unwrap();
    std::os::unix::fs::symlink(work.at("far/away"), work.at("linked")).unwrap();
    let bake = |args: &[&str]| {
        let all = [&["in", "-o", "linked", "--json"], &QUICK[..], args].concat();
        object(&work.bake(&all).quiet())
    };
    bake(&[]);
    assert!(pruned(&bake(&["--prune"])).is_empty());
    assert!(work.at("far/away/a.throng/manifest.json").is_file());
}

#[test]
fn single_input_prunes_the_folder_of_its_set_alone() {
    let work = library(&["a", "b", "deep/c"]);
    for name in ["a", "deep/c"] {
        fs::remove_file(work.at(&format!("in/{name}.gltf"))).unwrap();
    }
    let bake = |args: &[&str]| {
        let all = [&["in/b.gltf", "--prune", "--json"], &QUICK[..], args].concat();
        object(&work.bake(&all).quiet())
    };
    // The set is written to the current folder, which holds no others.
    assert!(bake(&[])["pruned"].is_null());
    let report = bake(&["-o", "out/b.throng"]);
    assert_eq!(report["unchanged"], true);
    assert_eq!(pruned(&report), ["out/a.throng"]);
    assert!(work.at("out/deep/c.throng/manifest.json").is_file());
}

#[test]
fn single_files_are_removed_with_their_heat_maps() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("in")).unwrap();
    for name in ["a", "b"] {
        fs::write(work.at(&format!("in/{name}.gltf")), tiny_gltf(&["move"])).unwrap();
    }
    let bake = |args: &[&str]| {
        let all = ["in", "-o", "out", "--format", "glb", "--heat", "--json"];
        object(&work.bake(&[&all, &QUICK[..], args].concat()).quiet())
    };
    bake(&[]);
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    assert_eq!(pruned(&bake(&["--prune"])), ["out/a.throng.glb"]);
    let left = ["b.throng.glb", "b.throng.heat.glb"];
    assert_eq!(names_in(&work.at("out")), left);
}

#[test]
fn leftovers_of_interrupted_bakes_are_removed() {
    let work = library(&["a"]);
    let leftover = |name: &str| {
        fs::create_dir_all(work.at(name).join("new")).unwrap();
        let lock = File::create(work.at(name).join("lock")).unwrap();
        fs::write(work.at(name).join("new/half.ktx2"), "half").unwrap();
        lock
    };
    drop(leftover("out/.throng-b.throng"));
    let living = leftover("out/.throng-c.throng");
    living.lock().unwrap();
    fs::create_dir(work.at("out/.git")).unwrap();
    let report = prune(&work, &[]);
    let expected = Path::new("out").join(".throng-b.throng");
    assert_eq!(pruned(&report), [expected.to_str().unwrap()]);
    let left = [".git", ".throng-c.throng", "a.throng"];
    assert_eq!(names_in(&work.at("out")), left);
}

#[test]
fn motion_sets_in_use_stay() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("in")).unwrap();
    for name in ["a", "b"] {
        fs::write(work.at(&format!("in/{name}.gltf")), tiny_gltf(&["move"])).unwrap();
    }
    let share = ["in/a.gltf", "in/b.gltf", "--share", "-o", "out"];
    work.bake(&share).ok();
    fs::remove_file(work.at("in/a.gltf")).unwrap();
    // The motion set names the first character as its source.
    let others = [
        "builtin:bar:100",
        "builtin:bar:200",
        "-o",
        "out",
        "--prune",
        "--json",
    ];
    let report = object(&work.bake(&[&others[..], &QUICK[..]].concat()).quiet());
    assert_eq!(pruned(&report), ["out/a.throng"]);
    let set = work.json("out/b.throng/manifest.json");
    assert_eq!(set["motion"]["path"], "../motion.throng");
    assert!(work.at("out/motion.throng/manifest.json").exists());
    fs::remove_file(work.at("in/b.gltf")).unwrap();
    let report = object(&work.bake(&[&others[..], &QUICK[..]].concat()).quiet());
    assert_eq!(pruned(&report), ["out/b.throng", "out/motion.throng"]);
    let error = work.bake(&[&share[..], &["--prune"]].concat()).misused();
    assert!(error.contains("--prune"), "{error}");
}
