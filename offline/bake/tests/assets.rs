//! Every asset bakes, or is refused with a reason.

mod common;

use std::collections::HashMap;

use common::*;
use glam::DAffine3;
use throng_bake::{BakeError, BakeSettings, DEFAULT_ERROR_OF_SIZE, Rate};
use throng_format::{Encoding, Precision};
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, CharacterPose};
use throng_testkit::{files_below, shared_assets};

/// Largest distance of a vertex from each joint in the rest pose, times the weight.
fn levers(character: &Character) -> HashMap<usize, f64> {
    let rest = CharacterPose::rest(character);
    let mut levers: HashMap<usize, f64> = HashMap::new();
    for part in character.parts() {
        let (mesh, skin) = (character.mesh_of(part), character.skin_of(part));
        for (vertex, position) in mesh.positions().iter().enumerate() {
            for (index, weight) in mesh.influences().of(vertex) {
                let joint = skin.joints()[index];
                let model_from_bind =
                    rest.model.model_from_joint[joint] * skin.joint_from_bind()[index];
                let posed = model_from_bind.transform_point3(position.as_dvec3());
                let origin = rest.model.model_from_joint[joint].translation;
                let lever = levers.entry(joint).or_default();
                *lever = lever.max(weight * posed.distance(origin));
            }
        }
    }
    levers
}

#[test]
fn every_asset_bakes_or_is_refused_with_a_reason() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let (mut baked_sets, mut refused) = (0, 0);
    for path in files_below(&assets, &["glb", "gltf", "fbx"]) {
        let Ok(imported) = import_file(&path, &ImportOptions::default()) else {
            continue; // invalid on purpose
        };
        let character = imported.character;
        let vertices: usize = character
            .meshes()
            .iter()
            .map(throng_rig::Mesh::vertex_count)
            .sum();
        if character.clips().is_empty() || vertices == 0 || vertices > 50_000 {
            continue;
        }
        let levers = levers(&character);
        for encoding in FRAME_ENCODINGS {
            let settings = BakeSettings {
                clips: vec![0],
                rate: Rate::Hz(6.0),
                ..settings_of(encoding, Precision::F32)
            };
            match try_baked(&character, &settings) {
                Ok(set) => {
                    baked_sets += 1;
                    if encoding.is_vertex() {
                        continue;
                    }
                    // Frames equal the clip at their time, except the last of a wrapping clip, which equals the first.
                    let size = set.manifest().size.max(1e-9);
                    for time in frame_times(&set, 0).iter().rev().skip(1) {
                        let pose = decoded_bones(&set, 0, *time);
                        let reference = reference_pose(&character, 0, *time);
                        for joint in bone_joints(&set) {
                            let (a, b) = (
                                pose.model_from_joint[joint],
                                reference.model.model_from_joint[joint],
                            );
                            let far = size + b.translation.length();
                            let off = a.translation.distance(b.translation);
                            assert!(off < 2e-6 * far, "{path:?} {encoding} joint {joint}: {off}");
                            let off = linear_difference(&a, &b);
                            let scale = linear_difference(&b, &DAffine3::ZERO);
                            // Rounding, or shear and scale that move no vertex by more than a fifth of the default
                            // maximum error each.
                            let lever = levers.get(&joint).copied().unwrap_or(0.0);
                            let unseen = 2.0 * DEFAULT_ERROR_OF_SIZE / 5.0 * size / lever.max(1e-9);
                            assert!(
                                off <= f64::max(2e-4, unseen) * scale,
                                "{path:?} {encoding} joint {joint}: {off}"
                            );
                        }
                    }
                }
                Err(BakeError::NotHeld { .. }) => {
                    assert!(!matches!(encoding, Encoding::BoneMatrix | Encoding::Vertex));
                    refused += 1;
                }
                Err(error) => panic!("{path:?} {encoding}: {error}"),
            }
        }
    }
    eprintln!("{baked_sets} sets baked, {refused} refused");
    assert!(baked_sets > 100);
}
