//! `throng pose --rotate` and `--keyframe`.

use serde_json::Value;

use crate::run::run;

/// Poses the cylinder; returns the JSON report.
fn pose(args: &[&str]) -> Value {
    let all = ["pose", "builtin:cylinder", "--json"];
    serde_json::from_str(&run(all.iter().chain(args)).quiet()).unwrap()
}

/// Returns a measure of a joint.
fn measure(pose: &Value, joint: usize, measure: &str) -> f64 {
    let mut joints = pose["joints"].as_array().unwrap().iter();
    let row = joints.find(|row| row["joint"] == joint).unwrap();
    row[measure].as_f64().unwrap()
}

/// Returns the positions of the posed mesh.
fn positions(args: &[&str]) -> Vec<[f64; 3]> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.json");
    let all = ["pose", "builtin:cylinder", "-o", out.to_str().unwrap()];
    run(all.iter().chain(args)).ok();
    let json: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    serde_json::from_value(json["meshes"][0]["positions"].clone()).unwrap()
}

#[test]
fn json_has_artefacts_of_a_twist() {
    let lbs = pose(&["--rotate", "2=0,180,0", "--method", "lbs"]);
    assert!(measure(&lbs, 2, "min_radius_ratio") < 0.05);
    let dqs = pose(&["--rotate", "2=0,180,0", "--method", "dqs"]);
    assert!(measure(&dqs, 2, "min_radius_ratio") > 0.95);
}

#[test]
fn joints_are_selected_by_name_or_index_and_rotations_accumulate() {
    let by_index = positions(&["--rotate", "2=0,0,90"]);
    assert_eq!(by_index, positions(&["--rotate", "bone2=0,0,90"]));
    assert_eq!(by_index, positions(&["--rotate", "#2=0,0,90"]));
    let twice = positions(&["--rotate", "2=0,0,45", "--rotate", "bone2=0,0,45"]);
    for (a, b) in by_index.iter().zip(&twice) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

#[test]
fn rotates_about_local_x_then_y_then_z() {
    // The vertex farthest from the vertical axis: the tip, once the upper half is rotated down.
    let tip = |args: &[&str]| {
        let side = |p: &[f64; 3]| p[0].abs().max(p[2].abs());
        let all = positions(args).into_iter();
        all.max_by(|a, b| side(a).total_cmp(&side(b))).unwrap()
    };
    // X rotates it onto +Z. There, local Y rotates it about its own length, and local Z rotates it onto -X.
    let down = tip(&["--rotate", "2=90,0,0"]);
    assert!(down[2] > 0.9, "{down:?}");
    let rolled = tip(&["--rotate", "2=90,90,0"]);
    assert!(rolled[2] > 0.9, "{rolled:?}");
    let all = tip(&["--rotate", "2=90,0,90"]);
    assert!(all[0] < -0.9, "{all:?}");
}

#[test]
fn keyframe_interpolates_rotations_or_positions() {
    let bend = ["--rotate", "2=0,0,120", "--method", "dqs"];
    let with = |keyframe: &str| positions(&[&bend[..], &["--keyframe", keyframe]].concat());
    let (rest, all) = (positions(&[]), positions(&bend));
    for by in ["rotations", "positions"] {
        let close = |a: &[[f64; 3]], b: &[[f64; 3]]| {
            let flat = a.as_flattened().iter().zip(b.as_flattened());
            flat.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-9
        };
        assert!(close(&with(&format!("0:{by}")), &rest), "{by}");
        assert!(close(&with(&format!("1:{by}")), &all), "{by}");
    }
    // Rotations: half the angle.
    let half = with("0.5:rotations");
    let bent = positions(&["--rotate", "2=0,0,60", "--method", "dqs"]);
    for (a, b) in half.as_flattened().iter().zip(bent.as_flattened()) {
        assert!((a - b).abs() < 1e-9);
    }
    // Positions: every vertex is at the midpoint of a straight line.
    let half = with("0.5:positions");
    for ((found, rest), all) in half.iter().zip(&rest).zip(&all) {
        for axis in 0..3 {
            assert!((found[axis] - 0.5 * (rest[axis] + all[axis])).abs() < 1e-12);
        }
    }
}

#[test]
fn text_has_a_table_of_changed_joints() {
    let text = run(["pose", "builtin:cylinder", "--rotate", "2=0,0,120"]).quiet();
    assert!(text.contains(", 1 joint rotated, "), "{text}");
    assert!(
        text.contains("DISTANCE %") && text.contains("bone2"),
        "{text}"
    );
    let rest = run(["pose", "builtin:cylinder"]).quiet();
    assert!(!rest.contains("Change from the rest pose"), "{rest}");
}

#[test]
fn rejects_unknown_joints() {
    let line = run(["pose", "builtin:cylinder", "--rotate", "elbow=0,0,9"]).failed(2);
    assert!(line.contains("'elbow'") && line.contains("bone2"), "{line}");
    assert_eq!(run(["pose", "--rotate", "2=0,0"]).code, Some(2));
    assert_eq!(run(["pose", "--keyframe", "2:positions"]).code, Some(2));
}
