//! Characters, sets and instances under test, and what the CPU makes of them.

#![allow(dead_code, reason = "shared by test programs that use some of it")]

use std::collections::HashMap;
use std::f32::consts::PI;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use glam::{Affine3A, Quat, Vec3, Vec3Swizzles};
use throng_bake::{BakeSettings, Preset, Rate, bake, drawing_order};
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{DecodeParams, Encoding, Source, Storage, TextureSet};
use throng_import::ImportOptions;
use throng_rig::{
    Character, CharacterPose, Clip, Interpolation, LocalPose, LoopPolicy, Method, ModelPose,
    MorphTarget, MorphTrack, RestVertices, Skinning,
};
use throng_skin::reference::{Skinned, skin, skin_part};
use throng_wgpu::{Captured, Crowd, Fade, Gpu, GpuLimits, Instance, Play, Ticks};

use crate::device;

/// Vertices at a time.
pub fn capture(crowd: &mut Crowd, now: Ticks) -> Vec<Captured> {
    crowd.capture(now).unwrap().wait().unwrap()
}

/// In millimetres, for humanoids of 1.8 m up to 20 m from the origin.
pub const TOLERANCE_MM: f32 = 0.03;

/// A built-in character in drawing order, so that its vertices have the indices of a set's.
pub fn ordered_builtin(name: &str) -> Character {
    drawing_order(&throng_import::builtin::builtin(name).unwrap())
}

/// The device, or `None` if there is no adapter.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: LazyLock<Option<Gpu>> =
        LazyLock::new(|| device::open(wgpu::Backends::PRIMARY, GpuLimits::Adapter));
    GPU.as_ref()
}

pub static HUMANOID: LazyLock<Arc<Character>> =
    LazyLock::new(|| Arc::new(ordered_builtin("humanoid:1000")));

/// Returns the humanoid's first three clips in an encoding; baked once for all tests.
pub fn baked(encoding: Encoding, storage: impl Into<Storage>) -> Arc<TextureSet> {
    type Sets = Mutex<HashMap<(Encoding, Storage), Arc<OnceLock<Arc<TextureSet>>>>>;
    static SETS: LazyLock<Sets> = LazyLock::new(Mutex::default);
    let storage = storage.into();
    let mut sets = SETS.lock().unwrap_or_else(PoisonError::into_inner);
    let set = sets.entry((encoding, storage)).or_default().clone();
    drop(sets);
    let bake = || Arc::new(baked_of(&HUMANOID, &[0, 1, 2], encoding, storage));
    set.get_or_init(bake).clone()
}

pub fn baked_of(
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

pub fn baked_as(character: &Character, settings: &BakeSettings) -> TextureSet {
    let source = Source::in_memory(character.name.clone());
    bake(character, settings, &source, &()).unwrap().set
}

/// Returns the humanoid's first three clips in the layout of a preset, with at most so many influences per vertex.
pub fn baked_preset(preset: Preset, max_influences: usize) -> TextureSet {
    let options = ImportOptions {
        max_influences: Some(max_influences),
        ..ImportOptions::default()
    };
    let imported = throng_import::import("builtin:humanoid:1000", &options).unwrap();
    let settings = BakeSettings {
        preset: Some(preset),
        clips: vec![0, 1, 2],
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(15.0),
        ..BakeSettings::default()
    };
    baked_as(&drawing_order(&imported.character), &settings)
}

/// A bar with a morph target, and three clips that animate its weight.
pub fn morphing_bar() -> Character {
    let mut parts = ordered_builtin("bar:312").into_parts();
    let mesh = &mut parts.meshes[0];
    let positions = mesh
        .positions()
        .iter()
        .map(|p| Vec3::new(0.0, 0.0, 0.2 * p.y.sin()));
    let target = MorphTarget {
        name: String::new(),
        positions: positions.collect(),
        normals: mesh.normals().iter().map(|n| 0.3 * n.yzx()).collect(),
        tangents: Vec::new(),
    };
    mesh.add_morph_target(target).unwrap();
    parts.morph_sets = vec![(String::new(), vec![0.25])];
    parts.parts[0].morph_set = Some(0);
    let joints = parts.clips[0].joints().to_vec();
    let clip = |weights: Vec<f32>| {
        let times = [0.0, 0.5, 1.0].into();
        let track = MorphTrack::new(0, times, weights, 1, Interpolation::Linear).unwrap();
        Clip::new(String::new(), joints.clone(), vec![track]).unwrap()
    };
    let weights = [[0.0, 1.0, -0.5], [1.0, 0.2, 0.4], [0.5, 0.0, 0.9]];
    parts.clips = weights.map(|weights| clip(weights.to_vec())).into();
    Character::new(parts).unwrap()
}

/// SplitMix64, scaled to 0 to 1.
pub fn random(state: &mut u64) -> f32 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 40) as f32 / (1 << 24) as f32
}

/// Scattered instances of all clips, forwards and backwards; every third blends two clips.
pub fn scattered(count: usize, now: Ticks) -> Vec<Instance> {
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
            // Every sixth fades, and every sixth holds a blend of two clips.
            fade: match index % 6 {
                0 => {
                    let start = Ticks(now.0.wrapping_sub((next() * 65536.0) as u32));
                    Some(Fade::starting(play(), start, Ticks::from_secs(1.0)))
                }
                3 => Some(Fade::held(play(), next())),
                _ => None,
            },
            ..Instance::default()
        })
        .collect()
}

/// Clip and seconds from its start of both playbacks of an instance, and the weight of the second.
pub fn times(instance: &Instance, set: &TextureSet, now: Ticks) -> ([(usize, f64); 2], f64) {
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
pub fn expected(
    set: &TextureSet,
    instance: &Instance,
    now: Ticks,
    rest: &RestVertices,
) -> Vec<Vec3> {
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

/// Poses a character in float64 as an instance plays it; clips wrap.
pub fn pose_of(character: &Character, instance: &Instance, now: Ticks) -> CharacterPose {
    let mut pose = CharacterPose::rest(character);
    let sample = |pose: &mut LocalPose, play: &Play| {
        let clip = &character.clips()[play.clip() as usize];
        let time = play.time_secs(clip.duration_secs(), LoopPolicy::Wrap, now);
        pose.sample(character, clip, clip.start_secs() + time);
    };
    sample(&mut pose.local, &instance.play);
    if let Some(fade) = &instance.fade {
        let mut second = pose.local.clone();
        sample(&mut second, &fade.to);
        pose.local.blend(&second, fade.weight(now));
    }
    pose.resolve(character);
    pose
}

/// Vertices of a pose in world space, skinned in float64.
pub fn skinned_pose(
    character: &Character,
    pose: &CharacterPose,
    skinning: impl Into<Skinning>,
    world_from_model: Affine3A,
) -> Vec<Vec3> {
    let skinning = skinning.into();
    let mut positions = Vec::new();
    for part in character.parts() {
        let mut skinned = Skinned::default();
        skin_part(character, part, pose, skinning, &mut skinned);
        let skinned = skinned.positions.iter();
        positions.extend(skinned.map(|p| world_from_model.transform_point3(p.as_vec3())));
    }
    positions
}

/// Largest distance of two vertices; NaN if there is any.
pub fn largest_mm(captured: &Captured, expected: &[Vec3]) -> f32 {
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
