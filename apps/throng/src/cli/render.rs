//! Arguments of `throng render`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throng_rig::Skinning;
use throng_wgpu::{DecodeMode, Instancing, MetadataSource};

use super::crowd::CrowdArgs;
use super::panel::{PanelChoice, PanelContent, parse_panel, parse_technique};
use super::pose_edits::PoseEditArgs;
use super::{
    CacheArgs, DEFAULT_SOURCE, ImportArgs, MotionArgs, RENDER_METHOD_HELP, StorageArgs,
    parse_decode, parse_fraction, parse_seconds, source_parser,
};

const MAX_FRAMES: i64 = 3000;

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Character or texture set: a .glb, .gltf, .fbx, .abc or .obj file,
    /// builtin:NAME, or a set's folder
    #[arg(value_name = "FILE|DIR", default_value = DEFAULT_SOURCE, value_parser = source_parser())]
    pub source: String,

    /// Image to write: .png (animated with --frames) or .gif
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Technique: auto (chosen by what the character needs), control, cpu,
    /// palette-matrix, palette-dq, an encoding or a preset, which is baked
    /// first
    /// [default: palette-matrix or palette-dq for one instance, auto for a
    /// crowd, the encoding of a set]
    #[arg(long, value_name = "T", value_parser = parse_technique, verbatim_doc_comment)]
    pub technique: Option<PanelContent>,

    /// Compare 2 to 9 techniques, presets or texture sets on disk side by
    /// side, each with its skinning method and its maximum error, as in
    /// palette-matrix:lbs,palette-dq:dqs,bone-local:blend:0.5,knight.throng
    #[arg(
        long,
        value_name = "T[:METHOD],…",
        value_delimiter = ',',
        num_args = 1,
        value_parser = parse_panel,
        verbatim_doc_comment,
        conflicts_with_all = ["technique", "instances", "placements"]
    )]
    pub compare: Vec<PanelChoice>,

    /// Compare 2 to 9 skinning methods side by side in one pose, each with the
    /// volume and the distances from the bones around a joint, in % of the
    /// rest pose, as in lbs,dqs,blend:auto,cor. Without --time, the pose in
    /// which lbs is worst is drawn
    #[arg(
        long,
        value_name = "METHOD,…",
        value_delimiter = ',',
        num_args = 1,
        verbatim_doc_comment,
        conflicts_with_all = ["compare", "technique", "method", "factor", "show_error", "instances", "placements"]
    )]
    pub methods: Vec<Skinning>,

    /// Joint that --methods shows from near and measures, by name
    /// [default: the whole character, and the joint that the first method
    /// changes most]
    #[arg(long, value_name = "JOINT", requires = "methods", verbatim_doc_comment)]
    pub focus: Option<String>,

    /// Colour the surface by its error against the float64 reference; for one instance
    #[arg(long, conflicts_with_all = ["instances", "placements"])]
    pub show_error: bool,

    /// Clip by name, index or #index; `none` is the rest pose
    /// [default: the first of --motion; else a walk if there is one, else the first; all that
    /// move for a crowd]
    #[arg(long, value_name = "CLIP", verbatim_doc_comment)]
    pub clip: Option<String>,

    /// Time in seconds: for one instance in the file, clamped to the clip; for a crowd since
    /// its start [default: 8 % into the clip; 0 for a crowd]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_hyphen_values = true)]
    pub time: Option<f64>,

    /// Write an animated image of N frames; clips are sped up or slowed down so that it loops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: Option<u32>,

    /// Frames per second, 1 to 60 [default: 20 to 30, by the durations of the clips]
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1..=60), requires = "frames")]
    pub fps: Option<u32>,

    /// Width and height in pixels [default: 1280x720, animated 640x360]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,

    /// Light: noon (a high sun) or evening (a low sun in front of the camera)
    #[arg(long, value_enum, default_value = "noon")]
    pub light: Light,

    /// Skinning method [default: dqs for palette-dq and bone-dq, else as-authored: that of the file]
    #[arg(long, value_name = "METHOD", long_help = RENDER_METHOD_HELP)]
    pub method: Option<Skinning>,

    /// Deform factor between LBS (0) and DQS (1) [default: that of the method]
    #[arg(long, value_name = "F", value_parser = parse_fraction)]
    pub factor: Option<f64>,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// Instancing: loop (a draw call per instance), instanced, or skin-once (groups that share
    /// a pose)
    #[arg(long, value_name = "loop|instanced|skin-once", default_value = "instanced", value_parser = parse_instancing)]
    pub instancing: Instancing,

    /// Decoding of bone textures: direct (in the vertex shader), or pass (once per instance in a
    /// decode pass) [default: direct; bone-local has only pass]
    #[arg(long, value_name = "direct|pass", value_parser = parse_decode)]
    pub decode: Option<DecodeMode>,

    /// Source of timing and ranges in shaders: tables beside the textures, or the first column of the
    /// textures, as P0's shaders read them; encodings are then baked with that column
    #[arg(long, value_name = "tables|column", default_value = "tables", value_parser = parse_metadata_source)]
    pub metadata_reads: MetadataSource,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub edit: PoseEditArgs,

    #[command(flatten)]
    pub crowd: CrowdArgs,

    #[command(flatten)]
    pub motion: MotionArgs,

    #[command(flatten)]
    pub caches: CacheArgs,

    #[command(flatten)]
    pub import: ImportArgs,
}

/// Value of `--light`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Light {
    /// High sun behind the camera
    Noon,
    /// Low, warm sun in front of the camera; long shadows
    Evening,
}

impl RenderArgs {
    /// Returns true if all instances show a pose that is set by hand, or a fraction of a pose.
    pub fn has_pose(&self) -> bool {
        !self.edit.is_empty() || self.crowd.fraction.is_some()
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once(['x', '×']);
    let size = sides.and_then(|(width, height)| Some([side(width)?, side(height)?]));
    size.ok_or_else(|| {
        "expected a size in pixels such as 1280x720, each side from 16 to 8192".into()
    })
}

fn parse_metadata_source(text: &str) -> Result<MetadataSource, String> {
    match text {
        "tables" => Ok(MetadataSource::Tables),
        "column" => Ok(MetadataSource::Column),
        _ => Err("expected tables or column".into()),
    }
}

fn parse_instancing(text: &str) -> Result<Instancing, String> {
    let found = Instancing::ALL.into_iter().find(|i| i.name() == text);
    found.ok_or_else(|| {
        let names = Instancing::ALL.map(Instancing::name).join(", ");
        format!("unknown instancing '{text}'; expected one of {names}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_sizes() {
        assert_eq!(parse_size("1280x720"), Ok([1280, 720]));
        for bad in ["", "1280", "x", "0x100", "100x9000", "1280x720x3", "-1x20"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
