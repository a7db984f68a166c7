//! docs/format.md is sufficient: `tools/python-decoder`, a decoder in Python written from it alone, finds the same vertices
//! and bones as the library's decoder.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use common::*;
use glam::{DAffine3, DQuat, DVec3};
use serde_json::Value;
use throng_bake::accuracy::{Playback, Played, SetPlayback};
use throng_bake::lod::add_levels;
use throng_bake::share::{ShareGoal, SharedCharacter, bake_shared};
use throng_bake::{BakeSettings, Boxes, DEFAULT_ERROR_OF_SIZE, Preset, Rate, Sides};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{
    ClipEntry, Encoding, FrameInterpolation, Metadata, Precision, Storage, TextureSet, disk,
};
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, LoopPolicy, Method, Skinning};
use throng_testkit::{shared_assets, workspace_root};

/// As a part of the character's size; absolute for normals and linear parts of bones.
const TOLERANCE: f64 = 1e-6;
/// The library decodes compressed curves in float32.
const COMPRESSED_TOLERANCE: f64 = 1e-5;

#[test]
fn every_encoding_in_every_file_format() {
    let humanoid = builtin("humanoid:1000");
    let mut sets = 0;
    for &encoding in Encoding::ALL {
        let frames = Precision::ALL.iter().copied().map(Storage::Frames);
        let all = frames.chain([Storage::Compressed]);
        for storage in all.filter(|storage| encoding.layouts().contains(&storage.layout())) {
            let set = baked(&humanoid, &run(encoding, storage));
            let first = set.textures()[0].format();
            for format in FileFormat::ALL {
                if format.can_hold(first) {
                    agrees_as(&set, format);
                    sets += 1;
                }
            }
        }
    }
    assert_eq!(sets, 12 + 12 + 24 + 2 * 3, "PNG, EXR, KTX2, compressed");
}

#[test]
fn sets_with_levels_of_detail() {
    let humanoid = builtin("humanoid:1000");
    for encoding in [Encoding::BoneQt, Encoding::Vertex] {
        let set = baked(&humanoid, &run(encoding, Precision::Unorm16));
        let levels = add_levels(set, &humanoid, &[0.4, 0.1], &()).unwrap();
        assert_eq!(levels.set.manifest().lods.len(), 2);
        agrees(&levels.set);
    }
}

#[test]
fn every_preset() {
    let humanoid = builtin("humanoid:1000");
    for preset in Preset::ALL {
        let settings = BakeSettings {
            preset: Some(preset),
            ..run(Encoding::Vertex, Precision::F32)
        };
        agrees(&baked(&humanoid, &settings));
    }
}

#[test]
fn layers_metadata_columns_ranges_loop_ends_and_interpolations() {
    type Change = fn(&mut BakeSettings);
    let humanoid = builtin("humanoid:1000");
    let changes: [(Encoding, Change); 11] = [
        (Encoding::Vertex, |s| s.max_side = 64),
        (Encoding::BoneQt, |s| s.max_side = 64),
        (Encoding::VertexRay, |s| s.metadata = Metadata::Column),
        (Encoding::BoneDq, |s| s.sides = Sides::PowerOfTwo),
        (Encoding::BoneMatrix, |s| s.boxes = Some(Boxes::PerBone)),
        (Encoding::BoneQt, |s| s.looping = Some(LoopPolicy::Once)),
        (Encoding::BoneQt, |s| {
            s.interpolation = Some(FrameInterpolation::Slerp);
        }),
        (Encoding::BoneMatrix, |s| {
            s.interpolation = Some(FrameInterpolation::Slerp);
        }),
        (Encoding::VirtualBones, |s| {
            s.interpolation = Some(FrameInterpolation::Nlerp);
        }),
        (Encoding::BoneMatrix, |s| {
            s.interpolation = Some(FrameInterpolation::SlerpVertices);
        }),
        (Encoding::VirtualBones, |s| {
            s.interpolation = Some(FrameInterpolation::SlerpVertices);
        }),
    ];
    for (encoding, change) in changes {
        let mut settings = run(encoding, Precision::Unorm16);
        settings.clips = vec![0, 2];
        change(&mut settings);
        agrees_as(&baked(&humanoid, &settings), FileFormat::Png);
    }
}

#[test]
fn set_in_one_file() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.glb");
    for settings in [
        run(Encoding::Vertex, Precision::F16),
        run(Encoding::BoneLocal, Storage::Compressed),
    ] {
        let set = baked(&builtin("humanoid:1000"), &settings);
        disk::write_glb(&set, &path).unwrap();
        compare(&set, &path, &python, "one file");
    }
}

#[test]
fn characters_that_share_a_motion_set() {
    let Some(python) = python() else { return };
    let characters = ["humanoid:600", "humanoid:1000"].map(builtin);
    let members = characters.each_ref().map(|character| SharedCharacter {
        label: &character.name,
        character,
        reference: character,
        source: source(),
        max_error_of_size: DEFAULT_ERROR_OF_SIZE,
    });
    for settings in [
        run(Encoding::BoneQt, Precision::Unorm16),
        run(Encoding::BoneLocal, Storage::Compressed),
    ] {
        let sets = bake_shared(&members, &ShareGoal::Bake(settings), &source(), &()).unwrap();
        let home = tempfile::tempdir().unwrap();
        let write = |set: &TextureSet, name: &str| {
            let (format, none) = (FileFormat::Ktx2, Supercompression::None);
            let path = home.path().join(name);
            disk::write_folder(set, &path, format, none, &[]).unwrap();
            path
        };
        let motion = write(&sets.motion.set, "motion.throng");
        let reference = disk::motion_reference(&motion).unwrap();
        let mut paths = Vec::new();
        for (name, character) in ["knight", "mage"].into_iter().zip(&sets.characters) {
            let set = character
                .set
                .clone()
                .with_motion(reference.clone())
                .unwrap();
            paths.push(write(&set, &format!("{name}.throng")));
            compare(&set, &paths[paths.len() - 1], &python, "shared");
        }
        // The decoder refuses a motion set that has changed.
        write(
            &sets.characters[0].set.without_mesh().unwrap(),
            "motion.throng",
        );
        let mut command = Command::new("python3");
        let output = command
            .arg("-B")
            .arg(&python)
            .arg(&paths[1])
            .args(["0", "0"]);
        let output = output.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success());
        assert!(
            complaint.contains("is another than it was baked with"),
            "{complaint}"
        );
    }
}

#[test]
fn morphs_of_bone_and_vertex_sets() {
    let character = morphing();
    for &encoding in Encoding::ALL {
        let settings = BakeSettings {
            rate: Rate::Hz(10.0),
            ..settings_of(encoding, encoding.default_storage())
        };
        agrees(&baked(&character, &settings));
    }
}

#[test]
fn slerp_of_vertices_with_morphs_scale_and_other_methods() {
    for character in [morphing(), scaling(DVec3::new(1.3, 0.7, 1.1))] {
        for skinning in [Skinning::AsAuthored, Method::Dqs.into()] {
            let settings = BakeSettings {
                interpolation: Some(FrameInterpolation::SlerpVertices),
                rate: Rate::Hz(6.0),
                skinning,
                ..settings_of(Encoding::BoneMatrix, Precision::F32)
            };
            agrees(&baked(&character, &settings));
        }
    }
}

#[test]
fn every_method_with_scaling_and_mirroring_joints() {
    for character in [
        scaling(DVec3::new(1.3, 0.7, 1.1)),
        scaling(DVec3::NEG_X + 0.8),
    ] {
        for method in [
            "lbs",
            "dqs",
            "dqs-plain",
            "dqs-direct",
            "dqs-sum",
            "blend:0.3",
            "blend-positions:0.3",
        ] {
            for encoding in [Encoding::BoneMatrix, Encoding::Vertex] {
                let settings = BakeSettings {
                    skinning: method.parse().unwrap(),
                    rate: Rate::Hz(10.0),
                    ..settings_of(encoding, Precision::F32)
                };
                agrees(&baked(&character, &settings));
            }
        }
    }
}

#[test]
fn shared_assets_decode_alike() {
    let Some(assets) = shared_assets() else {
        return;
    };
    for file in [
        "gltf/crafted_valid/negative_scale_joint.glb",
        "gltf/crafted_valid/shear_nonuniform_scale.glb",
        "gltf/crafted_valid/influences8_f32.glb",
        "gltf/khronos/AnimatedMorphCube.glb",
        "gltf/khronos/RecursiveSkeletons.glb",
        "fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx",
    ] {
        let imported = import_file(&assets.join(file), &ImportOptions::default()).unwrap();
        for (encoding, skinning) in [
            (Encoding::BoneQt, Skinning::AsAuthored),
            (Encoding::BoneMatrix, Method::Dqs.into()),
            (Encoding::Vertex, Skinning::AsAuthored),
        ] {
            let settings = BakeSettings {
                clips: vec![0],
                rate: Rate::Hz(6.0),
                skinning,
                ..settings_of(encoding, Precision::F32)
            };
            // Some encodings refuse some characters.
            match try_baked(&imported.character, &settings) {
                Ok(set) => agrees(&set),
                Err(error) => println!("{file}, {encoding}: {error}"),
            }
        }
    }
}

/// The running clip, at a few frames.
fn run(encoding: Encoding, storage: impl Into<Storage>) -> BakeSettings {
    BakeSettings {
        clips: vec![2],
        rate: Rate::Hz(15.0),
        ..settings_of(encoding, storage)
    }
}

/// Three joints that rotate, the middle one with a growing scale.
fn scaling(scale: DVec3) -> Character {
    let keys = |scale: DVec3, grown: DVec3| -> Keys {
        let keys = [(0.1, scale), (1.2, grown)];
        keys.map(|(turn, scale)| (DVec3::Y * 0.5, DQuat::from_rotation_z(turn), scale))
            .into()
    };
    chain(&[vec![
        keys(DVec3::ONE, DVec3::ONE),
        keys(scale, scale * 1.5),
        keys(DVec3::ONE, DVec3::ONE),
    ]])
}

/// Returns the decoder's path where there is a Python to run it. Elsewhere prints a line, or panics under `CI=true`.
fn python() -> Option<PathBuf> {
    static RUNS: LazyLock<bool> = LazyLock::new(|| {
        let output = Command::new("python3").arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    });
    if *RUNS {
        return Some(workspace_root().join("tools/python-decoder/throng_decode.py"));
    }
    throng_testkit::skip("python3 does not run");
    None
}

fn agrees(set: &TextureSet) {
    agrees_as(set, FileFormat::Ktx2);
}

fn agrees_as(set: &TextureSet, format: FileFormat) {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    disk::write_folder(set, &path, format, Supercompression::None, &[]).unwrap();
    compare(set, &path, &python, format.extension());
}

/// Plays the last clip in both decoders: at frames, between them and around the end.
fn compare(set: &TextureSet, path: &Path, python: &Path, what: &str) {
    let manifest = set.manifest();
    let clip = manifest.clips.len() - 1;
    let entry = &manifest.clips[clip];
    let frame = 1.0 / entry.rate_hz.max(1.0);
    let end = entry.duration_secs;
    let times = [frame, 2.3 * frame, end - 0.2 * frame, end + 1.6 * frame];

    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(python)
        .arg(path)
        .arg(clip.to_string());
    command
        .args(times.map(|time| time.to_string()))
        .arg("--bones");
    let output = command.output().unwrap();
    let subject = format!(
        "{} {} {} {what}, {}",
        manifest.name,
        manifest.encoding,
        manifest.storage(),
        manifest.method
    );
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{subject}: {complaint}");

    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), times.len(), "{subject}");
    let playback = SetPlayback::new(set);
    let mut player = playback.player();
    let mut played = Played::default();
    for (time, line) in times.into_iter().zip(said.lines()) {
        player.play(clip, looped(entry, time), &mut played);
        let decoded = serde_json::from_str(line).unwrap();
        compare_pose(set, &played, &decoded, &format!("{subject} at {time} s"));
    }
}

/// Returns the time in the clip: wrapping is the player's task, not the decoder's.
fn looped(clip: &ClipEntry, time_secs: f64) -> f64 {
    match clip.looping {
        LoopPolicy::Wrap => time_secs.rem_euclid(clip.duration_secs),
        LoopPolicy::Once => time_secs.clamp(0.0, clip.duration_secs),
    }
}

fn compare_pose(set: &TextureSet, played: &Played, decoded: &Value, subject: &str) {
    let tolerance = match set.manifest().storage() {
        Storage::Compressed => COMPRESSED_TOLERANCE,
        Storage::Frames(_) => TOLERANCE,
    };
    let size = set.manifest().size;
    let parts = decoded["parts"].as_array().unwrap();
    assert_eq!(parts.len(), played.parts.len(), "{subject}");
    for (part, decoded) in played.parts.iter().zip(parts) {
        let off = distance(&part.positions, &decoded["positions"]);
        assert!(off <= tolerance * size, "{subject}: {off} m");
        let off = distance(&part.normals, &decoded["normals"]);
        assert!(off <= tolerance, "{subject}: normals {off}");
    }
    let bones = decoded["model_from_joint"].as_array();
    assert_eq!(
        bones.map_or(0, Vec::len),
        played.model_from_joint.len(),
        "{subject}"
    );
    for (joint, bone) in bones.into_iter().flatten().enumerate() {
        let (bone, expected) = (affine(bone), played.model_from_joint[joint]);
        let off = bone.translation.distance(expected.translation);
        assert!(off <= tolerance * size, "{subject}: joint {joint} {off} m");
        let off = linear_difference(&bone, &expected);
        let largest = expected
            .matrix3
            .to_cols_array()
            .into_iter()
            .fold(1.0, f64::max);
        assert!(off <= tolerance * largest, "{subject}: joint {joint} {off}");
    }
}

/// Returns the largest distance between two vectors.
fn distance(expected: &[DVec3], found: &Value) -> f64 {
    let found = found.as_array().unwrap();
    assert_eq!(expected.len(), found.len());
    let distances = expected.iter().zip(found).map(|(expected, found)| {
        let distance = expected.distance(DVec3::from_slice(&numbers(found)));
        assert!(distance.is_finite());
        distance
    });
    distances.fold(0.0, f64::max)
}

/// Converts three rows of four.
fn affine(rows: &Value) -> DAffine3 {
    let rows = numbers(rows);
    let column = |c: usize| DVec3::new(rows[c], rows[4 + c], rows[8 + c]);
    DAffine3::from_cols(column(0), column(1), column(2), column(3))
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}
