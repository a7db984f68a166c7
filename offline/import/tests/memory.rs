//! Hostile files are rejected, or need memory and time in proportion to their size.
//!
//! A counting allocator measures the peak number of live bytes.

mod common;

use std::time::{Duration, Instant};

use common::{assert_finite, bombs};
use throng_import::{ImportOptions, import_bytes, import_file};
use throng_rig::Mesh;
use throng_testkit::{CountingAllocator, files_below, peak_of_process, shared_assets};

/// Maximum peak memory of an import, without its file.
const MAX_PEAK_BYTES: usize = 500 << 20;

/// Maximum time per file, on a slow machine. The slowest file takes a second.
const MAX_TIME: Duration = Duration::from_secs(20);

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Runs a function, and asserts the limits of peak memory and time.
fn measured<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let (result, peak) = peak_of_process(run);
    let taken = start.elapsed();
    println!(
        "{:6.1} MB {:6.0} ms  {name}",
        peak as f64 / 1e6,
        1e3 * taken.as_secs_f64()
    );
    assert!(peak < MAX_PEAK_BYTES, "{name}: peak of {peak} bytes");
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
        let result = measured(&name, || import_bytes("bomb.glb", &bytes, None, &options));
        let kind = result.as_ref().err().map(|error| error.kind);
        assert_eq!(kind, bomb.expect, "{}: {:?}", bomb.name, result.err());
        if let Ok(import) = &result {
            let meshes = import.character.meshes().iter();
            if meshes.map(Mesh::vertex_count).sum::<usize>() < 100_000 {
                assert_finite(&import.character, 1, bomb.name);
            }
        }
    }
    let Some(assets) = shared_assets() else {
        return;
    };
    let draco = std::fs::read(assets.join("gltf/derived/Fox_draco_indexed.glb")).unwrap();
    measured("Draco headers that claim much", || {
        for bytes in corrupt_draco(&draco) {
            let _ = import_bytes("draco.glb", &bytes, None, &options);
        }
    });
    for file in files_below(&assets.join("malformed"), &["glb", "gltf"]) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let _ = measured(&name, || import_file(&file, &options));
    }
}
