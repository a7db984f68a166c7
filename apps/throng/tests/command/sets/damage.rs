//! Damaged sets: the error names the file and the remedy.

use std::fs;

use super::WorkFolder;
use crate::run::run_in;

/// Bakes a valid set of the bar, named `set`.
fn valid_set(format: &str) -> WorkFolder {
    let work = WorkFolder::new();
    let args = [
        "builtin:bar",
        "-o",
        "set",
        "--encoding",
        "bone-qt",
        "--format",
        format,
    ];
    work.bake(&args).quiet();
    work
}

/// Asserts that the set is rejected with an error that contains all these texts.
#[track_caller]
fn assert_rejected(work: &WorkFolder, reasons: &[&str]) {
    let error = work.verify(&["set"]).failed(3);
    for reason in reasons {
        assert!(error.contains(reason), "{reason}: {error}");
    }
}

/// Returns the name of the first texture file.
fn texture(work: &WorkFolder) -> String {
    let manifest = work.json("set/manifest.json");
    manifest["textures"][0]["files"][0]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn rejects_a_manifest_that_is_not_json() {
    let work = valid_set("ktx2");
    let file = work.at("set/manifest.json");
    let whole = fs::read_to_string(&file).unwrap();
    for broken in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        &whole[..whole.len() / 2],
        &format!("{whole}x"),
    ] {
        fs::write(&file, broken).unwrap();
        assert_rejected(&work, &["set/manifest.json", "bake the set again"]);
    }
}

#[test]
fn rejects_invalid_values_in_a_manifest() {
    for (path, value) in [
        ("/format", "another".into()),
        ("/version", 2.into()),
        ("/version", 4.into()),
        ("/encoding", "nosuch".into()),
        ("/textures/0/width", 0.into()),
        ("/textures/0/width", u32::MAX.into()),
        ("/textures/0/height", (-1).into()),
        ("/textures/0/layers", u32::MAX.into()),
        ("/textures/0/files", serde_json::json!([])),
        ("/clips/0/frames", u32::MAX.into()),
        ("/clips/0/rate_hz", 0.into()),
        ("/joints", serde_json::json!([])),
        ("/parts", serde_json::json!([])),
    ] {
        let work = valid_set("ktx2");
        work.edit_manifest("set", |manifest| {
            let there = manifest.pointer_mut(path);
            *there.unwrap_or_else(|| panic!("no {path}")) = value;
        });
        assert_rejected(&work, &["set"]);
    }
}

#[test]
fn rejects_file_names_outside_the_set() {
    for name in ["../x", "/etc/passwd", "a/b.ktx2", "..", "", "..\\x.ktx2"] {
        for path in ["/textures/0/files/0", "/mesh"] {
            let work = valid_set("ktx2");
            work.edit_manifest("set", |manifest| {
                *manifest.pointer_mut(path).unwrap() = name.into();
            });
            assert_rejected(
                &work,
                &[
                    "set/manifest.json",
                    "is not the name of a file in the folder of the manifest",
                ],
            );
        }
    }
}

#[test]
fn rejects_truncated_and_extended_textures() {
    for format in ["ktx2", "png"] {
        let work = valid_set(format);
        let name = texture(&work);
        let file = work.at("set").join(&name);
        let whole = fs::read(&file).unwrap();
        for length in [0, 1, 8, 100, whole.len() / 2, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            assert_rejected(&work, &[&format!("set/{name}"), "bake the set again"]);
        }
        fs::write(&file, [&whole[..], b"more"].concat()).unwrap();
        assert_rejected(&work, &[&format!("set/{name}"), "bake the set again"]);
    }
}

#[test]
fn rejects_textures_of_another_size_or_format() {
    for format in ["ktx2", "png"] {
        let work = valid_set(format);
        let name = texture(&work);
        let other = [
            "bake",
            "builtin:cylinder",
            "-o",
            "other",
            "--encoding",
            "bone-qt",
        ];
        run_in(work.path(), [&other[..], &["--format", format]].concat()).quiet();
        fs::copy(work.at("other").join(&name), work.at("set").join(&name)).unwrap();
        assert_rejected(&work, &[&format!("set/{name}"), "from the manifest"]);
        let other = [&other[..], &["--format", format, "--precision", "unorm8"]].concat();
        run_in(work.path(), other).quiet();
        fs::copy(work.at("other").join(&name), work.at("set").join(&name)).unwrap();
        assert_rejected(&work, &[&format!("set/{name}")]);
    }
}

#[test]
fn rejects_flipped_texels() {
    for format in ["ktx2", "glb"] {
        let work = valid_set(format);
        let file = match format {
            "glb" => work.at("set"),
            _ => work.at("set").join(texture(&work)),
        };
        let mut bytes = fs::read(&file).unwrap();
        let length = bytes.len();
        for byte in &mut bytes[length - 86..] {
            *byte ^= 0x55;
        }
        fs::write(&file, bytes).unwrap();
        assert_rejected(&work, &["set", "digest", "bake the set again"]);
    }
}

#[test]
fn rejects_an_error_above_that_of_the_bake() {
    let work = valid_set("ktx2");
    let verified = work.verify_json("set");
    let error = verified["max_error_of_size"].as_f64();
    let manifest = work.json("set/manifest.json");
    let recorded = manifest["max_error_of_size"].as_f64().unwrap();
    assert!(error.is_none_or(|error| error == recorded), "{verified}");
    // A set of another writer has no digests, but its error is still that of its bake.
    work.edit_manifest("set", |manifest| manifest["files"] = serde_json::json!([]));
    let name = texture(&work);
    let mut bytes = fs::read(work.at("set").join(&name)).unwrap();
    let length = bytes.len();
    for byte in &mut bytes[length - 200..] {
        *byte ^= 0x55;
    }
    fs::write(work.at("set").join(&name), bytes).unwrap();
    let run = work.verify(&["set"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("but the bake measured"), "{run:?}");
    let run = work.verify(&["set", "--json"]);
    assert!(run.stdout.contains("\"within_limit\": false"), "{run:?}");
    // A limit of the user, and a set without a recorded error.
    assert_eq!(work.verify(&["set", "--max-error", "10000%"]).code, Some(0));
    work.edit_manifest("set", |manifest| {
        manifest
            .as_object_mut()
            .unwrap()
            .remove("max_error_of_size");
    });
    work.verify(&["set"]).ok();
}

#[test]
fn rejects_missing_files() {
    let work = valid_set("ktx2");
    let name = texture(&work);
    for name in [name.as_str(), "mesh.glb", "manifest.json"] {
        let file = work.at("set").join(name);
        let whole = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert_rejected(&work, &["set", name]);
        fs::write(&file, whole).unwrap();
    }
    // The report is optional.
    fs::remove_file(work.at("set/report.json")).unwrap();
    work.verify_json("set");
}

#[test]
fn rejects_another_mesh() {
    let work = valid_set("ktx2");
    let file = work.at("set/mesh.glb");
    let whole = fs::read(&file).unwrap();
    for broken in [&[][..], b"glTF", &whole[..whole.len() / 2]] {
        fs::write(&file, broken).unwrap();
        assert_rejected(&work, &["set/mesh.glb"]);
    }
    run_in(
        work.path(),
        ["pose", "builtin:cylinder", "-o", "set/mesh.glb"],
    )
    .quiet();
    assert_rejected(&work, &["set"]);
}

#[test]
fn rejects_a_damaged_set_in_one_file() {
    let work = valid_set("glb");
    let whole = fs::read(work.at("set")).unwrap();
    for length in [0, 4, 12, 20, 1000, whole.len() / 2, whole.len() - 4] {
        fs::write(work.at("set"), &whole[..length]).unwrap();
        assert_rejected(&work, &["set"]);
    }
    run_in(work.path(), ["pose", "builtin:bar", "-o", "posed.glb"]).quiet();
    let error = work.verify(&["posed.glb"]).failed(3);
    assert!(error.contains("posed.glb"), "{error}");
}

#[test]
fn rejects_paths_that_are_not_sets() {
    let work = WorkFolder::new();
    fs::create_dir(work.at("folder")).unwrap();
    let error = work.verify(&["folder"]).failed(3);
    assert!(error.contains("folder is not a texture set"), "{error}");
    let error = work.verify(&["nosuch"]).failed(3);
    assert!(
        error.contains("nosuch") && error.contains("check the path"),
        "{error}"
    );
}
