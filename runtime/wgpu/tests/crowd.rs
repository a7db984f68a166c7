//! Crowds: every instance equals the character, posed on the CPU at the instance's clip, start, speed and cross-fade.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use std::sync::Arc;

use device::{crowd_of_character, crowd_of_set};
use glam::Vec3;
use subjects::{
    HUMANOID, TOLERANCE_MM, baked, baked_as, baked_of, capture, expected, gpu, largest_mm,
    ordered_builtin, scattered,
};
use throng_bake::{BakeSettings, Rate};
use throng_format::{Encoding, Metadata, Precision, Storage};
use throng_rig::{Method, Skinning};
use throng_shaders::TexelKind;
use throng_wgpu::{
    DecodeMode, GpuError, GpuLimits, Instance, Instancing, ModelSettings, Play, SetShaders,
    Technique, Ticks,
};

/// Shortly before ticks wrap: starts are hours ago, cross-fades end after the wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);

#[test]
fn every_instance_matches_cpu_decoding_at_its_own_time() {
    let Some(gpu) = gpu() else { return };
    use DecodeMode::{Direct, Pass};
    for (encoding, precision, decode) in [
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Direct,
        ),
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16), Pass),
        (Encoding::BoneDq, Storage::Frames(Precision::F16), Direct),
        (
            Encoding::BoneMatrix,
            Storage::Frames(Precision::Unorm8),
            Direct,
        ),
        (
            Encoding::VirtualBones,
            Storage::Frames(Precision::F32),
            Direct,
        ),
        (Encoding::BoneLocal, Storage::Compressed, Pass),
        (
            Encoding::Vertex,
            Storage::Frames(Precision::Unorm16),
            Direct,
        ),
        (Encoding::Vertex, Storage::Compressed, Direct),
        (
            Encoding::VertexRay,
            Storage::Frames(Precision::Unorm8),
            Direct,
        ),
    ] {
        let set = baked(encoding, precision);
        let rest = set.rest().clone();
        let instances = scattered(40, NOW);
        for instancing in [Instancing::Instanced, Instancing::Loop] {
            let settings = ModelSettings {
                instancing,
                decode,
                ..ModelSettings::default()
            };
            let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
            crowd.set_instances(&instances).unwrap();
            let captured = capture(&mut crowd, NOW);
            for (index, (captured, instance)) in captured.iter().zip(&instances).enumerate() {
                let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    error_mm <= TOLERANCE_MM,
                    "{encoding} {precision} {decode:?} {instancing:?}: instance {index} has an error of {error_mm} mm"
                );
            }
        }
    }
}

/// Pairs of unorm16 texels are read at once if both are in one row of the texture. After a column of metadata they are
/// not, and are read one by one.
#[test]
fn unorm16_texels_are_read_in_pairs_unless_a_column_of_metadata_splits_them() {
    let Some(gpu) = gpu() else { return };
    use TexelKind::{Pairs, Uint};
    let small_sides = BakeSettings {
        max_side: 32,
        ..BakeSettings::default()
    };
    let metadata_column = BakeSettings {
        metadata: Metadata::Column,
        ..BakeSettings::default()
    };
    let cases = [
        (BakeSettings::default(), Pairs),
        (small_sides, Pairs),
        (metadata_column, Uint),
    ];
    let instances = scattered(6, NOW);
    for encoding in [
        Encoding::BoneDq,
        Encoding::BoneMatrix,
        Encoding::VirtualBones,
    ] {
        for (layout, texels) in &cases {
            let settings = BakeSettings {
                encoding,
                storage: Precision::Unorm16.into(),
                skinning: Method::Lbs.into(),
                rate: Rate::Hz(15.0),
                ..layout.clone()
            };
            let set = baked_as(&HUMANOID, &settings);
            let shaders = SetShaders::of(&set, DecodeMode::Direct).unwrap();
            assert_eq!(shaders.textures[0].texels, *texels);
            let rest = set.rest().clone();
            for decode in [DecodeMode::Direct, DecodeMode::Pass] {
                let settings = ModelSettings {
                    decode,
                    ..ModelSettings::default()
                };
                let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
                crowd.set_instances(&instances).unwrap();
                let captured = capture(&mut crowd, NOW);
                for (captured, instance) in captured.iter().zip(&instances) {
                    let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                    assert!(
                        error_mm <= TOLERANCE_MM,
                        "{encoding} {texels:?} {decode:?}: {error_mm} mm"
                    );
                }
            }
        }
    }
}

/// Groups are skinned once, and every instance copies them to its own transform.
#[test]
fn skin_once_copies_groups_by_compute_and_by_points() {
    let Some(gpu) = gpu() else { return };
    // WebGL2 has no compute passes, so that points skin there.
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    for (encoding, precision) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
    ] {
        let set = baked(encoding, precision);
        let rest = set.rest().clone();
        let groups = scattered(5, NOW);
        let instances: Vec<Instance> = scattered(30, NOW)
            .iter()
            .enumerate()
            .map(|(index, instance)| Instance {
                world_from_model: instance.world_from_model,
                group: index as u32 % 5,
                ..groups[index % 5]
            })
            .collect();
        let settings = ModelSettings {
            instancing: Instancing::SkinOnce,
            ..ModelSettings::default()
        };
        for gpu in [gpu, &gl] {
            let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
            crowd.set_instances(&instances).unwrap();
            for (captured, instance) in capture(&mut crowd, NOW).iter().zip(&instances) {
                let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    error_mm <= TOLERANCE_MM,
                    "{encoding} on {:?}: {error_mm} mm",
                    gpu.backend()
                );
            }
        }
    }
}

/// Passes of every frame have the layout of the texture compiled in: one layer and several, and short keys.
#[test]
fn compressed_vertices_match_cpu_decoding_in_every_layout() {
    let Some(gpu) = gpu() else { return };
    let compressed = |max_side| BakeSettings {
        encoding: Encoding::Vertex,
        storage: Storage::Compressed,
        clips: vec![0],
        skinning: Method::Lbs.into(),
        max_side,
        ..BakeSettings::default()
    };
    let bar = ordered_builtin("bar:312");
    let one_layer = baked_as(&HUMANOID, &compressed(2048));
    let layers = baked_as(&HUMANOID, &compressed(64));
    let short_keys = baked_as(&bar, &compressed(2048));
    assert_eq!(one_layer.textures()[0].size()[2], 1);
    assert!(layers.textures()[0].size()[2] > 1);
    for (what, set) in [
        ("one layer", one_layer),
        ("layers", layers),
        ("short keys", short_keys),
    ] {
        let instances: Vec<Instance> = (0..9)
            .map(|group| Instance {
                play: Play::held(0, 0.137 * group as f32),
                group,
                ..Instance::default()
            })
            .collect();
        // The pass that skins once is compiled as drawing shaders are.
        let settings = ModelSettings {
            instancing: Instancing::SkinOnce,
            ..ModelSettings::default()
        };
        let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        for (captured, instance) in capture(&mut crowd, NOW).iter().zip(&instances) {
            let error_mm = largest_mm(captured, &expected(&set, instance, NOW, set.rest()));
            assert!(error_mm <= TOLERANCE_MM, "{what}: {error_mm} mm");
        }
    }
}

/// Inverse bind matrices of 1 500 joints exceed a uniform block, and go into a texture.
#[test]
fn tables_of_1500_joints_are_read_from_a_texture() {
    let Some(gpu) = gpu() else { return };
    let graph = ordered_builtin("graph:1500");
    let set = baked_of(&graph, &[0], Encoding::BoneQt, Precision::Unorm16);
    let shaders = SetShaders::of(&set, DecodeMode::Direct).unwrap();
    assert!(shaders.tables.len() > throng_shaders::UNIFORM_RECORDS);
    let rest = set.rest().clone();
    let instances: Vec<Instance> = (0..3)
        .map(|index| Instance {
            play: Play::held(0, 0.3 * index as f32),
            ..Instance::default()
        })
        .collect();
    for decode in [DecodeMode::Direct, DecodeMode::Pass] {
        let settings = ModelSettings {
            decode,
            ..ModelSettings::default()
        };
        let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        for (captured, instance) in capture(&mut crowd, NOW).iter().zip(&instances) {
            let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
            assert!(error_mm <= TOLERANCE_MM, "{decode:?}: {error_mm} mm");
        }
    }
}

/// Poses between the bind pose and the animated pose, as in the fourth paper.
#[test]
fn fraction_blends_bind_pose_and_animated_pose() {
    let Some(gpu) = gpu() else { return };
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let mut crowd = crowd_of_set(gpu, &set, ModelSettings::default()).unwrap();
    let instance = |fraction| Instance {
        play: Play::held(1, 0.4),
        fraction,
        ..Instance::default()
    };
    crowd
        .set_instances(&[0.0, 0.25, 1.0].map(instance))
        .unwrap();
    let captured = capture(&mut crowd, Ticks(0));
    let model = set.model();
    let parts = model.parts().iter();
    let bound: Vec<Vec3> = parts
        .flat_map(|part| model.mesh_of(part).positions().to_vec())
        .collect();
    assert!(largest_mm(&captured[0], &bound) < 1e-3);
    let quarter = bound
        .iter()
        .zip(&captured[2].positions)
        .map(|(a, b)| a.lerp(*b, 0.25));
    assert!(largest_mm(&captured[1], &quarter.collect::<Vec<_>>()) < 1e-2);
    assert!(largest_mm(&captured[2], &bound) > 100.0);
}

/// Frames blend from LBS to DQS without a new pipeline.
#[test]
fn deform_factor_of_the_frame_blends_lbs_and_dqs() {
    let Some(gpu) = gpu() else { return };
    let character = Arc::new(ordered_builtin("cylinder"));
    let capture = |method, factor| {
        let settings = ModelSettings::default();
        let technique = Technique::PaletteDq;
        let mut crowd =
            crowd_of_character(gpu, &character, &[], technique, method, settings).unwrap();
        let time_secs = character.clips()[0].duration_secs() as f32 * 0.4;
        crowd
            .set_instances(&[Instance {
                play: Play::held(0, time_secs),
                ..Instance::default()
            }])
            .unwrap();
        crowd.set_deform_factor(factor);
        capture(&mut crowd, Ticks(0)).remove(0)
    };
    let [lbs, dqs] = [Method::Lbs, Method::Dqs].map(|method| capture(method, 1.0));
    for (factor, expected) in [(0.0, &lbs), (1.0, &dqs)] {
        let blended = capture(Method::Blend(0.3), factor);
        assert!(largest_mm(&blended, &expected.positions) < 0.01);
    }
    assert!(largest_mm(&lbs, &dqs.positions) > 10.0);
}

#[test]
fn rejects_unknown_clips_and_unsupported_techniques() {
    let Some(gpu) = gpu() else { return };
    let set = baked(Encoding::BoneMatrix, Precision::F32);
    let mut crowd = crowd_of_set(gpu, &set, ModelSettings::default()).unwrap();
    let unknown_clip = Instance {
        play: Play::new(7),
        ..Instance::default()
    };
    let error = crowd
        .set_instances(&[Instance::default(), unknown_clip])
        .unwrap_err();
    assert!(
        matches!(
            error,
            GpuError::NoSuchClip {
                instance: 1,
                clip: 7,
                clips: 3
            }
        ),
        "{error}"
    );
    let settings = ModelSettings::default();
    let texture = Technique::Texture(Encoding::BoneQt);
    let error = crowd_of_character(gpu, &HUMANOID, &[], texture, Skinning::AsAuthored, settings)
        .unwrap_err();
    assert!(error.to_string().contains("bake"), "{error}");
    let matrices = Technique::PaletteMatrix;
    let error =
        crowd_of_character(gpu, &HUMANOID, &[], matrices, Method::Dqs, settings).unwrap_err();
    assert!(error.to_string().contains("palette-dq"), "{error}");
}

/// A lost device is an error, not a panic.
#[test]
fn lost_device_is_reported() {
    let Some(gpu) = device::open(wgpu::Backends::PRIMARY, GpuLimits::Adapter) else {
        return;
    };
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let mut crowd = crowd_of_set(&gpu, &set, ModelSettings::default()).unwrap();
    gpu.device().destroy();
    let capture = || crowd.capture(Ticks(0))?.wait();
    let captured = gpu.checked(capture).and_then(|captured| captured);
    let error = captured.unwrap_err().to_string();
    assert!(
        error.contains("lost") && error.contains("new one"),
        "{error}"
    );
}

/// Too many instances are rejected before anything is created, and the error names the number that fits.
#[test]
fn error_of_too_many_instances_names_the_number_that_fits() {
    let Some(gpu) = device::open(wgpu::Backends::PRIMARY, GpuLimits::WebGl2) else {
        return;
    };
    let set = baked(Encoding::BoneLocal, Storage::Compressed);
    let mut crowd = crowd_of_set(&gpu, &set, ModelSettings::default()).unwrap();
    let error = crowd
        .set_instances(&vec![Instance::default(); 50_000])
        .unwrap_err();
    let GpuError::TooManyInstances { max_instances, .. } = error else {
        panic!("{error}");
    };
    let fits = vec![Instance::default(); max_instances as usize];
    crowd.set_instances(&fits).unwrap();
    assert!(
        error.to_string().contains(&max_instances.to_string()),
        "{error}"
    );
}
