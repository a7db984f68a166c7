//! glTF files match their reference poses (world space, float64, normalised weights) within 1e-5 of the
//! model's size.

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde::Deserialize;
use throng_import::{ImportOptions, import_file};
use throng_rig::{CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{files_below, shared_assets};

/// Maximum error relative to the model's size. Keys, weights and positions are float32 in the files.
const TOLERANCE: f64 = 1e-5;

#[derive(Deserialize)]
struct Reference {
    poses: Vec<Pose>,
}

#[derive(Deserialize)]
struct Pose {
    clip: Option<usize>,
    name: String,
    t: f64,
    prims: Vec<Prim>,
}

#[derive(Deserialize)]
struct Prim {
    node: usize,
    prim: usize,
    n: usize,
    min: DVec3,
    max: DVec3,
    mean: DVec3,
    idx: Vec<usize>,
    pos: Vec<DVec3>,
}

/// Returns the asset of a reference: `khronos_Fox.glb.json` belongs to `gltf/khronos/Fox.glb`.
fn asset_of(assets: &Path, reference: &Path) -> PathBuf {
    let flat = reference.file_stem().unwrap().to_str().unwrap();
    files_below(&assets.join("gltf"), &["glb", "gltf"])
        .into_iter()
        .find(|file| {
            let relative = file.strip_prefix(assets.join("gltf")).unwrap();
            relative.to_str().unwrap().replace('/', "_") == flat
        })
        .unwrap_or_else(|| panic!("no asset for {}", reference.display()))
}

/// Returns the maximum distance from the reference, relative to the model's size.
fn worst(assets: &Path, reference_path: &Path) -> f64 {
    let asset = asset_of(assets, reference_path);
    let json = std::fs::read_to_string(reference_path).unwrap();
    let reference: Reference = serde_json::from_str(&json).unwrap();
    let character = import_file(&asset, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
        .character;
    let mut pose = CharacterPose::rest(&character);
    let mut skinned = Skinned::default();
    let mut worst: f64 = 0.0;
    for expected in &reference.poses {
        match expected.clip {
            Some(clip) => {
                let clip = &character.clips()[clip];
                assert_eq!(clip.name, expected.name);
                pose.sample(&character, clip, expected.t);
            }
            None => pose = CharacterPose::rest(&character),
        }
        let extents = expected.prims.iter().map(|p| (p.min, p.max));
        let (min, max) = extents.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap();
        let size = (max - min).max_element();
        for prim in &expected.prims {
            let part = character
                .parts()
                .iter()
                .find(|part| (part.node, part.primitive) == (prim.node, prim.prim))
                .unwrap_or_else(|| {
                    panic!("no part for node {} primitive {}", prim.node, prim.prim)
                });
            skin_part(&character, part, &pose, Method::Lbs, &mut skinned);
            let found = &skinned.positions;
            assert_eq!(found.len(), prim.n);
            let mut check = |found: DVec3, expected: DVec3| {
                worst = worst.max(found.distance(expected) / size);
            };
            for (&index, &position) in prim.idx.iter().zip(&prim.pos) {
                check(found[index], position);
            }
            check(found.iter().copied().reduce(DVec3::min).unwrap(), prim.min);
            check(found.iter().copied().reduce(DVec3::max).unwrap(), prim.max);
            check(found.iter().sum::<DVec3>() / prim.n as f64, prim.mean);
        }
    }
    worst
}

#[test]
fn matches_every_reference_pose() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let references = files_below(&assets.join("expected_poses"), &["json"]);
    let mut checked = 0;
    let mut failures = Vec::new();
    for reference in &references {
        let name = reference.file_name().unwrap().to_str().unwrap();
        if name.starts_with("fbx_") {
            continue;
        }
        checked += 1;
        let worst = worst(&assets, reference);
        println!("{worst:9.2e} of size  {name}");
        if worst.is_nan() || worst > TOLERANCE {
            failures.push(format!("{name}: {worst:.2e}"));
        }
    }
    assert!(checked >= 30, "only {checked} files");
    assert!(failures.is_empty(), "{failures:#?}");
}
