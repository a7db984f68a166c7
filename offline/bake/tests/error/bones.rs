//! Points around joints.

use glam::{DAffine3, DQuat};
use throng_bake::accuracy::{
    BONE_POINT_OF_SIZE, MeasurePlan, Played, SourcePlayback, WorstBone, measure,
};
use throng_rig::{Character, Skinning};

use crate::common::{Changed, SIZE_M, assert_near, once, scaled_character, slide};

fn worst_bone(character: &Character, change: DAffine3) -> WorstBone {
    let reference = SourcePlayback::new(character, vec![0], Skinning::AsAuthored);
    let change = |_, time_secs: f64, played: &mut Played| {
        if (time_secs - 0.4).abs() < 1e-9 {
            let joint = &mut played.model_from_joint[1];
            let rotated = change.matrix3 * joint.matrix3;
            joint.matrix3 = rotated;
            joint.translation += change.translation;
        }
    };
    let tested = Changed {
        reference: &reference,
        change,
    };
    let plan = MeasurePlan::full(character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    let worst = errors.worst_bone.unwrap();
    assert_eq!(errors.bone_error_mm, Some(worst.error_mm));
    worst
}

/// Whatever the scale of the joints, points are at 34 mm: 1.7 % of 2 m.
#[test]
fn rotated_joint_moves_its_points() {
    for scale in [1.0, 0.01] {
        let character = scaled_character(scale, vec![slide("slide")]);
        let angle = 3.0f64.to_radians();
        let rotation = DAffine3::from_quat(DQuat::from_rotation_z(angle));
        let worst = worst_bone(&character, rotation);
        let chord_mm = 1e3 * BONE_POINT_OF_SIZE * SIZE_M * 2.0 * (angle / 2.0).sin();
        assert_near(worst.error_mm, chord_mm);
        assert_eq!((worst.joint, worst.joint_name.as_str()), (1, "tip"));
        assert_near(worst.time_secs, 0.4);
    }
}

#[test]
fn moved_joint_moves_its_points_equally() {
    let character = scaled_character(1.0, vec![slide("slide")]);
    let moved = DAffine3::from_translation(glam::DVec3::Z * 0.002);
    assert_near(worst_bone(&character, moved).error_mm, 2.0);
}

#[test]
fn bone_error_is_absent_without_bones() {
    let character = scaled_character(1.0, vec![slide("slide")]);
    let reference = SourcePlayback::new(&character, vec![0], Skinning::AsAuthored);
    let change = |_, _, played: &mut Played| played.model_from_joint.clear();
    let tested = Changed {
        reference: &reference,
        change,
    };
    let plan = MeasurePlan::full(&character, &once(1));
    let errors = measure(&reference, &tested, &plan, &()).errors;
    assert_eq!((errors.bone_error_mm, errors.worst_bone), (None, None));
}
