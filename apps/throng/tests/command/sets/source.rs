//! Which source a set is compared with.

use std::fs;

use super::Place;
use crate::run::tiny_gltf;

/// A set of a small file.
fn baked() -> Place {
    let place = Place::new();
    fs::write(place.at("tiny.gltf"), tiny_gltf(&["move"])).unwrap();
    place
        .bake(&["tiny.gltf", "-o", "set", "--encoding", "bone-qt"])
        .ok();
    place.verify(&["set"]).ok();
    place
}

#[test]
fn a_source_that_has_changed_is_not_compared_with() {
    let place = baked();
    fs::rename(place.at("tiny.gltf"), place.at("old.gltf")).unwrap();
    fs::write(place.at("tiny.gltf"), tiny_gltf(&["move", "other"])).unwrap();
    let error = place.verify(&["set"]).failed(2);
    assert!(error.contains("tiny.gltf has changed"), "{error}");
    assert!(error.contains("--against FILE"), "{error}");
    for source in ["old.gltf", "tiny.gltf"] {
        place.verify(&["set", "--against", source]).ok();
    }
}

#[test]
fn a_side_file_that_has_changed_is_a_change() {
    let place = Place::new();
    let mut gltf: serde_json::Value = serde_json::from_str(&tiny_gltf(&["move"])).unwrap();
    let mut bytes: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    gltf["buffers"][0]["uri"] = "data/a%20b%2B%C3%A9.bin".into();
    fs::create_dir(place.at("data")).unwrap();
    let side = place.at("data/a b+é.bin");
    fs::write(&side, &bytes).unwrap();
    fs::write(place.at("tiny.gltf"), gltf.to_string()).unwrap();
    place
        .bake(&["tiny.gltf", "-o", "set", "--encoding", "bone-qt"])
        .ok();
    place.verify(&["set"]).ok();
    bytes[12..16].copy_from_slice(&2.0_f32.to_le_bytes());
    fs::write(&side, bytes).unwrap();
    let error = place.verify(&["set"]).failed(2);
    assert!(error.contains("has changed"), "{error}");
}

#[test]
fn a_source_that_is_gone_is_named() {
    let place = baked();
    fs::remove_file(place.at("tiny.gltf")).unwrap();
    let error = place.verify(&["set"]).failed(2);
    assert!(error.contains("tiny.gltf cannot be read"), "{error}");
    assert!(error.contains("--against FILE"), "{error}");
}

#[test]
fn another_character_is_no_source() {
    let place = baked();
    for other in ["builtin:bar", "builtin:cylinder"] {
        let error = place.verify(&["set", "--against", other]).failed(2);
        assert!(
            error.contains("compare with the source it was baked from"),
            "{error}"
        );
    }
    let error = place.verify(&["set", "--against", "nosuch.glb"]).failed(1);
    assert!(error.contains("nosuch.glb"), "{error}");
}

#[test]
fn a_set_and_its_source_may_move_together() {
    let place = baked();
    fs::create_dir(place.at("elsewhere")).unwrap();
    for name in ["set", "tiny.gltf"] {
        fs::rename(place.at(name), place.at("elsewhere").join(name)).unwrap();
    }
    place.verify(&["elsewhere/set"]).ok();
}
