//! Every asset bakes, or is refused with a reason.

mod common;

use common::*;
use throng_bake::{BakeError, BakeSettings, Rate};
use throng_format::{Encoding, Precision};
use throng_import::{ImportOptions, import_file};
use throng_testkit::{files_below, shared_assets};

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
                            let scale = b
                                .matrix3
                                .to_cols_array()
                                .iter()
                                .fold(0.0, |a: f64, x| a.max(x.abs()));
                            let off = linear_difference(&a, &b);
                            assert!(
                                off <= 2e-4 * scale,
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
