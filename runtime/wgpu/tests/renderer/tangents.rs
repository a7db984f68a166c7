//! Tangents of every technique.

use super::*;

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
            for instancing in [Instancing::Instanced, Instancing::SkinOnce] {
                let settings = settings(instancing);
                let lbs = Method::Lbs;
                let crowd = device::crowd_of_character(gpu, &bar, &[], technique, lbs, settings);
                check(&format!("{technique} {instancing:?}"), gpu, crowd, 1e-4);
            }
        }
    }
}
