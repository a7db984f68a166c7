//! Arguments of `throng shader`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throng_bake::Preset;
use throng_format::{Encoding, FrameInterpolation};
use throng_rig::{ParseMethodError, Skinning};
use throng_shaders::SkinMethod;
use throng_shaders::translate::Language;
use throng_wgpu::{DecodeMode, shader_method};

use super::{FIXED_METHOD_HELP, StorageArgs, parse_decode, parse_preset};

#[derive(Debug, Args)]
#[command(after_help = "\
Each stage is a source file that starts with a comment listing its bindings;
in WGSL the stages of a pass share one file. With a single --stage the output
can be compiled as it is.

--stage functions prints functions alone, for the vertex shader of an engine:
no entry point, vertices and time as arguments, instances in a texture, and
names that start with throng_. Section 20 of docs/format.md describes every
argument, texture and table.")]
pub struct ShaderArgs {
    /// Encoding: vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones or bone-local
    #[arg(long, value_name = "E", required_unless_present_any = ["preset", "constants", "column"])]
    pub encoding: Option<Encoding>,

    /// Shading language: wgsl, glsl (ES 3.00), hlsl (5.1) or msl (2.0)
    #[arg(long, value_name = "LANG", default_value_t = Language::Wgsl)]
    pub lang: Language,

    /// Compile the metadata of a texture set into the shader, which then draws this set only
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "preset", "layout", "precision", "method", "interpolate", "single_influence", "scaled", "morphs",
        ],
    )]
    pub constants: Option<PathBuf>,

    /// Read timing and ranges from the first column of the textures of a set, as P0's shaders do; the
    /// set is baked with --metadata column or a preset of P0
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "constants", "preset", "layout", "precision", "method", "interpolate", "single_influence", "scaled", "morphs",
        ],
    )]
    pub column: Option<PathBuf>,

    /// Print one stage only [default: all stages of drawing]
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: Option<StageChoice>,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// Skinning method [default: that of the preset, or lbs]
    #[arg(long, value_name = "METHOD", value_parser = parse_method, long_help = FIXED_METHOD_HELP)]
    pub method: Option<SkinMethod>,

    /// Interpolation between frames: linear, nlerp, slerp or slerp-vertices [default: that of the
    /// encoding]
    #[arg(long, value_name = "NAME", conflicts_with = "preset")]
    pub interpolate: Option<FrameInterpolation>,

    /// Layout of a published paper: p0-vertex8, p0-matrix8, p0-dq8, p3-virtual-bones or
    /// p3-virtual-bones-split
    #[arg(long, value_name = "NAME", value_parser = parse_preset, conflicts_with_all = ["encoding", "layout", "precision"])]
    pub preset: Option<Preset>,

    /// Vertices have one bone each: of a preset of P3 without weights
    #[arg(long)]
    pub single_influence: bool,

    /// Bones of bone-qt have scale
    #[arg(long, conflicts_with = "preset")]
    pub scaled: bool,

    /// The mesh has morph targets, whose weights are in a texture
    #[arg(long)]
    pub morphs: bool,

    /// Decoding of bone textures: direct (in the vertex shader), or pass (once per instance in a
    /// decode pass) [default: direct; bone-local has only pass]
    #[arg(long, value_name = "direct|pass", value_parser = parse_decode)]
    pub decode: Option<DecodeMode>,

    /// File to write instead of printing; needs one --stage
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Value of `--stage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StageChoice {
    /// Vertex shader of drawing
    Vertex,
    /// Fragment shader of drawing, with lighting
    Fragment,
    /// Vertex shader of the decode pass: one triangle over the palette
    PaletteVertex,
    /// Fragment shader of the decode pass: fills the palette
    PaletteFragment,
    /// Compute shader that decodes the joints of bone-local into a buffer
    Joints,
    /// Functions that an engine's own vertex shader calls, without an entry point
    Functions,
    /// Functions that an engine's own pass calls to fill the palette
    PaletteFunctions,
}

/// Parses a method as that of shaders: `blend:auto` has the shader of `blend:F`.
fn parse_method(text: &str) -> Result<SkinMethod, ParseMethodError> {
    match text {
        Skinning::BLEND_AUTO => Ok(SkinMethod::Blend),
        _ => Ok(shader_method(text.parse()?)),
    }
}
