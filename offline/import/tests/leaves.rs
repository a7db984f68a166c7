//! Leaf joints: every bone has an end, from the file or added.

mod common;

use common::{Glb, has_warning, posed};
use glam::DVec3;
use serde_json::json;
use throng_import::{ImportOptions, LeafPolicy, Warning, import_file};
use throng_rig::{Character, CharacterPose, JointKind, Skeleton};
use throng_testkit::{files_below, shared_assets};

/// Builds a chain of root, arm and hand along a slanted line, and a finger that moves no vertices. The skin
/// lists all joints except the `tip` below the finger.
fn arm() -> Glb {
    let mut glb = Glb::new();
    let finger = glb.node(json!({ "name": "finger", "translation": [0., 0.25, 0.] }));
    let hand =
        glb.node(json!({ "name": "hand", "translation": [0., 2., 0.], "children": [finger] }));
    let arm = glb.node(json!({ "name": "arm", "translation": [1., 0., 0.], "rotation": [0., 0., 0.6, 0.8], "children": [hand] }));
    let root = glb.node(json!({ "name": "root", "children": [arm] }));
    let skin = glb.push("skins", json!({ "joints": [root, arm, hand, finger] }));
    // In joint space, the vertices of the hand extend to 0.5 along its Y, away from the arm.
    let attributes = glb.weighted(
        &[[0., 0.5, 0.], [0.2, 0.1, 0.], [0., 0.3, 0.1]],
        &[[2, 1, 0, 0]; 3],
        &[[0.75, 0.25, 0., 0.]; 3],
    );
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    glb
}

fn joint(character: &Character, name: &str) -> usize {
    let joints = character.skeleton().joints();
    let found = joints.iter().position(|j| j.name == name);
    found.unwrap_or_else(|| panic!("no joint '{name}'"))
}

fn kind(character: &Character, name: &str) -> JointKind {
    character.skeleton().joints()[joint(character, name)].kind
}

fn assert_every_bone_has_a_segment(skeleton: &Skeleton, what: &str) {
    let mut has = vec![false; skeleton.len()];
    for (bone, end) in skeleton.segments() {
        has[bone] = true;
        assert_eq!(skeleton.joints()[end].parent, Some(bone));
    }
    for (index, joint) in skeleton.joints().iter().enumerate() {
        assert!(
            has[index] || joint.kind != JointKind::Bone,
            "{what}: bone {index} '{}' has no segment",
            joint.name
        );
    }
}

#[test]
fn childless_bone_without_vertices_is_a_leaf() {
    let character = arm().import().character;
    assert_eq!(kind(&character, "finger"), JointKind::Leaf);
    assert_eq!(kind(&character, "hand"), JointKind::Bone);
    assert_every_bone_has_a_segment(character.skeleton(), "arm");
}

#[test]
fn cameras_and_lights_below_the_last_bone_are_no_leaves() {
    for object in [
        json!({ "name": "object", "camera": 0 }),
        json!({ "name": "object", "extensions": { "KHR_lights_punctual": { "light": 0 } } }),
    ] {
        let mut glb = arm();
        let object = glb.node(object);
        glb.json["nodes"][0]["children"] = json!([object]);
        let character = glb.import().character;
        let joints = character.skeleton().joints();
        assert!(joints.iter().all(|joint| joint.name != "object"));
        assert_eq!(kind(&character, "finger"), JointKind::Leaf);
    }
}

#[test]
fn unlisted_node_below_the_last_bone_is_a_leaf() {
    let mut glb = arm();
    glb.json["skins"][0]["joints"] = json!([3, 2, 1]);
    let import = glb.import();
    assert_eq!(kind(&import.character, "finger"), JointKind::Leaf);
    assert!(!has_warning(&import.warnings, |w| matches!(
        w,
        Warning::LeafJointsAdded { .. }
    )));
    assert_every_bone_has_a_segment(import.character.skeleton(), "unlisted");
}

#[test]
fn leaf_is_added_in_line_with_the_parent() {
    let mut glb = arm();
    glb.json["nodes"][1]
        .as_object_mut()
        .unwrap()
        .remove("children");
    glb.json["skins"][0]["joints"] = json!([3, 2, 1]);
    let import = glb.import();
    let character = &import.character;
    assert!(has_warning(&import.warnings, |w| *w
        == Warning::LeafJointsAdded { joints: 1 }));
    let end = joint(character, "hand_end");
    let (hand, arm) = (joint(character, "hand"), joint(character, "arm"));
    assert_eq!(kind(character, "hand_end"), JointKind::AddedLeaf);
    assert_eq!(end, character.skeleton().len() - 1, "indices do not change");
    assert_eq!(character.skeleton().joints()[end].parent, Some(hand));
    let pose = CharacterPose::rest(character);
    let at = |joint: usize| pose.model.model_from_joint[joint].translation;
    let along = (at(hand) - at(arm)).normalize();
    let reach = at(end) - at(hand);
    assert!((reach.normalize() - along).length() < 1e-12);
    assert!(
        (reach.length() - 0.5).abs() < 1e-6,
        "as far as its vertices"
    );
    assert_every_bone_has_a_segment(character.skeleton(), "added");
    // Leaf joints move no vertices.
    let kept = glb.import_with(&ImportOptions {
        leaves: LeafPolicy::Keep,
        ..ImportOptions::default()
    });
    assert_eq!(posed(character, 0, None), posed(&kept.character, 0, None));
}

#[test]
fn leaf_policy_keep_adds_no_leaf() {
    let mut glb = arm();
    glb.json["nodes"][1]
        .as_object_mut()
        .unwrap()
        .remove("children");
    glb.json["skins"][0]["joints"] = json!([3, 2, 1]);
    let import = glb.import_with(&ImportOptions {
        leaves: LeafPolicy::Keep,
        ..ImportOptions::default()
    });
    let joints = import.character.skeleton().joints();
    assert!(joints.iter().all(|j| j.kind != JointKind::AddedLeaf));
    assert_eq!(joints.len(), 3);
}

#[test]
fn leaf_is_added_to_a_root_bone() {
    let mut glb = Glb::new();
    let bone = glb.node(json!({ "name": "bone", "scale": [0., 0., 0.] }));
    let skin = glb.push("skins", json!({ "joints": [bone] }));
    let attributes = glb.weighted(&common::triangle(), &[[0; 4]; 3], &[[1., 0., 0., 0.]; 3]);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    let character = glb.import().character;
    let end = &character.skeleton().joints()[joint(&character, "bone_end")];
    // Without a parent the direction is up, and the triangle extends to 2.
    assert_eq!(end.parent_from_joint.translation, DVec3::Y * 2.0);
}

#[test]
fn every_bone_of_every_asset_has_a_segment() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for file in files_below(&assets.join("gltf"), &["glb", "gltf"]) {
        let import =
            import_file(&file, &ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let what = file.display().to_string();
        assert_every_bone_has_a_segment(import.character.skeleton(), &what);
    }
}
