//! What the goldens show.

use std::sync::{Arc, LazyLock};

use glam::{Affine3A, DVec3, Quat, Vec3};
use throng_bake::{BakeSettings, Progress, bake};
use throng_format::{Encoding, Precision, Source, TextureSet};
use throng_rig::{Bounds, Character, Skinning};
use throng_studio::{Camera, Picture, Scene, Shot, Subject, View};
use throng_wgpu::{Crowd, CrowdSettings, Gpu, GpuLimits, Instance, Play, Technique, Ticks};

/// No adapter is a failure, not a skip.
pub static GPU: LazyLock<Gpu> = LazyLock::new(|| Gpu::headless().unwrap_or_else(|e| panic!("{e}")));

/// A device with the limits of WebGL2.
pub fn webgl2() -> Gpu {
    Gpu::headless_on(wgpu::Backends::PRIMARY, GpuLimits::WebGl2).unwrap_or_else(|e| panic!("{e}"))
}

const SIZE: [u32; 2] = [320, 200];

/// A subject and the shot that is taken of it.
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

/// The humanoid with one clip.
pub fn humanoid(clip: &str) -> Character {
    let mut parts = throng_import::builtin::builtin("humanoid")
        .unwrap()
        .into_parts();
    parts.clips.retain(|found| found.name == clip);
    Character::new(parts).unwrap()
}

struct Quiet;

impl Progress for Quiet {
    fn step(&self, _: usize, _: usize) {}
}

fn baked(character: &Character, encoding: Encoding) -> TextureSet {
    let settings = BakeSettings {
        encoding,
        precision: match encoding {
            Encoding::BoneLocal => Precision::Packed,
            _ => Precision::Unorm16,
        },
        ..BakeSettings::default()
    };
    let source = Source {
        path: "builtin".into(),
        digest: String::new(),
        settings: String::new(),
        max_influences: None,
        min_weight: 0.0,
        shared_positions: true,
    };
    bake(character, &settings, &source, &Quiet).unwrap().set
}

pub fn of_character(
    gpu: &Gpu,
    character: Character,
    technique: Technique,
    time_secs: f64,
) -> Staged {
    let character = Arc::new(character);
    let settings = CrowdSettings::default();
    let crowd = Crowd::of_character(
        gpu,
        &character,
        &[],
        technique,
        Skinning::AsAuthored,
        settings,
    )
    .unwrap();
    alone(gpu, crowd, &character, time_secs)
}

pub fn of_set(gpu: &Gpu, character: &Character, encoding: Encoding, time_secs: f64) -> Staged {
    let set = baked(character, encoding);
    let crowd = Crowd::of_set(gpu, &set, CrowdSettings::default()).unwrap();
    alone(gpu, crowd, character, time_secs)
}

fn alone(gpu: &Gpu, mut crowd: Crowd, character: &Character, time_secs: f64) -> Staged {
    let held = Instance {
        play: Play::held(0, time_secs as f32),
        ..Instance::default()
    };
    crowd.set_instances(&[held]).unwrap();
    // A box of round numbers, so that the camera does not follow what it is to show.
    let casters = Bounds::of([DVec3::new(-0.7, 0.0, -0.6), DVec3::new(0.7, 2.0, 0.6)]);
    staged(gpu, crowd, character, casters, View::PORTRAIT)
}

/// The same, from the hips up.
pub fn closely(mut staged: Staged) -> Staged {
    let seen = Bounds::of([DVec3::new(-0.5, 0.8, -0.4), DVec3::new(0.5, 1.85, 0.5)]);
    staged.shot.camera = camera(seen, View::PORTRAIT);
    staged
}

/// The same, from the hips to the shoulders.
pub fn arms(mut staged: Staged) -> Staged {
    let seen = Bounds::of([DVec3::new(-0.3, 0.8, -0.15), DVec3::new(0.3, 1.35, 0.3)]);
    staged.shot.camera = camera(seen, View::PORTRAIT);
    staged
}

/// The same, moved in the picture by so many texels along both sides.
pub fn aside(mut staged: Staged, texels: f32) -> Staged {
    let camera = &mut staged.shot.camera;
    let right = camera.forward.cross(Vec3::Y).normalize();
    // What a texel is at the character, who stands in the origin.
    let depth = (Vec3::Y - camera.eye).dot(camera.forward);
    let texel = 2.0 * depth * (camera.fov_rad * 0.5).tan() / SIZE[1] as f32;
    camera.eye += (right + right.cross(camera.forward)) * (texel * texels);
    staged
}

fn camera(seen: Bounds, view: View) -> Camera {
    let corners = seen.corners().map(|corner| corner.as_vec3());
    Camera::framing(corners, view, SIZE[0] as f32 / SIZE[1] as f32)
}

pub fn crowd_of_50() -> Staged {
    let character = humanoid("walk");
    let set = baked(&character, Encoding::BoneQt);
    let mut crowd = Crowd::of_set(&GPU, &set, CrowdSettings::default()).unwrap();
    let instances: Vec<Instance> = (0..50)
        .map(|index| {
            let (row, column) = (index / 10, index % 10);
            let place = Vec3::new(column as f32 - 4.5, 0.0, 2.0 - row as f32);
            let turn = Quat::from_rotation_y((index % 7) as f32 * 0.15 - 0.45);
            Instance {
                world_from_model: Affine3A::from_rotation_translation(turn, place),
                tint: [255, 200 + (index % 5) as u8 * 10, 230, 255],
                play: Play::held(0, index as f32 * 0.021),
                ..Instance::default()
            }
        })
        .collect();
    crowd.set_instances(&instances).unwrap();
    let casters = Bounds::of([DVec3::new(-5.2, 0.0, -2.7), DVec3::new(5.2, 1.9, 2.7)]);
    staged(&GPU, crowd, &character, casters, View::CROWD)
}

fn staged(gpu: &Gpu, crowd: Crowd, character: &Character, casters: Bounds, view: View) -> Staged {
    let scene = Scene::new(gpu, SIZE).unwrap();
    let deform_factor = crowd.deform_factor();
    Staged {
        subject: scene.subject(crowd, character).unwrap(),
        scene,
        shot: Shot {
            camera: camera(casters, view),
            casters,
            ground_y: 0.0,
            character_size: 1.8,
            now: Ticks(0),
            deform_factor,
        },
    }
}
