//! Crowd sampling of real clips in float32 matches the float64 reference.

use glam::{DAffine3, DMat3, DVec3};
use throng_import::{ImportOptions, import_file};
use throng_rig::{Character, CharacterPose, Clip, CrowdClip, CrowdPalette, CrowdPose, Mat3x4};
use throng_simd::Level;
use throng_testkit::{files_below, shared_assets};

/// Maximum error of joints and skinned points, relative to the size of the skeleton. Float32 has a relative
/// error of 6e-8, and a chain has about 20 joints.
const TOLERANCE: f64 = 1e-5;

const TIMES_PER_CLIP: usize = 21;

fn affine(rows: &Mat3x4) -> DAffine3 {
    let column = |i: usize| DVec3::from(rows.map(|row| f64::from(row[i])));
    DAffine3 {
        matrix3: DMat3::from_cols(column(0), column(1), column(2)),
        translation: column(3),
    }
}

/// Returns the largest extent of the joints.
fn size(pose: &CharacterPose) -> f64 {
    let joints = pose.model.model_from_joint.iter().map(|m| m.translation);
    let (min, max) = joints.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| {
        (min.min(p), max.max(p))
    });
    (max - min).max_element()
}

/// Returns the maximum distance from the reference, relative to the size of the skeleton.
fn worst(character: &Character, clip: &Clip, level: Level) -> f64 {
    let crowd = CrowdClip::new(character.skeleton(), clip).with_simd_level(level);
    let step = clip.duration_secs() / (TIMES_PER_CLIP - 3) as f64;
    let times: Vec<f64> = (0..TIMES_PER_CLIP)
        .map(|i| clip.start_secs() + (i as f64 - 1.0) * step)
        .collect();
    let mut pose = CrowdPose::default();
    crowd.sample(&times, &mut pose);
    let mut palettes = vec![CrowdPalette::with_simd_level(level); character.skins().len()];
    for (palette, skin) in palettes.iter_mut().zip(character.skins()) {
        palette.update(skin, &pose);
    }
    let mut reference = CharacterPose::rest(character);
    let size = size(&reference);
    let mut worst: f64 = 0.0;
    for (instance, &time_secs) in times.iter().enumerate() {
        reference.sample(character, clip, time_secs);
        for (joint, expected) in reference.model.model_from_joint.iter().enumerate() {
            let found = affine(&pose.model_from_joint(instance, joint));
            worst = worst.max(found.translation.distance(expected.translation) / size);
        }
        for ((palette, expected), skin) in palettes
            .iter()
            .zip(&reference.palettes)
            .zip(character.skins())
        {
            let entries = palette.instance(instance).iter().zip(expected.matrices());
            for ((found, expected), &bound_at) in entries.zip(skin.bind_positions()) {
                let found = affine(found).transform_point3(bound_at);
                let expected = expected.transform_point3(bound_at);
                worst = worst.max(found.distance(expected) / size);
            }
        }
    }
    worst
}

#[test]
fn crowd_sampling_of_real_clips_matches_the_reference() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let wanted = ["Knight.glb", "mannequiny.glb", "cubicspline_trs_skin.glb"];
    let files = files_below(&assets.join("gltf"), &["glb"]).into_iter();
    let files: Vec<_> = files
        .filter(|file| wanted.iter().any(|name| file.ends_with(name)))
        .collect();
    assert_eq!(files.len(), wanted.len());
    for file in files {
        let character = import_file(&file, &ImportOptions::default())
            .unwrap_or_else(|error| panic!("{error}"))
            .character;
        assert!(!character.clips().is_empty());
        for level in Level::available() {
            let clips = character.clips().iter();
            let worst = clips
                .map(|clip| worst(&character, clip, level))
                .fold(0.0, f64::max);
            println!("{worst:9.2e} of size  {level:<9} {}", file.display());
            assert!(worst < TOLERANCE, "{}: {worst:.2e}", file.display());
        }
    }
}
