//! Switches leave out the work that they name: the output changes as documented.

#[path = "common/gpu.rs"]
mod device;
#[path = "common/subjects.rs"]
mod subjects;

use device::{crowd_of_character, crowd_of_set};
use glam::Vec3;
use subjects::{
    HUMANOID, TOLERANCE_MM, baked, baked_as, baked_preset, capture, expected, gpu, largest_mm,
    pose_of, scattered, skinned_pose, times,
};
use throng_bake::{BakeSettings, Preset, Rate};
use throng_format::{DecodeParams, Encoding, FrameInterpolation, Precision, Storage, TextureSet};
use throng_rig::{Character, CharacterPose, Method};
use throng_wgpu::{
    Captured, Crowd, DecodeMode, DrawOrder, GpuError, InfluenceLimit, Instance, Instancing,
    MetadataSource, ModelSettings, Play, SkeletonEvaluation, Step, Switches, Technique, Ticks,
};

const NOW: Ticks = Ticks(3_000_000);
/// Later by a third of a second.
const LATER: Ticks = Ticks(NOW.0 + 21_845);

/// Smallest error of vertices in another pose.
const ANOTHER_POSE_MM: f32 = 5.0;

const PALETTES: [Technique; 2] = [Technique::PaletteMatrix, Technique::PaletteDq];

fn switched(switches: Switches) -> ModelSettings {
    ModelSettings {
        switches,
        ..ModelSettings::default()
    }
}

fn interpolation_off() -> Switches {
    Switches {
        interpolation: Step::Off,
        ..Switches::default()
    }
}

fn skinning_off() -> Switches {
    Switches {
        skinning: Step::Off,
        ..Switches::default()
    }
}

fn crowd_of_humanoid(technique: Technique, settings: ModelSettings) -> Crowd {
    let gpu = gpu().unwrap();
    crowd_of_character(gpu, &HUMANOID, &[], technique, Method::Lbs, settings).unwrap()
}

/// Instances without cross-fades, which hold poses between frames.
fn held_instances(set: &TextureSet) -> Vec<Instance> {
    let clips = DecodeParams::of(set).clips;
    let mut instances = scattered(9, NOW);
    for (index, instance) in instances.iter_mut().enumerate() {
        let clip = index % clips.len();
        let secs = (0.0537 + 0.1013 * index as f64) * clips[clip].duration_secs;
        instance.play = Play::held(clip as u32, secs as f32);
        instance.fade = None;
    }
    instances
}

/// The instance at the time of the earlier of its two frames.
fn at_earlier_frame(set: &TextureSet, instance: &Instance) -> Instance {
    let ([(clip, time_secs), _], _) = times(instance, set, NOW);
    let rate_hz = DecodeParams::of(set).clips[clip].rate_hz;
    let frame = (time_secs * rate_hz).floor();
    Instance {
        play: Play::held(clip as u32, (frame / rate_hz) as f32),
        ..*instance
    }
}

fn slerped_vertices() -> TextureSet {
    baked_as(
        &HUMANOID,
        &BakeSettings {
            encoding: Encoding::BoneMatrix,
            storage: Precision::F32.into(),
            interpolation: Some(FrameInterpolation::SlerpVertices),
            clips: vec![0, 1, 2],
            skinning: Method::Lbs.into(),
            rate: Rate::Hz(15.0),
            ..BakeSettings::default()
        },
    )
}

/// Sets of every kind of frames.
fn sets_of_frames() -> Vec<(String, TextureSet)> {
    let mut sets: Vec<_> = [
        (Encoding::BoneMatrix, Precision::Unorm16),
        (Encoding::BoneDq, Precision::F32),
        (Encoding::BoneQt, Precision::Unorm16),
        (Encoding::VirtualBones, Precision::F16),
        (Encoding::Vertex, Precision::Unorm8),
        (Encoding::VertexRay, Precision::Unorm16),
    ]
    .into_iter()
    .map(|(encoding, precision)| {
        let set = TextureSet::clone(&baked(encoding, precision));
        (format!("{encoding} {precision}"), set)
    })
    .collect();
    let presets = [
        Preset::P0Matrix8,
        Preset::P0Dq8,
        Preset::P3VirtualBones,
        Preset::P3VirtualBonesSplit,
    ];
    sets.extend(presets.map(|preset| {
        let influences = if preset.name().starts_with("p3") {
            4
        } else {
            3
        };
        (preset.name().to_owned(), baked_preset(preset, influences))
    }));
    sets.push(("slerp-vertices".to_owned(), slerped_vertices()));
    sets
}

#[test]
fn interpolation_off_draws_the_earlier_frame() {
    let Some(gpu) = gpu() else { return };
    for (what, set) in sets_of_frames() {
        let instances = held_instances(&set);
        let mut all = vec![switched(interpolation_off())];
        if !set.manifest().encoding.is_vertex() && what != "slerp-vertices" {
            all.push(ModelSettings {
                decode: DecodeMode::Pass,
                ..all[0]
            });
        }
        if what.starts_with("p0") {
            all.push(ModelSettings {
                metadata: MetadataSource::Column,
                ..all[0]
            });
        }
        for settings in all {
            let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
            crowd.set_instances(&instances).unwrap();
            let captured = capture(&mut crowd, NOW);
            let mut interpolated_mm: f32 = 0.0;
            for (captured, instance) in captured.iter().zip(&instances) {
                let earlier = at_earlier_frame(&set, instance);
                let error_mm = largest_mm(captured, &expected(&set, &earlier, NOW, set.rest()));
                assert!(error_mm <= TOLERANCE_MM, "{what}: {error_mm} mm");
                let interpolated = expected(&set, instance, NOW, set.rest());
                interpolated_mm = interpolated_mm.max(largest_mm(captured, &interpolated));
            }
            assert!(interpolated_mm > ANOTHER_POSE_MM, "{what}");
        }
    }
}

fn bind_pose(character: &Character, instance: &Instance) -> Vec<Vec3> {
    let parts = character.parts().iter();
    let positions = parts.flat_map(|part| character.mesh_of(part).positions());
    positions
        .map(|&position| instance.world_from_model.transform_point3(position))
        .collect()
}

fn assert_bind_pose(what: &str, crowd: &mut Crowd, character: &Character, instances: &[Instance]) {
    crowd.set_instances(instances).unwrap();
    for (captured, instance) in capture(crowd, NOW).iter().zip(instances) {
        let error_mm = largest_mm(captured, &bind_pose(character, instance));
        assert!(error_mm <= TOLERANCE_MM, "{what}: {error_mm} mm");
    }
}

#[test]
fn skinning_off_draws_the_bind_pose() {
    let Some(gpu) = gpu() else { return };
    for (what, set) in sets_of_frames() {
        if set.manifest().encoding.is_vertex() {
            continue;
        }
        let has_column = what.starts_with("p0");
        for interpolation in [Step::On, Step::Off] {
            for metadata in [MetadataSource::Tables, MetadataSource::Column] {
                if metadata == MetadataSource::Column && !has_column {
                    continue;
                }
                let settings = ModelSettings {
                    metadata,
                    ..switched(Switches {
                        interpolation,
                        ..skinning_off()
                    })
                };
                let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
                assert_bind_pose(&what, &mut crowd, set.model(), &scattered(7, NOW));
            }
        }
    }
    let compressed = baked(Encoding::BoneLocal, Storage::Compressed);
    let mut crowd = crowd_of_set(gpu, &compressed, switched(skinning_off())).unwrap();
    assert_bind_pose(
        "bone-local",
        &mut crowd,
        compressed.model(),
        &scattered(7, NOW),
    );
    for technique in PALETTES {
        let mut crowd = crowd_of_humanoid(technique, switched(skinning_off()));
        assert_bind_pose(technique.name(), &mut crowd, &HUMANOID, &scattered(7, NOW));
    }
}

/// LBS by the heaviest influences, with their weights as they are, in float64.
fn with_heaviest(pose: &CharacterPose, instance: &Instance, limit: usize) -> Vec<Vec3> {
    let mut positions = Vec::new();
    for part in HUMANOID.parts() {
        let mesh = HUMANOID.mesh_of(part);
        let matrices = pose.palettes[part.skin].matrices();
        positions.extend((0..mesh.vertex_count()).map(|vertex| {
            let bind = mesh.positions()[vertex].as_dvec3();
            let influences = mesh.influences().of(vertex).take(limit);
            let moved =
                influences.map(|(joint, weight)| matrices[joint].transform_point3(bind) * weight);
            let position: glam::DVec3 = moved.sum();
            instance
                .world_from_model
                .transform_point3(position.as_vec3())
        }));
    }
    positions
}

#[test]
fn influence_limit_ignores_the_lightest_influences() {
    let Some(gpu) = gpu() else { return };
    let most = HUMANOID.meshes()[0].influences().max_per_vertex();
    assert!(most >= 3, "{most} influences");
    let mut instances = scattered(5, NOW);
    for instance in &mut instances {
        instance.fade = None;
    }
    for technique in PALETTES {
        let vertices = |influences| {
            let switches = Switches {
                influences,
                ..Switches::default()
            };
            let mut crowd = crowd_of_humanoid(technique, switched(switches));
            crowd.set_instances(&instances).unwrap();
            capture(&mut crowd, NOW)
        };
        for limit in 0..=most + 1 {
            let captured = vertices(InfluenceLimit::AtMost(limit as u32));
            for (captured, instance) in captured.iter().zip(&instances) {
                let pose = pose_of(&HUMANOID, instance, NOW);
                let expected = with_heaviest(&pose, instance, limit.max(1));
                let error_mm = largest_mm(captured, &expected);
                assert!(
                    error_mm <= TOLERANCE_MM,
                    "{technique} {limit}: {error_mm} mm"
                );
            }
            let is_complete = captured == vertices(InfluenceLimit::None);
            assert_eq!(is_complete, limit >= most, "{technique} {limit}");
        }
    }
    // Bone textures go through the same loop: one influence less changes the vertices.
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let mut seen: Vec<Vec<Captured>> = Vec::new();
    for limit in 1..=most {
        let switches = Switches {
            influences: InfluenceLimit::AtMost(limit as u32),
            ..Switches::default()
        };
        let mut crowd = crowd_of_set(gpu, &set, switched(switches)).unwrap();
        crowd.set_instances(&instances).unwrap();
        let captured = capture(&mut crowd, NOW);
        assert!(!seen.contains(&captured), "{limit} influences");
        seen.push(captured);
    }
}

const CACHE_HZ: u32 = 8;

/// The instance at the cached sample that is nearest to a time.
fn at_nearest_sample(instance: &Instance, now: Ticks) -> Instance {
    let play = match &instance.fade {
        Some(fade) if fade.weight(now) > 0.5 => fade.to,
        _ => instance.play,
    };
    let duration_secs = HUMANOID.clips()[play.clip() as usize].duration_secs();
    let time_secs = play.time_secs(duration_secs, throng_rig::LoopPolicy::Wrap, now);
    let rate_hz = f64::from(CACHE_HZ);
    let nearest_secs = ((time_secs * rate_hz).round() / rate_hz).min(duration_secs);
    Instance {
        play: Play::held(play.clip(), nearest_secs as f32),
        fade: None,
        ..*instance
    }
}

/// Asserts that instances are in the poses of `shown`, and returns the largest error against their own poses.
fn assert_shown(
    what: &str,
    captured: &[Captured],
    instances: &[Instance],
    now: Ticks,
    shown: impl Fn(&Instance) -> CharacterPose,
) -> f32 {
    let mut true_error_mm: f32 = 0.0;
    for (captured, instance) in captured.iter().zip(instances) {
        let of = |pose: &CharacterPose| {
            skinned_pose(&HUMANOID, pose, Method::Lbs, instance.world_from_model)
        };
        let error_mm = largest_mm(captured, &of(&shown(instance)));
        assert!(error_mm <= TOLERANCE_MM, "{what}: {error_mm} mm");
        let true_pose = pose_of(&HUMANOID, instance, now);
        true_error_mm = true_error_mm.max(largest_mm(captured, &of(&true_pose)));
    }
    true_error_mm
}

#[test]
fn palettes_show_the_poses_of_their_switches_in_all_combinations() {
    let Some(_) = gpu() else { return };
    let instances = scattered(12, NOW);
    let cached = SkeletonEvaluation::Cached { rate_hz: CACHE_HZ };
    for technique in PALETTES {
        for skeleton in [
            SkeletonEvaluation::EachFrame,
            cached,
            SkeletonEvaluation::FirstFrame,
        ] {
            for upload in [Step::On, Step::Off] {
                for draw_order in [DrawOrder::PartsFirst, DrawOrder::InstancesFirst] {
                    let switches = Switches {
                        skeleton,
                        upload,
                        draw_order,
                        ..Switches::default()
                    };
                    let settings = ModelSettings {
                        instancing: Instancing::Loop,
                        ..switched(switches)
                    };
                    let mut crowd = crowd_of_humanoid(technique, settings);
                    crowd.set_instances(&instances).unwrap();
                    let is_kept = upload == Step::Off || skeleton == SkeletonEvaluation::FirstFrame;
                    for now in [NOW, LATER] {
                        let what = format!("{technique} {switches:?} at {now:?}");
                        let shown_at = if is_kept { NOW } else { now };
                        let shown = |instance: &Instance| match skeleton {
                            SkeletonEvaluation::Cached { .. } => {
                                pose_of(&HUMANOID, &at_nearest_sample(instance, shown_at), now)
                            }
                            _ => pose_of(&HUMANOID, instance, shown_at),
                        };
                        let captured = capture(&mut crowd, now);
                        let error_mm = assert_shown(&what, &captured, &instances, now, shown);
                        let is_true = shown_at == now && skeleton != cached;
                        assert_eq!(error_mm < ANOTHER_POSE_MM, is_true, "{what}: {error_mm} mm");
                    }
                }
            }
        }
    }
}

#[test]
fn kept_palettes_are_replaced_when_the_number_of_instances_changes() {
    let Some(_) = gpu() else { return };
    for switches in [
        Switches {
            skeleton: SkeletonEvaluation::FirstFrame,
            ..Switches::default()
        },
        Switches {
            upload: Step::Off,
            ..Switches::default()
        },
    ] {
        let mut crowd = crowd_of_humanoid(Technique::PaletteMatrix, switched(switches));
        let mut instances = scattered(5, NOW);
        crowd.reserve(10).unwrap();
        crowd.set_instances(&instances).unwrap();
        capture(&mut crowd, NOW);
        let added = scattered(6, NOW)[5];
        crowd.spawn(added).unwrap();
        instances.push(added);
        let captured = capture(&mut crowd, LATER);
        assert_shown("all", &captured, &instances, LATER, |instance| {
            pose_of(&HUMANOID, instance, LATER)
        });
    }
}

#[test]
fn refuses_switches_that_do_not_apply() {
    let Some(gpu) = gpu() else { return };
    let refused = |made: Result<Crowd, GpuError>| match made {
        Err(GpuError::SwitchNeeds { switch, .. }) => switch,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("the switch was accepted"),
    };
    let of_set = |encoding, storage: Storage, switches| {
        refused(crowd_of_set(
            gpu,
            &baked(encoding, storage),
            switched(switches),
        ))
    };
    let of_character = |technique, switches| {
        let settings = switched(switches);
        refused(crowd_of_character(
            gpu,
            &HUMANOID,
            &[],
            technique,
            Method::Lbs,
            settings,
        ))
    };
    let skeleton = |skeleton| Switches {
        skeleton,
        ..Switches::default()
    };
    let upload_off = Switches {
        upload: Step::Off,
        ..Switches::default()
    };
    let one_influence = Switches {
        influences: InfluenceLimit::AtMost(1),
        ..Switches::default()
    };
    let instances_first = Switches {
        draw_order: DrawOrder::InstancesFirst,
        ..Switches::default()
    };
    let frames = Storage::Frames(Precision::Unorm16);
    for technique in [Technique::Control, Technique::Cpu] {
        for switches in [
            interpolation_off(),
            skinning_off(),
            one_influence,
            upload_off,
        ] {
            of_character(technique, switches);
        }
    }
    assert_eq!(
        of_set(
            Encoding::BoneLocal,
            Storage::Compressed,
            interpolation_off()
        ),
        "interpolation"
    );
    assert_eq!(
        of_character(Technique::PaletteDq, interpolation_off()),
        "interpolation"
    );
    assert_eq!(of_set(Encoding::Vertex, frames, skinning_off()), "skinning");
    assert_eq!(
        of_set(Encoding::Vertex, frames, one_influence),
        "influences"
    );
    assert_eq!(of_set(Encoding::BoneQt, frames, upload_off), "upload");
    let first = skeleton(SkeletonEvaluation::FirstFrame);
    assert_eq!(of_set(Encoding::BoneQt, frames, first), "skeleton");
    let never = skeleton(SkeletonEvaluation::Cached { rate_hz: 0 });
    assert_eq!(of_character(Technique::PaletteMatrix, never), "skeleton");
    assert_eq!(
        of_set(Encoding::BoneQt, frames, instances_first),
        "draw_order"
    );
}

/// Benchmarks put timestamps around passes. Skipped where the device has none.
#[test]
fn timestamps_around_passes_can_be_resolved() {
    let Some(gpu) = gpu() else { return };
    let (device, queue) = (gpu.device(), gpu.queue());
    let needed = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
    if !device.features().contains(needed) {
        eprintln!("skipped: {} has no timestamps", gpu.name());
        return;
    }
    let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
        label: None,
        ty: wgpu::QueryType::Timestamp,
        count: 2,
    });
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let read = buffer(wgpu::BufferUsages::MAP_READ);
    let set = baked(Encoding::BoneQt, Precision::Unorm16);
    let settings = ModelSettings {
        decode: DecodeMode::Pass,
        ..ModelSettings::default()
    };
    let mut crowd = crowd_of_set(gpu, &set, settings).unwrap();
    crowd.set_instances(&scattered(50, NOW)).unwrap();
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.write_timestamp(&queries, 0);
    crowd.prepare(&mut encoder, NOW).unwrap();
    encoder.write_timestamp(&queries, 1);
    encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
    encoder.copy_buffer_to_buffer(&resolved, 0, &read, 0, 16);
    queue.submit([encoder.finish()]);
    read.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = read.get_mapped_range(..).unwrap().to_vec();
    let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
    assert!(queue.get_timestamp_period() > 0.0);
    assert!(ticks[0] > 0 && ticks[1] > ticks[0], "{ticks:?}");
}
