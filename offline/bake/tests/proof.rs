//! Playbacks of joints, which are compared eight times at once, against the same playbacks vertex by vertex.

mod common;

use common::{Keys, builtin, chain, morphing, source};
use glam::{DQuat, DVec3, Vec3};
use serde_json::Value;
use throng_bake::accuracy::{
    ClipToMeasure, HeatMap, MeasurePlan, Playback, Player, SetPlayback, SourcePlayback, heat_map,
    measure_with_heat, verify, verify_densely,
};
use throng_bake::{BakeSettings, bake, drawing_order};
use throng_format::{Encoding, MeshStorage, Precision, Storage, TextureSet};
use throng_rig::{
    Character, Clip, Influences, Interpolation, LoopPolicy, Mesh, Method, MorphTarget, MorphTrack,
    Skinning,
};

/// Largest relative difference of two numbers of a report.
const ROUNDING: f64 = 1e-9;

/// A playback without joints.
struct VertexByVertex<'a>(&'a dyn Playback);

impl Playback for VertexByVertex<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        self.0.player()
    }
}

/// The mesh as a compact file would store it: positions on a grid, 16-bit weights, 8-bit normals.
fn rounded(mesh: &Mesh, grid_m: f32) -> Mesh {
    let positions = mesh.positions().iter();
    let positions = positions.map(|position| (*position / grid_m).round() * grid_m);
    let weights = (0..mesh.vertex_count()).map(|vertex| {
        let run = mesh.influences().of(vertex);
        run.map(|(joint, weight)| (joint as u32, (weight * 65535.0).round() / 65535.0))
    });
    let influences = Influences::new(weights).unwrap();
    let triangles = mesh.triangles().to_vec();
    let mut out = Mesh::new(positions.collect(), triangles, influences).unwrap();
    let normals = mesh.normals().iter();
    let normals = normals.map(|normal| (*normal * 127.0).round() / 127.0);
    out.set_normals(normals.collect()).unwrap();
    for target in mesh.morph_targets() {
        out.add_morph_target(target.clone()).unwrap();
    }
    out.set_blend_factors(mesh.blend_factors().to_vec()).ok();
    out.authored_method = mesh.authored_method;
    out.share_positions();
    out
}

fn with_meshes(character: &Character, change: impl Fn(&Mesh) -> Mesh) -> Character {
    let mut parts = character.clone().into_parts();
    parts.meshes = parts.meshes.iter().map(change).collect();
    Character::new(parts).unwrap()
}

/// A character whose face moves, normals included.
fn morphing_humanoid() -> Character {
    let mut parts = builtin("humanoid:1000").into_parts();
    let mesh = &mut parts.meshes[0];
    let wave = |scale: f32, position: &Vec3| (*position * 7.0).map(f32::sin) * scale;
    for phase in [0.02, -0.05] {
        let positions = mesh.positions().iter().map(|p| wave(phase, p)).collect();
        // Every third vertex keeps its normal.
        let normals = mesh.positions().iter().enumerate();
        let normals = normals.map(|(vertex, p)| match vertex % 3 {
            0 => Vec3::ZERO,
            _ => wave(10.0 * phase, p),
        });
        let target = MorphTarget {
            name: String::new(),
            positions,
            normals: normals.collect(),
            tangents: vec![],
        };
        mesh.add_morph_target(target).unwrap();
    }
    mesh.share_positions();
    parts.morph_sets = vec![("face".into(), vec![0.25, 0.0])];
    for part in &mut parts.parts {
        part.morph_set = Some(0);
    }
    let clip = &parts.clips[0];
    let times = [clip.start_secs(), clip.end_secs()].into();
    let weights = vec![0.25, 0.0, 0.75, 1.0];
    let track = MorphTrack::new(0, times, weights, 2, Interpolation::Linear).unwrap();
    parts.clips = vec![Clip::new("talk".into(), clip.joints().to_vec(), vec![track]).unwrap()];
    drawing_order(&Character::new(parts).unwrap())
}

/// A chain that is scaled, sheared by its parents' scale, and mirrored.
fn mirrored() -> Character {
    let keys = |scale: DVec3| -> Keys {
        let key = |rotation: f64| (DVec3::Y * 0.5, DQuat::from_rotation_z(rotation), scale);
        [0.0, 0.8, -0.3].map(key).into()
    };
    let scales = [
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::new(2.0, 0.7, 1.0),
        DVec3::ONE,
    ];
    drawing_order(&chain(&[scales.map(keys).into()]))
}

/// Several parts, one of which has another method than the rest.
fn two_methods() -> Character {
    let mut parts = builtin("humanoid:1000").into_parts();
    let mut mesh = parts.meshes[0].clone();
    mesh.authored_method = throng_rig::AuthoredMethod::DualQuaternion;
    let mut part = parts.parts[0].clone();
    part.mesh = parts.meshes.len();
    part.node_name = "twin".into();
    parts.meshes.push(mesh);
    parts.parts.push(part);
    parts.clips.truncate(2);
    Character::new(parts).unwrap()
}

fn set_of(character: &Character, skinning: Skinning) -> TextureSet {
    let settings = BakeSettings {
        encoding: Encoding::BoneMatrix,
        storage: Storage::Frames(Precision::F32),
        skinning,
        ..BakeSettings::default()
    };
    bake(character, &settings, &source(), &()).unwrap().set
}

fn assert_near(a: &Value, b: &Value, path: &str) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            for (key, value) in a {
                assert_near(value, &b[key], &format!("{path}.{key}"));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                assert_near(a, b, &format!("{path}[{index}]"));
            }
        }
        (Value::Number(x), Value::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            assert!(
                (x - y).abs() <= ROUNDING * x.abs().max(y.abs()),
                "{path}: {x}, not {y}"
            );
        }
        _ => assert_eq!(a, b, "{path}"),
    }
}

fn assert_same_heat(a: &HeatMap, b: &HeatMap) {
    assert_eq!(a.metres.len(), b.metres.len());
    for (a, b) in a.metres.iter().zip(&b.metres) {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() <= 1e-6 * a.max(*b), "{a}, not {b}");
        }
    }
}

/// Measures a set against a source in both ways.
fn assert_same_report(name: &str, set: &TextureSet, character: &Character) {
    let manifest = set.manifest();
    let clips: Vec<ClipToMeasure> = (0..character.clips().len())
        .map(|source_clip| ClipToMeasure {
            source_clip,
            looping: manifest.clips[source_clip].looping,
        })
        .collect();
    let all = (0..clips.len()).collect();
    let reference = SourcePlayback::new(character, all, manifest.method);
    let tested = SetPlayback::new(set);
    assert!(reference.posed().is_some() && tested.posed().is_some());
    let plan = MeasurePlan::full(character, &clips);
    let (fast, fast_heat) = measure_with_heat(&reference, &tested, &plan, &());
    let plain = (VertexByVertex(&reference), VertexByVertex(&tested));
    let (slow, slow_heat) = measure_with_heat(&plain.0, &plain.1, &plan, &());
    assert!(slow.errors.overall.max_error_mm > 0.0, "{name}");
    assert_near(
        &serde_json::to_value(&fast).unwrap(),
        &serde_json::to_value(&slow).unwrap(),
        name,
    );
    assert_same_heat(&fast_heat, &slow_heat);
}

/// Characters and methods of every kind.
fn cases() -> Vec<(&'static str, Character, Skinning)> {
    let short = |name: &str| {
        let mut parts = builtin(name).into_parts();
        parts.clips.truncate(2);
        Character::new(parts).unwrap()
    };
    let authored = Skinning::AsAuthored;
    vec![
        ("humanoid", short("humanoid:1000"), authored),
        ("humanoid, DQS", short("humanoid:1000"), Method::Dqs.into()),
        (
            "humanoid, blend",
            short("humanoid:1000"),
            Method::Blend(0.3).into(),
        ),
        ("bar", short("bar"), authored),
        ("graph", short("graph:40"), authored),
        ("box", short("box"), authored),
        ("two methods", two_methods(), authored),
        ("mirrored", mirrored(), authored),
        ("morphing chain", drawing_order(&morphing()), authored),
        ("morphing humanoid", morphing_humanoid(), authored),
    ]
}

#[test]
fn report_equals_that_of_single_vertices() {
    for (name, character, skinning) in cases() {
        assert_same_report(name, &set_of(&character, skinning), &character);
    }
}

/// A set whose stored mesh is rounded has other positions, weights, normals and unique vertices than its source.
#[test]
fn report_of_a_rounded_mesh_equals_that_of_single_vertices() {
    for (name, character, skinning) in cases() {
        // The coarser grid merges positions.
        for grid_m in [1e-4, 2e-2] {
            let stored = with_meshes(&character, |mesh| rounded(mesh, grid_m));
            assert_same_report(name, &set_of(&stored, skinning), &character);
        }
    }
}

/// The seam compares the set with itself, with the set's own mesh.
#[test]
fn seam_of_a_rounded_mesh_is_that_of_the_set() {
    let character = builtin("humanoid:1000");
    let stored = with_meshes(&character, |mesh| rounded(mesh, 1e-3));
    let set = set_of(&stored, Skinning::AsAuthored);
    assert_eq!(set.manifest().clips[0].looping, LoopPolicy::Wrap);
    let seam = |source: &Character| {
        let errors = verify(&set, source, &()).unwrap().error.errors;
        errors.seam_error_mm.unwrap()
    };
    assert!((seam(&character) - seam(&stored)).abs() < 1e-9);
}

/// The bound covers a dense sampling where meshes differ, and is close to it.
#[test]
fn bound_of_a_rounded_mesh_covers_all_times() {
    for (name, character, skinning) in cases() {
        // Dual quaternions are bounded with a wide margin.
        if skinning != Skinning::AsAuthored {
            continue;
        }
        for grid_m in [1e-4, 2e-2] {
            let stored = with_meshes(&character, |mesh| rounded(mesh, grid_m));
            let settings = BakeSettings {
                encoding: Encoding::BoneMatrix,
                storage: Storage::Frames(Precision::F32),
                rate: throng_bake::Rate::Hz(11.0),
                ..BakeSettings::default()
            };
            let set = bake(&stored, &settings, &source(), &()).unwrap().set;
            let errors = verify(&set, &character, &()).unwrap().error.errors.overall;
            let dense = verify_densely(&set, &character, 40, &()).unwrap();
            let (claim, found) = (errors.max_error_mm, dense.max_error_mm);
            // Polynomials are searched in steps.
            assert!(
                found <= 1.001 * claim + 1e-6,
                "{name}: {found} above {claim}"
            );
            assert!(
                claim <= 1.02 * found + 1e-3,
                "{name}: {found} far below {claim}"
            );
        }
    }
}

/// The bound of every method covers a dense sampling, of coarse frames that err by centimetres between them.
#[test]
fn bound_of_every_method_covers_all_times() {
    let mut parts = builtin("humanoid:1000").into_parts();
    parts.clips.truncate(2);
    let character = Character::new(parts).unwrap();
    for method in ["dqs", "blend:auto", "cor", "sclerp", "dqs-bulge-free"] {
        let skinning: Skinning = method.parse().unwrap();
        let character = throng_skin::prepare(character.clone(), skinning, &[]);
        for encoding in [Encoding::BoneQt, Encoding::Vertex] {
            if method == "dqs-bulge-free" && !encoding.is_vertex() {
                continue;
            }
            let settings = BakeSettings {
                encoding,
                storage: Storage::Frames(Precision::F32),
                rate: throng_bake::Rate::Hz(9.0),
                skinning,
                // The bound skips vertices by boxes of joints only where the mesh is that of the source.
                mesh: MeshStorage::Exact,
                ..BakeSettings::default()
            };
            let set = bake(&character, &settings, &source(), &()).unwrap().set;
            let errors = verify(&set, &character, &()).unwrap().error.errors.overall;
            let dense = verify_densely(&set, &character, 40, &()).unwrap();
            let (claim, found) = (errors.max_error_mm, dense.max_error_mm);
            assert!(found > 1.0, "{method}, {encoding}: {found} mm");
            assert!(
                found <= 1.001 * claim,
                "{method}, {encoding}: {found} above {claim}"
            );
            assert!(
                claim <= 1.05 * found,
                "{method}, {encoding}: {found} far below {claim}"
            );
        }
    }
}

#[test]
fn heat_map_reaches_the_bound() {
    let character = builtin("humanoid:1000");
    let stored = with_meshes(&character, |mesh| rounded(mesh, 1e-3));
    let set = set_of(&stored, Skinning::AsAuthored);
    let (report, heat) = heat_map(&set, &SetPlayback::new(&set), &character, &()).unwrap();
    let claim = 1e-3 * report.error.errors.overall.max_error_mm;
    // Steps across the seam are in the heat map, but not in the bound.
    assert!(f64::from(heat.max_m()) >= (1.0 - 1e-6) * claim);
}
