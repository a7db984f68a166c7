//! Sets that replace others, with a fault at every operation.

use std::fs;

use super::*;
use crate::atomic::{Fault, FaultyDisk};
use fixture::bar;

fn write_on(system: impl FileSystem, set: &TextureSet, folder: &Path) -> Result<u64, DiskError> {
    let report = SideFile {
        name: REPORT,
        contents: &|bytes| bytes.to_string().into_bytes(),
    };
    let (format, none) = (FileFormat::Ktx2, Supercompression::None);
    write_folder_on(system, set, folder, format, none, &[report])
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Name of the set in a folder, which must be complete.
fn name_of(folder: &Path) -> String {
    assert!(folder.join(REPORT).exists());
    read(folder).unwrap().manifest().name.clone()
}

/// Files of a user in the folder of a set.
const FOREIGN: [&str; 3] = ["notes.txt", "mesh.glb.meta", "thumbs/small.png"];

fn add_foreign(folder: &Path) {
    fs::create_dir(folder.join("thumbs")).unwrap();
    for name in FOREIGN {
        fs::write(folder.join(name), name).unwrap();
    }
}

fn assert_foreign(folder: &Path) {
    for name in FOREIGN {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), name);
    }
}

/// A disk without a fault. It flushes nothing, which is faster.
fn sound_disk(has_exchange: bool) -> FaultyDisk {
    FaultyDisk::new(Fault::Error, usize::MAX, has_exchange)
}

/// Writes a new set over an old one with each fault at each operation, and then again without.
fn check_faults(fault: Fault, has_exchange: bool) {
    let [old, new, last] = ["old", "new", "last"].map(bar);
    for operation in 0.. {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("set");
        write_on(sound_disk(has_exchange), &old, &folder).unwrap();
        add_foreign(&folder);
        let disk = FaultyDisk::new(fault, operation, has_exchange);
        let result = write_on(disk.clone(), &new, &folder);
        if !disk.has_happened() {
            result.unwrap();
            assert!(operation > 20, "{operation} operations");
            println!("{operation} operations, {fault:?}, exchange {has_exchange}");
            return;
        }
        let context = format!("{fault:?} at operation {operation}: {result:?}");
        if !folder.exists() {
            assert!(!has_exchange && fault != Fault::Error, "{context}");
            let kept = leftover_of(&folder).expect(&context);
            assert_eq!(name_of(&kept), "old", "{context}");
            assert_foreign(&kept);
            let message = read(&folder).unwrap_err().to_string();
            assert!(message.contains(kept.to_str().unwrap()), "{message}");
            // A write that is given up brings the old set back too.
            drop(AtomicFolder::create(sound_disk(false), &folder, listed_files).unwrap());
        }
        let name = name_of(&folder);
        assert!(name == "old" || name == "new", "{context}");
        if result.is_ok() {
            assert_eq!(name, "new", "{context}");
        }
        assert_foreign(&folder);
        write_on(sound_disk(has_exchange), &last, &folder).unwrap();
        assert_eq!(name_of(&folder), "last");
        assert_foreign(&folder);
        assert_eq!(names_in(home.path()), ["set"], "{context}");
        assert_eq!(
            names_in(&folder),
            [
                "bones.ktx2",
                "manifest.json",
                "mesh.glb",
                "mesh.glb.meta",
                "notes.txt",
                "report.json",
                "thumbs"
            ],
            "{context}"
        );
    }
}

#[test]
fn failed_operation_leaves_the_old_or_the_new_set() {
    for has_exchange in [true, false] {
        check_faults(Fault::Error, has_exchange);
    }
}

#[test]
fn killed_process_leaves_the_old_or_the_new_set() {
    for has_exchange in [true, false] {
        check_faults(Fault::Kill, has_exchange);
    }
}

#[test]
fn power_loss_leaves_the_old_or_the_new_set() {
    for has_exchange in [true, false] {
        check_faults(Fault::PowerLoss, has_exchange);
    }
}

/// A set of the bar on disk.
fn written() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("set");
    write_on(sound_disk(true), &bar("bar"), &folder).unwrap();
    (home, folder)
}

fn edit_manifest(folder: &Path, edit: impl FnOnce(&mut serde_json::Value)) {
    let path = folder.join(MANIFEST);
    let mut json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    edit(&mut json);
    fs::write(path, json.to_string()).unwrap();
}

/// Flips a bit of a file in place.
fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn manifest_lists_every_other_file_with_its_digest() {
    let (_home, folder) = written();
    let manifest = read_manifest(&folder).unwrap();
    let mut listed = Vec::new();
    for file in &manifest.files {
        assert_eq!(
            file.digest,
            digest(&fs::read(folder.join(&file.name)).unwrap())
        );
        listed.push(file.name.clone());
    }
    listed.push(MANIFEST.into());
    listed.sort();
    assert_eq!(listed, names_in(&folder));
    // The report states the number of bytes of all other files.
    let report: u64 = fs::read_to_string(folder.join(REPORT))
        .unwrap()
        .parse()
        .unwrap();
    let names = listed.iter().filter(|name| *name != REPORT);
    let bytes: u64 = names.map(|name| len(&folder.join(name)).unwrap()).sum();
    assert_eq!(report, bytes);
}

#[test]
fn rejects_a_flipped_bit_of_a_texel() {
    let (_home, folder) = written();
    let path = folder.join("bones.ktx2");
    let length = fs::read(&path).unwrap().len();
    flip(&path, length - 8);
    let error = read(&folder).unwrap_err();
    assert!(matches!(error, DiskError::Digest { .. }), "{error}");
    assert!(error.to_string().contains("bones.ktx2"), "{error}");
    // Sets of other writers may have no digests.
    edit_manifest(&folder, |json| {
        json.as_object_mut().unwrap().remove("files");
    });
    read(&folder).unwrap();
}

#[test]
fn rejects_a_flipped_bit_of_the_mesh() {
    let (_home, folder) = written();
    let path = folder.join("mesh.glb");
    let length = fs::read(&path).unwrap().len();
    flip(&path, length - 4);
    assert!(read(&folder).is_err());
}

#[test]
fn rejects_a_flipped_bit_in_any_buffer_view_of_one_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("set.glb");
    write_glb(&bar("bar"), &path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let json_length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let binary = 12 + 8 + json_length + 8;
    read(&path).unwrap();
    for at in (binary..bytes.len()).step_by(61) {
        flip(&path, at);
        // Bytes between views are padding.
        if let Err(error) = read(&path) {
            assert!(matches!(error, DiskError::Model { .. }), "{error}");
        } else {
            assert!(bytes[at] == 0, "byte {at}");
        }
        flip(&path, at);
    }
}

#[test]
fn rejects_texture_files_that_are_listed_twice_or_too_often() {
    for (files, reason) in [
        (
            serde_json::json!(["bones.ktx2", "bones.ktx2"]),
            "expected 1 ktx2 files",
        ),
        (
            serde_json::json!(["a.png", "a.png"]),
            "expected 1 png files",
        ),
    ] {
        let (_home, folder) = written();
        edit_manifest(&folder, |json| json["textures"][0]["files"] = files);
        let error = read(&folder).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let (_home, folder) = written();
    edit_manifest(&folder, |json| {
        json["textures"][0]["layers"] = 2.into();
        json["textures"][0]["files"] = serde_json::json!(["mesh.png", "mesh.png"]);
    });
    fs::write(folder.join("mesh.png"), "").unwrap();
    let error = read(&folder).unwrap_err().to_string();
    assert!(error.contains("mesh.png is listed twice"), "{error}");
}

#[test]
#[cfg(unix)]
fn rejects_pipes_and_devices_as_files_of_a_set() {
    for name in ["bones.ktx2", "mesh.glb"] {
        let (_home, folder) = written();
        let path = folder.join(name);
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let error = read(&folder).unwrap_err();
        assert!(matches!(error, DiskError::NotAFile { .. }), "{error}");
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let error = read(&folder).unwrap_err();
        assert!(matches!(error, DiskError::NotAFile { .. }), "{error}");
    }
    let error = read(Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error, DiskError::NotAFile { .. }), "{error}");
}
