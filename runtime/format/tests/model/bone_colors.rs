//! `COLOR_0` of models as bone indices, which the caller supplies.

use std::io;

use throng_format::{ModelError, ModelExtras, read_model, write_model};
use throng_rig::Character;

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written, written_with};

/// One colour per vertex, all different.
pub fn bone_colors(character: &Character) -> ModelExtras<'static> {
    let meshes = character.meshes().iter().enumerate();
    let colors = meshes.map(|(index, mesh)| {
        let vertices = 0..mesh.vertex_count();
        vertices
            .map(|v| [v as u8, 255 - v as u8, index as u8, 7])
            .collect()
    });
    ModelExtras {
        bone_colors: colors.collect(),
        ..ModelExtras::default()
    }
}

#[test]
fn bone_colors_round_trip_and_leave_the_colours_of_the_mesh_unchanged() {
    let character = everything();
    assert!(
        character
            .meshes()
            .iter()
            .any(|mesh| !mesh.colors().is_empty())
    );
    let extras = bone_colors(&character);
    let model = read_model(&written_with(&character, extras.clone())).unwrap();
    assert_eq!(model.bone_colors, extras.bone_colors);
    let without = read_model(&written(&character, None)).unwrap();
    assert!(model.character == without.character);
    assert!(without.bone_colors.iter().all(Vec::is_empty));
}

#[test]
fn bone_colors_are_normalised_bytes() {
    let character = everything();
    let (json, _) = split_glb(&written_with(&character, bone_colors(&character)));
    let accessor = &json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"];
    let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
    assert_eq!(accessor["componentType"], 5121);
    assert_eq!(accessor["normalized"], true);
    assert_eq!(accessor["type"], "VEC4");
}

#[test]
fn rejects_a_wrong_number_of_bone_colors() {
    let extras = ModelExtras {
        bone_colors: vec![vec![], vec![[0; 4]; 2]],
        ..ModelExtras::default()
    };
    let error = write_model(&everything(), extras, &mut io::sink()).unwrap_err();
    assert!(matches!(error, ModelError::BoneColors { .. }));
    assert_eq!(
        error.to_string(),
        "mesh 1: expected 3 bone colours, one per vertex, found 2"
    );
}

#[test]
fn rejects_plain_bytes() {
    let character = everything();
    let (mut json, binary) = split_glb(&written_with(&character, bone_colors(&character)));
    for accessor in json["accessors"].as_array_mut().unwrap() {
        accessor.as_object_mut().unwrap().remove("normalized");
    }
    let bytes = join_glb(json.to_string().as_bytes(), &binary);
    let error = read_model(&bytes).unwrap_err().to_string();
    assert!(error.contains("COLOR_0"), "{error}");
    assert!(error.contains("expected normalized bytes"), "{error}");
}
