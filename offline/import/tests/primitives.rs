//! Primitives: lists, strips and fans become triangles; points and lines are skipped with a warning.

mod common;

use common::{Component, Glb, has_warning};
use serde_json::{Value, json};
use throng_import::{ErrorKind, Warning};

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// Builds a primitive of five vertices in a mode, indexed or not.
fn draw(mode: Option<u32>, indices: Option<(Component, &[f64])>) -> Glb {
    let mut glb = Glb::new();
    let corners = [
        [0., 0., 0.],
        [1., 0., 0.],
        [1., 1., 0.],
        [0., 1., 0.],
        [2., 2., 0.],
    ];
    let mut primitive = json!({ "attributes": { "POSITION": glb.floats(&corners) } });
    if let Some((component, numbers)) = indices {
        primitive["indices"] = json!(glb.numbers(component, "SCALAR", numbers, false));
    }
    if let Some(mode) = mode {
        primitive["mode"] = json!(mode);
    }
    let mesh = glb.mesh(primitive);
    glb.node(json!({ "mesh": mesh }));
    glb
}

fn triangles(glb: &Glb) -> Vec<[u32; 3]> {
    glb.import().character.meshes()[0].triangles().to_vec()
}

#[test]
fn triangulates_lists_strips_and_fans_as_specified() {
    let numbers: &[f64] = &[4., 3., 2., 1., 0., 3.];
    for component in [Component::U8, Component::U16, Component::U32] {
        let indices = Some((component, numbers));
        assert_eq!(
            triangles(&draw(None, indices)),
            [[4, 3, 2], [1, 0, 3]],
            "a list is the default"
        );
        assert_eq!(
            triangles(&draw(Some(TRIANGLES), indices)),
            [[4, 3, 2], [1, 0, 3]]
        );
        // Every second triangle of a strip has its last two corners swapped.
        assert_eq!(
            triangles(&draw(Some(STRIP), indices)),
            [[4, 3, 2], [3, 1, 2], [2, 1, 0], [1, 3, 0]]
        );
        // The common corner of a fan comes last.
        assert_eq!(
            triangles(&draw(Some(FAN), indices)),
            [[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4]]
        );
    }
}

#[test]
fn missing_indices_count_up() {
    assert_eq!(
        triangles(&draw(Some(STRIP), None)),
        [[0, 1, 2], [1, 3, 2], [2, 3, 4]]
    );
    assert_eq!(
        triangles(&draw(Some(FAN), None)),
        [[1, 2, 0], [2, 3, 0], [3, 4, 0]]
    );
    assert_eq!(triangles(&draw(None, None)), [[0, 1, 2]]);
}

#[test]
fn leftover_indices_are_reported() {
    let unindexed = draw(None, None);
    let indexed = draw(None, Some((Component::U8, &[0., 1., 2., 3.])));
    for (glb, left_over) in [(unindexed, 2), (indexed, 1)] {
        let import = glb.import();
        assert_eq!(import.character.meshes()[0].triangles(), [[0, 1, 2]]);
        assert!(has_warning(&import.warnings, |w| *w
            == Warning::IndicesLeftOver {
                mesh: "mesh 0 primitive 0".into(),
                indices: left_over
            }));
    }
    for mode in [STRIP, FAN] {
        let short = draw(Some(mode), Some((Component::U8, &[0., 1.])));
        assert!(triangles(&short).is_empty());
    }
}

#[test]
fn points_and_lines_are_skipped_with_a_warning() {
    for mode in 0..TRIANGLES {
        let import = draw(Some(mode), None).import();
        assert!(import.character.parts().is_empty());
        let what = if mode == 0 { "points" } else { "lines" };
        assert!(has_warning(&import.warnings, |w| matches!(
            w,
            Warning::PrimitiveSkipped { mesh, reason } if mesh == "mesh 0 primitive 0" && reason.contains(what)
        )));
    }
}

#[test]
fn triangles_beside_points_are_kept() {
    let mut glb = draw(None, None);
    let primitive = glb.json["meshes"][0]["primitives"][0].clone();
    let mut points = primitive.clone();
    points["mode"] = json!(0);
    glb.json["meshes"][0]["primitives"] = json!([points, primitive]);
    let parts = glb.import().character.parts().to_vec();
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].primitive, 1);
}

#[test]
fn rejects_invalid_indices_and_modes() {
    let out_of_range = draw(None, Some((Component::U16, &[0., 1., 5.]))).import_error();
    assert_eq!(out_of_range.kind, ErrorKind::Data);
    assert!(
        out_of_range
            .problem
            .contains("index 2 is 5, but the primitive has 5 vertices"),
        "{out_of_range}"
    );
    // glTF has no primitive restart index.
    let restart = draw(Some(STRIP), Some((Component::U16, &[0., 1., 65535.]))).import_error();
    assert_eq!(restart.kind, ErrorKind::Data);
    let signed = draw(None, Some((Component::I16, &[0., 1., 2.]))).import_error();
    assert_eq!(signed.kind, ErrorKind::Data);
    assert_eq!(draw(Some(7), None).import_error().kind, ErrorKind::Data);
}

#[test]
fn rejects_attributes_with_different_counts() {
    for (attribute, shape) in [
        ("NORMAL", "VEC3"),
        ("TANGENT", "VEC4"),
        ("TEXCOORD_0", "VEC2"),
        ("COLOR_0", "VEC4"),
    ] {
        let mut glb = draw(None, None);
        if attribute == "TANGENT" {
            let normals = glb.floats(&[[0.0, 0.0, 1.0]; 5]);
            glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
        }
        let components = shape.as_bytes()[3] - b'0';
        let numbers = vec![1.0; 4 * usize::from(components)];
        let accessor = glb.numbers(Component::F32, shape, &numbers, false);
        glb.json["meshes"][0]["primitives"][0]["attributes"][attribute] = json!(accessor);
        let error = glb.import_error();
        assert_eq!(error.kind, ErrorKind::Data);
        assert!(error.object.contains(attribute), "{error}");
    }
}

#[test]
fn reads_colors_of_every_type_and_of_three_components() {
    for (component, unit) in [
        (Component::F32, 1.0),
        (Component::U8, 255.0),
        (Component::U16, 65535.0),
    ] {
        for (shape, color) in [
            ("VEC3", &[0.2, 0.4, 1.0][..]),
            ("VEC4", &[0.2, 0.4, 1.0, 0.6]),
        ] {
            let mut glb = draw(None, None);
            let stored: Vec<f64> = color.iter().map(|c| c * unit).collect();
            let normalized = component != Component::F32;
            let accessor = glb.numbers(component, shape, &stored.repeat(5), normalized);
            glb.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(accessor);
            let found = glb.import().character.meshes()[0].colors()[4];
            let expected = [0.2, 0.4, 1.0, *color.get(3).unwrap_or(&1.0)];
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (f64::from(*found) - expected).abs() < 1e-6,
                    "{found} {expected}"
                );
            }
        }
    }
}

#[test]
fn missing_or_invalid_normals_are_computed_and_reported() {
    let mut glb = draw(None, None);
    let assert_computed = |glb: &Glb, vertices: usize| {
        let import = glb.import();
        assert_eq!(
            import.character.meshes()[0].normals()[..3],
            [glam::Vec3::Z; 3]
        );
        assert!(has_warning(&import.warnings, |w| *w
            == Warning::NormalsComputed {
                mesh: "mesh 0 primitive 0".into(),
                vertices
            }));
    };
    assert_computed(&glb, 5);
    let z = [0.0, 0.0, 2.5];
    let normals = glb.floats(&[[0.0; 3], z, [f32::NAN, 0.0, 1.0], z, z]);
    glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = Value::from(normals);
    assert_computed(&glb, 2);
}

#[test]
fn tangents_keep_the_sign_of_the_bitangent() {
    let mut glb = draw(None, None);
    let normals = glb.floats(&[[0.0, 0.0, 1.0]; 5]);
    let tangents = glb.floats(&[[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0]].repeat(3)[..5]);
    let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["NORMAL"] = json!(normals);
    attributes["TANGENT"] = json!(tangents);
    let character = glb.import().character;
    let tangents = character.meshes()[0].tangents();
    assert_eq!(tangents[0], glam::Vec4::new(1.0, 0.0, 0.0, -1.0));
    assert_eq!(tangents[1], glam::Vec4::new(0.0, 1.0, 0.0, 1.0));
}
