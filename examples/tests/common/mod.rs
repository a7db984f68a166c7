//! The crowd of the examples on the CPU, and the comparison with it.

use glam::Vec3;
use throng_bake::{BakeSettings, Rate, bake};
use throng_format::decode::{self, BonePose};
use throng_format::{DecodeParams, Encoding, Source, Storage, TextureSet};
use throng_rig::{Method, ModelPose, Palette};
use throng_skin::reference::{Skinned, skin};
use throng_wgpu::{Instance, Play, Ticks};

/// For humanoids of 1.8 m up to 20 m from the origin.
pub const TOLERANCE_MM: f32 = 0.03;
/// Distance of unit vectors: about a twentieth of a degree.
pub const NORMAL_TOLERANCE: f32 = 1e-3;
/// Shortly before ticks wrap.
pub const NOW: Ticks = Ticks(u32::MAX - 777);
/// Position and normal in world space.
pub type Vertex = [Vec3; 2];

pub fn baked(encoding: Encoding, storage: impl Into<Storage>) -> TextureSet {
    let character = throng_import::builtin::builtin("humanoid:1000").unwrap();
    let settings = BakeSettings {
        encoding,
        storage: storage.into(),
        clips: vec![0, 1],
        skinning: Method::Lbs.into(),
        rate: Rate::Hz(15.0),
        max_error_of_size: 0.003,
        ..BakeSettings::default()
    };
    let source = Source::in_memory("builtin:humanoid:1000");
    bake(&character, &settings, &source, &()).unwrap().set
}

/// Vertices of an instance: decoded on the CPU, and skinned in float64.
pub fn expected(set: &TextureSet, instance: &Instance) -> Vec<Vertex> {
    let clips = DecodeParams::of(set).clips;
    let at = |play: &Play| {
        let clip = &clips[play.clip() as usize];
        let time_secs = play.time_secs(clip.duration_secs, clip.looping, NOW);
        (play.clip() as usize, time_secs)
    };
    let first = at(&instance.play);
    let (second, weight) = match &instance.fade {
        Some(fade) => (at(&fade.to), fade.weight(NOW)),
        None => (first, 0.0),
    };
    let model = set.model();
    let mut bones = BonePose::rest(model);
    decode::fade_bones(set, [first, second], weight, &mut bones);
    let joints = ModelPose {
        model_from_joint: bones.model_from_joint,
    };
    let world_from_model = instance.world_from_model;
    let mut vertices = Vec::new();
    for part in model.parts() {
        let mut palette = Palette::default();
        palette.update(model.skin_of(part), &joints);
        let mut skinned = Skinned::default();
        let mesh = model.mesh_of(part);
        skin(Method::Lbs, mesh, &[], &palette, &mut skinned);
        let of_part = skinned.positions.iter().zip(&skinned.normals);
        vertices.extend(of_part.map(|(position, normal)| {
            let position = world_from_model.transform_point3(position.as_vec3());
            let normal = world_from_model.transform_vector3(normal.as_vec3());
            [position, normal.normalize()]
        }));
    }
    vertices
}

/// Fails where the vertices are not as many or not within the tolerances. Returns the largest distances of positions,
/// in millimetres, and of normals.
pub fn compare(found: &[Vertex], expected: &[Vertex]) -> Result<[f32; 2], String> {
    if found.len() != expected.len() {
        let (found, expected) = (found.len(), expected.len());
        return Err(format!("expected {expected} vertices, found {found}"));
    }
    let mut largest = [0.0_f32; 2];
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let errors = [
            1e3 * found[0].distance(expected[0]),
            found[1].distance(expected[1]),
        ];
        // Not the reverse: NaN must fail.
        if !(errors[0] <= TOLERANCE_MM && errors[1] <= NORMAL_TOLERANCE) {
            return Err(format!(
                "vertex {index}: expected {expected:?}, found {found:?}"
            ));
        }
        largest = [largest[0].max(errors[0]), largest[1].max(errors[1])];
    }
    Ok(largest)
}

/// The crowd that tests capture: as many instances as the module of the browser has.
pub fn instances() -> Vec<Instance> {
    throng_examples::instances(12, 2, NOW)
}

/// Vertices of the whole crowd.
pub fn expected_crowd(set: &TextureSet) -> Vec<Vertex> {
    let instances = instances();
    instances
        .iter()
        .flat_map(|one| expected(set, one))
        .collect()
}
