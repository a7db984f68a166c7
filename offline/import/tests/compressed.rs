//! Compressed files match their uncompressed twins within the error of their quantisation.

mod common;

use std::path::Path;

use common::{extent, normals, posed};
use glam::{DVec3, Vec2};
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, Mesh};
use throng_testkit::shared_assets;

fn load(path: &Path) -> Character {
    import_file(path, &ImportOptions::default())
        .unwrap_or_else(|error| panic!("{error}"))
        .character
}

/// Returns every vertex of all parts.
fn all(character: &Character, when: Option<(usize, f64)>) -> Vec<DVec3> {
    (0..character.parts().len())
        .flat_map(|part| posed(character, part, when))
        .collect()
}

/// Returns the maximum distance of a point of `from` to the nearest point of `to`.
fn farthest(from: &[DVec3], to: &[DVec3]) -> f64 {
    let nearest = |p: &DVec3| to.iter().map(|q| p.distance(*q)).fold(f64::MAX, f64::min);
    from.iter().map(nearest).fold(0.0, f64::max)
}

/// Returns the symmetric maximum distance of two characters in a pose, relative to their size.
fn distance_at(one: &Character, other: &Character, when: Option<(usize, f64)>) -> f64 {
    let (a, b) = (all(one, when), all(other, when));
    farthest(&a, &b).max(farthest(&b, &a)) / extent(&all(one, None))
}

/// Returns the maximum of [`distance_at`] over the rest pose and every clip.
fn distance(one: &Character, other: &Character) -> f64 {
    assert_eq!(one.clips().len(), other.clips().len());
    let mut worst = distance_at(one, other, None);
    for (index, (a, b)) in one.clips().iter().zip(other.clips()).enumerate() {
        assert_eq!(a.name, b.name);
        for quarter in 0..=4 {
            let time_secs = a.start_secs() + a.duration_secs() * f64::from(quarter) / 4.0;
            worst = worst.max(distance_at(one, other, Some((index, time_secs))));
        }
    }
    worst
}

/// Returns the volume enclosed in the rest pose, negative if triangles are wound inwards.
fn volume(character: &Character) -> f64 {
    let mut sum = 0.0;
    for (index, part) in character.parts().iter().enumerate() {
        let positions = posed(character, index, None);
        for triangle in character.mesh_of(part).triangles() {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            sum += a.dot(b.cross(c)) / 6.0;
        }
    }
    sum
}

/// Returns the bounds of all texture coordinates.
fn uv_bounds(character: &Character) -> (Vec2, Vec2) {
    let all = || character.meshes().iter().flat_map(Mesh::uvs).copied();
    let least = all().fold(Vec2::INFINITY, Vec2::min);
    (least, all().fold(Vec2::NEG_INFINITY, Vec2::max))
}

/// Asserts equal volume, winding, normals and bounds of texture coordinates.
fn assert_same_surface(compressed: &Character, plain: &Character) {
    let ratio = volume(compressed) / volume(plain);
    assert!((ratio - 1.0).abs() < 1e-2, "volumes differ by {ratio}");
    let triangles = |c: &Character| c.meshes().iter().map(|m| m.triangles().len()).sum();
    let (found, expected): (usize, usize) = (triangles(compressed), triangles(plain));
    assert_eq!(found, expected);
    let (found, expected) = (uv_bounds(compressed), uv_bounds(plain));
    // Texture coordinates have 10 bits or more.
    let same = |a: Vec2, b: Vec2| a == b || a.distance(b) < 2e-3;
    assert!(
        same(found.0, expected.0) && same(found.1, expected.1),
        "{found:?} {expected:?}"
    );
    for part in 0..compressed.parts().len() {
        // Normals agree with the winding of the triangles.
        let positions = posed(compressed, part, None);
        let normals = normals(compressed, part, None);
        let triangles = compressed.mesh_of(&compressed.parts()[part]).triangles();
        let agree = triangles.iter().filter(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(c - a).dot(normals[t[0] as usize]) > 0.0
        });
        assert!(agree.count() * 10 > triangles.len() * 9);
    }
}

#[test]
fn draco_files_match_their_uncompressed_twins() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let gltf = assets.join("gltf");
    // Half a quantisation step along three axes, √3 / 2 / (2^bits − 1) of the size, and the same for weights.
    let tolerance = |bits: i32| 3.0_f64.sqrt() / (2.0_f64.powi(bits) - 1.0);
    for (compressed, plain, tolerance) in [
        (
            "derived/Fox_draco_indexed.glb",
            "khronos/Fox.glb",
            tolerance(14),
        ),
        (
            "khronos/RiggedFigure_draco/RiggedFigure.gltf",
            "khronos/RiggedFigure.glb",
            tolerance(11),
        ),
    ] {
        let (one, other) = (load(&gltf.join(compressed)), load(&gltf.join(plain)));
        let distance = distance(&one, &other);
        println!("{compressed}: {distance:.2e} of size");
        assert!(distance < tolerance, "{compressed}: {distance:.2e} of size");
        assert_same_surface(&one, &other);
    }
}

#[test]
fn meshopt_files_match_their_uncompressed_twins() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let derived = assets.join("gltf/derived");
    let compressed = load(&derived.join("Fox_meshopt.glb"));
    let quantized = load(&derived.join("Fox_quantized.glb"));
    let plain = load(&assets.join("gltf/khronos/Fox.glb"));
    // Compression is lossless for positions and weights.
    assert!(distance_at(&compressed, &quantized, None) < 1e-12);
    assert_same_surface(&compressed, &plain);
    // Rotations have 12 bits: half a step is 1.7e-4 rad, and errors add up along a chain.
    for twin in [&quantized, &plain] {
        let distance = distance(&compressed, twin);
        println!("{distance:.2e} of size");
        assert!(distance < 1e-3, "{distance:.2e} of size");
    }
}

/// The file has five columns of cubes. The first row is uncompressed; each row below has another compression.
#[test]
fn meshopt_cubes_match_the_uncompressed_cube_of_their_column() {
    const LABELS: usize = 10;
    let Some(assets) = shared_assets() else {
        return;
    };
    let character = load(&assets.join("gltf/khronos/MeshoptCubeTest/MeshoptCubeTest.gltf"));
    assert_eq!(character.parts().len(), LABELS + 25);
    for (row, column) in (1..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
        let (plain, compressed) = (LABELS + column, LABELS + 5 * row + column);
        let name = &character.parts()[compressed].node_name;
        let down = DVec3::new(0.0, -4.0 * row as f64, 0.0);
        for when in [
            None,
            Some((0, 0.0)),
            Some((0, 0.3)),
            Some((0, 1.0)),
            Some((0, 1.7)),
        ] {
            let expected = posed(&character, plain, when);
            let found = posed(&character, compressed, when);
            for (found, expected) in found.iter().zip(&expected) {
                // Positions keep 15 bits or more; rotations are 16 bits.
                let off = found.distance(*expected + down);
                assert!(off < 2e-4, "{name} at {when:?}: {off:.1e}");
            }
            let expected = normals(&character, plain, when);
            let found = normals(&character, compressed, when);
            for (found, expected) in found.iter().zip(&expected) {
                // Normals are 8 bits.
                assert!(found.angle_between(*expected) < 0.02, "{name}");
            }
        }
        let mesh = |part: usize| &character.meshes()[character.parts()[part].mesh];
        let (plain, compressed) = (mesh(plain), mesh(compressed));
        assert_eq!(
            sorted(plain.triangles()),
            sorted(compressed.triangles()),
            "{name}"
        );
        assert_eq!(plain.colors().len(), compressed.colors().len());
        for (found, expected) in compressed.colors().iter().zip(plain.colors()) {
            let off = |i: usize| (found[i] - expected[i]).abs();
            // Colours are 8 bits.
            assert!((0..4).all(|i| off(i) < 0.01), "{name}: {found:?}");
        }
    }
}

/// Sorts triangles, with the lowest corner of each first: compression reorders triangles and rotates their
/// corners.
fn sorted(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let lowest_first = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
    let mut list: Vec<[u32; 3]> = triangles.iter().filter_map(lowest_first).collect();
    list.sort_unstable();
    list
}
