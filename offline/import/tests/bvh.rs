//! BVH files made in memory, compared with matrices written by hand.

mod common;

use common::has_warning;
use glam::{DAffine3, DMat3, DVec3};
use throng_import::{
    ErrorKind, Import, ImportError, ImportOptions, LeafPolicy, SourceFormat, Warning,
    import_motion, import_motion_bytes,
};
use throng_rig::{CharacterPose, JointKind};

fn try_read(text: &str) -> Result<Import, ImportError> {
    import_motion_bytes("walk.bvh", text.as_bytes(), None, &ImportOptions::default())
}

#[track_caller]
fn read(text: &str) -> Import {
    try_read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the transform of a joint in model space.
fn model_from_joint(import: &Import, name: &str, time_secs: f64) -> DAffine3 {
    let character = &import.character;
    let joints = character.skeleton().joints();
    let joint = joints.iter().position(|joint| joint.name == name);
    let joint = joint.unwrap_or_else(|| panic!("no joint '{name}'"));
    let mut pose = CharacterPose::rest(character);
    pose.sample(character, &character.clips()[0], time_secs);
    pose.model.model_from_joint[joint]
}

/// Rotation about an axis as the textbook has it, on column vectors.
fn rotation_about(axis: char, degrees: f64) -> DMat3 {
    let (s, c) = degrees.to_radians().sin_cos();
    let rows = match axis {
        'X' => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        'Y' => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        'Z' => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
        _ => panic!("{axis}"),
    };
    DMat3::from_cols_array_2d(&rows).transpose()
}

/// A root of 1.7 m, so that the unit is a metre, with the rotation channels of `order`.
fn turned(order: &str, degrees: &[f64]) -> String {
    let names: Vec<String> = order
        .chars()
        .map(|axis| format!("{axis}rotation"))
        .collect();
    let values: Vec<String> = degrees.iter().map(f64::to_string).collect();
    format!(
        "HIERARCHY\nROOT hips\n{{\n OFFSET 0 0 0\n CHANNELS {} {}\n End Site {{ OFFSET 0.25 1.7 -0.5 }}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.1\n{}\n",
        names.len(),
        names.join(" "),
        values.join(" ")
    )
}

#[test]
fn rotations_multiply_in_the_order_of_their_channels() {
    for order in [
        "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZXZ", "XX", "Y", "", "XYZXYZX",
    ] {
        let degrees: Vec<f64> = (0..order.len()).map(|i| 20.0 + 37.0 * i as f64).collect();
        let mut expected = DMat3::IDENTITY;
        for (axis, angle) in order.chars().zip(&degrees) {
            expected *= rotation_about(axis, *angle);
        }
        let text = turned(order, &degrees);
        if order.is_empty() {
            assert!(
                try_read(&text)
                    .unwrap_err()
                    .to_string()
                    .contains("has no clip")
            );
            continue;
        }
        let import = read(&text);
        let found = model_from_joint(&import, "hips", 0.0).matrix3;
        // Keys are float32.
        assert!(
            found.abs_diff_eq(expected, 1e-6),
            "{order}: {found} {expected}"
        );
        let end = model_from_joint(&import, "hips_end", 0.0).translation;
        let point = expected * DVec3::new(0.25, 1.7, -0.5);
        assert!(end.abs_diff_eq(point, 1e-6), "{order}: {end} {point}");
    }
}

#[test]
fn a_quarter_turn_about_z_and_then_x_in_numbers() {
    // Rz(90°) · Rx(90°): X goes to Y, Y goes to Z, Z goes to X.
    let import = read(&turned("ZX", &[90.0, 90.0]));
    let found = model_from_joint(&import, "hips", 0.0).matrix3;
    let expected = DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    assert!(found.abs_diff_eq(expected, 1e-6), "{found}");
    let end = model_from_joint(&import, "hips_end", 0.0).translation;
    assert!(end.abs_diff_eq(DVec3::new(-0.5, 0.25, 1.7), 1e-6), "{end}");
}

const WALK: &str = "\u{feff}HIERARCHY\r
ROOT Hips\r
{\r
\tOFFSET 0 90 0\r
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r
\tJOINT mixamorig:Left Leg\r
\t{\r
\t\tOFFSET 10 -40 0\r
\t\tCHANNELS 4 Xrotation Yposition Yrotation Zrotation\r
\t\tEnd Site\r
\t\t{\r
\t\t\tOFFSET 0 -45 5\r
\t\t}\r
\t}\r
\tJOINT Chest\r
\t{\r
\t\tOFFSET 0 50 0\r
\t\tCHANNELS 0\r
\t}\r
}\r
MOTION\r
Frames: 3\r
Frame Time: 0.0333333\r
0 90 0 0 0 0 0 -40 0 0\r
1 91 2 10 20 30 40 -42 50 60\r
2 92 4 20 40 60 80 -44 100 120";

#[test]
fn positions_replace_offsets_and_lengths_are_centimetres() {
    let import = read(WALK);
    assert_eq!(import.format, SourceFormat::Bvh);
    assert_eq!(import.generator, None);
    assert_eq!(import.character.name, "walk");
    assert_eq!(import.character.clips()[0].name, "walk");
    assert_eq!(
        import.warnings,
        [Warning::BvhUnit {
            metres_per_unit: 0.01
        }]
    );
    assert!(import.warnings[0].is_note());
    let hips = rotation_about('Z', 10.0) * rotation_about('X', 20.0) * rotation_about('Y', 30.0);
    let leg = rotation_about('X', 40.0) * rotation_about('Y', 50.0) * rotation_about('Z', 60.0);
    let model_from_hips = DAffine3::from_mat3_translation(hips, DVec3::new(0.01, 0.91, 0.02));
    // The offset of the leg, but its Y from the channel.
    let hips_from_leg = DAffine3::from_mat3_translation(leg, DVec3::new(0.1, -0.42, 0.0));
    let model_from_leg = model_from_hips * hips_from_leg;
    for (name, expected) in [
        ("Hips", model_from_hips.translation),
        ("mixamorig:Left Leg", model_from_leg.translation),
        (
            "mixamorig:Left Leg_end",
            model_from_leg.transform_point3(DVec3::new(0.0, -0.45, 0.05)),
        ),
        (
            "Chest",
            model_from_hips.transform_point3(DVec3::new(0.0, 0.5, 0.0)),
        ),
    ] {
        let found = model_from_joint(&import, name, 0.033_333_3).translation;
        assert!(
            found.abs_diff_eq(expected, 1e-6),
            "{name}: {found} {expected}"
        );
    }
    // The rest pose has the offsets and no rotation.
    let rest = CharacterPose::rest(&import.character);
    let leg = rest.model.model_from_joint[1];
    assert_eq!(leg.matrix3, DMat3::IDENTITY);
    assert!(
        leg.translation
            .abs_diff_eq(DVec3::new(0.1, 0.5, 0.0), 1e-12)
    );
}

#[test]
fn ends_are_leaves_and_open_bones_get_one() {
    let import = read(WALK);
    let kinds: Vec<JointKind> = {
        let joints = import.character.skeleton().joints().iter();
        joints.map(|joint| joint.kind).collect()
    };
    // The chest has no channels and no children.
    assert_eq!(
        kinds,
        [
            JointKind::Bone,
            JointKind::Bone,
            JointKind::Leaf,
            JointKind::Leaf
        ]
    );
    let open = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation JOINT b { OFFSET 0 1.7 0 CHANNELS 1 Xrotation } } MOTION Frames: 1 Frame Time: 1 0 0";
    assert!(has_warning(&read(open).warnings, |w| {
        *w == Warning::LeafJointsAdded { joints: 1 }
    }));
    let keep = ImportOptions {
        leaves: LeafPolicy::Keep,
        ..ImportOptions::default()
    };
    let import = import_motion_bytes("a.bvh", open.as_bytes(), None, &keep).unwrap();
    assert_eq!(import.character.skeleton().len(), 2);
}

#[test]
fn several_roots_scale_channels_and_lower_case_are_read() {
    let text = "hierarchy
        root a { offset 0 0 0 channels 2 xscale yrotation }
        root b { offset 0 170 0 channels 1 YPOSITION }
        motion frames: 2 frame time: 0.5
        1 10 170
        2 20 171";
    let import = read(text);
    assert_eq!(import.character.skeleton().root_count(), 2);
    assert!(has_warning(&import.warnings, |w| matches!(
        w,
        Warning::ChannelIgnored { reason, .. } if reason == "ignored 1 scale channel"
    )));
    let b = model_from_joint(&import, "b", 0.5).translation;
    assert!(b.abs_diff_eq(DVec3::new(0.0, 1.71, 0.0), 1e-6), "{b}");
}

#[test]
fn every_truncation_is_rejected_or_loses_digits_of_the_last_number() {
    let whole = read(WALK);
    for length in 0..WALK.len() {
        let Some(text) = WALK.get(..length) else {
            continue;
        };
        match try_read(text) {
            Ok(import) => {
                assert!(length > WALK.len() - 3, "{length} of {}", WALK.len());
                assert_eq!(import.character.skeleton(), whole.character.skeleton());
            }
            Err(error) => {
                // A minus without digits is invalid data.
                let expected = match text.ends_with('-') {
                    true => [ErrorKind::Container, ErrorKind::Data],
                    false => [ErrorKind::Container; 2],
                };
                assert!(expected.contains(&error.kind), "{error}");
                let text = error.to_string();
                assert!(text.starts_with("walk.bvh: line "), "{text}");
            }
        }
    }
}

#[test]
fn rejects_motion_that_overflows() {
    let text = WALK.replace("OFFSET 0 50 0", "OFFSET 0 1e308 0");
    let error = try_read(&text).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
    assert!(error.to_string().contains("MAX_REACH"), "{error}");
}

#[test]
fn files_are_read_by_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Walk.BVH");
    std::fs::write(&path, WALK).unwrap();
    let import = import_motion(path.to_str().unwrap(), &ImportOptions::default()).unwrap();
    assert_eq!(import.format, SourceFormat::Bvh);
    assert_eq!(import.character.clips()[0].name, "Walk");
}
