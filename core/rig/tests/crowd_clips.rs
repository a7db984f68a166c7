//! Crowds of several clips, cross-fades and morph weights in float32 against single characters in float64.

mod common;

use common::bounds::{ChainBounds, ROUNDING, chain_bounds, largest};
use common::{Channels, Noise, Tree, affine, any_times, character};
use proptest::prelude::*;
use throng_rig::{
    Character, CharacterPose, Clip, CrowdClips, CrowdFade, CrowdPalette, CrowdPlay, CrowdPose,
    Interpolation, LocalPose, MorphTrack, Palette, svd,
};
use throng_simd::Level;

/// Largest error per joint along a chain, as in `crowd.rs`; a blend of two transforms has about 12 operations more.
const ROUNDINGS_PER_JOINT: f64 = 18.0;

/// Number of clips.
const CLIPS: usize = 3;

/// Random weights of two morph sets, with every interpolation.
fn morphs(noise: &mut Noise) -> Vec<MorphTrack> {
    let kinds = [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CubicSpline,
    ];
    let mut tracks = Vec::new();
    for (set, per_key) in [(0, 2), (1, 3)] {
        if noise.chance(0.3) {
            continue;
        }
        let kind = kinds[noise.below(3)];
        let keys = 1 + noise.below(5);
        let times = (0..keys).map(|key| 0.3 * key as f64 + 0.1).collect();
        let values = keys * per_key * kind.values_per_key();
        let weights = (0..values)
            .map(|_| noise.within(-1.0, 1.0) as f32)
            .collect();
        tracks.push(MorphTrack::new(set, times, weights, per_key, kind).unwrap());
    }
    tracks
}

/// A character with several clips and two morph sets.
fn with_clips(joints: usize, channels: Channels, seed: u64) -> Character {
    let mut noise = Noise(seed);
    let mut parts = character(joints, Tree::Bushy, channels, seed).into_parts();
    parts.morph_sets = vec![
        (String::new(), vec![0.25, 0.0]),
        (String::new(), vec![0.5; 3]),
    ];
    parts.clips = (0..CLIPS as u64)
        .map(|clip| {
            let other = character(joints, Tree::Bushy, channels, seed ^ (clip << 32));
            let tracks = other.clips()[0].joints().to_vec();
            Clip::new(String::new(), tracks, morphs(&mut noise)).unwrap()
        })
        .collect();
    Character::new(parts).unwrap()
}

/// Random clips and times; half of the instances fade.
fn plays(noise: &mut Noise, character: &Character, instances: usize) -> Vec<CrowdPlay> {
    let at = |noise: &mut Noise| {
        let clip = noise.below(CLIPS);
        (clip, any_times(noise, &character.clips()[clip], 1)[0])
    };
    let play = |_| {
        let (clip, time_secs) = at(noise);
        let (to, to_secs) = at(noise);
        let weight = [0.0, 1.0, noise.within(0.0, 1.0)][noise.below(3)];
        CrowdPlay {
            clip,
            time_secs,
            fade: noise.chance(0.5).then_some(CrowdFade {
                clip: to,
                time_secs: to_secs,
                weight: weight as f32,
            }),
        }
    };
    (0..instances).map(play).collect()
}

/// Poses one instance in float64. Returns false if two rotations that are blended are about 180° apart, where rounding
/// chooses the arc.
fn reference(character: &Character, play: &CrowdPlay, pose: &mut CharacterPose) -> bool {
    let clip = |clip: usize| &character.clips()[clip];
    pose.local
        .sample(character, clip(play.clip), play.time_secs);
    let mut is_clear = true;
    if let Some(fade) = play.fade {
        let mut second = LocalPose::rest(character);
        second.sample(character, clip(fade.clip), fade.time_secs);
        let pairs = pose.local.joints.iter().zip(&second.joints);
        for (a, b) in pairs {
            is_clear &= a.rotation.dot(b.rotation).abs() > 1e-4;
        }
        pose.local.blend(&second, f64::from(fade.weight));
    }
    pose.resolve(character);
    is_clear
}

/// Bounds of the numbers of all clips.
fn bounds(character: &Character) -> Vec<ChainBounds> {
    let clips = character.clips().iter();
    let of_clips: Vec<_> = clips.map(|clip| chain_bounds(character, clip)).collect();
    let largest = |joint: usize| {
        let bounds = of_clips.iter().map(|bounds| bounds[joint]);
        bounds.reduce(|a, b| ChainBounds {
            joints: a.joints,
            stretch: a.stretch.max(b.stretch),
            length: a.length.max(b.length),
        })
    };
    (0..character.skeleton().len())
        .filter_map(largest)
        .collect()
}

/// Checks poses, palettes and morph weights at every level, on one core and on all.
fn check(character: &Character, plays: &[CrowdPlay]) {
    let skin = &character.skins()[0];
    let bounds = bounds(character);
    let mut expected = CharacterPose::rest(character);
    for level in Level::available() {
        let clips = CrowdClips::new(character).with_simd_level(level);
        let (mut pose, mut parallel) = (CrowdPose::default(), CrowdPose::default());
        clips.sample(plays, &mut pose);
        clips.sample_parallel(plays, &mut parallel);
        let mut palettes = [(); 2].map(|()| CrowdPalette::with_simd_level(level));
        palettes[0].update(skin, &pose);
        palettes[1].update_parallel(skin, &parallel);
        let mut weights = vec![0.0; clips.morph_weight_count()];
        for (instance, play) in plays.iter().enumerate() {
            assert_eq!(
                palettes[0].instance(instance),
                palettes[1].instance(instance)
            );
            clips.morph_weights(play, &mut weights);
            let is_clear = reference(character, play, &mut expected);
            for (weight, expected) in weights.iter().zip(&expected.local.morph_weights) {
                // Cubics between weights of at most 1 are at most 2.
                let error = (f64::from(*weight) - expected).abs();
                assert!(error < 16.0 * ROUNDING, "{weight}, expected {expected}");
            }
            if !is_clear {
                continue;
            }
            for (joint, expected) in expected.model.model_from_joint.iter().enumerate() {
                let found = affine(&pose.model_from_joint(instance, joint));
                let bounds = bounds[joint];
                let linear = largest(&(found.matrix3 - expected.matrix3)) / bounds.stretch;
                let moved = found.translation.distance(expected.translation) / bounds.length;
                let roundings = linear.max(moved) / (bounds.joints * ROUNDING);
                assert!(
                    roundings < ROUNDINGS_PER_JOINT,
                    "{level}: instance {instance}, joint {joint}: {roundings} roundings"
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn every_instance_plays_its_own_clips(joints in 1..60usize, instances in 1..70usize, seed: u64) {
        let character = with_clips(joints, Channels::All, seed);
        let plays = plays(&mut Noise(seed ^ 1), &character, instances);
        check(&character, &plays);
    }

    /// A stretch, then a rigid motion: their product is the matrix, and the rotation that of float64.
    #[test]
    fn split_matches_float64(joints in 1..20usize, seed: u64, all: bool) {
        let channels = if all { Channels::All } else { Channels::Rotation };
        let character = with_clips(joints, channels, seed);
        let skin = &character.skins()[0];
        let plays = plays(&mut Noise(seed ^ 1), &character, 9);
        let (mut pose, mut palette) = (CrowdPose::default(), CrowdPalette::default());
        CrowdClips::new(&character).sample(&plays, &mut pose);
        palette.update(skin, &pose);
        let mut expected = CharacterPose::rest(&character);
        let mut split = Palette::default();
        for (instance, play) in plays.iter().enumerate() {
            palette.split_into(instance, skin, &mut split);
            let is_clear = reference(&character, play, &mut expected);
            for (joint, matrix) in palette.instance(instance).iter().enumerate() {
                let matrix = affine(matrix);
                let product = split.rigid()[joint].to_affine() * split.stretches()[joint];
                let size = largest(&matrix.matrix3).max(matrix.translation.abs().max_element());
                let size = size * (1.0 + skin.bind_positions()[joint].length());
                // Centres of stretched joints may be far away.
                let far = size.max(split.stretches()[joint].translation.length());
                prop_assert!(product.abs_diff_eq(matrix, 1e-5 * far), "{product:?} {matrix:?}");
                let sigma = svd(&expected.palettes[0].matrices()[joint].matrix3).sigma;
                let is_regular = sigma.z > 0.1 * sigma.x;
                if is_clear && is_regular {
                    let [a, b] = [&split, &expected.palettes[0]].map(|p| p.rigid()[joint].real);
                    let degrees = 2.0 * (a - b).length().min((a + b).length()).to_degrees();
                    prop_assert!(degrees < 0.01, "{degrees}°");
                }
            }
        }
    }
}

/// Every instance of a held palette has its matrices.
#[test]
fn held_palette_is_shared_by_all_instances() {
    let character = with_clips(5, Channels::All, 3);
    let pose = CharacterPose::rest(&character);
    let mut palette = CrowdPalette::default();
    palette.hold(&pose.palettes[0], 3);
    assert_eq!(palette.instance_count(), 3);
    for instance in 0..3 {
        let found = palette.instance(instance).iter().map(affine);
        for (found, expected) in found.zip(pose.palettes[0].matrices()) {
            assert!(found.abs_diff_eq(*expected, 1e-6 * largest(&expected.matrix3).max(1.0)));
        }
    }
}

/// A character without clips has its rest pose.
#[test]
fn character_without_clips_is_at_rest() {
    let mut parts = with_clips(4, Channels::All, 5).into_parts();
    parts.clips.clear();
    let character = Character::new(parts).unwrap();
    let clips = CrowdClips::new(&character);
    let play = CrowdPlay {
        clip: 0,
        time_secs: 1.0,
        fade: None,
    };
    let mut pose = CrowdPose::default();
    clips.sample(&[play], &mut pose);
    let rest = CharacterPose::rest(&character);
    for (joint, expected) in rest.model.model_from_joint.iter().enumerate() {
        let found = affine(&pose.model_from_joint(0, joint));
        assert!(largest(&(found.matrix3 - expected.matrix3)) < 1e-5);
        assert!(found.translation.distance(expected.translation) < 1e-5);
    }
    let mut weights = [0.0; 5];
    clips.morph_weights(&play, &mut weights);
    assert_eq!(weights, [0.25, 0.0, 0.5, 0.5, 0.5]);
}
