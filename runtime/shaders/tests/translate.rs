//! Every shader translates to every language, and the checked-in translations are up to date.

#[path = "common/glslang.rs"]
mod khronos;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use khronos::glslang;
use throng_shaders::translate::{
    GeneratedFile, Language, TranslateError, generated, generated_libraries, translate,
};
use throng_shaders::{
    Bones, Deform, PaletteSource, Pass, Shader, deform_shader, fill_palette_shader,
    pose_joints_shader,
};
use throng_testkit::files_below;

const TRANSLATED: [Language; 3] = [Language::Glsl, Language::Hlsl, Language::Msl];

#[track_caller]
fn translated(shader: &Shader, entry_point: &str, language: Language) -> String {
    translate(shader, entry_point, language)
        .unwrap_or_else(|error| panic!("{error}\n{}", shader.source))
}

/// Compiles a source.
#[track_caller]
fn compile(glslang: &Path, options: &[&str], source: &str) {
    let compiled = khronos::compile(glslang, options, source);
    compiled.unwrap_or_else(|said| panic!("{options:?}: {said}\n{source}"));
}

fn stage_of(entry_point: &str) -> &'static str {
    match entry_point.ends_with("_vertex") {
        true => "vert",
        false => "frag",
    }
}

/// Compares generated files with a folder.
#[track_caller]
fn check_files(root: &Path, extensions: &[&str], generated: Vec<GeneratedFile>) {
    let made: BTreeMap<_, _> = generated
        .into_iter()
        .map(|file| (file.path, file.text))
        .collect();
    let found: BTreeMap<_, _> = files_below(root, extensions)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            (name.to_owned(), std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    let differ: BTreeSet<_> = made
        .keys()
        .chain(found.keys())
        .filter(|name| made.get(*name) != found.get(*name))
        .collect();
    assert!(
        differ.is_empty(),
        "{differ:?} are out of date: run `cargo run -p throng-shaders --example generate --features translate`, review \
         the changes and commit them"
    );
}

#[test]
fn checked_in_translations_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    let extensions = ["glsl", "hlsl", "metal", "wgsl"];
    check_files(&root, &extensions, generated().unwrap());
}

#[test]
fn libraries_of_packages_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engines/core/src/shaders");
    check_files(&root, &["json"], generated_libraries().unwrap());
}

#[test]
fn glslang_compiles_every_checked_in_translation() {
    let Some(glslang) = glslang() else {
        return;
    };
    let mut compiled = 0;
    for file in generated().unwrap() {
        let (name, _) = file.path.split_once('.').unwrap();
        let stage = file.path.split('.').nth(1).unwrap();
        // Functions are compiled by another test, inside a shader.
        if stage == "functions" {
            continue;
        }
        if name.starts_with("glsl/") {
            compile(&glslang, &["-S", stage], &file.text);
            compiled += 1;
        }
        // glslang does not support the way in which naga zeroes workgroup memory.
        if name.starts_with("hlsl/") && stage != "comp" {
            let entry = file.text[3..].split(',').next().unwrap();
            let output = ["-V", "-o", "/dev/null"];
            let options = [&["-D", "-S", stage, "-e", entry][..], &output].concat();
            compile(&glslang, &options, &file.text);
            compiled += 1;
        }
    }
    assert!(compiled >= 24, "only {compiled}");
}

/// Checks that the test above can fail.
#[test]
fn glslang_rejects_invalid_glsl() {
    let Some(glslang) = glslang() else {
        return;
    };
    let shader = deform_shader(Deform::Static, Pass::Draw);
    let text = translated(&shader, "draw_fragment", Language::Glsl);
    let broken = text.replacen("vec3 ", "vec9 ", 1);
    assert_ne!(text, broken);
    let refused = std::panic::catch_unwind(|| compile(&glslang, &["-S", "frag"], &broken));
    assert!(refused.is_err());
}

#[test]
fn every_technique_translates_to_glsl_es() {
    let glslang = glslang();
    for (index, deform) in Deform::all().into_iter().enumerate() {
        // Both passes call the same functions, so a few of the second are enough.
        let stage = match index % 16 {
            7 => Pass::Capture,
            _ => Pass::Draw,
        };
        let shader = deform_shader(deform, stage);
        let glsl = translated(&shader, shader.entry_points[0], Language::Glsl);
        assert!(glsl.starts_with("#version 300 es\n//"), "{glsl}");
        if let Some(glslang) = &glslang
            && index % 16 == 7
        {
            compile(glslang, &["-S", "vert"], &glsl);
        }
    }
}

#[test]
fn every_pass_translates_to_every_language() {
    let glslang = glslang();
    let sources = Bones::all()
        .map(PaletteSource::Bones)
        .chain([PaletteSource::Curves]);
    let passes = sources
        .map(fill_palette_shader)
        .chain(Pass::ALL.map(|stage| deform_shader(Deform::VertexCurves, stage)));
    for shader in passes {
        for &entry in shader.entry_points {
            for language in TRANSLATED {
                if entry == "skin_once" && language == Language::Glsl {
                    continue;
                }
                let text = translated(&shader, entry, language);
                if let (Some(glslang), Language::Glsl) = (&glslang, language) {
                    compile(glslang, &["-S", stage_of(entry)], &text);
                }
            }
        }
    }
}

#[test]
fn rejects_compute_in_glsl_and_names_the_alternative() {
    let shader = pose_joints_shader();
    let error = translate(&shader, "pose_joints", Language::Glsl).unwrap_err();
    assert_eq!(error, TranslateError::NoCompute("pose_joints".into()));
    assert!(error.to_string().contains("fill_palette"), "{error}");
    translated(&shader, "pose_joints", Language::Hlsl);
    translated(&shader, "pose_joints", Language::Msl);
}

#[test]
fn rejects_unknown_entry_point_and_lists_known_ones() {
    let shader = deform_shader(Deform::Static, Pass::Draw);
    for language in Language::ALL {
        let error = translate(&shader, "main", language).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("draw_vertex, draw_fragment"), "{said}");
    }
}

#[test]
fn header_lists_bindings_and_attributes() {
    let shader = deform_shader(Deform::VertexCurves, Pass::Draw);
    let header = |language| {
        let text = translated(&shader, "draw_vertex", language);
        let lines = text.lines().filter_map(|line| line.strip_prefix("//   "));
        let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        words.collect::<Vec<_>>()
    };
    let glsl = header(Language::Glsl);
    for line in [
        "texture _group_1_binding_1_vs tables (group 1, binding 1)",
        "texture _group_1_binding_2_vs words (group 1, binding 2)",
        "attribute 6 indices",
    ] {
        assert!(glsl.iter().any(|found| found == line), "{line}: {glsl:?}");
    }
    let text = translated(&shader, "draw_vertex", Language::Glsl);
    for line in glsl
        .iter()
        .filter(|line| line.starts_with("uniform block "))
    {
        let name = line.split(' ').nth(2).unwrap();
        assert!(text.contains(&format!("uniform {name} {{")), "{line}");
    }
    assert_eq!(
        header(Language::Hlsl)[..3],
        [
            "b0, space0 camera",
            "b0, space1 set_info",
            "t1, space1 tables"
        ]
    );
    assert_eq!(
        header(Language::Msl)[..3],
        [
            "buffer(0) camera",
            "buffer(1) set_info",
            "texture(1) tables"
        ]
    );
    // Clip space is not adjusted.
    assert!(!text.contains("gl_Position.yz"));
}

#[test]
fn wgsl_is_returned_unchanged() {
    let shader = deform_shader(Deform::Static, Pass::Draw);
    assert_eq!(
        translated(&shader, "draw_vertex", Language::Wgsl),
        shader.source
    );
}
