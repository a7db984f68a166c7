//! Seeds are valid.

use throng_format::{disk, read_model};
use throng_fuzz::seeds::seeds;
use throng_import::{ImportOptions, import_bytes, import_motion_bytes};

#[test]
fn seeds_of_import_are_valid_files() {
    for target in ["gltf", "glb", "fbx"] {
        for (name, bytes) in seeds(target) {
            let file = format!("{name}.{target}");
            let import = import_bytes(&file, &bytes, None, &ImportOptions::default());
            let import = import.unwrap_or_else(|error| panic!("{error}"));
            assert!(!import.character.parts().is_empty(), "{file}");
        }
    }
}

#[test]
fn seeds_of_motion_are_valid_files() {
    for (name, bytes) in seeds("bvh") {
        let file = format!("{name}.bvh");
        let import = import_motion_bytes(&file, &bytes, None, &ImportOptions::default());
        import.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn seeds_of_sets_are_valid_sets() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in seeds("set_file") {
        let path = folder.path().join(format!("{name}.glb"));
        std::fs::write(&path, bytes).unwrap();
        disk::read(&path).unwrap_or_else(|error| panic!("{error}"));
    }
    for (name, bytes) in seeds("mesh") {
        read_model(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A changed byte must reach the code behind the digests.
#[test]
fn seeds_of_sets_have_no_digests() {
    for target in ["set_folder", "set_file"] {
        for (name, bytes) in seeds(target) {
            let digits = bytes.windows(15).filter(|w| w.starts_with(b"sha256:"));
            assert_eq!(digits.count(), 0, "{target} {name}");
        }
    }
}
