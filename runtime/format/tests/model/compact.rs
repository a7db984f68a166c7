//! Models in compact storage.

use glam::Vec3;
use meshopt::{decode_index_buffer, decode_index_sequence, decode_vertex_buffer};
use serde_json::{Value, json};
use throng_bake::{BakeSettings, bake};
use throng_format::{Encoding, MeshStorage, ModelExtras, Source, Storage, TextureSet, read_model};
use throng_import::builtin::builtin;
use throng_rig::{Character, Influences, Mesh};

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written_compact, written_with};

/// A set with a rounded mesh.
fn rounded_set() -> TextureSet {
    let settings = BakeSettings {
        encoding: Encoding::BoneMatrix,
        storage: Storage::Frames(throng_format::Precision::F32),
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid:1000");
    let character = builtin("humanoid:1000").unwrap();
    bake(&character, &settings, &source, &()).unwrap().set
}

/// Model file whose positions, directions, weights and texture coordinates are integers.
pub fn rounded_model() -> Vec<u8> {
    written_compact(rounded_set().model())
}

/// The same file without compression, decompressed by meshoptimizer.
pub fn decompressed(bytes: &[u8]) -> Vec<u8> {
    let (mut json, binary) = split_glb(bytes);
    let mut out = Vec::new();
    for view in json["bufferViews"].as_array_mut().into_iter().flatten() {
        let extension = view["extensions"]["EXT_meshopt_compression"].take();
        let stored = if extension.is_null() {
            &*view
        } else {
            &extension
        };
        let number = |field: &str| stored[field].as_u64().unwrap_or(0) as usize;
        let stream = &binary[number("byteOffset")..][..number("byteLength")];
        let decoded = match extension["mode"].as_str() {
            None => stream.to_vec(),
            Some("ATTRIBUTES") => reference_vertices(stream, number("count"), number("byteStride")),
            Some(mode) => reference_indices(stream, number("count"), number("byteStride"), mode),
        };
        out.resize(out.len().next_multiple_of(4), 0);
        view["buffer"] = json!(0);
        view["byteOffset"] = json!(out.len());
        view["byteLength"] = json!(decoded.len());
        view.as_object_mut().unwrap().remove("extensions");
        out.extend(decoded);
    }
    json["buffers"] = json!([{ "byteLength": out.len().next_multiple_of(4) }]);
    for list in ["extensionsUsed", "extensionsRequired"] {
        if let Some(names) = json[list].as_array_mut() {
            names.retain(|name| name != "EXT_meshopt_compression");
            if names.is_empty() {
                json.as_object_mut().unwrap().remove(list);
            }
        }
    }
    if out.is_empty() {
        json.as_object_mut().unwrap().remove("buffers");
        return bytes.to_vec();
    }
    join_glb(&serde_json::to_vec(&json).unwrap(), &out)
}

fn reference_vertices(stream: &[u8], count: usize, stride: usize) -> Vec<u8> {
    fn decode<const N: usize>(stream: &[u8], count: usize) -> Vec<u8>
    where
        [u32; N]: Default,
    {
        let words: Vec<[u32; N]> = decode_vertex_buffer(stream, count).unwrap();
        let words = words.as_flattened().iter();
        words.flat_map(|word| word.to_le_bytes()).collect()
    }
    match stride {
        4 => decode::<1>(stream, count),
        8 => decode::<2>(stream, count),
        12 => decode::<3>(stream, count),
        16 => decode::<4>(stream, count),
        64 => decode::<16>(stream, count),
        _ => panic!("a stride of {stride} bytes"),
    }
}

fn reference_indices(stream: &[u8], count: usize, stride: usize, mode: &str) -> Vec<u8> {
    let indices: Vec<u32> = match mode {
        "TRIANGLES" => decode_index_buffer(stream, count).unwrap(),
        _ => decode_index_sequence(stream, count).unwrap(),
    };
    let bytes = indices.iter().flat_map(|index| {
        let bytes = index.to_le_bytes();
        bytes.into_iter().take(stride)
    });
    bytes.collect()
}

fn accessor<'j>(json: &'j Value, attribute: &str) -> &'j Value {
    let index = &json["meshes"][0]["primitives"][0]["attributes"][attribute];
    &json["accessors"][index.as_u64().unwrap() as usize]
}

#[test]
fn rounded_meshes_are_stored_in_few_bits() {
    let (json, binary) = split_glb(&rounded_model());
    let types = [
        "POSITION",
        "NORMAL",
        "TEXCOORD_0",
        "WEIGHTS_0",
        "JOINTS_0",
        "COLOR_0",
    ];
    let types = types.map(|name| {
        let accessor = accessor(&json, name);
        (
            accessor["componentType"].as_u64().unwrap(),
            accessor["normalized"] == true,
        )
    });
    let expected = [
        (5123, false),
        (5120, true),
        (5123, true),
        (5123, true),
        (5121, false),
        (5123, true),
    ];
    assert_eq!(types, expected);
    let attributes = json["meshes"][0]["primitives"][0]["attributes"]
        .as_object()
        .unwrap();
    assert!(!attributes.contains_key("_UNIQUE_POSITION"));
    let extensions = json!(["EXT_meshopt_compression", "KHR_mesh_quantization"]);
    assert_eq!(json["extensionsRequired"], extensions);
    assert_eq!(json["buffers"][0]["byteLength"], binary.len());
    let fallback = json!({ "EXT_meshopt_compression": { "fallback": true } });
    assert_eq!(json["buffers"][1]["extensions"], fallback);
    // They follow from those for stored positions.
    assert!(json["skins"][0].get("extras").is_none());
}

#[test]
fn rounded_meshes_are_read_as_they_are_in_memory() {
    let set = rounded_set();
    let bytes = written_compact(set.model());
    let model = read_model(&bytes).unwrap();
    assert!(format!("{:?}", model.character) == format!("{:?}", set.model()));
    assert_eq!(model.storage, MeshStorage::Compact);
    assert!(written_compact(&model.character) == bytes);
}

#[test]
fn weights_of_16_bits_sum_to_65535() {
    let set = rounded_set();
    let influences = set.model().meshes()[0].influences();
    for vertex in 0..influences.vertex_count() {
        let (_, weights) = influences.run(vertex);
        let stored = weights
            .iter()
            .map(|&weight| (weight * 65_535.0).round() as u32);
        assert_eq!(stored.sum::<u32>(), 65_535, "vertex {vertex}");
    }
}

/// Two vertices that differ, and a third that equals the first but is not shared with it.
fn unshared() -> Character {
    let mut parts = builtin("bar").unwrap().into_parts();
    let positions = [0.0, 0.5, 0.0].map(Vec3::splat).to_vec();
    let mut mesh = Mesh::new(positions, vec![[2, 0, 1]], Influences::rigid(3)).unwrap();
    mesh.split_positions();
    parts.meshes = vec![mesh];
    Character::new(parts).unwrap()
}

#[test]
fn unique_vertices_that_do_not_follow_from_vertices_are_stored() {
    let character = unshared();
    let bytes = written_compact(&character);
    assert_eq!(
        accessor(&split_glb(&bytes).0, "_UNIQUE_POSITION")["componentType"],
        5123
    );
    let read = read_model(&bytes).unwrap().character;
    assert_eq!(read.meshes()[0].unique(), character.meshes()[0].unique());
    assert_eq!(read.meshes()[0].triangles(), [[2, 0, 1]]);
}

#[test]
fn vertex_sets_store_unique_vertices() {
    let character = builtin("bar").unwrap();
    let rest = throng_skin::rest_vertices(&character, throng_rig::Skinning::AsAuthored);
    let extras = ModelExtras {
        rest: Some(&rest),
        storage: MeshStorage::Compact,
        ..ModelExtras::default()
    };
    let bytes = written_with(&character, extras);
    let (json, _) = split_glb(&bytes);
    assert_eq!(accessor(&json, "_UNIQUE_NORMAL")["type"], "SCALAR");
    assert!(read_model(&bytes).unwrap().rest.unwrap() == rest);
}

#[test]
fn damaged_streams_are_errors_or_other_meshes() {
    let bytes = rounded_model();
    let start = bytes.len() - split_glb(&bytes).1.len();
    let mut errors = 0;
    for at in (start..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        errors += usize::from(read_model(&damaged).is_err());
    }
    assert!(errors > 10, "{errors}");
}

#[test]
fn rejects_contradicting_descriptions_of_compressed_views() {
    type Damage = fn(&mut Value);
    let damages: [Damage; 9] = [
        |json| json["buffers"][1]["byteLength"] = json!(4),
        |json| {
            json["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"] = json!(false);
        },
        |json| json["bufferViews"][0]["byteOffset"] = json!(4),
        |json| json["bufferViews"][0]["buffer"] = json!(0),
        |json| compressed(json)["count"] = json!(3),
        |json| compressed(json)["byteStride"] = json!(6),
        |json| compressed(json)["mode"] = json!("INDICES"),
        |json| compressed(json)["byteOffset"] = json!(4),
        |json| json["meshes"][0]["extras"]["throng"]["quantization"]["step"] = json!(1e38),
    ];
    fn compressed(json: &mut Value) -> &mut Value {
        &mut json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]
    }
    let (json, binary) = split_glb(&rounded_model());
    for (index, damage) in damages.iter().enumerate() {
        let mut json = json.clone();
        damage(&mut json);
        let bytes = join_glb(&serde_json::to_vec(&json).unwrap(), &binary);
        assert!(read_model(&bytes).is_err(), "damage {index}");
    }
}

#[test]
fn a_step_of_zero_is_an_error() {
    let (mut json, binary) = split_glb(&rounded_model());
    json["meshes"][0]["extras"]["throng"]["quantization"]["step"] = json!(0);
    let bytes = join_glb(&serde_json::to_vec(&json).unwrap(), &binary);
    assert!(read_model(&bytes).is_err());
}

#[test]
fn compact_files_are_smaller() {
    let character = everything();
    let plain = written_with(&character, ModelExtras::default());
    assert!(written_compact(&character).len() < plain.len() + 4096);
    let set = rounded_set();
    let plain = written_with(set.model(), ModelExtras::default());
    assert!(2 * rounded_model().len() < plain.len());
}
