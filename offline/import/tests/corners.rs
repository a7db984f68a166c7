//! Vertices per corner of every face, as renderers have them that support flat shading without shared positions.

mod common;

use std::path::Path;

use common::Glb;
use glam::DVec3;
use serde_json::json;
use throng_import::{ErrorKind, ImportOptions, PositionSharing, import};
use throng_rig::{Character, CharacterPose, Mesh, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{files_below, shared_assets};

const CORNERS: ImportOptions = ImportOptions {
    max_influences: None,
    min_weight: 0.0,
    positions: PositionSharing::Corners,
    leaves: throng_import::LeafPolicy::Add,
};

/// Imports a source with shared positions and with a vertex per corner.
fn both(source: &str) -> [Character; 2] {
    [ImportOptions::default(), CORNERS].map(|options| {
        let import = import(source, &options);
        import.unwrap_or_else(|error| panic!("{error}")).character
    })
}

fn sum(character: &Character, count: fn(&Mesh) -> usize) -> usize {
    character.meshes().iter().map(count).sum()
}

/// Asserts the numbers of unique positions of the source and of corners.
fn assert_counts(source: &str, positions: usize, corners: usize) {
    let [shared, split] = both(source);
    let unique = |mesh: &Mesh| mesh.unique().position_count();
    assert_eq!(sum(&shared, unique), positions, "{source}");
    assert_eq!(sum(&split, Mesh::vertex_count), corners, "{source}");
    assert_eq!(sum(&split, unique), corners, "{source}");
    assert_same_surface(source, &shared, &split);
}

/// Returns positions and normals of the corners of all triangles, in the middle of the first clip.
fn posed_corners(character: &Character) -> Vec<[DVec3; 2]> {
    let mut pose = CharacterPose::rest(character);
    if let Some(clip) = character.clips().first() {
        pose.sample(character, clip, 0.5 * (clip.start_secs() + clip.end_secs()));
    }
    let mut skinned = Skinned::default();
    let mut corners = Vec::new();
    for part in character.parts() {
        skin_part(character, part, &pose, Skinning::AsAuthored, &mut skinned);
        let triangles = character.meshes()[part.mesh].triangles().as_flattened();
        let corner = |&v: &u32| [&skinned.positions, &skinned.normals].map(|of| of[v as usize]);
        corners.extend(triangles.iter().map(corner));
    }
    corners
}

/// Asserts that every corner of every triangle is in the same place, to the bit.
fn assert_same_surface(source: &str, shared: &Character, split: &Character) {
    assert!(posed_corners(shared) == posed_corners(split), "{source}");
}

#[test]
fn polygons_of_fbx_files_keep_their_corners() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let folder = assets.join("fbx/ufbx");
    for name in [
        "maya_dual_quaternion_7500_ascii.fbx",
        "maya_game_sausage_7500_ascii_wiggle.fbx",
    ] {
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let numbers_of = |list: &str| -> usize {
            let (_, after) = text.split_once(&format!("\t{list}: *")).unwrap();
            after.split(' ').next().unwrap().parse().unwrap()
        };
        let points = numbers_of("Vertices") / 3;
        let corners = numbers_of("PolygonVertexIndex");
        assert_counts(path.to_str().unwrap(), points, corners);
    }
}

#[test]
fn polygons_of_built_in_characters_keep_their_corners() {
    // The paper has 312 vertices and 62 positions of the box: 5.03 times fewer.
    assert_counts("builtin:box", 62, 312);
    // 32 × 48 quads and two caps of 32 corners; a plain box has six quads.
    assert_counts("builtin:cylinder", 32 * 49, 32 * 48 * 4 + 2 * 32);
    assert_counts("builtin:bar:24", 8, 24);
}

#[test]
fn triangles_of_gltf_files_have_vertices_of_their_own() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let is_small = |path: &Path| path.metadata().is_ok_and(|data| data.len() < 1 << 21);
    let files = files_below(&assets.join("gltf"), &["glb", "gltf"]).into_iter();
    let mut checked = 0;
    for path in files.filter(|path| is_small(path)) {
        let source = path.to_str().unwrap();
        if import(source, &ImportOptions::default()).is_err() {
            continue;
        }
        let [shared, split] = both(source);
        for (mesh, before) in split.meshes().iter().zip(shared.meshes()) {
            let corners = mesh.triangles().as_flattened();
            assert!(
                corners.iter().copied().eq(0..corners.len() as u32),
                "{source}"
            );
            let mut used = before.triangles().as_flattened().to_vec();
            used.sort_unstable();
            used.dedup();
            let unused = before.vertex_count() - used.len();
            assert_eq!(mesh.vertex_count(), corners.len() + unused, "{source}");
            assert_eq!(mesh.unique().position_count(), mesh.vertex_count());
            assert_eq!(mesh.tangents().is_empty(), before.tangents().is_empty());
            assert_eq!(mesh.morph_targets().len(), before.morph_targets().len());
        }
        assert_same_surface(source, &shared, &split);
        checked += 1;
    }
    assert!(checked > 50, "{checked} files");
}

#[test]
fn corners_of_a_small_file_with_many_morph_targets_are_refused() {
    let mut glb = Glb::new();
    let position = glb.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let indices = glb.shorts(&[[0_u16]; 300_000]);
    glb.mesh(json!({
        "attributes": {"POSITION": position},
        "indices": indices,
        "targets": vec![json!({"POSITION": position}); 60],
    }));
    glb.node(json!({"mesh": 0}));
    assert!(glb.try_import(&ImportOptions::default()).is_ok());
    let error = glb.try_import(&CORNERS).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(error.to_string().contains("mesh 0 primitive 0"), "{error}");
}
