//! Motion for another character: the clips of a file without its meshes.

mod common;

use std::path::Path;

use common::{Glb, fbx_text, has_warning};
use serde_json::json;
use throng_import::{
    ErrorKind, Import, ImportOptions, LeafPolicy, SourceFormat, Warning, builtin, import,
    import_bytes, import_file, import_motion, import_motion_bytes, import_motion_file,
    visit_source_files,
};
use throng_rig::{Character, Clip, JointKind, JointTracks};
use throng_testkit::{files_below, shared_assets};

fn options() -> ImportOptions {
    ImportOptions::default()
}

/// Returns the names of joints from a root to a joint.
fn path_of(character: &Character, mut joint: usize) -> String {
    let joints = character.skeleton().joints();
    let mut path = joints[joint].name.clone();
    while let Some(parent) = joints[joint].parent {
        path = format!("{}/{path}", joints[parent].name);
        joint = parent;
    }
    path
}

/// Returns the tracks of a clip with the path of their joint, sorted, for joints that both characters have.
fn named_tracks<'a>(character: &'a Character, clip: &'a Clip) -> Vec<(String, JointTracks)> {
    let tracks = clip.joints().iter().map(|tracks| {
        let unnumbered = JointTracks {
            joint: 0,
            ..tracks.clone()
        };
        (path_of(character, tracks.joint), unnumbered)
    });
    let mut tracks: Vec<_> = tracks.collect();
    tracks.sort_by(|a, b| a.0.cmp(&b.0));
    tracks
}

/// Asserts that motion has no meshes, and the joints and tracks of the character, to the bit.
fn assert_same_motion(name: &str, whole: &Character, motion: &Character) {
    assert!(
        motion.meshes().is_empty() && motion.parts().is_empty(),
        "{name}"
    );
    assert!(
        motion.skins().is_empty() && motion.images().is_empty(),
        "{name}"
    );
    let clips = |character: &Character| -> Vec<Clip> {
        let clips = character.clips().iter().cloned();
        clips.filter(|clip| !clip.joints().is_empty()).collect()
    };
    let (expected, found) = (clips(whole), clips(motion));
    assert_eq!(found.len(), motion.clips().len(), "{name}: empty clips");
    for clip in &expected {
        // Names of clips need not be unique.
        let same = found.iter().filter(|c| c.name == clip.name);
        let tracks: Vec<_> = same.map(|clip| named_tracks(motion, clip)).collect();
        let expected = named_tracks(whole, clip);
        assert!(
            tracks
                .iter()
                .any(|found| expected.iter().all(|track| found.contains(track))),
            "{name}: '{}' differs",
            clip.name
        );
    }
}

#[test]
fn motion_of_built_in_characters_equals_their_clips() {
    for (name, _) in builtin::BUILTINS {
        let source = format!("{}{name}", builtin::PREFIX);
        let whole = import(&source, &options()).unwrap().character;
        match import_motion(&source, &options()) {
            Ok(motion) => {
                assert_eq!(motion.format, SourceFormat::Builtin);
                assert_eq!(motion.character.skeleton(), whole.skeleton());
                assert_eq!(motion.character.clips(), whole.clips());
                assert_same_motion(&source, &whole, &motion.character);
            }
            Err(error) => assert!(whole.clips().is_empty(), "{error}"),
        }
    }
}

/// A skinned triangle on `hips` and `chest`, with an `end`, a sword, and a camera outside. The clip moves the chest and a
/// morph target.
fn skinned() -> Glb {
    let mut glb = Glb::new();
    let attributes = glb.weighted(
        &common::triangle(),
        &[[0, 1, 0, 0]; 3],
        &[[0.5, 0.5, 0.0, 0.0]; 3],
    );
    let delta = glb.floats(&[[0.0, 0.0, 1.0f32]; 3]);
    let body = glb.mesh(json!({ "attributes": attributes, "targets": [{ "POSITION": delta }] }));
    let sword = glb.triangle_mesh();
    glb.node(json!({ "name": "world", "children": [1, 6, 7] }));
    glb.node(json!({ "name": "hips", "translation": [0.0, 1.0, 0.0], "children": [2] }));
    glb.node(json!({ "name": "chest", "translation": [0.0, 0.5, 0.0], "children": [3, 5] }));
    glb.node(json!({ "name": "neck", "translation": [0.0, 0.25, 0.0], "children": [4] }));
    glb.node(json!({ "name": "end", "translation": [0.0, 0.125, 0.0] }));
    glb.node(json!({ "name": "sword", "mesh": sword }));
    glb.node(json!({ "name": "camera", "camera": 0 }));
    let skin = glb.skin(&[1, 2], &[glam::DMat4::IDENTITY; 2]);
    glb.node(json!({ "name": "body", "mesh": body, "skin": skin }));
    let clip = glb.clip("nod");
    let turns = glb.floats(&[[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8f32]]);
    glb.channel(clip, (2, "rotation"), "LINEAR", &[0.0, 1.0], turns);
    let weights = glb.floats(&[[0.0], [1.0f32]]);
    glb.channel(clip, (7, "weights"), "LINEAR", &[0.0, 1.0], weights);
    glb
}

fn names(import: &Import) -> Vec<&str> {
    let joints = import.character.skeleton().joints().iter();
    joints.map(|joint| joint.name.as_str()).collect()
}

#[test]
fn joints_are_bones_their_ancestors_and_the_ends_below_them() {
    let glb = skinned();
    let motion = import_motion_bytes("nod.glb", &glb.bytes(), None, &options()).unwrap();
    assert_eq!(motion.format, SourceFormat::Glb);
    assert_eq!(names(&motion), ["world", "hips", "chest", "neck", "end"]);
    let joints = motion.character.skeleton().joints();
    assert_eq!(joints[0].kind, JointKind::Node);
    assert_eq!(joints[2].kind, JointKind::Bone);
    assert_eq!(joints[4].kind, JointKind::Leaf);
    assert_eq!(joints[1].parent_from_joint.translation.y, 1.0);
    assert_same_motion("nod.glb", &glb.import().character, &motion.character);
    assert_eq!(motion.warnings, [Warning::MorphTracksDropped { tracks: 1 }]);
    assert!(motion.character.clips()[0].morphs().is_empty());
}

#[test]
fn a_file_without_mesh_or_skin_has_its_animated_nodes() {
    let mut glb = Glb::new();
    glb.node(json!({ "name": "arm", "children": [1] }));
    glb.node(json!({ "name": "hand", "translation": [0.0, 0.3, 0.0] }));
    glb.node(json!({ "name": "still" }));
    let clip = glb.clip("wave");
    let turns = glb.floats(&[[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8f32]]);
    glb.channel(clip, (1, "rotation"), "LINEAR", &[0.0, 1.0], turns);
    let motion = import_motion_bytes("wave.glb", &glb.bytes(), None, &options()).unwrap();
    assert_eq!(names(&motion), ["arm", "hand", "hand_end"]);
    assert!(has_warning(&motion.warnings, |w| matches!(
        w,
        Warning::LeafJointsAdded { joints: 1 }
    )));
    let keep = ImportOptions {
        leaves: LeafPolicy::Keep,
        ..options()
    };
    let motion = import_motion_bytes("wave.glb", &glb.bytes(), None, &keep).unwrap();
    assert_eq!(names(&motion), ["arm", "hand"]);
}

#[test]
fn rejects_files_without_a_clip_that_moves_a_joint() {
    let mut glb = skinned();
    glb.json["animations"] = json!([]);
    let error = import_motion_bytes("still.glb", &glb.bytes(), None, &options()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Data);
    assert_eq!(
        error.to_string(),
        "still.glb: has no clip that moves a joint; export the file with its animation, or pass another file as motion"
    );
    glb.clip("empty");
    let error = import_motion_bytes("still.glb", &glb.bytes(), None, &options()).unwrap_err();
    assert!(error.to_string().contains("no clip that moves"), "{error}");
    let still = fbx_text().replace("AnimationStack", "Ignored");
    let error = import_motion_bytes("still.fbx", still.as_bytes(), None, &options()).unwrap_err();
    assert!(error.to_string().contains("no clip that moves"), "{error}");
}

#[test]
fn empty_clips_are_left_out_and_reported() {
    let mut glb = skinned();
    glb.clip("empty");
    let motion = import_motion_bytes("nod.glb", &glb.bytes(), None, &options()).unwrap();
    assert_eq!(motion.character.clips().len(), 1);
    assert!(has_warning(&motion.warnings, |w| matches!(
        w,
        Warning::ClipEmpty { .. }
    )));
}

#[test]
fn motion_of_an_fbx_file_equals_its_take() {
    let text = fbx_text();
    let whole = import_bytes("move.fbx", text.as_bytes(), None, &options()).unwrap();
    let motion = import_motion_bytes("move.fbx", text.as_bytes(), None, &options()).unwrap();
    assert_eq!(motion.format, SourceFormat::Fbx);
    assert_same_motion("move.fbx", &whole.character, &motion.character);
    assert_eq!(names(&motion)[0], "bone");
    assert!(has_warning(&motion.warnings, |w| {
        *w == Warning::MorphTracksDropped { tracks: 1 }
    }));
}

#[test]
fn import_of_a_bvh_file_names_the_remedy() {
    let expected = "a BVH file has motion, but no mesh; pass it as motion to a character: throng bake CHARACTER --motion walk.bvh";
    for error in [
        import("take/walk.bvh", &options()).unwrap_err(),
        import_bytes("take/walk.bvh", b"", None, &options()).unwrap_err(),
    ] {
        assert_eq!(error.kind, ErrorKind::UnknownSource);
        assert_eq!(error.to_string(), format!("take/walk.bvh: {expected}"));
    }
}

#[test]
fn unsupported_files_name_what_is_supported() {
    let error = import_motion("walk.dae", &options()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "walk.dae: unsupported file type '.dae'; expected .glb, .gltf, .fbx, .abc or .bvh, or builtin:NAME"
    );
}

#[test]
fn digests_cover_bvh_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.BVH");
    std::fs::write(&path, "HIERARCHY").unwrap();
    let mut files = Vec::new();
    visit_source_files(&path, |name, bytes| {
        files.push((name.to_owned(), bytes.to_vec()));
    })
    .unwrap();
    assert_eq!(files, [(String::new(), b"HIERARCHY".to_vec())]);
}

#[test]
fn motion_of_shared_characters_equals_their_clips() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let (mut compared, mut rejected) = (0, 0);
    for folder in ["gltf", "fbx", "mocap"] {
        for file in files_below(&assets.join(folder), &["glb", "gltf", "fbx"]) {
            let name = file.display().to_string();
            let Ok(whole) = import_file(Path::new(&file), &options()) else {
                continue;
            };
            match import_motion_file(&file, &options()) {
                Ok(motion) => {
                    assert_same_motion(&name, &whole.character, &motion.character);
                    compared += 1;
                }
                Err(error) => {
                    let mut clips = whole.character.clips().iter();
                    assert!(clips.all(|clip| clip.joints().is_empty()), "{error}");
                    rejected += 1;
                }
            }
        }
    }
    println!("{compared} files with motion, {rejected} without");
    assert!(compared > 20, "{compared}");
}

#[test]
fn motion_of_obj_is_an_unsupported_file_type() {
    let error = import_motion_bytes("x.obj", b"v 0 0 0", None, &options()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnknownSource);
    let text = error.to_string();
    assert!(text.contains("unsupported file type '.obj'"), "{text}");
}
