//! Sets that share the textures of a motion set.

use std::fs;

use super::*;
use crate::{Extension, MotionMesh, Source};
use fixture::bar;

/// A character of the bar's motion set.
fn member(motion: &TextureSet, name: &str) -> TextureSet {
    let whole = bar(name);
    let member = motion.with_mesh(MotionMesh {
        name: name.into(),
        source: Source::in_memory("builtin:bar"),
        mesh: whole.mesh().clone(),
        size: 2.0,
        clip_bounds: whole.manifest().clips.iter().map(|c| c.bounds).collect(),
    });
    member.unwrap()
}

fn write(set: &TextureSet, folder: &Path) {
    let (format, none) = (FileFormat::Ktx2, Supercompression::None);
    write_folder(set, folder, format, none, &[]).unwrap();
}

/// A party of two characters on disk.
fn party() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let motion = bar("motion").without_mesh().unwrap();
    let folder = home.path().join("motion.throng");
    write(&motion, &folder);
    let reference = motion_reference(&folder).unwrap();
    for name in ["knight", "mage"] {
        let set = member(&motion, name)
            .with_motion(reference.clone())
            .unwrap();
        write(&set, &home.path().join(format!("{name}.throng")));
    }
    home
}

fn edit(folder: &Path, edit: impl FnOnce(&mut serde_json::Value)) {
    let path = folder.join(MANIFEST);
    let mut json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    edit(&mut json);
    fs::write(path, json.to_string()).unwrap();
}

#[test]
fn party_holds_one_copy_of_the_textures() {
    let home = party();
    let sets = read_party(home.path()).unwrap();
    let names: Vec<&str> = sets
        .iter()
        .map(|s| s.set.manifest().name.as_str())
        .collect();
    assert_eq!(names, ["knight", "mage", "motion"]);
    let first = sets[0].set.shared_textures();
    for PartySet { path, set } in &sets {
        assert!(set.shared_textures().is_same(first), "{}", path.display());
        assert_eq!(set.manifest().version, SHARED_VERSION);
    }
    assert!(sets[2].set.manifest().is_motion());
    assert!(sets[2].set.model().meshes().is_empty());
    // Two readers have two copies of the same texels.
    let alone = read(&home.path().join("mage.throng")).unwrap();
    assert!(!alone.shared_textures().is_same(first));
    assert_eq!(alone.shared_textures().digest(), first.digest());
    assert_eq!(alone.manifest(), sets[1].set.manifest());
    assert_eq!(alone.mesh(), sets[1].set.mesh());
}

#[test]
fn character_of_a_party_has_no_texture_files() {
    let home = party();
    let folder = home.path().join("knight.throng");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["manifest.json", "mesh.glb"]);
}

#[test]
fn set_written_over_a_character_leaves_no_trace_of_the_motion_set() {
    let home = party();
    let folder = home.path().join("knight.throng");
    write(&bar("alone"), &folder);
    let set = read(&folder).unwrap();
    assert_eq!(set.manifest().version, VERSION);
    assert_eq!(set.manifest().motion, None);
    assert!(folder.join("bones.ktx2").exists());
}

#[test]
fn one_file_of_a_character_holds_the_textures() {
    let home = party();
    let knight = read(&home.path().join("knight.throng")).unwrap();
    let path = home.path().join("knight.glb");
    write_glb(&knight, &path).unwrap();
    let alone = read(&path).unwrap();
    assert_eq!(alone.manifest().version, VERSION);
    assert_eq!(
        alone.shared_textures().digest(),
        knight.shared_textures().digest()
    );
}

#[test]
fn one_file_does_not_refer_to_a_motion_set() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("set.glb");
    let motion = crate::MotionReference {
        path: "../motion.throng".into(),
        digest: digest(b""),
    };
    let mut manifest = bar("bar").manifest().clone();
    manifest.motion = Some(motion);
    manifest.version = SHARED_VERSION;
    let set = bar("bar");
    let extension = Extension {
        name: EXTENSION,
        json: serde_json::json!({ "manifest": manifest }),
        blobs: set.textures().iter().map(Texture::bytes).collect(),
    };
    let mut bytes = Vec::new();
    write_model(set.model(), extension.into(), &mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(
        error.contains("motion: a set of one file holds its textures"),
        "{error}"
    );
}

#[test]
fn rejects_motion_sets_that_are_not_beside_the_set() {
    for path in [
        "",
        "..",
        "../",
        "../.",
        "../..",
        "../../motion.throng",
        "../other/motion.throng",
        "../motion.throng/",
        "../motion.throng/../motion.throng",
        "..\\motion.throng",
        "../a\\b",
        "motion.throng",
        "./motion.throng",
        "/motion.throng",
    ] {
        let home = party();
        let knight = home.path().join("knight.throng");
        edit(&knight, |json| json["motion"]["path"] = path.into());
        let error = read(&knight).unwrap_err().to_string();
        assert!(
            error.contains("motion.path: expected '../'"),
            "{path}: {error}"
        );
    }
}

#[test]
#[cfg(unix)]
fn rejects_a_motion_set_that_is_a_link_out_of_the_folder() {
    let home = party();
    let motion = home.path().join("motion.throng");
    let knight = home.path().join("knight.throng");
    // A link that stays in the folder is fine.
    let real = home.path().join("real.throng");
    fs::rename(&motion, &real).unwrap();
    std::os::unix::fs::symlink(&real, &motion).unwrap();
    read(&knight).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let outside = elsewhere.path().join("motion.throng");
    fs::rename(&real, &outside).unwrap();
    fs::remove_file(&motion).unwrap();
    std::os::unix::fs::symlink(&outside, &motion).unwrap();
    let error = read(&knight).unwrap_err();
    assert!(matches!(error, DiskError::MotionOutside { .. }), "{error}");
}

#[test]
fn rejects_a_missing_or_changed_motion_set() {
    let home = party();
    let motion = home.path().join("motion.throng");
    let knight = home.path().join("knight.throng");
    write(&bar("other motion").without_mesh().unwrap(), &motion);
    let error = read(&knight).unwrap_err();
    assert!(matches!(error, DiskError::MotionChanged { .. }), "{error}");
    fs::remove_dir_all(&motion).unwrap();
    let error = read(&knight).unwrap_err();
    assert!(matches!(error, DiskError::MotionMissing { .. }), "{error}");
    assert!(error.to_string().contains("motion.throng"), "{error}");
}

#[test]
fn rejects_a_motion_set_with_other_joints_clips_or_texels() {
    type Edit = fn(&mut serde_json::Value);
    let edits: [(&str, Edit); 4] = [
        ("joints", |json| json["joints"][1]["name"] = "tail".into()),
        ("clips", |json| json["clips"][0]["name"] = "other".into()),
        ("textures", |json| json["textures"][0]["name"] = "x".into()),
        ("layout", |json| {
            json["layout"]["bones"]["bones"][0]["scale"] = 2.0.into();
        }),
    ];
    for (location, change) in edits {
        let home = party();
        let knight = home.path().join("knight.throng");
        edit(&knight, change);
        match read(&knight).unwrap_err() {
            DiskError::MotionMismatch { error, .. } => assert_eq!(error.location, location),
            error => panic!("{location}: {error}"),
        }
    }
}

#[test]
fn rejects_a_set_with_a_mesh_as_motion_set() {
    let home = party();
    let knight = home.path().join("knight.throng");
    let mage = home.path().join("mage.throng");
    let reference = motion_reference(&mage).unwrap();
    edit(&knight, |json| {
        json["motion"] = serde_json::json!(reference);
    });
    let error = read(&knight).unwrap_err();
    assert!(matches!(error, DiskError::MotionMismatch { .. }), "{error}");
    assert!(error.to_string().contains("without a mesh"), "{error}");
}

#[test]
fn rejects_a_flipped_bit_in_the_textures_of_a_motion_set() {
    let home = party();
    let path = home.path().join("motion.throng/bones.ktx2");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 8;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = read(&home.path().join("knight.throng")).unwrap_err();
    assert!(matches!(error, DiskError::Digest { .. }), "{error}");
}

#[test]
fn rejects_wrong_versions_and_own_texture_files() {
    type Edit = fn(&mut serde_json::Value);
    let edits: [(&str, &str, Edit); 4] = [
        ("knight", "version: expected 4", |json| {
            json["version"] = 3.into();
        }),
        ("motion", "version: expected 4", |json| {
            json["version"] = 3.into();
        }),
        ("knight", "version: expected 3", |json| {
            json["motion"] = ().into();
        }),
        ("knight", "textures[0].files", |json| {
            json["textures"][0]["files"] = serde_json::json!(["bones.ktx2"]);
        }),
    ];
    for (name, message, change) in edits {
        let home = party();
        let folder = home.path().join(format!("{name}.throng"));
        edit(&folder, change);
        let error = read(&folder).unwrap_err().to_string();
        assert!(error.contains(message), "{message}: {error}");
    }
}

#[test]
fn folder_without_sets_is_refused() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("empty.throng")).unwrap();
    let error = read_party(home.path()).unwrap_err();
    assert!(matches!(error, DiskError::NoSets { .. }), "{error}");
}

#[test]
fn sets_of_other_skeletons_are_refused_as_characters() {
    let motion = bar("motion").without_mesh().unwrap();
    let mut parts = bar("knight").model().clone().into_parts();
    let mut joints = parts.skeleton.joints().to_vec();
    joints[1].name = "tail".into();
    parts.skeleton = throng_rig::Skeleton::new(joints).unwrap();
    let error = motion.with_mesh(MotionMesh {
        name: "knight".into(),
        source: Source::in_memory("builtin:bar"),
        mesh: throng_rig::Character::new(parts).unwrap().into(),
        size: 2.0,
        clip_bounds: motion.manifest().clips.iter().map(|c| c.bounds).collect(),
    });
    assert_eq!(error.unwrap_err().location, "joints[1]");
}
