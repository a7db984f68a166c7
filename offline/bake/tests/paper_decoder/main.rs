//! P0's textures under P0's shaders: appendices B.2, C.2 and D.2 of the paper, written out in Rust, read the files of a set
//! and must agree with float64 skinning.
//!
//! The decoder uses nothing of ours but the files. The printed code is kept, names included; frames are moved by one column
//! for the metadata, which the printed code omits.
//!
//! **Error of a byte.** `x` from -1 to 1 is stored as `b = 127 x + 128 - d` with `0 <= d < 1` and read as `2 b / 255 - 1`,
//! which is `x + (1 - x - 2 d) / 255`: off by at most 2 / 255.

#[path = "../common/mod.rs"]
mod common;

mod bones;
mod dual_quaternion_shader;
mod files;
mod matrix_shader;
mod playback;
mod vertex_shader;

use common::{baked, builtin, reference_pose, try_baked};
use dual_quaternion_shader::DualQuaternionShader;
use files::Folder;
use glam::DVec3;
use matrix_shader::MatrixShader;
use throng_bake::{BakeError, BakeSettings, Preset, Rate, drawing_order};
use throng_format::TextureSet;
use throng_format::disk;
use throng_format::file::{FileFormat, Supercompression};
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, Influences, LoopPolicy, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{path_or_skip, shared_assets};
use vertex_shader::VertexShader;

/// Rounding of float32 sums, as a part of the character's size.
const FLOAT32: f64 = 2e-6;

/// Characters of Mixamo's kind in `shared/assets`: people of 20 to 70 joints, several meshes, up to four influences.
const PEOPLE: [&str; 5] = [
    "gltf/godot/mannequiny.glb",
    "gltf/kaykit/Knight.glb",
    "gltf/khronos/RiggedFigure.glb",
    "fbx/ozz/arnaud.fbx",
    "fbx/ufbx/maya_kenney_character_7700_binary.fbx",
];

fn preset(preset: Preset) -> BakeSettings {
    BakeSettings {
        preset: Some(preset),
        rate: Rate::Hz(15.0),
        max_side: 16_384,
        ..BakeSettings::default()
    }
}

/// The character with three influences per vertex, as the paper's shaders have.
fn with_three_influences(character: &Character) -> Character {
    let mut parts = character.clone().into_parts();
    for mesh in &mut parts.meshes {
        let influences = mesh.influences();
        let three = (0..mesh.vertex_count()).map(|vertex| {
            let heaviest = influences.of(vertex).take(3);
            heaviest.map(|(j, w)| (j as u32, w)).collect::<Vec<_>>()
        });
        let three = Influences::new(three).unwrap();
        mesh.set_influences(three).unwrap();
    }
    Character::new(parts).unwrap()
}

/// Writes a set as PNG files, and reads them as the paper's application would.
fn with_folder(set: &TextureSet, read: impl FnOnce(&Folder)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    disk::write_folder(set, &path, FileFormat::Png, Supercompression::None, &[]).unwrap();
    read(&Folder::open(&path));
}

/// Largest ratio of an error to its tolerance, and the largest error in metres.
#[derive(Debug, Default)]
struct Worst {
    ratio: f64,
    error: f64,
    normal_angle: f64,
}

impl Worst {
    fn add(&mut self, [position, normal]: [DVec3; 2], reference: [DVec3; 2], tolerance: f64) {
        let error = position.distance(reference[0]);
        assert!(error.is_finite());
        self.ratio = self.ratio.max(error / tolerance);
        self.error = self.error.max(error);
        if normal != DVec3::ZERO && reference[1] != DVec3::ZERO {
            self.normal_angle = self.normal_angle.max(normal.angle_between(reference[1]));
        }
    }
}

/// Shader of one part of a clip: number of vertices, a vertex at a time, and its tolerance in metres.
trait Shader {
    fn vertices(&self) -> usize;
    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2];
    fn tolerance(&self, time: f64, vertex: usize) -> f64;
}

impl Shader for VertexShader {
    fn vertices(&self) -> usize {
        self.vertices()
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        self.main(time, vertex)
    }

    fn tolerance(&self, _: f64, _: usize) -> f64 {
        self.tolerance()
    }
}

impl Shader for MatrixShader {
    fn vertices(&self) -> usize {
        self.vertices()
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        self.main(time, vertex)
    }

    fn tolerance(&self, _: f64, vertex: usize) -> f64 {
        self.tolerance(vertex)
    }
}

impl Shader for DualQuaternionShader {
    fn vertices(&self) -> usize {
        self.vertices()
    }

    fn main(&self, time: f64, vertex: usize) -> [DVec3; 2] {
        self.main(time, vertex)
    }

    fn tolerance(&self, time: f64, vertex: usize) -> f64 {
        self.tolerance(time, vertex)
    }
}

fn shader(preset: Preset, folder: &Folder, clip: usize, part: usize) -> Box<dyn Shader> {
    match preset {
        Preset::P0Vertex8 => Box::new(VertexShader::new(folder, clip, part)),
        Preset::P0Matrix8 => Box::new(MatrixShader::new(folder, clip, part)),
        _ => Box::new(DualQuaternionShader::new(folder, clip, part)),
    }
}

/// The reference of a preset: the character as its textures hold it, and the skinning method of its shader.
fn reference_of(character: &Character, which: Preset) -> (Character, Method) {
    match which {
        Preset::P0Vertex8 => (character.clone(), Method::Lbs),
        Preset::P0Matrix8 => (with_three_influences(character), Method::Lbs),
        _ => (with_three_influences(character), Method::Dqs),
    }
}

/// Compares every vertex at times of frames, given as indices. `character` must be in drawing order.
fn compare(character: &Character, which: Preset, settings: &BakeSettings) -> Worst {
    let set = baked(character, settings);
    let (character, method) = reference_of(character, which);
    let mut worst = Worst::default();
    with_folder(&set, |folder| {
        let size = set.manifest().size;
        for (clip, entry) in set.manifest().clips.iter().enumerate() {
            let source = settings.clips.get(clip).copied().unwrap_or(clip);
            for (index, part) in character.parts().iter().enumerate() {
                let shader = shader(which, folder, clip, index);
                let mut skinned = Skinned::default();
                // The last frame of a clip that wraps is the first.
                let frames = entry.frames - u32::from(entry.looping == LoopPolicy::Wrap);
                for frame in (0..frames.max(1)).step_by(3) {
                    let time = f64::from(frame) / entry.rate_hz.max(1e-9);
                    let pose = reference_pose(&character, source, time.min(entry.duration_secs));
                    skin_part(&character, part, &pose, method, &mut skinned);
                    assert_eq!(skinned.positions.len(), shader.vertices());
                    for vertex in 0..shader.vertices() {
                        let reference = [skinned.positions[vertex], skinned.normals[vertex]];
                        let tolerance = shader.tolerance(time, vertex) + FLOAT32 * size;
                        worst.add(shader.main(time, vertex), reference, tolerance);
                    }
                }
            }
        }
    });
    worst
}

const P0: [Preset; 3] = [Preset::P0Vertex8, Preset::P0Matrix8, Preset::P0Dq8];

/// Twist and bend: the closed forms of linear blending and of dual quaternions differ here most.
#[test]
fn cylinder_and_humanoid_are_within_the_error_of_their_bytes() {
    for name in ["cylinder", "humanoid:1000"] {
        let character = builtin(name);
        for which in P0 {
            let mut settings = preset(which);
            if which == Preset::P0Vertex8 {
                settings.skinning = Method::Lbs.into();
            }
            let worst = compare(&character, which, &settings);
            eprintln!("{name} {which:?}: {worst:?}");
            assert!(worst.ratio <= 1.0, "{name} {which:?}: {worst:?}");
        }
    }
}

/// Signs of dual quaternions are the hard part: joints of these files are turned by 90° or 180° in the bind pose.
#[test]
fn people_of_shared_assets_are_within_the_error_of_their_bytes() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for name in PEOPLE {
        let Some(path) = path_or_skip(assets.join(name), "a character") else {
            continue;
        };
        let imported = import_file(&path, &ImportOptions::default()).unwrap();
        let character = drawing_order(&imported.character);
        for which in P0 {
            let settings = BakeSettings {
                clips: (0..character.clips().len().min(3)).collect(),
                skinning: reference_of(&character, which).1.into(),
                ..preset(which)
            };
            if let Err(BakeError::NotHeld { joint, .. }) = try_baked(&character, &settings) {
                // Dual quaternions cannot scale a joint.
                assert_eq!(which, Preset::P0Dq8, "{name}: {joint}");
                continue;
            }
            let worst = compare(&character, which, &settings);
            eprintln!("{name} {which:?}: {worst:?}");
            assert!(worst.ratio <= 1.0, "{name} {which:?}: {worst:?}");
        }
    }
}

/// The shader wraps at the length of the first column: a loop goes from its last stored pose to its first, one frame apart,
/// and repeats after its duration.
#[test]
fn loops_play_without_a_pause_at_their_seam() {
    let character = builtin("humanoid:1000");
    for which in P0 {
        let settings = BakeSettings {
            skinning: reference_of(&character, which).1.into(),
            ..preset(which)
        };
        let set = baked(&character, &settings);
        let (character, method) = reference_of(&character, which);
        with_folder(&set, |folder| {
            let clips = set.manifest().clips.iter().enumerate();
            let mut wrapping = clips.filter(|(_, clip)| clip.looping == LoopPolicy::Wrap);
            let (clip, entry) = wrapping.next().expect("a clip that wraps");
            let shader = shader(which, folder, clip, 0);
            let mut skinned = Skinned::default();
            let frame = 1.0 / entry.rate_hz;
            // One frame before the end, the end, and a loop later.
            for (shown, expected) in [
                (entry.duration_secs - frame, entry.duration_secs - frame),
                (entry.duration_secs, 0.0),
                (entry.duration_secs + frame, frame),
                (4.0 * entry.duration_secs + 2.0 * frame, 2.0 * frame),
            ] {
                // The rate is stored to 1 / 65536 Hz.
                let off = shown / 65536.0 * 3.0;
                let pose = reference_pose(&character, clip, expected);
                skin_part(
                    &character,
                    &character.parts()[0],
                    &pose,
                    method,
                    &mut skinned,
                );
                for vertex in 0..shader.vertices() {
                    let [position, _] = shader.main(shown, vertex);
                    let error = position.distance(skinned.positions[vertex]);
                    let limit = shader.tolerance(shown, vertex) + off + FLOAT32;
                    assert!(error <= limit, "{which:?} {shown}: {error} > {limit}");
                }
            }
        });
    }
}
