//! Bombs: small files that need memory or time out of proportion to their size.

use serde_json::{Value, json};
use throng_import::ErrorKind;

use super::glb::Glb;

impl Bomb {
    /// Returns the bytes that the file declares: its own, and those of each accessor for each primitive that uses it.
    pub fn declared_bytes(&self) -> u64 {
        let json = &self.glb.json;
        let size = |accessor: &Value| {
            let accessor = &json["accessors"][accessor.as_u64().unwrap_or(0) as usize];
            let components = match accessor["type"].as_str() {
                Some("VEC2") => 2,
                Some("VEC3") => 3,
                Some("VEC4") => 4,
                Some("MAT4") => 16,
                _ => 1,
            };
            accessor["count"]
                .as_u64()
                .unwrap_or(0)
                .saturating_mul(4 * components)
        };
        let meshes = json["meshes"].as_array().into_iter().flatten();
        let primitives =
            meshes.flat_map(|mesh| mesh["primitives"].as_array().into_iter().flatten());
        let attributes = primitives.flat_map(|p| p["attributes"].as_object().into_iter().flatten());
        let declared = attributes.fold(0_u64, |sum, (_, accessor)| {
            sum.saturating_add(size(accessor))
        });
        declared.saturating_add(self.glb.bytes().len() as u64)
    }
}

/// A file and its expected error; `None` if it should load.
pub struct Bomb {
    pub name: &'static str,
    pub glb: Glb,
    pub expect: Option<ErrorKind>,
}

/// Returns all bombs. None is larger than a few megabytes.
pub fn bombs() -> Vec<Bomb> {
    let bomb = |name, glb, expect| Bomb { name, glb, expect };
    let limit = Some(ErrorKind::Limit);
    vec![
        bomb("accessor without a view", zeros(u64::from(u32::MAX)), limit),
        bomb("accessor of 2^63 elements", zeros(1 << 63), limit),
        bomb("accessor just in the budget", zeros(1_500_000), None),
        bomb("accessor over the budget", zeros(4_000_000), limit),
        bomb("sparse count", sparse_count(), Some(ErrorKind::Data)),
        bomb("sparse over nothing", sparse_over_nothing(), limit),
        bomb("meshopt count", meshopt(u64::from(u32::MAX), 4), limit),
        bomb("meshopt overflow", meshopt(u64::MAX, 256), limit),
        bomb("meshopt ramp", meshopt_ramp(1_000_000), None),
        bomb(
            "many nodes, one big mesh",
            many_nodes(20_000, 50_000),
            limit,
        ),
        bomb("many rigid nodes", many_nodes(60_000, 3), None),
        bomb("many primitives", many_primitives(), limit),
        bomb("empty morph targets", empty_morph_targets(), limit),
        bomb("many attributes", many_attributes(), limit),
        bomb(
            "keys read again and again",
            many_channels("rotation"),
            limit,
        ),
        bomb("keys that are not played", many_channels("weights"), None),
        bomb("a long name on every part", long_name(), limit),
        bomb("a long clip", long_clip(), limit),
        bomb(
            "scenes that list a chain upwards",
            upward_scene(100_000),
            None,
        ),
        bomb("empty nodes", empty_nodes(130_000), None),
        bomb("too many nodes", empty_nodes(200_000), limit),
        bomb("too many objects", empty_nodes(1_100_000), limit),
        bomb("many nodes with a mesh", many_nodes(200_000, 3), limit),
        bomb("many joints of one skin", many_joints(130_000), None),
        bomb("many joints of many skins", many_skins(600, 10_000), limit),
        bomb(
            "more joints than skins may have",
            many_skins(30, 10_000),
            limit,
        ),
        bomb("many skins of one joint", many_skins(60_000, 1), None),
        bomb("many empty primitives", empty_primitives(1_000_000), limit),
        bomb("numbers in extras", long_extras(6_000_000), limit),
        bomb("one image many times", many_images(), None),
        bomb("deep extras", deep_extras(), Some(ErrorKind::Container)),
        bomb("stacked scales", stacked_scales(), limit),
    ]
}

/// Mesh with vertices that are in no buffer, and so are zero.
fn zeros(count: u64) -> Glb {
    let mut glb = Glb::new();
    let accessor = json!({ "componentType": 5126, "count": count, "type": "VEC3" });
    let positions = glb.push("accessors", accessor);
    let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions } }));
    glb.node(json!({ "mesh": mesh }));
    glb
}

fn sparse_count() -> Glb {
    let mut glb = zeros(3);
    let view = glb.view(&[0; 16]);
    glb.json["accessors"][0]["sparse"] = json!({
        "count": u64::MAX,
        "indices": { "bufferView": view, "componentType": 5125 },
        "values": { "bufferView": view },
    });
    glb
}

fn sparse_over_nothing() -> Glb {
    let mut glb = sparse_count();
    glb.json["accessors"][0]["count"] = json!(u64::MAX);
    glb
}

fn compressed_positions(bytes: &[u8], count: u64, stride: u64) -> Glb {
    let mut glb = zeros(count);
    let view = glb.view(bytes);
    let compression = json!({
        "buffer": 0, "byteOffset": 0, "byteLength": bytes.len(),
        "byteStride": stride, "count": count, "mode": "ATTRIBUTES",
    });
    glb.json["bufferViews"][view]["extensions"] = json!({ "EXT_meshopt_compression": compression });
    glb.json["accessors"][0]["bufferView"] = json!(view);
    glb
}

fn meshopt(count: u64, stride: u64) -> Glb {
    compressed_positions(&[0xa0; 64], count, stride)
}

/// Positions that are all different and compress to almost nothing.
fn meshopt_ramp(count: u32) -> Glb {
    let ramp: Vec<[u32; 3]> = (0..count).map(|i| [i; 3]).collect();
    let bytes = meshopt::encode_vertex_buffer(&ramp).expect("encodable vertices");
    compressed_positions(&bytes, u64::from(count), 12)
}

fn many_nodes(nodes: usize, vertices: u64) -> Glb {
    let mut glb = zeros(vertices);
    glb.json["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); nodes]);
    glb
}

fn many_primitives() -> Glb {
    let mut glb = zeros(3);
    let primitive = glb.json["meshes"][0]["primitives"][0].clone();
    glb.json["meshes"][0]["primitives"] = Value::Array(vec![primitive; 1000]);
    glb.json["nodes"] = Value::Array(vec![json!({ "mesh": 0 }); 300]);
    glb
}

fn empty_morph_targets() -> Glb {
    let mut glb = zeros(100_000);
    glb.json["meshes"][0]["primitives"][0]["targets"] = Value::Array(vec![json!({}); 50_000]);
    glb
}

fn many_attributes() -> Glb {
    let mut glb = zeros(100_000);
    let four = json!({ "componentType": 5123, "count": 100_000, "type": "VEC4" });
    let four = glb.push("accessors", four);
    for set in 0..5000 {
        let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("JOINTS_{set}")] = json!(four);
        attributes[format!("WEIGHTS_{set}")] = json!(four);
    }
    glb.json["nodes"][0]["skin"] = json!(0);
    glb.json["skins"] = json!([{ "joints": [0] }]);
    glb
}

/// Very many channels, each with a million keys at the same time.
fn many_channels(path: &str) -> Glb {
    let mut glb = zeros(3);
    let times = json!({ "componentType": 5126, "count": 1_000_000, "type": "SCALAR" });
    let times = glb.push("accessors", times);
    let rotations = json!({ "componentType": 5126, "count": 1_000_000, "type": "VEC4" });
    let rotations = glb.push("accessors", rotations);
    let channel = json!({ "sampler": 0, "target": { "node": 0, "path": path } });
    glb.json["animations"] = json!([{
        "samplers": [{ "input": times, "output": rotations }],
        "channels": vec![channel; 20_000],
    }]);
    glb
}

fn long_name() -> Glb {
    let mut glb = many_primitives();
    glb.json["nodes"] = json!([{ "mesh": 0, "name": "x".repeat(2 << 20) }]);
    glb
}

fn long_clip() -> Glb {
    let mut glb = zeros(3);
    let clip = glb.clip("long");
    let output = glb.floats(&[[0.0; 3]; 2]);
    glb.channel(clip, (0, "scale"), "LINEAR", &[0.0, 86_401.0], output);
    glb
}

/// A chain of nodes, and a scene that lists all of them, the last first.
fn upward_scene(count: usize) -> Glb {
    let mut glb = zeros(3);
    let link = |i: usize| json!({ "children": [i + 1] });
    let mut nodes: Vec<Value> = (0..count - 1).map(link).collect();
    nodes.push(json!({ "mesh": 0 }));
    glb.json["nodes"] = Value::Array(nodes);
    let upwards: Vec<usize> = (0..count).rev().collect();
    glb.json["scenes"] = json!([{ "nodes": upwards }]);
    glb
}

fn empty_nodes(count: usize) -> Glb {
    let mut glb = Glb::new();
    glb.json["nodes"] = Value::Array(vec![json!({}); count]);
    glb
}

/// One skin of a chain of nodes.
fn many_joints(count: usize) -> Glb {
    let mut glb = upward_scene(count);
    let joints: Vec<usize> = (0..count).collect();
    glb.json["skins"] = json!([{ "joints": joints }]);
    glb.json["scenes"] = json!([{ "nodes": [0] }]);
    glb.json["nodes"][count - 1]["skin"] = json!(0);
    glb
}

/// Very many skins that list the same joint again and again, each used by a node.
fn many_skins(count: usize, joints: usize) -> Glb {
    let mut glb = zeros(3);
    let four = json!({ "componentType": 5123, "count": 3, "type": "VEC4" });
    let four = glb.push("accessors", four);
    let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(four);
    attributes["WEIGHTS_0"] = json!(four);
    glb.json["skins"] = Value::Array(vec![json!({ "joints": vec![0; joints] }); count]);
    let node = |skin: usize| json!({ "mesh": 0, "skin": skin });
    glb.json["nodes"] = (0..count).map(node).collect();
    glb
}

fn empty_primitives(count: usize) -> Glb {
    let mut glb = zeros(3);
    glb.json["meshes"][0]["primitives"] = Value::Array(vec![json!({}); count]);
    glb
}

fn long_extras(count: usize) -> Glb {
    let mut glb = zeros(3);
    glb.json["meshes"][0]["extras"] = json!(vec![0; count]);
    glb
}

/// Very many materials and images that share one picture of a megabyte.
fn many_images() -> Glb {
    let mut glb = zeros(3);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.resize(1 << 20, 0);
    let view = glb.view(&png);
    let count = 2000;
    let material =
        |i: usize| json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": i } } });
    glb.json["images"] = Value::Array(vec![json!({ "bufferView": view }); count]);
    glb.json["textures"] = (0..count).map(|i| json!({ "source": i })).collect();
    glb.json["materials"] = (0..count).map(material).collect();
    glb
}

fn deep_extras() -> Glb {
    let mut glb = zeros(3);
    let mut extras = json!([]);
    for _ in 0..1000 {
        extras = json!([extras]);
    }
    glb.json["meshes"][0]["extras"] = extras;
    glb
}

/// Each scale is finite, but their product is not.
fn stacked_scales() -> Glb {
    let mut glb = zeros(3);
    let joint = |i: usize| json!({ "scale": [1e50, 1.0, 1.0], "children": [i + 1] });
    let mut nodes: Vec<Value> = (0..10).map(joint).collect();
    nodes.push(json!({ "mesh": 0 }));
    glb.json["nodes"] = Value::Array(nodes);
    glb
}
