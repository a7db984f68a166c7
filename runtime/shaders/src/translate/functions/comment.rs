//! Comment above functions: what they compute, their arguments and bindings.

use naga::{ImageClass, ScalarKind, TypeInner};

use crate::functions::EngineFunctions;
use crate::translate::bindings::BoundKind;
use crate::translate::{Entry, Language};

/// Arguments of the functions, in the order of their parameters.
const ARGUMENTS: [(&str, &str); 11] = [
    (
        "position",
        "vec4: undeformed position; w is the blend factor between LBS (0) and DQS (1)",
    ),
    ("normal", "vec3: undeformed normal, of unit length"),
    (
        "joints",
        "uvec4: four influences, heaviest first; palette index + 65536 * bone offset",
    ),
    ("weights", "vec4: their weights"),
    (
        "indices",
        "uvec4: first influence past the fourth, their number; items of position and normal, or morph targets",
    ),
    ("instance", "uint: index of the instance"),
    ("now", "uint: time in ticks of 1/65536 s, which wrap"),
    ("clip", "uint: index of the clip"),
    (
        "time_secs",
        "float: seconds from the start of the clip, clamped to the clip",
    ),
    ("texel", "uint: column + 2048 * row"),
    ("palette_index", "uint: index of a joint in the palette"),
];

pub(super) fn comment(functions: &EngineFunctions, entry: &Entry, language: Language) -> String {
    let mut text = "\
        // Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;\n\
        // instances and the set are read from textures. The section \"Shader functions for engines\" of docs/format.md\n\
        // describes every argument, texture and table.\n"
        .to_owned();
    if language == Language::Glsl {
        text += "// Needs GLSL ES 3.00, `precision highp float` and `precision highp int`.\n";
    }
    text += "//\n// Functions:\n";
    for function in &functions.functions {
        text += &format!(
            "//   {}\n//       {}\n",
            function.signature(),
            function.summary
        );
    }
    let is_used = |name: &str| {
        functions.functions.iter().any(|function| {
            let signature = function.signature();
            signature
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .skip(1)
                .any(|word| word == name)
        })
    };
    text += "//\n// Arguments:\n";
    for (name, description) in ARGUMENTS.iter().filter(|(name, _)| is_used(name)) {
        text += &format!("//   {name:13}  {description}\n");
    }
    text += "//\n// Bindings:\n";
    for bound in entry.bound() {
        if bound.kind == BoundKind::Uniform {
            let place = match language {
                _ if bound.name == super::OPTIONS => {
                    "options that fit every set: the constant between the markers may be replaced"
                }
                Language::Glsl | Language::Wgsl => {
                    "description of the set: replace the constant of zeros between the markers"
                }
                Language::Hlsl | Language::Msl => "description of the set: a uniform block",
            };
            text += &format!("//   {:18} {place}\n", bound.name);
            continue;
        }
        let upload = bound.upload.unwrap_or(match bound.name {
            "throng_influences" => "RG32UI, 2048 columns: influences past the fourth",
            "throng_deltas" => "RGBA32UI, 2048 columns: deltas of morph targets",
            "throng_texels" => "R32UI: words of compressed curves",
            "throng_palette" => "RGBA32UI, 2048 columns: matrices, filled by throng_palette_texel",
            "throng_instances" => "RGBA32UI, 2048 columns: six texels per instance",
            _ => "RGBA32UI, 2048 columns: tables of the set",
        });
        let kind = texture_kind(entry, &bound.variable);
        text += &format!("//   {:18} {kind}; {upload}\n", bound.name);
    }
    text.push('\n');
    text
}

/// Type of a texture, in GLSL's words.
fn texture_kind(entry: &Entry, variable: &naga::Handle<naga::GlobalVariable>) -> &'static str {
    let ty = entry.module.global_variables[*variable].ty;
    match entry.module.types[ty].inner {
        TypeInner::Image { arrayed, class, .. } => {
            let is_uint = matches!(
                class,
                ImageClass::Sampled {
                    kind: ScalarKind::Uint,
                    ..
                }
            );
            match (is_uint, arrayed) {
                (true, true) => "usampler2DArray",
                (true, false) => "usampler2D",
                (false, true) => "sampler2DArray",
                (false, false) => "sampler2D",
            }
        }
        _ => "block",
    }
}
