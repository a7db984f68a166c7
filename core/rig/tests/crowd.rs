//! A crowd in float32 is posed as a character in float64 is.

mod common;

use common::{Moves, Noise, Tree, affine, any_times, character};
use glam::{DAffine3, DMat3, DVec3, Vec3};
use proptest::prelude::*;
use throng_rig::{Character, CharacterPose, Clip, CrowdClip, CrowdPalette, CrowdPose, Track};
use throng_simd::Level;

/// Half the distance from 1 to the next float32: what one rounding may do to a number of size one.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

/// How many roundings a joint may add to what its parent has, of the largest numbers that came into it.
/// A slerp, a matrix from it and a product are about 25 operations in a row, and roundings seldom all go
/// one way: 20 000 random characters came to 7.
///
/// For a person of 12 joints from root to fingertip that is less than 1e-5 of the way; real files come to
/// 7e-7 of size (throng-import, `fast_sampling`).
const ROUNDINGS_A_JOINT: f64 = 12.0;

fn largest(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .into_iter()
        .map(f64::abs)
        .fold(0.0, f64::max)
}

/// The largest numbers on the way from the root to a joint, over all keys of the clip.
#[derive(Clone, Copy)]
struct Reach {
    joints: f64,
    stretch: f64,
    length: f64,
}

fn reaches(character: &Character, clip: &Clip) -> Vec<Reach> {
    let mut reaches: Vec<Reach> = Vec::new();
    for (index, joint) in character.skeleton().joints().iter().enumerate() {
        let rest = joint.parent_from_joint;
        let tracks = clip.joints().iter().find(|tracks| tracks.joint == index);
        let most = |track: Option<&Track<Vec3>>, rest: DVec3| {
            // Between keys a spline goes further than at them.
            let values = track.map_or(&[][..], Track::values).iter();
            values
                .map(|v| 2.0 * v.as_dvec3().length())
                .fold(rest.length(), f64::max)
        };
        let length = most(
            tracks.and_then(|t| t.translation.as_ref()),
            rest.translation,
        );
        let stretch = most(tracks.and_then(|t| t.scale.as_ref()), rest.scale);
        let parent = joint.parent.map_or(
            Reach {
                joints: 0.0,
                stretch: 1.0,
                length: 0.0,
            },
            |parent: usize| reaches[parent],
        );
        reaches.push(Reach {
            joints: parent.joints + 1.0,
            stretch: parent.stretch * stretch.max(1.0),
            length: parent.length + parent.stretch * length,
        });
    }
    reaches
}

/// The error of the worst joint, in the pose and in the palette, in roundings a joint.
fn worst(
    character: &Character,
    times_secs: &[f64],
    pose: &CrowdPose,
    palette: &CrowdPalette,
) -> f64 {
    let clip = &character.clips()[0];
    let skin = &character.skins()[0];
    let reaches = reaches(character, clip);
    let mut reference = CharacterPose::rest(character);
    let mut worst: f64 = 0.0;
    let mut compare = |found: DAffine3, expected: DAffine3, reach: Reach| {
        assert!(found.is_finite(), "{found:?}");
        let turned = largest(&(found.matrix3 - expected.matrix3)) / reach.stretch;
        let moved = found.translation.distance(expected.translation) / reach.length;
        worst = worst.max(turned.max(moved) / (reach.joints * ROUNDING));
    };
    for (instance, &time_secs) in times_secs.iter().enumerate() {
        reference.sample(character, clip, time_secs);
        for (joint, &expected) in reference.model.model_from_joint.iter().enumerate() {
            let found = affine(&pose.model_from_joint(instance, joint));
            compare(found, expected, reaches[joint]);
        }
        let expected = reference.palettes[0].matrices();
        let found = palette.instance(instance);
        assert_eq!(found.len(), expected.len());
        for (entry, (found, &expected)) in found.iter().zip(expected).enumerate() {
            let reach = reaches[skin.joints()[entry]];
            let bind = skin.joint_from_bind()[entry];
            let reach = Reach {
                joints: reach.joints,
                stretch: reach.stretch * largest(&bind.matrix3).max(1.0),
                length: reach.length + reach.stretch * bind.translation.length(),
            };
            compare(affine(found), expected, reach);
        }
    }
    worst
}

/// Poses at every level, on one core and on all.
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
            worst < ROUNDINGS_A_JOINT,
            "{level}: {worst} roundings a joint"
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
        assert_eq!(palette.matrices(), parallel_palette.matrices());
    }
}

proptest! {
    #[test]
    fn a_crowd_is_posed_as_one_is(joints in 1..80usize, instances in 1..41usize, seed: u64) {
        let character = character(joints, Tree::Bushy, Moves::All, seed);
        let times = any_times(&mut Noise(seed ^ 1), &character.clips()[0], instances);
        check(&character, &times);
    }
}

#[test]
fn thousands_of_joints() {
    for (tree, moves) in [(Tree::Bushy, Moves::All), (Tree::Chain, Moves::Turn)] {
        let character = character(3000, tree, moves, 7);
        let times = any_times(&mut Noise(8), &character.clips()[0], 11);
        check(&character, &times);
    }
}
