//! Crowds inside a renderer of the caller: its camera, materials, depth and instances that change one by one.

#[path = "../common/gpu.rs"]
mod device;
#[path = "../common/subjects.rs"]
mod subjects;
mod target;

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use subjects::{
    HUMANOID, baked, baked_of, capture, expected, gpu, largest_mm, ordered_builtin, random,
    scattered,
};
use target::{Depth, Target};
use throng_format::{Encoding, Precision, Storage, TextureSet};
use throng_rig::{Character, CharacterPose, LoopPolicy, Method};
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

/// Writes the tint, the user word and the facing of the normal.
const COLORS: &str = "
@group(3) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
override BRIGHTNESS: f32 = 0.0;

fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<u32> {
    let facing = u32(100.0 * (normalize(in.normal).z + 1.0) * BRIGHTNESS);
    return vec4(u32(255.0 * in.tint.x + 0.5), in.user, facing, 1u);
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

/// Position of a point of a triangle mesh in another pose of the mesh: the nearest triangle, by barycentric coordinates.
fn carried(at: Vec3, triangles: &[[u32; 3]], from: &[Vec3], to: &[Vec3]) -> (f32, Vec3) {
    let mut nearest = (f32::INFINITY, Vec3::NAN);
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| from[corner as usize]);
        let (u, v, w) = (b - a, c - a, at - a);
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let det = uu * vv - uv * uv;
        if det <= 1e-16 {
            continue;
        }
        let s = ((w.dot(u) * vv - w.dot(v) * uv) / det).clamp(0.0, 1.0);
        let t = ((w.dot(v) * uu - w.dot(u) * uv) / det).clamp(0.0, 1.0 - s);
        let distance = (a + s * u + t * v).distance(at);
        if distance < nearest.0 {
            let [a, b, c] = corners.map(|corner| to[corner as usize]);
            nearest = (distance, a + s * (b - a) + t * (c - a));
        }
    }
    nearest
}

/// Draws two frames, and compares the motion of every pixel with that of the vertices of the CPU.
fn check_motion(
    gpu: &Gpu,
    what: &str,
    model: &CrowdModel,
    mesh: &Character,
    vertices: [Vec<Vec<Vec3>>; 2],
) {
    let target = Target::new(gpu, [160, 64], 2, Depth::Forward);
    let material = model
        .material(&MaterialDescriptor {
            wgsl: POSITIONS,
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&target.camera_layout)],
            targets: &[Some(COLOR.into()), Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(wgpu::CompareFunction::Less)),
            ..Default::default()
        })
        .unwrap();
    let [before, after] = moved_instances();
    let mut crowd = model.crowd().unwrap();
    let ids: Vec<InstanceId> = before
        .iter()
        .map(|instance| crowd.spawn(*instance).unwrap())
        .collect();
    // An instance that goes away again moves the last one to its place.
    let gone = crowd.spawn(before[0]).unwrap();
    let encode = |crowd: &mut Crowd, now| {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        crowd.prepare(&mut encoder, now).unwrap();
        // Changes show from the next frame on.
        let late: Vec<_> = (0..40).map(|_| crowd.spawn(before[1]).unwrap()).collect();
        let mut pass = target.begin(&mut encoder);
        pass.set_bind_group(0, &target.camera_group, &[]);
        crowd.draw(&mut pass, &material);
        late.into_iter().for_each(|id| {
            crowd.despawn(id).unwrap();
        });
        drop(pass);
        gpu.queue().submit([encoder.finish()]);
    };
    encode(&mut crowd, BEFORE);
    crowd.despawn(gone).unwrap();
    // One by one, then all at once.
    let after_of = |id: InstanceId| after[ids.iter().position(|known| *known == id).unwrap()];
    crowd.update(ids[0], |changed| *changed = after[0]).unwrap();
    crowd
        .update_all(|id, changed| *changed = after_of(id))
        .unwrap();
    encode(&mut crowd, NOW);
    let [now, previous] = [0, 1].map(|index| target.positions(gpu, index));
    let [from, to] = vertices;
    let mut triangles = Vec::new();
    let mut first = 0;
    for part in mesh.parts() {
        let mesh = mesh.mesh_of(part);
        let corners = mesh.triangles().iter();
        triangles.extend(corners.map(|corners| corners.map(|corner| corner + first)));
        first += mesh.vertex_count() as u32;
    }
    let mut compared = 0;
    let mut fastest = 0.0_f32;
    for (at, found) in now.iter().zip(&previous) {
        let (Some(at), Some(found)) = (at, found) else {
            continue;
        };
        let candidates = to
            .iter()
            .zip(&from)
            .map(|(to, from)| carried(*at, &triangles, to, from));
        let nearest = candidates.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        let (distance, expected) = nearest;
        assert!(
            distance < 1e-3,
            "{what}: {at} is {distance} m from the mesh"
        );
        let error = found.distance(expected);
        assert!(
            error < 1e-3,
            "{what}: at {at} the frame before is {found}, expected {expected}"
        );
        fastest = fastest.max(at.distance(*found));
        compared += 1;
    }
    println!(
        "{what}: {compared} pixels, at most {:.1} mm in a frame",
        1e3 * fastest
    );
    assert!(compared > 300, "{what}: only {compared} pixels");
    assert!(fastest > 0.05, "{what}: nothing moves");
}

/// Vertices of all instances of a set, before and now.
fn vertices_of_set(set: &TextureSet) -> [Vec<Vec<Vec3>>; 2] {
    let [before, after] = moved_instances();
    let rest = set.rest().clone();
    let all = |instances: &[Instance], now| -> Vec<Vec<Vec3>> {
        let instances = instances.iter();
        instances
            .map(|one| expected(set, one, now, &rest))
            .collect()
    };
    [all(&before, BEFORE), all(&after, NOW)]
}

/// Vertices of all instances that the CPU poses, before and now.
fn vertices_of_character(character: &Character) -> [Vec<Vec<Vec3>>; 2] {
    let at = |instances: &[Instance], now: Ticks| -> Vec<Vec<Vec3>> {
        let positions = instances.iter().map(|instance| {
            let mut pose = CharacterPose::rest(character);
            let mut second = pose.local.clone();
            let sample = |pose: &mut throng_rig::LocalPose, play: &Play| {
                let clip = &character.clips()[play.clip() as usize];
                let time = play.time_secs(clip.duration_secs(), LoopPolicy::Wrap, now);
                pose.sample(character, clip, clip.start_secs() + time);
            };
            sample(&mut pose.local, &instance.play);
            if let Some(fade) = &instance.fade {
                sample(&mut second, &fade.to);
                pose.local.blend(&second, fade.weight(now));
            }
            pose.resolve(character);
            let mut positions = Vec::new();
            for part in character.parts() {
                let mut skinned = Skinned::default();
                skin_part(character, part, &pose, Method::Lbs, &mut skinned);
                let world_from_model = instance.world_from_model;
                let skinned = skinned.positions.iter();
                positions.extend(skinned.map(|p| world_from_model.transform_point3(p.as_vec3())));
            }
            positions
        });
        positions.collect()
    };
    let [before, after] = moved_instances();
    [at(&before, BEFORE), at(&after, NOW)]
}

fn moving() -> ModelSettings {
    ModelSettings {
        motion: Motion::Previous,
        ..ModelSettings::default()
    }
}

fn model(gpu: &Gpu, set: &TextureSet, settings: ModelSettings) -> CrowdModel {
    CrowdModel::new(gpu.device(), gpu.queue(), set, settings).unwrap()
}

#[test]
fn motion_vectors_equal_differences_of_positions() {
    let Some(gpu) = gpu() else { return };
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    use DecodeMode::{Direct, Pass};
    for (encoding, storage, decode, instancing) in [
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Direct,
            Instancing::Instanced,
        ),
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Pass,
            Instancing::Loop,
        ),
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Direct,
            Instancing::SkinOnce,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Pass,
            Instancing::Instanced,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Pass,
            Instancing::SkinOnce,
        ),
        (
            Encoding::Vertex,
            Storage::Frames(Precision::Unorm16),
            Direct,
            Instancing::Instanced,
        ),
        (
            Encoding::Vertex,
            Storage::Compressed,
            Direct,
            Instancing::Instanced,
        ),
    ] {
        let set = baked(encoding, storage);
        let settings = ModelSettings {
            decode,
            instancing,
            ..moving()
        };
        for gpu in [gpu, &gl] {
            let what = format!(
                "{encoding} {storage} {decode:?} {instancing:?} {:?}",
                gpu.backend()
            );
            let vertices = vertices_of_set(&set);
            check_motion(
                gpu,
                &what,
                &model(gpu, &set, settings),
                set.model(),
                vertices,
            );
        }
    }
    for technique in [
        Technique::Cpu,
        Technique::PaletteMatrix,
        Technique::PaletteDq,
    ] {
        let (device, queue) = (gpu.device(), gpu.queue());
        let lbs = Method::Lbs;
        let model =
            CrowdModel::of_character(device, queue, &HUMANOID, &[], technique, lbs, moving())
                .unwrap();
        let vertices = vertices_of_character(&HUMANOID);
        check_motion(gpu, technique.name(), &model, &HUMANOID, vertices);
    }
}

/// A picture of the crowd: tint, user word and facing of every pixel.
fn picture(gpu: &Gpu, model: &CrowdModel, depth: Depth, has_pre_pass: bool) -> Vec<[u32; 4]> {
    culled_picture(gpu, model, depth, has_pre_pass, None)
}

/// [`picture`] without one side of the triangles.
fn culled_picture(
    gpu: &Gpu,
    model: &CrowdModel,
    depth: Depth,
    has_pre_pass: bool,
    cull_mode: Option<wgpu::Face>,
) -> Vec<[u32; 4]> {
    let target = Target::new(gpu, [160, 64], 1, depth);
    let layouts = [None, None, None, Some(&target.camera_layout)];
    let compare = match (has_pre_pass, depth) {
        (true, _) => wgpu::CompareFunction::Equal,
        (false, Depth::Forward) => wgpu::CompareFunction::Less,
        (false, Depth::Reversed) => wgpu::CompareFunction::Greater,
    };
    let material = model
        .material(&MaterialDescriptor {
            wgsl: COLORS,
            fragment: Some("shade"),
            constants: &[("BRIGHTNESS", 1.0)],
            group: 0,
            bind_group_layouts: &layouts,
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(compare)),
            primitive: wgpu::PrimitiveState {
                cull_mode,
                ..Default::default()
            },
            invariance: Invariance::Position,
            ..Default::default()
        })
        .unwrap();
    let nearer = match depth {
        Depth::Forward => wgpu::CompareFunction::Less,
        Depth::Reversed => wgpu::CompareFunction::Greater,
    };
    let pre_pass = model
        .material(&MaterialDescriptor {
            wgsl: DEPTH_ONLY,
            group: 1,
            bind_group_layouts: &layouts,
            depth_stencil: Some(target.depth_state(nearer)),
            invariance: Invariance::Position,
            ..Default::default()
        })
        .unwrap();
    let mut crowd = model.crowd().unwrap();
    let [mut instances, _] = moved_instances();
    for (index, instance) in instances.iter_mut().enumerate() {
        instance.tint[0] = 60 * index as u8;
        instance.user = 7 + index as u32;
    }
    crowd.set_instances(&instances).unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, NOW).unwrap();
    if has_pre_pass {
        let mut pass = target.begin_depth(&mut encoder);
        pass.set_bind_group(3, &target.camera_group, &[]);
        crowd.draw(&mut pass, &pre_pass);
    }
    let mut pass = match has_pre_pass {
        true => target.begin_after_depth(&mut encoder),
        false => target.begin(&mut encoder),
    };
    pass.set_bind_group(3, &target.camera_group, &[]);
    for part in 0..model.parts().len() {
        crowd.draw_part(&mut pass, &material, part);
    }
    drop(pass);
    gpu.queue().submit([encoder.finish()]);
    target.texels(gpu, 0)
}

/// A depth pre-pass gives the depths of the lit pass to the bit: drawn where depths are equal, the picture is the same, and
/// so are silhouettes. Reversed depth hides the same pixels.
#[test]
fn depth_passes_draw_the_same_silhouettes() {
    let Some(gpu) = gpu() else { return };
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    for (encoding, storage) in [
        (Encoding::BoneQt, Storage::Frames(Precision::Unorm16)),
        (Encoding::BoneLocal, Storage::Compressed),
        (Encoding::Vertex, Storage::Frames(Precision::F16)),
    ] {
        let set = baked(encoding, storage);
        for gpu in [gpu, &gl] {
            let model = model(gpu, &set, ModelSettings::default());
            let plain = picture(gpu, &model, Depth::Forward, false);
            let drawn = plain.iter().filter(|texel| texel[3] == 1);
            let users: std::collections::BTreeSet<_> =
                drawn.clone().map(|t| (t[0], t[1])).collect();
            assert_eq!(
                users.into_iter().collect::<Vec<_>>(),
                [(0, 7), (60, 8), (120, 9)]
            );
            assert!(drawn.count() > 300);
            assert_eq!(
                picture(gpu, &model, Depth::Forward, true),
                plain,
                "{encoding}"
            );
            assert_eq!(
                picture(gpu, &model, Depth::Reversed, true),
                picture(gpu, &model, Depth::Reversed, false)
            );
            let differing = picture(gpu, &model, Depth::Reversed, false);
            let differing = differing.iter().zip(&plain).filter(|(a, b)| a != b).count();
            // Depths round differently, so that surfaces that touch may change places.
            assert!(differing <= 5, "{encoding}: {differing} pixels");
        }
    }
}

/// Triangles wind as wgpu's default expects: culling the back leaves the picture, culling the front shows insides.
#[test]
fn back_faces_can_be_culled() {
    let Some(gpu) = gpu() else { return };
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let model = model(gpu, &set, ModelSettings::default());
    let [all, front, back] = [None, Some(wgpu::Face::Back), Some(wgpu::Face::Front)]
        .map(|cull| culled_picture(gpu, &model, Depth::Forward, false, cull));
    let drawn = all.iter().filter(|texel| texel[3] == 1).count();
    let differing = all.iter().zip(&front).filter(|(a, b)| a != b).count();
    assert!(50 * differing < drawn, "{differing} of {drawn} pixels");
    let is_inside = |texel: &&[u32; 4]| texel[3] == 1 && texel[2] < 100;
    let inside = back.iter().filter(is_inside).count();
    assert!(10 * inside > 9 * drawn, "{inside} of {drawn} pixels");
}

/// Any sequence of changes leaves the crowd as if it had been made anew.
#[test]
fn instances_change_one_by_one() {
    let Some(gpu) = gpu() else { return };
    for (encoding, storage, instancing) in [
        (
            Encoding::BoneQt,
            Storage::Frames(Precision::Unorm16),
            Instancing::Instanced,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Instancing::Instanced,
        ),
        (
            Encoding::BoneLocal,
            Storage::Compressed,
            Instancing::SkinOnce,
        ),
    ] {
        let set = baked(encoding, storage);
        let rest = set.rest().clone();
        let settings = ModelSettings {
            instancing,
            ..ModelSettings::default()
        };
        let mut crowd = model(gpu, &set, settings).crowd().unwrap();
        let some = scattered(60, NOW);
        let mut fresh = some
            .iter()
            .copied()
            .enumerate()
            .map(|(index, instance)| Instance {
                group: index as u32,
                ..instance
            });
        let mut state = 3;
        let mut ids: Vec<InstanceId> = Vec::new();
        for round in 0..12 {
            for _ in 0..4 {
                ids.push(crowd.spawn(fresh.next().unwrap()).unwrap());
            }
            let mut any = |len: usize| (random(&mut state) * len as f32) as usize;
            if round % 2 == 1 {
                let gone = ids.swap_remove(any(ids.len()));
                assert!(crowd.despawn(gone).is_some());
                assert!(crowd.despawn(gone).is_none());
                assert!(crowd.get(gone).is_none());
                let refused = crowd.play(gone, Play::new(0));
                assert!(matches!(refused, Err(GpuError::NoSuchInstance)));
            }
            let id = ids[any(ids.len())];
            let place = Affine3A::from_translation(Vec3::new(round as f32, 0.5, -1.0));
            crowd.set_transform(id, place).unwrap();
            let id = ids[any(ids.len())];
            crowd
                .play(id, Play::starting(1, Ticks(NOW.0.wrapping_sub(40_000))))
                .unwrap();
            let id = ids[any(ids.len())];
            crowd
                .cross_fade(
                    id,
                    Play::new(2),
                    Ticks(NOW.0.wrapping_sub(9_000)),
                    Ticks(20_000),
                )
                .unwrap();
            let unknown = crowd.play(id, Play::new(9));
            assert!(matches!(unknown, Err(GpuError::NoSuchClip { clip: 9, .. })));
            let captured = capture(&mut crowd, NOW);
            assert_eq!(captured.len(), ids.len());
            for (captured, instance) in captured.iter().zip(crowd.instances()) {
                let error_mm = largest_mm(captured, &expected(&set, instance, NOW, &rest));
                assert!(
                    error_mm <= subjects::TOLERANCE_MM,
                    "{encoding} {instancing:?}: {error_mm} mm"
                );
            }
        }
        let mut other = crowd.model().crowd().unwrap();
        other.spawn(crowd.instances()[0]).unwrap();
        assert!(other.get(ids[0]).is_none(), "an id of another crowd");
        crowd.clear();
        assert!(capture(&mut crowd, NOW).is_empty());
    }
}

#[test]
fn a_hundred_thousand_instances_are_set_in_one_upload() {
    let Some(gpu) = gpu() else { return };
    let bar = ordered_builtin("bar:24");
    let set = baked_of(&bar, &[0], Encoding::BoneLocal, Storage::Compressed);
    let model = model(gpu, &set, ModelSettings::default());
    let mut crowd = model.crowd().unwrap();
    let instances: Vec<Instance> = (0..100_000)
        .map(|index| {
            let place = Vec3::new((index % 400) as f32, (index / 400) as f32, 0.0);
            Instance::at(Affine3A::from_translation(place)).playing(Play::new(0))
        })
        .collect();
    crowd.reserve(50_000).unwrap();
    crowd.set_instances(&instances).unwrap();
    let id = crowd.ids().nth(70_000).unwrap();
    crowd
        .set_transform(id, Affine3A::from_translation(Vec3::splat(-9.0)))
        .unwrap();
    let captured = capture(&mut crowd, NOW);
    assert_eq!(captured.len(), 100_000);
    let rest = set.rest().clone();
    for index in [0, 1, 69_999, 70_000, 70_001, 99_999] {
        let instance = crowd.instances()[index];
        let error_mm = largest_mm(&captured[index], &expected(&set, &instance, NOW, &rest));
        // Up to 470 m from the origin.
        assert!(error_mm <= 0.1, "{index}: {error_mm} mm");
    }
}

/// Tangents are skinned as the reference does. Textures of vertices hold none.
#[test]
fn tangents_are_skinned_by_every_technique() {
    let Some(gpu) = gpu() else { return };
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    let mut parts = ordered_builtin("bar:312").into_parts();
    for mesh in &mut parts.meshes {
        let tangents = mesh.normals().iter().enumerate().map(|(index, normal)| {
            let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
            normal.any_orthonormal_vector().extend(sign)
        });
        let tangents = tangents.collect();
        mesh.set_tangents(tangents).unwrap();
    }
    let bar = Arc::new(Character::new(parts).unwrap());
    let time_secs = 0.3;
    let mut pose = CharacterPose::rest(&bar);
    pose.sample(
        &bar,
        &bar.clips()[0],
        bar.clips()[0].start_secs() + f64::from(time_secs),
    );
    let mut skinned = Skinned::default();
    skin_part(&bar, &bar.parts()[0], &pose, Method::Lbs, &mut skinned);
    let instances = [Instance::default().playing(Play::held(0, time_secs))];
    let check = |what: &str, gpu: &Gpu, crowd: Result<Crowd, GpuError>, limit: f32| {
        let mut crowd = crowd.unwrap();
        crowd.set_instances(&instances).unwrap();
        let captured = capture(&mut crowd, NOW).remove(0);
        assert_eq!(captured.tangents.len(), skinned.tangents.len());
        let pairs = captured.tangents.iter().zip(&skinned.tangents);
        let largest = pairs
            .map(|(found, expected)| found.distance(expected.truncate().as_vec3()))
            .fold(0.0, f32::max);
        println!("{what} on {:?}: {largest}", gpu.backend());
        assert!(largest <= limit, "{what} on {:?}: {largest}", gpu.backend());
    };
    let settings = |instancing| ModelSettings {
        instancing,
        ..ModelSettings::default()
    };
    let set = baked_of(&bar, &[0], Encoding::Vertex, Precision::F16);
    let mut vertices = device::crowd_of_set(gpu, &set, ModelSettings::default()).unwrap();
    vertices.set_instances(&instances).unwrap();
    assert!(capture(&mut vertices, NOW)[0].tangents.is_empty());
    for gpu in [gpu, &gl] {
        for (encoding, storage, limit) in [
            (Encoding::BoneQt, Storage::Frames(Precision::Unorm16), 2e-2),
            (Encoding::BoneLocal, Storage::Compressed, 2e-2),
        ] {
            let set = baked_of(&bar, &[0], encoding, storage);
            for instancing in [Instancing::Instanced, Instancing::SkinOnce] {
                let crowd = device::crowd_of_set(gpu, &set, settings(instancing));
                check(&format!("{encoding} {instancing:?}"), gpu, crowd, limit);
            }
        }
        for technique in [
            Technique::Cpu,
            Technique::PaletteMatrix,
            Technique::PaletteDq,
        ] {
            let crowd = device::crowd_of_character(
                gpu,
                &bar,
                &[],
                technique,
                Method::Lbs,
                ModelSettings::default(),
            );
            check(technique.name(), gpu, crowd, 1e-4);
        }
    }
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
