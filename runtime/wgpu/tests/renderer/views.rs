//! Views: culled pictures equal those of the whole crowd, and levels of detail are those of the CPU twin.

use super::*;
use glam::Mat4;
use glam::camera::rh::proj::directx::{orthographic, perspective};
use glam::camera::rh::view::look_at_mat4;
use throng_format::{Lod, LodTriangles, SetMesh};
use throng_wgpu::{CrowdMaterial, CrowdView, CullingMode, Fade, ViewCamera};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Writes the user word of the instance and the position. Without a depth test, the last instance wins, so that pictures
/// show the order of instances, too.
const USERS: &str = "
@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
fn clip_position(p: vec3<f32>) -> vec4<f32> { return clip_from_world * vec4(p, 1.0); }

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<u32> {
    return vec4(in.user, bitcast<u32>(in.world_position.x), bitcast<u32>(in.world_position.y), 1u);
}
";

const SIZE: [u32; 2] = [240, 135];
const DEPTH_TEST: wgpu::CompareFunction = wgpu::CompareFunction::Always;

/// A set with two levels of detail: every third and every ninth triangle. Holes do not matter here.
fn with_levels(set: &TextureSet) -> TextureSet {
    let meshes = set.model().meshes();
    let every = |step: usize| LodTriangles {
        meshes: meshes
            .iter()
            .map(|mesh| mesh.triangles().iter().copied().step_by(step).collect())
            .collect(),
    };
    let lods = vec![every(3), every(9)];
    let mut manifest = set.manifest().clone();
    manifest.lods = lods
        .iter()
        .zip([(3, 0.004), (1, 0.012)])
        .map(|(lod, (max_influences, max_error_of_size))| Lod {
            triangles: lod.meshes.iter().map(Vec::len).sum::<usize>() as u32,
            max_influences,
            max_error_of_size,
        })
        .collect();
    let mesh = SetMesh {
        lods,
        ..set.mesh().clone()
    };
    TextureSet::new(manifest, set.textures().to_vec(), mesh).unwrap()
}

/// Instances over an area of 60 m, with fades and fractions among them.
fn crowd_of(model: &CrowdModel, count: u32) -> Crowd {
    let mut crowd = model.crowd().unwrap();
    let mut state = 7;
    let instances: Vec<Instance> = (0..count)
        .map(|index| {
            let [x, z, turn, clip] = [(); 4].map(|()| random(&mut state));
            let place = Affine3A::from_rotation_translation(
                Quat::from_rotation_y(6.0 * turn),
                Vec3::new(60.0 * (x - 0.5), 0.0, 60.0 * (z - 0.5)),
            );
            let clip = (clip * 2.99) as u32;
            let mut instance = Instance {
                user: index + 1,
                ..Instance::at(place).playing(Play::starting(clip, Ticks(7000 * index)))
            };
            match index % 11 {
                3 => instance.fade = Some(Fade::held(Play::new(0), 0.3)),
                5 => instance.fade = Some(Fade::held(Play::new(1), 1.0)),
                7 => instance.fraction = 0.4,
                _ => {}
            }
            instance
        })
        .collect();
    crowd.set_instances(&instances).unwrap();
    crowd
}

/// Cameras of a flight: over the crowd, through it, away from it, and from the side without perspective.
fn flight() -> Vec<Mat4> {
    let perspective = perspective(0.8, 16.0 / 9.0, 0.1, 70.0);
    let mut cameras: Vec<Mat4> = (0..10)
        .map(|step| {
            let t = step as f32 / 9.0;
            let eye = Vec3::new(35.0 - 60.0 * t, 9.0 - 8.0 * t, 30.0 - 45.0 * t);
            let at = Vec3::new(8.0 * (5.0 * t).sin(), 1.0, -20.0 * t);
            perspective * look_at_mat4(eye, at, Vec3::Y)
        })
        .collect();
    let side = orthographic(-9.0, 9.0, -5.0, 5.0, 0.0, 40.0);
    cameras.push(side * look_at_mat4(Vec3::new(20.0, 6.0, 3.0), Vec3::ZERO, Vec3::Y));
    cameras
}

struct Painter<'a> {
    gpu: &'a Gpu,
    target: Target,
    material: CrowdMaterial,
}

impl<'a> Painter<'a> {
    fn new(gpu: &'a Gpu, model: &CrowdModel) -> Self {
        let target = Target::new(gpu, SIZE, 1, Depth::Forward);
        let material = model.material(&MaterialDescriptor {
            wgsl: USERS,
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&target.camera_layout)],
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(DEPTH_TEST)),
            ..Default::default()
        });
        Self {
            gpu,
            target,
            material: material.unwrap(),
        }
    }

    /// A picture of a crowd, of all of it or of what a view sees.
    fn picture(
        &self,
        crowd: &mut Crowd,
        view: Option<(&mut CrowdView, &ViewCamera)>,
        clip_from_world: Mat4,
    ) -> Vec<[u32; 4]> {
        let device = self.gpu.device();
        let camera = device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(&clip_from_world.to_cols_array()),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.target.camera_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: camera.as_entire_binding(),
            }],
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        crowd.prepare(&mut encoder, NOW).unwrap();
        let view = view.map(|(view, camera)| {
            crowd.cull(&mut encoder, view, camera).unwrap();
            view
        });
        let mut pass = self.target.begin(&mut encoder);
        pass.set_bind_group(0, &group, &[]);
        match view {
            Some(view) => crowd.draw_view(&mut pass, &self.material, view),
            None => crowd.draw(&mut pass, &self.material),
        }
        drop(pass);
        self.gpu.queue().submit([encoder.finish()]);
        self.target.texels(self.gpu, 0)
    }
}

fn differing(a: &[[u32; 4]], b: &[[u32; 4]]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

fn sets() -> Vec<TextureSet> {
    let character = ordered_builtin("humanoid:500");
    let clips = [0, 1, 2];
    let set = |encoding, storage| {
        let settings = throng_bake::BakeSettings {
            encoding,
            storage,
            clips: clips.to_vec(),
            ..throng_bake::BakeSettings::default()
        };
        let source = throng_format::Source::in_memory("humanoid");
        throng_bake::bake(&character, &settings, &source, &())
            .unwrap()
            .set
    };
    let frames = Storage::Frames(Precision::Unorm16);
    vec![
        set(Encoding::BoneQt, frames),
        set(Encoding::BoneLocal, Storage::Compressed),
        set(Encoding::Vertex, frames),
    ]
}

/// Devices with all features, with those of every WebGPU device, and with those of WebGL2.
fn devices() -> Vec<(Gpu, CullingMode)> {
    let primary = wgpu::Backends::PRIMARY;
    let all = [
        (GpuLimits::Adapter, CullingMode::Auto),
        (GpuLimits::WebGpu, CullingMode::Auto),
        (GpuLimits::WebGl2, CullingMode::Cpu),
    ];
    all.into_iter()
        .filter_map(|(limits, mode)| Some((device::open(primary, limits)?, mode)))
        .collect()
}

#[test]
fn culled_pictures_equal_whole_ones_over_a_flight() {
    for (gpu, mode) in devices() {
        for set in sets() {
            let model = model(&gpu, &set, ModelSettings::default());
            let painter = Painter::new(&gpu, &model);
            let mut crowd = crowd_of(&model, 700);
            let mut view = crowd.view().unwrap();
            assert_eq!(view.is_on_gpu(), mode == CullingMode::Auto);
            let mut drawn = 0;
            for clip_from_world in flight() {
                let whole = painter.picture(&mut crowd, None, clip_from_world);
                let camera = ViewCamera::new(clip_from_world);
                let culled =
                    painter.picture(&mut crowd, Some((&mut view, &camera)), clip_from_world);
                assert_eq!(differing(&whole, &culled), 0, "{mode:?}");
                drawn += whole.iter().filter(|texel| texel[3] == 1).count();
            }
            assert!(drawn > 10_000, "{drawn} pixels");
        }
    }
}

/// A view of another frustum draws other pictures: the comparison above can fail.
#[test]
fn views_draw_what_their_frustum_contains_only() {
    let Some(gpu) = gpu() else { return };
    let model = model(gpu, &sets()[0], ModelSettings::default());
    let painter = Painter::new(gpu, &model);
    let mut crowd = crowd_of(&model, 700);
    let mut view = crowd.view().unwrap();
    let clip_from_world = flight()[0];
    let whole = painter.picture(&mut crowd, None, clip_from_world);
    // The left half of the picture.
    let half = Mat4::from_scale(Vec3::new(2.0, 1.0, 1.0)) * clip_from_world;
    let half = Mat4::from_translation(Vec3::X) * half;
    let camera = ViewCamera::new(half);
    let culled = painter.picture(&mut crowd, Some((&mut view, &camera)), clip_from_world);
    let right_of = |picture: &[[u32; 4]], from: usize| {
        let columns = SIZE[0] as usize;
        let texels = picture.iter().enumerate();
        texels
            .filter(|(at, texel)| at % columns >= from && texel[3] == 1)
            .count()
    };
    assert!(right_of(&whole, 150) > 100);
    // Instances that fade are always drawn.
    let fading = culled
        .iter()
        .filter(|texel| texel[0] > 0 && (texel[0] - 1) % 11 != 3);
    let fading: Vec<[u32; 4]> = fading.copied().collect();
    assert!(!fading.is_empty());
    assert!(right_of(&culled, 150) < right_of(&whole, 150) / 3);
}

#[test]
fn levels_on_the_gpu_equal_those_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    for set in sets() {
        let set = with_levels(&set);
        let model = model(gpu, &set, ModelSettings::default());
        let levels: Vec<_> = model.levels().collect();
        assert_eq!(levels.len(), 3);
        assert!(levels[0].triangles > 8 * levels[2].triangles);
        let painter = Painter::new(gpu, &model);
        let mut crowd = crowd_of(&model, 700);
        let mut on_gpu = crowd.view().unwrap();
        let mut on_cpu = crowd.view_with(CullingMode::Cpu).unwrap();
        let mut changed = 0;
        for clip_from_world in flight() {
            let camera = ViewCamera::new(clip_from_world).with_detail(SIZE.map(|side| side as f32));
            let mut picture =
                |view| painter.picture(&mut crowd, Some((view, &camera)), clip_from_world);
            let (a, b) = (picture(&mut on_gpu), picture(&mut on_cpu));
            assert_eq!(differing(&a, &b), 0);
            let whole = painter.picture(&mut crowd, None, clip_from_world);
            changed += differing(&a, &whole);
        }
        assert!(changed > 1000, "{changed} pixels");
    }
}

/// Draws of levels that are no longer chosen are empty.
#[test]
fn detail_can_be_switched_off_again() {
    let Some(gpu) = gpu() else { return };
    let model = model(gpu, &with_levels(&sets()[0]), ModelSettings::default());
    let painter = Painter::new(gpu, &model);
    let mut crowd = crowd_of(&model, 300);
    let clip_from_world = flight()[0];
    let whole = painter.picture(&mut crowd, None, clip_from_world);
    let full = ViewCamera::new(clip_from_world);
    let coarse = full.with_detail(SIZE.map(|side| side as f32));
    for mode in [CullingMode::Auto, CullingMode::Cpu] {
        let mut view = crowd.view_with(mode).unwrap();
        let mut picture =
            |camera| painter.picture(&mut crowd, Some((&mut view, camera)), clip_from_world);
        assert!(differing(&whole, &picture(&coarse)) > 100);
        assert_eq!(differing(&whole, &picture(&full)), 0);
    }
}

/// A group shows what its first instance plays, and its box is not that of the others.
#[test]
fn groups_of_skin_once_are_not_culled_by_the_clips_of_others() {
    let Some(gpu) = gpu() else { return };
    let settings = ModelSettings {
        instancing: Instancing::SkinOnce,
        ..ModelSettings::default()
    };
    let model = model(gpu, &sets()[0], settings);
    let painter = Painter::new(gpu, &model);
    let mut crowd = crowd_of(&model, 100);
    crowd
        .update_all(|_, instance| instance.group = instance.user % 4)
        .unwrap();
    let mut view = crowd.view().unwrap();
    for clip_from_world in flight() {
        let whole = painter.picture(&mut crowd, None, clip_from_world);
        let camera = ViewCamera::new(clip_from_world);
        let culled = painter.picture(&mut crowd, Some((&mut view, &camera)), clip_from_world);
        assert_eq!(differing(&whole, &culled), 0);
    }
}

#[test]
fn views_follow_crowds_that_grow_and_shrink() {
    let Some(gpu) = gpu() else { return };
    let model = model(gpu, &sets()[1], ModelSettings::default());
    let painter = Painter::new(gpu, &model);
    let mut crowd = crowd_of(&model, 30);
    let clip_from_world = flight()[1];
    let camera = ViewCamera::new(clip_from_world);
    let views = [CullingMode::Auto, CullingMode::Cpu];
    let mut views = views.map(|mode| crowd.view_with(mode).unwrap());
    let check = |crowd: &mut Crowd, views: &mut [CrowdView]| {
        let whole = painter.picture(crowd, None, clip_from_world);
        for view in views {
            let culled = painter.picture(crowd, Some((view, &camera)), clip_from_world);
            assert_eq!(differing(&whole, &culled), 0);
        }
    };
    check(&mut crowd, &mut views);
    for instance in crowd_of(&model, 600).instances() {
        crowd.spawn(*instance).unwrap();
    }
    check(&mut crowd, &mut views);
    let ids: Vec<InstanceId> = crowd.ids().step_by(3).collect();
    for id in ids {
        crowd.despawn(id).unwrap();
    }
    let moved = crowd.ids().next().unwrap();
    crowd.set_transform(moved, Affine3A::IDENTITY).unwrap();
    check(&mut crowd, &mut views);
    crowd.clear();
    check(&mut crowd, &mut views);
}

/// One frame has a camera and two lights.
#[test]
fn several_views_of_one_frame_are_independent() {
    let Some(gpu) = gpu() else { return };
    let set = with_levels(&sets()[0]);
    let model = model(gpu, &set, ModelSettings::default());
    let mut crowd = crowd_of(&model, 400);
    let painter = Painter::new(gpu, &model);
    let cameras: Vec<ViewCamera> = [0, 4, 10].map(|k| ViewCamera::new(flight()[k])).to_vec();
    let mut views: Vec<CrowdView> = cameras.iter().map(|_| crowd.view().unwrap()).collect();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, NOW).unwrap();
    for (view, camera) in views.iter_mut().zip(&cameras) {
        crowd.cull(&mut encoder, view, camera).unwrap();
    }
    gpu.queue().submit([encoder.finish()]);
    for (view, camera) in views.iter_mut().zip(&cameras) {
        let whole = painter.picture(&mut crowd, None, camera.clip_from_world);
        let culled = painter.picture(&mut crowd, Some((view, camera)), camera.clip_from_world);
        assert_eq!(differing(&whole, &culled), 0);
    }
}

#[test]
fn rejects_views_of_crowds_that_are_drawn_one_by_one() {
    let Some(gpu) = gpu() else { return };
    let settings = ModelSettings {
        instancing: Instancing::Loop,
        ..ModelSettings::default()
    };
    let crowd = crowd_of(&model(gpu, &sets()[0], settings), 3);
    let error = crowd.view().unwrap_err();
    assert!(
        error.to_string().contains("draw call per instance"),
        "{error}"
    );
}

/// Motion vectors of a view, whose instances have other places in their buffer than in the crowd.
#[test]
fn motion_vectors_of_views_equal_those_of_the_whole_crowd() {
    let Some(gpu) = gpu() else { return };
    for set in sets() {
        let settings = ModelSettings {
            motion: Motion::Previous,
            ..ModelSettings::default()
        };
        let model = model(gpu, &set, settings);
        // Sees x from -2.6 to 2.6.
        let target = Target::new(gpu, [160, 64], 2, Depth::Forward);
        let material = model.material(&MaterialDescriptor {
            wgsl: POSITIONS,
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&target.camera_layout)],
            targets: &[Some(COLOR.into()), Some(COLOR.into())],
            depth_stencil: Some(target.depth_state(wgpu::CompareFunction::Less)),
            ..Default::default()
        });
        let material = material.unwrap();
        let side = orthographic(-2.6, 2.6, -0.1, 1.98, -2.0, 2.0);
        let camera = ViewCamera::new(side);
        let [before, after] = moved_instances();
        let picture = |is_culled: bool| {
            let mut crowd = model.crowd().unwrap();
            let away = Instance::at(Affine3A::from_translation(Vec3::new(50.0, 0.0, 0.0)));
            crowd.spawn(away).unwrap();
            let ids: Vec<_> = before
                .iter()
                .map(|one| crowd.spawn(*one).unwrap())
                .collect();
            let mut view = crowd.view().unwrap();
            for (now, instances) in [(BEFORE, &before), (NOW, &after)] {
                for (id, instance) in ids.iter().zip(instances) {
                    crowd.update(*id, |one| *one = *instance).unwrap();
                }
                let mut encoder = gpu.device().create_command_encoder(&Default::default());
                crowd.prepare(&mut encoder, now).unwrap();
                crowd.cull(&mut encoder, &mut view, &camera).unwrap();
                let mut pass = target.begin(&mut encoder);
                pass.set_bind_group(0, &target.camera_group, &[]);
                match is_culled {
                    true => crowd.draw_view(&mut pass, &material, &view),
                    false => crowd.draw(&mut pass, &material),
                }
                drop(pass);
                gpu.queue().submit([encoder.finish()]);
            }
            [target.texels(gpu, 0), target.texels(gpu, 1)]
        };
        let [whole, culled] = [picture(false), picture(true)];
        assert!(whole[0].iter().filter(|texel| texel[3] == 1).count() > 500);
        assert_ne!(whole[0], whole[1]);
        assert!(whole == culled);
    }
}

/// With the limits of every WebGPU device, and without indirect draws from any instance on.
#[test]
fn too_many_instances_are_refused_with_the_number_that_fits() {
    let Some(gpu) = device::open(wgpu::Backends::PRIMARY, GpuLimits::WebGpu) else {
        return;
    };
    let set = with_levels(&sets()[0]);
    let model = model(&gpu, &set, ModelSettings::default());
    let mut crowd = crowd_of(&model, 3);
    // 256 MiB of records of 96 bytes.
    let error = crowd.reserve(3_000_000).unwrap_err();
    assert!(error.to_string().contains("2796202"), "{error}");
    // 128 MiB of records, which each of three levels has room for.
    crowd.reserve(500_000).unwrap();
    let mut view = crowd.view().unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, NOW).unwrap();
    let camera = ViewCamera::new(flight()[0]);
    let error = crowd.cull(&mut encoder, &mut view, &camera).unwrap_err();
    assert!(error.to_string().contains("466033"), "{error}");
    // On the CPU, levels share one buffer.
    let mut view = crowd.view_with(CullingMode::Cpu).unwrap();
    crowd.cull(&mut encoder, &mut view, &camera).unwrap();
}
