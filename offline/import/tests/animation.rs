//! Animations: every interpolation of every property, compared with the formulas of the specification.

mod common;

use common::{Component, Glb, assert_close, has_warning, posed, triangle};
use glam::{DMat4, DQuat, DVec3, DVec4};
use serde_json::json;
use throng_import::{ErrorKind, Import, Warning};
use throng_rig::select_by_name;

const TIMES: [f32; 3] = [0.5, 1.0, 3.0];

/// Builds a rigid triangle on a node with rotation, translation and scale.
fn rigid() -> (Glb, usize) {
    let mut glb = Glb::new();
    let mesh = glb.triangle_mesh();
    let node = glb.node(json!({ "name": "it", "mesh": mesh, "translation": [5., 0., 0.] }));
    (glb, node)
}

fn corners() -> [DVec3; 3] {
    triangle().map(|c| DVec3::from_array(c.map(f64::from)))
}

/// Returns keys of four numbers each. Keys of splines have an in-tangent, a value and an out-tangent.
fn keys(interpolation: &str) -> Vec<[f32; 4]> {
    let values = [
        [1.0, 2.0, 3.0, 0.5],
        [-1.0, 0.5, 2.0, 1.0],
        [4.0, 1.0, -2.0, -0.25],
    ];
    let tangents = [[0.5, -1.0, 2.0, 0.25], [-2.0, 1.0, 0.0, 0.5]];
    match interpolation {
        "CUBICSPLINE" => values
            .iter()
            .flat_map(|&v| [tangents[0], v, tangents[1]])
            .collect(),
        _ => values.to_vec(),
    }
}

/// Samples keys by the formulas of the specification. Rotations are normalised.
fn sample(keys: &[[f32; 4]], interpolation: &str, is_rotation: bool, t: f64) -> DVec4 {
    let key = |i: usize| DVec4::from_array(keys[i].map(f64::from));
    let unit = |v: DVec4| if is_rotation { v.normalize() } else { v };
    let times = TIMES.map(f64::from);
    let value = |i: usize| {
        if interpolation == "CUBICSPLINE" {
            key(3 * i + 1)
        } else {
            key(i)
        }
    };
    if t <= times[0] {
        return unit(value(0));
    }
    if t >= times[2] {
        return unit(value(2));
    }
    let i = usize::from(t >= times[1]);
    let span = times[i + 1] - times[i];
    let f = (t - times[i]) / span;
    match interpolation {
        "STEP" => unit(value(i)),
        "LINEAR" if is_rotation => {
            let (a, mut b) = (unit(value(i)), unit(value(i + 1)));
            if a.dot(b) < 0.0 {
                b = -b;
            }
            let angle = a.dot(b).acos();
            (a * ((1.0 - f) * angle).sin() + b * (f * angle).sin()) / angle.sin()
        }
        "LINEAR" => value(i).lerp(value(i + 1), f),
        _ => {
            let (leaving, arriving) = (key(3 * i + 2), key(3 * i + 3));
            let (f2, f3) = (f * f, f * f * f);
            unit(
                value(i) * (2.0 * f3 - 3.0 * f2 + 1.0)
                    + leaving * (span * (f3 - 2.0 * f2 + f))
                    + value(i + 1) * (-2.0 * f3 + 3.0 * f2)
                    + arriving * (span * (f3 - f2)),
            )
        }
    }
}

#[test]
fn every_interpolation_of_every_property_is_as_specified() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        for path in ["translation", "rotation", "scale"] {
            let (mut glb, node) = rigid();
            let keys = keys(interpolation);
            let output = if path == "rotation" {
                glb.floats(&keys)
            } else {
                let three: Vec<[f32; 3]> = keys.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
                glb.floats(&three)
            };
            let clip = glb.clip("clip");
            glb.channel(clip, (node, path), interpolation, &TIMES, output);
            let character = glb.import().character;
            let clip = &character.clips()[0];
            assert_eq!((clip.start_secs(), clip.end_secs()), (0.5, 3.0));

            for t in [0.0, 0.5, 0.7, 0.9999, 1.0, 1.5, 2.9, 3.0, 7.0] {
                let value = sample(&keys, interpolation, path == "rotation", t);
                let at = DVec3::new(5.0, 0.0, 0.0);
                let model = match path {
                    "translation" => DMat4::from_translation(value.truncate()),
                    "rotation" => DMat4::from_rotation_translation(DQuat::from_vec4(value), at),
                    _ => DMat4::from_translation(at) * DMat4::from_scale(value.truncate()),
                };
                let expected = corners().map(|c| model.transform_point3(c));
                let found = posed(&character, 0, Some((0, t)));
                // Slerp and lerp of close rotations differ only by rounding.
                assert_close(&found, &expected, 1e-12);
            }
        }
    }
}

#[test]
fn missing_interpolation_is_linear() {
    let (mut glb, node) = rigid();
    let clip = glb.clip("clip");
    let output = glb.floats(&[[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    glb.channel(clip, (node, "translation"), "LINEAR", &[0.0, 1.0], output);
    let sampler = glb.json["animations"][0]["samplers"][0].as_object_mut();
    sampler.unwrap().remove("interpolation");
    let found = posed(&glb.import().character, 0, Some((0, 0.25)));
    assert_close(&found, &corners().map(|c| c + DVec3::Y * 0.5), 1e-14);

    glb.json["animations"][0]["samplers"][0]["interpolation"] = json!("BEZIER");
    assert_eq!(glb.import_error().kind, ErrorKind::Unsupported);
}

#[test]
fn single_key_and_zero_length_clips_are_constant() {
    for (interpolation, count) in [("STEP", 1), ("LINEAR", 1), ("CUBICSPLINE", 3)] {
        let (mut glb, node) = rigid();
        let clip = glb.clip("pose");
        let mut values = vec![[100.0, 100.0, 100.0]; count];
        values[count / 2] = [0.0, 3.0, 0.0];
        let output = glb.floats(&values);
        glb.channel(clip, (node, "translation"), interpolation, &[2.0], output);
        let character = glb.import().character;
        let clip = &character.clips()[0];
        assert_eq!((clip.start_secs(), clip.duration_secs()), (2.0, 0.0));
        for t in [0.0, 2.0, 4.0] {
            let found = posed(&character, 0, Some((0, t)));
            assert_close(&found, &corners().map(|c| c + DVec3::Y * 3.0), 0.0);
        }
    }
}

#[test]
fn keeps_the_last_key_at_the_same_time_and_reports_it() {
    for (interpolation, per_key) in [("LINEAR", 1), ("CUBICSPLINE", 3)] {
        let (mut glb, node) = rigid();
        let clip = glb.clip("clip");
        let values: Vec<[f32; 3]> = [0.0, 7.0, 8.0, 2.0, 4.0]
            .iter()
            .flat_map(|&y| {
                let mut key = vec![[0.0; 3]; per_key];
                key[per_key / 2] = [0.0, y, 0.0];
                key
            })
            .collect();
        let output = glb.floats(&values);
        let times = [0.0, 1.0, 1.0, 1.0, 2.0];
        glb.channel(clip, (node, "translation"), interpolation, &times, output);
        let import = glb.import();
        for (t, y) in [(0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (1.5, 3.0), (2.0, 4.0)] {
            let found = posed(&import.character, 0, Some((0, t)));
            assert_close(&found, &corners().map(|c| c + DVec3::Y * y), 1e-14);
        }
        assert!(has_warning(&import.warnings, |w| *w
            == Warning::KeysAtSameTime {
                clip: "animation 0 'clip'".into(),
                node: "node 0 'it'".into(),
                keys: 2
            }));
    }
}

#[test]
fn rejects_decreasing_and_non_finite_times() {
    for times in [
        [0.0, 2.0, 1.0],
        [0.0, f32::NAN, 1.0],
        [0.0, 1.0, f32::INFINITY],
    ] {
        let (mut glb, node) = rigid();
        let clip = glb.clip("clip");
        let output = glb.floats(&[[0.0; 3]; 3]);
        glb.channel(clip, (node, "translation"), "LINEAR", &times, output);
        let error = glb.import_error();
        assert_eq!(error.kind, ErrorKind::Data);
        assert!(error.object.contains("'clip'"), "{error}");
    }
}

#[test]
fn rejects_wrong_number_of_values() {
    for (interpolation, count) in [("LINEAR", 2), ("LINEAR", 4), ("CUBICSPLINE", 3)] {
        let (mut glb, node) = rigid();
        let clip = glb.clip("clip");
        let output = glb.floats(&vec![[0.0; 3]; count]);
        glb.channel(clip, (node, "translation"), interpolation, &TIMES, output);
        assert_eq!(
            glb.import_error().kind,
            ErrorKind::Data,
            "{interpolation} {count}"
        );
    }
    let (mut glb, node) = rigid();
    let clip = glb.clip("clip");
    let output = glb.floats(&[[0.0, f32::NAN, 0.0]; 3]);
    glb.channel(clip, (node, "scale"), "LINEAR", &TIMES, output);
    assert_eq!(glb.import_error().kind, ErrorKind::Data);
}

#[test]
fn quantised_rotations_are_normalised() {
    for component in [Component::I16, Component::I8, Component::U16, Component::U8] {
        let one = match component {
            Component::I16 => 32767.0,
            Component::I8 => 127.0,
            Component::U16 => 65535.0,
            _ => 255.0,
        };
        let (mut glb, node) = rigid();
        let wanted = [
            [0.6, 0.0, 0.0, 0.8],
            [0.0, 0.6, 0.0, 0.8],
            [0.0, 0.0, 1.0, 0.0],
        ];
        let stored: Vec<f64> = wanted
            .iter()
            .flatten()
            .map(|x: &f64| (x * one).round())
            .collect();
        let output = glb.numbers(component, "VEC4", &stored, true);
        let clip = glb.clip("clip");
        glb.channel(clip, (node, "rotation"), "STEP", &TIMES, output);
        let character = glb.import().character;
        for (key, stored) in stored.as_chunks::<4>().0.iter().enumerate() {
            let stored = stored.map(|n| f64::from(component.normalized(n) as f32));
            let rotation = DQuat::from_array(stored).normalize();
            let expected = corners().map(|c| rotation * c + DVec3::X * 5.0);
            let found = posed(&character, 0, Some((0, f64::from(TIMES[key]))));
            assert_close(&found, &expected, 1e-12);
        }
    }
}

#[test]
fn rotations_take_the_shortest_path() {
    let (mut glb, node) = rigid();
    let rotation = DQuat::from_rotation_z(1.0);
    let keys = [DQuat::IDENTITY, -rotation].map(|q| q.as_quat().to_array());
    let output = glb.floats(&keys);
    let clip = glb.clip("clip");
    glb.channel(clip, (node, "rotation"), "LINEAR", &[0.0, 1.0], output);
    let half = DQuat::from_rotation_z(0.5);
    let expected = corners().map(|c| half * c + DVec3::X * 5.0);
    let found = posed(&glb.import().character, 0, Some((0, 0.5)));
    assert_close(&found, &expected, 1e-6); // Keys are float32.
}

#[test]
fn zero_length_rotations_take_the_previous_key_and_are_reported() {
    let (mut glb, node) = rigid();
    let z = [0.0, 0.0, 1.0, 0.0];
    let output = glb.floats(&[z, [0.0; 4], [0.0, 0.0, 0.0, 1.0]]);
    let clip = glb.clip("clip");
    glb.channel(clip, (node, "rotation"), "STEP", &TIMES, output);
    let import = glb.import();
    let rotated = corners().map(|c| DVec3::new(5.0 - c.x, -c.y, c.z));
    let found = posed(&import.character, 0, Some((0, 1.0)));
    assert_close(&found, &rotated, 1e-14);
    assert!(has_warning(&import.warnings, |w| matches!(
        w,
        Warning::ZeroRotationKeys { keys: 1, .. }
    )));
}

#[test]
fn clips_with_equal_names_are_kept_apart() {
    let (mut glb, node) = rigid();
    let twin = glb.node(json!({ "name": "it", "mesh": 0 }));
    for (name, y) in [("walk", 1.0), ("run", 2.0), ("walk", 3.0)] {
        let clip = glb.clip(name);
        let output = glb.floats(&[[0.0, y, 0.0]]);
        glb.channel(clip, (node, "translation"), "STEP", &[0.0], output);
    }
    let character = glb.import().character;
    let clips = || character.clips().iter().map(|c| c.name.as_str());
    let found = select_by_name(clips(), "walk").unwrap();
    assert_eq!((found.index, found.namesakes), (0, vec![2]));
    let second = select_by_name(clips(), "#2").unwrap().index;
    let moved = posed(&character, 0, Some((second, 0.0)));
    assert_close(&moved, &corners().map(|c| c + DVec3::Y * 3.0), 0.0);

    let joints = || {
        character
            .skeleton()
            .joints()
            .iter()
            .map(|j| j.name.as_str())
    };
    let found = select_by_name(joints(), "it").unwrap();
    assert_eq!((found.index, found.namesakes), (node, vec![twin]));
}

#[test]
fn empty_animation_keeps_its_index() {
    let (mut glb, node) = rigid();
    glb.clip("nothing");
    let clip = glb.clip("second");
    let output = glb.floats(&[[0.0, 1.0, 0.0]]);
    glb.channel(clip, (node, "translation"), "STEP", &[0.0], output);
    let import = glb.import();
    let names: Vec<_> = import.character.clips().iter().map(|c| &c.name).collect();
    assert_eq!(names, ["nothing", "second"]);
    assert!(has_warning(&import.warnings, |w| *w
        == Warning::ClipEmpty {
            clip: "animation 0 'nothing'".into()
        }));
    let still = posed(&import.character, 0, Some((0, 0.0)));
    assert_close(&still, &corners().map(|c| c + DVec3::X * 5.0), 0.0);
}

fn ignored(import: &Import, reason: &str) -> bool {
    has_warning(
        &import.warnings,
        |w| matches!(w, Warning::ChannelIgnored { reason: r, .. } if r.contains(reason)),
    )
}

#[test]
fn ignored_channels_are_reported() {
    let (mut glb, node) = rigid();
    let idle = glb.node(json!({ "name": "camera" }));
    let output = glb.floats(&[[0.0, 1.0, 0.0]]);
    let clip = glb.clip("clip");
    for (node, path) in [
        (node, "pointer"),
        (node, "weights"),
        (idle, "translation"),
        (node, "translation"),
        (node, "translation"),
    ] {
        glb.channel(clip, (node, path), "STEP", &[0.0], output);
    }
    let nameless = &mut glb.json["animations"][0]["channels"][4]["target"];
    nameless.as_object_mut().unwrap().remove("node");
    let second = glb.floats(&[[0.0, 9.0, 0.0]]);
    glb.channel(clip, (node, "translation"), "STEP", &[0.0], second);
    let import = glb.import();
    assert!(ignored(&import, "'pointer'"));
    assert!(ignored(
        &import,
        "ignored 2 channels of nodes that are not part of the character"
    ));
    assert!(ignored(&import, "ignored channel 4: it has no target node"));
    assert!(has_warning(&import.warnings, |w| *w
        == Warning::ChannelDuplicate {
            clip: "animation 0 'clip'".into(),
            node: "node 0 'it'".into(),
            path: "translation".into(),
        }));
    let first = posed(&import.character, 0, Some((0, 0.0)));
    assert_close(&first, &corners().map(|c| c + DVec3::Y), 0.0);
}

#[test]
fn channel_on_a_sheared_node_is_ignored_and_reported() {
    let (mut glb, node) = rigid();
    let shear = DMat4::from_cols_array(&[
        1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.,
    ]);
    glb.json["nodes"][node] = json!({ "mesh": 0, "matrix": shear.to_cols_array() });
    let clip = glb.clip("clip");
    let output = glb.floats(&[[0.0, 9.0, 0.0]]);
    glb.channel(clip, (node, "translation"), "STEP", &[0.0], output);
    let import = glb.import();
    assert!(ignored(&import, "does not animate nodes with a matrix"));
    let expected = corners().map(|c| shear.transform_point3(c));
    assert_close(
        &posed(&import.character, 0, Some((0, 0.0))),
        &expected,
        1e-14,
    );
}

#[test]
fn rejects_channels_with_invalid_indices() {
    for (pointer, kind) in [
        ("/channels/0/target/node", ErrorKind::Reference),
        ("/channels/0/sampler", ErrorKind::Reference),
        ("/samplers/0/input", ErrorKind::Reference),
        ("/samplers/0/output", ErrorKind::Reference),
    ] {
        let (mut glb, node) = rigid();
        let clip = glb.clip("clip");
        let output = glb.floats(&[[0.0; 3]]);
        glb.channel(clip, (node, "scale"), "STEP", &[0.0], output);
        *glb.json["animations"][clip].pointer_mut(pointer).unwrap() = json!(99);
        assert_eq!(glb.import_error().kind, kind, "{pointer}");
    }
}
