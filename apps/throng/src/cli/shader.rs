//! What `throng shader` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throng_bake::Preset;
use throng_format::{Encoding, FrameInterpolation};
use throng_rig::Method;
use throng_shaders::translate::Language;

use super::{METHOD_HELP, StorageArgs, parse_preset};

#[derive(Debug, Args)]
#[command(after_help = "\
Each stage is a file of its own, under a comment that says what to bind where;
WGSL has the stages of a pass in one. With one --stage, what is printed can be
compiled as it comes.")]
pub struct ShaderArgs {
    /// vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones or bone-local
    #[arg(long, value_name = "E", required_unless_present_any = ["preset", "constants"])]
    pub encoding: Option<Encoding>,

    /// wgsl, glsl (ES 3.00), hlsl (5.1) or msl (2.0)
    #[arg(long, value_name = "LANG", default_value_t = Language::Wgsl)]
    pub lang: Language,

    /// Compile in what a baked set says of itself; all else is as the set has it
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["preset", "layout", "precision", "method", "interpolate", "scaled", "morphs"],
    )]
    pub constants: Option<PathBuf>,

    /// Print only one stage [default: all that drawing takes]
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stage: Option<StageChoice>,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// How to skin [default: lbs]
    #[arg(long, value_name = "METHOD", long_help = METHOD_HELP)]
    pub method: Option<Method>,

    /// What happens between frames: linear, nlerp or slerp [default: as suits the encoding]
    #[arg(long, value_name = "HOW", conflicts_with = "preset")]
    pub interpolate: Option<FrameInterpolation>,

    /// A paper's own layout: p0-vertex8, p0-matrix8, p0-dq8 or p3-virtual-bones
    #[arg(long, value_name = "NAME", value_parser = parse_preset, conflicts_with_all = ["encoding", "layout", "precision"])]
    pub preset: Option<Preset>,

    /// Some bones of bone-qt have scale
    #[arg(long, conflicts_with = "preset")]
    pub scaled: bool,

    /// The mesh has morph targets, with weights in a texture
    #[arg(long)]
    pub morphs: bool,

    /// Where bones are decoded [default: vertex; bone-local has only palette]
    #[arg(long, value_enum, value_name = "WHERE")]
    pub decode: Option<DecodeChoice>,

    /// Write a file instead of printing; takes one --stage
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What `--stage` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StageChoice {
    /// Moves vertices to where they are seen
    Vertex,
    /// Lights them
    Fragment,
    /// Covers the palette with a triangle
    PaletteVertex,
    /// Fills the palette
    PaletteFragment,
    /// Decodes joints of bone-local into a buffer: a compute shader
    Joints,
}

/// What `--decode` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DecodeChoice {
    /// In the vertex shader
    Vertex,
    /// In a fragment pass before, into a palette
    Palette,
}
