//! `TEXCOORD_1` of models, which the caller supplies.

use std::io;

use glam::Vec2;
use serde_json::json;
use throng_format::{ModelError, ModelExtras, read_model, write_model};
use throng_rig::Character;

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written, written_with};

/// One coordinate per vertex, all different.
pub fn second_uvs(character: &Character) -> ModelExtras<'static> {
    let meshes = character.meshes().iter().enumerate();
    let uvs = meshes.map(|(index, mesh)| {
        let vertices = (0..mesh.vertex_count()).map(|v| Vec2::new(index as f32, v as f32 / 7.0));
        vertices.collect()
    });
    ModelExtras {
        second_uvs: uvs.collect(),
        ..ModelExtras::default()
    }
}

#[test]
fn second_uvs_round_trip_and_leave_the_character_unchanged() {
    let character = everything();
    let extras = second_uvs(&character);
    let model = read_model(&written_with(&character, extras.clone())).unwrap();
    assert_eq!(model.second_uvs, extras.second_uvs);
    let without = read_model(&written(&character, None)).unwrap();
    assert!(model.character == without.character);
    assert!(without.second_uvs.iter().all(Vec::is_empty));
}

/// glTF numbers texture coordinate sets from 0.
#[test]
fn mesh_without_uvs_gets_zeros_as_placeholder() {
    let character = everything();
    let (json, _) = split_glb(&written_with(&character, second_uvs(&character)));
    for (mesh, is_placeholder) in [(0, false), (1, false), (2, true)] {
        let mesh = &json["meshes"][mesh];
        for name in ["TEXCOORD_0", "TEXCOORD_1"] {
            let accessor = mesh["primitives"][0]["attributes"][name].as_u64().unwrap();
            assert_eq!(json["accessors"][accessor as usize]["type"], "VEC2");
        }
        let found = mesh["extras"]["throng"].get("stand_in_uvs");
        assert_eq!(found, is_placeholder.then_some(&json!(true)));
    }
    // Without vertices there are no coordinates.
    let attributes = &json["meshes"][3]["primitives"][0]["attributes"];
    assert!(attributes.get("TEXCOORD_1").is_none());
}

#[test]
fn rejects_a_wrong_number_of_second_uvs_and_nan() {
    let refuse = |uvs: Vec<Vec2>| {
        let extras = ModelExtras {
            second_uvs: vec![vec![], uvs],
            ..ModelExtras::default()
        };
        write_model(&everything(), extras, &mut io::sink()).unwrap_err()
    };
    let error = refuse(vec![Vec2::ZERO; 2]);
    assert!(matches!(error, ModelError::SecondUvs { .. }));
    assert_eq!(
        error.to_string(),
        "mesh 1: expected 3 second texture coordinates, one per vertex, found 2"
    );
    let error = refuse(vec![Vec2::ZERO, Vec2::NAN, Vec2::ZERO]).to_string();
    assert!(error.starts_with("second texture coordinate 1 of mesh 1 is not finite"));
}

#[test]
fn rejects_second_uvs_of_the_wrong_type() {
    let character = everything();
    let (mut json, binary) = split_glb(&written_with(&character, second_uvs(&character)));
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    attributes["TEXCOORD_1"] = attributes["POSITION"].clone();
    let bytes = join_glb(json.to_string().as_bytes(), &binary);
    let error = read_model(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("mesh 0, TEXCOORD_1"), "{error}");
}
