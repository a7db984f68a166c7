//! Alembic files: what is imported of them, and what is rejected. `alembic_reference.rs` compares numbers.
//!
//! `uniform.abc` and `not_inheriting.abc` were written by `tools/alembic-reference/write.py`.

mod common;

use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{assert_fields_finite, assert_finite};
use throng_import::{
    ErrorKind, Import, ImportError, ImportOptions, PositionSharing, SourceFormat, Warning,
    import_bytes, import_file, import_motion_bytes, visit_source_files,
};
use throng_rig::CacheCursor;
use throng_testkit::{
    CountingAllocator, Random, cases, corrupt_bytes, peak_of_thread, shared_assets,
};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const UNIFORM: &[u8] = include_bytes!("uniform.abc");
const NOT_INHERITING: &[u8] = include_bytes!("not_inheriting.abc");

/// Number of corrupt files.
const MUTATIONS: u32 = 6000;

/// Largest peak memory of a corrupt file of some kilobytes: [`throng_import::limits::DECODED_BASE_BYTES`] and half as much again.
const MAX_PEAK_BYTES: usize = 200_000_000;

/// Largest time for a file, on a slow machine.
const MAX_TIME: Duration = Duration::from_secs(20);

fn read(bytes: &[u8]) -> Result<Import, ImportError> {
    import_bytes("test.abc", bytes, None, &ImportOptions::default())
}

/// Returns the offset of some bytes that are in a file once.
#[track_caller]
fn find(file: &[u8], bytes: &[u8]) -> usize {
    let mut found = file.windows(bytes.len()).enumerate();
    let mut found = found.by_ref().filter(|(_, window)| *window == bytes);
    let (at, _) = found.next().expect("the bytes");
    assert!(found.next().is_none(), "twice");
    at
}

#[test]
fn transforms_are_joints_and_meshes_are_parts_with_a_cache() {
    let import = read(UNIFORM).unwrap();
    assert_eq!(import.format, SourceFormat::Alembic);
    assert_eq!(import.warnings, []);
    let character = &import.character;
    assert_eq!(character.name, "test");
    let joints = character.skeleton().joints();
    let joints: Vec<_> = joints.iter().map(|j| (j.name.as_str(), j.parent)).collect();
    assert_eq!(joints, [("root", None), ("arm", Some(0))]);
    let [clip] = character.clips() else {
        panic!("{} clips", character.clips().len());
    };
    assert_eq!((clip.name.as_str(), clip.start_secs()), ("test", 0.5));
    assert_eq!(clip.joints().len(), 2);
    assert!((clip.duration_secs() - 4.0 / 24.0).abs() < 1e-12);
    let [part] = character.parts() else {
        panic!("{} parts", character.parts().len());
    };
    assert_eq!(part.node_name, "body");
    let mesh = character.mesh_of(part);
    // A quad, a pentagon and a hexagon; 12 points.
    assert_eq!(mesh.triangles().len(), 2 + 3 + 4);
    assert_eq!(mesh.control_points().unwrap().count, 12);
    let cache = mesh.vertex_cache().expect("a cache");
    assert_eq!(cache.frames().times_secs().len(), 5);
    assert_finite(character, 1, "uniform");
}

#[test]
fn a_part_of_a_clip_plays_its_cache() {
    let import = read(UNIFORM).unwrap();
    let character = &import.character;
    let mut pose = throng_rig::CharacterPose::rest(character);
    for frame in 0..5 {
        let time = 0.5 + f64::from(frame) / 24.0;
        pose.sample(character, &character.clips()[0], time);
        let position = pose.local.morph_weights[0];
        assert!((position - f64::from(frame)).abs() < 1e-9, "{position}");
    }
}

#[test]
fn a_transform_that_does_not_inherit_has_no_parent() {
    let import = read(NOT_INHERITING).unwrap();
    let joints = import.character.skeleton().joints();
    let parent_of = |name: &str| {
        let joint = joints.iter().find(|joint| joint.name == name).unwrap();
        joint.parent.map(|parent| joints[parent].name.as_str())
    };
    assert_eq!(parent_of("free"), None);
    assert_eq!(parent_of("root"), None);
    assert_eq!(parent_of("sheared"), Some("sheared_stretch"));
    assert_eq!(parent_of("sheared_stretch"), Some("root"));
    let sheared = |w: &Warning| matches!(w, Warning::NodeSheared { .. });
    assert_eq!(import.warnings.iter().filter(|w| sheared(w)).count(), 1);
}

#[test]
fn a_file_gives_what_its_bytes_give() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.abc");
    std::fs::write(&path, UNIFORM).unwrap();
    let from_file = import_file(&path, &ImportOptions::default()).unwrap();
    let from_bytes = read(UNIFORM).unwrap();
    assert_eq!(from_file.character, from_bytes.character);
    let mut visited = Vec::new();
    visit_source_files(&path, |name, bytes| {
        assert_eq!(name, "");
        visited.extend_from_slice(bytes);
    })
    .unwrap();
    assert_eq!(visited, UNIFORM);
}

#[test]
fn a_file_that_changes_is_reported_by_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.abc");
    std::fs::write(&path, UNIFORM).unwrap();
    let import = import_file(&path, &ImportOptions::default()).unwrap();
    let mesh = &import.character.meshes()[0];
    let cache = mesh.vertex_cache().unwrap();
    let mut cursor = CacheCursor::default();
    cursor.seek_with_normals(cache, 0.0);
    assert_eq!(cache.failure(), None);
    std::fs::write(&path, &UNIFORM[..1000]).unwrap();
    cursor.seek_with_normals(cache, 3.0);
    let failure = cache.failure().expect("a failure");
    assert!(failure.to_string().contains("has changed"), "{failure}");
    // The vertices rest.
    let rest = mesh.positions()[0].as_dvec3();
    assert_eq!(cursor.position(mesh, cache, 0), rest);
}

#[test]
fn every_corner_is_a_vertex_if_asked_for() {
    let options = ImportOptions {
        positions: PositionSharing::Corners,
        ..ImportOptions::default()
    };
    let import = import_bytes("test.abc", UNIFORM, None, &options).unwrap();
    // 15 corners, and a point without a face.
    assert_eq!(import.character.meshes()[0].vertex_count(), 15 + 1);
}

#[test]
fn rejects_hdf5_and_names_the_remedy() {
    let error = read(b"\x89HDF\r\n\x1a\n and more bytes").unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    let text = error.to_string();
    assert!(text.starts_with("test.abc: "), "{text}");
    assert!(text.contains("HDF5") && text.contains("Ogawa"), "{text}");
}

#[test]
fn rejects_files_that_are_not_complete() {
    let mut bytes = UNIFORM.to_vec();
    bytes[5] = 0;
    let error = read(&bytes).unwrap_err();
    assert!(error.to_string().contains("export it again"), "{error}");
    assert_eq!(read(b"").unwrap_err().kind, ErrorKind::Container);
    assert_eq!(read(b"Ogawa").unwrap_err().kind, ErrorKind::Container);
}

#[test]
fn every_truncated_file_is_rejected() {
    for length in 0..UNIFORM.len() {
        assert!(read(&UNIFORM[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn rejects_objects_that_are_in_the_file_twice() {
    // The group of the root lists the arm; the arm now lists the root as its child.
    let mut bytes = NOT_INHERITING.to_vec();
    let words = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    };
    let root = words(&bytes, 8);
    let top = words(&bytes, root + 8 + 2 * 8);
    let first_child = words(&bytes, top + 8 + 8);
    // Child 1 of the first object is its first child: make it the object itself.
    let at = first_child + 8 + 8;
    bytes[at..at + 8].copy_from_slice(&(first_child as u64).to_le_bytes());
    let error = read(&bytes).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Hierarchy, "{error}");
    assert!(error.to_string().contains("object '/root'"), "{error}");
}

#[test]
fn rejects_points_that_are_not_finite() {
    // The points of the first sample begin with (0, 0, 0), (0, 1, 0), (1, 1.16829…, 0.1).
    let mut point = Vec::new();
    for number in [1.0f32, 1.0 + 0.2 * 1.0f64.sin() as f32, 0.1] {
        point.extend(number.to_le_bytes());
    }
    let at = find(UNIFORM, &point);
    let mut bytes = UNIFORM.to_vec();
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = read(&bytes).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data, "{error}");
    assert!(
        error.to_string().contains("object '/root/arm/body'"),
        "{error}"
    );
}

/// Imports a file and reads every frame of it. Returns true if it loaded.
fn import_without_panic(what: &str, bytes: &[u8]) -> bool {
    let bytes: Arc<[u8]> = bytes.into();
    let started = Instant::now();
    let outcome = catch_unwind(|| {
        peak_of_thread(|| {
            // Motion is read in other ways, and must not panic either.
            let _ = import_motion_bytes("test.abc", &bytes, None, &ImportOptions::default());
            let Ok(import) = read(&bytes) else {
                return false;
            };
            assert_fields_finite(&import.character, what);
            assert_finite(&import.character, 1, what);
            let mut cursor = CacheCursor::default();
            for mesh in import.character.meshes() {
                let Some(cache) = mesh.vertex_cache() else {
                    continue;
                };
                for frame in 0..cache.frames().times_secs().len().min(16) {
                    cursor.seek_with_normals(cache, frame as f64);
                    let positions =
                        (0..mesh.vertex_count()).map(|v| cursor.position(mesh, cache, v));
                    assert!(positions.into_iter().all(glam::DVec3::is_finite), "{what}");
                }
            }
            true
        })
    });
    let (loaded, peak) = outcome.unwrap_or_else(|_| panic!("{what}: panicked, see above"));
    assert!(peak < MAX_PEAK_BYTES, "{what}: peak of {peak} bytes");
    assert!(
        started.elapsed() < MAX_TIME,
        "{what}: {:?}",
        started.elapsed()
    );
    loaded
}

#[test]
fn corrupt_files_never_panic_and_take_bounded_memory() {
    let mut files = vec![UNIFORM.to_vec(), NOT_INHERITING.to_vec()];
    if let Some(assets) = shared_assets() {
        let folder = assets.join("alembic");
        let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
        files.extend(["animatedCube.abc", "subdPlane.abc"].map(read));
    }
    let mutations = u64::from(cases(MUTATIONS));
    let mut loaded = 0;
    for seed in 0..mutations {
        let file = seed as usize % files.len();
        let random = &mut Random::new(seed);
        let mut bytes = files[file].clone();
        (0..=random.below(4)).for_each(|_| corrupt_bytes(&mut bytes, random));
        let what = format!("file {file}, seed {seed}");
        loaded += u64::from(import_without_panic(&what, &bytes));
    }
    println!("{loaded} of {mutations} load");
    assert!(loaded > mutations / 100 && loaded < mutations);
}

#[test]
fn every_byte_of_a_file_may_be_wrong() {
    for at in 0..UNIFORM.len() {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = UNIFORM.to_vec();
            bytes[at] = value;
            import_without_panic(&format!("byte {at} is {value}"), &bytes);
        }
    }
}

#[test]
fn files_without_the_extension_are_not_alembic() {
    let error = import_file(Path::new("x.abcd"), &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains(".abc"), "{error}");
}
