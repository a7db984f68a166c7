//! Small Alembic files that ask for much memory or time: objects that share data, instances of instances, long paths.

mod common;

use std::time::{Duration, Instant};

use common::{AbcFile, Array, Object, POLY_MESH, Pod, Property, XFORM, points_array};
use throng_import::{ErrorKind, Import, ImportError, ImportOptions, Warning, import_bytes};
use throng_rig::{Joint, JointKind, Skeleton, Skin, Transform};
use throng_testkit::{CountingAllocator, peak_of_thread};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Largest peak memory of an import, in bytes: [`throng_import::limits::DECODED_BASE_BYTES`] and half as much again.
const MAX_PEAK_BYTES: usize = 200_000_000;

/// Largest time of an import, on a slow machine.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Instances of a group, and in the group.
const WIDTH: usize = 200;

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// Imports a file, and asserts the limits of memory and time.
#[track_caller]
fn read(bytes: &[u8]) -> Result<Import, ImportError> {
    let start = Instant::now();
    let options = ImportOptions::default();
    let (result, peak) = peak_of_thread(|| import_bytes("test.abc", bytes, None, &options));
    println!("{} bytes: {:?}, peak {peak}", bytes.len(), start.elapsed());
    assert!(peak < MAX_PEAK_BYTES, "peak of {peak} bytes");
    assert!(start.elapsed() < MAX_TIME, "{:?}", start.elapsed());
    result
}

/// Writes objects that share a property.
fn sharing(
    file: &mut AbcFile,
    name: &str,
    metadata: &str,
    property: &Property,
    count: usize,
) -> Vec<Object> {
    let shared = std::slice::from_ref(property);
    let object = |i: usize| file.object(&format!("{name}{i}"), metadata, shared, &[]);
    (0..count).map(object).collect()
}

/// Adds a group with instances of a path, and instances of the group.
fn squared(file: &mut AbcFile, path: &str, mut objects: Vec<Object>) -> Vec<Object> {
    let source = file.instance_source(path);
    let inner = sharing(file, "i", "", &source, WIDTH);
    objects.push(file.object("group", XFORM, &[], &inner));
    let group = file.instance_source("/group");
    objects.extend(sharing(file, "b", "", &group, WIDTH));
    objects
}

/// Writes a mesh of one triangle, whose second sample lasts to the last of `frames`.
fn long_cache(file: &mut AbcFile, frames: u32) -> Property {
    let samples = [0.0, 1.0].map(|z| {
        let points = TRIANGLE.map(|[x, y, _]| [x, y, z]);
        file.sample(&common::floats(&points))
    });
    let points = file.repeated(&points_array(), &samples, frames);
    file.geometry_of(points, &[3], &[0, 1, 2], &[])
}

#[test]
fn instances_of_a_cache_share_its_track() {
    let mut file = AbcFile::default();
    let geometry = long_cache(&mut file, 1 << 20);
    let mesh = file.object("mesh", POLY_MESH, &[geometry], &[]);
    let objects = squared(&mut file, "/mesh", vec![mesh]);
    let import = read(&file.finish(&objects)).unwrap();
    let character = &import.character;
    assert_eq!(character.parts().len(), WIDTH * WIDTH + WIDTH + 1);
    assert_eq!(character.morph_sets().len(), 1);
    assert!(character.parts().iter().all(|p| p.morph_set == Some(0)));
    assert_eq!(character.clips()[0].morphs().len(), 1);
}

#[test]
fn meshes_that_share_a_long_cache_are_limited_by_memory() {
    let mut file = AbcFile::default();
    let geometry = long_cache(&mut file, 1 << 20);
    let meshes = sharing(&mut file, "m", POLY_MESH, &geometry, 100);
    let error = read(&file.finish(&meshes)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
}

#[test]
fn a_transform_that_shears_is_reported_once_by_a_short_name() {
    let mut file = AbcFile::default();
    let mut matrix = [0.0; 16];
    for i in [0, 5, 10, 15] {
        matrix[i] = 1.0;
    }
    matrix[4] = 0.5;
    let identity = glam::DMat4::IDENTITY.to_cols_array();
    let name = "\u{7f}".repeat(1024);
    let mut object = file.xform("sheared", matrix, &[]);
    for _ in 0..15 {
        object = file.xform(&name, identity, &[object]);
    }
    let path = format!("{}/sheared", format!("/{name}").repeat(15));
    let objects = squared(&mut file, &path, vec![object]);
    let import = read(&file.finish(&objects)).unwrap();
    let [Warning::NodeSheared { node }] = import.warnings.as_slice() else {
        panic!("{} warnings", import.warnings.len());
    };
    assert!(node.ends_with("/sheared'"), "{node}");
    assert!(node.chars().count() < 300, "{node}");
}

#[test]
fn many_meshes_without_points_are_one_warning() {
    let mut file = AbcFile::default();
    let name = "n".repeat(1000);
    let geometry = file.compound(".geom", "", &[]);
    let meshes = sharing(&mut file, &name, POLY_MESH, &geometry, 5000);
    let root = file.object("root", XFORM, &[], &meshes);
    let import = read(&file.finish(&[root])).unwrap();
    let [Warning::PrimitiveSkipped { mesh, .. }] = import.warnings.as_slice() else {
        panic!("{} warnings", import.warnings.len());
    };
    assert!(mesh.ends_with(" and 4996 more"), "{mesh}");
    assert!(mesh.chars().count() < 1200, "{mesh}");
}

/// Writes objects within objects, with a chain of 15 instances in the innermost that ends at a transform.
fn deep(file: &mut AbcFile, depth: usize) -> (Object, String) {
    let folder = "/a".repeat(depth);
    let mut inner = vec![file.object("target", XFORM, &[], &[])];
    for i in 0..15 {
        let next = match i {
            14 => "target".to_owned(),
            _ => format!("s{}", i + 1),
        };
        inner.push(file.instance(&format!("s{i}"), &format!("{folder}/{next}")));
    }
    let mut object = file.object("a", "", &[], &inner);
    for _ in 1..depth {
        object = file.object("a", "", &[], &[object]);
    }
    (object, format!("{folder}/s0"))
}

#[test]
fn long_paths_of_instances_are_followed_once() {
    let mut file = AbcFile::default();
    let (object, path) = deep(&mut file, 4000);
    let objects = squared(&mut file, &path, vec![object]);
    let import = read(&file.finish(&objects)).unwrap();
    assert_eq!(import.warnings, []);
    // The target and the group, the chain, the instances in the group, and those of the group.
    let joints = 2 + 15 + WIDTH + WIDTH * (WIDTH + 1);
    assert_eq!(import.character.skeleton().len(), joints);
}

#[test]
fn names_in_the_paths_of_instances_count_as_work() {
    let mut file = AbcFile::default();
    let source = file.instance_source(&"/a".repeat(32_000));
    let objects = sharing(&mut file, "i", "", &source, 600);
    let error = read(&file.finish(&objects)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
    assert!(error.to_string().contains("ALEMBIC_BASE_WORK"), "{error}");
}

#[test]
fn instances_of_each_other_are_reported() {
    let mut file = AbcFile::default();
    let root = file.object("root", XFORM, &[], &[]);
    let paths = [("a", "/b"), ("b", "/c"), ("c", "/a"), ("own", "/own")];
    let mut objects = vec![root];
    objects.extend(paths.map(|(name, path)| file.instance(name, path)));
    let import = read(&file.finish(&objects)).unwrap();
    assert_eq!(import.character.skeleton().len(), 1);
    let [warning] = import.warnings.as_slice() else {
        panic!("{:?}", import.warnings);
    };
    let text = warning.to_string();
    assert!(text.contains("4 instances of each other"), "{text}");
    assert!(text.contains("object '/a'"), "{text}");
}

#[test]
fn an_instance_of_an_object_above_it_is_an_error() {
    let mut file = AbcFile::default();
    let inner = file.instance("again", "/root");
    let root = file.object("root", XFORM, &[], &[inner]);
    let error = read(&file.finish(&[root])).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
    assert!(error.to_string().contains("MAX_NODES"), "{error}");
}

/// Array of normals that indices refer to, as bytes.
fn byte_values(name: &str, pod: Pod, extent: u8) -> Array<'_> {
    Array {
        name,
        metadata: "geoScope=fvr",
        pod,
        extent,
        sampling: 1,
    }
}

#[test]
fn the_largest_table_of_indexed_values_is_charged() {
    let mut file = AbcFile::default();
    // One normal in the first sample, a million in the second.
    let values = [vec![1; 3], vec![1; 3_000_000]];
    let values = file.array(&byte_values(".vals", Pod::U8, 3), &values);
    let indices = file.array(&byte_values(".indices", Pod::U32, 1), &[vec![0; 12]]);
    let normals = file.compound("N", "geoScope=fvr", &[values, indices]);
    let points = [
        TRIANGLE.to_vec(),
        TRIANGLE.map(|[x, y, _]| [x, y, 1.0]).to_vec(),
    ];
    let geometry = file.geometry(&points, &[3], &[0, 1, 2], &[normals]);
    let meshes = sharing(&mut file, "m", POLY_MESH, &geometry, 40);
    let error = read(&file.finish(&meshes)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit, "{error}");
    assert!(error.to_string().contains("DECODED_BASE_BYTES"), "{error}");
}

#[test]
fn normals_in_too_many_samples_are_not_compared_which_is_reported() {
    const TRIANGLES: usize = 4000;
    let mut file = AbcFile::default();
    // Every sample is another pair of values and indices.
    let corners: Vec<u32> = (0..3 * TRIANGLES as u32).collect();
    let mut samples = |count: usize, bytes: &dyn Fn(usize) -> Vec<u8>| -> Vec<u64> {
        (0..count).map(|i| file.sample(&bytes(i))).collect()
    };
    let values = samples(130, &|i| {
        common::floats(&[[1.0, 0.0, i as f32], [0.0, 1.0, 0.0]])
    });
    let indices = samples(131, &|i| {
        let number = |corner: &u32| (corner % 131 == i as u32).into();
        corners
            .iter()
            .flat_map(|c| u32::to_le_bytes(number(c)))
            .collect()
    });
    let count = 130 * 131;
    let cycle = |samples: &[u64]| {
        samples
            .iter()
            .copied()
            .cycle()
            .take(count)
            .collect::<Vec<_>>()
    };
    let values = file.array_of(&byte_values(".vals", Pod::F32, 3), &cycle(&values));
    let indices = file.array_of(&byte_values(".indices", Pod::U32, 1), &cycle(&indices));
    let normals = file.compound("N", "geoScope=fvr", &[values, indices]);
    // All triangles are one, so that corners could be shared.
    let points = [
        TRIANGLE.to_vec(),
        TRIANGLE.map(|[x, y, _]| [x, y, 1.0]).to_vec(),
    ];
    let points: Vec<Vec<[f32; 3]>> = points.into();
    let faces: Vec<i32> = [0, 1, 2].repeat(TRIANGLES);
    let geometry = file.geometry(&points, &[3; TRIANGLES], &faces, &[normals]);
    let mesh = file.object("mesh", POLY_MESH, &[geometry], &[]);
    let import = read(&file.finish(&[mesh])).unwrap();
    assert_eq!(import.character.meshes()[0].vertex_count(), 3 * TRIANGLES);
    let [warning] = import.warnings.as_slice() else {
        panic!("{:?}", import.warnings);
    };
    let text = warning.to_string();
    assert!(text.contains("every corner is a vertex"), "{text}");
}

#[test]
fn a_rigid_skin_takes_no_memory_per_joint_of_the_skeleton() {
    let joint = || Joint {
        name: String::new(),
        parent: None,
        parent_from_joint: Transform::IDENTITY,
        kind: JointKind::Node,
    };
    let joints: Vec<Joint> = (0..50_000).map(|_| joint()).collect();
    let skeleton = Skeleton::new(joints).unwrap();
    let (skin, peak) = peak_of_thread(|| Skin::rigid(String::new(), &skeleton, 7).unwrap());
    assert!(peak < 10_000, "{peak} bytes");
    assert_eq!(skin.bones()[0].head, skin.bones()[0].tail);
}
