//! Poses of a crowd in float32 against poses of one character in float64.

mod common;

use common::bounds::{ChainBounds, ROUNDING, chain_bounds, largest};
use common::{Channels, Noise, Tree, affine, any_times, character};
use glam::DAffine3;
use proptest::prelude::*;
use throng_rig::{Character, CharacterPose, CrowdClip, CrowdPalette, CrowdPose};
use throng_simd::Level;

/// Largest error per joint along a chain, in roundings of the largest numbers involved. A slerp, a matrix from it
/// and a product are about 25 operations, whose roundings seldom have the same sign: 20 000 random characters had
/// at most 7.
///
/// For a person with 12 joints from root to fingertip that is less than 1e-5 of the length. Real files have at most
/// 7e-7 of size (throng-import, `fast_sampling`).
const ROUNDINGS_PER_JOINT: f64 = 12.0;

/// Returns the largest error of a joint in the pose and in the palette, in roundings per joint.
fn worst(
    character: &Character,
    times_secs: &[f64],
    pose: &CrowdPose,
    palette: &CrowdPalette,
) -> f64 {
    let clip = &character.clips()[0];
    let skin = &character.skins()[0];
    let bounds = chain_bounds(character, clip);
    let mut reference = CharacterPose::rest(character);
    let mut worst: f64 = 0.0;
    let mut compare = |found: DAffine3, expected: DAffine3, bounds: ChainBounds| {
        assert!(found.is_finite(), "{found:?}");
        let linear = largest(&(found.matrix3 - expected.matrix3)) / bounds.stretch;
        let translation = found.translation.distance(expected.translation) / bounds.length;
        worst = worst.max(linear.max(translation) / (bounds.joints * ROUNDING));
    };
    for (instance, &time_secs) in times_secs.iter().enumerate() {
        reference.sample(character, clip, time_secs);
        for (joint, &expected) in reference.model.model_from_joint.iter().enumerate() {
            let found = affine(&pose.model_from_joint(instance, joint));
            compare(found, expected, bounds[joint]);
        }
        let expected = reference.palettes[0].matrices();
        let found = palette.instance(instance);
        assert_eq!(found.len(), expected.len());
        for (index, (found, &expected)) in found.iter().zip(expected).enumerate() {
            let joint = bounds[skin.joints()[index]];
            let bind = skin.joint_from_bind()[index];
            let bounds = ChainBounds {
                joints: joint.joints,
                stretch: joint.stretch * largest(&bind.matrix3).max(1.0),
                length: joint.length + joint.stretch * bind.translation.length(),
            };
            compare(affine(found), expected, bounds);
        }
    }
    worst
}

/// Checks poses at every level, on one core and on all.
fn check(character: &Character, times_secs: &[f64]) {
    let (skeleton, clip) = (character.skeleton(), &character.clips()[0]);
    let skin = &character.skins()[0];
    for level in Level::available() {
        let crowd = CrowdClip::new(skeleton, clip).with_simd_level(level);
        let mut pose = CrowdPose::default();
        crowd.sample(times_secs, &mut pose);
        let mut palette = CrowdPalette::with_simd_level(level);
        palette.update(skin, &pose);
        assert_eq!(
            (pose.instance_count(), pose.joint_count()),
            (times_secs.len(), skeleton.len())
        );
        let worst = worst(character, times_secs, &pose, &palette);
        assert!(
            worst < ROUNDINGS_PER_JOINT,
            "{level}: {worst} roundings per joint"
        );

        let mut parallel = CrowdPose::default();
        crowd.sample_parallel(times_secs, &mut parallel);
        let mut parallel_palette = CrowdPalette::with_simd_level(level);
        parallel_palette.update_parallel(skin, &parallel);
        for instance in 0..times_secs.len() {
            for joint in 0..skeleton.len() {
                let bits = |pose: &CrowdPose| {
                    pose.model_from_joint(instance, joint)
                        .map(|row| row.map(f32::to_bits))
                };
                assert_eq!(bits(&pose), bits(&parallel));
            }
        }
        for instance in 0..times_secs.len() {
            assert_eq!(
                palette.instance(instance),
                parallel_palette.instance(instance)
            );
        }
    }
}

proptest! {
    #[test]
    fn crowd_matches_single_characters(joints in 1..80usize, instances in 1..41usize, seed: u64) {
        let character = character(joints, Tree::Bushy, Channels::All, seed);
        let times = any_times(&mut Noise(seed ^ 1), &character.clips()[0], instances);
        check(&character, &times);
    }
}

#[test]
fn crowd_with_thousands_of_joints_matches_single_characters() {
    for (tree, channels) in [
        (Tree::Bushy, Channels::All),
        (Tree::Chain, Channels::Rotation),
    ] {
        let character = character(3000, tree, channels, 7);
        let times = any_times(&mut Noise(8), &character.clips()[0], 11);
        check(&character, &times);
    }
}
