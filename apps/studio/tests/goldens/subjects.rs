//! Subjects of the goldens.

use std::sync::{Arc, LazyLock};

use glam::{Affine3A, DVec3, Quat, Vec3};
use throng_bake::{BakeSettings, bake};
use throng_format::{Encoding, Source, TextureSet};
use throng_rig::{Bounds, Character, Skinning};
use throng_studio::{Camera, Picture, Scene, Shot, Subject, View};
use throng_testkit::adapter_or_skip;
use throng_wgpu::{
    Crowd, CrowdModel, Gpu, GpuError, GpuLimits, Instance, ModelSettings, Play, Technique, Ticks,
    wgpu,
};

/// The device, or `None` if there is no adapter.
pub fn gpu() -> Option<&'static Gpu> {
    static GPU: LazyLock<Option<Gpu>> = LazyLock::new(|| found(Gpu::headless()));
    GPU.as_ref()
}

/// A device with the limits of WebGL2, or `None` if there is no adapter.
pub fn webgl2() -> Option<Gpu> {
    let backends = wgpu::Backends::PRIMARY;
    found(Gpu::headless_on(backends, GpuLimits::WebGl2))
}

fn found(gpu: Result<Gpu, GpuError>) -> Option<Gpu> {
    let gpu = match gpu {
        Err(GpuError::NoAdapter(_)) => None,
        gpu => Some(gpu.unwrap_or_else(|error| panic!("{error}"))),
    };
    adapter_or_skip(gpu, "GPU", "mesa-vulkan-drivers")
}

/// The dancing humanoid as `bone-local`.
pub static DANCE: LazyLock<TextureSet> =
    LazyLock::new(|| baked(&humanoid("dance"), Encoding::BoneLocal));

const SIZE: [u32; 2] = [320, 200];

/// A subject and its shot.
pub struct Staged {
    scene: Scene,
    subject: Subject,
    shot: Shot,
}

pub fn draw(staged: &mut Staged) -> Picture {
    staged
        .scene
        .shoot(&mut staged.subject, &staged.shot)
        .unwrap()
}

/// The built-in humanoid with one of its clips.
pub fn humanoid(clip: &str) -> Character {
    let mut parts = throng_import::builtin::builtin("humanoid")
        .unwrap()
        .into_parts();
    parts.clips.retain(|found| found.name == clip);
    Character::new(parts).unwrap()
}

pub fn baked(character: &Character, encoding: Encoding) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        storage: encoding.default_storage(),
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin");
    bake(character, &settings, &source, &()).unwrap().set
}

pub fn of_character(
    gpu: &Gpu,
    character: Character,
    technique: Technique,
    time_secs: f64,
) -> Staged {
    let character = Arc::new(character);
    let model = CrowdModel::of_character(
        gpu.device(),
        gpu.queue(),
        &character,
        &[],
        technique,
        Skinning::AsAuthored,
        ModelSettings::default(),
    );
    let crowd = model.unwrap().crowd().unwrap();
    alone(gpu, crowd, &character, time_secs)
}

pub fn of_set(gpu: &Gpu, set: &TextureSet, time_secs: f64) -> Staged {
    alone(gpu, crowd(gpu, set), set.model(), time_secs)
}

fn crowd(gpu: &Gpu, set: &TextureSet) -> Crowd {
    let settings = ModelSettings::default();
    let model = CrowdModel::new(gpu.device(), gpu.queue(), set, settings);
    model.unwrap().crowd().unwrap()
}

fn alone(gpu: &Gpu, mut crowd: Crowd, character: &Character, time_secs: f64) -> Staged {
    let held = Instance {
        play: Play::held(0, time_secs as f32),
        ..Instance::default()
    };
    crowd.set_instances(&[held]).unwrap();
    // A fixed box, so that the camera does not depend on the pose.
    let casters = Bounds::of([DVec3::new(-0.7, 0.0, -0.6), DVec3::new(0.7, 2.0, 0.6)]);
    staged(gpu, crowd, character, casters, View::PORTRAIT)
}

/// Frames the subject from the hips up.
pub fn upper_body(mut staged: Staged) -> Staged {
    let seen = Bounds::of([DVec3::new(-0.5, 0.8, -0.4), DVec3::new(0.5, 1.85, 0.5)]);
    staged.shot.camera = camera(seen, View::PORTRAIT);
    staged
}

/// Frames the subject from the hips to the shoulders.
pub fn close_up_of_arms(mut staged: Staged) -> Staged {
    let seen = Bounds::of([DVec3::new(-0.3, 0.8, -0.15), DVec3::new(0.3, 1.35, 0.3)]);
    staged.shot.camera = camera(seen, View::PORTRAIT);
    staged
}

/// Shifts the picture by a number of pixels along both axes.
pub fn shifted(mut staged: Staged, pixels: f32) -> Staged {
    let camera = &mut staged.shot.camera;
    let right = camera.forward.cross(Vec3::Y).normalize();
    // Size of a pixel at the character, which stands in the origin.
    let depth = (Vec3::Y - camera.eye).dot(camera.forward);
    let pixel = 2.0 * depth * (camera.fov_rad * 0.5).tan() / SIZE[1] as f32;
    camera.eye += (right + right.cross(camera.forward)) * (pixel * pixels);
    staged
}

fn camera(seen: Bounds, view: View) -> Camera {
    let corners = seen.corners().map(DVec3::as_vec3);
    Camera::framing(corners, view, SIZE[0] as f32 / SIZE[1] as f32)
}

/// Five rows of ten walking humanoids from `bone-qt`.
pub fn crowd_of_50(gpu: &Gpu) -> Staged {
    let character = humanoid("walk");
    let set = baked(&character, Encoding::BoneQt);
    let mut crowd = crowd(gpu, &set);
    let instances: Vec<Instance> = (0..50)
        .map(|index| {
            let (row, column) = (index / 10, index % 10);
            let position = Vec3::new(column as f32 - 4.5, 0.0, 2.0 - row as f32);
            let rotation = Quat::from_rotation_y((index % 7) as f32 * 0.15 - 0.45);
            Instance {
                world_from_model: Affine3A::from_rotation_translation(rotation, position),
                tint: [255, 200 + (index % 5) as u8 * 10, 230, 255],
                play: Play::held(0, index as f32 * 0.021),
                ..Instance::default()
            }
        })
        .collect();
    crowd.set_instances(&instances).unwrap();
    let casters = Bounds::of([DVec3::new(-5.2, 0.0, -2.7), DVec3::new(5.2, 1.9, 2.7)]);
    staged(gpu, crowd, &character, casters, View::CROWD)
}

fn staged(gpu: &Gpu, crowd: Crowd, character: &Character, casters: Bounds, view: View) -> Staged {
    let scene = Scene::new(gpu.device(), gpu.queue(), SIZE).unwrap();
    Staged {
        subject: scene.subject(crowd, character).unwrap(),
        scene,
        shot: Shot {
            camera: camera(casters, view),
            casters,
            ground_y: 0.0,
            character_size: 1.8,
            now: Ticks(0),
        },
    }
}
