//! Levels of detail in model files.

use serde_json::{Value, json};
use throng_format::{LodTriangles, MeshStorage, ModelError, ModelExtras, read_model, write_model};
use throng_rig::Character;

use crate::everything::everything;
use crate::files::{join_glb, split_glb, written, written_with};

/// Two levels of a character: half of the triangles of each mesh, and the first triangle of the first mesh alone.
pub fn half_levels(character: &Character) -> Vec<LodTriangles> {
    let half = |mesh: &throng_rig::Mesh| mesh.triangles().iter().copied().step_by(2).collect();
    let halves: Vec<Vec<[u32; 3]>> = character.meshes().iter().map(half).collect();
    let mut one = vec![Vec::new(); halves.len()];
    let first = halves.iter().position(|mesh| !mesh.is_empty()).unwrap();
    one[first].push(halves[first][0]);
    [halves, one].map(|meshes| LodTriangles { meshes }).into()
}

/// Bytes of a model with levels.
pub fn with_levels(character: &Character, lods: &[LodTriangles], storage: MeshStorage) -> Vec<u8> {
    let extras = ModelExtras {
        storage,
        lods,
        ..ModelExtras::default()
    };
    written_with(character, extras)
}

#[test]
fn levels_round_trip_and_full_mesh_is_unchanged() {
    let character = everything();
    let lods = half_levels(&character);
    for storage in [MeshStorage::Exact, MeshStorage::Compact] {
        let model = read_model(&with_levels(&character, &lods, storage)).unwrap();
        assert_eq!(model.lods, lods);
        let plain = read_model(&with_levels(&character, &[], storage)).unwrap();
        assert!(plain.lods.is_empty());
        assert!(model.character == plain.character);
    }
}

#[test]
fn file_without_levels_has_no_field() {
    let (json, _) = split_glb(&written(&everything(), None));
    assert_eq!(json.pointer("/meshes/0/extras/throng/lods"), None);
}

/// Error of reading a file with levels whose JSON has another value.
fn damaged(pointer: &str, value: Value) -> String {
    let character = everything();
    let bytes = with_levels(&character, &half_levels(&character), MeshStorage::Exact);
    let (mut json, binary) = split_glb(&bytes);
    *json.pointer_mut(pointer).unwrap() = value;
    let bytes = join_glb(json.to_string().as_bytes(), &binary);
    read_model(&bytes).unwrap_err().to_string()
}

#[test]
fn rejects_damaged_levels() {
    let lods = "/meshes/0/extras/throng/lods";
    for (pointer, value, expected) in [
        (format!("{lods}/0/triangles"), json!(2), "elements"),
        (
            format!("{lods}/0/triangles"),
            json!(u64::MAX),
            "too many triangles",
        ),
        (format!("{lods}/0/triangles"), json!(1u64 << 40), "elements"),
        (
            format!("{lods}/0/triangles"),
            json!(0),
            "level of detail 0: expected indices of 0",
        ),
        (format!("{lods}/0/triangles"), json!(-1), "JSON, meshes[0]"),
        (
            format!("{lods}/0/indices"),
            Value::Null,
            "level of detail 0: expected indices of",
        ),
        (format!("{lods}/0/indices"), json!(0), "accessor 0"),
        (format!("{lods}/0/indices"), json!(9999), "out of range"),
        (
            lods.to_owned(),
            json!([]),
            "mesh 1: expected 0 levels of detail",
        ),
    ] {
        let error = damaged(&pointer, value);
        assert!(error.contains(expected), "{pointer}: {error}");
    }
}

#[test]
fn rejects_indices_out_of_range() {
    let character = everything();
    let vertices = character.meshes()[0].vertex_count() as u32;
    let mut lods = half_levels(&character);
    lods[1].meshes[0] = vec![[0, 1, vertices]];
    let extras = ModelExtras {
        lods: &lods,
        ..ModelExtras::default()
    };
    let error = write_model(&character, extras, &mut Vec::new()).unwrap_err();
    assert!(
        matches!(error, ModelError::LodIndex { level: 1, .. }),
        "{error}"
    );
    // The same in a file: the indices of another mesh.
    let levels = half_levels(&character);
    let bytes = with_levels(&character, &levels, MeshStorage::Exact);
    let (json, mut binary) = split_glb(&bytes);
    let accessor = json
        .pointer("/meshes/0/extras/throng/lods/0/indices")
        .unwrap();
    let view = &json["accessors"][accessor.as_u64().unwrap() as usize]["bufferView"];
    let view = &json["bufferViews"][view.as_u64().unwrap() as usize];
    let offset = view["byteOffset"].as_u64().unwrap_or(0) as usize;
    binary[offset..offset + 2].copy_from_slice(&0xfffe_u16.to_le_bytes());
    let bytes = join_glb(json.to_string().as_bytes(), &binary);
    let error = read_model(&bytes).unwrap_err().to_string();
    assert!(error.contains("vertex 65534 is out of range"), "{error}");
}
