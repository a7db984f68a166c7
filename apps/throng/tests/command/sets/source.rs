//! Source of `throng verify`.

use std::fs;

use super::WorkFolder;
use crate::run::tiny_gltf;

/// Bakes a set of a small file.
fn baked() -> WorkFolder {
    let work = WorkFolder::new();
    fs::write(work.at("tiny.gltf"), tiny_gltf(&["move"])).unwrap();
    work.bake(&["tiny.gltf", "-o", "set", "--encoding", "bone-qt"])
        .ok();
    work.verify(&["set"]).ok();
    work
}

#[test]
fn rejects_a_changed_source() {
    let work = baked();
    fs::rename(work.at("tiny.gltf"), work.at("old.gltf")).unwrap();
    fs::write(work.at("tiny.gltf"), tiny_gltf(&["move", "other"])).unwrap();
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("tiny.gltf has changed"), "{error}");
    assert!(error.contains("--against FILE"), "{error}");
    for source in ["old.gltf", "tiny.gltf"] {
        work.verify(&["set", "--against", source]).ok();
    }
}

#[test]
fn rejects_a_source_with_a_changed_side_file() {
    let work = WorkFolder::new();
    let mut gltf: serde_json::Value = serde_json::from_str(&tiny_gltf(&["move"])).unwrap();
    let mut bytes: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    gltf["buffers"][0]["uri"] = "data/a%20b%2B%C3%A9.bin".into();
    fs::create_dir(work.at("data")).unwrap();
    let side = work.at("data/a b+é.bin");
    fs::write(&side, &bytes).unwrap();
    fs::write(work.at("tiny.gltf"), gltf.to_string()).unwrap();
    work.bake(&["tiny.gltf", "-o", "set", "--encoding", "bone-qt"])
        .ok();
    work.verify(&["set"]).ok();
    bytes[12..16].copy_from_slice(&2.0_f32.to_le_bytes());
    fs::write(&side, bytes).unwrap();
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("has changed"), "{error}");
}

#[test]
fn rejects_a_missing_source() {
    let work = baked();
    fs::remove_file(work.at("tiny.gltf")).unwrap();
    let error = work.verify(&["set"]).failed(3);
    assert!(
        error.contains("cannot read its source set/../tiny.gltf"),
        "{error}"
    );
    assert!(error.contains("--against FILE"), "{error}");
}

#[test]
fn rejects_another_character() {
    let work = baked();
    for other in ["builtin:bar", "builtin:cylinder"] {
        let error = work.verify(&["set", "--against", other]).failed(2);
        assert!(
            error.contains("compare with the source it was baked from"),
            "{error}"
        );
    }
    let error = work.verify(&["set", "--against", "nosuch.glb"]).failed(3);
    assert!(error.contains("nosuch.glb"), "{error}");
}

#[test]
fn finds_the_source_after_both_are_moved() {
    let work = baked();
    fs::create_dir(work.at("elsewhere")).unwrap();
    for name in ["set", "tiny.gltf"] {
        fs::rename(work.at(name), work.at("elsewhere").join(name)).unwrap();
    }
    work.verify(&["elsewhere/set"]).ok();
}

#[test]
fn side_files_with_dots_in_their_names_are_part_of_the_digest() {
    let work = WorkFolder::new();
    let mut gltf: serde_json::Value = serde_json::from_str(&tiny_gltf(&["move"])).unwrap();
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
    gltf["buffers"][0]["uri"] = "b..3.bin".into();
    fs::create_dir(work.at("in")).unwrap();
    fs::write(work.at("in/b..3.bin"), &bytes).unwrap();
    fs::write(work.at("in/tiny.gltf"), gltf.to_string()).unwrap();
    let bake = || {
        work.bake(&["in", "-o", "out", "--encoding", "bone-qt"])
            .ok()
    };
    assert!(bake().contains("1 baked, 0 unchanged"));
    assert!(bake().contains("0 baked, 1 unchanged"));
    bytes[12..16].copy_from_slice(&2.0_f32.to_le_bytes());
    fs::write(work.at("in/b..3.bin"), bytes).unwrap();
    assert!(bake().contains("1 baked, 0 unchanged"));
}

#[test]
fn refuses_to_follow_an_absolute_source_path() {
    let work = baked();
    let absolute = work.at("tiny.gltf").canonicalize().unwrap();
    work.edit_manifest("set", |manifest| {
        manifest["source"]["path"] = absolute.to_str().unwrap().into();
    });
    let error = work.verify(&["set"]).failed(2);
    assert!(error.contains("is an absolute path"), "{error}");
    assert!(error.contains("--against FILE"), "{error}");
}

#[cfg(unix)]
#[test]
fn devices_and_their_uris_do_not_block_a_bake() {
    let work = WorkFolder::new();
    let error = work.bake(&["/dev/zero"]).failed(2);
    assert!(
        error.contains("expected .glb, .gltf, .fbx, .obj or .abc"),
        "{error}"
    );
    std::os::unix::fs::symlink("/dev/zero", work.at("endless.glb")).unwrap();
    for command in [
        &["bake", "endless.glb"][..],
        &["inspect", "endless.glb"],
        &["pose", "endless.glb"],
        &["render", "endless.glb", "-o", "x.png"],
    ] {
        let error = crate::run::run_in(work.path(), command).failed(3);
        assert!(error.contains("is a pipe or a device"), "{error}");
    }
    let mut gltf: serde_json::Value = serde_json::from_str(&tiny_gltf(&["move"])).unwrap();
    gltf["images"] = serde_json::json!([{ "uri": "%2Fdev%2Fzero" }]);
    fs::write(work.at("tiny.gltf"), gltf.to_string()).unwrap();
    work.bake(&["tiny.gltf", "-o", "set", "--encoding", "bone-qt"])
        .ok();
}
