//! Hostile files are rejected, or need memory and time in proportion to their size.
//!
//! A counting allocator measures the peak number of live bytes.

mod common;

use std::time::{Duration, Instant};

use common::{assert_finite, bombs, glb_bytes};
use throng_import::{
    ErrorKind, ImportOptions, import_bytes, import_file, import_motion_bytes, import_motion_file,
};
use throng_rig::{Character, CharacterPose, Mesh, Method};
use throng_testkit::{CountingAllocator, files_below, peak_of_process, shared_assets};

/// Maximum peak memory of an import that is rejected, without its file. One that loads may take ten times the bytes
/// that its file declares in addition.
const BASE_PEAK_BYTES: u64 = 200_000_000;

/// Maximum time per file, on a slow machine. The slowest file takes a second.
const MAX_TIME: Duration = Duration::from_secs(20);

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Runs a function, and asserts the limits of peak memory and time.
fn measured<T>(name: &str, max_peak_bytes: u64, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let (result, peak) = peak_of_process(run);
    let taken = start.elapsed();
    println!(
        "{:6.1} MB {:6.0} ms  {name}",
        peak as f64 / 1e6,
        1e3 * taken.as_secs_f64()
    );
    assert!(
        (peak as u64) < max_peak_bytes,
        "{name}: peak of {peak} bytes, the limit is {max_peak_bytes}"
    );
    assert!(taken < MAX_TIME, "{name}: {taken:?}");
    result
}

/// Returns copies of a file, each with one of the first bytes of its Draco mesh, which hold counts, set to
/// the maximum.
fn corrupt_draco(file: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let magic = file.windows(5).position(|bytes| bytes == b"DRACO");
    let start = magic.expect("a Draco mesh");
    (start..start + 64).flat_map(move |at| {
        [1, 4].map(|length| {
            let mut bytes = file.to_vec();
            bytes[at..at + length].fill(0xff);
            bytes[at + length] &= 0x7f;
            bytes
        })
    })
}

/// A single test, because the allocator counts all threads.
#[test]
fn bombs_are_rejected_or_bounded_in_memory_and_time() {
    let options = ImportOptions::default();
    for bomb in bombs() {
        let bytes = bomb.glb.bytes();
        let name = format!("{}, {} bytes", bomb.name, bytes.len());
        let max_peak_bytes = match bomb.expect {
            Some(_) => BASE_PEAK_BYTES,
            None => BASE_PEAK_BYTES + 10 * bomb.declared_bytes(),
        };
        let result = measured(&name, max_peak_bytes, || {
            let result = import_bytes("bomb.glb", &bytes, None, &options);
            // As `throng inspect` does.
            let _ = result.as_ref().map(|import| posed_size(&import.character));
            result
        });
        let kind = result.as_ref().err().map(|error| error.kind);
        assert_eq!(kind, bomb.expect, "{}: {:?}", bomb.name, result.err());
        // Meshes are not read, so some of these load.
        let _ = measured(&format!("motion of {name}"), max_peak_bytes, || {
            import_motion_bytes("bomb.glb", &bytes, None, &options)
        });
        if let Ok(import) = &result {
            let meshes = import.character.meshes().iter();
            if meshes.map(Mesh::vertex_count).sum::<usize>() < 100_000 {
                assert_finite(&import.character, 1, bomb.name);
            }
        }
    }
    for (name, text, expect) in bvh_bombs() {
        let max_peak_bytes = match expect {
            Some(_) => BASE_PEAK_BYTES,
            None => BASE_PEAK_BYTES + 10 * text.len() as u64,
        };
        let name = format!("{name}, {} bytes", text.len());
        let result = measured(&name, max_peak_bytes, || {
            import_motion_bytes("bomb.bvh", text.as_bytes(), None, &options)
        });
        let kind = result.as_ref().err().map(|error| error.kind);
        assert_eq!(kind, expect, "{name}: {:?}", result.err());
        if let Ok(import) = &result {
            assert_finite(&import.character, 1, &name);
        }
    }
    let Some(assets) = shared_assets() else {
        return;
    };
    let motion = assets.join("motion/cmu_01_01.bvh");
    let bytes = motion.metadata().unwrap().len();
    let name = format!("motion capture, {bytes} bytes");
    measured(&name, 20_000_000 + 10 * bytes, || {
        import_motion_file(&motion, &options).unwrap()
    });
    let draco = std::fs::read(assets.join("gltf/derived/Fox_draco_indexed.glb")).unwrap();
    measured("Draco headers that claim much", BASE_PEAK_BYTES, || {
        for bytes in corrupt_draco(&draco) {
            let _ = import_bytes("draco.glb", &bytes, None, &options);
        }
    });
    for file in files_below(&assets.join("malformed"), &["glb", "gltf"]) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let _ = measured(&name, BASE_PEAK_BYTES, || import_file(&file, &options));
    }
    for (uses, expect) in [(100, None), (20_000, Some(ErrorKind::Limit))] {
        let bytes = repeated_draco(&draco, uses);
        let name = format!("{uses} uses of a Draco mesh, {} bytes", bytes.len());
        let result = measured(&name, 2 * BASE_PEAK_BYTES, || {
            import_bytes("draco.glb", &bytes, None, &options)
        });
        assert_eq!(result.err().map(|error| error.kind), expect, "{name}");
    }
}

/// Returns the extent of the character in its rest pose.
fn posed_size(character: &Character) -> f64 {
    let pose = CharacterPose::rest(character);
    let bounds = throng_skin::posed_bounds(character, &pose, Method::Lbs);
    bounds.extent().max_element()
}

/// Returns a GLB whose only mesh has many primitives that share one Draco mesh.
fn repeated_draco(file: &[u8], uses: usize) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let json_end = 20 + word(12);
    let mut json: serde_json::Value = serde_json::from_slice(&file[20..json_end]).unwrap();
    let primitive = json["meshes"][0]["primitives"][0].clone();
    json["meshes"][0]["primitives"] = vec![primitive; uses].into();
    glb_bytes(json.to_string().as_bytes(), &file[json_end + 8..])
}

/// BVH files that claim much or nest deeply, with the error that each is rejected by.
fn bvh_bombs() -> Vec<(&'static str, String, Option<ErrorKind>)> {
    let joint = "JOINT a { OFFSET 0 1 0 ";
    let motion = "MOTION Frames: 1 Frame Time: 0.1 0";
    let nested = |depth: usize| {
        let (open, close) = (joint.repeat(depth), "}".repeat(depth));
        format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {open}{close}}} {motion}")
    };
    let one = |channels: &str, motion: &str| {
        format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS {channels} }} MOTION {motion}")
    };
    let million = 1_000_000;
    let named = format!(
        "HIERARCHY ROOT {} {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {} }} {motion}",
        "x".repeat(1000),
        "End Site{OFFSET 0 1 0}".repeat(100_000)
    );
    let moving: String = (0..million).map(|i| ["0 ", "1 "][i % 2]).collect();
    vec![
        (
            "a million nested joints",
            nested(million),
            Some(ErrorKind::Limit),
        ),
        ("100 000 nested joints", nested(100_000), None),
        ("100 000 End Sites of a joint with a long name", named, None),
        (
            "a million channels",
            one(
                &format!("{million} {}", "Xrotation ".repeat(million)),
                &format!("Frames: 1 Frame Time: 0.1 {}", "1 ".repeat(million)),
            ),
            None,
        ),
        (
            "a million frames",
            one(
                "1 Xrotation",
                &format!("Frames: {million} Frame Time: 0.01 {moving}"),
            ),
            None,
        ),
        (
            "many channels claimed",
            one("4000000000 Xrotation", "Frames: 1 Frame Time: 0.1 0"),
            Some(ErrorKind::Container),
        ),
        (
            "many frames claimed",
            one("1 Xrotation", "Frames: 80000000000 Frame Time: 0.000001 0"),
            Some(ErrorKind::Container),
        ),
        (
            "many frames claimed of no channels",
            one("0", "Frames: 80000000000 Frame Time: 0.000001"),
            Some(ErrorKind::Data),
        ),
    ]
}
