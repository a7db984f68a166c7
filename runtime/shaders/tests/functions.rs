//! Functions for engines compile inside a shader of an engine, in every variant and language.

#[path = "common/glslang.rs"]
mod khronos;

use std::path::Path;
use std::sync::LazyLock;

use khronos::glslang;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use throng_shaders::translate::{FunctionLibrary, Language, function_library, translate_functions};
use throng_shaders::{
    Bones, Deform, EngineFunctions, PaletteSource, SkinMethod, palette_functions, vertex_functions,
};

static GLSL: LazyLock<FunctionLibrary> =
    LazyLock::new(|| function_library(Language::Glsl).unwrap());
static WGSL: LazyLock<FunctionLibrary> =
    LazyLock::new(|| function_library(Language::Wgsl).unwrap());

/// Names that three.js and other engines define in vertex shaders.
const ENGINE_GLSL: &str = "\
#version 300 es
precision highp float;
precision highp int;
#define PI 3.141592653589793
#define saturate( a ) clamp( a, 0.0, 1.0 )
float pow2(const in float x) { return x*x; }
struct Light { vec3 position; };
struct Grid { vec3 position; };
struct Instance { vec3 position; };
in vec3 position;
in vec3 normal;
uniform mat4 projectionMatrix;
";

/// Calls of vertex functions.
const VERTEX_MAIN: &str = "\
void main() {
    ThrongVertex v = throng_vertex(vec4(position, 1.0), normal, uvec4(0u), vec4(1.0), uvec4(0u), 0u, 1u);
    vec3 p = throng_position(vec4(position, 1.0), normal, uvec4(0u), vec4(1.0), uvec4(0u), 0u, 1u);
    vec3 n = throng_normal(vec4(position, 1.0), normal, uvec4(0u), vec4(1.0), uvec4(0u), 0u, 1u);
    v = throng_to_world(v, throng_user(0u));
    gl_Position = projectionMatrix * throng_world_from_model(0u) * vec4(p + n + v.position, 1.0) + throng_tint(0u);
}
";

/// Calls of palette functions.
const PALETTE_MAIN: &str = "\
void main() {
    gl_Position = vec4(throng_palette_texel(0u, 1u)) + throng_palette_matrix(0u, 0u, 1u)[0];
}
";

/// Compiles a vertex shader, and returns what the compiler said if it refuses.
fn compile(glslang: &Path, source: &str) -> Result<(), String> {
    khronos::compile(glslang, &["-S", "vert"], source)
}

fn glsl_shader(functions: &str) -> String {
    let main = match functions.contains("throng_palette_texel(") {
        true => PALETTE_MAIN,
        false => VERTEX_MAIN,
    };
    format!("{ENGINE_GLSL}{functions}{main}")
}

fn all_functions() -> Vec<EngineFunctions> {
    let sources = Bones::all().map(PaletteSource::Bones);
    let palettes = sources
        .chain([PaletteSource::Curves])
        .map(palette_functions);
    let animated = Deform::all()
        .into_iter()
        .filter(|deform| deform.variant().is_some());
    let vertices = animated.filter_map(vertex_functions);
    vertices.chain(palettes).collect()
}

#[test]
fn every_glsl_variant_compiles_among_names_of_an_engine() {
    let Some(glslang) = glslang() else {
        return;
    };
    let library = &*GLSL;
    // Each process takes milliseconds; the variants of one bone differ in few functions.
    for (index, name) in library.variants.keys().enumerate() {
        if name.starts_with("bone-matrix-columns") || (name.contains("morphs") && index % 5 != 0) {
            continue;
        }
        let source = glsl_shader(&library.source(name).unwrap());
        compile(&glslang, &source).unwrap_or_else(|said| panic!("{name}: {said}"));
    }
}

/// Checks that the test above can fail.
#[test]
fn glslang_rejects_functions_that_lack_one() {
    let Some(glslang) = glslang() else {
        return;
    };
    let functions = vertex_functions(Deform::VertexCurves).unwrap();
    let text = translate_functions(&functions, Language::Glsl).unwrap();
    assert_eq!(compile(&glslang, &glsl_shader(&text)), Ok(()));
    let broken = text.replacen(" throng_unit_or(", " throng_unit(", 1);
    assert_ne!(text, broken);
    compile(&glslang, &glsl_shader(&broken)).unwrap_err();
}

#[test]
fn every_wgsl_variant_is_valid() {
    let library = &*WGSL;
    for name in library.variants.keys() {
        let source = library.source(name).unwrap();
        let module = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
        assert!(module.entry_points.is_empty(), "{name}");
    }
}

#[test]
fn every_global_name_has_the_prefix() {
    let library = &*WGSL;
    for name in library.variants.keys() {
        let source = library.source(name).unwrap();
        let module = naga::front::wgsl::parse_str(&source).unwrap();
        let functions = module.functions.iter().map(|(_, item)| &item.name);
        let variables = module.global_variables.iter().map(|(_, item)| &item.name);
        let constants = module.constants.iter().map(|(_, item)| &item.name);
        let types = module.types.iter().map(|(_, item)| &item.name);
        let names = functions.chain(variables).chain(constants).chain(types);
        for global in names.flatten() {
            let is_safe = global.starts_with("throng_") || global.starts_with("Throng");
            assert!(is_safe, "{name}: {global}");
            // naga numbers names that clash.
            assert!(
                !global.ends_with(|c: char| c.is_ascii_digit()),
                "{name}: {global}"
            );
        }
    }
}

#[test]
fn library_has_the_functions_of_the_command() {
    let functions = vertex_functions(Deform::VertexCurves).unwrap();
    for (language, library) in [(Language::Glsl, &*GLSL), (Language::Wgsl, &*WGSL)] {
        let printed = translate_functions(&functions, language).unwrap();
        let from_library = library.source("vertex-curves").unwrap();
        let sorted = |text: &str| {
            let start = text.find("// throng:begin bindings").unwrap();
            let mut items: Vec<_> = text[start..]
                .split("\n\n")
                .map(str::trim)
                .map(str::to_owned)
                .collect();
            items.sort();
            items
        };
        assert_eq!(sorted(&printed), sorted(&from_library));
    }
}

#[test]
fn every_technique_has_functions_in_hlsl_and_msl() {
    for (index, functions) in all_functions().iter().enumerate() {
        // Translating takes long, and the variants of one bone differ in few functions.
        if index % 7 != 0 {
            continue;
        }
        for language in [Language::Hlsl, Language::Msl] {
            let text = translate_functions(functions, language).unwrap();
            for function in &functions.functions {
                assert!(
                    text.contains(&format!(" {}(", function.name)),
                    "{language}: {}",
                    function.name
                );
            }
        }
    }
}

#[test]
fn comment_documents_functions_arguments_and_bindings() {
    let functions = vertex_functions(Deform::VertexCurves).unwrap();
    let text = translate_functions(&functions, Language::Glsl).unwrap();
    let comment: Vec<_> = text
        .lines()
        .take_while(|line| line.starts_with("//"))
        .collect();
    for expected in [
        "//   throng_vertex(position, normal, joints, weights, indices, instance, now)",
        "//   now            uint: time in ticks of 1/65536 s, which wrap",
        "//   throng_texels      usampler2DArray; R32UI: words of compressed curves",
    ] {
        assert!(comment.contains(&expected), "{expected}: {comment:#?}");
    }
    for part in ["#version", "precision highp float;", "void main"] {
        assert!(!text.contains(&format!("\n{part}")), "{part}");
    }
}

#[test]
fn placeholder_of_the_set_is_not_compiled_in() {
    for language in [Language::Glsl, Language::Wgsl] {
        for functions in all_functions().iter().step_by(97) {
            let text = translate_functions(functions, language).unwrap();
            let (_, rest) = text.split_once("// throng:end set_info").unwrap();
            assert!(rest.contains("throng_set_info."), "{rest}");
        }
    }
}

#[test]
fn vertices_of_palettes_need_an_instance() {
    let names = |deform| {
        let functions = vertex_functions(deform).unwrap().functions;
        functions
            .iter()
            .map(|function| function.name)
            .collect::<Vec<_>>()
    };
    let palette = Deform::all()
        .into_iter()
        .find(|deform| deform.variant().as_deref() == Some("palette.lbs"))
        .unwrap();
    assert!(!names(palette).contains(&"throng_vertex_at"));
    assert!(names(Deform::VertexCurves).contains(&"throng_vertex_at"));
    assert_eq!(vertex_functions(Deform::Copied), None);
}

#[test]
fn methods_with_data_of_their_own_have_no_functions() {
    let methods = [SkinMethod::Cor, SkinMethod::Sclerp];
    let mut deforms = Deform::all().into_iter();
    assert!(deforms.all(|deform| match deform {
        Deform::Skinned { method, .. } if methods.contains(&method) => {
            deform.variant().is_none() && vertex_functions(deform).is_none()
        }
        _ => true,
    }));
}
