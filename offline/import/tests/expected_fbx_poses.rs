//! FBX files match their reference poses within 1e-4 of the model's size, with skinning as authored. The
//! references are scenes evaluated by `ufbx`, and meshes exported by authoring tools.

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde::Deserialize;
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, CharacterPose, Clip, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{files_below, shared_assets};

/// Maximum error relative to the model's size. Curves are sampled to 1e-5 per joint, and errors add up along
/// a chain.
const TOLERANCE: f64 = 1e-4;

#[derive(Deserialize)]
struct Reference {
    unit_meters: f64,
    up: String,
    poses: Vec<Pose>,
}

#[derive(Deserialize)]
struct Pose {
    clip: Option<usize>,
    name: String,
    t: f64,
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Mesh {
    node: String,
    n: usize,
    min: DVec3,
    max: DVec3,
    idx: Vec<usize>,
    pos: Vec<DVec3>,
}

/// Converts from the units and axes of a file to metres and Y-up.
fn convert(up: &str, unit_meters: f64) -> impl Fn(DVec3) -> DVec3 {
    let z_up = up == "PositiveZ";
    move |p| {
        let p = if z_up { DVec3::new(p.x, p.z, -p.y) } else { p };
        p * unit_meters
    }
}

/// Returns the posed control points of all parts of a node.
fn control_points(character: &Character, node: &str, pose: &CharacterPose) -> Vec<DVec3> {
    let mut points = Vec::new();
    let mut skinned = Skinned::default();
    for part in character.parts().iter().filter(|p| p.node_name == node) {
        skin_part(character, part, pose, Skinning::AsAuthored, &mut skinned);
        let source = character.mesh_of(part).control_points().unwrap();
        points.resize(source.count, DVec3::NAN);
        for (&point, &position) in source.of_vertex.iter().zip(&skinned.positions) {
            points[point as usize] = position;
        }
    }
    assert!(points.iter().all(|p| p.is_finite()), "every point is posed");
    points
}

fn worst(asset: &Path, reference: &Reference) -> f64 {
    let character = import_file(asset, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
        .character;
    let convert = convert(&reference.up, reference.unit_meters);
    let mut pose = CharacterPose::rest(&character);
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
        let extents = expected.meshes.iter().map(|m| (m.min, m.max));
        let (min, max) = extents.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap();
        let size = (max - min).max_element() * reference.unit_meters;
        for mesh in &expected.meshes {
            let found = control_points(&character, &mesh.node, &pose);
            assert_eq!(found.len(), mesh.n, "{}", mesh.node);
            for (&index, &position) in mesh.idx.iter().zip(&mesh.pos) {
                worst = worst.max(found[index].distance(convert(position)) / size);
            }
        }
    }
    worst
}

fn check(failures: &mut Vec<String>, name: &str, worst: f64) {
    println!("{worst:9.2e} of size  {name}");
    if worst.is_nan() || worst > TOLERANCE {
        failures.push(format!("{name}: {worst:.2e}"));
    }
}

#[test]
fn matches_every_reference_pose() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let files = files_below(&assets.join("fbx"), &["fbx"]);
    let flat = |file: &PathBuf| {
        let relative = file.strip_prefix(&assets).unwrap();
        relative.to_str().unwrap().replace('/', "_")
    };
    let mut failures = Vec::new();
    let mut checked = 0;
    for path in files_below(&assets.join("expected_poses"), &["json"]) {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if !stem.starts_with("fbx_") {
            continue;
        }
        let asset = files.iter().find(|file| flat(file) == stem).unwrap();
        let json = std::fs::read_to_string(&path).unwrap();
        let reference: Reference = serde_json::from_str(&json).unwrap();
        check(&mut failures, stem, worst(asset, &reference));
        checked += 1;
    }
    assert!(checked >= 22, "only {checked} files");
    assert!(failures.is_empty(), "{failures:#?}");
}

/// OBJ, FBX, clip (`""` is the first, `none` the rest pose), seconds.
const EXPORTED: [(&str, &str, &str, f64); 30] = [
    (
        "blender_279_sausage_base_0",
        "blender_279_sausage_7400_binary",
        "Base",
        0.0 / 24.0,
    ),
    (
        "blender_279_sausage_spin_15",
        "blender_279_sausage_7400_binary",
        "Spin",
        15.0 / 24.0,
    ),
    (
        "blender_279_sausage_wiggle_20",
        "blender_279_sausage_7400_binary",
        "Wiggle",
        20.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_10",
        "maya_game_sausage_6100_binary_combined",
        "wiggle",
        10.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_10",
        "maya_game_sausage_7500_ascii_wiggle",
        "",
        10.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_10",
        "maya_game_sausage_7500_binary_combined",
        "wiggle",
        10.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_10",
        "maya_game_sausage_7500_binary_wiggle",
        "",
        10.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_18",
        "maya_game_sausage_6100_binary_combined",
        "wiggle",
        18.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_18",
        "maya_game_sausage_7500_ascii_wiggle",
        "",
        18.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_18",
        "maya_game_sausage_7500_binary_combined",
        "wiggle",
        18.0 / 24.0,
    ),
    (
        "maya_game_sausage_wiggle_18",
        "maya_game_sausage_7500_binary_wiggle",
        "",
        18.0 / 24.0,
    ),
    (
        "maya_game_sausage_spin_7",
        "maya_game_sausage_6100_binary_combined",
        "spin",
        27.0 / 24.0,
    ),
    (
        "maya_game_sausage_spin_7",
        "maya_game_sausage_7500_binary_combined",
        "spin",
        27.0 / 24.0,
    ),
    (
        "maya_game_sausage_spin_15",
        "maya_game_sausage_6100_binary_combined",
        "spin",
        35.0 / 24.0,
    ),
    (
        "maya_game_sausage_spin_15",
        "maya_game_sausage_7500_binary_combined",
        "spin",
        35.0 / 24.0,
    ),
    (
        "maya_game_sausage_deform_8",
        "maya_game_sausage_6100_binary_combined",
        "deform",
        48.0 / 24.0,
    ),
    (
        "maya_game_sausage_deform_8",
        "maya_game_sausage_7500_binary_combined",
        "deform",
        48.0 / 24.0,
    ),
    (
        "maya_game_sausage_deform_15",
        "maya_game_sausage_6100_binary_combined",
        "deform",
        55.0 / 24.0,
    ),
    (
        "maya_game_sausage_deform_15",
        "maya_game_sausage_7500_binary_combined",
        "deform",
        55.0 / 24.0,
    ),
    ("max7_skin_5", "max7_skin_5000_binary", "", 5.0 / 30.0),
    ("max7_skin_15", "max7_skin_5000_binary", "", 15.0 / 30.0),
    (
        "max_transformed_skin_5",
        "max_transformed_skin_6100_ascii",
        "",
        5.0 / 30.0,
    ),
    (
        "max_transformed_skin_15",
        "max_transformed_skin_6100_ascii",
        "",
        15.0 / 30.0,
    ),
    (
        "maya_dual_quaternion",
        "maya_dual_quaternion_7500_ascii",
        "",
        0.0 / 24.0,
    ),
    (
        "blender_293_half_skinned",
        "blender_293_half_skinned_7400_binary",
        "none",
        0.0 / 24.0,
    ),
    (
        "maya_kenney_character_4",
        "maya_kenney_character_7700_binary",
        "",
        4.0 / 24.0,
    ),
    (
        "maya_kenney_character_9",
        "maya_kenney_character_7700_binary",
        "",
        9.0 / 24.0,
    ),
    (
        "maya_blend_inbetween_1",
        "maya_blend_inbetween_7500_binary",
        "",
        1.0 / 24.0,
    ),
    (
        "maya_blend_inbetween_30",
        "maya_blend_inbetween_7500_binary",
        "",
        30.0 / 24.0,
    ),
    (
        "maya_blend_inbetween_60",
        "maya_blend_inbetween_7500_binary",
        "",
        60.0 / 24.0,
    ),
];

fn obj_vertices(path: &Path) -> Vec<DVec3> {
    let text = std::fs::read_to_string(path).unwrap();
    let vertices = text.lines().filter_map(|line| line.strip_prefix("v "));
    vertices
        .map(|line| {
            let mut numbers = line.split_whitespace().map(|n| n.parse::<f64>().unwrap());
            DVec3::from_array(std::array::from_fn(|_| numbers.next().unwrap()))
        })
        .collect()
}

fn find_clip<'c>(character: &'c Character, name: &str) -> Option<&'c Clip> {
    let mut clips = character.clips().iter();
    match name {
        "none" => None,
        "" => clips.next(),
        _ => clips.find(|clip| clip.name.ends_with(name)),
    }
}

#[test]
fn matches_meshes_exported_by_authoring_tools() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let folder = assets.join("fbx/ufbx");
    let mut failures = Vec::new();
    for (obj, fbx, clip, time_secs) in EXPORTED {
        let vertices = obj_vertices(&folder.join(format!("{obj}.obj")));
        let import = import_file(
            &folder.join(format!("{fbx}.fbx")),
            &ImportOptions::default(),
        );
        let character = import.unwrap_or_else(|error| panic!("{error}")).character;
        let mut pose = CharacterPose::rest(&character);
        if let Some(clip) = find_clip(&character, clip) {
            pose.sample(&character, clip, time_secs);
        }
        let mut nodes: Vec<&str> = character.parts().iter().map(|p| &*p.node_name).collect();
        nodes.dedup();
        let found: Vec<DVec3> = nodes
            .into_iter()
            .flat_map(|node| control_points(&character, node, &pose))
            .collect();
        // OBJ files are in the units and axes of the FBX file.
        let up = if fbx.starts_with("max_transformed") {
            "PositiveZ"
        } else {
            "PositiveY"
        };
        let unit = if fbx.starts_with("blender") {
            1.0
        } else {
            0.01
        };
        let convert = convert(up, unit);
        let expected: Vec<DVec3> = vertices.into_iter().map(convert).collect();
        let (min, max) = expected
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), &p| {
                (a.min(p), b.max(p))
            });
        let size = (max - min).max_element();
        let nearest = |p: &DVec3| {
            found
                .iter()
                .map(|f| f.distance(*p))
                .min_by(f64::total_cmp)
                .unwrap()
        };
        let worst = expected.iter().map(nearest).fold(0.0, f64::max) / size;
        check(&mut failures, &format!("{obj} from {fbx}"), worst);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
