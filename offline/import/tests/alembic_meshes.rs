//! Meshes of Alembic files that the tests write: normals, and data that is ignored and reported.

mod common;

use std::fs;

use common::{AbcFile, Array, Object, POLY_MESH, Pod, XFORM, floats};
use glam::Vec3;
use throng_import::{
    CacheFile, ErrorKind, Import, ImportError, ImportOptions, Warning, import_bytes,
    import_motion_bytes, import_with_caches,
};
use throng_rig::CacheCursor;

/// Two quads that share an edge.
const COUNTS: [i32; 2] = [4, 4];
const INDICES: [i32; 8] = [3, 2, 1, 0, 2, 5, 4, 1];

const UP: [f32; 3] = [0.0, 0.0, 1.0];
const LEFT: [f32; 3] = [-0.8, 0.0, 0.6];

fn read(bytes: &[u8]) -> Result<Import, ImportError> {
    import_bytes("test.abc", bytes, None, &ImportOptions::default())
}

/// Points of a frame: the second quad rises.
fn points(frame: usize) -> Vec<[f32; 3]> {
    let z = 0.1 * frame as f32;
    let (low, high) = ([0.0, 1.0], [2.0, z]);
    vec![
        [low[0], 0.0, 0.0],
        [low[1], 0.0, 0.0],
        [low[1], 1.0, 0.0],
        [low[0], 1.0, 0.0],
        [high[0], 0.0, high[1]],
        [high[0], 1.0, high[1]],
    ]
}

/// A file of one mesh with normals of a scope in each frame.
fn with_normals(scope: &str, normals: &[Vec<[f32; 3]>]) -> Vec<u8> {
    let mut file = AbcFile::default();
    let points: Vec<_> = (0..normals.len()).map(points).collect();
    let normals = file.normals(scope, 1, normals);
    let geometry = file.geometry(&points, &COUNTS, &INDICES, &[normals]);
    let mesh = file.object("mesh", POLY_MESH, &[geometry], &[]);
    file.finish(&[mesh])
}

/// Asserts that vertices of the first quad have the first normal in a frame, and those of the second the second.
#[track_caller]
fn assert_normals(import: &Import, frame: usize, expected: [[f32; 3]; 2]) {
    let mesh = &import.character.meshes()[0];
    let cache = mesh.vertex_cache().expect("a cache");
    let mut cursor = CacheCursor::default();
    cursor.seek_with_normals(cache, frame as f64);
    for (index, triangle) in mesh.triangles().iter().enumerate() {
        for &vertex in triangle {
            let found = cursor.normal(mesh, cache, vertex as usize).as_vec3();
            let expected = Vec3::from(expected[index / 2]);
            assert!(found.abs_diff_eq(expected, 1e-6), "{frame}: {found}");
        }
    }
}

#[test]
fn normals_per_face_that_differ_later_split_vertices() {
    let import = read(&with_normals("uni", &[vec![UP, UP], vec![UP, LEFT]])).unwrap();
    assert_eq!(import.warnings, []);
    assert_eq!(import.character.meshes()[0].vertex_count(), 8);
    assert_normals(&import, 0, [UP, UP]);
    assert_normals(&import, 1, [UP, LEFT]);
}

#[test]
fn normals_per_corner_that_differ_in_one_frame_of_many_split_vertices() {
    let frames = 40;
    for differing in [1, 13, 38, 39] {
        let normals: Vec<Vec<[f32; 3]>> = (0..frames)
            .map(|frame| {
                let second = if frame == differing { LEFT } else { UP };
                [[UP; 4], [second; 4]].concat()
            })
            .collect();
        let import = read(&with_normals("fvr", &normals)).unwrap();
        assert_eq!(import.character.meshes()[0].vertex_count(), 8);
        assert_normals(&import, differing, [UP, LEFT]);
        assert_normals(&import, 20, [UP, UP]);
    }
    let same = vec![vec![UP; 8]; frames];
    let import = read(&with_normals("fvr", &same)).unwrap();
    assert_eq!(import.character.meshes()[0].vertex_count(), 6);
}

/// A scalar property `visible` with these samples.
fn visible(samples: &[i8]) -> (Array<'static>, Vec<Vec<u8>>) {
    let array = Array {
        name: "visible",
        metadata: "",
        pod: Pod::I8,
        extent: 1,
        sampling: 1,
    };
    (
        array,
        samples.iter().map(|s| s.to_le_bytes().to_vec()).collect(),
    )
}

#[test]
fn hidden_meshes_are_reported_once_with_their_number() {
    let mut file = AbcFile::default();
    let normals = file.normals("con", 0, &[vec![UP]]);
    let geometry = file.geometry(&[points(0)], &COUNTS, &INDICES, &[normals]);
    let mut mesh = |name: &str, samples: &[i8]| {
        let mut properties = vec![geometry.clone()];
        if !samples.is_empty() {
            let (array, samples) = visible(samples);
            properties.push(file.scalar(&array, &samples));
        }
        file.object(name, POLY_MESH, &properties, &[])
    };
    let meshes = [
        mesh("hidden", &[0]),
        mesh("blinking", &[1, 0]),
        mesh("shown", &[1]),
        mesh("deferred", &[-1]),
        mesh("plain", &[]),
    ];
    let below = [mesh("below", &[]), mesh("below_shown", &[1])];
    let (array, samples) = visible(&[0]);
    let property = file.scalar(&array, &samples);
    let folder = file.object("folder", XFORM, &[property], &below);
    let objects: Vec<Object> = meshes.into_iter().chain([folder]).collect();
    let import = read(&file.finish(&objects)).unwrap();
    assert_eq!(import.character.parts().len(), 7);
    let text: Vec<String> = import.warnings.iter().map(Warning::to_string).collect();
    let expected = "object '/hidden', object '/blinking', object '/folder/below': hidden, always or at times; drawn in \
                    every frame";
    assert_eq!(text, [expected]);
}

#[test]
fn colours_and_further_texture_coordinates_are_reported_once_per_kind() {
    let mut file = AbcFile::default();
    let mut attribute = |name, interpretation: &str, extent: u8| {
        let metadata = format!(
            "geoScope=vtx;interpretation={interpretation};isGeomParam=true;podExtent={extent};podName=float32_t"
        );
        let array = Array {
            name,
            metadata: &metadata,
            pod: Pod::F32,
            extent,
            sampling: 0,
        };
        file.array(&array, &[vec![0; 6 * 4 * usize::from(extent)]])
    };
    let attributes = [
        attribute("Cd", "rgba", 4),
        attribute("Cs", "rgb", 3),
        attribute("uv2", "vector", 2),
        attribute("rest", "point", 3),
    ];
    let attributes = file.compound(".arbGeomParams", "", &attributes);
    let normals = file.normals("con", 0, &[vec![UP]]);
    let geometry = file.geometry(&[points(0)], &COUNTS, &INDICES, &[normals, attributes]);
    let geometry = [geometry];
    let meshes = ["a", "b"].map(|name| file.object(name, POLY_MESH, &geometry, &[]));
    let import = read(&file.finish(&meshes)).unwrap();
    let text: Vec<String> = import.warnings.iter().map(Warning::to_string).collect();
    let expected = [
        "object '/a', object '/b': ignored 4 colour attributes",
        "object '/a', object '/b': ignored 2 further sets of texture coordinates",
    ];
    assert_eq!(text, expected);
}

#[test]
fn motion_reports_the_caches_that_it_drops() {
    let import = |bytes: &[u8]| {
        import_motion_bytes("test.abc", bytes, None, &ImportOptions::default()).unwrap()
    };
    let motion = import(include_bytes!("uniform.abc"));
    assert_eq!(motion.warnings, [Warning::MorphTracksDropped { tracks: 1 }]);
}

#[test]
fn meshes_without_points_or_faces_are_skipped_and_reported() {
    let mut file = AbcFile::default();
    let normals = file.normals("con", 0, &[vec![UP]]);
    let holes = Array {
        name: ".holes",
        metadata: "",
        pod: Pod::I32,
        extent: 1,
        sampling: 0,
    };
    let holes = file.array(&holes, &[vec![0, 0, 0, 0, 1, 0, 0, 0]]);
    let root = |file: &mut AbcFile, objects: &[Object]| file.object("root", XFORM, &[], objects);
    let geometries = [
        file.geometry(&[Vec::new()], &[], &[], &[]),
        file.geometry(&[points(0)], &[], &[], &[]),
        file.geometry(&[points(0)], &[2], &[0, 1], &[]),
        file.geometry(&[points(0)], &COUNTS, &INDICES, &[holes]),
        file.geometry(&[points(0)], &COUNTS, &INDICES, &[normals]),
    ];
    let names = ["no_points", "no_faces", "edge", "holes", "whole"];
    let meshes: Vec<Object> = names
        .into_iter()
        .zip(geometries)
        .map(|(name, geometry)| file.object(name, POLY_MESH, &[geometry], &[]))
        .collect();
    let root = root(&mut file, &meshes);
    let import = read(&file.finish(&[root])).unwrap();
    assert_eq!(import.character.parts().len(), 1);
    assert_eq!(import.character.parts()[0].node_name, "whole");
    let skipped = |mesh: &str, reason: &str| Warning::PrimitiveSkipped {
        mesh: mesh.to_owned(),
        reason: reason.to_owned(),
    };
    let expected = [
        skipped("object '/root/no_points'", "it has no points"),
        skipped(
            "object '/root/no_faces', object '/root/edge', object '/root/holes'",
            "it has no faces to draw",
        ),
    ];
    assert_eq!(import.warnings, expected);
}

#[test]
fn a_negative_count_names_what_was_expected() {
    let mut file = AbcFile::default();
    let geometry = file.geometry(&[points(0)], &[-1], &[0], &[]);
    let mesh = file.object("mesh", POLY_MESH, &[geometry], &[]);
    let error = read(&file.finish(&[mesh])).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    let text = error.to_string();
    assert!(
        text.contains("'.faceCounts' has the number -1, expected"),
        "{text}"
    );
}

#[test]
fn a_second_cache_of_a_mesh_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body.abc");
    fs::write(&file, include_bytes!("uniform.abc")).unwrap();
    // The mesh has 12 points.
    let path = folder.path().join("body.mdd");
    let header = [1i32.to_be_bytes(), 12i32.to_be_bytes(), [0; 4]].concat();
    fs::write(&path, [header, floats(&[[0.0; 3]; 12])].concat()).unwrap();
    let cache = CacheFile {
        path,
        mesh: None,
        frames_per_sec: 24.0,
    };
    let source = file.display().to_string();
    let error = import_with_caches(&source, &ImportOptions::default(), &[cache]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    let text = error.to_string();
    assert!(
        text.contains("mesh 'body' has a vertex cache in its own file"),
        "{text}"
    );
}
