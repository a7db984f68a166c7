//! Motion vectors: the motion of every pixel equals that of the vertices on the CPU.

use super::*;

/// Position of a point of a triangle mesh in another pose of the mesh: the nearest triangle, by barycentric coordinates.
fn carried(at: Vec3, triangles: &[[u32; 3]], from: &[Vec3], to: &[Vec3]) -> (f32, Vec3) {
    let mut nearest = (f32::INFINITY, Vec3::NAN);
    for corners in triangles {
        // In float64: small and thin triangles cover pixels, too.
        let [a, b, c] = corners.map(|corner| from[corner as usize].as_dvec3());
        let (u, v, w) = (b - a, c - a, at.as_dvec3() - a);
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let det = uu * vv - uv * uv;
        if det <= 1e-24 {
            continue;
        }
        let s = ((w.dot(u) * vv - w.dot(v) * uv) / det).clamp(0.0, 1.0);
        let t = ((w.dot(v) * uu - w.dot(u) * uv) / det).clamp(0.0, 1.0 - s);
        let distance = (a + s * u + t * v).distance(at.as_dvec3()) as f32;
        let (s, t) = (s as f32, t as f32);
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
    let mut snapped = 0;
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
        // Devices snap corners to 1/256 of a pixel, which moves points of triangles that are seen from the side.
        if distance >= 1e-4 {
            assert!(
                distance < 1e-3,
                "{what}: {at} is {distance} m from the mesh"
            );
            snapped += 1;
            continue;
        }
        let error = found.distance(expected);
        assert!(
            error < 2e-4,
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
    assert!(snapped <= compared / 500, "{what}: {snapped} of {compared}");
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
            let pose = pose_of(character, instance, now);
            skinned_pose(character, &pose, Method::Lbs, instance.world_from_model)
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
    for (technique, instancing) in [
        (Technique::Cpu, Instancing::Instanced),
        (Technique::Cpu, Instancing::SkinOnce),
        (Technique::PaletteMatrix, Instancing::Instanced),
        (Technique::PaletteDq, Instancing::Instanced),
    ] {
        let (device, queue) = (gpu.device(), gpu.queue());
        let lbs = Method::Lbs;
        let settings = ModelSettings {
            instancing,
            ..moving()
        };
        let model =
            CrowdModel::of_character(device, queue, &HUMANOID, &[], technique, lbs, settings)
                .unwrap();
        let vertices = vertices_of_character(&HUMANOID);
        let what = format!("{technique} {instancing:?}");
        check_motion(gpu, &what, &model, &HUMANOID, vertices);
    }
}
