//! Influences: any number per vertex, in any type that glTF allows, and the import options for them.

mod common;

use common::{Component, Glb, assert_close, by_hand, has_warning, posed, triangle};
use glam::{DMat4, DVec3};
use serde_json::{Map, Value, json};
use throng_import::{ErrorKind, ImportOptions, PositionSharing, Warning};

/// Adds distinct nodes along a bent line, and returns them with their matrices.
fn joints(glb: &mut Glb, count: usize) -> (Vec<usize>, Vec<DMat4>) {
    (0..count)
        .map(|i| {
            let (i, at) = (i as f64, [i as f64, (i as f64).powi(2), -0.5 * i as f64]);
            let rotation = DMat4::from_rotation_x(0.5 * i);
            let matrix = DMat4::from_translation(DVec3::from_array(at)) * rotation;
            let node = glb.node(json!({ "matrix": matrix.to_cols_array() }));
            (node, matrix)
        })
        .unzip()
}

/// Adds a mesh with a skin of nodes, without inverse bind matrices.
fn skinned(glb: &mut Glb, nodes: &[usize], attributes: &Value) {
    let mesh = glb.mesh(json!({ "attributes": attributes }));
    let skin = glb.push("skins", json!({ "joints": nodes }));
    glb.node(json!({ "mesh": mesh, "skin": skin }));
}

#[test]
fn reads_twelve_influences_in_three_sets() {
    let mut glb = Glb::new();
    let (nodes, matrices) = joints(&mut glb, 12);
    // Weights are sixteenths, so that sums are exact: 4 + 12 × 1 = 16.
    let weight = |joint: usize| if joint == 7 { 5.0 } else { 1.0 } / 16.0;
    let mut attributes = Map::new();
    // The file lists the sets in another order than their numbers.
    for set in [2_usize, 0, 1] {
        let of_set = |i: usize| (4 * set + i) % 12;
        let joints = [std::array::from_fn(|i| of_set(i) as u16); 3];
        let weights = [std::array::from_fn(|i| weight(of_set(i)) as f32); 3];
        attributes.insert(format!("WEIGHTS_{set}"), json!(glb.floats::<4>(&weights)));
        attributes.insert(format!("JOINTS_{set}"), json!(glb.shorts::<4>(&joints)));
    }
    attributes.insert("POSITION".into(), json!(glb.floats(&triangle())));
    skinned(&mut glb, &nodes, &Value::Object(attributes));

    let import = glb.import();
    let influences = import.character.meshes()[0].influences();
    assert_eq!(influences.max_per_vertex(), 12);
    assert_eq!(influences.run(0).0[0], 7, "the heaviest comes first");
    let all: Vec<_> = matrices
        .iter()
        .enumerate()
        .map(|(joint, &m)| (weight(joint), m, DMat4::IDENTITY))
        .collect();
    let expected = triangle().map(|corner| by_hand(corner, &all));
    assert_close(&posed(&import.character, 0, None), &expected, 1e-9);
}

#[test]
fn reads_joints_and_weights_of_every_type() {
    for joint_type in [Component::U8, Component::U16] {
        for (weight_type, unit) in [
            (Component::F32, 1.0),
            (Component::U8, 255.0),
            (Component::U16, 65535.0),
        ] {
            let mut glb = Glb::new();
            let (nodes, matrices) = joints(&mut glb, 3);
            // Weights are fifths, exact in all three types: 255 and 65535 are multiples of 5.
            let fifths = [2.0, 1.0, 2.0, 0.0];
            let attributes = json!({
                "POSITION": glb.floats(&triangle()),
                "JOINTS_0": glb.numbers(joint_type, "VEC4", &[2., 0., 1., 0.].repeat(3), false),
                "WEIGHTS_0": glb.numbers(
                    weight_type,
                    "VEC4",
                    &fifths.map(|w| w * unit / 5.0).repeat(3),
                    weight_type != Component::F32,
                ),
            });
            skinned(&mut glb, &nodes, &attributes);
            let import = glb.import();
            let pairs = [2, 0, 1].into_iter().zip(fifths);
            let all: Vec<_> = pairs
                .map(|(joint, w)| (w / 5.0, matrices[joint], DMat4::IDENTITY))
                .collect();
            let expected = triangle().map(|corner| by_hand(corner, &all));
            // Weights are stored as float32.
            assert_close(&posed(&import.character, 0, None), &expected, 1e-6);
            let quiet = !has_warning(&import.warnings, |w| {
                matches!(w, Warning::WeightsRenormalised { .. })
            });
            assert!(quiet, "{:?}", import.warnings);
        }
    }
}

#[test]
fn accepts_invalid_joint_without_weight() {
    let mut glb = Glb::new();
    let (nodes, matrices) = joints(&mut glb, 2);
    let attributes = glb.weighted(
        &triangle(),
        &[[1, 200, 65535, 9]; 3],
        &[[1.0, 0.0, 0.0, 0.0]; 3],
    );
    skinned(&mut glb, &nodes, &attributes);
    let expected = triangle().map(|c| by_hand(c, &[(1.0, matrices[1], DMat4::IDENTITY)]));
    assert_close(&posed(&glb.import().character, 0, None), &expected, 1e-12);
}

#[test]
fn rejects_invalid_joint_with_weight() {
    let mut glb = Glb::new();
    let (nodes, _) = joints(&mut glb, 2);
    let attributes = glb.weighted(
        &triangle(),
        &[[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 77, 0]],
        &[[1.0, 0.0, 0.001, 0.0]; 3],
    );
    skinned(&mut glb, &nodes, &attributes);
    let error = glb.import_error();
    assert_eq!(error.kind, ErrorKind::Reference);
    assert_eq!(error.object, "mesh 0 primitive 0");
    assert_eq!(
        error.problem,
        "vertex 2 uses joint 77, but the skin has 2 joints"
    );
}

#[test]
fn joints_are_checked_against_the_smallest_skin() {
    let mut glb = Glb::new();
    let (nodes, _) = joints(&mut glb, 3);
    let attributes = glb.weighted(&triangle(), &[[2, 0, 0, 0]; 3], &[[1.0, 0.0, 0.0, 0.0]; 3]);
    skinned(&mut glb, &nodes, &attributes);
    let small = glb.push("skins", json!({ "joints": [0, 1] }));
    let other = glb.node(json!({ "mesh": 0, "skin": small }));
    let error = glb.import_error();
    assert!(error.problem.contains("the skin has 2 joints"), "{error}");

    // Skins of nodes that are not drawn are not checked.
    let shown: Vec<usize> = (0..other).collect();
    glb.json["scenes"] = json!([{ "nodes": shown }]);
    assert_eq!(glb.import().character.parts().len(), 1);
}

#[test]
fn rejects_joints_without_weights_and_ignores_weights_without_joints() {
    let mut glb = Glb::new();
    let (nodes, _) = joints(&mut glb, 2);
    let mut attributes = glb.weighted(&triangle(), &[[0; 4]; 3], &[[1.0, 0.0, 0.0, 0.0]; 3]);
    let weights = attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    skinned(&mut glb, &nodes, &attributes);
    let error = glb.import_error();
    assert_eq!(error.kind, ErrorKind::Data);
    assert!(error.to_string().contains("WEIGHTS_0"), "{error}");

    let attributes = attributes.as_object_mut().unwrap();
    attributes.remove("JOINTS_0");
    attributes.insert("WEIGHTS_0".into(), weights.unwrap());
    glb.json["meshes"][0]["primitives"][0]["attributes"] = json!(attributes);
    glb.json["nodes"][2]["translation"] = json!([0.0, 1.0, 0.0]);
    let import = glb.import();
    assert!(has_warning(
        &import.warnings,
        |w| matches!(w, Warning::SkinWithoutWeights { node } if node == "node 2")
    ));
    assert_eq!(posed(&import.character, 0, None)[0], DVec3::Y);
}

/// Builds a mesh with eight influences per vertex, all with different weights.
fn eight() -> (Glb, Vec<DMat4>, [f64; 8]) {
    let mut glb = Glb::new();
    let (nodes, matrices) = joints(&mut glb, 8);
    let weights = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 129.0].map(|w| w / 256.0);
    let set = |from: usize| std::array::from_fn(|i| weights[from + i] as f32);
    let attributes = json!({
        "POSITION": glb.floats(&triangle()),
        "JOINTS_0": glb.shorts(&[[0, 1, 2, 3]; 3]),
        "WEIGHTS_0": glb.floats::<4>(&[set(0); 3]),
        "JOINTS_1": glb.shorts(&[[4, 5, 6, 7]; 3]),
        "WEIGHTS_1": glb.floats::<4>(&[set(4); 3]),
    });
    skinned(&mut glb, &nodes, &attributes);
    (glb, matrices, weights)
}

/// Returns the triangle skinned with only the heaviest joints, from index `first` on, renormalised.
fn by_the_heaviest(matrices: &[DMat4], weights: &[f64; 8], first: usize) -> [DVec3; 3] {
    let sum: f64 = weights[first..].iter().sum();
    let kept: Vec<_> = (first..8)
        .map(|j| (weights[j] / sum, matrices[j], DMat4::IDENTITY))
        .collect();
    triangle().map(|corner| by_hand(corner, &kept))
}

#[test]
fn max_influences_keeps_the_heaviest_and_reports_the_loss() {
    let (glb, matrices, weights) = eight();
    for limit in [1, 2, 3, 4, 8] {
        let options = ImportOptions {
            max_influences: Some(limit),
            ..ImportOptions::default()
        };
        let import = glb.import_with(&options);
        let influences = import.character.meshes()[0].influences();
        assert_eq!(influences.max_per_vertex(), limit);
        let expected = by_the_heaviest(&matrices, &weights, 8 - limit);
        // Weights are stored as float32; joints are within 50 of the origin.
        assert_close(&posed(&import.character, 0, None), &expected, 1e-5);
        let lost: f64 = weights[..8 - limit].iter().sum();
        let reported = import.warnings.iter().find_map(|w| match w {
            Warning::InfluencesLimited {
                mesh,
                vertices: 3,
                limit,
                worst_lost,
            } if mesh == "mesh 0 primitive 0" => Some((*limit, *worst_lost)),
            _ => None,
        });
        assert_eq!(reported, (limit < 8).then_some((limit, lost)));
    }
}

#[test]
fn min_weight_drops_small_weights_and_reports_them() {
    let (glb, matrices, weights) = eight();
    let options = ImportOptions {
        min_weight: 0.03,
        ..ImportOptions::default()
    };
    let import = glb.import_with(&options);
    // Of the weights, 1, 2 and 4 of 256 are below 0.03; 8 of 256 is above.
    let expected = by_the_heaviest(&matrices, &weights, 3);
    assert_close(&posed(&import.character, 0, None), &expected, 1e-5);
    assert!(has_warning(&import.warnings, |w| *w
        == Warning::SmallWeightsDropped {
            mesh: "mesh 0 primitive 0".into(),
            influences: 9,
            threshold: 0.03
        }));
}

#[test]
fn vertices_share_positions_unless_split() {
    let mut glb = Glb::new();
    let (nodes, _) = joints(&mut glb, 2);
    let [a, b, c] = triangle();
    // Two triangles with a common edge; the last vertex has another joint.
    let attributes = glb.weighted(
        &[a, b, c, c, b, a],
        &[[0; 4], [0; 4], [0; 4], [0; 4], [0; 4], [1, 0, 0, 0]],
        &[[1.0, 0.0, 0.0, 0.0]; 6],
    );
    skinned(&mut glb, &nodes, &attributes);
    let shared = glb.import().character;
    let split = glb
        .import_with(&ImportOptions {
            positions: PositionSharing::Split,
            ..ImportOptions::default()
        })
        .character;
    let corners = glb
        .import_with(&ImportOptions {
            positions: PositionSharing::Corners,
            ..ImportOptions::default()
        })
        .character;
    assert_eq!(corners.meshes()[0].vertex_count(), 6);
    assert_eq!(corners.meshes()[0].unique().position_count(), 6);
    assert_close(&posed(&shared, 0, None), &posed(&corners, 0, None), 0.0);
    let unique = shared.meshes()[0].unique();
    assert_eq!(unique.position_of(), [0, 1, 2, 2, 1, 3]);
    assert_eq!(split.meshes()[0].unique().position_count(), 6);
    assert_close(&posed(&shared, 0, None), &posed(&split, 0, None), 0.0);
}
