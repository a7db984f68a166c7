//! Crowds inside a renderer of the caller: its camera, materials, depth and instances that change one by one.

mod changes;
mod depth;
#[path = "../common/gpu.rs"]
mod device;
mod draw_order;
mod motion;
#[path = "../common/subjects.rs"]
mod subjects;
mod tangents;
mod target;
mod views;

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use subjects::{
    HUMANOID, baked, baked_of, capture, expected, gpu, largest_mm, ordered_builtin, pose_of,
    random, scattered, skinned_pose,
};
use target::{Depth, Target};
use throng_format::{Encoding, Precision, Storage, TextureSet};
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::{
    Crowd, CrowdModel, DecodeMode, Gpu, GpuError, GpuLimits, Instance, InstanceId, Instancing,
    Invariance, MaterialDescriptor, ModelSettings, Motion, Play, Technique, Ticks, wgpu,
};

const BEFORE: Ticks = Ticks(u32::MAX - 5000);
/// A tenth of a second later, after ticks have wrapped.
const NOW: Ticks = Ticks(BEFORE.0.wrapping_add(2184 + 5000));

/// Writes the current and the previous world position of each pixel.
const POSITIONS: &str = "
@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }

// The position itself: orthographic cameras interpolate it linearly.
fn previous_clip_position(p: vec3<f32>) -> vec4<f32> { return vec4(p, 1.0); }

struct Out { @location(0) now: vec4<u32>, @location(1) before: vec4<u32> }

@fragment
fn shade(in: VertexOut) -> Out {
    return Out(
        vec4(bitcast<vec3<u32>>(in.world_position), 1u),
        vec4(bitcast<vec3<u32>>(in.previous_clip_position.xyz), 1u),
    );
}
";

const DEPTH_ONLY: &str = "
@group(3) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }
";

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Instances before and after a change of transform, clip and time.
fn moved_instances() -> [Vec<Instance>; 2] {
    let place = |index: usize, turn: f32, x: f32| {
        let step = index as f32;
        Affine3A::from_rotation_translation(
            Quat::from_rotation_y(turn + step),
            Vec3::new(1.5 * step - 1.5 + x, 0.0, 0.0),
        )
    };
    let play = |clip: u32, secs: f64, speed: f32| Play::Running {
        clip,
        start: Ticks(BEFORE.0.wrapping_sub(Ticks::from_secs(secs).0)),
        speed,
    };
    let plays = [play(0, 0.31, 1.0), play(1, 0.77, -1.2), play(2, 0.1, 1.0)];
    let turns = [0.3, 0.9, 0.0];
    let before: Vec<Instance> = (0..3)
        .map(|index| Instance {
            group: index as u32,
            ..Instance::at(place(index, turns[index], 0.0)).playing(plays[index])
        })
        .collect();
    let mut after = before.clone();
    after[0].world_from_model = place(0, 0.35, 0.06);
    after[2].cross_fade(play(0, 0.2, 1.0), BEFORE, Ticks::from_secs(0.1));
    [before, after]
}

fn model(gpu: &Gpu, set: &TextureSet, settings: ModelSettings) -> CrowdModel {
    CrowdModel::new(gpu.device(), gpu.queue(), set, settings).unwrap()
}

#[test]
fn rejects_materials_that_cannot_be() {
    let Some(gpu) = gpu() else { return };
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let still = model(gpu, &set, ModelSettings::default());
    let material = MaterialDescriptor {
        wgsl: POSITIONS,
        fragment: Some("shade"),
        ..Default::default()
    };
    let error = still.material(&material).unwrap_err();
    assert!(matches!(error, GpuError::NoMotion), "{error}");
    let target = Target::new(gpu, [8, 8], 1, Depth::Forward);
    let layout = Some(&target.camera_layout);
    let taken = MaterialDescriptor {
        wgsl: DEPTH_ONLY,
        bind_group_layouts: &[layout, layout],
        ..Default::default()
    };
    let error = still.material(&taken).unwrap_err();
    assert!(
        matches!(error, GpuError::GroupTaken { group: 1 }),
        "{error}"
    );
    // Errors in the WGSL of the caller are wgpu's, and can be caught.
    let broken = MaterialDescriptor {
        wgsl: "fn clip_position(p: vec3<f32>) -> vec4<f32> { return unknown; }",
        ..Default::default()
    };
    let error = gpu.checked(|| still.material(&broken)).unwrap_err();
    assert!(error.to_string().contains("unknown"), "{error}");
}
