//! Invalid arguments, which write nothing.

use super::WorkFolder;
use crate::run::{names_in, tiny_gltf};

#[test]
fn invalid_arguments_exit_with_2() {
    let work = WorkFolder::new();
    for args in [
        &["--encoding", "nosuch"][..],
        &["--precision", "f64"],
        &["--precision", "packed"],
        &["--layout", "grid"],
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
        work.bake(&[&["builtin:bar"], args].concat()).misused();
    }
    for args in [
        &[][..],
        &["a", "b"],
        &["a", "--max-error", "1"],
        &["a", "--nosuch"],
    ] {
        work.verify(args).misused();
    }
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn presets_conflict_with_the_options_they_set() {
    let work = WorkFolder::new();
    for (flag, value) in [
        ("--encoding", "bone-dq"),
        ("--precision", "unorm8"),
        ("--layout", "frames"),
        ("--interpolate", "nlerp"),
        ("--boxes", "bone"),
        ("--metadata", "manifest"),
        ("--max-error", "1mm"),
        ("--max-bytes", "64k"),
    ] {
        let args = ["builtin:bar", "--preset", "p0-dq8", flag, value];
        let error = work.bake(&args).misused();
        assert!(
            error.contains(flag) && error.contains("--preset"),
            "{error}"
        );
    }
    assert!(names_in(work.path()).is_empty());
    work.bake(&["builtin:bar", "--preset", "p0-dq8"]).ok();
}

#[test]
fn compressed_curves_have_no_metadata_column() {
    let work = WorkFolder::new();
    for kind in [
        &["--encoding", "bone-local"][..],
        &["--encoding", "vertex", "--layout", "compressed"],
        &["--layout", "compressed"],
    ] {
        let args = [&["builtin:bar", "--metadata", "column"], kind].concat();
        let error = work.bake(&args).failed(2);
        assert!(error.contains("--metadata column"), "{error}");
    }
    assert!(names_in(work.path()).is_empty());
    // A search skips compressed curves.
    let args = [
        "builtin:bar",
        "--metadata",
        "column",
        "--max-error",
        "1%",
        "-o",
        "set",
    ];
    work.bake(&args).ok();
    let manifest = work.json("set/manifest.json");
    assert_eq!(manifest["metadata"], "column");
    assert!(
        manifest["precision"].is_string(),
        "{}",
        manifest["precision"]
    );
}

#[test]
fn compressed_curves_have_no_precision() {
    let work = WorkFolder::new();
    for encoding in ["vertex", "bone-local", "auto"] {
        let args = ["--encoding", encoding, "--layout", "compressed"];
        let all = [&["builtin:bar", "--precision", "f16"], &args[..]].concat();
        let error = work.bake(&all).failed(2);
        assert!(error.contains("--precision f16"), "{error}");
        assert!(error.contains("--layout frames"), "{error}");
    }
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn unknown_clip_exits_with_2() {
    let work = WorkFolder::new();
    for clip in ["nosuch", "7", "#7"] {
        let error = work.bake(&["builtin:bar", "--clips", clip]).failed(2);
        assert!(error.contains(&format!("--clips {clip}")), "{error}");
    }
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn zstd_without_ktx2_exits_with_2() {
    let work = WorkFolder::new();
    for args in [
        &["--format", "png", "--zstd"][..],
        &["--format", "exr", "--zstd"],
        &["--format", "glb", "--zstd"],
        &["-o", "x.glb", "--zstd"],
    ] {
        let error = work.bake(&[&["builtin:bar"], args].concat()).failed(2);
        assert!(error.contains("--zstd"), "{error}");
    }
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn rejects_an_output_that_is_named_like_a_texture() {
    let work = WorkFolder::new();
    for (name, format) in [("x.ktx2", "ktx2"), ("x.PNG", "png"), ("a/x.exr", "exr")] {
        for inputs in [&["builtin:bar"][..], &["builtin:bar", "builtin:cylinder"]] {
            let error = work.bake(&[inputs, &["-o", name]].concat()).failed(2);
            assert!(
                error.contains("a set is a folder or a .glb file"),
                "{error}"
            );
            assert!(
                error.contains(&format!("x.throng --format {format}")),
                "{error}"
            );
        }
    }
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn missing_source_exits_with_3() {
    let work = WorkFolder::new();
    let error = work.bake(&["no/such/file.glb"]).failed(3);
    assert!(
        error.contains("no/such/file.glb") && error.contains("check the path"),
        "{error}"
    );
    let error = work.bake(&["builtin:nosuch"]).failed(2);
    assert!(
        error.contains("expected one of humanoid, bar, box, cylinder"),
        "{error}"
    );
    assert!(names_in(work.path()).is_empty());
}

#[test]
fn rejects_an_interpolation_that_the_encoding_does_not_support() {
    let work = WorkFolder::new();
    let args = [
        "builtin:bar",
        "--encoding",
        "vertex",
        "--interpolate",
        "slerp",
    ];
    let error = work.bake(&args).failed(1);
    assert!(
        error.contains("vertex does not support slerp interpolation; expected linear"),
        "{error}"
    );
}

/// Returns a file of one triangle whose only clip lasts this long.
fn long_clip(secs: f32) -> String {
    let mut gltf: serde_json::Value = serde_json::from_str(&tiny_gltf(&["long"])).unwrap();
    let uri = gltf["buffers"][0]["uri"].as_str().unwrap();
    let end: String = secs
        .to_le_bytes()
        .iter()
        .map(|b| format!("%{b:02X}"))
        .collect();
    gltf["buffers"][0]["uri"] = format!("{}{end}", &uri[..uri.len() - 12]).into();
    gltf.to_string()
}

#[test]
fn refuses_more_frames_than_the_limit_and_names_the_option() {
    let work = WorkFolder::new();
    std::fs::write(work.at("long.gltf"), long_clip(86_399.0)).unwrap();
    for encoding in ["auto", "vertex", "bone-qt", "bone-local"] {
        let error = work.bake(&["long.gltf", "--encoding", encoding]).failed(1);
        assert!(error.contains("518395 frames"), "{error}");
        assert!(error.contains("--max-frames"), "{error}");
    }
    std::fs::write(work.at("short.gltf"), long_clip(10.0)).unwrap();
    let bake = |limit: &str| {
        work.bake(&[
            "short.gltf",
            "-o",
            "set",
            "--encoding",
            "bone-qt",
            "--max-frames",
            limit,
        ])
    };
    assert!(bake("60").failed(1).contains("--max-frames"));
    bake("61").ok();
}

#[test]
fn refuses_more_memory_than_the_limit_and_names_the_option() {
    let work = WorkFolder::new();
    let bake = |limit: &str| {
        work.bake(&[
            "builtin:bar",
            "-o",
            "set",
            "--encoding",
            "vertex",
            "--max-memory",
            limit,
        ])
    };
    let error = bake("64k").failed(1);
    assert!(
        error.contains("needs about") && error.contains("--max-memory"),
        "{error}"
    );
    bake("1G").ok();
}

#[test]
fn negative_limits_get_a_message_of_their_own() {
    let work = WorkFolder::new();
    for args in [["--max-error", "-1mm"], ["--max-error", "-0.5cm"]] {
        let error = work.bake(&[&["builtin:bar"][..], &args].concat()).misused();
        assert!(error.contains("must be larger than 0"), "{error}");
        let error = work.verify(&[&["set"][..], &args].concat()).misused();
        assert!(error.contains("must be larger than 0"), "{error}");
    }
}
