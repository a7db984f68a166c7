//! `throng pose` against some reference poses; tests of `throng-import` check all of them.

use std::path::Path;

use glam::DVec3;
use serde::Deserialize;
use throng_testkit::shared_assets;

use crate::run::run;

/// As a fraction of the model's size. Keys, weights and positions are float32 in the files.
const TOLERANCE: f64 = 1e-5;

/// Files and their references.
const FILES: [(&str, &str); 7] = [
    ("khronos/Fox.glb", "khronos_Fox.glb.json"),
    ("khronos/RiggedFigure.glb", "khronos_RiggedFigure.glb.json"),
    (
        "khronos/SimpleSkin/SimpleSkin.gltf",
        "khronos_SimpleSkin_SimpleSkin.gltf.json",
    ),
    ("kaykit/Knight.glb", "kaykit_Knight.glb.json"),
    (
        "crafted_valid/cubicspline_trs_skin.glb",
        "crafted_valid_cubicspline_trs_skin.glb.json",
    ),
    (
        "crafted_valid/clip_names_hostile.glb",
        "crafted_valid_clip_names_hostile.glb.json",
    ),
    (
        "crafted_valid/shear_nonuniform_scale.glb",
        "crafted_valid_shear_nonuniform_scale.glb.json",
    ),
];

#[derive(Deserialize)]
struct Reference {
    poses: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    clip: Option<usize>,
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
    idx: Vec<usize>,
    pos: Vec<DVec3>,
}

/// Output of `throng pose -o out.json`.
#[derive(Deserialize)]
struct Posed {
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Mesh {
    node: usize,
    primitive: usize,
    positions: Vec<DVec3>,
}

fn read<T: for<'d> Deserialize<'d>>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the largest distance from the reference, as a fraction of the model's size.
fn worst(posed: &Posed, expected: &Expected) -> f64 {
    let boxes = expected.prims.iter().map(|prim| (prim.min, prim.max));
    let (min, max) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap();
    let size = (max - min).max_element();
    let mut worst: f64 = 0.0;
    for prim in &expected.prims {
        let mut meshes = posed.meshes.iter();
        let mesh = meshes
            .find(|mesh| (mesh.node, mesh.primitive) == (prim.node, prim.prim))
            .unwrap();
        assert_eq!(mesh.positions.len(), prim.n);
        for (&index, &position) in prim.idx.iter().zip(&prim.pos) {
            worst = worst.max(mesh.positions[index].distance(position) / size);
        }
    }
    worst
}

#[test]
fn poses_match_the_references() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.json");
    let mut checked = 0;
    for (file, reference) in FILES {
        let source = assets.join("gltf").join(file);
        let reference: Reference = read(&assets.join("expected_poses").join(reference));
        for expected in &reference.poses {
            let clip = expected.clip.map_or("none".into(), |clip| clip.to_string());
            let time = expected.t.to_string();
            let mut args = vec!["pose", source.to_str().unwrap(), "--clip", &clip];
            if expected.clip.is_some() {
                args.extend(["--time", &time]);
            }
            args.extend(["-o", output.to_str().unwrap()]);
            run(args).ok();
            let worst = worst(&read(&output), expected);
            assert!(
                worst <= TOLERANCE,
                "{file}, clip {clip} at {time} s: {worst}"
            );
            checked += 1;
        }
    }
    println!("{checked} poses of {} files", FILES.len());
}
