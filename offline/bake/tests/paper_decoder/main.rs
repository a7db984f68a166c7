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
mod compare;
mod dual_quaternion_shader;
mod files;
mod matrix_shader;
mod playback;
mod shader;
mod vertex_shader;

use common::{baked, builtin, reference_pose, try_baked};
use compare::{FLOAT32, compare, reference_of};
use files::Folder;
use shader::shader;
use throng_bake::{BakeError, BakeSettings, Preset, Rate, drawing_order};
use throng_format::TextureSet;
use throng_format::disk;
use throng_format::file::{FileFormat, Supercompression};
use throng_import::{ImportOptions, import_file};
use throng_rig::{LoopPolicy, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::{path_or_skip, shared_assets};

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

/// Writes a set as PNG files, and reads them as the paper's application would.
fn with_folder(set: &TextureSet, read: impl FnOnce(&Folder)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    disk::write_folder(set, &path, FileFormat::Png, Supercompression::None, &[]).unwrap();
    read(&Folder::open(&path));
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
            worst.assert_explained(&format!("{name} {which:?}"));
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
            worst.assert_explained(&format!("{name} {which:?}"));
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
            let length = f64::from(entry.frames - 1);
            // One frame before the end, the end, a frame later, and four loops later.
            for (shown, expected) in [
                (length - 1.0, entry.duration_secs - frame),
                (length, 0.0),
                (length + 1.0, frame),
                (4.0 * length + 2.0, 2.0 * frame),
            ] {
                let shown = shader.time_of(shown);
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
                    let limit =
                        shader.tolerance(shown, vertex).metres + FLOAT32 * set.manifest().size;
                    assert!(error <= limit, "{which:?} {shown}: {error} > {limit}");
                }
            }
        });
    }
}
