//! Retargeted walks: feet neither slide nor sink.

mod common;

use common::{
    clip, humanoid, joint, positions, times, with_joints, with_mixamo_names, with_other_axes,
};
use glam::{DQuat, DVec3};
use throng_import::{ImportOptions, import_motion};
use throng_retarget::{Transfer, retarget};
use throng_rig::{Character, CharacterPose, Clip};
use throng_skin::reference::{Skinned, skin_part};
use throng_testkit::shared_assets;

/// Largest slide and sink, in metres.
const LIMIT_M: f64 = 0.01;
/// Largest step of a planted foot between two frames, in metres.
const STILL_M: f64 = 0.005;

/// A humanoid with other proportions and A-pose arms, whose names and axes are others too.
fn other_body() -> Character {
    let arms = with_joints(humanoid(), |_, joint| {
        let Some((side, rest)) = joint.name.split_once('_') else {
            return;
        };
        let sign = if side == "left" { 1.0 } else { -1.0 };
        let local = &mut joint.parent_from_joint;
        match rest {
            "upper_arm" => local.rotation = DQuat::from_rotation_z(-0.8 * sign) * local.rotation,
            "thigh" => local.translation.x *= 1.25,
            "shin" => local.translation *= 1.1,
            "foot" => local.translation *= 0.9,
            _ => {}
        }
    });
    // Legs of another length lift the whole body.
    let raised = rest_height(&humanoid()) - rest_height(&arms);
    let standing = with_joints(arms, |index, joint| {
        if index == 0 {
            joint.parent_from_joint.translation.y += raised;
        }
    });
    with_mixamo_names(with_other_axes(standing, |joint| {
        DQuat::from_rotation_y(joint as f64)
    }))
}

/// Height of the left toes in the rest pose.
fn rest_height(character: &Character) -> f64 {
    let rest = CharacterPose::rest(character);
    rest.model.model_from_joint[joint(character, "left_toes")]
        .translation
        .y
}

#[test]
fn feet_of_the_humanoids_walk_stay_where_they_were_on_another_body() {
    let motion = humanoid();
    let character = other_body();
    let retargeted = retarget(&motion, &character, &[]).unwrap();
    let Transfer::Sampled { scale } = retargeted.transfer else {
        panic!("two rigs");
    };
    assert!(retargeted.warning().is_none());
    let floor = rest_height(&motion) * (1.0 - scale);
    for name in ["walk", "run", "idle", "dance"] {
        let (source, found) = (clip(motion.clips(), name), clip(&retargeted.clips, name));
        for (from, to) in [
            ("left_toes", "mixamorig:LeftToeBase"),
            ("right_toes", "mixamorig:RightToeBase"),
        ] {
            let (from, to) = (joint(&motion, from), joint(&character, to));
            for time in times(source, 60) {
                let expected = positions(&motion, source, time)[from] * scale;
                let found = positions(&character, found, time)[to];
                let slide = DVec3::new(found.x - expected.x, 0.0, found.z - expected.z);
                assert!(slide.length() < LIMIT_M, "{name} {time}: slides {slide}");
                let sink = found.y - expected.y - floor;
                assert!(sink.abs() < LIMIT_M, "{name} {time}: sinks {sink}");
            }
        }
    }
}

/// Height of the lowest vertex at each time.
fn lowest_vertices(character: &Character, clip: &Clip, steps: usize) -> Vec<f64> {
    let mut pose = CharacterPose::rest(character);
    let mut skinned = Skinned::default();
    let lowest = |time| {
        pose.sample(character, clip, time);
        skin_part(
            character,
            &character.parts()[0],
            &pose,
            throng_rig::Skinning::default(),
            &mut skinned,
        );
        let heights = skinned.positions.iter().map(|position| position.y);
        heights.fold(f64::INFINITY, f64::min)
    };
    times(clip, steps).map(lowest).collect()
}

/// A foot of a motion, sampled at the times of [`lowest_vertices`].
struct Foot {
    ball: Vec<DVec3>,
    ankle: Vec<DVec3>,
}

impl Foot {
    fn new(character: &Character, clip: &Clip, joints: [&str; 2], steps: usize) -> Self {
        let joints = joints.map(|name| joint(character, name));
        let poses = times(clip, steps).map(|time| positions(character, clip, time));
        let (ball, ankle) = poses.map(|pose| (pose[joints[0]], pose[joints[1]])).unzip();
        Self { ball, ankle }
    }

    /// True where the ball of the foot stands still between two frames.
    fn is_planted(&self, frame: usize) -> bool {
        let step = self.ball[frame] - self.ball[frame - 1];
        DVec3::new(step.x, 0.0, step.z).length() < STILL_M
    }
}

#[test]
fn walks_of_motion_capture_on_the_humanoid_neither_slide_nor_sink() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let character = throng_import::builtin::builtin("humanoid:2000").unwrap();
    for file in [
        "mocap/cmu_02_01.glb",
        "mocap/cmu_15_08.glb",
        "mocap/cmu_09_02.glb",
    ] {
        let source = assets.join(file).display().to_string();
        let import = import_motion(&source, &ImportOptions::default()).unwrap();
        let motion = import.character;
        let retargeted = retarget(&motion, &character, &[]).unwrap();
        let Transfer::Sampled { scale } = retargeted.transfer else {
            panic!("two rigs");
        };
        let (source, found) = (&motion.clips()[0], &retargeted.clips[0]);
        let steps = (source.duration_secs() * 30.0) as usize;
        let feet = [["LeftToeBase", "LeftFoot"], ["RightToeBase", "RightFoot"]]
            .map(|joints| Foot::new(&motion, source, joints, steps));
        let moved = [["left_toes", "left_foot"], ["right_toes", "right_foot"]]
            .map(|joints| Foot::new(&character, found, joints, steps));
        // Floors of motion capture are not quite level: the ground is that of the lowest planted foot.
        let mut floors = [f64::INFINITY; 2];
        for foot in &feet {
            for frame in (1..=steps).filter(|&frame| foot.is_planted(frame)) {
                floors[0] = floors[0].min(foot.ball[frame].y);
                floors[1] = floors[1].min(foot.ankle[frame].y);
            }
        }
        let lowest = lowest_vertices(&character, found, steps);
        let (mut slide, mut sink): (f64, f64) = (0.0, 0.0);
        let mut planted = 0;
        for (frame, lowest) in lowest.iter().enumerate().skip(1) {
            let heights = feet
                .iter()
                .map(|foot| (foot.ball[frame].y - floors[0]).min(foot.ankle[frame].y - floors[1]));
            let expected = scale * heights.fold(f64::INFINITY, f64::min);
            // What sinks in the motion may sink as far.
            sink = sink.max(expected.min(0.0) - lowest);
            for (foot, moved) in feet.iter().zip(&moved) {
                if foot.is_planted(frame) {
                    planted += 1;
                    let step = |foot: &Foot| foot.ball[frame] - foot.ball[frame - 1];
                    let step = step(moved) - scale * step(foot);
                    slide = slide.max(DVec3::new(step.x, 0.0, step.z).length());
                }
            }
        }
        println!(
            "{file}: sinks {:.1} mm, slides {:.2} mm",
            sink * 1e3,
            slide * 1e3
        );
        assert!(planted >= 8, "{file}: {planted} planted feet");
        assert!(sink < LIMIT_M, "{file}: sinks {sink}");
        assert!(slide < LIMIT_M, "{file}: slides {slide}");
    }
}

#[test]
fn soles_are_flat_where_feet_of_motion_capture_are_planted() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let source = assets.join("motion/cmu_01_01.bvh").display().to_string();
    let motion = import_motion(&source, &ImportOptions::default()).unwrap();
    let character = throng_import::builtin::builtin("humanoid:500").unwrap();
    let retargeted = retarget(&motion.character, &character, &[]).unwrap();
    let clip = &retargeted.clips[0];
    // The actor stands until it crouches after 1.2 s. The zero pose of the file has spread legs.
    let mut pose = CharacterPose::rest(&character);
    let rest = pose.model.clone();
    for time in [0.1, 0.5, 1.0] {
        pose.sample(&character, clip, time);
        for foot in ["left_foot", "right_foot"] {
            let foot = joint(&character, foot);
            let moved = pose.model.model_from_joint[foot] * rest.model_from_joint[foot].inverse();
            let tilt = moved.transform_vector3(DVec3::Y).angle_between(DVec3::Y);
            assert!(tilt.to_degrees() < 6.0, "{time}: {}°", tilt.to_degrees());
        }
    }
    let steps = clip.duration_secs().round() as usize * 30;
    let lowest = lowest_vertices(&character, clip, steps);
    assert!(lowest[30].abs() < LIMIT_M, "stands at {}", lowest[30]);
    let sunk = lowest.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(sunk > -LIMIT_M, "sinks to {sunk}");
}
