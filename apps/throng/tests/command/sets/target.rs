//! `bake --target`: what it chooses, and sets that would not load.

use super::{RUNNER, WorkFolder};
use crate::run::{names_in, object};

/// Bakes quickly.
const FAST: [&str; 2] = ["builtin:bar", "--encoding=bone-qt"];

#[test]
fn web_targets_write_one_file_and_say_so() {
    for target in ["three", "webgl2", "webgpu"] {
        let work = WorkFolder::new();
        let said = work.bake(&[&FAST[..], &["--target", target]].concat()).ok();
        assert_eq!(names_in(work.path()), ["bar.throng.glb"]);
        let line = said.lines().find(|line| line.contains(target)).unwrap();
        assert!(line.starts_with("bone-qt unorm16 for "), "{line}");
        assert!(line.contains("one GLB file"), "{line}");
        // The side of the bake, not the largest one of the target.
        assert!(line.contains("at most 2048 texels"), "{line}");
        work.verify(&["bar.throng.glb"]).ok();
    }
    let work = WorkFolder::new();
    let said = work.bake(&[&FAST[..], &["--target", "wgpu"]].concat()).ok();
    assert!(said.contains("for wgpu: a folder of KTX2 files"), "{said}");
    assert_eq!(names_in(work.path()), ["bar.throng"]);
}

#[test]
fn a_named_output_is_kept() {
    let work = WorkFolder::new();
    let args = [&FAST[..], &["--target=three", "--json", "-o", "set"]].concat();
    let json = object(&work.bake(&args).ok());
    let target = &json["target"];
    assert_eq!(target["name"], "three");
    assert_eq!(target["files"], "ktx2");
    assert_eq!(target["max_side"], 2048);
    assert_eq!(target["max_layers"], 256);
    assert!(work.at("set/manifest.json").is_file());
    let without = object(
        &work
            .bake(&[&FAST[..], &["--json", "-o", "other"]].concat())
            .ok(),
    );
    assert!(without.get("target").is_none());
}

#[test]
fn auto_chooses_an_encoding_for_the_target() {
    let work = WorkFolder::new();
    let args = [&RUNNER[..], &["--target=three", "--json"]].concat();
    let json = object(&work.bake(&args).ok());
    assert_eq!(json["encoding"], "bone-local");
    assert_eq!(json["target"]["files"], "glb");
}

#[test]
fn options_that_do_not_load_are_refused_with_a_remedy() {
    let work = WorkFolder::new();
    for (args, remedy) in [
        (
            &["--target=webgl2", "--max-side=4096"][..],
            "leave --max-side out",
        ),
        (
            &["--target=three", "--max-side=4096"],
            "leave --max-side out",
        ),
        (
            &["--target=webgpu", "--max-side=16384"],
            "leave --max-side out",
        ),
        (
            &["--target=three", "--format=exr"],
            "use --format glb, ktx2 or png",
        ),
        (
            &["--target=webgl2", "--format=exr"],
            "use --format glb, ktx2 or png",
        ),
        (
            &["--target=three", "--preset=p3-virtual-bones"],
            "use --encoding virtual-bones",
        ),
        (
            &["--target=three", "--method=cor"],
            "use --method dqs, or --encoding vertex",
        ),
        (
            &["--target=wgpu", "--method=dqs-plain"],
            "use --method dqs, or --encoding vertex",
        ),
    ] {
        let error = work.bake(&[&["builtin:bar"], args].concat()).failed(2);
        assert!(error.contains(remedy), "{args:?}: {error}");
    }
    for args in [&["--target", "unity"][..], &["--target=three", "--share"]] {
        work.bake(&[&["builtin:bar"], args].concat()).misused();
    }
    assert!(names_in(work.path()).is_empty());
    // What one target refuses, another loads.
    let args = ["--target=webgpu", "--max-side=4096", "--format=ktx2"];
    work.bake(&[&FAST[..], &args].concat()).ok();
}

#[test]
fn sets_beyond_the_limits_are_refused_after_the_bake() {
    let work = WorkFolder::new();
    // Sides of 8 texels need more than 256 layers.
    let args = [
        "builtin:humanoid:1000",
        "--clips=run",
        "--encoding=vertex",
        "--precision=unorm16",
        "--max-side=8",
        "--target=webgl2",
    ];
    let error = work.bake(&args).failed(1);
    assert!(error.contains("does not load in webgl2"), "{error}");
    assert!(error.contains("256 layers: use --max-side 2048"), "{error}");
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn a_target_is_checked_where_the_set_is_up_to_date() {
    let work = WorkFolder::new();
    let large = [&FAST[..], &["--max-side=8", "-o", "set"]].concat();
    work.bake(&large).ok();
    let said = work.bake(&large).ok();
    assert!(said.contains("is up to date"), "{said}");
    let said = work.bake(&[&large[..], &["--target=three"]].concat()).ok();
    assert!(!said.contains("is up to date"), "{said}");
}
