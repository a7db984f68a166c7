//! Sets whose small files declare large textures are refused before memory is allocated for them.

use std::fs::{self, File};
use std::io::BufWriter;

use throng_format::file::{FileFormat, Supercompression};
use throng_format::*;
use throng_testkit::{CountingAllocator, peak_of_process};

#[path = "../src/disk/fixture.rs"]
mod fixture;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Limit of memory to refuse a set: the mesh, the manifest and buffers.
const SMALL: usize = 4 << 20;

/// A single test, since allocations of concurrent tests would be counted too.
#[test]
fn rejects_a_decompression_bomb_in_little_memory() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("set");
    let set = fixture::bar("bar");
    let zstd = Supercompression::Zstd;
    disk::write_folder(&set, &folder, FileFormat::Ktx2, zstd, &[]).unwrap();
    let (read, peak) = peak_of_process(|| disk::read(&folder));
    read.unwrap();
    assert!(peak < SMALL, "{peak} bytes for a valid set");

    let entry = &set.manifest().textures[0];
    let rows = (128 << 20) / (entry.width * 16);
    let size = [entry.width, rows, 1];
    let zeros = Texture::zeroed(entry.texels, size).unwrap();
    let mut file = BufWriter::new(File::create(folder.join("bones.ktx2")).unwrap());
    file::write(&zeros, 0, FileFormat::Ktx2, zstd, &mut file).unwrap();
    drop(file);
    let path = folder.join(disk::MANIFEST);
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    json["textures"][0]["height"] = rows.into();
    json["files"] = serde_json::json!([]);
    fs::write(&path, json.to_string()).unwrap();
    let bytes = fs::metadata(folder.join("bones.ktx2")).unwrap().len();
    assert!(bytes < 100_000, "{bytes} bytes");
    let (read, peak) = peak_of_process(|| disk::read(&folder));
    let error = read.unwrap_err().to_string();
    println!(
        "{bytes} bytes for {} of texels: {peak} bytes: {error}",
        zeros.bytes().len()
    );
    assert!(error.contains("bake without Zstandard"), "{error}");
    assert!(peak < SMALL, "{peak} bytes");

    // A layout that does not fit is refused before any texture is read.
    json["textures"][0]["height"] = 1_000_000_000.into();
    json["clips"][0]["frames"] = 2_000_000_000.into();
    fs::write(&path, json.to_string()).unwrap();
    let (read, peak) = peak_of_process(|| disk::read(&folder));
    assert!(read.is_err());
    assert!(peak < SMALL, "{peak} bytes");
}
