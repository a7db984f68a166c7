//! `throng shader`: every encoding in every language, and shaders with the metadata of a set.

use std::path::Path;
use std::process::{Command, Stdio};

use throng_testkit::program_or_skip;

use crate::run::{run, run_in};

const ENCODINGS: [&str; 7] = [
    "vertex",
    "vertex-ray",
    "bone-matrix",
    "bone-dq",
    "bone-qt",
    "virtual-bones",
    "bone-local",
];

/// Asserts that the Khronos compiler accepts the GLSL; skipped if it is not installed.
#[track_caller]
fn assert_glsl(text: &str, stage: &str) {
    let Some(glslang) = program_or_skip("glslangValidator", "glslang-tools") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shader.glsl");
    std::fs::write(&path, text).unwrap();
    let output = Command::new(glslang)
        .args(["-S", stage])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output_text}\n{text}");
}

#[test]
fn prints_every_encoding_in_every_language() {
    for encoding in ENCODINGS {
        for (lang, word) in [
            ("wgsl", "@vertex"),
            ("glsl", "#version 300 es"),
            ("hlsl", "register(b0, space1)"),
            ("msl", "#include <metal_stdlib>"),
        ] {
            let text = run(["shader", "--encoding", encoding, "--lang", lang]).quiet();
            assert!(text.contains(word), "{encoding} {lang}");
            let fills = text.contains("fill_palette_fragment");
            assert_eq!(fills, encoding == "bone-local", "{encoding} {lang}");
        }
        let vertex = [
            "shader",
            "--encoding",
            encoding,
            "--lang=glsl",
            "--stage=vertex",
        ];
        let text = run(vertex).quiet();
        assert!(
            text.starts_with("#version 300 es\n// Entry point draw_vertex"),
            "{text}"
        );
        assert_glsl(&text, "vert");
    }
}

#[test]
fn options_select_the_shader() {
    let text = |args: &[&str]| run([&["shader"], args].concat()).quiet();
    let texels = |precision| {
        let precision = ["--encoding", "bone-qt", "--precision", precision];
        let text = text(&precision);
        let alias = text.lines().find(|line| line.starts_with("alias Texels"));
        alias.unwrap().to_owned()
    };
    assert!(texels("unorm16").contains("<u32>"));
    for precision in ["unorm8", "f16", "f32"] {
        assert!(texels(precision).contains("<f32>"), "{precision}");
    }
    let dqs = text(&["--encoding", "bone-dq", "--method", "dqs"]);
    assert!(dqs.contains("SIGNS_PIVOT"));
    // Factors are data, not code.
    let blends = ["blend:auto", "blend:0", "blend:0.5"];
    let [auto, zero, half] = blends.map(|m| text(&["--encoding", "bone-qt", "--method", m]));
    assert!(auto == half && zero == half);
    // Presets have the method of their paper's shader.
    for (preset, method) in [
        ("p0-matrix8", "lbs"),
        ("p0-dq8", "dqs"),
        ("p3-virtual-bones", "lbs"),
    ] {
        let of_preset = text(&["--preset", preset]);
        let named = text(&["--preset", preset, "--method", method]);
        assert!(of_preset == named, "{preset}");
        assert_eq!(
            of_preset.contains("SIGNS_PIVOT"),
            method == "dqs",
            "{preset}"
        );
    }
    let linear = text(&["--preset", "p0-dq8", "--method", "lbs"]);
    assert!(!linear.contains("SIGNS_PIVOT"));
    let slerp = text(&["--encoding", "bone-qt", "--interpolate", "slerp"]);
    assert!(slerp.contains("const INTERPOLATION: u32 = INTERPOLATE_SLERP;"));
    let morphs = text(&["--encoding", "bone-qt", "--morphs"]);
    assert!(morphs.contains("alias MorphTexels"));
    let columns = text(&["--preset", "p0-matrix8"]);
    assert_ne!(
        columns,
        text(&["--encoding=bone-matrix", "--precision=unorm8"])
    );
    let p3 = text(&["--preset", "p3-virtual-bones"]);
    assert!(p3.contains("bone_color: vec4<f32>") && p3.contains("var weights:"));
    assert!(!p3.contains("inverse_binds_are_matrices == 0u"));
    let single = text(&["--preset", "p3-virtual-bones", "--single-influence"]);
    assert!(single.contains("bone_color: vec4<f32>") && !single.contains("var weights:"));
    let split = text(&["--preset", "p3-virtual-bones-split"]);
    assert!(split.contains("@group(1) @binding(3) var positions"));
    let scaled = text(&["--encoding", "bone-qt", "--scaled"]);
    assert!(scaled.contains("has scale"));
    let palette = text(&["--encoding", "bone-qt", "--decode", "pass"]);
    assert!(palette.contains("// ==== fill_palette_vertex and fill_palette_fragment ===="));
    let joints = text(&[
        "--encoding",
        "bone-local",
        "--stage",
        "joints",
        "--lang",
        "msl",
    ]);
    assert!(joints.contains("kernel void pose_joints"));
}

/// A vertex shader of an engine around printed functions.
fn engine_glsl(functions: &str) -> String {
    let call = match functions.contains("throng_palette_texel(") {
        true => "vec4(throng_palette_texel(0u, 0u))",
        false => {
            "vec4(throng_vertex(vec4(1.0), vec3(1.0), uvec4(0u), vec4(1.0), uvec4(0u), 0u, 0u).position, 1.0)"
        }
    };
    format!(
        "#version 300 es\nprecision highp float;\nprecision highp int;\n{functions}\nvoid main() {{ gl_Position = {call}; }}\n"
    )
}

#[test]
fn prints_functions_for_engines() {
    for encoding in ENCODINGS {
        let print = |lang, stage| {
            let args = [
                "shader",
                "--encoding",
                encoding,
                "--lang",
                lang,
                "--stage",
                stage,
            ];
            run(args).quiet()
        };
        for lang in ["wgsl", "glsl", "hlsl", "msl"] {
            let text = print(lang, "functions");
            assert!(
                text.starts_with("// Functions of Throng"),
                "{encoding} {lang}"
            );
            assert!(text.contains(" throng_vertex("), "{encoding} {lang}");
            for part in ["@vertex", "#version", "void main", "camera"] {
                assert!(!text.contains(part), "{encoding} {lang}: {part}");
            }
        }
        assert_glsl(&engine_glsl(&print("glsl", "functions")), "vert");
        if encoding == "bone-local" {
            let palette = print("glsl", "palette-functions");
            assert_glsl(&engine_glsl(&palette), "vert");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    bake(folder.path(), "bone-qt");
    let args = [
        "shader",
        "--constants",
        "bone-qt",
        "--lang=glsl",
        "--stage=functions",
    ];
    let text = run_in(folder.path(), args).quiet();
    assert!(!text.contains("throng:begin set_info"), "{text}");
    assert_glsl(&engine_glsl(&text), "vert");
}

#[test]
fn incompatible_options_exit_with_2_and_a_remedy() {
    for (args, remedy) in [
        (
            &["--encoding", "vertex", "--method", "dqs"][..],
            "leave --method",
        ),
        (
            &["--encoding", "bone-dq", "--method", "dqs-plain"],
            "choose --method dqs",
        ),
        (
            &["--encoding", "bone-qt", "--method", "dqs-bulge-free"],
            "bake as vertex",
        ),
        (
            &[
                "--encoding",
                "bone-qt",
                "--method",
                "cor",
                "--stage",
                "functions",
            ],
            "choose --method dqs, or --encoding vertex",
        ),
        (
            &["--encoding", "bone-dq", "--interpolate", "slerp"],
            "does not support slerp; expected nlerp",
        ),
        (
            &["--encoding", "vertex", "--interpolate", "slerp"],
            "leave --interpolate out",
        ),
        (
            &["--encoding", "bone-local", "--precision", "f32"],
            "does not support the frames layout; expected compressed",
        ),
        (
            &["--encoding", "vertex-ray", "--layout", "compressed"],
            "does not support the compressed layout; expected frames",
        ),
        (&["--encoding", "bone-dq", "--scaled"], "leave --scaled out"),
        (
            &["--preset", "p3-virtual-bones", "--method", "dqs"],
            "skinned by lbs",
        ),
        (
            &["--encoding", "bone-qt", "--single-influence"],
            "presets of P3 only",
        ),
        (
            &["--encoding", "vertex", "--decode", "pass"],
            "leave --decode out",
        ),
        (
            &["--encoding", "bone-local", "--decode", "direct"],
            "leave --decode out",
        ),
        (
            &["--encoding", "bone-qt", "--stage", "palette-fragment"],
            "choose another --stage",
        ),
        (
            &["--encoding", "bone-qt", "--stage", "palette-functions"],
            "add --decode pass",
        ),
        (
            &["--encoding", "bone-qt", "--stage", "joints"],
            "choose --encoding bone-local",
        ),
        (
            &["--encoding", "bone-qt", "--lang", "glsl", "-o", "x"],
            "one with --stage",
        ),
    ] {
        let error = run([&["shader"], args].concat()).failed(2);
        assert!(error.contains(remedy), "{args:?}: {error}");
    }
    for args in [
        &[][..],
        &["--encoding", "nosuch"],
        &["--encoding", "bone-qt", "--lang", "spirv"],
        &["--encoding", "bone-qt", "--preset", "p0-dq8"],
        &["--constants", "x", "--precision", "f32"],
    ] {
        run([&["shader"], args].concat()).misused();
    }
    let compute = [
        "shader",
        "--encoding=bone-local",
        "--stage=joints",
        "--lang=glsl",
    ];
    let error = run(compute).failed(1);
    assert!(
        error.contains("use the fragment pass `fill_palette`"),
        "{error}"
    );
}

#[test]
fn writes_one_stage_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "shader",
        "--encoding=bone-qt",
        "--lang=glsl",
        "--stage=fragment",
    ];
    let printed = run(args).quiet();
    let printed_with_output =
        run_in(folder.path(), [&args[..], &["-o", "draw.frag"]].concat()).quiet();
    assert_eq!(printed_with_output, "");
    let written = std::fs::read_to_string(folder.path().join("draw.frag")).unwrap();
    assert_eq!(written, printed);
}

fn bake(folder: &Path, encoding: &str) {
    let args = [
        "bake",
        "builtin:bar",
        "-o",
        encoding,
        "--encoding",
        encoding,
    ];
    run_in(folder, args).ok();
}

#[test]
fn compiles_the_metadata_of_a_set() {
    let folder = tempfile::tempdir().unwrap();
    for encoding in ["vertex", "bone-qt", "bone-local"] {
        bake(folder.path(), encoding);
        let shader = |args: &[&str]| {
            let all = [&["shader", "--constants", encoding], args].concat();
            run_in(folder.path(), all)
        };
        let wgsl = shader(&[]).quiet();
        assert!(
            wgsl.contains("const set_info: SetInfo = SetInfo("),
            "{wgsl}"
        );
        assert!(!wgsl.contains("var<uniform> set_info"), "{wgsl}");
        for lang in ["glsl", "hlsl", "msl"] {
            let text = shader(&["--lang", lang, "--stage", "vertex"]).quiet();
            let header: Vec<_> = text
                .lines()
                .filter(|line| line.starts_with("//   "))
                .collect();
            assert!(
                !header.iter().any(|line| line.contains("set_info")),
                "{header:?}"
            );
            if lang == "glsl" {
                assert_glsl(&text, "vert");
            }
        }
        if encoding == "bone-local" {
            let fill = shader(&["--lang", "glsl", "--stage", "palette-fragment"]).quiet();
            assert_glsl(&fill, "frag");
        }
        let error = shader(&["--encoding", "bone-dq"]).failed(2);
        assert!(error.contains("leave --encoding out"), "{error}");
    }
    let error = run(["shader", "--constants", "no/such/set"]).failed(3);
    assert!(error.contains("no/such/set"), "{error}");
}

/// T8: one shader reads timing and ranges from the texture itself.
#[test]
fn column_shader_reads_metadata_from_the_texture() {
    let folder = tempfile::tempdir().unwrap();
    let bake = |more: &[&str]| {
        let args = ["bake", "builtin:bar:200", "--rate", "6"];
        run_in(folder.path(), args.iter().chain(more)).ok();
    };
    bake(&["--preset", "p0-matrix8", "-o", "p0"]);
    bake(&[
        "--encoding",
        "bone-qt",
        "--precision",
        "unorm8",
        "--metadata",
        "column",
        "-o",
        "ours",
    ]);
    bake(&[
        "--encoding",
        "bone-qt",
        "--precision",
        "unorm8",
        "-o",
        "tables",
    ]);
    for (set, word) in [("p0", "P0_TIMING_ROW"), ("ours", "COLUMN_BYTE_SCALE")] {
        let text = run_in(folder.path(), ["shader", "--column", set]).quiet();
        assert!(text.contains(word), "{set}");
        let glsl = ["shader", "--column", set, "--lang=glsl", "--stage=vertex"];
        assert_glsl(&run_in(folder.path(), glsl).quiet(), "vert");
    }
    let refused = run_in(folder.path(), ["shader", "--column", "tables"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("no metadata in its first column"),
        "{refused:?}"
    );
}
