//! PC2 and MDD files made in memory, byte by byte, and the meshes that they move.

mod common;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use common::assert_fields_finite;
use glam::{DVec3, Vec3};
use tempfile::TempDir;
use throng_import::{
    CacheFile, ErrorKind, Import, ImportError, ImportOptions, PointCache, PositionSharing,
    SourceFormat, Warning, import, import_with_caches, visit_cache_file,
};
use throng_rig::{CharacterPose, Method, VertexFrames};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{CountingAllocator, Random, cases, corrupt_bytes, peak_of_thread};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Two triangles with a point that no face uses, and a seam of texture coordinates.
const OBJ: &str = "o Cloth\n\
    v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\n\
    f 1/1 2/2 3/3\nf 1/5 3/3 4/4\n";
const POINTS: usize = 5;

/// Position of a point in a frame.
fn position(frame: usize, point: usize) -> [f32; 3] {
    let [frame, point] = [frame, point].map(|n| n as f32);
    [point, 10.0 * frame, 0.25 - point * frame]
}

fn positions(frames: usize, points: usize) -> Vec<f32> {
    let all = (0..frames).flat_map(|frame| (0..points).map(move |point| position(frame, point)));
    all.flatten().collect()
}

/// Bytes of a PC2 file: version 1, this first frame and step.
fn pc2(points: i32, frames: i32, [start, step]: [f32; 2], numbers: &[f32]) -> Vec<u8> {
    let mut out = b"POINTCACHE2\0".to_vec();
    out.extend(1_i32.to_le_bytes());
    out.extend(points.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(step.to_le_bytes());
    out.extend(frames.to_le_bytes());
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    out
}

/// Bytes of an MDD file.
fn mdd(points: i32, times: &[f32], numbers: &[f32]) -> Vec<u8> {
    let mut out = (times.len() as i32).to_be_bytes().to_vec();
    out.extend(points.to_be_bytes());
    out.extend(times.iter().flat_map(|time| time.to_be_bytes()));
    out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
    out
}

fn read(bytes: Vec<u8>) -> Result<(PointCache, Vec<Warning>), ImportError> {
    let mut warnings = Vec::new();
    let cache = PointCache::from_bytes("a.cache", bytes, 25.0, &mut warnings)?;
    Ok((cache, warnings))
}

fn frame(cache: &PointCache, frame: usize) -> Vec<Vec3> {
    let mut out = vec![Vec3::NAN; 2];
    cache.read_positions(frame, &mut out).unwrap();
    out
}

#[test]
fn headers_times_and_positions_are_read() {
    let times = [0.0, 0.5, 2.0];
    let numbers = positions(3, POINTS);
    let files = [
        (pc2(5, 3, [2.0, 5.0], &numbers), [0.08, 0.28, 0.48]),
        (mdd(5, &times, &numbers), times.map(f64::from)),
    ];
    for (bytes, expected) in files {
        let (cache, warnings) = read(bytes).unwrap();
        assert!(warnings.is_empty());
        assert_eq!(cache.point_count(), POINTS);
        for (found, expected) in cache.times_secs().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
        }
        // In any order.
        for index in [2, 0, 1, 2] {
            let expected: Vec<Vec3> = (0..POINTS).map(|p| position(index, p).into()).collect();
            assert_eq!(frame(&cache, index), expected);
        }
        let error = cache.read_positions(3, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("3 frames"), "{error}");
    }
}

#[test]
fn a_frame_larger_than_a_read_is_whole() {
    let points = 30_000;
    let (cache, _) = read(pc2(points as i32, 2, [0.0, 1.0], &positions(2, points))).unwrap();
    let found = frame(&cache, 1);
    assert_eq!(found.len(), points);
    for point in [0, 4095, 4096, 4097, points - 1] {
        assert_eq!(found[point], Vec3::from(position(1, point)));
    }
}

/// A folder with a mesh and a cache of it.
fn folder(bytes: &[u8], cache: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cloth.obj"), OBJ).unwrap();
    fs::write(folder.path().join(cache), bytes).unwrap();
    folder
}

fn cache_file(folder: &Path, name: &str) -> CacheFile {
    CacheFile {
        path: folder.join(name),
        mesh: None,
        frames_per_sec: 25.0,
    }
}

fn try_import(folder: &Path, cache: CacheFile) -> Result<Import, ImportError> {
    let mesh = folder.join("cloth.obj").display().to_string();
    import_with_caches(&mesh, &ImportOptions::default(), &[cache])
}

/// Positions of all vertices at a time.
fn posed(import: &Import, time_secs: f64) -> Vec<DVec3> {
    let character = &import.character;
    let mut pose = CharacterPose::rest(character);
    pose.sample(character, &character.clips()[0], time_secs);
    let mut skinned = Skinned::default();
    let part = &character.parts()[0];
    skin_part(character, part, &pose, Method::Lbs, &mut skinned);
    assert!(character.cache_failure().is_none());
    skinned.positions
}

#[test]
fn meshes_of_obj_files_have_the_points_of_the_file() {
    let folder = folder(b"", "empty.mdd");
    let path = folder.path().join("cloth.obj").display().to_string();
    let import = import(&path, &ImportOptions::default()).unwrap();
    assert_eq!(import.format, SourceFormat::Obj);
    let character = &import.character;
    assert_eq!(character.parts()[0].node_name, "Cloth");
    assert!(character.clips().is_empty());
    let mesh = &character.meshes()[0];
    let points = mesh.control_points().unwrap();
    assert_eq!(points.count, POINTS);
    assert_eq!(mesh.triangles().len(), 2);
    // One point is split at the seam.
    assert_eq!(mesh.vertex_count(), POINTS + 1);
    for (vertex, &point) in points.of_vertex.iter().enumerate() {
        let expected = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [5, 5, 5]][point as usize];
        let expected = Vec3::from(expected.map(|n| n as f32));
        assert_eq!(mesh.positions()[vertex], expected);
    }
}

#[test]
fn vertices_follow_their_points_and_move_linearly_between_frames() {
    let folder = folder(&pc2(5, 3, [0.0, 1.0], &positions(3, POINTS)), "wave.PC2");
    let import = try_import(folder.path(), cache_file(folder.path(), "wave.PC2")).unwrap();
    let character = &import.character;
    let clip = &character.clips()[0];
    assert_eq!(clip.name, "wave");
    assert_eq!([clip.start_secs(), clip.end_secs()], [0.0, 0.08]);
    let mesh = &character.meshes()[0];
    let points = mesh.control_points().unwrap().of_vertex.clone();
    // Times in frames, before and after the cache too.
    for at in [-1.0, 0.0, 0.25, 1.0, 1.5, 2.0, 9.0] {
        let clamped = f64::clamp(at, 0.0, 2.0);
        let (before, fraction) = (clamped.floor() as usize, clamped.fract());
        for (vertex, found) in posed(&import, at / 25.0).into_iter().enumerate() {
            let point = points[vertex] as usize;
            let [a, b] = [before, (before + 1).min(2)]
                .map(|frame| Vec3::from(position(frame, point)).as_dvec3());
            let expected = a.lerp(b, fraction);
            assert!(found.distance(expected) < 1e-5, "{at}: {found}, {expected}");
        }
    }
}

#[test]
fn every_corner_can_be_a_vertex() {
    let folder = folder(&mdd(5, &[0.0, 1.0], &positions(2, POINTS)), "a.mdd");
    let mesh = folder.path().join("cloth.obj").display().to_string();
    let options = ImportOptions {
        positions: PositionSharing::Corners,
        ..ImportOptions::default()
    };
    let caches = [cache_file(folder.path(), "a.mdd")];
    let import = import_with_caches(&mesh, &options, &caches).unwrap();
    assert_eq!(posed(&import, 1.0).len(), 7);
}

#[track_caller]
fn assert_refused(bytes: &[u8], kind: ErrorKind, words: &[&str]) {
    for name in ["bad.pc2", "bad.mdd"] {
        if (name == "bad.pc2") != bytes.starts_with(b"POINT") {
            continue;
        }
        let folder = folder(bytes, name);
        let error = try_import(folder.path(), cache_file(folder.path(), name)).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.kind, kind, "{text}");
        assert!(text.contains(name), "{text}");
        for word in words {
            assert!(text.contains(word), "'{word}' is not in: {text}");
        }
    }
}

#[test]
fn bad_headers_are_refused() {
    let numbers = positions(3, POINTS);
    let good = pc2(5, 3, [0.0, 1.0], &numbers);
    assert_refused(
        &good[..good.len() - 1],
        ErrorKind::Container,
        &["211 bytes", "212", "truncated"],
    );
    assert_refused(
        &good[..31],
        ErrorKind::Container,
        &["31 bytes", "32", "truncated"],
    );
    assert_refused(
        &mdd(5, &[0.0], &numbers)[..7],
        ErrorKind::Container,
        &["7 bytes"],
    );
    // Numbers that no file can have allocate nothing.
    let (_, peak) = peak_of_thread(|| {
        let words = ["truncated"];
        assert_refused(
            &pc2(i32::MAX, 1 << 24, [0.0, 1.0], &[]),
            ErrorKind::Container,
            &words,
        );
        assert_refused(&mdd(i32::MAX, &[0.0; 3], &[]), ErrorKind::Container, &words);
    });
    assert!(peak < 1 << 20, "{peak}");
    assert_refused(
        &pc2(5, i32::MAX, [0.0, 1.0], &[]),
        ErrorKind::Limit,
        &["MAX_FRAMES"],
    );
    for count in [0, -1, i32::MIN] {
        assert_refused(
            &pc2(count, 3, [0.0, 1.0], &numbers),
            ErrorKind::Data,
            &["points", "at least 1"],
        );
        assert_refused(
            &pc2(5, count, [0.0, 1.0], &numbers),
            ErrorKind::Data,
            &["frames", "at least 1"],
        );
        assert_refused(
            &mdd(count, &[0.0], &numbers),
            ErrorKind::Data,
            &["points", "at least 1"],
        );
    }
    for timing in [
        [f32::NAN, 1.0],
        [0.0, 0.0],
        [0.0, -1.0],
        [0.0, f32::INFINITY],
    ] {
        assert_refused(&pc2(5, 3, timing, &numbers), ErrorKind::Data, &["frame"]);
    }
    let mut version = good.clone();
    version[12] = 2;
    assert_refused(
        &version,
        ErrorKind::Unsupported,
        &["version 2", "expected 1"],
    );
    let mut magic = good;
    magic[5] = b'X';
    assert_refused(&magic, ErrorKind::Container, &["POINTCACHE2"]);
    assert_refused(
        &mdd(5, &[0.0, 0.0], &numbers),
        ErrorKind::Data,
        &["frame 1", "not after"],
    );
    assert_refused(
        &mdd(5, &[0.0, f32::NAN], &numbers),
        ErrorKind::Data,
        &["frame 1", "not finite"],
    );
    assert_refused(
        &mdd(5, &[0.0, 1e9], &numbers),
        ErrorKind::Limit,
        &["MAX_CLIP_SECS"],
    );
}

#[test]
fn other_numbers_of_points_are_refused_with_both() {
    let bytes = pc2(7, 1, [0.0, 1.0], &positions(1, 7));
    assert_refused(
        &bytes,
        ErrorKind::Data,
        &["7 points", "'Cloth' 5", "same mesh"],
    );
    let folder = folder(&bytes, "a.pc2");
    for (mesh, words) in [
        ("Cloth", ["7 points", "'Cloth' 5"]),
        ("Sail", ["Sail", "Cloth"]),
    ] {
        let cache = CacheFile {
            mesh: Some(mesh.into()),
            ..cache_file(folder.path(), "a.pc2")
        };
        let error = try_import(folder.path(), cache).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn bytes_after_the_last_frame_are_a_warning() {
    let mut bytes = pc2(5, 3, [0.0, 1.0], &positions(3, POINTS));
    bytes.extend([0; 9]);
    let (_, warnings) = read(bytes).unwrap();
    let file = "a.cache".to_owned();
    assert_eq!(warnings, [Warning::CacheBytesIgnored { file, bytes: 9 }]);
    assert!(warnings[0].to_string().starts_with("a.cache: "));
}

#[test]
fn a_number_that_is_not_finite_is_a_failure_of_its_frame() {
    for number in [f32::NAN, f32::INFINITY] {
        let mut numbers = positions(3, POINTS);
        numbers[POINTS * 3 + 7] = number;
        let (cache, _) = read(mdd(5, &[0.0, 1.0, 2.0], &numbers)).unwrap();
        frame(&cache, 0);
        let error = cache.read_positions(1, &mut Vec::new()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("frame 1") && text.contains("point 2"),
            "{text}"
        );
    }
}

#[test]
fn a_file_that_changes_while_it_is_open_is_not_read() {
    let bytes = pc2(5, 3, [0.0, 1.0], &positions(3, POINTS));
    let folder = folder(&bytes, "a.pc2");
    let path = folder.path().join("a.pc2");
    let cache = PointCache::open(&path, 25.0, &mut Vec::new()).unwrap();
    frame(&cache, 0);
    fs::write(&path, &bytes[..60]).unwrap();
    let error = cache.read_positions(0, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("changed"), "{error}");
}

#[test]
fn a_mesh_has_one_cache_and_no_skin() {
    let folder = folder(&pc2(5, 1, [0.0, 1.0], &positions(1, POINTS)), "a.pc2");
    let cache = cache_file(folder.path(), "a.pc2");
    let mesh = folder.path().join("cloth.obj").display().to_string();
    let twice = [cache.clone(), cache];
    let error = import_with_caches(&mesh, &ImportOptions::default(), &twice).unwrap_err();
    assert!(error.to_string().contains("another cache"), "{error}");
    let character = import("builtin:bar:100", &ImportOptions::default()).unwrap();
    let points = character.character.meshes()[0].vertex_count();
    let bytes = pc2(points as i32, 1, [0.0, 1.0], &positions(1, points));
    fs::write(folder.path().join("bar.pc2"), bytes).unwrap();
    let caches = [cache_file(folder.path(), "bar.pc2")];
    let error = import_with_caches("builtin:bar:100", &ImportOptions::default(), &caches);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("without its skin"), "{error}");
}

#[test]
fn digests_see_every_byte() {
    let bytes = pc2(5, 900, [0.0, 1.0], &positions(900, POINTS));
    let folder = folder(&bytes, "a.pc2");
    let mut found: Vec<u8> = Vec::new();
    visit_cache_file(&folder.path().join("a.pc2"), |part| found.extend(part)).unwrap();
    assert_eq!(found, bytes);
}

/// Corrupt files, the same in every run: none panics or takes more memory than its size, and frames that are read are
/// finite.
#[test]
fn corrupt_caches_are_errors() {
    let numbers = positions(4, POINTS);
    let valid = [
        pc2(5, 4, [0.0, 1.0], &numbers),
        mdd(5, &[0.0, 0.5, 1.0, 4.0], &numbers),
    ];
    let mut random = Random::new(7);
    let mut whole = 0;
    for index in 0..cases(4000) as usize {
        let mut bytes = valid[index % 2].clone();
        match index % 3 {
            // Numbers of the header.
            0 => {
                let at = 4 * random.below(8);
                let extremes = [
                    0,
                    1,
                    2,
                    0x7FFF_FFFF,
                    0x8000_0000,
                    u32::MAX,
                    0x7F80_0000,
                    1 << 24,
                ];
                bytes[at..at + 4].copy_from_slice(&random.pick(&extremes).to_le_bytes());
            }
            _ => corrupt_bytes(&mut bytes, &mut random),
        }
        let length = bytes.len();
        let run = || {
            let Ok((cache, _)) = read(bytes.clone()) else {
                return 0;
            };
            let mut out = Vec::new();
            let frames = 0..cache.times_secs().len();
            let read = frames.filter(|&frame| cache.read_positions(frame, &mut out).is_ok());
            read.count()
        };
        let (result, peak) = peak_of_thread(|| catch_unwind(run));
        whole += result.unwrap_or_else(|_| panic!("case {index} panicked"));
        assert!(peak < 16 * length + (1 << 17), "case {index}: {peak} bytes");
    }
    assert!(whole > 100, "only {whole} frames were read");
}

/// Corrupt OBJ files, the same in every run. Each is an error, or a mesh whose numbers are finite.
#[test]
fn corrupt_meshes_are_errors_or_finite() {
    let mut random = Random::new(8);
    let mut loaded = 0;
    let count = cases(1500);
    for index in 0..count {
        let mut bytes = OBJ.as_bytes().to_vec();
        corrupt_bytes(&mut bytes, &mut random);
        let result = catch_unwind(|| {
            let options = ImportOptions::default();
            throng_import::import_bytes("a.obj", &bytes, None, &options)
        });
        let result = result.unwrap_or_else(|_| panic!("case {index} panicked"));
        match result {
            Ok(import) => {
                assert_fields_finite(&import.character, &format!("case {index}"));
                loaded += 1;
            }
            Err(error) => assert!(error.to_string().starts_with("a.obj: "), "{error}"),
        }
    }
    assert!(
        loaded > count / 100 && loaded < count,
        "{loaded} of {count}"
    );
}

#[test]
fn material_files_of_obj_are_reported_once() {
    let options = ImportOptions::default();
    let read = |text: &str| {
        let import = throng_import::import_bytes("a.obj", text.as_bytes(), None, &options);
        let warnings = import.unwrap().warnings.into_iter();
        let unused = warnings.filter(|w| matches!(w, Warning::Unused { .. }));
        unused.map(|w| w.to_string()).collect::<Vec<_>>()
    };
    assert!(read(OBJ).is_empty());
    let warnings = read(&format!("mtllib a b.mtl\r\nmtllib c.mtl\n{OBJ}"));
    let expected = "ignored the materials of file 'a b.mtl' and 1 more: those of OBJ are not read";
    assert_eq!(warnings, [expected]);
}

#[test]
fn frame_rates_that_are_not_positive_are_refused() {
    let bytes = pc2(5, 1, [0.0, 1.0], &positions(1, POINTS));
    for rate in [0.0, -24.0, f64::NAN] {
        let error = PointCache::from_bytes("a.pc2", bytes.clone(), rate, &mut Vec::new());
        let text = error.unwrap_err().to_string();
        assert!(text.contains("invalid frame rate"), "{text}");
    }
}
