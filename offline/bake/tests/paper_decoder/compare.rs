//! Every vertex of a set under the paper's shader, against float64 skinning at frames and against the frames between them.

use glam::{DMat3, DVec3};
use throng_bake::{BakeSettings, Preset};
use throng_rig::{Character, CharacterPose, Influences, LoopPolicy, Mesh, Method, Part};
use throng_skin::reference::{Skinned, skin_part};

use super::common::{baked, reference_pose};
use super::shader::{Shader, shader};
use super::with_folder;

/// Rounding of float32 sums, as a part of the character's size.
pub const FLOAT32: f64 = 2e-6;

/// Rounding of normals, which are stored as float32, in radians.
const FLOAT32_ANGLE: f64 = 1e-5;

/// Largest ratios of errors to their tolerances, and largest errors.
#[derive(Debug, Default)]
pub struct Worst {
    /// Of positions at frames.
    pub ratio: f64,
    /// Of normals at frames.
    pub normal_ratio: f64,
    /// Of positions half way between frames.
    pub between_ratio: f64,
    pub error_m: f64,
    pub normal_angle: f64,
}

impl Worst {
    /// Asserts that all errors are explained by the bytes.
    #[track_caller]
    pub fn assert_explained(&self, what: &str) {
        let ratios = [self.ratio, self.normal_ratio, self.between_ratio];
        assert!(ratios.iter().all(|&r| r <= 1.0), "{what}: {self:?}");
    }
}

/// The reference of a preset: the character as its textures hold it, and the skinning method of its shader.
pub fn reference_of(character: &Character, which: Preset) -> (Character, Method) {
    match which {
        Preset::P0Vertex8 => (with_meshes(character, merge_normals), Method::Lbs),
        Preset::P0Matrix8 => (with_meshes(character, keep_three_influences), Method::Lbs),
        _ => (with_meshes(character, keep_three_influences), Method::Dqs),
    }
}

fn with_meshes(character: &Character, change: impl Fn(&mut Mesh)) -> Character {
    let mut parts = character.clone().into_parts();
    parts.meshes.iter_mut().for_each(change);
    Character::new(parts).unwrap()
}

/// One normal per true index.
fn merge_normals(mesh: &mut Mesh) {
    mesh.merge_normals();
}

/// Three influences per vertex, as the paper's bone shaders have.
fn keep_three_influences(mesh: &mut Mesh) {
    let influences = mesh.influences();
    let three = (0..mesh.vertex_count()).map(|vertex| {
        let heaviest = influences.of(vertex).take(3);
        heaviest.map(|(j, w)| (j as u32, w)).collect::<Vec<_>>()
    });
    let three = Influences::new(three).unwrap();
    mesh.set_influences(three).unwrap();
}

/// Normal of a vertex by the blended matrix itself, as the paper's matrix shader has it; the reference uses cofactors.
fn normal_by_matrix(
    character: &Character,
    part: &Part,
    pose: &CharacterPose,
    vertex: usize,
) -> DVec3 {
    let (mesh, skin) = (character.mesh_of(part), character.skin_of(part));
    let influences = mesh.influences().of(vertex);
    let blended = influences.fold(DMat3::ZERO, |sum, (palette_index, weight)| {
        let model_from_joint = pose.model.model_from_joint[skin.joints()[palette_index]];
        sum + (model_from_joint * skin.joint_from_bind()[palette_index]).matrix3 * weight
    });
    (blended * mesh.normals()[vertex].as_dvec3()).normalize_or_zero()
}

/// Compares every vertex at every frame with float64 skinning, and half way between frames with both of them.
/// `character` must be in drawing order.
pub fn compare(character: &Character, which: Preset, settings: &BakeSettings) -> Worst {
    let set = baked(character, settings);
    let (character, method) = reference_of(character, which);
    let mut worst = Worst::default();
    with_folder(&set, |folder| {
        let size = set.manifest().size;
        for (clip, entry) in set.manifest().clips.iter().enumerate() {
            let source = settings.clips.get(clip).copied().unwrap_or(clip);
            // The last frame of a clip that wraps is the first.
            let wraps = entry.looping == LoopPolicy::Wrap && entry.frames > 1;
            let frames = entry.frames - u32::from(wraps);
            for (index, part) in character.parts().iter().enumerate() {
                let shader = shader(which, folder, clip, index);
                let timing = shader.timing();
                assert_eq!(timing.animation_length, frames as usize);
                // The rate is stored to 1 / 65536 Hz.
                assert!((timing.frame_rate - entry.rate_hz).abs() <= 0.5 / 65536.0);
                let mut skinned = Skinned::default();
                for frame in 0..frames {
                    let time = f64::from(frame) / entry.rate_hz.max(1e-9);
                    let pose = reference_pose(&character, source, time.min(entry.duration_secs));
                    skin_part(&character, part, &pose, method, &mut skinned);
                    if which == Preset::P0Matrix8 {
                        for (vertex, normal) in skinned.normals.iter_mut().enumerate() {
                            *normal = normal_by_matrix(&character, part, &pose, vertex);
                        }
                    }
                    at_frame(&*shader, frame, &skinned, FLOAT32 * size, &mut worst);
                }
                let pairs = frames - u32::from(!wraps);
                between_frames(&*shader, pairs, FLOAT32 * size, &mut worst);
            }
        }
    });
    worst
}

/// Compares a frame with float64 skinning.
fn at_frame(
    shader: &dyn Shader,
    frame: u32,
    reference: &Skinned,
    rounding_m: f64,
    worst: &mut Worst,
) {
    let time = shader.time_of(frame.into());
    assert_eq!(reference.positions.len(), shader.vertices());
    for vertex in 0..shader.vertices() {
        let [position, normal] = shader.main(time, vertex);
        let tolerance = shader.tolerance(time, vertex);
        let error_m = position.distance(reference.positions[vertex]);
        assert!(error_m.is_finite());
        worst.error_m = worst.error_m.max(error_m);
        let ratio = error_m / (tolerance.metres + rounding_m);
        worst.ratio = worst.ratio.max(ratio);
        let expected = reference.normals[vertex];
        if normal != DVec3::ZERO && expected != DVec3::ZERO {
            let angle = normal.angle_between(expected);
            worst.normal_angle = worst.normal_angle.max(angle);
            let ratio = angle / (tolerance.normal_angle + FLOAT32_ANGLE);
            worst.normal_ratio = worst.normal_ratio.max(ratio);
        }
    }
}

/// Compares the middle between each frame and the next, which is the first after the last, with both frames.
///
/// A vertex goes from one to the other on a line, or by up to half a turn about an axis while it moves along the axis. From
/// every point of either path the ends are at least a right angle apart, so the path is in the ball whose diameter is the
/// line between them (Thales). Dual quaternions whose signs differ would go the other way about, or cancel.
/// Each of the three points is off by the tolerance of its bytes.
fn between_frames(shader: &dyn Shader, pairs: u32, rounding_m: f64, worst: &mut Worst) {
    let decode = |frame: f64| -> Vec<DVec3> {
        let time = shader.time_of(frame);
        let vertices = 0..shader.vertices();
        vertices
            .map(|vertex| shader.main(time, vertex)[0])
            .collect()
    };
    let mut from = decode(0.0);
    for pair in 0..pairs {
        let frames = [0.0, 0.5, 1.0].map(|step| f64::from(pair) + step);
        let (middle, to) = (decode(frames[1]), decode(frames[2]));
        for vertex in 0..shader.vertices() {
            let radius = 0.5 * from[vertex].distance(to[vertex]);
            let center = from[vertex].midpoint(to[vertex]);
            let outside = middle[vertex].distance(center) - radius;
            assert!(outside.is_finite());
            if outside <= rounding_m {
                continue;
            }
            let bytes = frames.map(|frame| shader.tolerance(shader.time_of(frame), vertex).metres);
            let allowed = bytes.iter().sum::<f64>() + rounding_m;
            worst.between_ratio = worst.between_ratio.max(outside / allowed);
        }
        from = to;
    }
}
