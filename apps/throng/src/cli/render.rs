//! What `throng render` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throng_rig::Skinning;
use throng_wgpu::{DecodePlace, Instancing, Technique};

use super::{DEFAULT_SOURCE, ImportArgs, METHOD_HELP, StorageArgs, parse_fraction, parse_seconds};

/// More are refused: a picture has no more texels.
const MAX_INSTANCES: i64 = 1_000_000;
/// Longer files are refused.
const MAX_FRAMES: i64 = 3000;

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// A .glb, .gltf or .fbx file, builtin:NAME, or a baked set
    #[arg(value_name = "FILE|DIR", default_value = DEFAULT_SOURCE)]
    pub source: String,

    /// Where to write: .png, with --frames an animated one, or .gif
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// control, cpu, palette-matrix, palette-dq, or an encoding, which is baked first
    /// [default: palette-matrix or palette-dq for one, bone-qt for a crowd, a set's own]
    #[arg(long, value_name = "T", verbatim_doc_comment)]
    pub technique: Option<Technique>,

    /// Up to four techniques side by side, each with its largest error against the reference
    #[arg(
        long,
        value_name = "T,T,T,T",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with_all = ["technique", "instances"]
    )]
    pub compare: Vec<Technique>,

    /// Colour the surface by how far it is from the float64 reference; for one character
    #[arg(long, conflicts_with = "instances")]
    pub show_error: bool,

    /// How many there are
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MAX_INSTANCES))]
    pub instances: u32,

    /// Where a crowd stands
    #[arg(long, value_enum, default_value_t = Arrangement::Scatter)]
    pub layout: Arrangement,

    /// A clip's name, index or #index, or `none` for the rest pose
    /// [default: one that walks, or the first; a crowd plays all]
    #[arg(long, value_name = "CLIP", verbatim_doc_comment)]
    pub clip: Option<String>,

    /// Seconds: of one character in the file's own time, of a crowd since it began
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_hyphen_values = true)]
    pub time: Option<f64>,

    /// Draw an animated file of N frames; clips are played so that it loops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: Option<u32>,

    /// Frames a second, 1 to 60 [default: from 20 to 30, as suits the clips]
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1..=60), requires = "frames")]
    pub fps: Option<u32>,

    /// Width and height in texels [default: 1280x720, of animated files 640x360]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,

    /// Skinning method; as-authored uses the file's (LBS for glTF)
    #[arg(long, value_name = "METHOD", default_value_t, long_help = METHOD_HELP)]
    pub method: Skinning,

    /// How much of the dual quaternions there is in a blend, instead of the method's own
    #[arg(long, value_name = "F", value_parser = parse_fraction)]
    pub factor: Option<f64>,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// loop (a draw each), instanced, or skin-once (groups that share a pose)
    #[arg(long, value_name = "HOW", default_value = "instanced", value_parser = parse_instancing)]
    pub instancing: Instancing,

    /// Where bone textures are decoded: direct, in the vertex shader, or in a pass before
    #[arg(long, value_name = "WHERE", default_value = "direct", value_parser = parse_decode)]
    pub decode: DecodePlace,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub import: ImportArgs,
}

/// Where a crowd stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Arrangement {
    /// In rows, all looking ahead
    Grid,
    /// Here and there, always in the same places
    Scatter,
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once(['x', '×']);
    let size = sides.and_then(|(width, height)| Some([side(width)?, side(height)?]));
    size.ok_or_else(|| "a size such as 1280x720 is needed, each side from 16 to 8192".into())
}

fn parse_instancing(text: &str) -> Result<Instancing, String> {
    let found = Instancing::ALL.into_iter().find(|i| i.name() == text);
    found.ok_or_else(|| {
        let names = Instancing::ALL.map(Instancing::name).join(", ");
        format!("'{text}' is not a way of instancing: choose from {names}")
    })
}

fn parse_decode(text: &str) -> Result<DecodePlace, String> {
    match text {
        "direct" => Ok(DecodePlace::Direct),
        "pass" => Ok(DecodePlace::Pass),
        _ => Err(format!(
            "'{text}' is no place to decode: choose from direct, pass"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_or_refused() {
        assert_eq!(parse_size("1280x720"), Ok([1280, 720]));
        for bad in ["", "1280", "x", "0x100", "100x9000", "1280x720x3", "-1x20"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
