//! The reported maximum bounds the error at every time: random characters and curves, compared at 500 times per source
//! frame.

mod common;

use common::{chain, source};
use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use throng_bake::accuracy::{Playback, Played, SetPlayback, SourcePlayback, verify};
use throng_bake::{BakeSettings, Rate, bake, drawing_order};
use throng_format::{Encoding, FrameInterpolation, Precision, Storage, TextureSet};
use throng_rig::{
    Character, Clip, Interpolation, JointTracks, LoopPolicy, Method, Skinning, Track,
};

/// Times per source frame.
const DENSITY: u32 = 500;
/// Largest error between the measured times, as a part of the reported maximum.
const SLACK: f64 = 1.01;
/// Rounding of float32, as a part of the size.
const ROUNDING: f64 = 1e-6;

/// A random character, clip and set.
#[derive(Debug, Clone)]
struct Case {
    joints: usize,
    /// Keys per second; irregular where negative.
    rate_hz: f64,
    keys: usize,
    cubic: bool,
    /// Random numbers from -1 to 1.
    noise: Vec<f64>,
    /// Largest rotation between two keys, in radians.
    swing: f64,
    kind: usize,
    max_error_of_size: f64,
    skinning: Skinning,
}

const KINDS: [(Encoding, Storage, Option<FrameInterpolation>, f64); 10] = {
    use Encoding::{BoneDq, BoneLocal, BoneMatrix, BoneQt, Vertex, VertexRay, VirtualBones};
    use FrameInterpolation::{Slerp, SlerpVertices};
    use Precision::{F32, Unorm8, Unorm16};
    [
        (BoneLocal, Storage::Compressed, None, 0.0),
        (Vertex, Storage::Compressed, None, 0.0),
        (BoneLocal, Storage::Compressed, None, 0.0),
        (Vertex, Storage::Compressed, None, 0.0),
        (Vertex, Storage::Frames(Unorm16), None, 17.0),
        (VertexRay, Storage::Frames(Unorm8), None, 0.0),
        (BoneMatrix, Storage::Frames(F32), Some(SlerpVertices), 11.0),
        (BoneQt, Storage::Frames(Unorm16), Some(Slerp), 0.0),
        (BoneDq, Storage::Frames(F32), None, 20.0),
        (VirtualBones, Storage::Frames(Unorm16), None, 13.0),
    ]
};

fn cases() -> impl Strategy<Value = Case> {
    let skinning = prop_oneof![
        3 => Just(Skinning::Method(Method::Lbs)),
        1 => Just(Skinning::Method(Method::Dqs)),
    ];
    (
        1..4usize,
        prop_oneof![Just(24.0), Just(30.0), Just(60.0), Just(6.0), Just(-30.0)],
        3..16usize,
        any::<bool>(),
        prop::collection::vec(-1.0..1.0f64, 600),
        prop_oneof![Just(0.02), Just(0.2), Just(1.2)],
        0..KINDS.len(),
        prop_oneof![Just(2.8e-4), Just(2e-3)],
        skinning,
    )
        .prop_map(
            |(joints, rate_hz, keys, cubic, noise, swing, kind, max_error_of_size, skinning)| {
                Case {
                    joints,
                    rate_hz,
                    keys,
                    cubic,
                    noise,
                    swing,
                    kind,
                    max_error_of_size,
                    skinning,
                }
            },
        )
}

impl Case {
    fn character(&self) -> Character {
        let mut noise = self.noise.iter().copied().cycle();
        let mut random = || noise.next().expect("the noise repeats");
        let mut times = vec![0.0];
        for key in 1..self.keys {
            let spacing = 1.0 / self.rate_hz.abs();
            times.push(match self.rate_hz > 0.0 {
                true => key as f64 * spacing,
                false => times[key - 1] + spacing * (1.0 + 0.9 * random()),
            });
        }
        let interpolation = match self.cubic {
            true => Interpolation::CubicSpline,
            false => Interpolation::Linear,
        };
        let rest = vec![(DVec3::Y * 0.5, DQuat::IDENTITY, DVec3::ONE)];
        let mut parts = chain(&[vec![rest; self.joints]]).into_parts();
        let tracks = (0..self.joints).map(|joint| {
            let (mut rotation, mut translation) = (DQuat::IDENTITY, DVec3::Y * 0.5);
            let (mut rotations, mut translations) = (Vec::new(), Vec::new());
            for _ in 0..self.keys {
                let axis = DVec3::new(random(), random(), random()).normalize_or(DVec3::X);
                let turn = |most: f64, random: f64| DQuat::from_axis_angle(axis, most * random);
                // Dual quaternions jump where the joints of a vertex are half a revolution apart: these stay closer.
                rotation = match self.skinning == Skinning::Method(Method::Dqs) {
                    true => turn(self.swing.min(0.5), random()),
                    false => rotation * turn(self.swing, random()),
                };
                translation += 0.1 * self.swing * DVec3::new(random(), random(), random());
                // In-tangent, value, out-tangent.
                let slope = |random: f64| random * self.swing;
                if self.cubic {
                    let tangent = Vec3::splat(slope(random()) as f32);
                    translations.extend([tangent, translation.as_vec3(), tangent]);
                    let tangent = Quat::from_xyzw(slope(random()) as f32, 0.0, 0.0, 0.0);
                    rotations.extend([tangent, rotation.as_quat(), tangent]);
                } else {
                    translations.push(translation.as_vec3());
                    rotations.push(rotation.as_quat());
                }
            }
            let times: std::sync::Arc<[f64]> = times.clone().into();
            JointTracks {
                translation: Some(Track::new(times.clone(), translations, interpolation).unwrap()),
                rotation: Some(Track::new(times, rotations, interpolation).unwrap()),
                ..JointTracks::new(joint)
            }
        });
        parts.clips = vec![Clip::new("random".into(), tracks.collect(), vec![]).unwrap()];
        drawing_order(&Character::new(parts).unwrap())
    }

    fn settings(&self) -> BakeSettings {
        let (encoding, storage, interpolation, rate_hz) = KINDS[self.kind];
        BakeSettings {
            encoding,
            storage,
            interpolation,
            rate: match rate_hz > 0.0 {
                true => Rate::Hz(rate_hz),
                false => Rate::Native,
            },
            skinning: self.skinning,
            max_error_of_size: self.max_error_of_size,
            ..BakeSettings::default()
        }
    }
}

/// Largest error at equally spaced times, of clip 0.
fn densely(set: &TextureSet, character: &Character, source_frames: f64) -> f64 {
    let duration_secs = character.clips()[0].duration_secs();
    let reference = SourcePlayback::new(character, vec![0], set.manifest().method);
    let tested = SetPlayback::new(set);
    let (mut reference, mut tested) = (reference.player(), tested.player());
    let (mut a, mut b) = (Played::default(), Played::default());
    let steps = (f64::from(DENSITY) * source_frames).ceil() as u32;
    let mut worst = 0f64;
    for step in 0..=steps {
        let time_secs = duration_secs * f64::from(step) / f64::from(steps.max(1));
        reference.play(0, time_secs, &mut a);
        tested.play(0, time_secs, &mut b);
        for (a, b) in a.parts.iter().zip(&b.parts) {
            let errors = a.positions.iter().zip(&b.positions);
            worst = errors.fold(worst, |worst, (a, b)| worst.max(a.distance(*b)));
        }
    }
    worst
}

proptest! {
    // The same cases in every run.
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::with_cases(throng_testkit::cases(48))
    })]

    #[test]
    fn reported_maximum_is_a_bound(case in cases()) {
        let character = case.character();
        // Some encodings refuse some motions.
        let Ok(baked) = bake(&character, &case.settings(), &source(), &()) else {
            return Ok(());
        };
        let report = verify(&baked.set, &character, &()).unwrap();
        let size = report.error.size_m;
        let claim = 1e-3 * report.error.errors.overall.max_error_mm;
        let frames = character.clips()[0].duration_secs() * case.rate_hz.abs();
        let dense = densely(&baked.set, &character, frames);
        prop_assert!(dense <= SLACK * claim + ROUNDING * size, "{dense} above {claim}");
        // The bound is close. Curves jump and bend between two of the times.
        if case.skinning == Skinning::Method(Method::Lbs) {
            let most = 1.2 * dense + 10.0 * ROUNDING * size;
            prop_assert!(claim <= most, "{dense} far below {claim}");
        }
        if let Some(own) = baked.report {
            prop_assert_eq!(own.error, report.error);
        }
    }
}

/// A step at the loop seam is what a viewer sees, and no more than both ends allow.
#[test]
fn bound_covers_both_ends_of_a_wrapping_clip() {
    let character = common::builtin("humanoid:1000");
    let settings = BakeSettings {
        encoding: Encoding::BoneLocal,
        storage: Storage::Compressed,
        clips: vec![0],
        ..BakeSettings::default()
    };
    let set = bake(&character, &settings, &source(), &()).unwrap().set;
    let clip = &set.manifest().clips[0];
    assert_eq!(clip.looping, LoopPolicy::Wrap);
    let (mut start, mut end) = (Played::default(), Played::default());
    let tested = SetPlayback::new(&set);
    tested.player().play(0, 0.0, &mut start);
    tested.player().play(0, clip.duration_secs, &mut end);
    let pairs = start.parts[0].positions.iter().zip(&end.parts[0].positions);
    let step = pairs.fold(0.0, |most: f64, (a, b)| most.max(a.distance(*b)));
    let errors = verify(&set, &character, &()).unwrap().error.errors;
    let seam_mm = errors.seam_error_mm.unwrap();
    assert!((seam_mm - 1e3 * step).abs() < 1e-9, "{seam_mm}");
    assert!(seam_mm > 0.0 && seam_mm <= 2.0 * errors.overall.max_error_mm);
}
