//! What meshoptimizer's own encoders pack comes out again, in every mode and through every filter;
//! damaged bytes and sizes that do not fit are refused.

mod common;

use common::{Component, Glb};
use meshopt::{
    EncodeExpMode, encode_filter_color, encode_filter_exp, encode_filter_oct, encode_filter_quat,
    encode_index_buffer, encode_index_sequence, encode_vertex_buffer, encode_vertex_buffer_level,
};
use serde_json::{Value, json};
use throng_import::ErrorKind;

/// How a view is packed.
struct Packing {
    mode: &'static str,
    filter: Option<&'static str>,
    stride: usize,
    count: usize,
}

/// A view of packed bytes. The buffer of the unpacked ones is a placeholder, as gltfpack writes it.
fn packed_view(glb: &mut Glb, bytes: &[u8], packing: &Packing) -> usize {
    let view = glb.view(bytes);
    let json = &mut glb.json["bufferViews"][view];
    let offset = json["byteOffset"].clone();
    let mut packed = json!({
        "buffer": 0, "byteOffset": offset, "byteLength": bytes.len(),
        "byteStride": packing.stride, "count": packing.count, "mode": packing.mode,
    });
    if let Some(filter) = packing.filter {
        packed["filter"] = json!(filter);
    }
    let extension = if packing.filter == Some("COLOR") {
        "KHR_meshopt_compression"
    } else {
        "EXT_meshopt_compression"
    };
    let length = packing.count * packing.stride;
    *json = json!({ "buffer": 1, "byteLength": length, "extensions": { extension: packed } });
    if packing.mode == "ATTRIBUTES" {
        json["byteStride"] = json!(packing.stride);
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

/// A mesh with an attribute that is packed, beside plain positions.
fn with_attribute(
    attribute: &str,
    bytes: &[u8],
    packing: &Packing,
    component: Component,
    shape: &str,
) -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&vec![[0.0, 1.0, 2.0]; packing.count]);
    let view = packed_view(&mut glb, bytes, packing);
    let packed = accessor(&mut glb, view, component, shape, packing.count);
    let mut attributes = json!({ "POSITION": positions });
    attributes[attribute] = json!(packed);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh }));
    finish(&mut glb);
    glb
}

/// Vectors of unit length, spread over the sphere. Not a multiple of 4 or 16 of them.
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
fn attributes_of_every_stride_and_version_come_out_as_they_went_in() {
    fn check<const WORDS: usize>() {
        let values: Vec<[f32; WORDS]> = (0..300)
            .map(|i| std::array::from_fn(|j| (i * 7 + j) as f32 * 0.37 - 11.0))
            .collect();
        for version in [0, 1] {
            let bytes = encode_vertex_buffer_level(&values, 2, Some(version)).unwrap();
            let packing = Packing {
                mode: "ATTRIBUTES",
                filter: None,
                stride: 4 * WORDS,
                count: values.len(),
            };
            let mut glb = Glb::new();
            let view = packed_view(&mut glb, &bytes, &packing);
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

/// A strip of triangles with a few that name a corner twice.
fn indices() -> Vec<u32> {
    let mut list: Vec<u32> = (0..200).flat_map(|i| [i, i + 1, i + 2]).collect();
    list.extend([0, 0, 1, 201, 5, 5]);
    list
}

fn with_indices(bytes: &[u8], packing: &Packing) -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&vec![[0.0; 3]; 202]);
    let view = packed_view(&mut glb, bytes, packing);
    let component = if packing.stride == 2 {
        Component::U16
    } else {
        Component::U32
    };
    let indices = accessor(&mut glb, view, component, "SCALAR", packing.count);
    let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    glb.node(json!({ "mesh": mesh }));
    finish(&mut glb);
    glb
}

#[test]
fn indices_come_out_as_they_went_in() {
    let list = indices();
    for stride in [2, 4] {
        let packing = |mode| Packing {
            mode,
            filter: None,
            stride,
            count: list.len(),
        };
        let bytes = encode_index_sequence(&list, 202).unwrap();
        let character = with_indices(&bytes, &packing("INDICES")).import().character;
        assert_eq!(character.meshes()[0].triangles().as_flattened(), list);

        // This mode may turn a triangle, but not around.
        let bytes = encode_index_buffer(&list, 202).unwrap();
        let character = with_indices(&bytes, &packing("TRIANGLES"))
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
fn octahedral_normals_come_out_within_their_bits() {
    let units = units();
    let with_w: Vec<[f32; 4]> = units.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    for (bits, stride, tolerance) in [(8, 4, 0.015), (12, 8, 1e-3), (16, 8, 1e-4)] {
        let bytes = if stride == 4 {
            encode_vertex_buffer(&encode_filter_oct::<i8>(&with_w, bits))
        } else {
            encode_vertex_buffer(&encode_filter_oct::<i16>(&with_w, bits))
        };
        let packing = Packing {
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
        let glb = with_attribute("NORMAL", &bytes.unwrap(), &packing, component, "VEC3");
        let character = glb.import().character;
        for (found, unit) in character.meshes()[0].normals().iter().zip(&units) {
            let off = found.distance((*unit).into());
            assert!(off < tolerance, "{bits} bits: {off}");
        }
    }
}

#[test]
fn quaternions_come_out_within_their_bits() {
    let turns: Vec<[f32; 4]> = units()
        .iter()
        .enumerate()
        .map(|(i, &[x, y, z])| {
            let (sin, cos) = (0.1 * i as f32).sin_cos();
            [x * sin, y * sin, z * sin, cos]
        })
        .collect();
    for (bits, tolerance) in [(12, 1e-3), (16, 1e-4)] {
        let bytes = encode_vertex_buffer(&encode_filter_quat(&turns, bits)).unwrap();
        let packing = Packing {
            mode: "ATTRIBUTES",
            filter: Some("QUATERNION"),
            stride: 8,
            count: turns.len(),
        };
        let mut glb = Glb::new();
        let mesh = glb.triangle_mesh();
        let node = glb.node(json!({ "mesh": mesh }));
        let view = packed_view(&mut glb, &bytes, &packing);
        glb.json["bufferViews"][view]
            .as_object_mut()
            .unwrap()
            .remove("byteStride");
        let output = accessor(&mut glb, view, Component::I16, "VEC4", turns.len());
        let clip = glb.clip("turn");
        let times: Vec<f32> = (0..turns.len()).map(|i| i as f32).collect();
        glb.channel(clip, (node, "rotation"), "STEP", &times, output);
        finish(&mut glb);
        let character = glb.import().character;
        let track = character.clips()[0].joints()[0].rotation.as_ref().unwrap();
        for (i, turn) in turns.iter().enumerate() {
            let found = track.sample(i as f64);
            let turn = glam::Quat::from_array(*turn).as_dquat();
            // Half the angle, for small ones; both signs mean the same.
            let off = (found - turn).length().min((found + turn).length());
            assert!(off < tolerance, "{bits} bits: {off}");
        }
    }
}

#[test]
fn exponential_floats_come_out_within_their_bits() {
    let values: Vec<[f32; 3]> = units()
        .iter()
        .enumerate()
        .map(|(i, &[x, y, z])| [x * 1e3, y * 1e-3, z * i as f32])
        .collect();
    let bits = 15;
    for mode in [EncodeExpMode::Separate, EncodeExpMode::SharedVector] {
        let bytes = encode_vertex_buffer(&encode_filter_exp(&values, bits, mode)).unwrap();
        let packing = Packing {
            mode: "ATTRIBUTES",
            filter: Some("EXPONENTIAL"),
            stride: 12,
            count: values.len(),
        };
        let mut glb = Glb::new();
        let view = packed_view(&mut glb, &bytes, &packing);
        let positions = accessor(&mut glb, view, Component::F32, "VEC3", values.len());
        let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions } }));
        glb.node(json!({ "mesh": mesh }));
        finish(&mut glb);
        let character = glb.import().character;
        for (found, value) in character.meshes()[0].positions().iter().zip(&values) {
            let value = glam::Vec3::from_array(*value);
            // One sign bit, and half a step.
            let step = value.abs().max_element() / 2.0_f32.powi(bits - 2);
            assert!(
                (*found - value).abs().max_element() <= step,
                "{found} {value}"
            );
        }
    }
}

#[test]
fn colours_come_out_within_their_bits() {
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
        let packing = Packing {
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
        let glb = with_attribute("COLOR_0", &bytes.unwrap(), &packing, component, "VEC4");
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

/// A sound file of each mode, and the view that is packed in it.
fn sound() -> [Glb; 3] {
    let list = indices();
    let values: Vec<[f32; 3]> = units();
    let packing = |mode, stride, count| Packing {
        mode,
        filter: None,
        stride,
        count,
    };
    let triangles = encode_index_buffer(&list, 202).unwrap();
    let sequence = encode_index_sequence(&list, 202).unwrap();
    let vertices = encode_vertex_buffer(&values).unwrap();
    [
        with_indices(&triangles, &packing("TRIANGLES", 4, list.len())),
        with_indices(&sequence, &packing("INDICES", 4, list.len())),
        with_attribute(
            "NORMAL",
            &vertices,
            &packing("ATTRIBUTES", 12, values.len()),
            Component::F32,
            "VEC3",
        ),
    ]
}

const EXTENSION: &str = "/bufferViews/1/extensions/EXT_meshopt_compression";

#[test]
fn sizes_that_do_not_fit_are_refused() {
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
    for glb in sound() {
        glb.import();
        for (key, value) in &broken {
            let mut glb = glb.clone();
            let packed = glb.json.pointer_mut(EXTENSION).unwrap();
            packed[key] = value.clone();
            let mode = packed["mode"].clone();
            let error = glb.refused();
            assert_eq!(
                error.kind,
                ErrorKind::Data,
                "{mode}, {key} = {value}: {error}"
            );
        }
        let mut glb = glb.clone();
        glb.json.pointer_mut(EXTENSION).unwrap()["buffer"] = json!(9);
        assert_eq!(glb.refused().kind, ErrorKind::Reference);
    }
}

#[test]
fn filters_on_elements_that_they_do_not_fit_are_refused() {
    for filter in ["OCTAHEDRAL", "QUATERNION", "COLOR", "NOISE"] {
        let [.., mut glb] = sound();
        glb.json.pointer_mut(EXTENSION).unwrap()["filter"] = json!(filter);
        let error = glb.refused();
        assert_eq!(error.kind, ErrorKind::Data);
        assert!(error.problem.contains(filter), "{error}");
    }
}

/// A changed byte may decode to other numbers, but never to more than there is room for.
#[test]
fn damaged_bytes_are_refused_or_give_other_numbers() {
    for glb in sound() {
        let view = &glb.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let length = view["byteLength"].as_u64().unwrap() as usize;
        let mut header = glb.clone();
        header.bin[start] ^= 0x0f;
        assert_eq!(header.refused().kind, ErrorKind::Data);
        let mut refused = 0;
        for at in 0..length {
            let mut glb = glb.clone();
            glb.bin[start + at] ^= 0xff;
            refused += usize::from(glb.try_import(&Default::default()).is_err());
        }
        assert!(refused > 0);
    }
}
