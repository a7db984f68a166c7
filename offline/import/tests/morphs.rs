//! Morph targets: applied before skinning, with weights of the node, the mesh or a clip.

mod common;

use common::{Component, Glb, assert_close, by_hand, has_warning, normals, posed, triangle};
use glam::{DMat4, DVec3};
use serde_json::{Value, json};
use throng_import::{ErrorKind, Warning};

const SMILE: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, -2.0]];
const FROWN: [[f32; 3]; 3] = [[0.0, -1.0, 0.0], [0.0, 0.0, 4.0], [0.5, 0.0, 0.0]];

/// Builds a mesh with two targets, on its own node.
fn faces() -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&triangle());
    let targets = [SMILE, FROWN].map(|t| json!({ "POSITION": glb.floats(&t) }));
    let mesh = glb.mesh(json!({ "attributes": { "POSITION": positions }, "targets": targets }));
    glb.node(json!({ "mesh": mesh }));
    glb
}

/// Returns the triangle with both targets applied.
fn morphed(smile: f64, frown: f64) -> [DVec3; 3] {
    let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    std::array::from_fn(|i| {
        vector(triangle()[i]) + vector(SMILE[i]) * smile + vector(FROWN[i]) * frown
    })
}

#[test]
fn node_weights_override_mesh_weights() {
    let mut glb = faces();
    assert_close(
        &posed(&glb.import().character, 0, None),
        &morphed(0., 0.),
        0.0,
    );
    glb.json["meshes"][0]["weights"] = json!([0.5, 0.25]);
    assert_close(
        &posed(&glb.import().character, 0, None),
        &morphed(0.5, 0.25),
        1e-14,
    );
    glb.json["nodes"][0]["weights"] = json!([-1.0, 2.0]);
    assert_close(
        &posed(&glb.import().character, 0, None),
        &morphed(-1., 2.),
        1e-14,
    );
}

#[test]
fn wrong_number_of_weights_is_adjusted_and_reported() {
    for (weights, smile, frown) in [(json!([0.5]), 0.5, 0.0), (json!([0.5, 1.0, 2.0]), 0.5, 1.0)] {
        let mut glb = faces();
        glb.json["nodes"][0]["weights"] = weights;
        let import = glb.import();
        assert_close(
            &posed(&import.character, 0, None),
            &morphed(smile, frown),
            1e-14,
        );
        assert!(has_warning(&import.warnings, |w| matches!(
            w,
            Warning::MorphWeightsAdjusted { targets: 2, .. }
        )));
    }
}

#[test]
fn rejects_infinite_morph_weights() {
    for owner in ["nodes", "meshes"] {
        let mut glb = faces();
        glb.json[owner][0]["weights"] = json!([0.0, 1e300]);
        assert_eq!(glb.import_error().kind, ErrorKind::Data);
    }
}

#[test]
fn morphs_apply_before_skinning() {
    let mut glb = faces();
    let matrix = DMat4::from_rotation_x(0.5) * DMat4::from_scale(DVec3::new(1., 3., 1.));
    let joint = glb.node(json!({ "matrix": matrix.to_cols_array() }));
    let skin = glb.push("skins", json!({ "joints": [joint] }));
    let joints = glb.shorts(&[[0; 4]; 3]);
    let weights = glb.floats(&[[1.0, 0.0, 0.0, 0.0]; 3]);
    let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    glb.json["nodes"][0]["skin"] = json!(skin);
    glb.json["nodes"][0]["weights"] = json!([0.5, 0.25]);
    let expected = morphed(0.5, 0.25)
        .map(|p| by_hand(p.as_vec3().to_array(), &[(1.0, matrix, DMat4::IDENTITY)]));
    assert_close(&posed(&glb.import().character, 0, None), &expected, 1e-12);
}

#[test]
fn every_interpolation_of_weights_is_as_specified() {
    let times = [1.0, 3.0];
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let (first, second) = ([0.0, 0.5], [1.0, -0.5]);
        // Per key: all in-tangents, then all values, then all out-tangents.
        let keys: Vec<f64> = match interpolation {
            "CUBICSPLINE" => [
                [9.0, 9.0],
                first,
                [0.25, 1.0],
                [-0.5, 0.125],
                second,
                [9.0, 9.0],
            ]
            .concat(),
            _ => [first, second].concat(),
        };
        let mut glb = faces();
        let output = glb.numbers(Component::F32, "SCALAR", &keys, false);
        let clip = glb.clip("talk");
        glb.channel(clip, (0, "weights"), interpolation, &times, output);
        let character = glb.import().character;
        for t in [0.0_f64, 1.0, 1.25, 2.0, 2.5, 3.0, 4.0] {
            let f = ((t - 1.0) / 2.0).clamp(0.0, 1.0);
            let weight = |i: usize| match interpolation {
                "STEP" if f < 1.0 => first[i],
                "STEP" => second[i],
                "LINEAR" => first[i] * (1.0 - f) + second[i] * f,
                _ => {
                    let (leaving, arriving) = ([0.25, 1.0][i], [-0.5, 0.125][i]);
                    let (f2, f3) = (f * f, f * f * f);
                    first[i] * (2. * f3 - 3. * f2 + 1.)
                        + leaving * 2.0 * (f3 - 2. * f2 + f)
                        + second[i] * (-2. * f3 + 3. * f2)
                        + arriving * 2.0 * (f3 - f2)
                }
            };
            let found = posed(&character, 0, Some((0, t)));
            assert_close(&found, &morphed(weight(0), weight(1)), 1e-13);
        }
    }
}

#[test]
fn reads_weights_of_every_type_and_drops_keys_at_the_same_time() {
    let mut glb = faces();
    let keys = [0.0, 255.0, 17.0, 18.0, 51.0, 102.0];
    let output = glb.numbers(Component::U8, "SCALAR", &keys, true);
    let clip = glb.clip("talk");
    glb.channel(clip, (0, "weights"), "LINEAR", &[0.0, 1.0, 1.0], output);
    let import = glb.import();
    assert_close(
        &posed(&import.character, 0, Some((0, 0.0))),
        &morphed(0., 1.),
        1e-14,
    );
    // 51 and 102 of 255. The first key at the same time is dropped.
    assert_close(
        &posed(&import.character, 0, Some((0, 1.0))),
        &morphed(0.2, 0.4),
        1e-6,
    );
    assert!(has_warning(&import.warnings, |w| matches!(
        w,
        Warning::KeysAtSameTime { keys: 1, .. }
    )));
}

#[test]
fn rejects_wrong_number_of_weight_keys() {
    for count in [3, 5, 6] {
        let mut glb = faces();
        let output = glb.numbers(Component::F32, "SCALAR", &vec![0.0; count], false);
        let clip = glb.clip("talk");
        glb.channel(clip, (0, "weights"), "LINEAR", &[0.0, 1.0], output);
        assert_eq!(glb.import_error().kind, ErrorKind::Data);
    }
}

#[test]
fn target_may_have_normals_only() {
    let mut glb = faces();
    let normal = glb.floats(&[[0.0, 0.0, 1.0]; 3]);
    let delta = glb.floats(&[[0.0, 1.0, -1.0]; 3]);
    let primitive = &mut glb.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["NORMAL"] = json!(normal);
    primitive["targets"][0] = json!({ "NORMAL": delta });
    glb.json["nodes"][0]["weights"] = json!([1.0, 1.0]);
    let character = glb.import().character;
    assert_close(&posed(&character, 0, None), &morphed(0., 1.), 1e-14);
    assert_close(&normals(&character, 0, None), &[DVec3::Y; 3], 1e-14);
}

#[test]
fn rejects_targets_of_the_wrong_size() {
    let mut glb = faces();
    let short = glb.floats(&SMILE[..2]);
    glb.json["meshes"][0]["primitives"][0]["targets"][1] = json!({ "POSITION": short });
    let error = glb.import_error();
    assert_eq!(error.kind, ErrorKind::Data);
    assert!(error.object.contains("morph target 1 POSITION"), "{error}");
}

#[test]
fn rejects_primitives_with_different_numbers_of_targets() {
    let mut glb = faces();
    let primitive = glb.json["meshes"][0]["primitives"][0].clone();
    let mut other = primitive.clone();
    other["targets"] = Value::Array(vec![primitive["targets"][0].clone()]);
    glb.json["meshes"][0]["primitives"] = json!([primitive, other]);
    let error = glb.import_error();
    assert_eq!(error.kind, ErrorKind::Data);
    assert!(error.problem.contains("2 and 1 morph targets"), "{error}");
}

#[test]
fn target_names_are_kept() {
    let mut glb = faces();
    glb.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile"] });
    let character = glb.import().character;
    let targets = character.meshes()[0].morph_targets();
    assert_eq!(
        (targets[0].name.as_str(), targets[1].name.as_str()),
        ("smile", "")
    );
}

#[test]
fn nodes_that_share_a_mesh_morph_independently() {
    let mut glb = faces();
    glb.node(json!({ "mesh": 0, "weights": [1.0, 0.0] }));
    let clip = glb.clip("talk");
    let output = glb.floats(&[[0.0], [1.0]]);
    glb.channel(clip, (0, "weights"), "STEP", &[0.0], output);
    let character = glb.import().character;
    assert_eq!(character.meshes().len(), 1);
    assert_close(&posed(&character, 0, Some((0, 0.0))), &morphed(0., 1.), 0.0);
    assert_close(&posed(&character, 1, Some((0, 0.0))), &morphed(1., 0.), 0.0);
}
