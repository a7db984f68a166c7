//! Errors at jumps of a source, and at the seam of a loop.

use throng_bake::accuracy::{MeasurePlan, SourcePlayback, measure};
use throng_rig::{Clip, Interpolation, Skinning};

use crate::common::{Sampled, assert_near, character, clip, once, wrapping};

/// Half a second here, half a second 62.5 mm away, with a key every 1/30 s.
fn step(interpolation: Interpolation, jump_secs: f64) -> Clip {
    let keys = [(0.0, 0.0), (jump_secs, 0.0625), (1.0, 0.0625)];
    clip("step", &keys, interpolation).with_source_timing(0.0, 1.0, Some(1.0 / 30.0))
}

#[test]
fn jump_is_reported_apart() {
    // On a sample; between two, as far from both as the times between samples.
    for (jump_secs, times, missed_mm) in [(0.5, 4, 46.875), (0.51, 3, 31.25)] {
        let character = character(vec![step(Interpolation::Step, jump_secs)]);
        let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
        let tested = Sampled {
            reference: &reference,
            rate_hz: 30.0,
        };
        let plan = MeasurePlan::full(&character, &once(1));
        let errors = measure(&reference, &tested, &plan, &()).errors;
        assert!(errors.overall.max_error_mm < 1e-9, "{errors:?}");
        let jumps = errors.step_jumps.unwrap();
        assert_eq!(jumps.times, times);
        assert_near(jumps.max_error_mm, missed_mm);
        assert_near(jumps.max_error_of_size, missed_mm / 2000.0);
        assert_eq!(jumps.worst.unwrap().vertex, 2);
        assert_eq!(errors.times, 121);
        assert_eq!(errors.overall.comparisons, (121 - times) * 4);
    }
}

/// Importers turn a step into two keys at one instant.
#[test]
fn two_keys_at_one_instant_are_a_jump() {
    let keys = [(0.0, 0.0), (0.5 - 1e-7, 0.0), (0.5, 0.0625), (1.0, 0.0625)];
    let clip = clip("step", &keys, Interpolation::Linear);
    let clip = clip.with_source_timing(0.0, 1.0, Some(1.0 / 30.0));
    let character = character(vec![clip]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let tested = Sampled {
        reference: &reference,
        rate_hz: 30.0,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    assert!(errors.overall.max_error_mm < 1e-9);
    assert_near(errors.step_jumps.unwrap().max_error_mm, 46.875);
}

/// Only the source's own interval is excluded: a coarser bake spreads the jump further.
#[test]
fn coarse_bake_of_a_jump_is_not_excused() {
    let character = character(vec![step(Interpolation::Step, 0.5)]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let tested = Sampled {
        reference: &reference,
        rate_hz: 6.0,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    // The last time that counts is 1/30 s before the jump: 4 of 5 parts of the way.
    assert_near(errors.overall.max_error_mm, 62.5 * 0.8);
}

#[test]
fn motion_is_no_jump() {
    let character = character(vec![step(Interpolation::Linear, 0.51)]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let tested = Sampled {
        reference: &reference,
        rate_hz: 30.0,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    assert_eq!(errors.step_jumps, None);
    assert!(errors.overall.max_error_mm > 0.1);
}

/// The source ends 3 mm from its start.
#[test]
fn gap_of_a_wrapping_clip_is_reported_apart() {
    let open = clip(
        "open",
        &[(0.0, 0.0), (0.5, 0.2), (1.0, 0.003)],
        Interpolation::Linear,
    );
    let character = character(vec![open]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &reference, &plan, &()).errors;
    assert_eq!(
        (errors.overall.max_error_mm, errors.seam_error_mm),
        (0.0, None)
    );

    let plan = MeasurePlan::full(&character, &wrapping(0));
    let errors = measure(&reference, &reference, &plan, &()).errors;
    let three_mm = f64::from(0.003f32) * 1e3;
    assert_near(errors.seam_error_mm.unwrap(), three_mm);
    assert_eq!(errors.overall.max_error_mm, 0.0);
    assert_eq!(errors.times, 123);
}
