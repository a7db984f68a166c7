//! Damaged models are rejected with the location of the problem.

use serde_json::{Value, json};
use throng_format::read_model;

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written};

/// Error message of reading.
#[track_caller]
fn unreadable(bytes: &[u8]) -> String {
    read_model(bytes).unwrap_err().to_string()
}

#[test]
fn rejects_damaged_containers() {
    let valid = written(&everything(), None);
    let (json, binary) = split_glb(&valid);
    let with = |at: usize, byte: u8| {
        let mut bytes = valid.clone();
        bytes[at] = byte;
        unreadable(&bytes)
    };
    assert!(unreadable(b"").starts_with("GLB header: expected a GLB"));
    assert!(unreadable(b"glTF\x02\0\0\0").starts_with("GLB header: unexpected end"));
    assert!(with(0, b'G').starts_with("GLB header: expected a GLB"));
    assert!(with(4, 1).starts_with("GLB header: expected version 2, found 1"));
    assert!(with(11, 1).starts_with("GLB header: expected 167"));
    let cut = valid.len() - 4;
    let expected = format!("GLB header: expected {} bytes, found {cut}", valid.len());
    assert!(unreadable(&valid[..cut]).starts_with(&expected));
    let length = "JSON chunk: expected a length that is a multiple of 4";
    assert!(with(15, 0xff).starts_with(length));
    assert!(with(12, valid[12] + 1).starts_with(length));
    let json_type = "JSON chunk: expected type 0x4e4f534a, found 0x4e4f536a";
    assert!(with(16, b'j').starts_with(json_type));
    let binary_at = valid.len() - binary.len();
    let binary_type = "BIN chunk: expected type 0x004e4942, found 0x004e4962";
    assert!(with(binary_at - 4, b'b').starts_with(binary_type));

    // A second binary chunk, and half of a chunk header.
    for (more, expected) in [
        (
            &[4, 0, 0, 0, b'B', b'I', b'N', 0, 1, 2, 3, 4][..],
            "BIN chunk: expected the end of the file, found 12 more bytes",
        ),
        (
            &[1, 2, 3, 4][..],
            "BIN chunk: expected the end of the file, found 4 more bytes",
        ),
    ] {
        let mut bytes = valid.clone();
        bytes.extend(more);
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert!(unreadable(&bytes).starts_with(expected));
    }
    let text = json.to_string();
    let longer = [&binary[..], &[0; 4]].concat();
    let message = unreadable(&join_glb(text.as_bytes(), &longer));
    assert!(
        message.starts_with("JSON, buffers: expected one buffer of"),
        "{message}"
    );
    let message = unreadable(&join_glb(b"{} {}", &binary));
    assert!(
        message.starts_with("JSON: trailing characters"),
        "{message}"
    );
    let message = unreadable(&join_glb(&text.as_bytes()[..900], &binary));
    assert!(message.starts_with("JSON, "), "{message}");
    assert!(message.contains("EOF"), "{message}");
}

/// Error message for the full model with a value replaced, or removed where it is null.
#[track_caller]
fn with(pointer: &str, value: Value) -> String {
    with_all(&[(pointer, value)])
}

#[track_caller]
fn with_all(edits: &[(&str, Value)]) -> String {
    unreadable(&edited(edits))
}

/// The full model with values replaced, or removed where they are null.
fn edited(edits: &[(&str, Value)]) -> Vec<u8> {
    let (mut json, binary) = split_glb(&written(&everything(), None));
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = json.pointer_mut(parent).expect("the parent exists");
        match parent {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            Value::Object(map) if value.is_null() => drop(map.remove(key).expect("the key exists")),
            Value::Object(map) => drop(map.insert((*key).to_owned(), value.clone())),
            _ => panic!("{pointer}: the parent is neither a list nor an object"),
        }
    }
    join_glb(json.to_string().as_bytes(), &binary)
}

#[track_caller]
fn assert_contains(message: &str, expected: &str) {
    assert!(
        message.contains(expected),
        "'{message}' does not contain '{expected}'"
    );
    assert!(message.ends_with("bake the set again"), "{message}");
}

#[test]
fn rejects_other_versions() {
    assert_eq!(
        with("/extras/throng/version", json!(2)),
        "expected model version 3, found 2: bake again"
    );
    assert_eq!(
        with("/extras/throng/version", json!(4)),
        "expected model version 3, found 4: bake again"
    );
}

#[test]
fn ignores_unknown_attributes_and_extras() {
    let bytes = edited(&[
        ("/extras/throng/more", json!(2)),
        ("/meshes/0/primitives/0/attributes/_MORE", json!(0)),
    ]);
    let plain = read_model(&written(&everything(), None)).unwrap();
    assert!(read_model(&bytes).unwrap().character == plain.character);
}

#[test]
fn rejects_damaged_documents() {
    assert_contains(
        &with("/extras", Value::Null),
        "extras.throng: the field is missing",
    );
    assert_contains(
        &with("/accessors/3/sparse", json!({})),
        "JSON, accessors[3].sparse",
    );
    assert_contains(
        &with("/accessors/3/count", json!(-1)),
        "JSON, accessors[3].count",
    );
    assert_contains(
        &with("/nodes/0/extras", Value::Null),
        "expected a name or a role",
    );
    assert_contains(
        &with("/nodes/1/scale/0", json!(1e39)),
        "expected a float32, found",
    );
    assert_contains(
        &with("/bufferViews/2/byteOffset", json!(0)),
        "buffer view 2",
    );
    assert_contains(
        &with("/bufferViews/2/byteLength", json!(0)),
        "buffer view 2",
    );
    assert_contains(
        &with("/bufferViews/2/byteLength", json!(u64::MAX)),
        "buffer view 2",
    );
    assert_contains(&with("/bufferViews/2/buffer", json!(1)), "buffer view 2");
    assert_contains(&with("/bufferViews", Value::Null), "buffer: ");
    assert_contains(&with("/buffers/0/byteLength", json!(4)), "JSON, buffers: ");
    assert_contains(
        &with("/extras/throng/images/1/view", json!(0)),
        "image 1: buffer view 0 is used",
    );
    assert_contains(
        &with("/extras/throng/materials/1/texture/image", json!(9)),
        "image 9",
    );
    assert_contains(
        &with("/extras/throng/materials/1/texture/wrap_u", json!("x")),
        "wrap_u",
    );
}

#[test]
fn rejects_damaged_nodes() {
    assert_contains(
        &with("/nodes/0/children/0", json!(99)),
        "node 0: child 99 is out of range",
    );
    assert_contains(
        &with("/nodes/2/children/0", json!(1)),
        "node 2: child 1 has two parents",
    );
    assert_contains(
        &with("/nodes/15/children/0", json!(7)),
        "node 7: its role requires another parent",
    );
    // Joint 0 as a child of its descendant, of a part, and of itself.
    for node in [6, 7, 0] {
        let (roots, children) = ("/nodes/15/children", format!("/nodes/{node}/children"));
        let message = with_all(&[(roots, json!([2])), (&children, json!([0]))]);
        assert_contains(&message, &format!("joint 0 '' has parent {node}"));
    }
    let role = |node: usize, role: Value| with(&format!("/nodes/{node}/extras/throng"), role);
    let order = "expected nodes in the order joints, parts, repeats, root";
    assert_contains(&role(8, json!({ "joint": "bone" })), order);
    assert_contains(&role(13, json!({ "joint": "bone" })), order);
    assert_contains(
        &role(3, json!({ "joint": "elbow" })),
        "nodes[3].extras.throng",
    );
    assert_contains(
        &role(12, json!({ "repeat": 2 })),
        "node 12: its role requires another parent",
    );
    assert_contains(
        &with("/nodes/12/scale", json!([1, 1, 1])),
        "node 12: its role allows no transform",
    );
    assert_contains(
        &with("/nodes/15/mesh", json!(0)),
        "node 15: its role allows no transform",
    );
    assert_contains(
        &with("/nodes/1/rotation", json!([0, 0, 0, 0])),
        "node 1: expected a rotation of unit length",
    );
    assert_contains(
        &with("/nodes/1/mesh", json!(0)),
        "node 1: a joint may not have mesh",
    );
    assert_contains(
        &with("/nodes/7/scale", json!([1, 1, 1])),
        "node 7: a part may not have a transform",
    );
    assert_contains(
        &with("/nodes/7/skin", Value::Null),
        "node 7: a part needs a mesh and a skin",
    );
    assert_contains(
        &with("/nodes/7/weights/0", json!(3)),
        "node 7: expected the weights of its morph set",
    );
    assert_contains(
        &with("/nodes/7/skin", json!(1)),
        "uses palette index 5, but its skin has 1",
    );
    assert_contains(
        &with("/nodes/7/mesh", json!(9)),
        "mesh 9, but there are only 4",
    );
    assert_contains(
        &with("/nodes/7/mesh", json!(1)),
        "0 morph targets, but 2 morph weights",
    );
    assert_contains(
        &role(
            8,
            json!({ "part": { "node": 0, "primitive": 0, "morph_set": 3 } }),
        ),
        "node 8: its morph set is out of range",
    );
}

#[test]
fn rejects_damaged_skins() {
    assert_contains(
        &with("/skins/0/joints/0", json!(7)),
        "skin 0 'both trees': expected joints, found node 7",
    );
    assert_contains(
        &with("/skins/0/joints/0", json!(15)),
        "expected joints, found node 15",
    );
    assert_contains(
        &with("/skins/0/joints/0", json!(99)),
        "expected joints, found node 99",
    );
    assert_contains(
        &with("/skins/0/joints", json!([1])),
        "expected 1 elements, found 6",
    );
    assert_contains(
        &with("/skins/1/inverseBindMatrices", json!(0)),
        "skin 1 '': accessor 0: expected Mat4",
    );
    assert_contains(
        &with("/skins/1/inverseBindMatrices", json!(999)),
        "accessor 999 is out of range",
    );
}

#[test]
fn rejects_damaged_meshes() {
    let attribute = |name: &str, value: Value| {
        with(&format!("/meshes/0/primitives/0/attributes/{name}"), value)
    };
    for name in [
        "POSITION",
        "NORMAL",
        "WEIGHTS_1",
        "_UNIQUE_POSITION",
        "_UNIQUE_NORMAL",
    ] {
        // `_SOURCE_NORMAL` of mesh 0 is read instead of `NORMAL`.
        if name == "NORMAL" {
            let message = with("/meshes/1/primitives/0/attributes/NORMAL", Value::Null);
            assert_contains(&message, "mesh 1: the attribute NORMAL is missing");
        } else {
            assert_contains(
                &attribute(name, Value::Null),
                &format!("mesh 0, {name}: the attribute is missing"),
            );
        }
    }
    assert_contains(
        &attribute("JOINTS_0", Value::Null),
        "mesh 0, influences: weights of vertex 0",
    );

    assert_contains(
        &attribute("TEXCOORD_0", json!(0)),
        "mesh 0, TEXCOORD_0: accessor 0",
    );
    let position = |mesh: usize| format!("/meshes/{mesh}/primitives/0/attributes/POSITION");
    // Sharing an array would let a small file allocate much memory.
    let (json, _) = split_glb(&written(&everything(), None));
    let shared = json.pointer(&position(1)).unwrap().clone();
    let normal = "/meshes/1/primitives/0/attributes/NORMAL";
    assert_contains(&with(normal, shared), "is used twice");
    assert_contains(
        &with("/meshes/0/extras/throng/vertices", json!(4)),
        "expected 4 elements, found 5",
    );
    assert_contains(
        &with("/meshes/0/extras/throng/triangles", json!(1)),
        "expected 3 elements, found 6",
    );
    let most = json!(usize::MAX);
    assert_contains(
        &with("/meshes/0/extras/throng/triangles", most.clone()),
        "too many triangles",
    );
    assert_contains(
        &with("/meshes/0/extras/throng/vertices", most),
        "mesh 0, POSITION: accessor",
    );
    assert_contains(
        &with("/meshes/0/extras/throng/material", json!(9)),
        "mesh 0 uses material 9",
    );
    assert_contains(
        &with("/meshes/0/extras/targetNames", json!([])),
        "expected 2 names of morph targets, found 0",
    );
    assert_contains(
        &with("/meshes/0/primitives", json!([])),
        "mesh 0: expected one primitive, found 0",
    );
}

/// Error message for the full model with a word of one of its arrays replaced.
#[track_caller]
fn with_word(pointer: &str, word: usize, value: impl Into<f64>) -> String {
    let (json, mut binary) = split_glb(&written(&everything(), None));
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let accessor = &json["accessors"][index(json.pointer(pointer).unwrap())];
    let view = &json["bufferViews"][index(&accessor["bufferView"])];
    let at = index(&view["byteOffset"]) + 4 * word;
    binary[at..at + 4].copy_from_slice(&(value.into() as f32).to_le_bytes());
    unreadable(&join_glb(json.to_string().as_bytes(), &binary))
}

#[test]
fn rejects_damaged_values() {
    let attribute = |name: &str, word: usize, value: f64| {
        with_word(
            &format!("/meshes/0/primitives/0/attributes/{name}"),
            word,
            value,
        )
    };
    assert_contains(
        &attribute("POSITION", 4, f64::NAN),
        "mesh 0, POSITION: expected finite values, element 1 is not",
    );
    assert_contains(
        &attribute("_SOURCE_NORMAL", 0, f64::INFINITY),
        "mesh 0, _SOURCE_NORMAL: expected finite values, element 0 is not",
    );
    // Vertex 0 has three influences of a third each.
    let influences = "mesh 0, influences: ";
    assert_contains(
        &attribute("WEIGHTS_0", 0, 0.9),
        &format!("{influences}weights of vertex 0"),
    );
    assert_contains(
        &attribute("WEIGHTS_0", 1, 0.5),
        &format!("{influences}influences of"),
    );
    assert_contains(
        &attribute("WEIGHTS_0", 0, -0.5),
        &format!("{influences}influences of"),
    );
    assert_contains(
        &attribute("WEIGHTS_0", 0, 0.0),
        "vertex 0: expected zeros after its last influence",
    );
    assert_contains(
        &attribute("WEIGHTS_1", 0, 0.5),
        "vertex 0: expected zeros after its last influence",
    );
    for value in [-1.0, 0.5, 5.0, 1e30] {
        let message = attribute("_UNIQUE_POSITION", 1, value);
        assert_contains(
            &message,
            "mesh 0, _UNIQUE_POSITION: expected integers below 5",
        );
    }
    assert_contains(
        &attribute("_UNIQUE_POSITION", 1, 3.0),
        "vertex 1 has unique position 3, expected at most",
    );
    assert_contains(
        &attribute("_UNIQUE_POSITION", 4, 0.0),
        "vertex 4 shares the unique position",
    );
    let matrices = "/skins/1/inverseBindMatrices";
    assert_contains(
        &with_word(matrices, 0, f64::NAN),
        "skin 1 '': expected finite values, element 0 is not",
    );
    assert_contains(
        &with_word(matrices, 3, 1e-20),
        "inverse bind matrix 0 is not affine",
    );
    let corner = f64::from(f32::from_bits(5 << 16));
    let message = with_word("/meshes/0/primitives/0/indices", 0, corner);
    assert_contains(
        &message,
        "mesh 0: triangle 0 uses vertex 5, but there are 5",
    );
}
