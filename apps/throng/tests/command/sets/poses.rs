//! Poses set by hand, baked as a clip.

use glam::{DQuat, DVec3};
use throng_bake::accuracy::{Playback, Played, SetPlayback};
use throng_format::disk;
use throng_testkit::{path_or_skip, shared_assets};

use super::WorkFolder;
use crate::run::{list, object};

/// Position of the joint `bone2` of the cylinder, which is 2 m high.
const JOINT: DVec3 = DVec3::new(0.0, 1.0, 0.0);

/// Rotation of the edits, in degrees.
const DEGREES: f64 = 120.0;

/// Bakes the cylinder, verifies the set, and returns its vertices at fractions of the clip.
fn baked(args: &[&str], fractions: &[f64]) -> Vec<Vec<DVec3>> {
    let work = WorkFolder::new();
    let all = [&["builtin:cylinder", "-o", "set", "--json"], args].concat();
    let report = object(&work.bake(&all).quiet());
    work.assert_verifies_as_baked("set", &report);
    assert_eq!(clip_names(&work), ["pose"]);
    let set = disk::read(&work.at("set")).unwrap();
    let playback = SetPlayback::new(&set);
    let mut player = playback.player();
    let mut played = Played::default();
    let vertices = fractions.iter().map(|&fraction| {
        player.play(0, fraction, &mut played);
        played.parts[0].positions.clone()
    });
    vertices.collect()
}

/// Returns the names of the clips of `set`.
fn clip_names(work: &WorkFolder) -> Vec<String> {
    let clips = work.json("set/manifest.json")["clips"].clone();
    let names = list(&clips).iter().map(|clip| clip["name"].as_str());
    names.map(|name| name.unwrap().to_owned()).collect()
}

/// Returns a vertex of the cylinder after a rotation of `bone2` about Z, by linear blend skinning.
fn bent(rest: DVec3, degrees: f64) -> DVec3 {
    // The weight moves from bone1 to bone2 between the middles of both.
    let x = ((rest.y - 0.75) / 0.5).clamp(0.0, 1.0);
    let weight = x * x * (3.0 - 2.0 * x);
    let rotation = DQuat::from_rotation_z(degrees.to_radians());
    rest.lerp(JOINT + rotation * (rest - JOINT), weight)
}

#[track_caller]
fn assert_close(found: &[DVec3], expected: impl Iterator<Item = DVec3>, what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        // Texels and weights are float32.
        assert!(
            found.distance(expected) < 2e-6,
            "{what}: {found} {expected}"
        );
    }
}

const FLOATS: [&[&str]; 2] = [
    &[
        "--encoding",
        "bone-matrix",
        "--precision",
        "f32",
        "--mesh",
        "exact",
    ],
    &[
        "--encoding",
        "vertex",
        "--precision",
        "f32",
        "--mesh",
        "exact",
    ],
];

#[test]
fn rotated_joint_matches_the_closed_form() {
    for encoding in FLOATS {
        let args = [encoding, &["--rotate", "bone2=0,0,120"]].concat();
        let frames = baked(&args, &[0.0, 0.25, 0.5, 1.0]);
        for (vertices, fraction) in frames.iter().zip([0.0, 0.25, 0.5, 1.0]) {
            let expected = frames[0].iter().map(|&rest| bent(rest, DEGREES * fraction));
            assert_close(vertices, expected, &format!("{encoding:?} at {fraction}"));
        }
    }
}

#[test]
fn positions_on_straight_lines_shrink_and_rotations_do_not() {
    // The vertex of the upper end that is farthest from the joint.
    let reach = |vertices: &[DVec3]| {
        let distances = vertices.iter().map(|v| v.distance(JOINT));
        distances.fold(0.0, f64::max)
    };
    for encoding in FLOATS {
        let edit = ["--rotate", "2=0,0,120", "--keyframe"];
        let by = |keyframe: &str| {
            let args = [encoding, &edit[..], &[keyframe]].concat();
            baked(&args, &[0.0, 0.5, 1.0])
        };
        let lines = by("1:positions");
        let middle = lines[0].iter().map(|&p| p.midpoint(bent(p, DEGREES)));
        assert_close(&lines[1], middle, "half way");
        let end = lines[0].iter().map(|&p| bent(p, DEGREES));
        assert_close(&lines[2], end, "all the way");
        let arcs = by("1:rotations");
        // On the chord of 120° the distance is half that on the arc.
        let upper = |frame: &[DVec3], rest: &[DVec3]| -> Vec<DVec3> {
            let pairs = frame.iter().zip(rest).filter(|(_, rest)| rest.y == 2.0);
            pairs.map(|(&v, _)| v).collect()
        };
        let [line, arc] = [&lines, &arcs].map(|f| reach(&upper(&f[1], &f[0])));
        assert!((arc - 1.0_f64.hypot(0.25)).abs() < 2e-6, "{arc}");
        assert!(line < 0.6 * arc, "{line} {arc}");
        // The clip ends at the fraction of the keyframe.
        let half = by("0.5:rotations");
        assert_close(&half[2], arcs[1].iter().copied(), "half of the rotations");
        let half = by("0.5:positions");
        assert_close(&half[2], lines[1].iter().copied(), "half of the lines");
    }
}

#[test]
fn edits_are_on_top_of_a_clip() {
    // `bend` rotates bone2 by 120° after one second, and the edit takes it back.
    let edit = ["--clip", "bend", "--time", "1", "--rotate", "2=0,0,-120"];
    let frames = baked(&[FLOATS[0], &edit[..]].concat(), &[0.0, 1.0]);
    assert_close(&frames[1], frames[0].iter().copied(), "rest");
}

#[test]
fn searches_and_other_clips_work_with_a_pose() {
    let work = WorkFolder::new();
    let edit = ["builtin:cylinder", "-o", "set", "--rotate", "2=0,0,60"];
    work.bake(&edit).quiet();
    work.verify(&["set"]).quiet();
    // The pose is baked, whether it is named or not.
    for (clips, names) in [
        ("twist,pose", ["twist", "pose"]),
        ("pose,twist", ["pose", "twist"]),
        ("twist", ["twist", "pose"]),
    ] {
        let options = ["--clips", clips, "--encoding", "bone-qt"];
        work.bake(&[&edit[..], &options].concat()).quiet();
        work.verify(&["set"]).quiet();
        assert_eq!(clip_names(&work), names, "{clips}");
    }
    let pose = &work.json("set/manifest.json")["source"]["pose"];
    assert_eq!(pose["rotate"][0]["joint"], "2");
    // A set of another pose is another source.
    work.edit_manifest("set", |manifest| {
        manifest["source"]["pose"]["rotate"][0]["degrees"][2] = 90.into();
    });
    assert_eq!(work.verify(&["set"]).code, Some(1));
    let error = work
        .bake(&["builtin:cylinder", "--rotate", "elbow=0,0,9"])
        .failed(2);
    assert!(
        error.contains("'elbow'") && error.contains("bone2"),
        "{error}"
    );
}

/// Presets of P3 skin by LBS what the file skins with dual quaternions, and the lines of the pose are those of LBS.
#[test]
fn positions_of_a_pose_follow_the_method_of_the_preset() {
    let Some(assets) = shared_assets() else {
        return;
    };
    let path = assets.join("fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx");
    let Some(path) = path_or_skip(path, "a character skinned with dual quaternions") else {
        return;
    };
    let pose = ["--rotate", "#2=0,0,100", "--keyframe", "0.5:positions"];
    for (preset, method) in [
        ("p3-virtual-bones", "lbs"),
        ("p3-virtual-bones-split", "lbs"),
        ("p0-vertex8", "as-authored"),
    ] {
        let work = WorkFolder::new();
        let set = [path.to_str().unwrap(), "-o", "set", "--json"];
        let report = work.bake(&[&set[..], &["--preset", preset], &pose].concat());
        let report = object(&report.ok());
        assert_eq!(report["method"], method, "{preset}");
        // Both warn that the file has no clips.
        let verified = object(&work.verify(&["set", "--json"]).ok());
        assert_eq!(verified["max_error_mm"], report["max_error_mm"], "{preset}");
        assert!(report["max_error_mm"].is_number(), "{report}");
    }
}

#[test]
fn clip_or_time_without_an_edit_is_refused() {
    let work = WorkFolder::new();
    for option in [["--clip", "bend"], ["--time", "0.5"]] {
        let error = work.bake(&[&["builtin:cylinder"], &option[..]].concat());
        let error = error.failed(2);
        assert!(
            error.contains(option[0]) && error.contains("use --clips"),
            "{error}"
        );
    }
}
