//! What is not a model as it is written is refused, and the error says where.

use serde_json::{Value, json};
use throng_format::read_model;

use crate::everything::everything;
use crate::files::{put_together, taken_apart, written};

/// What reading says of bytes.
#[track_caller]
fn unreadable(bytes: &[u8]) -> String {
    read_model(bytes).unwrap_err().to_string()
}

#[test]
fn every_bad_container_is_refused() {
    let sound = written(&everything(), None);
    let (json, binary) = taken_apart(&sound);
    let with = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        unreadable(&bytes)
    };
    assert!(unreadable(b"").starts_with("GLB header: the file is not a GLB"));
    assert!(unreadable(b"glTF\x02\0\0\0").starts_with("GLB header: the file ends in it"));
    assert!(with(0, b'G').starts_with("GLB header: the file is not a GLB"));
    assert!(with(4, 1).starts_with("GLB header: version 1, expected 2"));
    assert!(with(11, 1).starts_with("GLB header: claims"));
    assert!(unreadable(&sound[..sound.len() - 4]).starts_with("GLB header: claims"));
    assert!(with(15, 0xff).starts_with("JSON chunk: claims"));
    assert!(with(12, sound[12] + 1).starts_with("JSON chunk: claims"));
    assert!(with(16, b'j').starts_with("JSON chunk: found a chunk of kind"));
    let binary_at = sound.len() - binary.len();
    assert!(with(binary_at - 4, b'b').starts_with("BIN chunk: found a chunk of kind"));

    // A chunk twice, and one that is half a header.
    for (more, expected) in [
        (
            &[4, 0, 0, 0, b'B', b'I', b'N', 0, 1, 2, 3, 4][..],
            "BIN chunk: 12 bytes come after it",
        ),
        (&[1, 2, 3, 4][..], "BIN chunk: 4 bytes come after it"),
    ] {
        let mut bytes = sound.clone();
        bytes.extend(more);
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert!(unreadable(&bytes).starts_with(expected));
    }
    let text = json.to_string();
    let longer = [&binary[..], &[0; 4]].concat();
    let message = unreadable(&put_together(text.as_bytes(), &longer));
    assert!(
        message.starts_with("buffer: is not one of the"),
        "{message}"
    );
    let message = unreadable(&put_together(b"{} {}", &binary));
    assert!(
        message.starts_with("JSON: trailing characters"),
        "{message}"
    );
    let message = unreadable(&put_together(&text.as_bytes()[..900], &binary));
    assert!(message.starts_with("JSON, "), "{message}");
    assert!(message.contains("EOF"), "{message}");
}

/// What reading says of the fullest model with a value replaced, or taken away where it is null.
#[track_caller]
fn with(pointer: &str, value: Value) -> String {
    with_all(&[(pointer, value)])
}

#[track_caller]
fn with_all(edits: &[(&str, Value)]) -> String {
    let (mut json, binary) = taken_apart(&written(&everything(), None));
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = json.pointer_mut(parent).expect("a place in the JSON");
        match parent {
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            Value::Object(map) if value.is_null() => drop(map.remove(key).expect("a key")),
            Value::Object(map) => drop(map.insert((*key).to_owned(), value.clone())),
            _ => panic!("{pointer} is in neither a list nor an object"),
        }
    }
    unreadable(&put_together(json.to_string().as_bytes(), &binary))
}

#[track_caller]
fn assert_says(said: &str, expected: &str) {
    assert!(
        said.contains(expected),
        "'{said}' does not say '{expected}'"
    );
    assert!(said.ends_with("write it again"), "{said}");
}

#[test]
fn every_bad_document_is_refused_where_it_is() {
    assert_says(&with("/extras", Value::Null), "extras.throng: is missing");
    assert_says(&with("/extras/throng/version", json!(2)), "version 2");
    assert_says(
        &with("/extras/throng/more", json!(2)),
        "JSON, extras.throng.more",
    );
    assert_says(
        &with("/accessors/3/sparse", json!({})),
        "JSON, accessors[3].sparse",
    );
    assert_says(
        &with("/accessors/3/count", json!(-1)),
        "JSON, accessors[3].count",
    );
    assert_says(&with("/nodes/1/extras", Value::Null), "nodes[1]");
    assert_says(
        &with("/nodes/1/scale/0", json!(1e39)),
        "too large for a float32",
    );
    assert_says(
        &with("/bufferViews/2/byteOffset", json!(0)),
        "buffer view 2",
    );
    assert_says(
        &with("/bufferViews/2/byteLength", json!(0)),
        "buffer view 2",
    );
    assert_says(
        &with("/bufferViews/2/byteLength", json!(u64::MAX)),
        "buffer view 2",
    );
    assert_says(&with("/bufferViews/2/buffer", json!(1)), "buffer view 2");
    assert_says(&with("/bufferViews", Value::Null), "buffer: ");
    assert_says(&with("/buffers/0/byteLength", json!(4)), "buffer: ");
    assert_says(
        &with("/extras/throng/images/1/view", json!(0)),
        "image 1: buffer view 0 is used",
    );
    assert_says(
        &with("/extras/throng/materials/1/texture/image", json!(9)),
        "image 9",
    );
    assert_says(
        &with("/extras/throng/materials/1/texture/wrap_u", json!("x")),
        "wrap_u",
    );
}

#[test]
fn every_bad_node_is_refused_where_it_is() {
    assert_says(
        &with("/nodes/0/children/0", json!(99)),
        "node 0: child 99 is not there",
    );
    assert_says(
        &with("/nodes/2/children/0", json!(1)),
        "node 2: child 1 has a parent already",
    );
    assert_says(
        &with("/nodes/15/children/0", json!(7)),
        "node 7: hangs on another node",
    );
    // Joint 0 below its own descendant, below a part, and below itself.
    for node in [6, 7, 0] {
        let (roots, children) = ("/nodes/15/children", format!("/nodes/{node}/children"));
        let said = with_all(&[(roots, json!([2])), (&children, json!([0]))]);
        assert_says(&said, &format!("joint 0 '' has parent {node}"));
    }
    let role = |node: usize, role: Value| with(&format!("/nodes/{node}/extras/throng"), role);
    let order = "is not in the order of joints, parts, repeats, root";
    assert_says(&role(8, json!({ "joint": "bone" })), order);
    assert_says(&role(13, json!({ "joint": "bone" })), order);
    assert_says(
        &role(3, json!({ "joint": "elbow" })),
        "nodes[3].extras.throng",
    );
    assert_says(
        &role(12, json!({ "repeat": 2 })),
        "node 12: hangs on another node",
    );
    assert_says(
        &with("/nodes/12/scale", json!([1, 1, 1])),
        "node 12: has more than its role",
    );
    assert_says(
        &with("/nodes/15/mesh", json!(0)),
        "node 15: has more than its role",
    );
    assert_says(
        &with("/nodes/1/rotation", Value::Null),
        "node 1: is a joint without",
    );
    assert_says(
        &with("/nodes/1/rotation", json!([0, 0, 0, 0])),
        "node 1: has a rotation",
    );
    assert_says(
        &with("/nodes/1/mesh", json!(0)),
        "node 1: is a joint and has more",
    );
    assert_says(
        &with("/nodes/7/scale", json!([1, 1, 1])),
        "node 7: is a part and has",
    );
    assert_says(
        &with("/nodes/7/skin", Value::Null),
        "node 7: is a part without",
    );
    assert_says(
        &with("/nodes/7/weights/0", json!(3)),
        "node 7: has other weights",
    );
    assert_says(
        &with("/nodes/7/skin", json!(1)),
        "uses joint 5, its skin has 1",
    );
    assert_says(&with("/nodes/7/mesh", json!(9)), "mesh 9, there are 4");
    assert_says(
        &with("/nodes/7/mesh", json!(1)),
        "0 morph targets but 2 weights",
    );
    assert_says(
        &role(
            8,
            json!({ "part": { "node": 0, "primitive": 0, "morph_set": 3 } }),
        ),
        "node 8: names a morph set",
    );
}

#[test]
fn every_bad_skin_is_refused_where_it_is() {
    assert_says(
        &with("/skins/0/joints/0", json!(7)),
        "skin 0 'both trees': names node 7",
    );
    assert_says(
        &with("/skins/0/joints/0", json!(15)),
        "names node 15, which is no joint",
    );
    assert_says(
        &with("/skins/0/joints/0", json!(99)),
        "names node 99, which is no joint",
    );
    assert_says(
        &with("/skins/0/joints", json!([1])),
        "has 6 elements, expected 1",
    );
    assert_says(
        &with("/skins/1/inverseBindMatrices", json!(0)),
        "skin 1 '': accessor 0 is of",
    );
    assert_says(
        &with("/skins/1/inverseBindMatrices", json!(999)),
        "accessor 999 is not there",
    );
}

#[test]
fn every_bad_mesh_is_refused_where_it_is() {
    let attribute = |name: &str, value: Value| {
        with(&format!("/meshes/0/primitives/0/attributes/{name}"), value)
    };
    for name in [
        "POSITION",
        "NORMAL",
        "WEIGHTS_1",
        "_TRUE_POSITION",
        "_TRUE_NORMAL",
    ] {
        // The mesh's own normals are read, not those for viewers.
        if name == "NORMAL" {
            let said = with("/meshes/1/primitives/0/attributes/NORMAL", Value::Null);
            assert_says(&said, "mesh 1: has no NORMAL");
        } else {
            assert_says(
                &attribute(name, Value::Null),
                &format!("mesh 0, {name}: is missing"),
            );
        }
    }
    assert_says(
        &attribute("JOINTS_0", Value::Null),
        "mesh 0, influences: the weights of vertex 0",
    );
    assert_says(
        &attribute("_MORE", json!(0)),
        "mesh 0: attribute _MORE is unknown",
    );
    assert_says(
        &attribute("TEXCOORD_0", json!(0)),
        "mesh 0, TEXCOORD_0: accessor 0",
    );
    let position = |mesh: usize| format!("/meshes/{mesh}/primitives/0/attributes/POSITION");
    // The same array for two meshes of as many vertices would let a small file ask for much memory.
    let (json, _) = taken_apart(&written(&everything(), None));
    let shared = json.pointer(&position(1)).unwrap().clone();
    let normal = "/meshes/1/primitives/0/attributes/NORMAL";
    assert_says(&with(normal, shared), "is used twice");
    assert_says(
        &with("/meshes/0/extras/throng/vertices", json!(4)),
        "has 5 elements, expected 4",
    );
    assert_says(
        &with("/meshes/0/extras/throng/triangles", json!(1)),
        "has 6 elements, expected 3",
    );
    let most = json!(usize::MAX);
    assert_says(
        &with("/meshes/0/extras/throng/triangles", most.clone()),
        "too many triangles",
    );
    assert_says(
        &with("/meshes/0/extras/throng/vertices", most),
        "mesh 0, POSITION: accessor",
    );
    assert_says(
        &with("/meshes/0/extras/throng/material", json!(9)),
        "mesh 0 names material 9",
    );
    assert_says(
        &with("/meshes/0/extras/targetNames", json!([])),
        "one name for each morph",
    );
    assert_says(
        &with("/meshes/0/primitives", json!([])),
        "mesh 0: has 0 primitives",
    );
}

/// What reading says of the fullest model with a word of one of its arrays replaced.
#[track_caller]
fn with_word(pointer: &str, word: usize, value: impl Into<f64>) -> String {
    let (json, mut binary) = taken_apart(&written(&everything(), None));
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let accessor = &json["accessors"][index(json.pointer(pointer).unwrap())];
    let view = &json["bufferViews"][index(&accessor["bufferView"])];
    let at = index(&view["byteOffset"]) + 4 * word;
    binary[at..at + 4].copy_from_slice(&(value.into() as f32).to_le_bytes());
    unreadable(&put_together(json.to_string().as_bytes(), &binary))
}

#[test]
fn every_bad_number_is_refused_where_it_is() {
    let attribute = |name: &str, word: usize, value: f64| {
        with_word(
            &format!("/meshes/0/primitives/0/attributes/{name}"),
            word,
            value,
        )
    };
    assert_says(
        &attribute("POSITION", 4, f64::NAN),
        "mesh 0, POSITION: element 1 is not finite",
    );
    assert_says(
        &attribute("_OWN_NORMAL", 0, f64::INFINITY),
        "mesh 0, _OWN_NORMAL: element 0",
    );
    // Vertex 0 has three influences of a third each.
    let influences = "mesh 0, influences: ";
    assert_says(
        &attribute("WEIGHTS_0", 0, 0.9),
        &format!("{influences}the weights of vertex 0"),
    );
    assert_says(
        &attribute("WEIGHTS_0", 1, 0.5),
        &format!("{influences}the influences of"),
    );
    assert_says(
        &attribute("WEIGHTS_0", 0, -0.5),
        &format!("{influences}the influences of"),
    );
    assert_says(
        &attribute("WEIGHTS_0", 0, 0.0),
        "vertex 0 go on after their end",
    );
    assert_says(
        &attribute("WEIGHTS_1", 0, 0.5),
        "vertex 0 go on after their end",
    );
    for value in [-1.0, 0.5, 5.0, 1e30] {
        let said = attribute("_TRUE_POSITION", 1, value);
        assert_says(
            &said,
            "mesh 0, _TRUE_POSITION: one is no number of a vertex",
        );
    }
    assert_says(
        &attribute("_TRUE_POSITION", 1, 3.0),
        "vertex 1 has true position 3, the next",
    );
    assert_says(
        &attribute("_TRUE_POSITION", 4, 0.0),
        "vertex 4 is said to share the position",
    );
    let matrices = "/skins/1/inverseBindMatrices";
    assert_says(
        &with_word(matrices, 0, f64::NAN),
        "skin 1 '': element 0 is not finite",
    );
    assert_says(
        &with_word(matrices, 3, 1e-20),
        "the inverse bind matrix 0 is not affine",
    );
    let corner = f64::from(f32::from_bits(5 << 16));
    let said = with_word("/meshes/0/primitives/0/indices", 0, corner);
    assert_says(&said, "mesh 0: triangle 0 uses vertex 5, there are 5");
}
