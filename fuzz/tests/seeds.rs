//! Seeds are valid.

use throng_format::{disk, read_model};
use throng_fuzz::seeds::seeds;
use throng_import::{ImportOptions, PointCache, import_bytes, import_motion_bytes};

#[test]
fn seeds_of_import_are_valid_files() {
    for target in ["gltf", "glb", "fbx", "obj", "abc"] {
        for (name, bytes) in seeds(target) {
            let file = format!("{name}.{target}");
            let import = import_bytes(&file, &bytes, None, &ImportOptions::default());
            let import = import.unwrap_or_else(|error| panic!("{error}"));
            // A motion set has no mesh.
            let is_empty = import.character.parts().is_empty();
            assert_eq!(is_empty, name == "motion", "{file}");
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
fn seeds_of_caches_are_valid_files() {
    for (name, bytes) in seeds("cache") {
        let cache = PointCache::from_bytes(&name, bytes, 24.0, &mut Vec::new());
        cache.unwrap_or_else(|error| panic!("{error}"));
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

/// The manifest of a member refers to the motion set of every folder that the target makes.
#[test]
fn seed_of_a_member_uses_the_motion_set() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = throng_fuzz::seeds::sets::member_manifest(folder.path());
    let known = seeds("manifest");
    assert!(
        known
            .iter()
            .any(|(name, bytes)| name == "member" && *bytes == manifest)
    );
    let set = folder.path().join("set.throng");
    std::fs::create_dir(&set).unwrap();
    let (_, mesh) = seeds("mesh")
        .into_iter()
        .find(|(name, _)| name.starts_with("bone-local"))
        .unwrap();
    std::fs::write(set.join("mesh.glb"), mesh).unwrap();
    std::fs::write(set.join(disk::MANIFEST), manifest).unwrap();
    disk::read(&set).unwrap_or_else(|error| panic!("{error}"));
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
