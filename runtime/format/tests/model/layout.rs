//! Model files as other programs read them.

use glam::DVec3;
use serde_json::{Value, json};
use throng_import::{ImportOptions, import_bytes};
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_skin::rest_size;

use crate::everything::{everything, many_joints};
use crate::files::{for_every_character, split_glb, written, written_compact};

/// Fraction of the character's size: joints, inverse bind matrices and weights are rounded to float32.
const TOLERANCE: f64 = 1e-6;

fn rest_positions(character: &Character) -> Vec<Vec<DVec3>> {
    let pose = CharacterPose::rest(character);
    let mut out = Skinned::default();
    let parts = character.parts().iter();
    parts
        .map(|part| {
            skin_part(character, part, &pose, Method::Lbs, &mut out);
            out.positions.clone()
        })
        .collect()
}

/// The importer has no special case for models and reads them as any glTF.
#[test]
fn importer_reads_the_rest_pose_from_models() {
    for_every_character(|name, character| {
        if character.parts().is_empty() {
            return;
        }
        let expected = rest_positions(&character);
        let size = rest_size(&character);
        for bytes in [written(&character, None), written_compact(&character)] {
            let import = import_bytes("model.glb", &bytes, None, &ImportOptions::default());
            let import = import.unwrap_or_else(|error| panic!("{name}: {error}"));
            let found = rest_positions(&import.character);
            assert_eq!(found.len(), expected.len(), "{name}");
            for (part, (found, expected)) in found.iter().zip(&expected).enumerate() {
                // A mesh without vertices is written with one.
                assert_eq!(found.len(), expected.len().max(1), "{name}, part {part}");
                for (found, expected) in found.iter().zip(expected) {
                    let error = found.distance(*expected);
                    assert!(
                        error <= TOLERANCE * size,
                        "{name}, part {part}: {error:.2e}"
                    );
                }
            }
        }
    });
}

fn roles(json: &Value) -> Vec<Value> {
    let nodes = json["nodes"].as_array().unwrap().iter();
    nodes.map(|node| node["extras"]["throng"].clone()).collect()
}

#[test]
fn nodes_are_joints_then_parts_then_repeats_then_root() {
    let (json, _) = split_glb(&written(&everything(), None));
    let roles = roles(&json);
    assert_eq!(roles[0], json!({ "joint": "node" }));
    assert_eq!(roles[6], json!({ "joint": "added_leaf" }));
    let part = json!({ "part": { "node": 7, "primitive": 0, "morph_set": 1 } });
    assert_eq!(roles[7], part);
    // One skin lists joint 4 three times, another lists joint 1 twice.
    assert_eq!(
        roles[12..],
        [
            json!({ "repeat": 4 }),
            json!({ "repeat": 4 }),
            json!({ "repeat": 1 }),
            json!("root")
        ]
    );
    let nodes = &json["nodes"];
    assert_eq!(nodes[4]["children"], json!([6, 12, 13]));
    assert_eq!(nodes[1]["children"], json!([3, 14]));
    assert_eq!(nodes[15]["children"], json!([0, 2]));
    let joints = |skin: usize| &json["skins"][skin]["joints"];
    assert_eq!(joints(0), &json!([4, 2, 1, 12, 5, 13]));
    assert_eq!(joints(1), &json!([1]));
    assert_eq!(joints(2), &json!([4, 12, 1, 14]));
    assert_eq!(json["scenes"][0]["nodes"], json!([15, 7, 8, 9, 10, 11]));
    assert_eq!(nodes[7]["weights"], json!([0.1, 0.7]));
}

#[test]
fn skin_of_one_tree_needs_no_root() {
    let mut parts = crate::everything::everything_in_parts();
    parts.skins.truncate(2);
    parts.skins.swap(0, 1);
    // Keep only the skin with one joint; the mesh with six influences uses the other skin.
    parts.skins.truncate(1);
    parts.parts.retain(|part| part.mesh == 1);
    parts.parts[0].skin = 0;
    let character = Character::new(parts).unwrap();
    let (json, _) = split_glb(&written(&character, None));
    assert_eq!(json["nodes"].as_array().unwrap().len(), 7 + 1);
    assert_eq!(json["scenes"][0]["nodes"], json!([0, 2, 7]));
}

#[test]
fn only_attributes_of_the_mesh_are_written() {
    let (json, _) = split_glb(&written(&everything(), None));
    let names = |mesh: usize| -> Vec<String> {
        let attributes = &json["meshes"][mesh]["primitives"][0]["attributes"];
        attributes.as_object().unwrap().keys().cloned().collect()
    };
    let always = [
        "JOINTS_0",
        "NORMAL",
        "POSITION",
        "WEIGHTS_0",
        "_UNIQUE_NORMAL",
        "_UNIQUE_POSITION",
    ];
    assert_eq!(names(2), always);
    let mut all: Vec<&str> = always.to_vec();
    all.extend([
        "COLOR_0",
        "TANGENT",
        "TEXCOORD_0",
        "JOINTS_1",
        "WEIGHTS_1",
        "_BLEND_FACTOR",
        "_ROTATION_CENTER",
    ]);
    all.extend(["_SOURCE_COLOR_0", "_SOURCE_NORMAL", "_SOURCE_TANGENT"]);
    all.sort_unstable();
    assert_eq!(names(0), all);
}

/// Component type of an attribute of the first mesh.
fn component_type(character: &Character, attribute: &str) -> Value {
    let (json, _) = split_glb(&written(character, None));
    let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
    let accessor = attributes[attribute].as_u64().unwrap() as usize;
    json["accessors"][accessor]["componentType"].clone()
}

#[test]
fn joints_are_8_bit_where_possible() {
    assert_eq!(component_type(&everything(), "JOINTS_0"), 5121);
    assert_eq!(component_type(&many_joints(), "JOINTS_0"), 5123);
}
