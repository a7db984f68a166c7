//! Errors with known values.

use glam::{DQuat, DVec3};
use throng_bake::accuracy::{
    MeasurePlan, P99_RESOLUTION, Played, SourcePlayback, measure, measure_with_heat,
};
use throng_import::builtin::builtin;
use throng_rig::{Method, Skinning};

use crate::common::{Changed, SIZE_M, assert_near, character, once, slide};

/// Two seconds at 30 Hz: 121 times each, of which 31 are samples, and 4 vertices.
const TIMES: f64 = 121.0;
const SAMPLES: f64 = 31.0;
const VERTICES: f64 = 4.0;

#[test]
fn source_has_no_error_against_itself() {
    for name in ["bar", "humanoid:1000"] {
        let character = builtin(name).unwrap();
        let clips: Vec<usize> = (0..character.clips().len()).collect();
        for skinning in [Skinning::AsAuthored, Method::Dqs.into()] {
            let reference = SourcePlayback::new(&character, clips.clone(), skinning);
            let plan = MeasurePlan::full(&character, &once(clips.len()));
            let report = measure(&reference, &reference, &plan, &());
            let errors = &report.errors;
            assert_eq!(errors.overall.max_error_mm, 0.0, "{name}");
            assert_eq!(errors.overall.p99_error_mm, 0.0);
            assert_eq!(errors.overall.rms_error_mm, 0.0);
            assert_eq!(errors.max_normal_error_deg, 0.0);
            assert_eq!(errors.bone_error_mm, Some(0.0));
            assert_eq!((&errors.worst, &errors.worst_bone), (&None, &None));
            assert!(errors.overall.comparisons > 0);
        }
    }
}

#[test]
fn one_vertex_at_one_time_between_samples_is_found() {
    let character = character(vec![slide("first"), slide("second")]);
    let reference = SourcePlayback::new(&character, vec![0, 1], Skinning::AsAuthored);
    let moment = 7.5 / 30.0;
    let change = |clip, time_secs: f64, played: &mut Played| {
        if clip == 1 && (time_secs - moment).abs() < 1e-9 {
            played.parts[0].positions[3] += DVec3::new(0.0006, 0.0, -0.0008); // 1 mm
        }
    };
    let tested = Changed {
        reference: &reference,
        change,
    };
    let plan = MeasurePlan::full(&character, &once(2));
    let (report, heat) = measure_with_heat(&reference, &tested, &plan, &());

    let errors = &report.errors;
    let counted = 2.0 * TIMES * VERTICES;
    assert_near(errors.overall.comparisons as f64, counted);
    assert_near(errors.overall.max_error_mm, 1.0);
    assert_near(errors.overall.max_error_of_size, 0.001 / SIZE_M);
    assert_near(errors.overall.rms_error_mm, 1.0 / counted.sqrt());
    assert_eq!(
        errors.overall.p99_error_mm, 0.0,
        "1 of 968 is less than 1 %"
    );
    assert_eq!(errors.at_samples.max_error_mm, 0.0);
    assert_near(
        errors.at_samples.comparisons as f64,
        2.0 * SAMPLES * VERTICES,
    );
    assert_near(errors.between_samples.max_error_mm, 1.0);
    let between = 2.0 * (TIMES - SAMPLES) * VERTICES;
    assert_near(errors.between_samples.rms_error_mm, 1.0 / between.sqrt());
    assert_eq!(errors.max_normal_error_deg, 0.0);
    assert_eq!((&errors.step_jumps, errors.seam_error_mm), (&None, None));

    let worst = errors.worst.as_ref().unwrap();
    assert_eq!((worst.part, worst.vertex), (0, 3));
    assert_eq!(
        (worst.part_name.as_str(), worst.joint_name.as_str()),
        ("body", "tip")
    );
    assert_eq!((worst.clip, worst.clip_name.as_str()), (1, "second"));
    assert_near(worst.time_secs, moment);
    assert_near(worst.error_mm, 1.0);

    assert_eq!(report.clips[0].errors.overall.max_error_mm, 0.0);
    assert_near(report.clips[1].errors.overall.max_error_mm, 1.0);
    assert_near(
        report.clips[1].errors.overall.rms_error_mm,
        1.0 / (counted / 2.0).sqrt(),
    );
    assert_eq!((report.vertices, report.joints), (4, 2));
    assert_near(report.size_m, SIZE_M);

    assert_eq!(heat.metres[0][..3], [0.0; 3]);
    assert!((heat.metres[0][3] - 0.001).abs() < 1e-9);
}

#[test]
fn p99_is_exceeded_by_a_hundredth() {
    let character = character(vec![slide("slide")]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let plan = MeasurePlan::full(&character, &once(1));
    // Vertex 0 is off by 1 mm for 4 % of all comparisons and by 3 mm for less than 1 %.
    let p99 = |first: f64, last: f64| {
        let change = |_, time_secs: f64, played: &mut Played| {
            let step = (time_secs * 120.0).round();
            if step < first {
                played.parts[0].positions[0].y += 0.001;
            } else if step > 120.0 - last {
                played.parts[0].positions[0].y += 0.003;
            }
        };
        let tested = Changed {
            reference: &reference,
            change,
        };
        measure(&reference, &tested, &plan, &())
            .errors
            .overall
            .p99_error_mm
    };
    let near = |found: f64, expected: f64| {
        assert!(
            found >= expected && found <= expected * (1.0 + P99_RESOLUTION),
            "{found}"
        );
    };
    near(p99(20.0, 4.0), 1.0); // 4 of 484 exceed 1 mm, 24 exceed zero
    near(p99(20.0, 5.0), 3.0); // 5 of 484 are more than 1 %
    assert_eq!(p99(4.0, 0.0), 0.0);
}

#[test]
fn rotated_normal_is_reported_in_degrees() {
    let character = character(vec![slide("slide")]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let change = |_, time_secs: f64, played: &mut Played| {
        if (time_secs - 0.5).abs() < 1e-9 {
            let normal = &mut played.parts[0].normals[2];
            let axis = normal.any_orthonormal_vector();
            *normal = DQuat::from_axis_angle(axis, 2.0f64.to_radians()) * *normal;
        }
    };
    let tested = Changed {
        reference: &reference,
        change,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    assert_near(errors.max_normal_error_deg, 2.0);
    assert_near(errors.rms_normal_error_deg, 2.0 / (TIMES * VERTICES).sqrt());
    assert_eq!(errors.overall.max_error_mm, 0.0);
}

#[test]
fn nan_is_an_infinite_error() {
    let character = character(vec![slide("slide")]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let change = |_, time_secs: f64, played: &mut Played| {
        if time_secs == 0.0 {
            played.parts[0].positions[1].x = f64::NAN;
        }
    };
    let tested = Changed {
        reference: &reference,
        change,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    assert_eq!(errors.overall.max_error_mm, f64::INFINITY);
    assert_eq!(errors.worst.as_ref().unwrap().vertex, 1);
    assert!(!errors.is_finite());
}
