//! Techniques that pose on the CPU, in float32, against float64.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use std::sync::Arc;

use device::crowd_of_character;
use glam::{Affine3A, Vec3};
use subjects::{
    HUMANOID, TOLERANCE_MM, capture, gpu, largest_mm, morphing_bar, ordered_builtin, pose_of,
    scattered, skinned_pose,
};
use throng_rig::{AuthoredMethod, Character, CharacterPose, Method, Skinning};
use throng_wgpu::{
    Captured, Crowd, Fade, Gpu, GpuLimits, Instance, Instancing, ModelSettings, Play, Technique,
    Ticks,
};

/// Shortly before ticks wrap: starts are hours ago, cross-fades end after the wrap.
const NOW: Ticks = Ticks(u32::MAX - 777);

/// Every way in which the CPU poses: for each instance, and for each group of instances.
const POSED_BY_CPU: [(Technique, Instancing); 6] = [
    (Technique::Cpu, Instancing::Instanced),
    (Technique::Cpu, Instancing::SkinOnce),
    (Technique::PaletteMatrix, Instancing::Instanced),
    (Technique::PaletteMatrix, Instancing::SkinOnce),
    (Technique::PaletteDq, Instancing::Instanced),
    (Technique::PaletteDq, Instancing::SkinOnce),
];

fn crowd(
    gpu: &Gpu,
    character: &Arc<Character>,
    technique: Technique,
    instancing: Instancing,
    skinning: impl Into<Skinning>,
) -> Crowd {
    let settings = ModelSettings {
        instancing,
        ..ModelSettings::default()
    };
    crowd_of_character(gpu, character, &[], technique, skinning, settings).unwrap()
}

/// Asserts that every instance is as in float64.
fn check(
    what: &str,
    captured: &[Captured],
    instances: &[Instance],
    expected: impl Fn(&Instance) -> Vec<Vec3>,
) {
    assert_eq!(captured.len(), instances.len());
    for (index, (captured, instance)) in captured.iter().zip(instances).enumerate() {
        let error_mm = largest_mm(captured, &expected(instance));
        assert!(
            error_mm <= TOLERANCE_MM,
            "{what}: instance {index} is off by {error_mm} mm"
        );
    }
}

/// The CPU plays the source clips, and cross-fades in the joints' parent spaces.
#[test]
fn cpu_techniques_cross_fade_in_local_space() {
    let Some(gpu) = gpu() else { return };
    let instances = scattered(21, NOW);
    for (technique, method) in [
        (Technique::Cpu, Method::Lbs),
        (Technique::Cpu, Method::Dqs),
        (Technique::PaletteMatrix, Method::Lbs),
        (Technique::PaletteDq, Method::Lbs),
        (Technique::PaletteDq, Method::Dqs),
    ] {
        let mut crowd = crowd(gpu, &HUMANOID, technique, Instancing::Instanced, method);
        crowd.set_instances(&instances).unwrap();
        // A frame before, so that buffers are used again.
        for now in [Ticks(NOW.0 - 40_000), NOW] {
            let what = format!("{technique} {method} at {now:?}");
            check(&what, &capture(&mut crowd, now), &instances, |instance| {
                let pose = pose_of(&HUMANOID, instance, now);
                skinned_pose(&HUMANOID, &pose, method, instance.world_from_model)
            });
        }
    }
}

/// Every technique of the CPU blends from the bind pose to the pose along straight lines.
#[test]
fn cpu_techniques_blend_from_the_bind_pose() {
    let Some(gpu) = gpu() else { return };
    let parts = HUMANOID.parts().iter();
    let bind: Vec<Vec3> = parts
        .flat_map(|part| HUMANOID.mesh_of(part).positions().to_vec())
        .collect();
    let instances: Vec<Instance> = (0..4)
        .map(|group: u32| Instance {
            play: Play::held(0, 0.3),
            fraction: group as f32 / 3.0,
            group,
            ..Instance::default()
        })
        .collect();
    for (technique, instancing) in POSED_BY_CPU {
        let mut crowd = crowd(gpu, &HUMANOID, technique, instancing, Method::Lbs);
        crowd.set_instances(&instances).unwrap();
        let what = format!("{technique} {instancing:?}");
        check(&what, &capture(&mut crowd, NOW), &instances, |instance| {
            let pose = pose_of(&HUMANOID, instance, NOW);
            let posed = skinned_pose(&HUMANOID, &pose, Method::Lbs, Affine3A::IDENTITY);
            let pairs = bind.iter().zip(posed);
            pairs
                .map(|(bind, posed)| bind.lerp(posed, instance.fraction))
                .collect()
        });
    }
}

/// The CPU poses or skins each group once, and its instances copy it.
#[test]
fn cpu_techniques_skin_groups_once() {
    let Some(gpu) = gpu() else { return };
    let groups = scattered(5, NOW);
    let with_groups = |count: usize, used: usize| -> Vec<Instance> {
        let transforms = scattered(count, NOW);
        let instances = transforms.iter().enumerate();
        instances
            .map(|(index, instance)| Instance {
                world_from_model: instance.world_from_model,
                group: (index % used) as u32,
                ..groups[index % used]
            })
            .collect()
    };
    let check_on = |gpu: &Gpu, technique: Technique, method: Method| {
        let mut crowd = crowd(gpu, &HUMANOID, technique, Instancing::SkinOnce, method);
        // One group, then more, then fewer.
        for (count, used) in [(3, 1), (17, 5), (9, 2)] {
            let instances = with_groups(count, used);
            crowd.set_instances(&instances).unwrap();
            let what = format!("{technique} {method} {used} groups on {:?}", gpu.backend());
            check(&what, &capture(&mut crowd, NOW), &instances, |instance| {
                let pose = pose_of(&HUMANOID, instance, NOW);
                skinned_pose(&HUMANOID, &pose, method, instance.world_from_model)
            });
        }
    };
    check_on(gpu, Technique::Cpu, Method::Lbs);
    check_on(gpu, Technique::Cpu, Method::Dqs);
    check_on(gpu, Technique::PaletteDq, Method::Dqs);
    let Some(gl) = device::open(wgpu::Backends::GL, GpuLimits::WebGl2) else {
        return;
    };
    check_on(&gl, Technique::Cpu, Method::Lbs);
    check_on(&gl, Technique::Cpu, Method::Dqs);
}

/// A pose of the caller replaces what instances play, until it is taken away.
#[test]
fn held_pose_replaces_clips() {
    let Some(gpu) = gpu() else { return };
    let instances = scattered(3, NOW);
    let held = pose_of(&HUMANOID, &scattered(9, NOW)[7], NOW);
    for (technique, instancing) in POSED_BY_CPU {
        let mut crowd = crowd(gpu, &HUMANOID, technique, instancing, Method::Lbs);
        crowd.set_instances(&instances).unwrap();
        let skinned = |pose: &CharacterPose, instance: &Instance| {
            skinned_pose(&HUMANOID, pose, Method::Lbs, instance.world_from_model)
        };
        for pose in [None, Some(&held), None] {
            crowd.hold(pose.cloned()).unwrap();
            let what = format!("{technique} {instancing:?}, held: {}", pose.is_some());
            check(&what, &capture(&mut crowd, NOW), &instances, |instance| {
                let played = match instancing {
                    Instancing::SkinOnce => &instances[0],
                    Instancing::Loop | Instancing::Instanced => instance,
                };
                let played = pose_of(&HUMANOID, played, NOW);
                skinned(pose.unwrap_or(&played), instance)
            });
        }
    }
}

/// Blended methods follow the factor of the frame, also where the factor differs by vertex.
#[test]
fn deform_factor_of_the_frame_blends_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut parts = ordered_builtin("cylinder").into_parts();
    for mesh in &mut parts.meshes {
        mesh.authored_method = AuthoredMethod::Blended;
        // Equal where vertices share a position.
        let positions = mesh.positions().iter();
        let factors = positions.map(|p| (7.0 * p.x + 5.0 * p.y).fract().abs());
        let factors = factors.collect();
        mesh.set_blend_factors(factors).unwrap();
    }
    let with_factors_times = |factor: f32| {
        let mut parts = parts.clone();
        for mesh in &mut parts.meshes {
            let factors = mesh.blend_factors().iter().map(|f| f * factor).collect();
            mesh.set_blend_factors(factors).unwrap();
        }
        Character::new(parts).unwrap()
    };
    let character = Arc::new(with_factors_times(1.0));
    let secs = 0.4 * character.clips()[0].duration_secs() as f32;
    let instances = [Instance::default().playing(Play::held(0, secs))];
    let pose = pose_of(&character, &instances[0], NOW);
    for factor in [0.0, 0.4, 1.0] {
        let cases = [
            (Skinning::AsAuthored, Skinning::AsAuthored),
            (Skinning::BlendAuto, Skinning::BlendAuto),
            (
                Method::Blend(0.3).into(),
                Method::Blend(f64::from(factor)).into(),
            ),
            (
                Method::BlendPositions(0.3).into(),
                Method::BlendPositions(f64::from(factor)).into(),
            ),
        ];
        for (skinning, expected) in cases {
            let reference = match skinning {
                Skinning::AsAuthored | Skinning::BlendAuto => with_factors_times(factor),
                Skinning::Method(_) => with_factors_times(1.0),
            };
            for technique in [Technique::Cpu, Technique::PaletteDq] {
                let instancing = Instancing::Instanced;
                let mut crowd = crowd(gpu, &character, technique, instancing, skinning);
                crowd.set_instances(&instances).unwrap();
                crowd.set_deform_factor(factor);
                let what = format!("{technique} {skinning} {factor}");
                check(&what, &capture(&mut crowd, NOW), &instances, |_| {
                    skinned_pose(&reference, &pose, expected, Affine3A::IDENTITY)
                });
            }
        }
    }
}

/// Morph weights are sampled and cross-faded with the joints.
#[test]
fn cpu_techniques_cross_fade_morph_weights() {
    let Some(gpu) = gpu() else { return };
    let bar = Arc::new(morphing_bar());
    let instances: Vec<Instance> = (0..11)
        .map(|index| Instance {
            fade: (index % 2 == 0).then(|| {
                let to = Play::held(1, 0.09 * index as f32);
                Fade::starting(to, Ticks(NOW.0 - 3000 * index), Ticks(30_000))
            }),
            ..Instance::default().playing(Play::held(0, 1.0 - 0.08 * index as f32))
        })
        .collect();
    for technique in [
        Technique::Cpu,
        Technique::PaletteMatrix,
        Technique::PaletteDq,
    ] {
        let mut crowd = crowd(gpu, &bar, technique, Instancing::Instanced, Method::Lbs);
        crowd.set_instances(&instances).unwrap();
        let captured = capture(&mut crowd, NOW);
        check(technique.name(), &captured, &instances, |instance| {
            let pose = pose_of(&bar, instance, NOW);
            skinned_pose(&bar, &pose, Method::Lbs, Affine3A::IDENTITY)
        });
    }
}
