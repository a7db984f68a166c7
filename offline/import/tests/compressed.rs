//! Compressed files pose as their uncompressed twins do, within what their quantisation takes away.

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

/// Every vertex of all parts.
fn all(character: &Character, when: Option<(usize, f64)>) -> Vec<DVec3> {
    (0..character.parts().len())
        .flat_map(|part| posed(character, part, when))
        .collect()
}

/// How far the loneliest of `from` is from the nearest of `to`.
fn farthest(from: &[DVec3], to: &[DVec3]) -> f64 {
    let nearest = |p: &DVec3| to.iter().map(|q| p.distance(*q)).fold(f64::MAX, f64::min);
    from.iter().map(nearest).fold(0.0, f64::max)
}

/// The largest distance between the two, either way round, as a part of the size.
fn apart_at(one: &Character, other: &Character, when: Option<(usize, f64)>) -> f64 {
    let (a, b) = (all(one, when), all(other, when));
    farthest(&a, &b).max(farthest(&b, &a)) / extent(&all(one, None))
}

/// The same over every clip.
fn apart(one: &Character, other: &Character) -> f64 {
    assert_eq!(one.clips().len(), other.clips().len());
    let mut worst = apart_at(one, other, None);
    for (index, (a, b)) in one.clips().iter().zip(other.clips()).enumerate() {
        assert_eq!(a.name, b.name);
        for quarter in 0..=4 {
            let time_secs = a.start_secs() + a.duration_secs() * f64::from(quarter) / 4.0;
            worst = worst.max(apart_at(one, other, Some((index, time_secs))));
        }
    }
    worst
}

/// The volume that triangles enclose at rest, negative where they are wound inwards.
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

/// The box around all texture coordinates.
fn uv_box(character: &Character) -> (Vec2, Vec2) {
    let all = || character.meshes().iter().flat_map(Mesh::uvs).copied();
    let least = all().fold(Vec2::INFINITY, Vec2::min);
    (least, all().fold(Vec2::NEG_INFINITY, Vec2::max))
}

/// Triangles, winding, normals and texture coordinates too.
fn assert_same_surface(packed: &Character, plain: &Character) {
    let ratio = volume(packed) / volume(plain);
    assert!((ratio - 1.0).abs() < 1e-2, "volumes differ by {ratio}");
    let triangles = |c: &Character| c.meshes().iter().map(|m| m.triangles().len()).sum();
    let (found, expected): (usize, usize) = (triangles(packed), triangles(plain));
    assert_eq!(found, expected);
    let (found, expected) = (uv_box(packed), uv_box(plain));
    // Texture coordinates have 10 bits or more.
    let same = |a: Vec2, b: Vec2| a == b || a.distance(b) < 2e-3;
    assert!(
        same(found.0, expected.0) && same(found.1, expected.1),
        "{found:?} {expected:?}"
    );
    for part in 0..packed.parts().len() {
        // Outwards, or at least as the triangles say.
        let positions = posed(packed, part, None);
        let normals = normals(packed, part, None);
        let triangles = packed.mesh_of(&packed.parts()[part]).triangles();
        let agree = triangles.iter().filter(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            (b - a).cross(c - a).dot(normals[t[0] as usize]) > 0.0
        });
        assert!(agree.count() * 10 > triangles.len() * 9);
    }
}

#[test]
fn draco_files_pose_as_their_twins_do() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let gltf = assets.join("gltf");
    // Half a step along three axes, √3 / 2 / (2^bits − 1) of the size, and as much again for weights.
    let tolerance = |bits: i32| 3.0_f64.sqrt() / (2.0_f64.powi(bits) - 1.0);
    for (packed, plain, tolerance) in [
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
        let (one, other) = (load(&gltf.join(packed)), load(&gltf.join(plain)));
        let apart = apart(&one, &other);
        println!("{packed}: {apart:.2e} of size");
        assert!(apart < tolerance, "{packed}: {apart:.2e} of size");
        assert_same_surface(&one, &other);
    }
}

#[test]
fn meshopt_files_pose_as_their_twins_do() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let derived = assets.join("gltf/derived");
    let packed = load(&derived.join("Fox_meshopt.glb"));
    let quantized = load(&derived.join("Fox_quantized.glb"));
    let plain = load(&assets.join("gltf/khronos/Fox.glb"));
    // Packing loses nothing of positions and weights.
    assert!(apart_at(&packed, &quantized, None) < 1e-12);
    assert_same_surface(&packed, &plain);
    // Rotations are packed in 12 bits: half a step is 1.7e-4 rad, and chains add up.
    for twin in [&quantized, &plain] {
        let apart = apart(&packed, twin);
        println!("{apart:.2e} of size");
        assert!(apart < 1e-3, "{apart:.2e} of size");
    }
}

/// Five columns of cubes; the first row is not packed, each row below is packed in another way.
#[test]
fn every_cube_of_the_meshopt_test_is_the_plain_one_of_its_column() {
    const LABELS: usize = 10;
    let Some(assets) = shared_assets() else {
        return;
    };
    let character = load(&assets.join("gltf/khronos/MeshoptCubeTest/MeshoptCubeTest.gltf"));
    assert_eq!(character.parts().len(), LABELS + 25);
    for (row, column) in (1..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
        let (plain, packed) = (LABELS + column, LABELS + 5 * row + column);
        let name = &character.parts()[packed].node_name;
        let down = DVec3::new(0.0, -4.0 * row as f64, 0.0);
        for when in [
            None,
            Some((0, 0.0)),
            Some((0, 0.3)),
            Some((0, 1.0)),
            Some((0, 1.7)),
        ] {
            let expected = posed(&character, plain, when);
            let found = posed(&character, packed, when);
            for (found, expected) in found.iter().zip(&expected) {
                // Positions keep 15 bits or more; rotations are 16 bits.
                let off = found.distance(*expected + down);
                assert!(off < 2e-4, "{name} at {when:?}: {off:.1e}");
            }
            let expected = normals(&character, plain, when);
            let found = normals(&character, packed, when);
            for (found, expected) in found.iter().zip(&expected) {
                // Normals are 8 bits.
                assert!(found.angle_between(*expected) < 0.02, "{name}");
            }
        }
        let mesh = |part: usize| &character.meshes()[character.parts()[part].mesh];
        let (plain, packed) = (mesh(plain), mesh(packed));
        assert_eq!(
            sorted(plain.triangles()),
            sorted(packed.triangles()),
            "{name}"
        );
        assert_eq!(plain.colors().len(), packed.colors().len());
        for (found, expected) in packed.colors().iter().zip(plain.colors()) {
            let off = |i: usize| (found[i] - expected[i]).abs();
            // Colours are 8 bits.
            assert!((0..4).all(|i| off(i) < 0.01), "{name}: {found:?}");
        }
    }
}

/// Triangles with their least corner first, in order: packing turns and reorders them.
fn sorted(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let turned = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
    let mut list: Vec<[u32; 3]> = triangles.iter().filter_map(turned).collect();
    list.sort_unstable();
    list
}
