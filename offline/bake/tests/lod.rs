//! Levels of detail: triangles, errors, seams, influences and files.

mod common;

use std::collections::HashSet;

use common::*;
use glam::{DQuat, DVec3, Vec3};
use throng_bake::accuracy::LodReport;
use throng_bake::lod::{LodError, LodWarning, add_levels, auto_ratios, measure_levels};
use throng_bake::{BakeSettings, Preset, bake, drawing_order};
use throng_format::disk::{read, write_folder, write_glb};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Encoding, MeshStorage, PixelError, Precision, TextureSet};
use throng_import::{ImportOptions, import_file};
use throng_rig::{
    Character, Clip, Influences, Interpolation, Mesh, Method, MorphTarget, MorphTrack,
};
use throng_testkit::shared_assets;

fn with_levels(character: &Character, settings: &BakeSettings, ratios: &[f64]) -> TextureSet {
    let set = baked(character, settings);
    add_levels(set, character, ratios, &()).unwrap().set
}

/// Smallest distance of each unique vertex from the level's surface, at a time of the first clip, with the level's
/// influences.
fn distances(set: &TextureSet, character: &Character, level: usize, secs: f64) -> Vec<f64> {
    let source = drawing_order(character);
    let full = skinned(&source, 0, secs);
    let mut parts = source.clone().into_parts();
    for mesh in &mut parts.meshes {
        let count = set.manifest().lods[level].max_influences as usize;
        mesh.set_influences(mesh.influences().heaviest(count))
            .unwrap();
    }
    let coarse = skinned(&Character::new(parts).unwrap(), 0, secs);
    let model = set.model().parts().iter().zip(&coarse);
    let surface: Vec<[DVec3; 3]> = model
        .flat_map(|(part, coarse)| {
            let triangles = set.mesh().lods[level].meshes[part.mesh].iter();
            triangles.map(|t| t.map(|v| coarse.positions[v as usize]))
        })
        .collect();
    let mut out = Vec::new();
    for (part, full) in source.parts().iter().zip(&full) {
        let mesh = source.mesh_of(part);
        let used = mesh.triangles().as_flattened().iter();
        let used: HashSet<u32> = used
            .map(|&v| mesh.unique().position_of()[v as usize])
            .collect();
        for position in used {
            let vertex = mesh.unique().first_of_position()[position as usize];
            let point = full.positions[vertex as usize];
            let nearest = surface.iter().map(|t| distance(point, t));
            out.push(nearest.fold(f64::INFINITY, f64::min));
        }
    }
    out
}

fn skinned(character: &Character, clip: usize, secs: f64) -> Vec<throng_skin::reference::Skinned> {
    let pose = reference_pose(character, clip, secs);
    let part = |part| {
        let mut out = throng_skin::reference::Skinned::default();
        throng_skin::reference::skin_part(character, part, &pose, Method::Lbs, &mut out);
        out
    };
    character.parts().iter().map(part).collect()
}

/// Distance of a point from a triangle, by sampling its barycentric coordinates on a line search per edge and its plane.
fn distance(p: DVec3, [a, b, c]: &[DVec3; 3]) -> f64 {
    let normal = (*b - *a).cross(*c - *a);
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| (**to - **from).cross(p - **from).dot(normal) >= 0.0);
    if inside && normal.length() > 0.0 {
        return (p - *a).dot(normal.normalize()).abs();
    }
    let edge = |from: &DVec3, to: &DVec3| {
        let along = *to - *from;
        let t = (p - *from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        p.distance(*from + along * t.clamp(0.0, 1.0))
    };
    edge(a, b).min(edge(b, c)).min(edge(c, a))
}

#[test]
fn levels_round_trip_in_folders_and_single_files() {
    let character = builtin("humanoid:1000");
    for (encoding, mesh) in [
        (Encoding::BoneQt, MeshStorage::Compact),
        (Encoding::BoneQt, MeshStorage::Exact),
        (Encoding::Vertex, MeshStorage::Compact),
    ] {
        let settings = BakeSettings {
            mesh,
            ..settings_of(encoding, Precision::Unorm16)
        };
        let set = with_levels(&character, &settings, &[1.0, 0.4, 0.1]);
        assert_eq!(set.manifest().lods.len(), 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set");
        write_folder(&set, &path, FileFormat::Ktx2, Supercompression::None, &[]).unwrap();
        let glb = folder.path().join("set.glb");
        write_glb(&set, &glb).unwrap();
        for path in [path, glb] {
            let found = read(&path).unwrap();
            assert_eq!(found.mesh().lods, set.mesh().lods);
            assert_eq!(found.model(), set.model());
            assert_eq!(found.manifest().lods, set.manifest().lods);
        }
    }
}

/// A mesh that one joint turns by a radian in a second.
fn turning(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Character {
    let keys: Keys = [0.0, 1.0]
        .map(|angle| (DVec3::Y * 0.5, DQuat::from_rotation_z(angle), DVec3::ONE))
        .into();
    let mut parts = chain(&[vec![keys]]).into_parts();
    let influences = Influences::rigid(positions.len());
    let mut mesh = Mesh::new(positions, triangles, influences).unwrap();
    mesh.share_positions();
    parts.meshes = vec![mesh];
    Character::new(parts).unwrap()
}

fn grid(side: u32, height: impl Fn(f32, f32) -> Vec3) -> Character {
    let at = |x: u32, y: u32| height(x as f32 / side as f32, y as f32 / side as f32);
    let positions = (0..=side).flat_map(|y| (0..=side).map(move |x| (x, y)));
    let positions = positions.map(|(x, y)| at(x, y)).collect();
    let triangles = (0..side * side).flat_map(|cell| {
        let a = cell / side * (side + 1) + cell % side;
        let [b, c, d] = [a + 1, a + side + 1, a + side + 2];
        [[a, b, d], [a, d, c]]
    });
    turning(positions, triangles.collect())
}

/// Edges without an opposite one, by position.
fn open_edges(mesh: &Mesh, triangles: &[[u32; 3]]) -> usize {
    let key = |v: u32| mesh.positions()[v as usize].to_array().map(f32::to_bits);
    let edges: HashSet<_> = triangles
        .iter()
        .map(|t| t.map(key))
        .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    edges
        .iter()
        .filter(|[a, b]| !edges.contains(&[*b, *a]))
        .count()
}

#[test]
fn flat_grid_has_no_error() {
    let character = grid(16, |x, y| Vec3::new(x, y, 0.0));
    let set = with_levels(&character, &BakeSettings::default(), &[0.5, 0.1, 0.01]);
    assert_eq!(set.manifest().lods.len(), 3);
    for lod in &set.manifest().lods {
        assert!(lod.max_error_of_size < 2e-6, "{lod:?}");
    }
    // A square is left of 512 triangles.
    assert!(set.manifest().lods[2].triangles <= 6);
}

#[test]
fn error_of_a_rigid_sphere_is_its_distance_from_the_level() {
    let point = |x: f32, y: f32| {
        let (sin, cos) = (std::f32::consts::TAU * x).sin_cos();
        let (radius, z) = (std::f32::consts::PI * y).sin_cos();
        Vec3::new(radius * cos, radius * sin, z)
    };
    let character = grid(32, point);
    let set = with_levels(&character, &BakeSettings::default(), &[0.5, 0.2, 0.05]);
    for (level, lod) in set.manifest().lods.iter().enumerate() {
        let expected = distances(&set, &character, level, 0.4);
        let expected = expected.into_iter().fold(0.0, f64::max) / set.manifest().size;
        let found = lod.max_error_of_size;
        assert!(
            found > expected * 0.999 && found < expected * 1.01,
            "level {level}: {found} but {expected}"
        );
    }
}

#[test]
fn no_vertex_is_farther_from_a_level_than_its_error() {
    let character = builtin("humanoid:1000");
    let set = with_levels(&character, &BakeSettings::default(), &[0.5, 0.25, 0.05]);
    let duration = set.manifest().clips[0].duration_secs;
    for (level, lod) in set.manifest().lods.iter().enumerate() {
        let bound = lod.max_error_of_size * set.manifest().size;
        for step in 0..=40 {
            let secs = duration * f64::from(step) / 40.0;
            let most = distances(&set, &character, level, secs);
            let most = most.into_iter().fold(0.0, f64::max);
            assert!(most <= bound, "level {level} at {secs} s: {most} > {bound}");
        }
    }
}

#[test]
fn closed_surface_stays_closed() {
    let character = builtin("humanoid:1000");
    let mesh = &character.meshes()[0];
    assert_eq!(open_edges(mesh, mesh.triangles()), 0);
    let set = with_levels(&character, &BakeSettings::default(), &[0.5, 0.2, 0.06]);
    for lod in &set.mesh().lods {
        assert_eq!(open_edges(mesh, &lod.meshes[0]), 0);
    }
}

#[test]
fn meshes_that_touch_stay_together() {
    let whole = builtin("humanoid:1000");
    let mesh = &whole.meshes()[0];
    let mut parts = whole.clone().into_parts();
    let height = |t: &[u32; 3]| {
        t.iter()
            .map(|&v| mesh.positions()[v as usize].y)
            .sum::<f32>()
    };
    let half = |is_upper: bool| {
        let triangles = mesh
            .triangles()
            .iter()
            .filter(|t| (height(t) > 3.0) == is_upper);
        let all: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
        mesh.select_vertices(&all, triangles.copied().collect())
    };
    parts.meshes = vec![half(true), half(false)];
    parts.parts.push(parts.parts[0].clone());
    parts.parts[1].mesh = 1;
    let character = Character::new(parts).unwrap();
    let set = with_levels(&character, &BakeSettings::default(), &[0.5, 0.2]);
    let ordered = drawing_order(&character);
    let key = |mesh: usize, v: u32| {
        let position = ordered.meshes()[mesh].positions()[v as usize];
        position.to_array().map(f32::to_bits)
    };
    for lod in &set.mesh().lods {
        let meshes = lod.meshes.iter().enumerate();
        let triangles = meshes.flat_map(|(mesh, list)| list.iter().map(move |t| (mesh, *t)));
        let edges: HashSet<_> = triangles
            .map(|(mesh, t)| t.map(|v| key(mesh, v)))
            .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
            .collect();
        let open = edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a]));
        assert_eq!(open.count(), 0);
    }
}

#[test]
fn coarse_levels_have_fewer_influences_and_vertex_sets_have_their_own() {
    let character = builtin("humanoid:1000");
    let ratios = [0.5, 0.3, 0.05];
    let bones = with_levels(&character, &BakeSettings::default(), &ratios);
    let counts = bones.manifest().lods.iter().map(|lod| lod.max_influences);
    let counts: Vec<u32> = counts.collect();
    assert_eq!(counts[0], 4);
    assert!(counts[1] >= 2 && counts[2] < 4, "{counts:?}");
    let settings = settings_of(Encoding::Vertex, Precision::Unorm16);
    let vertices = with_levels(&character, &settings, &ratios);
    for lod in &vertices.manifest().lods {
        assert_eq!(lod.max_influences, 4);
    }
}

#[test]
fn levels_measure_the_same_again_and_a_wrong_error_shows() {
    let character = builtin("humanoid:1000");
    let set = with_levels(&character, &BakeSettings::default(), &[0.4, 0.1]);
    let stored: Vec<f64> = set
        .manifest()
        .lods
        .iter()
        .map(|l| l.max_error_of_size)
        .collect();
    let found = measure_levels(&set, &character, &()).unwrap();
    for (found, stored) in found.iter().zip(&stored) {
        assert!((found / stored - 1.0).abs() < 1e-9, "{found} {stored}");
    }
    // Triangles of the coarse level under the name of the fine one.
    let lods = set.manifest().lods.clone();
    let coarse = set.mesh().lods[1].clone();
    let mut lod = lods[1].clone();
    lod.max_error_of_size = stored[0];
    let wrong = set.with_lods([(lod, coarse)]).unwrap();
    let found = measure_levels(&wrong, &character, &()).unwrap();
    assert!(found[0] > 1.5 * stored[0]);
}

#[test]
fn methods_and_morphs_are_measured() {
    let humanoid = builtin("humanoid:1000");
    let errors = [Method::Lbs, Method::Dqs].map(|method| {
        let settings = BakeSettings {
            skinning: method.into(),
            ..BakeSettings::default()
        };
        let set = with_levels(&humanoid, &settings, &[0.2]);
        set.manifest().lods[0].max_error_of_size
    });
    assert!(errors.iter().all(|error| (1e-4..0.1).contains(error)));
    assert_ne!(errors[0], errors[1]);
    // A morph target that bends a flat grid into a hill is an error of the level without its middle.
    let mut parts = grid(8, |x, y| Vec3::new(x, y, 0.0)).into_parts();
    let mesh = &mut parts.meshes[0];
    let hill = |p: &Vec3| Vec3::Z * (p.x * (1.0 - p.x) * p.y * (1.0 - p.y));
    mesh.add_morph_target(MorphTarget {
        name: "hill".into(),
        positions: mesh.positions().iter().map(hill).collect(),
        normals: vec![],
        tangents: vec![],
    })
    .unwrap();
    mesh.share_positions();
    parts.morph_sets = vec![("face".into(), vec![0.0])];
    parts.parts[0].morph_set = Some(0);
    let weights = vec![0.0, 4.0];
    let times = [2.0, 3.0].into();
    let track = MorphTrack::new(0, times, weights, 1, Interpolation::Linear).unwrap();
    let joints = parts.clips[0].joints().to_vec();
    parts.clips = vec![Clip::new("bend".into(), joints, vec![track]).unwrap()];
    let character = Character::new(parts).unwrap();
    let set = with_levels(&character, &BakeSettings::default(), &[0.05]);
    // The hill is 1/16 · 4 high.
    let error = set.manifest().lods[0].max_error_of_size;
    assert!((0.01..0.25).contains(&error), "{error}");
}

#[test]
fn ratios_that_cannot_be_reached_are_reported() {
    let character = builtin("box");
    let set = baked(&character, &BakeSettings::default());
    let levels = add_levels(set, &character, &[0.9, 0.0001], &()).unwrap();
    assert!(!levels.warnings.is_empty());
    for warning in &levels.warnings {
        let text = warning.to_string();
        match warning {
            LodWarning::Reached { triangles, .. } => {
                assert!(text.contains(&format!("{triangles} of ")), "{text}");
            }
            LodWarning::LeftOut { .. } => assert!(text.contains("is left out"), "{text}"),
        }
    }
    let lods = &levels.set.manifest().lods;
    assert!(
        lods.windows(2)
            .all(|pair| pair[1].triangles < pair[0].triangles)
    );
}

#[test]
fn sets_without_room_for_levels_are_refused() {
    let character = builtin("humanoid:1000");
    for preset in [Preset::P0Matrix8, Preset::P3VirtualBones] {
        let settings = BakeSettings {
            preset: Some(preset),
            clips: vec![0],
            ..BakeSettings::default()
        };
        let set = bake(&character, &settings, &source(), &()).unwrap().set;
        let error = add_levels(set, &character, &[0.5], &()).unwrap_err();
        assert_eq!(error, LodError::Preset);
    }
    let set = baked(&character, &BakeSettings::default());
    let motion = set.without_mesh().unwrap();
    let error = add_levels(motion, &character, &[0.5], &()).unwrap_err();
    assert_eq!(error, LodError::NoMesh);
    let error = add_levels(set.clone(), &character, &[0.5, 0.6], &()).unwrap_err();
    assert!(matches!(error, LodError::Ratio { index: 1, .. }), "{error}");
    let other = builtin("bar");
    let error = add_levels(set, &other, &[0.5], &()).unwrap_err();
    assert!(matches!(error, LodError::Source(_)), "{error}");
}

#[test]
fn reports_state_the_distance_of_half_a_pixel() {
    let character = builtin("humanoid:1000");
    let set = with_levels(&character, &BakeSettings::default(), &[0.3]);
    let [report] = LodReport::of_set(&set, 0.001).try_into().unwrap();
    let lod = &set.manifest().lods[0];
    let error_m = (lod.max_error_of_size + 0.001) * set.manifest().size;
    let expected = PixelError::default().distance_m(error_m);
    assert!((report.from_distance_m / expected - 1.0).abs() < 1e-12);
    assert_eq!(report.triangles, lod.triangles);
    let used: HashSet<u32> = set.mesh().lods[0].meshes[0]
        .as_flattened()
        .iter()
        .copied()
        .collect();
    assert_eq!(report.vertices, used.len());
}

#[test]
fn levels_of_assets_bound_their_distance() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for name in [
        "gltf/khronos/Fox.glb",
        "gltf/kaykit/Knight.glb",
        "gltf/khronos/RiggedFigure.glb",
        "gltf/khronos/AnimatedMorphCube.glb",
    ] {
        let imported = import_file(&assets.join(name), &ImportOptions::default()).unwrap();
        let character = drawing_order(&imported.character);
        let settings = BakeSettings {
            clips: vec![0],
            ..settings_of(Encoding::BoneMatrix, Precision::F32)
        };
        let set = with_levels(&character, &settings, &[0.5, 0.2]);
        let duration = set.manifest().clips[0].duration_secs;
        for (level, lod) in set.manifest().lods.iter().enumerate() {
            let bound = lod.max_error_of_size * set.manifest().size;
            for step in 0..=2 {
                let secs = duration * f64::from(step) / 2.0;
                let most = distances(&set, &character, level, secs);
                let most = most.into_iter().fold(0.0, f64::max);
                assert!(
                    most <= bound * 1.000_001,
                    "{name}, level {level}: {most} > {bound}"
                );
            }
        }
    }
}

#[test]
fn automatic_ratios_make_levels() {
    let character = builtin("humanoid:1000");
    let ratios = auto_ratios(&character);
    let set = with_levels(&character, &BakeSettings::default(), &ratios);
    assert_eq!(set.manifest().lods.len(), ratios.len());
}
