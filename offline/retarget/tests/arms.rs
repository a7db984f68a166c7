//! A-poses and T-poses: limbs point where those of the motion point.

mod common;

use common::{clip, humanoid, joint, positions, times, with_joints, with_mixamo_names};
use glam::{DQuat, DVec3};
use throng_retarget::{Transfer, retarget};
use throng_rig::Character;

/// The humanoid with its arms lowered in the rest pose, by `angle` radians; its clips are the same poses.
fn a_pose(angle: f64) -> Character {
    let names = |joint: &throng_rig::Joint| joint.name.clone();
    let all: Vec<String> = humanoid().skeleton().joints().iter().map(names).collect();
    with_joints(humanoid(), move |index, joint| {
        let sign = match all[index].as_str() {
            "left_upper_arm" => -1.0,
            "right_upper_arm" => 1.0,
            _ => return,
        };
        let local = &mut joint.parent_from_joint;
        local.rotation = DQuat::from_rotation_z(sign * angle) * local.rotation;
    })
}

/// Direction of a bone at a time.
fn direction(character: &Character, clip: &throng_rig::Clip, ends: [&str; 2], time: f64) -> DVec3 {
    let positions = positions(character, clip, time);
    let [from, to] = ends.map(|name| positions[joint(character, name)]);
    (to - from).normalize()
}

#[test]
fn arms_of_other_rest_poses_point_where_they_pointed() {
    let motion = humanoid();
    // Longer arms, so that it is another rig.
    let character = with_joints(with_mixamo_names(a_pose(0.9)), |_, joint| {
        if joint.name.ends_with("ForeArm") || joint.name.ends_with("Hand") {
            joint.parent_from_joint.translation *= 1.2;
        }
    });
    let retargeted = retarget(&motion, &character, &[]).unwrap();
    assert!(matches!(retargeted.transfer, Transfer::Sampled { .. }));
    let bones = [
        (
            ["left_upper_arm", "left_forearm"],
            ["mixamorig:LeftArm", "mixamorig:LeftForeArm"],
        ),
        (
            ["right_upper_arm", "right_forearm"],
            ["mixamorig:RightArm", "mixamorig:RightForeArm"],
        ),
        (
            ["left_forearm", "left_hand"],
            ["mixamorig:LeftForeArm", "mixamorig:LeftHand"],
        ),
        (
            ["left_thigh", "left_shin"],
            ["mixamorig:LeftUpLeg", "mixamorig:LeftLeg"],
        ),
    ];
    for name in ["walk", "wave", "dance"] {
        let (source, found) = (clip(motion.clips(), name), clip(&retargeted.clips, name));
        for (from, to) in bones {
            for time in times(source, 30) {
                let expected = direction(&motion, source, from, time);
                let found = direction(&character, found, to, time);
                let angle = expected.angle_between(found).to_degrees();
                assert!(angle < 0.1, "{name} {to:?} at {time}: {angle}°");
            }
        }
    }
}
