//! P3's virtual bones: files that a decoder written from the paper reads, against float64 skinning.

#[path = "../common/mod.rs"]
mod common;
mod files;

use std::path::Path;

use common::*;
use files::Files;
use glam::{DAffine3, DMat3, DVec3};
use throng_bake::{BakeSettings, Preset, Rate, drawing_order};
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{TextureSet, disk};
use throng_import::ImportOptions;
use throng_rig::{Character, Method, Skin};
use throng_skin::reference::{Skinned, skin_part};

fn settings(preset: Preset) -> BakeSettings {
    BakeSettings {
        preset: Some(preset),
        rate: Rate::Hz(10.0),
        skinning: Method::Lbs.into(),
        ..BakeSettings::default()
    }
}

fn imported(path: &str, max_influences: usize) -> Character {
    let options = ImportOptions {
        max_influences: Some(max_influences),
        ..ImportOptions::default()
    };
    let imported = throng_import::import(path, &options);
    let imported = imported.unwrap_or_else(|error| panic!("{path}: {error}"));
    drawing_order(&imported.character)
}

fn written(set: &TextureSet, folder: &Path) -> Files {
    let none = Supercompression::None;
    disk::write_folder(set, folder, FileFormat::Ktx2, none, &[]).unwrap();
    Files::read(folder)
}

/// Largest distance from float64 skinning over all vertices at all frames, and the largest coordinate.
fn largest_error(files: &Files, set: &TextureSet, character: &Character) -> [f64; 2] {
    let (mut error, mut reach) = (0.0_f64, 0.0_f64);
    let mut skinned = Skinned::default();
    for (clip, entry) in set.manifest().clips.iter().enumerate() {
        for (frame, time) in frame_times(set, clip).into_iter().enumerate() {
            let pose = reference_pose(character, clip, time);
            let row = 1 + entry.first_frame as usize + frame;
            for (part, mesh) in character.parts().iter().zip(&files.meshes) {
                skin_part(character, part, &pose, Method::Lbs, &mut skinned);
                for (vertex, expected) in skinned.positions.iter().enumerate() {
                    let (position, _) = files.vertex(mesh, vertex, row);
                    error = error.max(position.distance(*expected));
                    let rest = mesh.positions[vertex];
                    reach = reach.max(expected.abs().max(rest.abs()).max_element());
                }
            }
        }
    }
    [error, reach]
}

/// Axes are float32: θ and φ are each off by at most √3 · 2⁻²⁵, their cross product by twice that, and the product with
/// the rest pose by twice as much again: 3.6e-7 of the lever. Positions are off by 2⁻²⁴ of the reach, at rest and in the
/// pose, and each of three weights by 2⁻²⁵.
const FLOAT_TOLERANCE: f64 = 1e-6;

/// Axes of 16 bits are off by √3 · 2⁻¹⁶ instead, 2⁹ times as much.
const UNORM16_TOLERANCE: f64 = 512.0 * 3.6e-7;

/// Largest strain that palette matrices give to vertices, relative to the first frame of each: joints of files scale by
/// nearly one, as chains of float32 scales do, and virtual bones leave this out.
fn strain(set: &TextureSet, character: &Character) -> f64 {
    let mut strain = 0.0_f64;
    for part in character.parts() {
        let skin = character.skin_of(part);
        let mut first: Vec<f64> = Vec::new();
        for clip in 0..set.manifest().clips.len() {
            for time in frame_times(set, clip) {
                let pose = reference_pose(character, clip, time);
                let joints = skin.joints().iter().zip(skin.joint_from_bind());
                for (index, (&joint, joint_from_bind)) in joints.enumerate() {
                    let model_from_joint = pose.model.model_from_joint[joint].matrix3;
                    let matrix = model_from_joint * joint_from_bind.matrix3;
                    if first.len() == index {
                        first.push(matrix.determinant().cbrt());
                    }
                    let unit = matrix * (1.0 / first[index]);
                    let square = unit.transpose() * unit - DMat3::IDENTITY;
                    let entries = square.to_cols_array().into_iter();
                    strain = entries.fold(strain, |a, x| a.max(x.abs()));
                }
            }
        }
    }
    // The square of a strain e is off by 2 e; three entries act on a vector.
    3.0_f64.sqrt() * 0.5 * strain
}

#[track_caller]
fn assert_matches(character: &Character, preset: Preset) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let set = baked(character, &settings(preset));
    let files = written(&set, &folder.path().join("set"));
    let [error, reach] = largest_error(&files, &set, character);
    let tolerance = match preset {
        Preset::P3VirtualBonesSplit => UNORM16_TOLERANCE,
        _ => FLOAT_TOLERANCE,
    };
    let tolerance = tolerance + strain(&set, character);
    let relative = error / reach;
    println!(
        "{}: {relative:.2e} of {reach:.2} m, expected {tolerance:.2e}",
        character.name
    );
    assert!(relative < tolerance, "{relative}");
    files
}

#[test]
fn paper_decoder_reads_the_cylinder_and_the_humanoid() {
    for name in ["builtin:cylinder", "builtin:humanoid:1000"] {
        let character = imported(name, 4);
        let files = assert_matches(&character, Preset::P3VirtualBones);
        assert_eq!(files.bones.vk_format, 106);
        assert_eq!(files.weights.as_ref().unwrap().vk_format, 106);
        // Three planes of n texels in rows of a power of two, below the rest pose.
        assert_eq!(files.bones.width, (3 * files.bones()).next_power_of_two());
    }
}

#[test]
fn paper_decoder_reads_real_characters() {
    let Some(assets) = throng_testkit::shared_assets() else {
        return;
    };
    for path in REAL_CHARACTERS {
        let character = imported(&assets.join(path).display().to_string(), 4);
        assert_matches(&first_clip(character), Preset::P3VirtualBones);
    }
}

const REAL_CHARACTERS: [&str; 5] = [
    "gltf/khronos/Fox.glb",
    "gltf/khronos/RiggedFigure.glb",
    "gltf/three/RobotExpressive.glb",
    "gltf/crafted_valid/influences8_f32.glb",
    "fbx/quaternius/Bat.fbx",
];

fn first_clip(character: Character) -> Character {
    let mut parts = character.into_parts();
    parts.clips.truncate(1);
    Character::new(parts).unwrap()
}

#[test]
fn colours_of_the_mesh_are_the_second_set() {
    let mut parts = imported("builtin:cylinder", 4).into_parts();
    let mesh = &mut parts.meshes[0];
    let color = |vertex: usize| [vertex as f32 / 10_000.0, 0.25, 0.5, 1.0];
    let colors: Vec<_> = (0..mesh.vertex_count()).map(color).collect();
    mesh.set_colors(colors.clone()).unwrap();
    let character = first_clip(Character::new(parts).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let set = baked(&character, &settings(Preset::P3VirtualBones));
    let files = written(&set, &path);
    assert!(files.meshes[0].own_colors.as_ref() == Some(&colors));
    let again = disk::read(&path).unwrap();
    assert!(again.model().meshes()[0].colors() == colors);
    assert!(again.bone_colors() == [files.meshes[0].colors.clone()]);
}

/// One file holds the same texels and the same mesh as a folder.
#[test]
fn one_file_equals_the_folder() {
    let character = first_clip(imported("builtin:humanoid:1000", 4));
    let folder = tempfile::tempdir().unwrap();
    for preset in [Preset::P3VirtualBones, Preset::P3VirtualBonesSplit] {
        let set = baked(&character, &settings(preset));
        let glb = folder.path().join("set.glb");
        disk::write_glb(&set, &glb).unwrap();
        let again = disk::read(&glb).unwrap();
        assert!(again.textures() == set.textures());
        assert!(again.mesh() == set.mesh());
        for format in [FileFormat::Exr, FileFormat::Ktx2] {
            let path = folder.path().join(format!("{}-{format}", preset.name()));
            disk::write_folder(&set, &path, format, Supercompression::None, &[]).unwrap();
            assert!(disk::read(&path).unwrap().textures() == set.textures());
        }
    }
}

#[test]
fn files_hold_three_channels_and_gpus_four() {
    let set = baked(
        &first_clip(imported("builtin:cylinder", 4)),
        &settings(Preset::P3VirtualBones),
    );
    for texture in set.textures() {
        let texels = texture.texel_count();
        assert_eq!(texture.bytes().len(), 12 * texels);
        assert_eq!(texture.gpu_bytes(), 16 * texels as u64);
    }
}

#[test]
fn one_influence_needs_no_weights() {
    for name in ["builtin:cylinder", "builtin:humanoid:1000"] {
        let files = assert_matches(&imported(name, 1), Preset::P3VirtualBones);
        assert!(files.weights.is_none());
        assert_eq!(files.manifest["layout"]["bones"]["color_bones"], 1);
        for mesh in &files.meshes {
            assert!(mesh.uv2.is_none());
            assert!(mesh.colors.iter().all(|color| color[1..] == [0; 3]));
        }
    }
}

#[test]
fn rotations_and_translations_can_be_apart() {
    for name in ["builtin:cylinder", "builtin:humanoid:1000"] {
        let files = assert_matches(&imported(name, 4), Preset::P3VirtualBonesSplit);
        let (rotations, translations) = (&files.bones, files.translations.as_ref().unwrap());
        assert_eq!((rotations.vk_format, translations.vk_format), (84, 106));
        assert_eq!(rotations.width, (2 * files.bones()).next_power_of_two());
        assert_eq!(translations.width, files.bones().next_power_of_two());
        assert_eq!(rotations.height, translations.height);
    }
}

/// The paper's sum of rotated normals is ours where a vertex has one influence.
#[test]
fn normals_of_one_influence_are_rotated() {
    let character = first_clip(imported("builtin:humanoid:1000", 1));
    let folder = tempfile::tempdir().unwrap();
    let set = baked(&character, &settings(Preset::P3VirtualBones));
    let files = written(&set, &folder.path().join("set"));
    let mut skinned = Skinned::default();
    let time = frame_times(&set, 0)[3];
    let pose = reference_pose(&character, 0, time);
    for (part, mesh) in character.parts().iter().zip(&files.meshes) {
        skin_part(&character, part, &pose, Method::Lbs, &mut skinned);
        for (vertex, expected) in skinned.normals.iter().enumerate() {
            let (_, normal): (DVec3, DVec3) = files.vertex(mesh, vertex, 4);
            assert!(normal.distance(*expected) < 1e-6);
        }
    }
}

/// The character with a second skin, whose bind pose is elsewhere, and a second part with the same mesh there.
fn bound_twice(character: Character) -> Character {
    let offset = DVec3::new(0.3, 0.2, 0.1);
    let mut parts = character.into_parts();
    let skin = parts.skins[0].clone();
    let matrices = skin.joint_from_bind().iter();
    let matrices = matrices.map(|matrix| *matrix * DAffine3::from_translation(-offset));
    let joints = skin.joints().to_vec();
    let second = Skin::new(
        skin.name.clone(),
        &parts.skeleton,
        joints,
        matrices.collect(),
    );
    parts.skins.push(second.unwrap());
    let mut part = parts.parts[0].clone();
    part.skin = parts.skins.len() - 1;
    parts.parts.push(part);
    Character::new(parts).unwrap()
}

#[test]
fn joints_bound_in_two_poses_are_two_bones_each() {
    let character = first_clip(imported("builtin:cylinder", 4));
    let once = assert_matches(&character, Preset::P3VirtualBones).bones();
    let character = bound_twice(character);
    let files = assert_matches(&character, Preset::P3VirtualBones);
    assert_eq!(files.bones(), 2 * once);
    let bones = files.manifest["layout"]["bones"]["bones"]
        .as_array()
        .unwrap();
    assert_eq!(bones[0]["joint"], bones[1]["joint"]);
    // Both bones give the joint its pose.
    let set = baked(&character, &settings(Preset::P3VirtualBones));
    for time in frame_times(&set, 0) {
        let (pose, reference) = (
            decoded_bones(&set, 0, time),
            reference_pose(&character, 0, time),
        );
        for joint in bone_joints(&set) {
            let found = pose.model_from_joint[joint];
            assert!(found.abs_diff_eq(reference.model.model_from_joint[joint], 1e-5));
        }
    }
}

/// A mesh in centimetres under a skin that scales by a hundredth becomes a mesh in metres.
#[test]
fn common_scale_of_a_skin_goes_into_the_rest_mesh() {
    let mut parts = first_clip(imported("builtin:cylinder", 4)).into_parts();
    let plain = parts.meshes[0].positions().to_vec();
    let skin = &parts.skins[0];
    let metres_from_centimetres = DAffine3::from_scale(DVec3::splat(0.01));
    let matrices = skin.joint_from_bind().iter();
    let matrices = matrices.map(|matrix| *matrix * metres_from_centimetres);
    let joints = skin.joints().to_vec();
    let scaled = Skin::new(
        skin.name.clone(),
        &parts.skeleton,
        joints,
        matrices.collect(),
    );
    parts.skins[0] = scaled.unwrap();
    parts.meshes[0].scale_positions(100.0);
    let files = assert_matches(&Character::new(parts).unwrap(), Preset::P3VirtualBones);
    for (found, expected) in files.meshes[0].positions.iter().zip(plain) {
        assert!(found.distance(expected.as_dvec3()) < 1e-6);
    }
}
