//! Shaders of functions alone, which an engine calls from its own vertex shader or pass.

use crate::compose::{compose, text_of};
use crate::files::{SET, uploads};
use crate::{Deform, InfluenceSource, Joints, PaletteSource, Shader};

/// A function that engines call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineFunction {
    /// Name.
    pub name: &'static str,
    /// Parameters, for the comment above the functions.
    pub parameters: &'static str,
    /// Contract in one line.
    pub summary: &'static str,
    /// Arguments of a call that keeps the function when unused ones are dropped.
    pub(crate) zeros: &'static str,
}

/// Functions, and the shader that holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFunctions {
    /// Source and textures. Its only entry point calls every function, and is never printed.
    pub shader: Shader,
    /// Functions for callers.
    pub functions: Vec<EngineFunction>,
}

/// File that binds the options.
const OPTIONS: &str = "function/options";

/// Properties of a set and its instances that make code of printed functions unnecessary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOptions {
    /// Largest number of influences of a vertex: 1 to 4, or 5 for any number.
    pub max_influences: u32,
    /// True if instances may cross-fade.
    pub has_fades: bool,
    /// Size of the texture of compressed curves, with a width of a power of two; zeros to ask the texture.
    pub word_texture: [u32; 3],
    /// Largest number of bits of a key of compressed curves.
    pub max_key_bits: u32,
    /// First record in tables of the clips of compressed curves, two each; 0 to read them from the curves.
    pub clip_records: u32,
}

impl Default for EngineOptions {
    /// Options that fit every set.
    fn default() -> Self {
        Self {
            max_influences: 5,
            has_fades: true,
            word_texture: [0; 3],
            max_key_bits: 64,
            clip_records: 0,
        }
    }
}

impl EngineOptions {
    /// Arguments of the constructor, in GLSL and WGSL.
    #[cfg(feature = "translate")]
    pub(crate) fn arguments(&self) -> String {
        let [width, rows, layers] = self.word_texture;
        let column_bits = width.checked_ilog2().unwrap_or(0);
        format!(
            "{}u, {}u, {column_bits}u, {rows}u, {layers}u, {}u, {}u",
            self.max_influences,
            u32::from(self.has_fades),
            self.max_key_bits,
            self.clip_records
        )
    }
}

/// Entry point that calls every function.
pub(crate) const KEEP: &str = "keep_functions";

const VERTEX: &str = "position, normal, joints, weights, indices";
const VERTEX_ZEROS: &str = "vec4(0.0), vec3(0.0), vec4(0u), vec4(0.0), vec4(0u), 0u, 0u";

const VERTEX_FUNCTIONS: [EngineFunction; 7] = [
    EngineFunction {
        name: "throng_vertex",
        parameters: "VERTEX, instance, now",
        summary: "position and normal in model space, with the instance's clips, cross-fade and fraction",
        zeros: VERTEX_ZEROS,
    },
    EngineFunction {
        name: "throng_position",
        parameters: "VERTEX, instance, now",
        summary: "the position alone, for depth and shadow passes",
        zeros: VERTEX_ZEROS,
    },
    EngineFunction {
        name: "throng_normal",
        parameters: "VERTEX, instance, now",
        summary: "the normal alone, of unit length",
        zeros: VERTEX_ZEROS,
    },
    EngineFunction {
        name: "throng_world_from_model",
        parameters: "instance",
        summary: "matrix from model space to world space",
        zeros: "0u",
    },
    EngineFunction {
        name: "throng_to_world",
        parameters: "vertex, instance",
        summary: "a vertex of throng_vertex in world space, the normal by the cofactor matrix",
        zeros: "ThrongVertex(vec3(0.0), vec3(0.0)), 0u",
    },
    EngineFunction {
        name: "throng_tint",
        parameters: "instance",
        summary: "RGBA factor of the material's colour, from 0 to 1",
        zeros: "0u",
    },
    EngineFunction {
        name: "throng_user",
        parameters: "instance",
        summary: "the word that is free for the caller",
        zeros: "0u",
    },
];

const VERTEX_AT: EngineFunction = EngineFunction {
    name: "throng_vertex_at",
    parameters: "VERTEX, clip, time_secs",
    summary: "position and normal of a clip at a time from its start, without an instance",
    zeros: "vec4(0.0), vec3(0.0), vec4(0u), vec4(0.0), vec4(0u), 0u, 0.0",
};

const PALETTE_FUNCTIONS: [EngineFunction; 2] = [
    EngineFunction {
        name: "throng_palette_texel",
        parameters: "texel, now",
        summary: "a texel of the palette, where texel is column + 2048 * row",
        zeros: "0u, 0u",
    },
    EngineFunction {
        name: "throng_palette_matrix",
        parameters: "palette_index, instance, now",
        summary: "the three texels of a joint, as floats: rows of its palette matrix",
        zeros: "0u, 0u, 0u",
    },
];

impl EngineFunction {
    /// Call for the comment above the functions.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.parameters).replace("VERTEX", VERTEX)
    }
}

/// Returns the functions that deform vertices by a technique; `None` for [`Deform::Copied`], whose vertices come from
/// a compute pass of another shader, and for skinning methods whose data an engine does not upload.
///
/// Vertices and time are arguments, and instances are read from a texture. Bindings are those of
/// [`crate::deform_shader`]; 7 is the instances, `Rgba32Uint`, six texels each.
pub fn vertex_functions(deform: Deform) -> Option<EngineFunctions> {
    match deform {
        Deform::Copied => return None,
        Deform::Skinned { method, .. } if !method.is_for_engines() => return None,
        _ => {}
    }
    let reads_palette = matches!(
        deform,
        Deform::Skinned { joints, .. } if !matches!(joints, Joints::Bones(_))
    );
    let mut files = function_files();
    files.extend(deform.files());
    files.push(match deform.influences() {
        InfluenceSource::Attributes => "source/vertex_arguments",
        InfluenceSource::Colors | InfluenceSource::SingleColor => "source/vertex_arguments_bones",
    });
    files.extend(deform.influences().files());
    files.extend(["source/tangent_none", "function/vertex"]);
    let mut functions = VERTEX_FUNCTIONS.to_vec();
    // A palette holds the poses of instances alone.
    if !reads_palette {
        files.push("function/vertex_at");
        functions.push(VERTEX_AT);
    }
    let textures = deform.textures();
    let prelude = uploads(&textures) + &deform.prelude();
    Some(functions_of(&prelude, &files, textures, functions))
}

/// Returns the functions that fill palettes: one texel, or one joint, per call. Bindings are those of
/// [`crate::fill_palette_shader`].
pub fn palette_functions(source: PaletteSource) -> EngineFunctions {
    let mut files = function_files();
    files.extend(source.files());
    files.extend([
        "source/palette_joint",
        "source/palette_row",
        "function/palette",
    ]);
    let textures = source.textures();
    let prelude = uploads(&textures) + &source.prelude();
    functions_of(&prelude, &files, textures, PALETTE_FUNCTIONS.to_vec())
}

/// Files of a set with the time as an argument, and options in place of constants.
fn function_files() -> Vec<&'static str> {
    let replaced = |file: &&'static str| match *file {
        "source/frame" => Some("source/frame_constant"),
        "lib/fades" | "lib/max_influences" => None,
        file => Some(file),
    };
    let files = [OPTIONS].into_iter().chain(SET.iter().filter_map(replaced));
    files
        .chain(["source/instances", "source/instance_at"])
        .collect()
}

fn functions_of(
    prelude: &str,
    files: &[&str],
    textures: Vec<(u32, &'static str)>,
    functions: Vec<EngineFunction>,
) -> EngineFunctions {
    let calls = functions
        .iter()
        .map(|function| format!("    _ = {}({});\n", function.name, function.zeros));
    let keep = format!(
        "\n@vertex\nfn {KEEP}() -> @builtin(position) vec4<f32> {{\n{}    return vec4(0.0);\n}}\n",
        calls.collect::<String>()
    );
    let mut shader = Shader {
        name: "functions",
        source: compose(prelude, files) + &keep,
        entry_points: &[KEEP],
        textures,
    };
    for function in ["words_get", "read_vector", "clip_record_read"] {
        shader.replace_function(function, text_of(&format!("function/{function}")));
    }
    shader.source = shader
        .source
        .replace("MAX_INFLUENCES", "options.max_influences")
        .replace("HAS_FADES", "(options.has_fades != 0u)");
    EngineFunctions { shader, functions }
}

impl EngineFunctions {
    /// The same with options that fit every set compiled in.
    #[cfg(feature = "translate")]
    pub(crate) fn with_default_options(&self) -> Self {
        let mut functions = self.clone();
        let source = &functions.shader.source;
        functions.shader.source =
            source.replace(text_of(OPTIONS), text_of("function/options_constant"));
        functions
    }
}
