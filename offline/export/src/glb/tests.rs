//! Tests of written GLB files, with a reader and the Khronos validator.

use std::process::Command;

use glam::Vec3;
use serde_json::Value;
use throng_rig::Influences;
use throng_testkit::{path_or_skip, workspace_root};

use super::*;
use crate::GENERATOR;
use crate::fixture::{PNG, character, of_meshes, skinned};
use crate::write_file;

/// Returns the JSON and the binary chunk.
fn read(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!((word(4), word(8)), (2, bytes.len()));
    let json_length = word(12);
    assert_eq!(&bytes[16..20], b"JSON");
    let binary_at = 20 + json_length;
    assert_eq!((json_length % 4, word(binary_at) % 4), (0, 0));
    assert_eq!(&bytes[binary_at + 4..binary_at + 8], b"BIN\0");
    assert_eq!(binary_at + 8 + word(binary_at), bytes.len());
    let json = serde_json::from_slice(&bytes[20..binary_at]).unwrap();
    (json, bytes[binary_at + 8..].to_vec())
}

fn read_fixture() -> (Value, Vec<u8>) {
    let character = character();
    let parts = skinned(&character);
    let posed = Posed {
        character: &character,
        parts: &parts,
    };
    read(&encode(&posed).unwrap())
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Returns the bytes of a view; asserts that it is aligned and inside the buffer.
fn view<'b>(json: &Value, binary: &'b [u8], index: usize) -> &'b [u8] {
    let view = &json["bufferViews"][index];
    let offset = number(&view["byteOffset"]);
    assert_eq!((number(&view["buffer"]), offset % 4), (0, 0));
    &binary[offset..offset + number(&view["byteLength"])]
}

/// Returns the numbers of an accessor; asserts that they fill the view.
fn numbers(json: &Value, binary: &[u8], index: usize) -> Vec<f64> {
    let accessor = &json["accessors"][index];
    let bytes = view(json, binary, number(&accessor["bufferView"]));
    let read: Vec<f64> = match number(&accessor["componentType"]) {
        5123 => bytes
            .chunks(2)
            .map(|b| f64::from(u16::from_le_bytes(b.try_into().unwrap())))
            .collect(),
        5125 => bytes
            .chunks(4)
            .map(|b| f64::from(u32::from_le_bytes(b.try_into().unwrap())))
            .collect(),
        5126 => bytes
            .chunks(4)
            .map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap())))
            .collect(),
        other => panic!("component type {other}"),
    };
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        vector => vector[3..].parse().unwrap(),
    };
    assert_eq!(read.len(), number(&accessor["count"]) * width);
    read
}

#[test]
fn parts_of_a_node_become_primitives_of_one_mesh() {
    let (json, _) = read_fixture();
    let character = character();
    let nodes = json["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 2);
    assert_eq!(nodes[0]["name"], character.parts()[0].node_name.as_str());
    assert_eq!(nodes[1].get("name"), None);
    let primitives = |mesh: usize| json["meshes"][mesh]["primitives"].as_array().unwrap().len();
    assert_eq!([primitives(0), primitives(1)], [2, 1]);
    assert_eq!(json["asset"]["generator"], GENERATOR);
    assert_eq!(json["scenes"][0]["nodes"], serde_json::json!([0, 1]));
}

#[test]
fn arrays_round_trip() {
    let (json, binary) = read_fixture();
    let character = character();
    let skinned = skinned(&character);
    let primitives = json["meshes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let parts = character.parts().iter().zip(&skinned);
    for (primitive, (part, skinned)) in primitives.zip(parts) {
        let mesh = character.mesh_of(part);
        let attribute = |name: &str| {
            let accessor = primitive["attributes"].get(name).map(number)?;
            Some(numbers(&json, &binary, accessor))
        };
        let rounded = |x: f64| f64::from(x as f32);
        let expected: Vec<f64> = skinned
            .positions
            .iter()
            .flat_map(|p| p.to_array().map(rounded))
            .collect();
        let positions = attribute("POSITION").unwrap();
        assert_eq!(positions, expected);

        let accessor = &json["accessors"][number(&primitive["attributes"]["POSITION"])];
        for axis in 0..3 {
            let along = positions.iter().copied().skip(axis).step_by(3);
            let min = along.clone().fold(f64::INFINITY, f64::min);
            let max = along.fold(f64::NEG_INFINITY, f64::max);
            // Numbers have the fewest digits that are the same in float32.
            let stored = |bound: &str| accessor[bound][axis].as_f64().map(rounded);
            assert_eq!(stored("min"), Some(min));
            assert_eq!(stored("max"), Some(max));
        }

        for normal in attribute("NORMAL").unwrap().chunks(3) {
            let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-6); // unit length, except for rounding
        }
        let uvs = attribute("TEXCOORD_0").unwrap_or_default();
        let expected = mesh.uvs().iter().flat_map(|uv| uv.as_dvec2().to_array());
        assert!(uvs.into_iter().eq(expected));
        assert_eq!(attribute("TANGENT").is_some(), !mesh.tangents().is_empty());
        assert_eq!(attribute("COLOR_0").is_some(), !mesh.colors().is_empty());
        let colors = attribute("COLOR_0").unwrap_or_default();
        assert!(colors.iter().all(|x| (0.0..=1.0).contains(x)));

        let indices = numbers(&json, &binary, number(&primitive["indices"]));
        let expected = mesh
            .triangles()
            .as_flattened()
            .iter()
            .map(|&i| f64::from(i));
        assert!(indices.into_iter().eq(expected));
    }
}

#[test]
fn writes_only_used_materials_and_images() {
    let (json, binary) = read_fixture();
    let material_of = |mesh: usize, primitive: usize| {
        let material = &json["meshes"][mesh]["primitives"][primitive]["material"];
        &json["materials"][number(material)]
    };
    let textured = material_of(0, 0);
    assert_eq!(textured["alphaMode"], "MASK");
    assert_eq!(textured["alphaCutoff"], 0.25);
    assert_eq!(textured["doubleSided"], true);
    let pbr = &textured["pbrMetallicRoughness"];
    let clamped = serde_json::json!([0.25, 1, 1, 0.5]);
    assert_eq!(pbr["baseColorFactor"], clamped);
    let texture = &json["textures"][number(&pbr["baseColorTexture"]["index"])];
    let sampler = &json["samplers"][number(&texture["sampler"])];
    assert_eq!(
        (number(&sampler["wrapS"]), number(&sampler["wrapT"])),
        (33648, 33071)
    );

    let images = json["images"].as_array().unwrap();
    assert_eq!((images.len(), number(&texture["source"])), (1, 0));
    assert_eq!(images[0]["name"], "orange");
    assert_eq!(images[0]["mimeType"], "image/png");
    assert_eq!(view(&json, &binary, number(&images[0]["bufferView"])), PNG);

    let bare = &material_of(0, 1)["pbrMetallicRoughness"];
    assert_eq!(bare.get("baseColorTexture"), None);
    let plain = material_of(1, 0);
    assert_eq!(plain["alphaMode"], "OPAQUE");
    assert_eq!(plain.get("alphaCutoff"), None);
}

#[test]
fn mesh_without_uvs_has_a_material_without_texture() {
    let character = character();
    let mut looks = MaterialTable::default();
    let materials = character.meshes().iter();
    let indices: Vec<usize> = materials
        .map(|mesh| looks.material_of(&character, mesh))
        .collect();
    assert_eq!(indices, [0, 1, 2, 2]);
    let texture_of = |i: usize| &looks.materials[i].pbr_metallic_roughness.base_color_texture;
    assert!(texture_of(0).is_some());
    assert!(texture_of(1).is_none());
    assert_eq!(looks.materials[0].name, looks.materials[1].name);
    let mut used = Vec::new();
    looks.images(&character, |index| {
        used.push(index);
        0
    });
    assert_eq!(used, [1]);
}

#[test]
fn passes_the_khronos_validator() {
    let tool = workspace_root().join("tools/gltf-validate");
    let what = "gltf-validator (npm ci in tools/gltf-validate)";
    if path_or_skip(tool.join("node_modules"), what).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let small = character();
    let large = large_character();
    for (name, character) in [("small.glb", &small), ("large.glb", &large)] {
        let posed = Posed {
            character,
            parts: &skinned(character),
        };
        let path = folder.path().join(name);
        write_file(&path, &encode(&posed).unwrap()).unwrap();
        let output = Command::new("node")
            .arg(tool.join("validate.mjs"))
            .arg(&path)
            .output()
            .expect("node starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{printed}");
        assert!(printed.contains("0 errors, 0 warnings"), "{printed}");
    }
}

/// Returns a strip with more vertices than 16-bit indices can address.
fn large_character() -> Character {
    let vertices = 70_000_u32;
    let positions = (0..vertices).map(|i| Vec3::new(i as f32 * 0.001, (i % 2) as f32, 0.0));
    let triangles = (2..vertices).map(|i| [i - 2, i - 1, i]);
    let mesh = throng_rig::Mesh::new(
        positions.collect(),
        triangles.collect(),
        Influences::rigid(vertices as usize),
    );
    let part = character().parts()[0].clone();
    of_meshes(vec![mesh.unwrap()], vec![part])
}
