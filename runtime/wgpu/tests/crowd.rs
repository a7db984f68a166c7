//! One uploaded crowd: each instance is the character posed at its own clip, start, speed and fade.

use std::f32::consts::PI;
use std::sync::{Arc, LazyLock};

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
    Captured, Crowd, CrowdSettings, DecodePlace, Fade, Gpu, GpuError, GpuLimits, Instance,
    Instancing, Play, SetShaders, Technique, Ticks,
};

/// Millimetres, on people of 1.8 m that stand up to 20 m away.
const TOLERANCE_MM: f32 = 0.03;

/// A built-in character in drawing order, so that its vertices have the indices of a set's.
fn ordered_builtin(name: &str) -> Character {
    drawing_order(&throng_import::builtin::builtin(name).unwrap())
}

static GPU: LazyLock<Gpu> = LazyLock::new(|| Gpu::headless().unwrap_or_else(|e| panic!("{e}")));
static HUMANOID: LazyLock<Arc<Character>> =
    LazyLock::new(|| Arc::new(ordered_builtin("humanoid:1000")));

fn baked(encoding: Encoding, storage: impl Into<Storage>) -> TextureSet {
    baked_of(&HUMANOID, &[0, 1, 2], encoding, storage)
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

/// SplitMix64, from 0 to 1.
fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 40) as f32 / (1 << 24) as f32
}

/// All over the place, in all clips, forwards and backwards, some in the middle of a fade.
fn everyone(count: usize, now: Ticks) -> Vec<Instance> {
    let mut state = 5;
    let mut next = move || random(&mut state);
    let mut play = {
        let mut state = 9;
        move || {
            let mut next = || random(&mut state);
            Play {
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

/// Seconds from the clip's start of what an instance plays, and how much of the second.
fn times(instance: &Instance, set: &TextureSet, now: Ticks) -> ([(usize, f64); 2], f64) {
    let clips = DecodeParams::of(set).clips;
    let at = |play: &Play| {
        let clip = &clips[play.clip as usize];
        let time_secs = play.time_secs(clip.duration_secs, clip.looping, now);
        (play.clip as usize, time_secs)
    };
    let first = at(&instance.play);
    match &instance.fade {
        Some(fade) => ([first, at(&fade.to)], fade.weight(now)),
        None => ([first, first], 0.0),
    }
}

/// The twin: decoded on the CPU and skinned in float64, then put in its place.
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
    let place = instance.world_from_model;
    positions
        .iter()
        .map(|&p| place.transform_point3(p))
        .collect()
}

fn largest_mm(captured: &Captured, expected: &[Vec3]) -> f32 {
    assert_eq!(captured.positions.len(), expected.len());
    let far = captured
        .positions
        .iter()
        .zip(expected)
        .map(|(a, b)| a.distance(*b));
    far.fold(
        0.0,
        |most: f32, d| if d > most || d.is_nan() { d } else { most },
    ) * 1e3
}

/// Hours after tick 0, past the wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);

#[test]
fn instance_k_is_the_character_at_its_own_time() {
    use DecodePlace::{Direct, Pass};
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
        let instances = everyone(40, NOW);
        for instancing in [Instancing::Instanced, Instancing::Loop] {
            let settings = CrowdSettings {
                instancing,
                decode,
                ..CrowdSettings::default()
            };
            let mut crowd = Crowd::of_set(&GPU, &set, settings).unwrap();
            crowd.set_instances(&instances).unwrap();
            let captured = crowd.capture(NOW, 1.0).unwrap();
            for (index, (captured, instance)) in captured.iter().zip(&instances).enumerate() {
                let far = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    far <= TOLERANCE_MM,
                    "{encoding} {precision} {decode:?} {instancing:?}: instance {index} is {far} mm off"
                );
            }
        }
    }
}

/// Two texels of 16 bits are read at once where they stay in a row, in rows and layers as they are; after a column of
/// metadata they do not, and are read one by one.
#[test]
fn texels_are_paired_where_they_stay_in_a_row() {
    use TexelKind::{Pairs, Uint};
    let short = BakeSettings {
        max_side: 32,
        ..BakeSettings::default()
    };
    let after_a_column = BakeSettings {
        metadata: Metadata::Column,
        ..BakeSettings::default()
    };
    let cases = [
        (BakeSettings::default(), Pairs),
        (short, Pairs),
        (after_a_column, Uint),
    ];
    let instances = everyone(6, NOW);
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
            let shaders = SetShaders::of(&set, DecodePlace::Direct).unwrap();
            assert_eq!(shaders.textures[0].texels, *texels);
            let rest = set.rest().clone();
            for decode in [DecodePlace::Direct, DecodePlace::Pass] {
                let settings = CrowdSettings {
                    decode,
                    ..CrowdSettings::default()
                };
                let mut crowd = Crowd::of_set(&GPU, &set, settings).unwrap();
                crowd.set_instances(&instances).unwrap();
                let captured = crowd.capture(NOW, 1.0).unwrap();
                for (captured, instance) in captured.iter().zip(&instances) {
                    let far = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                    assert!(
                        far <= TOLERANCE_MM,
                        "{encoding} {texels:?} {decode:?}: {far} mm"
                    );
                }
            }
        }
    }
}

/// What the CPU plays is the source itself, faded in the joints' parents' spaces.
#[test]
fn palettes_and_vertices_of_the_cpu_fade_too() {
    let loops = vec![LoopPolicy::Wrap; HUMANOID.clips().len()];
    let instances = everyone(12, NOW);
    for technique in [
        Technique::Cpu,
        Technique::PaletteMatrix,
        Technique::PaletteDq,
    ] {
        let settings = CrowdSettings::default();
        let mut crowd =
            Crowd::of_character(&GPU, &HUMANOID, &loops, technique, Method::Lbs, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        let captured = crowd.capture(NOW, 1.0).unwrap();
        for (captured, instance) in captured.iter().zip(&instances) {
            let mut pose = CharacterPose::rest(&HUMANOID);
            let mut second = LocalPose::rest(&HUMANOID);
            let sample = |pose: &mut LocalPose, play: &Play| {
                let clip = &HUMANOID.clips()[play.clip as usize];
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
                let place = instance.world_from_model;
                let placed = skinned
                    .positions
                    .iter()
                    .map(|p| place.transform_point3(p.as_vec3()));
                expected.extend(placed);
            }
            let far = largest_mm(captured, &expected);
            assert!(far <= TOLERANCE_MM, "{technique}: {far} mm");
        }
    }
}

/// Groups are skinned once, and each instance is where it stands.
#[test]
fn copies_are_what_was_skinned_once() {
    // By compute there, by points here.
    let gl = Gpu::headless_on(wgpu::Backends::GL, GpuLimits::WebGl2).unwrap();
    for (encoding, precision) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
    ] {
        let set = baked(encoding, precision);
        let rest = set.rest().clone();
        let groups = everyone(5, NOW);
        let instances: Vec<Instance> = everyone(30, NOW)
            .iter()
            .enumerate()
            .map(|(index, instance)| Instance {
                world_from_model: instance.world_from_model,
                group: index as u32 % 5,
                ..groups[index % 5]
            })
            .collect();
        let settings = CrowdSettings {
            instancing: Instancing::SkinOnce,
            ..CrowdSettings::default()
        };
        for gpu in [&GPU, &gl] {
            let mut crowd = Crowd::of_set(gpu, &set, settings).unwrap();
            crowd.set_instances(&instances).unwrap();
            for (captured, instance) in crowd.capture(NOW, 1.0).unwrap().iter().zip(&instances) {
                let far = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    far <= TOLERANCE_MM,
                    "{encoding} on {:?}: {far} mm",
                    gpu.backend()
                );
            }
        }
    }
}

/// Their links are more than a block holds, and go into a texture.
#[test]
fn thousands_of_joints_are_moved_too() {
    let graph = ordered_builtin("graph:1500");
    let set = baked_of(&graph, &[0], Encoding::BoneQt, Precision::Unorm16);
    let shaders = SetShaders::of(&set, DecodePlace::Direct).unwrap();
    assert!(shaders.tables.len() > throng_shaders::UNIFORM_RECORDS);
    let rest = set.rest().clone();
    let instances: Vec<Instance> = (0..3)
        .map(|index| Instance {
            play: Play::held(0, 0.3 * index as f32),
            ..Instance::default()
        })
        .collect();
    for decode in [DecodePlace::Direct, DecodePlace::Pass] {
        let settings = CrowdSettings {
            decode,
            ..CrowdSettings::default()
        };
        let mut crowd = Crowd::of_set(&GPU, &set, settings).unwrap();
        crowd.set_instances(&instances).unwrap();
        for (captured, instance) in crowd.capture(NOW, 1.0).unwrap().iter().zip(&instances) {
            let far = largest_mm(captured, &expected(&set, instance, NOW, &rest));
            assert!(far <= TOLERANCE_MM, "{decode:?}: {far} mm");
        }
    }
}

/// P4's poses between the mesh as it was bound and a chosen one.
#[test]
fn a_fraction_is_between_bind_and_pose() {
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let mut crowd = Crowd::of_set(&GPU, &set, CrowdSettings::default()).unwrap();
    let instance = |fraction| Instance {
        play: Play::held(1, 0.4),
        fraction,
        ..Instance::default()
    };
    crowd
        .set_instances(&[0.0, 0.25, 1.0].map(instance))
        .unwrap();
    let captured = crowd.capture(Ticks(0), 1.0).unwrap();
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

/// The deform factor goes from LBS to DQS from frame to frame.
#[test]
fn the_deform_factor_changes_every_frame() {
    let character = Arc::new(ordered_builtin("cylinder"));
    let capture = |method, factor| {
        let settings = CrowdSettings::default();
        let technique = Technique::PaletteDq;
        let mut crowd =
            Crowd::of_character(&GPU, &character, &[], technique, method, settings).unwrap();
        let time_secs = character.clips()[0].duration_secs() as f32 * 0.4;
        crowd
            .set_instances(&[Instance {
                play: Play::held(0, time_secs),
                ..Instance::default()
            }])
            .unwrap();
        crowd.capture(Ticks(0), factor).unwrap().remove(0)
    };
    let [lbs, dqs] = [Method::Lbs, Method::Dqs].map(|method| capture(method, 1.0));
    for (factor, same) in [(0.0, &lbs), (1.0, &dqs)] {
        let blended = capture(Method::Blend(0.3), factor);
        assert!(largest_mm(&blended, &same.positions) < 0.01);
    }
    assert!(largest_mm(&lbs, &dqs.positions) > 10.0);
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let set = baked(Encoding::BoneMatrix, Precision::F32);
    let mut crowd = Crowd::of_set(&GPU, &set, CrowdSettings::default()).unwrap();
    let nowhere = Instance {
        play: Play::new(7),
        ..Instance::default()
    };
    let error = crowd
        .set_instances(&[Instance::default(), nowhere])
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
    let settings = CrowdSettings::default();
    let texture = Technique::Texture(Encoding::BoneQt);
    let error = Crowd::of_character(
        &GPU,
        &HUMANOID,
        &[],
        texture,
        Skinning::AsAuthored,
        settings,
    )
    .unwrap_err();
    assert!(error.to_string().contains("bake"), "{error}");
    let once = CrowdSettings {
        instancing: Instancing::SkinOnce,
        ..settings
    };
    let error = Crowd::of_character(
        &GPU,
        &HUMANOID,
        &[],
        Technique::Cpu,
        Skinning::AsAuthored,
        once,
    )
    .unwrap_err();
    assert!(matches!(error, GpuError::CpuSkinOnce), "{error}");
    let matrices = Technique::PaletteMatrix;
    let error =
        Crowd::of_character(&GPU, &HUMANOID, &[], matrices, Method::Dqs, settings).unwrap_err();
    assert!(error.to_string().contains("palette-dq"), "{error}");
}

/// What a device that is gone leaves is an error, not a panic; a new one draws on.
#[test]
fn a_lost_device_is_an_error() {
    let gpu = Gpu::headless().unwrap();
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let mut crowd = Crowd::of_set(&gpu, &set, CrowdSettings::default()).unwrap();
    gpu.device().destroy();
    let error = crowd.capture(Ticks(0), 1.0).unwrap_err().to_string();
    assert!(
        error.contains("lost") && error.contains("new one"),
        "{error}"
    );
}

/// More than a device can hold is refused before anything is made, with the number that fits.
#[test]
fn too_many_instances_are_told_how_many_fit() {
    let gpu = Gpu::headless_on(wgpu::Backends::VULKAN, GpuLimits::WebGl2).unwrap();
    let set = baked(Encoding::BoneLocal, Storage::Compressed);
    let mut crowd = Crowd::of_set(&gpu, &set, CrowdSettings::default()).unwrap();
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
