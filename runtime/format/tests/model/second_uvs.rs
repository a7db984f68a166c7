//! Texture coordinates that are not the mesh's own.

use std::io;

use glam::Vec2;
use serde_json::json;
use throng_format::{ModelError, ModelExtras, read_model, write_model};
use throng_rig::Character;

use crate::everything::everything;
use crate::files::{put_together, taken_apart, written, written_with};

/// One a vertex, none alike.
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
fn they_come_back_and_the_character_is_the_same() {
    let character = everything();
    let riders = second_uvs(&character);
    let model = read_model(&written_with(&character, riders.clone())).unwrap();
    assert_eq!(model.second_uvs, riders.second_uvs);
    let without = read_model(&written(&character, None)).unwrap();
    assert!(model.character == without.character);
    assert!(without.second_uvs.iter().all(Vec::is_empty));
}

/// glTF counts texture coordinates from 0.
#[test]
fn where_a_mesh_has_none_of_its_own_zeros_stand_in() {
    let character = everything();
    let (json, _) = taken_apart(&written_with(&character, second_uvs(&character)));
    for (mesh, stands_in) in [(0, false), (1, false), (2, true)] {
        let mesh = &json["meshes"][mesh];
        for name in ["TEXCOORD_0", "TEXCOORD_1"] {
            let accessor = mesh["primitives"][0]["attributes"][name].as_u64().unwrap();
            assert_eq!(json["accessors"][accessor as usize]["type"], "VEC2");
        }
        let found = mesh["extras"]["throng"].get("stand_in_uvs");
        assert_eq!(found, stands_in.then_some(&json!(true)));
    }
    // No vertices, no coordinates.
    let attributes = &json["meshes"][3]["primitives"][0]["attributes"];
    assert!(attributes.get("TEXCOORD_1").is_none());
}

#[test]
fn those_that_are_not_one_a_vertex_are_refused() {
    let refuse = |uvs: Vec<Vec2>| {
        let riders = ModelExtras {
            second_uvs: vec![vec![], uvs],
            ..ModelExtras::default()
        };
        write_model(&everything(), riders, &mut io::sink()).unwrap_err()
    };
    let error = refuse(vec![Vec2::ZERO; 2]);
    assert!(matches!(error, ModelError::SecondUvs { .. }));
    assert_eq!(
        error.to_string(),
        "mesh 1 has 3 vertices and 2 second texture coordinates: give one a vertex"
    );
    let error = refuse(vec![Vec2::ZERO, Vec2::NAN, Vec2::ZERO]).to_string();
    assert!(error.starts_with("second texture coordinate 1 of mesh 1 is not finite"));
}

#[test]
fn those_that_are_no_coordinates_are_not_read() {
    let character = everything();
    let (mut json, binary) = taken_apart(&written_with(&character, second_uvs(&character)));
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    attributes["TEXCOORD_1"] = attributes["POSITION"].clone();
    let bytes = put_together(json.to_string().as_bytes(), &binary);
    let error = read_model(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("mesh 0, TEXCOORD_1"), "{error}");
}
