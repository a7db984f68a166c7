//! `throng pose`: results and reports.

use std::path::Path;

use serde_json::Value;

use crate::run::{count, keys, list, object, run, tiny_gltf, vector};

/// Runs `throng pose` with `-o out.json` in an empty folder; returns the text of the file.
#[track_caller]
fn posed_text(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.json");
    let output = ["-o", path.to_str().unwrap()];
    run([&["pose"], args, &output].concat()).ok();
    std::fs::read_to_string(path).unwrap()
}

#[track_caller]
fn positions(args: &[&str]) -> Vec<[f64; 3]> {
    let posed: Value = serde_json::from_str(&posed_text(args)).unwrap();
    let meshes = list(&posed["meshes"]).iter();
    meshes
        .flat_map(|mesh| list(&mesh["positions"]).iter().map(vector))
        .collect()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// The largest distance between vertices of two poses, in metres.
fn farthest(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let distances = a.iter().zip(b).map(|(a, b)| distance(*a, *b));
    distances.fold(0.0, f64::max)
}

#[test]
fn json_has_positions_and_normals_in_file_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.gltf");
    std::fs::write(&path, tiny_gltf(&["slide"])).unwrap();
    let text = posed_text(&[path.to_str().unwrap(), "--time", "0.5"]);
    assert_eq!(
        text,
        r#"{"meshes":[{"node":0,"node_name":"","primitive":0,"#.to_owned()
            + r#""positions":[[0.5,0.0,0.0],[1.5,0.0,0.0],[0.5,1.0,0.0]],"#
            + r#""normals":[[0.0,0.0,1.0],[0.0,0.0,1.0],[0.0,0.0,1.0]]}]}"#
    );
}

#[test]
fn json_has_one_position_and_normal_per_vertex() {
    for source in ["builtin:humanoid", "builtin:cylinder", "builtin:bar"] {
        let posed: Value = serde_json::from_str(&posed_text(&[source])).unwrap();
        let report = object(&run(["inspect", "--json", source]).quiet());
        assert_eq!(keys(&posed), ["meshes"]);
        let (meshes, parts) = (list(&posed["meshes"]), list(&report["parts"]));
        assert_eq!(meshes.len(), parts.len());
        for (mesh, part) in meshes.iter().zip(parts) {
            let expected = ["node", "node_name", "normals", "positions", "primitive"];
            assert_eq!(keys(mesh), expected);
            for key in ["node", "node_name", "primitive"] {
                assert_eq!(mesh[key], part[key]);
            }
            for vectors in [&mesh["positions"], &mesh["normals"]] {
                assert_eq!(list(vectors).len(), count(&part["vertices"]));
                assert!(list(vectors).iter().all(|v| vector(v).len() == 3));
            }
        }
    }
}

#[test]
fn accepts_and_reports_every_method() {
    let at = ["builtin:cylinder", "--clip", "twist", "--time", "1"];
    for method in [
        "lbs",
        "dqs",
        "dqs-plain",
        "dqs-direct",
        "dqs-sum",
        "blend:0.25",
        "blend-positions:0.75",
    ] {
        let report = run([&["pose", "--json", "--method", method], &at[..]].concat()).quiet();
        assert_eq!(object(&report)["method"], method);
    }
    let by = |method: &str| positions(&[&["--method", method], &at[..]].concat());
    let (lbs, dqs) = (by("lbs"), by("dqs"));
    // Half the radius, in metres: rotated by 180°, the joint collapses with LBS.
    assert!(farthest(&lbs, &dqs) > 0.125);
    for (method, expected) in [
        ("blend:0", &lbs),
        ("blend:1", &dqs),
        ("blend-positions:0", &lbs),
        ("blend-positions:1", &dqs),
        ("dqs-direct", &dqs),
    ] {
        let off = farthest(&by(method), expected);
        assert!(off < 1e-9, "{method}: {off}"); // rounding, in metres
    }
    assert_eq!(positions(&at), lbs, "the default");
}

#[test]
fn rejects_unknown_methods_with_a_list() {
    for method in [
        "nosuch",
        "",
        "blend",
        "blend:",
        "blend:1.1",
        "blend:-0.1",
        "blend:nan",
        "blend:automatic",
        "blend-positions:2",
        "blend-positions:auto",
        "cor:1",
        "dqs:1",
        "lbs ",
    ] {
        let error = run(["pose", "--method", method]).misused();
        for name in ["dqs-direct", "dqs-bulge-free", "cor", "sclerp"] {
            assert!(error.contains(&format!(" {name},")), "{name}: {error}");
        }
        for name in ["blend-positions:F", "blend:auto"] {
            assert!(error.contains(name), "{name}: {error}");
        }
    }
}

#[test]
fn shared_positions_do_not_change_the_output() {
    for source in ["builtin:humanoid", "builtin:cylinder", "builtin:bar"] {
        let text = |sharing: &str| posed_text(&[source, "--time", "0.7", "--positions", sharing]);
        assert!(text("shared") == text("split"), "{source}");
    }
    // Corners of polygons: the vertices of a flat-shaded box, of which 62 positions are unique.
    let corners = ["builtin:box", "--time", "0.7", "--positions", "corners"];
    assert_eq!(positions(&corners).len(), 312);
    assert_eq!(posed_text(&corners), posed_text(&corners[..3]));
}

#[test]
fn limited_influences_change_vertices_with_a_warning() {
    let at = ["builtin:cylinder", "--time", "0.5"];
    let with = |option: &[&'static str]| [option, &at[..]].concat();
    let all = positions(&at);
    let one = with(&["--max-influences", "1"]);
    let warning = run([&["pose"], &one[..]].concat()).warned();
    assert!(warning.contains("more than 1 influences"), "{warning}");
    let one = positions(&one);
    assert!(farthest(&all, &one) > 1e-3); // a millimetre

    let two = with(&["--max-influences", "2"]);
    run([&["pose"], &two[..]].concat()).quiet();
    assert_eq!(
        positions(&two),
        all,
        "the cylinder has at most two influences per vertex"
    );
    // One of two influences has a weight of a half or less.
    let heavy = positions(&with(&["--min-weight", "1"]));
    assert_eq!(heavy, one);
}

#[test]
fn json_report_agrees_with_the_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.json");
    let output = path.to_str().unwrap();
    let at = ["builtin:cylinder", "--clip", "bend", "--time", "0.5"];
    let args = [&["pose", "--json"], &at[..], &["-o", output]].concat();
    let report = object(&run(args).quiet());
    let expected = [
        "bounds",
        "clip",
        "joints",
        "method",
        "output",
        "parts",
        "source",
        "time_secs",
        "vertices",
        "volume_ratio",
    ];
    assert_eq!(keys(&report), expected);
    assert_eq!(keys(&report["clip"]), ["index", "name"]);
    assert_eq!(report["output"], output);
    assert_eq!(report["source"], "builtin:cylinder");

    let positions = positions(&at);
    assert_eq!(report["parts"], 1);
    assert_eq!(count(&report["vertices"]), positions.len());
    let (min, max) = (
        vector(&report["bounds"]["min"]),
        vector(&report["bounds"]["max"]),
    );
    for axis in 0..3 {
        let along = positions.iter().map(|p| p[axis]);
        assert_eq!(along.clone().fold(f64::INFINITY, f64::min), min[axis]);
        assert_eq!(along.fold(f64::NEG_INFINITY, f64::max), max[axis]);
    }
}

#[test]
fn text_report_names_clip_time_and_skinning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.obj");
    let output = path.to_str().unwrap();
    let at = ["builtin:cylinder", "--clip", "twist", "--time", "1"];
    let args = [&["pose"], &at[..], &["--method", "dqs", "-o", output]].concat();
    let text = run(args).quiet();
    let expected =
        "builtin:cylinder: clip 0 'twist' at 1 s, skinning dqs\n  1 part, 1 681 vertices";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with(&format!("wrote {output}\n")), "{text}");
    let text = run(["pose"]).quiet();
    assert!(
        text.contains("rest pose, skinning as authored (LBS)\n"),
        "{text}"
    );
    assert!(text.contains("-o FILE.glb"), "{text}");
}

#[test]
fn extension_of_the_output_selects_the_format() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [
        ("a.glb", "glTF"),
        ("a.GLB", "glTF"),
        ("a.obj", "# throng"),
        ("a.ply", "ply\n"),
        ("a.json", "{\"meshes\":["),
        ("a b.c.Json", "{\"meshes\":["),
    ] {
        let path = folder.path().join(name);
        run([Path::new("pose"), Path::new("-o"), &path]).quiet();
        let bytes = std::fs::read(path).unwrap();
        assert!(bytes.starts_with(start.as_bytes()), "{name}");
    }
}
