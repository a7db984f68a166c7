//! Sets that are damaged: an error that names the file, and what to do.

use std::fs;

use super::Place;
use crate::run::run_in;

/// A set of a bar, called `set`.
fn sound(format: &str) -> Place {
    let place = Place::new();
    let args = [
        "builtin:bar",
        "-o",
        "set",
        "--encoding",
        "bone-qt",
        "--format",
        format,
    ];
    place.bake(&args).quiet();
    place
}

/// Checks that the set is refused, for all of these reasons.
#[track_caller]
fn refused(place: &Place, reasons: &[&str]) {
    let error = place.verify(&["set"]).failed(1);
    for reason in reasons {
        assert!(error.contains(reason), "{reason}: {error}");
    }
}

/// The set's first texture file.
fn texture(place: &Place) -> String {
    let manifest = place.json("set/manifest.json");
    manifest["textures"][0]["files"][0]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_manifest_that_is_no_json() {
    let place = sound("ktx2");
    let file = place.at("set/manifest.json");
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
        refused(&place, &["set/manifest.json", "bake the set again"]);
    }
}

#[test]
fn a_manifest_that_says_what_cannot_be() {
    for (path, value) in [
        ("/format", "another".into()),
        ("/version", 1.into()),
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
        let place = sound("ktx2");
        place.edit_manifest("set", |manifest| {
            let there = manifest.pointer_mut(path);
            *there.unwrap_or_else(|| panic!("no {path}")) = value;
        });
        refused(&place, &["set"]);
    }
}

#[test]
fn a_manifest_that_names_files_elsewhere() {
    for name in ["../x", "/etc/passwd", "a/b.ktx2", "..", "", "..\\x.ktx2"] {
        for path in ["/textures/0/files/0", "/mesh"] {
            let place = sound("ktx2");
            place.edit_manifest("set", |manifest| {
                *manifest.pointer_mut(path).unwrap() = name.into();
            });
            refused(
                &place,
                &[
                    "set/manifest.json",
                    "is not the name of a file in the folder of the manifest",
                ],
            );
        }
    }
}

#[test]
fn a_texture_that_is_cut_short_or_goes_on() {
    for format in ["ktx2", "png"] {
        let place = sound(format);
        let name = texture(&place);
        let file = place.at("set").join(&name);
        let whole = fs::read(&file).unwrap();
        for length in [0, 1, 8, 100, whole.len() / 2, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            refused(&place, &[&format!("set/{name}"), "bake the set again"]);
        }
        fs::write(&file, [&whole[..], b"more"].concat()).unwrap();
        refused(&place, &[&format!("set/{name}"), "bake the set again"]);
    }
}

#[test]
fn a_texture_of_another_size_or_kind() {
    for format in ["ktx2", "png"] {
        let place = sound(format);
        let name = texture(&place);
        let other = [
            "bake",
            "builtin:cylinder",
            "-o",
            "other",
            "--encoding",
            "bone-qt",
        ];
        run_in(place.path(), [&other[..], &["--format", format]].concat()).quiet();
        fs::copy(place.at("other").join(&name), place.at("set").join(&name)).unwrap();
        refused(&place, &[&format!("set/{name}"), "from the manifest"]);
        let other = [&other[..], &["--format", format, "--precision", "unorm8"]].concat();
        run_in(place.path(), other).quiet();
        fs::copy(place.at("other").join(&name), place.at("set").join(&name)).unwrap();
        refused(&place, &[&format!("set/{name}")]);
    }
}

#[test]
fn a_file_that_is_missing() {
    let place = sound("ktx2");
    let name = texture(&place);
    for name in [name.as_str(), "mesh.glb", "manifest.json"] {
        let file = place.at("set").join(name);
        let whole = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        refused(&place, &["set", name]);
        fs::write(&file, whole).unwrap();
    }
    // The report is for people.
    fs::remove_file(place.at("set/report.json")).unwrap();
    place.verified("set");
}

#[test]
fn a_mesh_that_is_another() {
    let place = sound("ktx2");
    let file = place.at("set/mesh.glb");
    let whole = fs::read(&file).unwrap();
    for broken in [&[][..], b"glTF", &whole[..whole.len() / 2]] {
        fs::write(&file, broken).unwrap();
        refused(&place, &["set/mesh.glb"]);
    }
    run_in(
        place.path(),
        ["pose", "builtin:cylinder", "-o", "set/mesh.glb"],
    )
    .quiet();
    refused(&place, &["set"]);
}

#[test]
fn a_set_in_one_file_that_is_damaged() {
    let place = sound("glb");
    let whole = fs::read(place.at("set")).unwrap();
    for length in [0, 4, 12, 20, 1000, whole.len() / 2, whole.len() - 4] {
        fs::write(place.at("set"), &whole[..length]).unwrap();
        refused(&place, &["set"]);
    }
    run_in(place.path(), ["pose", "builtin:bar", "-o", "posed.glb"]).quiet();
    let error = place.verify(&["posed.glb"]).failed(1);
    assert!(error.contains("posed.glb"), "{error}");
}

#[test]
fn what_is_no_set_at_all() {
    let place = Place::new();
    fs::create_dir(place.at("folder")).unwrap();
    let error = place.verify(&["folder"]).failed(1);
    assert!(error.contains("folder is not a texture set"), "{error}");
    let error = place.verify(&["nosuch"]).failed(1);
    assert!(
        error.contains("nosuch") && error.contains("check the path"),
        "{error}"
    );
}
