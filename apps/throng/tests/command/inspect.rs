//! `throng inspect`: text and JSON output.

use serde_json::Value;

use crate::run::{asset, count, keys, list, object, run, run_in, tiny_gltf};

const BUILTINS: [&str; 3] = ["builtin:cylinder", "builtin:bar", "builtin:bar:1000"];

fn inspected(source: &str) -> Value {
    object(&run(["inspect", "--json", source]).quiet())
}

/// Formats a whole number with groups of digits: 12 345.
fn grouped(number: usize) -> String {
    match (number / 1000, number % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{} {rest:03}", grouped(thousands)),
    }
}

/// Returns the rows of a table in the text, without its header.
fn rows<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != title);
    lines.skip(2).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn default_source_is_the_humanoid() {
    let named = run(["inspect", "builtin:humanoid"]).quiet();
    assert_eq!(run(["inspect"]).quiet(), named);
    assert_eq!(
        object(&run(["inspect", "--json"]).quiet()),
        inspected("builtin:humanoid")
    );
}

#[test]
fn json_has_the_documented_keys() {
    for source in BUILTINS {
        let report = inspected(source);
        let expected = [
            "bounds",
            "clips",
            "format",
            "generator",
            "joints",
            "materials",
            "parts",
            "size_m",
            "skins",
            "source",
            "totals",
            "warnings",
        ];
        assert_eq!(keys(&report), expected);
        assert_eq!(report["source"], source);
        assert_eq!(report["format"], "built-in");
        assert_eq!(report["size_m"], 2.0);
        let totals = [
            "depth",
            "joints",
            "max_influences",
            "roots",
            "triangles",
            "unique_normals",
            "unique_positions",
            "vertices",
        ];
        assert_eq!(keys(&report["totals"]), totals);
        let part = [
            "authored_method",
            "colors",
            "material",
            "max_influences",
            "morph_targets",
            "node",
            "node_name",
            "primitive",
            "skin",
            "tangents",
            "triangles",
            "unique_normals",
            "unique_positions",
            "uvs",
            "vertices",
        ];
        assert_eq!(keys(&report["parts"][0]), part);
        let clip = [
            "duration_secs",
            "end_secs",
            "finest_spacing_secs",
            "interpolations",
            "keys",
            "morphs",
            "name",
            "start_secs",
            "tracks",
        ];
        assert_eq!(keys(&report["clips"][0]), clip);
        let joint = ["clips", "kind", "name", "parent"];
        assert_eq!(keys(&report["joints"][0]), joint);
        assert_eq!(keys(&report["skins"][0]), ["joints", "name"]);
        let material = ["base_color", "double_sided", "name", "texture"];
        assert_eq!(keys(&report["materials"][0]), material);
    }
}

#[track_caller]
fn text_and_json_agree(source: &str) -> String {
    let text = run(["inspect", source]).quiet();
    let report = inspected(source);
    let totals = &report["totals"];
    for (what, one, many) in [
        ("vertices", "vertex", "vertices"),
        ("triangles", "triangle", "triangles"),
        ("unique_positions", "position", "positions"),
        ("unique_normals", "normal", "normals"),
        ("joints", "joint", "joints"),
        ("roots", "root", "roots"),
        ("max_influences", "influence", "influences"),
    ] {
        let number = count(&totals[what]);
        let expected = format!(
            " {} {}",
            grouped(number),
            if number == 1 { one } else { many }
        );
        assert!(text.contains(&expected), "{expected}: {text}");
    }

    let parts = list(&report["parts"]);
    for what in [
        "vertices",
        "triangles",
        "unique_positions",
        "unique_normals",
    ] {
        let sum: usize = parts.iter().map(|part| count(&part[what])).sum();
        assert_eq!(count(&totals[what]), sum, "{what}");
    }
    let part_rows = rows(&text, "Parts");
    assert_eq!(part_rows.len(), parts.len());
    for (row, part) in part_rows.iter().zip(parts) {
        for what in ["vertices", "triangles"] {
            assert!(row.contains(&grouped(count(&part[what]))), "{row}");
        }
    }
    assert_eq!(count(&totals["joints"]), list(&report["joints"]).len());
    assert_eq!(rows(&text, "Joints").len(), count(&totals["joints"]));
    let clips = list(&report["clips"]);
    let clip_rows = rows(&text, "Clips");
    assert_eq!(clip_rows.len(), clips.len());
    for (row, clip) in clip_rows.iter().zip(clips) {
        for what in ["start_secs", "end_secs", "duration_secs"] {
            let secs = format!("{:.4}", clip[what].as_f64().unwrap());
            assert!(row.contains(&secs), "{row}");
        }
        assert!(row.contains(&grouped(count(&clip["keys"]))), "{row}");
    }
    text
}

#[test]
fn text_and_json_have_the_same_numbers() {
    for source in BUILTINS.into_iter().chain(["builtin:humanoid"]) {
        let text = text_and_json_agree(source);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    assert_eq!(inspected("builtin:bar:1000")["totals"]["vertices"], 1000);
    for path in [
        "gltf/kaykit/Knight.glb",
        "gltf/khronos/MorphStressTest.glb",
        "gltf/khronos/Fox.glb",
    ] {
        if let Some(path) = asset(path) {
            text_and_json_agree(path.to_str().unwrap());
        }
    }
}

#[test]
fn escapes_control_characters_in_clip_names() {
    if let Some(path) = asset("gltf/crafted_valid/clip_names_hostile.glb") {
        let text = text_and_json_agree(path.to_str().unwrap());
        let clips = rows(&text, "Clips");
        assert_eq!(clips.len(), 9);
        assert!(
            clips[1].contains(r"a/b\c"),
            "backslashes are not escaped: {text}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile\nname.gltf");
    let names = ["a\nb", "\u{1b}[2J\u{1b}[31m", "\r\0\u{7}", "\u{202e}evil"];
    std::fs::write(&path, tiny_gltf(&names)).unwrap();
    let text = text_and_json_agree(path.to_str().unwrap());
    let is_plain = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
    assert!(text.chars().all(is_plain), "{text:?}");
    let report = inspected(path.to_str().unwrap());
    let clips = list(&report["clips"]);
    assert!(
        clips
            .iter()
            .zip(names)
            .all(|(clip, name)| clip["name"] == name)
    );
}

#[test]
fn applies_import_options_and_reports_changes() {
    let report = object(&run(["inspect", "--json", "--positions", "split"]).quiet());
    let totals = &report["totals"];
    assert_eq!(totals["unique_positions"], totals["vertices"]);

    let limited = object(&run(["inspect", "--json", "--max-influences", "1"]).quiet());
    assert_eq!(limited["totals"]["max_influences"], 1);
    assert_eq!(limited["warnings"][0]["kind"], "influences-limited");

    let dropped = object(&run(["inspect", "--json", "--min-weight", "0.5"]).quiet());
    assert_eq!(dropped["warnings"][0]["kind"], "small-weights-dropped");
    let text = run(["inspect", "--min-weight", "0.5"]).quiet();
    assert!(text.contains("with a weight below 0.5"), "{text}");
}

#[test]
fn reports_repairs_of_the_import() {
    let Some(path) = asset("malformed/crafted/09_weights_not_normalised.glb") else {
        return;
    };
    let source = path.to_str().unwrap();
    assert_eq!(
        inspected(source)["warnings"][0]["kind"],
        "weights-renormalised"
    );
    let text = run(["inspect", source]).quiet();
    assert!(text.contains("did not sum to 1"), "{text}");
}

#[test]
fn lists_the_characters_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("deep")).unwrap();
    std::fs::write(at("a.gltf"), tiny_gltf(&["move"])).unwrap();
    std::fs::write(at("deep/b.gltf"), tiny_gltf(&["move", "run"])).unwrap();
    let text = run_in(folder.path(), ["inspect", "."]).quiet();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(
        text.contains("a.gltf") && text.contains("deep/b.gltf"),
        "{text}"
    );
    std::fs::write(at("c.gltf"), "{").unwrap();
    let run = run_in(folder.path(), ["inspect", "--json", "."]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("c.gltf: "), "{run:?}");
    assert!(
        run.stderr.contains("1 of 3 files could not be read"),
        "{run:?}"
    );
    let report = object(&run.stdout);
    assert_eq!(list(&report["files"]).len(), 2);
    assert_eq!(list(&report["failed"]).len(), 1);
    std::fs::create_dir(at("empty")).unwrap();
    let error = run_in(folder.path(), ["inspect", "empty"]).failed(2);
    assert!(
        error.contains("no .glb, .gltf, .fbx or .abc file"),
        "{error}"
    );
}

#[test]
fn lists_the_contents_of_a_texture_set() {
    let folder = tempfile::tempdir().unwrap();
    for output in ["set", "set.glb"] {
        let bake = ["bake", "builtin:bar", "--encoding", "bone-qt", "-o", output];
        run_in(folder.path(), bake).ok();
        let text = run_in(folder.path(), ["inspect", output]).quiet();
        for expected in ["texture set, bone-qt", "builtin:bar", "Textures", "Clips"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let manifest = object(&run_in(folder.path(), ["inspect", "--json", output]).quiet());
        assert_eq!(manifest["encoding"], "bone-qt");
    }
}
