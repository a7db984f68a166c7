//! Sets that replace others, with a fault at every operation.

use std::fs;

use super::*;
use crate::atomic::{Fault, FaultyDisk};
use fixture::bar;

fn write_on(system: impl FileSystem, set: &TextureSet, folder: &Path) -> Result<u64, DiskError> {
    let report = |_| vec![(REPORT.to_owned(), b"{}".to_vec())];
    let (format, none) = (FileFormat::Ktx2, Supercompression::None);
    write_folder_on(system, set, folder, format, none, report)
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
            let kept = crate::atomic::leftover_of(&folder).expect(&context);
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
