//! Arguments that do not exist or do not fit, and what they leave behind: nothing.

use super::Place;
use crate::run::names_in;

#[test]
fn arguments_that_do_not_exist_or_fit_are_wrong_usage() {
    let place = Place::new();
    for args in [
        &["--encoding", "nosuch"][..],
        &["--precision", "f64"],
        &["--rate", "500"],
        &["--rate", "5"],
        &["--rate", "nan"],
        &["--rate", "fast"],
        &["--max-error", "0.5"],
        &["--max-error", "0mm"],
        &["--max-error", "-1%"],
        &["--max-bytes", "0"],
        &["--max-bytes", "lots"],
        &["--max-error", "1mm", "--max-bytes", "64k"],
        &["--preset", "nosuch"],
        &["--preset", "p0-dq8", "--encoding", "bone-dq"],
        &["--preset", "p0-dq8", "--precision", "unorm8"],
        &["--preset", "p0-dq8", "--max-error", "1mm"],
        &["--preset", "p0-matrix8", "--interpolate", "slerp"],
        &["--format", "dds"],
        &["--method", "nosuch"],
        &["--loop", "twice"],
        &["--interpolate", "cubic"],
        &["--boxes", "none"],
        &["--metadata", "row"],
        &["--max-side", "0"],
        &["--max-side", "4"],
        &["--max-influences", "0"],
        &["--nosuch"],
    ] {
        place.bake(&[&["builtin:bar"], args].concat()).misused();
    }
    for args in [
        &[][..],
        &["a", "b"],
        &["a", "--max-error", "1"],
        &["a", "--nosuch"],
    ] {
        place.verify(args).misused();
    }
    assert!(names_in(place.path()).is_empty());
}

#[test]
fn what_a_preset_decides_cannot_be_asked_for_as_well() {
    let place = Place::new();
    for (flag, value) in [
        ("--encoding", "bone-dq"),
        ("--precision", "unorm8"),
        ("--interpolate", "nlerp"),
        ("--boxes", "bone"),
        ("--metadata", "manifest"),
        ("--max-error", "1mm"),
        ("--max-bytes", "64k"),
    ] {
        let args = ["builtin:bar", "--preset", "p0-dq8", flag, value];
        let error = place.bake(&args).misused();
        assert!(
            error.contains(flag) && error.contains("--preset"),
            "{error}"
        );
    }
    assert!(names_in(place.path()).is_empty());
    place.bake(&["builtin:bar", "--preset", "p0-dq8"]).ok();
}

#[test]
fn packed_curves_have_no_column() {
    let place = Place::new();
    for kind in [
        &["--encoding", "bone-local"][..],
        &["--encoding", "vertex", "--precision", "packed"],
        &["--precision", "packed"],
    ] {
        let args = [&["builtin:bar", "--metadata", "column"], kind].concat();
        let error = place.bake(&args).failed(2);
        assert!(error.contains("--metadata column"), "{error}");
    }
    assert!(names_in(place.path()).is_empty());
    // A search passes packed ones over.
    let args = [
        "builtin:bar",
        "--metadata",
        "column",
        "--max-error",
        "1%",
        "-o",
        "set",
    ];
    place.bake(&args).ok();
    let manifest = place.json("set/manifest.json");
    assert_eq!(manifest["metadata"], "column");
    assert_ne!(manifest["precision"], "packed");
}

#[test]
fn a_clip_that_is_not_there_is_wrong_usage() {
    let place = Place::new();
    for clip in ["nosuch", "7", "#7"] {
        let error = place.bake(&["builtin:bar", "--clips", clip]).failed(2);
        assert!(error.contains(&format!("--clips {clip}")), "{error}");
    }
    assert!(names_in(place.path()).is_empty());
}

#[test]
fn an_option_that_the_files_have_no_use_for_is_wrong_usage() {
    let place = Place::new();
    for args in [
        &["--format", "png", "--zstd"][..],
        &["--format", "exr", "--zstd"],
        &["--format", "glb", "--zstd"],
        &["-o", "x.glb", "--zstd"],
    ] {
        let error = place.bake(&[&["builtin:bar"], args].concat()).failed(2);
        assert!(error.contains("--zstd"), "{error}");
    }
    assert!(names_in(place.path()).is_empty());
}

#[test]
fn a_source_that_is_not_there_fails_and_is_named() {
    let place = Place::new();
    let error = place.bake(&["no/such/file.glb"]).failed(1);
    assert!(
        error.contains("no/such/file.glb") && error.contains("check the path"),
        "{error}"
    );
    let error = place.bake(&["builtin:nosuch"]).failed(2);
    assert!(
        error.contains("use one of humanoid, bar, cylinder"),
        "{error}"
    );
    assert!(names_in(place.path()).is_empty());
}

#[test]
fn an_interpolation_that_an_encoding_does_not_have_is_refused() {
    let place = Place::new();
    let args = [
        "builtin:bar",
        "--encoding",
        "vertex",
        "--interpolate",
        "slerp",
    ];
    let error = place.bake(&args).failed(1);
    assert!(
        error.contains("vertex cannot be interpolated by slerp"),
        "{error}"
    );
}
