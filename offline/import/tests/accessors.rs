//! Accessors: every component type, normalised or not, interleaved, offset, sparse and quantised.

mod common;

use common::{
    ALL_COMPONENTS, Component, Glb, assert_close, by_hand, posed, round_to_f32, triangle,
};
use glam::{DMat4, DVec3};
use serde_json::{Value, json};
use throng_import::ErrorKind;

/// Returns three vectors, including both ends of the range of the component type.
fn stored(component: Component) -> [f64; 9] {
    match component {
        Component::I8 => [0., 1., -1., 127., -127., -128., 64., 3., 5.],
        Component::U8 => [0., 1., 2., 255., 254., 128., 64., 3., 5.],
        Component::I16 => [0., 1., -1., 32767., -32767., -32768., 64., 3., 5.],
        Component::U16 => [0., 1., 2., 65535., 65534., 32768., 64., 3., 5.],
        Component::U32 => [0., 1., 2., 70000., 16777216., 65536., 64., 3., 5.],
        Component::F32 => [0., 0.1, -1.5, 1e-3, 1e6, -2e5, 64., 3., 5.],
    }
}

fn vectors(numbers: &[f64]) -> Vec<DVec3> {
    let (vectors, _) = numbers.as_chunks::<3>();
    vectors.iter().copied().map(DVec3::from_array).collect()
}

/// Adds a node with a mesh of one triangle whose positions are the accessor.
fn draw(glb: &mut Glb, positions: usize) {
    let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions } }));
    glb.node(json!({ "mesh": mesh }));
}

#[test]
fn reads_every_component_type_as_specified() {
    for component in ALL_COMPONENTS {
        for normalized in [false, true] {
            if normalized && matches!(component, Component::U32 | Component::F32) {
                continue;
            }
            let numbers = stored(component);
            let mut glb = Glb::new();
            glb.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
            let positions = glb.numbers(component, "VEC3", &numbers, normalized);
            draw(&mut glb, positions);
            let meant = numbers.map(|n| {
                if normalized {
                    component.normalized(n)
                } else {
                    n
                }
            });
            let found = posed(&glb.import().character, 0, None);
            for (found, meant) in found.iter().zip(vectors(&meant)) {
                // float32 has 24 bits.
                let tolerance = 6e-8 * meant.abs().max_element();
                assert!(
                    found.distance(meant) <= 2.0 * tolerance,
                    "{component:?}, normalised {normalized}: {found} for {meant}"
                );
            }
        }
    }
}

#[test]
fn reads_interleaved_and_offset_attributes() {
    let corners = triangle();
    let uvs = [[0.5, 0.25], [1.0, 0.0], [-3.0, 0.75]];
    let mut bytes = vec![0xaa; 8];
    for (corner, uv) in corners.iter().zip(uvs) {
        bytes.extend(Component::F32.to_bytes(&corner.map(f64::from)));
        bytes.extend(Component::I8.to_bytes(&[0.0, 127.0, 0.0, 99.0]));
        bytes.extend(Component::F32.to_bytes(&uv));
        bytes.extend([0xbb; 4]);
    }
    let mut glb = Glb::new();
    let view = glb.view(&bytes);
    glb.json["bufferViews"][view]["byteStride"] = json!(28);
    let mut accessor = |offset: usize, component: Component, shape: &str, normalized: bool| {
        glb.push(
            "accessors",
            json!({
                "bufferView": view, "byteOffset": offset, "componentType": component.code(),
                "normalized": normalized, "count": 3, "type": shape,
            }),
        )
    };
    let attributes = json!({
        "POSITION": accessor(8, Component::F32, "VEC3", false),
        "NORMAL": accessor(20, Component::I8, "VEC3", true),
        "TEXCOORD_0": accessor(24, Component::F32, "VEC2", false),
    });
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh }));
    // The last element may end before a full stride.
    let length = bytes.len() - 4;
    glb.json["bufferViews"][view]["byteLength"] = json!(length);
    let character = glb.import().character;
    let mesh = &character.meshes()[0];
    assert_eq!(mesh.positions(), corners.map(Into::into));
    assert_eq!(mesh.normals(), [glam::Vec3::Y; 3]);
    assert_eq!(
        mesh.uvs(),
        uvs.map(|uv| glam::DVec2::from_array(uv).as_vec2())
    );

    glb.json["bufferViews"][view]["byteLength"] = json!(length - 1);
    assert_eq!(glb.import_error().kind, ErrorKind::Data);
}

/// Adds a sparse replacement of elements 1 and 2 to an accessor.
fn make_sparse(glb: &mut Glb, accessor: usize, index_type: Component, values: &[u8]) {
    let mut index_bytes = vec![0xcc; 4];
    index_bytes.extend(index_type.to_bytes(&[1.0, 2.0]));
    let indices = glb.view(&index_bytes);
    let mut value_bytes = vec![0xdd; 8];
    value_bytes.extend(values);
    let values = glb.view(&value_bytes);
    glb.json["accessors"][accessor]["sparse"] = json!({
        "count": 2,
        "indices": {
            "bufferView": indices, "byteOffset": 4, "componentType": index_type.code(),
        },
        "values": { "bufferView": values, "byteOffset": 8 },
    });
}

fn drop_base(glb: &mut Glb, accessor: usize) {
    let accessor = glb.json["accessors"][accessor].as_object_mut().unwrap();
    accessor.remove("bufferView");
}

#[test]
fn sparse_accessors_replace_elements_of_their_base_or_zeros() {
    for index_type in [Component::U8, Component::U16, Component::U32] {
        for component in [Component::F32, Component::I16] {
            for has_base in [true, false] {
                let mut glb = Glb::new();
                let base = [9.0, 8.0, 7.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
                let positions = glb.numbers(component, "VEC3", &base, false);
                let replaced = [10.0, 11.0, 12.0, -13.0, -14.0, -15.0];
                make_sparse(
                    &mut glb,
                    positions,
                    index_type,
                    &component.to_bytes(&replaced),
                );
                if !has_base {
                    drop_base(&mut glb, positions);
                }
                draw(&mut glb, positions);
                let first = if has_base {
                    DVec3::new(9.0, 8.0, 7.0)
                } else {
                    DVec3::ZERO
                };
                let mut expected = vec![first];
                expected.extend(vectors(&replaced));
                assert_close(&posed(&glb.import().character, 0, None), &expected, 0.0);
            }
        }
    }
}

#[test]
fn reads_sparse_joints_weights_and_keys() {
    let mut glb = Glb::new();
    let joints = [[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]].map(|t| glb.node(json!({ "translation": t })));
    let attributes = glb.weighted(&triangle(), &[[0, 1, 0, 0]; 3], &[[1.0, 0.0, 0.0, 0.0]; 3]);
    let index = |name: &str| attributes[name].as_u64().unwrap() as usize;
    let swapped = Component::U16.to_bytes(&[1., 0., 0., 0., 1., 0., 0., 0.]);
    make_sparse(&mut glb, index("JOINTS_0"), Component::U8, &swapped);
    let halves = Component::F32.to_bytes(&[0.25, 0.75, 0., 0., 1., 0., 0., 0.]);
    make_sparse(&mut glb, index("WEIGHTS_0"), Component::U16, &halves);
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let skin = glb.push("skins", json!({ "joints": joints }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    let clip = glb.clip("slide");
    let output = glb.floats(&[[5.0, 0.0, 0.0]; 3]);
    drop_base(&mut glb, output);
    let keys = Component::F32.to_bytes(&[0., 4., 0., 0., 8., 0.]);
    make_sparse(&mut glb, output, Component::U32, &keys);
    glb.channel(
        clip,
        (joints[1], "translation"),
        "LINEAR",
        &[0.0, 1.0, 2.0],
        output,
    );

    let character = glb.import().character;
    // The weights of joint 1 are 0, 0.25 and 1.
    let share = [0.0, 0.25, 1.0];
    for (time_secs, moved) in [(0.0, 0.0), (0.5, 2.0), (1.0, 4.0), (1.5, 6.0), (2.0, 8.0)] {
        let expected: Vec<DVec3> = triangle()
            .iter()
            .zip(share)
            .map(|(c, share)| {
                DVec3::from_array(c.map(f64::from)) + DVec3::new(0.0, moved * share, 0.0)
            })
            .collect();
        let found = posed(&character, 0, Some((0, time_secs)));
        assert_close(&found, &expected, 1e-12);
    }
}

/// In a skinned mesh with `KHR_mesh_quantization` the inverse bind matrices contain the dequantisation.
#[test]
fn inverse_bind_matrices_dequantise_positions() {
    let stored = [0., 0., 0., 32767., -100., 7., -32768., 12000., -5.];
    let mut glb = Glb::new();
    let root = glb.node(json!({ "translation": [1.0, 2.0, 3.0], "scale": [1.0, 3.0, 1.0] }));
    let bind_from_stored =
        DMat4::from_translation(DVec3::new(-0.5, 0.25, 0.0)) * DMat4::from_scale(DVec3::splat(2.5));
    let joint_from_bind = round_to_f32(DMat4::from_rotation_z(0.5) * bind_from_stored);
    let skin = glb.skin(&[root], &[joint_from_bind]);
    let attributes = json!({
        "POSITION": glb.numbers(Component::I16, "VEC3", &stored, true),
        "NORMAL": glb.numbers(Component::I8, "VEC3", &[0., 0., 127., 0., 0., 127., 0., 0., 127.], true),
        "JOINTS_0": glb.numbers(Component::U8, "VEC4", &[0.0; 12], false),
        "WEIGHTS_0": glb.numbers(Component::U8, "VEC4", &[255., 0., 0., 0.].repeat(3), true),
    });
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
    glb.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);

    let model_from_joint = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0))
        * DMat4::from_scale(DVec3::new(1.0, 3.0, 1.0));
    let expected: Vec<DVec3> = stored
        .map(|n| Component::I16.normalized(n) as f32)
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&p| by_hand(p, &[(1.0, model_from_joint, joint_from_bind)]))
        .collect();
    assert_close(&posed(&glb.import().character, 0, None), &expected, 1e-12);
}

#[test]
fn accessor_without_a_view_is_all_zeros() {
    let mut glb = Glb::new();
    let accessor = json!({ "componentType": 5126, "count": 3, "type": "VEC3" });
    let positions = glb.push("accessors", accessor);
    draw(&mut glb, positions);
    assert_eq!(posed(&glb.import().character, 0, None), [DVec3::ZERO; 3]);
}

#[test]
fn rejects_invalid_accessors() {
    let broken: [(&str, Value, ErrorKind); 11] = [
        ("/accessors/0/count", json!(4), ErrorKind::Data),
        ("/accessors/0/byteOffset", json!(1), ErrorKind::Data),
        ("/accessors/0/byteOffset", json!(u64::MAX), ErrorKind::Data),
        ("/accessors/0/componentType", json!(5124), ErrorKind::Data),
        ("/accessors/0/type", json!("VEC5"), ErrorKind::Data),
        ("/accessors/0/type", json!("VEC2"), ErrorKind::Data),
        ("/accessors/0/bufferView", json!(7), ErrorKind::Reference),
        ("/bufferViews/0/buffer", json!(1), ErrorKind::Reference),
        ("/bufferViews/0/byteLength", json!(37), ErrorKind::Data),
        (
            "/bufferViews/0/byteOffset",
            json!(u64::MAX),
            ErrorKind::Data,
        ),
        ("/buffers/0/byteLength", json!(37), ErrorKind::Data),
    ];
    for (pointer, value, kind) in broken {
        let mut glb = Glb::new();
        let positions = glb.floats(&triangle());
        glb.json["accessors"][0]["byteOffset"] = json!(0);
        glb.json["buffers"] = json!([{ "byteLength": 36 }]);
        draw(&mut glb, positions);
        glb.import();
        *glb.json.pointer_mut(pointer).unwrap() = value.clone();
        let error = glb.import_error();
        assert_eq!(error.kind, kind, "{pointer} = {value}: {error}");
        assert!(!error.object.is_empty(), "{error}");
    }
    let mut glb = Glb::new();
    let positions = glb.floats(&triangle());
    glb.json["bufferViews"][0]["byteStride"] = json!(8);
    draw(&mut glb, positions);
    assert!(glb.import_error().problem.contains("stride of 8"));
}

#[test]
fn rejects_invalid_sparse_accessors() {
    let broken: [(&str, Value, ErrorKind); 8] = [
        ("/count", json!(4), ErrorKind::Data),
        ("/count", json!(3), ErrorKind::Data),
        ("/indices/componentType", json!(5122), ErrorKind::Data),
        ("/indices/byteOffset", json!(5), ErrorKind::Data),
        ("/indices/byteOffset", json!(u64::MAX), ErrorKind::Data),
        ("/indices/bufferView", json!(99), ErrorKind::Reference),
        ("/values/byteOffset", json!(9), ErrorKind::Data),
        ("/values/bufferView", json!(99), ErrorKind::Reference),
    ];
    for (pointer, value, kind) in broken {
        let mut glb = Glb::new();
        let positions = glb.floats(&triangle());
        make_sparse(&mut glb, positions, Component::U16, &[0; 24]);
        draw(&mut glb, positions);
        glb.import();
        let sparse = &mut glb.json["accessors"][positions]["sparse"];
        *sparse.pointer_mut(pointer).unwrap() = value.clone();
        let error = glb.import_error();
        assert_eq!(error.kind, kind, "{pointer} = {value}: {error}");
        assert!(error.object.contains("sparse"), "{error}");
    }
}
