//! meshopt compression: data of meshoptimizer's own encoders is decoded in every mode and filter; corrupt
//! bytes and invalid sizes are rejected.

mod common;

use common::{Component, Glb};
use meshopt::{
    EncodeExpMode, encode_filter_color, encode_filter_exp, encode_filter_oct, encode_filter_quat,
    encode_index_buffer, encode_index_sequence, encode_vertex_buffer, encode_vertex_buffer_level,
};
use serde_json::{Value, json};
use throng_import::ErrorKind;

/// Compression of a buffer view.
struct Compression {
    mode: &'static str,
    filter: Option<&'static str>,
    stride: usize,
    count: usize,
}

/// Adds a buffer view of compressed bytes. Its uncompressed buffer is a placeholder, as gltfpack writes it.
fn compressed_view(glb: &mut Glb, bytes: &[u8], compression: &Compression) -> usize {
    let view = glb.view(bytes);
    let json = &mut glb.json["bufferViews"][view];
    let offset = json["byteOffset"].clone();
    let mut compressed = json!({
        "buffer": 0, "byteOffset": offset, "byteLength": bytes.len(),
        "byteStride": compression.stride, "count": compression.count, "mode": compression.mode,
    });
    if let Some(filter) = compression.filter {
        compressed["filter"] = json!(filter);
    }
    let extension = if compression.filter == Some("COLOR") {
        "KHR_meshopt_compression"
    } else {
        "EXT_meshopt_compression"
    };
    let length = compression.count * compression.stride;
    *json = json!({ "buffer": 1, "byteLength": length, "extensions": { extension: compressed } });
    if compression.mode == "ATTRIBUTES" {
        json["byteStride"] = json!(compression.stride);
    }
    view
}

fn accessor(glb: &mut Glb, view: usize, component: Component, shape: &str, count: usize) -> usize {
    glb.push(
        "accessors",
        json!({
            "bufferView": view, "componentType": component.code(), "type": shape, "count": count,
            "normalized": !matches!(component, Component::F32 | Component::U32),
        }),
    )
}

fn finish(glb: &mut Glb) {
    glb.json["buffers"] = json!([{ "byteLength": glb.bin.len() }, { "byteLength": 1 << 20 }]);
}

/// Builds a mesh with a compressed attribute and uncompressed positions.
fn with_attribute(
    attribute: &str,
    bytes: &[u8],
    compression: &Compression,
    component: Component,
    shape: &str,
) -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&vec![[0.0, 1.0, 2.0]; compression.count]);
    let view = compressed_view(&mut glb, bytes, compression);
    let compressed = accessor(&mut glb, view, component, shape, compression.count);
    let mut attributes = json!({ "POSITION": positions });
    attributes[attribute] = json!(compressed);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh }));
    finish(&mut glb);
    glb
}

/// Returns unit vectors, spread over the sphere. Their number is no multiple of 4.
fn units() -> Vec<[f32; 3]> {
    (0..61)
        .map(|i| {
            let (height, angle) = (1.0 - 2.0 * (i as f32 + 0.5) / 61.0, 2.4 * i as f32);
            let radius = (1.0 - height * height).sqrt();
            [radius * angle.cos(), height, radius * angle.sin()]
        })
        .collect()
}

#[test]
fn decompresses_attributes_of_every_stride_and_version() {
    fn check<const WORDS: usize>() {
        let values: Vec<[f32; WORDS]> = (0..300)
            .map(|i| std::array::from_fn(|j| (i * 7 + j) as f32 * 0.37 - 11.0))
            .collect();
        for version in [0, 1] {
            let bytes = encode_vertex_buffer_level(&values, 2, Some(version)).unwrap();
            let compression = Compression {
                mode: "ATTRIBUTES",
                filter: None,
                stride: 4 * WORDS,
                count: values.len(),
            };
            let mut glb = Glb::new();
            let view = compressed_view(&mut glb, &bytes, &compression);
            let positions = accessor(&mut glb, view, Component::F32, "VEC3", values.len());
            let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions } }));
            glb.node(json!({ "mesh": mesh }));
            finish(&mut glb);
            let character = glb.import().character;
            let found = character.meshes()[0].positions();
            for (found, value) in found.iter().zip(&values) {
                assert_eq!(
                    found.to_array(),
                    value[..3],
                    "{WORDS} words, version {version}"
                );
            }
        }
    }
    check::<3>();
    check::<4>();
    check::<9>();
    check::<64>();
}

/// Returns a strip of triangles, a few of them degenerate.
fn indices() -> Vec<u32> {
    let mut list: Vec<u32> = (0..200).flat_map(|i| [i, i + 1, i + 2]).collect();
    list.extend([0, 0, 1, 201, 5, 5]);
    list
}

fn with_indices(bytes: &[u8], compression: &Compression) -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&vec![[0.0; 3]; 202]);
    let view = compressed_view(&mut glb, bytes, compression);
    let component = if compression.stride == 2 {
        Component::U16
    } else {
        Component::U32
    };
    let indices = accessor(&mut glb, view, component, "SCALAR", compression.count);
    let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    glb.node(json!({ "mesh": mesh }));
    finish(&mut glb);
    glb
}

#[test]
fn decompresses_indices() {
    let list = indices();
    for stride in [2, 4] {
        let compression = |mode| Compression {
            mode,
            filter: None,
            stride,
            count: list.len(),
        };
        let bytes = encode_index_sequence(&list, 202).unwrap();
        let character = with_indices(&bytes, &compression("INDICES"))
            .import()
            .character;
        assert_eq!(character.meshes()[0].triangles().as_flattened(), list);

        // This mode may rotate the corners of a triangle, but keeps its winding.
        let bytes = encode_index_buffer(&list, 202).unwrap();
        let character = with_indices(&bytes, &compression("TRIANGLES"))
            .import()
            .character;
        let triangles = character.meshes()[0].triangles();
        for (found, expected) in triangles.iter().zip(list.as_chunks::<3>().0) {
            let [a, b, c] = *expected;
            assert!(
                [[a, b, c], [b, c, a], [c, a, b]].contains(found),
                "{found:?}"
            );
        }
    }
}

#[test]
fn octahedral_normals_are_accurate_to_their_bits() {
    let units = units();
    let with_w: Vec<[f32; 4]> = units.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    for (bits, stride, tolerance) in [(8, 4, 0.015), (12, 8, 1e-3), (16, 8, 1e-4)] {
        let bytes = if stride == 4 {
            encode_vertex_buffer(&encode_filter_oct::<i8>(&with_w, bits))
        } else {
            encode_vertex_buffer(&encode_filter_oct::<i16>(&with_w, bits))
        };
        let compression = Compression {
            mode: "ATTRIBUTES",
            filter: Some("OCTAHEDRAL"),
            stride,
            count: units.len(),
        };
        let component = if stride == 4 {
            Component::I8
        } else {
            Component::I16
        };
        let glb = with_attribute("NORMAL", &bytes.unwrap(), &compression, component, "VEC3");
        let character = glb.import().character;
        for (found, unit) in character.meshes()[0].normals().iter().zip(&units) {
            let off = found.distance((*unit).into());
            assert!(off < tolerance, "{bits} bits: {off}");
        }
    }
}

#[test]
fn quaternions_are_accurate_to_their_bits() {
    let rotations: Vec<[f32; 4]> = units()
        .iter()
        .enumerate()
        .map(|(i, &[x, y, z])| {
            let (sin, cos) = (0.1 * i as f32).sin_cos();
            [x * sin, y * sin, z * sin, cos]
        })
        .collect();
    for (bits, tolerance) in [(12, 1e-3), (16, 1e-4)] {
        let bytes = encode_vertex_buffer(&encode_filter_quat(&rotations, bits)).unwrap();
        let compression = Compression {
            mode: "ATTRIBUTES",
            filter: Some("QUATERNION"),
            stride: 8,
            count: rotations.len(),
        };
        let mut glb = Glb::new();
        let mesh = glb.triangle_mesh();
        let node = glb.node(json!({ "mesh": mesh }));
        let view = compressed_view(&mut glb, &bytes, &compression);
        glb.json["bufferViews"][view]
            .as_object_mut()
            .unwrap()
            .remove("byteStride");
        let output = accessor(&mut glb, view, Component::I16, "VEC4", rotations.len());
        let clip = glb.clip("rotate");
        let times: Vec<f32> = (0..rotations.len()).map(|i| i as f32).collect();
        glb.channel(clip, (node, "rotation"), "STEP", &times, output);
        finish(&mut glb);
        let character = glb.import().character;
        let track = character.clips()[0].joints()[0].rotation.as_ref().unwrap();
        for (i, rotation) in rotations.iter().enumerate() {
            let found = track.sample(i as f64);
            let rotation = glam::Quat::from_array(*rotation).as_dquat();
            // Half the angle, for small angles; both signs are the same rotation.
            let off = (found - rotation).length().min((found + rotation).length());
            assert!(off < tolerance, "{bits} bits: {off}");
        }
    }
}

#[test]
fn exponential_floats_are_accurate_to_their_bits() {
    let values: Vec<[f32; 3]> = units()
        .iter()
        .enumerate()
        .map(|(i, &[x, y, z])| [x * 1e3, y * 1e-3, z * i as f32])
        .collect();
    let bits = 15;
    for mode in [EncodeExpMode::Separate, EncodeExpMode::SharedVector] {
        let bytes = encode_vertex_buffer(&encode_filter_exp(&values, bits, mode)).unwrap();
        let compression = Compression {
            mode: "ATTRIBUTES",
            filter: Some("EXPONENTIAL"),
            stride: 12,
            count: values.len(),
        };
        let mut glb = Glb::new();
        let view = compressed_view(&mut glb, &bytes, &compression);
        let positions = accessor(&mut glb, view, Component::F32, "VEC3", values.len());
        let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions } }));
        glb.node(json!({ "mesh": mesh }));
        finish(&mut glb);
        let character = glb.import().character;
        for (found, value) in character.meshes()[0].positions().iter().zip(&values) {
            let value = glam::Vec3::from_array(*value);
            // One sign bit, and half a quantisation step.
            let step = value.abs().max_element() / 2.0_f32.powi(bits - 2);
            assert!(
                (*found - value).abs().max_element() <= step,
                "{found} {value}"
            );
        }
    }
}

#[test]
fn colors_are_accurate_to_their_bits() {
    let colors: Vec<[f32; 4]> = units()
        .iter()
        .map(|&[x, y, z]| [x, y, z, x * y].map(f32::abs))
        .collect();
    for (stride, bits, tolerance) in [(4, 8, 0.02), (8, 12, 1.5e-3), (8, 16, 1e-4)] {
        let bytes = if stride == 4 {
            encode_vertex_buffer(&encode_filter_color::<u8>(&colors, bits))
        } else {
            encode_vertex_buffer(&encode_filter_color::<u16>(&colors, bits))
        };
        let compression = Compression {
            mode: "ATTRIBUTES",
            filter: Some("COLOR"),
            stride,
            count: colors.len(),
        };
        let component = if stride == 4 {
            Component::U8
        } else {
            Component::U16
        };
        let glb = with_attribute("COLOR_0", &bytes.unwrap(), &compression, component, "VEC4");
        let character = glb.import().character;
        for (found, color) in character.meshes()[0].colors().iter().zip(&colors) {
            for (found, color) in found.iter().zip(color) {
                assert!(
                    (found - color).abs() < tolerance,
                    "{bits} bits: {found} {color}"
                );
            }
        }
    }
}

/// Returns a valid file of each mode.
fn valid() -> [Glb; 3] {
    let list = indices();
    let values: Vec<[f32; 3]> = units();
    let compression = |mode, stride, count| Compression {
        mode,
        filter: None,
        stride,
        count,
    };
    let triangles = encode_index_buffer(&list, 202).unwrap();
    let sequence = encode_index_sequence(&list, 202).unwrap();
    let vertices = encode_vertex_buffer(&values).unwrap();
    [
        with_indices(&triangles, &compression("TRIANGLES", 4, list.len())),
        with_indices(&sequence, &compression("INDICES", 4, list.len())),
        with_attribute(
            "NORMAL",
            &vertices,
            &compression("ATTRIBUTES", 12, values.len()),
            Component::F32,
            "VEC3",
        ),
    ]
}

const EXTENSION: &str = "/bufferViews/1/extensions/EXT_meshopt_compression";

#[test]
fn rejects_invalid_sizes() {
    let broken: [(&str, Value); 9] = [
        ("byteStride", json!(0)),
        ("byteStride", json!(3)),
        ("byteStride", json!(260)),
        ("byteLength", json!(1)),
        ("byteLength", json!(1 << 30)),
        ("byteOffset", json!(1 << 30)),
        ("count", json!(1)),
        ("count", json!(100_000)),
        ("mode", json!("TRIANGLE_STRIP")),
    ];
    for glb in valid() {
        glb.import();
        for (key, value) in &broken {
            let mut glb = glb.clone();
            let compressed = glb.json.pointer_mut(EXTENSION).unwrap();
            compressed[key] = value.clone();
            let mode = compressed["mode"].clone();
            let error = glb.import_error();
            assert_eq!(
                error.kind,
                ErrorKind::Data,
                "{mode}, {key} = {value}: {error}"
            );
        }
        let mut glb = glb.clone();
        glb.json.pointer_mut(EXTENSION).unwrap()["buffer"] = json!(9);
        assert_eq!(glb.import_error().kind, ErrorKind::Reference);
    }
}

#[test]
fn rejects_filters_for_unsupported_element_sizes() {
    for filter in ["OCTAHEDRAL", "QUATERNION", "COLOR", "NOISE"] {
        let [.., mut glb] = valid();
        glb.json.pointer_mut(EXTENSION).unwrap()["filter"] = json!(filter);
        let error = glb.import_error();
        assert_eq!(error.kind, ErrorKind::Data);
        assert!(error.problem.contains(filter), "{error}");
    }
}

/// A corrupt byte may decode to other numbers, but never past the end of the output.
#[test]
fn corrupt_bytes_are_rejected_or_decode_to_other_numbers() {
    for glb in valid() {
        let view = &glb.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        let mut header = glb.clone();
        header.bin[start] ^= 0x0f;
        assert_eq!(header.import_error().kind, ErrorKind::Data);
        let mut rejected = 0;
        for at in 0..length {
            let mut glb = glb.clone();
            glb.bin[start + at] ^= 0xff;
            rejected += usize::from(glb.try_import(&Default::default()).is_err());
        }
        assert!(rejected > 0);
    }
}
