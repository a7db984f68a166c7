//! Crowds: every instance equals the character, posed on the CPU at the instance's clip, start, speed and cross-fade.

#[path = "common/gpu.rs"]
mod device;

use std::collections::HashMap;
use std::f32::consts::PI;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use device::{crowd_of_character, crowd_of_set};
use glam::{Affine3A, Quat, Vec3};
use throng_bake::{BakeSettings, Rate, bake, drawing_order};
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{DecodeParams, Encoding, Metadata, Precision, Source, Storage, TextureSet};
use throng_rig::{
    Character, CharacterPose, LocalPose, LoopPolicy, Method, ModelPose, RestVertices, Skinning,
};
use throng_shaders::TexelKind;
use throng_skin::reference::{Skinned, skin};
use throng_wgpu::{
    Captured, Crowd, DecodeMode, Fade, Gpu, GpuError, GpuLimits, Instance, Instancing,
    ModelSettings, Play, SetShaders, Technique, Ticks,
};

/// Vertices at a time.
fn capture(crowd: &mut Crowd, now: Ticks) -> Vec<Captured> {
    crowd.capture(now).unwrap().wait().unwrap()
}

/// In millimetres, for humanoids of 1.8 m up to 20 m from the origin.
const TOLERANCE_MM: f32 = 0.03;

/// A built-in character in drawing order, so that its vertices have the indices of a set's.
fn ordered_builtin(name: &str) -> Character {
    drawing_order(&throng_import::builtin::builtin(name).unwrap())
}

/// The device, or `None` if there is no adapter.
fn gpu() -> Option<&'static Gpu> {
    static GPU: LazyLock<Option<Gpu>> =
        LazyLock::new(|| device::open(wgpu::Backends::PRIMARY, GpuLimits::Adapter));
    GPU.as_ref()
}

static HUMANOID: LazyLock<Arc<Character>> =
    LazyLock::new(|| Arc::new(ordered_builtin("humanoid:1000")));

/// Returns the humanoid's first three clips in an encoding; baked once for all tests.
fn baked(encoding: Encoding, storage: impl Into<Storage>) -> Arc<TextureSet> {
    type Sets = Mutex<HashMap<(Encoding, Storage), Arc<OnceLock<Arc<TextureSet>>>>>;
    static SETS: LazyLock<Sets> = LazyLock::new(Mutex::default);
    let storage = storage.into();
    let mut sets = SETS.lock().unwrap_or_else(PoisonError::into_inner);
    let set = sets.entry((encoding, storage)).or_default().clone();
    drop(sets);
    let bake = || Arc::new(baked_of(&HUMANOID, &[0, 1, 2], encoding, storage));
    set.get_or_init(bake).clone()
}

fn baked_of(
    character: &Character,
    clips: &[usize],
    encoding: Encoding,
    storage: impl Into<Storage>,
) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        clips: clips.to_vec(),
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(15.0),
        max_error_of_size: 0.003,
        ..BakeSettings::default()
    };
    baked_as(character, &settings)
}

fn baked_as(character: &Character, settings: &BakeSettings) -> TextureSet {
    let source = Source {
        path: character.name.clone(),
        digest: String::new(),
        settings: String::new(),
        max_influences: None,
        min_weight: 0.0,
        shared_positions: true,
    };
    bake(character, settings, &source, &()).unwrap().set
}

/// SplitMix64, scaled to 0 to 1.
fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 40) as f32 / (1 << 24) as f32
}

/// Scattered instances of all clips, forwards and backwards; every third is in the middle of a cross-fade.
fn scattered(count: usize, now: Ticks) -> Vec<Instance> {
    let mut state = 5;
    let mut next = move || random(&mut state);
    let mut play = {
        let mut state = 9;
        move || {
            let mut next = || random(&mut state);
            Play::Running {
                clip: (next() * 3.0) as u32,
                start: Ticks(now.0.wrapping_sub((next() * 4e6) as u32)),
                speed: 0.5 + next() * if next() < 0.2 { -1.5 } else { 1.0 },
            }
        }
    };
    (0..count)
        .map(|index| Instance {
            world_from_model: Affine3A::from_scale_rotation_translation(
                Vec3::splat(0.8 + 0.4 * next()),
                Quat::from_rotation_y(2.0 * PI * next()),
                Vec3::new(20.0 * next(), 0.0, 20.0 * next()),
            ),
            play: play(),
            fade: (index % 3 == 0).then(|| Fade {
                to: play(),
                start: Ticks(now.0.wrapping_sub((next() * 65536.0) as u32)),
                duration: Ticks::from_secs(1.0),
            }),
            ..Instance::default()
        })
        .collect()
}

/// Clip and seconds from its start of both playbacks of an instance, and the weight of the second.
fn times(instance: &Instance, set: &TextureSet, now: Ticks) -> ([(usize, f64); 2], f64) {
    let clips = DecodeParams::of(set).clips;
    let at = |play: &Play| {
        let clip = &clips[play.clip() as usize];
        let time_secs = play.time_secs(clip.duration_secs, clip.looping, now);
        (play.clip() as usize, time_secs)
    };
    let first = at(&instance.play);
    match &instance.fade {
        Some(fade) => ([first, at(&fade.to)], fade.weight(now)),
        None => ([first, first], 0.0),
    }
}

/// Vertices of an instance in world space: decoded on the CPU, and skinned in float64.
fn expected(set: &TextureSet, instance: &Instance, now: Ticks, rest: &RestVertices) -> Vec<Vec3> {
    let model = set.model();
    let (times, weight) = times(instance, set, now);
    let mut positions = Vec::new();
    if set.manifest().encoding.is_vertex() {
        let mut pose = VertexPose::default();
        decode::fade_vertices(set, times, weight, &mut pose);
        let mut first = 0;
        for part in model.parts() {
            let unique = model.mesh_of(part).unique();
            positions.extend(unique.position_of().iter().map(|&item| {
                let item = first + item as usize;
                rest.positions[item] + pose.offsets[item].as_vec3()
            }));
            first += unique.position_count();
        }
    } else {
        let mut bones = BonePose::rest(model);
        decode::fade_bones(set, times, weight, &mut bones);
        let joints = ModelPose {
            model_from_joint: bones.model_from_joint,
        };
        for part in model.parts() {
            let mut palette = throng_rig::Palette::default();
            palette.update(model.skin_of(part), &joints);
            let mut skinned = Skinned::default();
            skin(
                Method::Lbs,
                model.mesh_of(part),
                &[],
                &palette,
                &mut skinned,
            );
            positions.extend(skinned.positions.iter().map(|p| p.as_vec3()));
        }
    }
    let world_from_model = instance.world_from_model;
    positions
        .iter()
        .map(|&p| world_from_model.transform_point3(p))
        .collect()
}

/// Largest distance of two vertices; NaN if there is any.
fn largest_mm(captured: &Captured, expected: &[Vec3]) -> f32 {
    assert_eq!(captured.positions.len(), expected.len());
    let distances = captured
        .positions
        .iter()
        .zip(expected)
        .map(|(a, b)| a.distance(*b));
    distances.fold(0.0, |largest: f32, d| {
        if d > largest || d.is_nan() {
            d
        } else {
            largest
        }
    }) * 1e3
}

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

/// The CPU plays the source clips, and cross-fades in the joints' parent spaces.
#[test]
fn cpu_techniques_cross_fade_in_local_space() {
    let Some(gpu) = gpu() else { return };
    let loops = vec![LoopPolicy::Wrap; HUMANOID.clips().len()];
    let instances = scattered(12, NOW);
    for technique in [
        Technique::Cpu,
        Technique::PaletteMatrix,
        Technique::PaletteDq,
    ] {
        let settings = ModelSettings::default();
        let mut crowd =
            crowd_of_character(gpu, &HUMANOID, &loops, technique, Method::Lbs, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        let captured = capture(&mut crowd, NOW);
        for (captured, instance) in captured.iter().zip(&instances) {
            let mut pose = CharacterPose::rest(&HUMANOID);
            let mut second = LocalPose::rest(&HUMANOID);
            let sample = |pose: &mut LocalPose, play: &Play| {
                let clip = &HUMANOID.clips()[play.clip() as usize];
                let time = play.time_secs(clip.duration_secs(), LoopPolicy::Wrap, NOW);
                pose.sample(&HUMANOID, clip, clip.start_secs() + time);
            };
            sample(&mut pose.local, &instance.play);
            if let Some(fade) = &instance.fade {
                sample(&mut second, &fade.to);
                pose.local.blend(&second, fade.weight(NOW));
            }
            pose.resolve(&HUMANOID);
            let mut expected = Vec::new();
            for part in HUMANOID.parts() {
                let mut skinned = Skinned::default();
                throng_skin::reference::skin_part(
                    &HUMANOID,
                    part,
                    &pose,
                    Method::Lbs,
                    &mut skinned,
                );
                let world_from_model = instance.world_from_model;
                let positions = skinned.positions.iter();
                expected.extend(positions.map(|p| world_from_model.transform_point3(p.as_vec3())));
            }
            let error_mm = largest_mm(captured, &expected);
            assert!(error_mm <= TOLERANCE_MM, "{technique}: {error_mm} mm");
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
    let skin_once = ModelSettings {
        instancing: Instancing::SkinOnce,
        ..settings
    };
    let error = crowd_of_character(
        gpu,
        &HUMANOID,
        &[],
        Technique::Cpu,
        Skinning::AsAuthored,
        skin_once,
    )
    .unwrap_err();
    assert!(matches!(error, GpuError::CpuSkinOnce), "{error}");
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
