//! Models pass the Khronos glTF validator.

use std::process::Command;

use serde_json::json;
use throng_format::{Extension, MeshStorage};
use throng_testkit::{path_or_skip, workspace_root};

use crate::bone_colors::bone_colors;
use crate::compact::{decompressed, rounded_model};
use crate::everything::everything;
use crate::files::{for_every_character, written, written_compact, written_with};
use crate::lods::{half_levels, with_levels};
use crate::second_uvs::second_uvs;

#[test]
fn khronos_validator_accepts_every_model() {
    let tool = workspace_root().join("tools/gltf-validate");
    let what = "gltf-validator (npm ci in tools/gltf-validate)";
    if path_or_skip(tool.join("node_modules"), what).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| {
        let name = name.replace(['/', ':'], "_");
        let path = folder.path().join(format!("{:03} {name}.glb", paths.len()));
        std::fs::write(&path, bytes).unwrap();
        paths.push(path);
    };
    for_every_character(|name, character| {
        add(name, &written(&character, None));
        let compact = written_compact(&character);
        add(&format!("{name} compact"), &compact);
        // The validator does not decompress: it sees the arrays of a file without compression.
        add(&format!("{name} decompressed"), &decompressed(&compact));
    });
    let rounded = rounded_model();
    add("quantised", &rounded);
    add("quantised, decompressed", &decompressed(&rounded));
    let extension = Extension {
        name: "THRONG_animation_textures",
        json: json!({ "frames": 7 }),
        blobs: vec![&[1; 7], &[2; 4]],
    };
    add("extension", &written(&everything(), Some(extension)));
    let (character, extras) = (everything(), second_uvs(&everything()));
    add("second uvs", &written_with(&character, extras));
    let (character, extras) = (everything(), bone_colors(&everything()));
    add("bone colours", &written_with(&character, extras));
    let lods = half_levels(&character);
    add(
        "levels",
        &with_levels(&character, &lods, MeshStorage::Exact),
    );
    let compact = with_levels(&character, &lods, MeshStorage::Compact);
    add("compact levels", &compact);
    add("compact levels, decompressed", &decompressed(&compact));
    // One process for all files, since it starts slowly.
    let mut validator = Command::new("node");
    validator.arg(tool.join("validate.mjs")).args(&paths);
    let output = validator.output().expect("node starts");
    let report = String::from_utf8_lossy(&output.stdout);
    let clean = report.matches(": 0 errors, 0 warnings\n").count();
    println!(
        "{clean} of {} files without errors or warnings",
        paths.len()
    );
    assert_eq!(clean, paths.len(), "{report}");
}
