//! An independent reader of BVH files, the Python package `bvhio`, finds the same joint positions.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use glam::DVec3;
use serde::Deserialize;
use throng_import::{ImportOptions, Warning, import_motion_file};
use throng_rig::CharacterPose;
use throng_testkit::{path_or_skip, program_or_skip, shared_assets, workspace_root};

/// Frames of `cmu_01_01.bvh` in the stored positions.
const FRAMES: [usize; 6] = [0, 1, 500, 1000, 1777, 2751];

/// Largest difference, relative to the distance from the origin and the size of a person. The reference is float32.
const TOLERANCE: f64 = 2e-6;

/// Output of `tools/bvh-reference/positions.py`: positions by joint and frame, in units of the file.
#[derive(Deserialize)]
struct Positions {
    frames: Vec<usize>,
    joints: BTreeMap<String, Vec<[f64; 3]>>,
}

/// Runs the reference; `None` where it is not installed.
fn reference(file: &Path, frames: &[usize]) -> Option<Positions> {
    let tool = workspace_root().join("tools/bvh-reference");
    program_or_skip("python3", "python3")?;
    path_or_skip(
        tool.join("python_modules/bvhio"),
        "bvhio (pip install, see tools/bvh-reference/README.md)",
    )?;
    let output = Command::new("python3")
        .arg("-B")
        .arg(tool.join("positions.py"))
        .arg(file)
        .args(frames.iter().map(usize::to_string))
        .output()
        .expect("python3 runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    Some(serde_json::from_slice(&output.stdout).expect("positions"))
}

/// Asserts that our positions of all joints but End Sites are those of the reference.
fn assert_agrees(file: &Path, expected: &Positions) {
    let import = import_motion_file(file, &ImportOptions::default()).unwrap();
    let unit = import.warnings.iter().find_map(|warning| match warning {
        Warning::BvhUnit { metres_per_unit } => Some(*metres_per_unit),
        _ => None,
    });
    let unit = unit.expect("a unit");
    let character = &import.character;
    let clip = &character.clips()[0];
    let frame_secs = clip.finest_spacing_secs().expect("several frames");
    let mut pose = CharacterPose::rest(character);
    let (mut compared, mut worst) = (0, 0.0f64);
    for (column, &frame) in expected.frames.iter().enumerate() {
        pose.sample(character, clip, frame as f64 * frame_secs);
        for (index, joint) in character.skeleton().joints().iter().enumerate() {
            let Some(positions) = expected.joints.get(&joint.name) else {
                assert!(joint.name.ends_with("_end"), "{}", joint.name);
                continue;
            };
            let found = pose.model.model_from_joint[index].translation / unit;
            let expected = DVec3::from_array(positions[column]);
            let scale = expected.length().max(1.7 / unit);
            let error = (found - expected).length() / scale;
            assert!(
                error < TOLERANCE,
                "{}: frame {frame}, joint '{}': found {found}, expected {expected}",
                file.display(),
                joint.name
            );
            worst = worst.max(error);
            compared += 1;
        }
    }
    assert_eq!(compared, expected.frames.len() * expected.joints.len());
    println!("{compared} positions, worst relative difference {worst:.1e}");
}

/// One joint per order of rotation, with positions on a joint that is not the root.
fn all_orders() -> String {
    let mut hierarchy = String::from(
        "HIERARCHY\nROOT root\n{\nOFFSET 3 4 5\nCHANNELS 6 Zposition Xposition Yposition Yrotation Xrotation Zrotation\n",
    );
    let orders = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];
    for order in orders {
        let rotations: Vec<String> = order
            .chars()
            .map(|axis| format!("{axis}rotation"))
            .collect();
        let rotations = rotations.join(" ");
        let channels = match order {
            "YZX" => format!("6 Xposition Yposition Zposition {rotations}"),
            _ => format!("3 {rotations}"),
        };
        hierarchy += &format!("JOINT {order}\n{{\nOFFSET 5 40 -10\nCHANNELS {channels}\n");
    }
    hierarchy += "End Site\n{\nOFFSET 0 10 0\n}\n";
    hierarchy += &"}\n".repeat(orders.len() + 1);
    let channels = 6 + 3 * 5 + 6;
    let mut text = format!("{hierarchy}MOTION\nFrames: 4\nFrame Time: 0.04\n");
    for frame in 0..4 {
        let numbers: Vec<String> = (0..channels)
            .map(|channel| format!("{:.4}", 179.0 * f64::sin((7 * frame + channel) as f64)))
            .collect();
        text += &format!("{}\n", numbers.join(" "));
    }
    text
}

#[test]
fn all_orders_of_rotation_agree_with_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("orders.bvh");
    std::fs::write(&file, all_orders()).unwrap();
    if let Some(expected) = reference(&file, &[0, 1, 2, 3]) {
        assert_agrees(&file, &expected);
    }
}

#[test]
fn motion_capture_agrees_with_the_reference() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let file = assets.join("motion/cmu_01_01.bvh");
    if let Some(expected) = reference(&file, &FRAMES) {
        assert_agrees(&file, &expected);
    }
}

#[test]
fn motion_capture_agrees_with_stored_positions() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let file = assets.join("motion/cmu_01_01.bvh");
    let stored = include_str!("cmu_01_01_positions.json");
    let expected: Positions = serde_json::from_str(stored).unwrap();
    assert_eq!(expected.frames, FRAMES);
    assert_agrees(&file, &expected);
}
