//! FBX: control points, the authored method, malformed files.

use std::path::{Path, PathBuf};

use serde_json::Value;
use throng_testkit::{files_below, shared_assets};

use crate::run::run;

fn posed(file: &Path, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.json");
    let mut args: Vec<PathBuf> = vec!["pose".into(), file.into(), "-o".into(), out.clone()];
    args.extend(more.iter().map(PathBuf::from));
    run(args).ok();
    serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap()
}

#[test]
fn writes_every_control_point_once() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for (file, node, points) in [
        ("fbx/quaternius/Zombie.fbx", "Zombie_Cylinder", 1054),
        ("fbx/quaternius/Bat.fbx", "Bat", 403),
        (
            "fbx/ufbx/blender_293_half_skinned_7400_binary.fbx",
            "Plane",
            4,
        ),
    ] {
        let json = posed(&assets.join(file), &[]);
        let meshes = json["meshes"].as_array().unwrap();
        let mut named = meshes.iter().filter(|mesh| mesh["node_name"] == node);
        let mesh = named.next().unwrap();
        assert_eq!(named.next(), None, "{file}: one object per node");
        assert_eq!(
            mesh["positions"].as_array().unwrap().len(),
            points,
            "{file}"
        );
        assert_eq!(mesh["normals"].as_array().unwrap().len(), points, "{file}");
    }
}

#[test]
fn default_method_is_as_authored() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let file = assets.join("fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx");
    let authored = posed(&file, &[]);
    assert_eq!(authored, posed(&file, &["--method", "dqs"]));
    assert_ne!(authored, posed(&file, &["--method", "lbs"]));
    let text = run([Path::new("inspect"), &file]).ok();
    assert!(text.contains("skinning   dual quaternion"), "{text}");
}

#[test]
fn malformed_file_is_one_line_of_error_or_a_valid_character() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let mut rejected = 0;
    for file in files_below(&assets.join("malformed"), &["fbx"]) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.json");
        let ended = run([Path::new("pose"), &file, Path::new("-o"), &out]);
        if ended.code == Some(0) {
            let json: Value = serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
            assert!(json["meshes"].is_array());
        } else {
            let name = file.file_name().unwrap().to_str().unwrap();
            let line = ended.failed(3);
            assert!(line.contains(name), "{line}");
            assert!(!out.exists());
            rejected += 1;
        }
    }
    assert!(rejected >= 10, "only {rejected} files were rejected");
}

#[test]
fn does_not_overwrite_the_source_by_its_pose() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bar.glb");
    run([
        Path::new("pose"),
        Path::new("builtin:bar"),
        Path::new("-o"),
        &file,
    ])
    .ok();
    let before = std::fs::read(&file).unwrap();
    let line = run([Path::new("pose"), &file, Path::new("-o"), &file]).failed(2);
    assert!(line.contains("choose another name"), "{line}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
