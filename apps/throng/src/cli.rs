//! Command-line arguments.

mod bench;
mod cache;
mod crowd;
mod motion;
mod panel;
mod pose_edits;
mod render;
mod shader;
mod spread;
mod storage;
mod target;

pub use shader::{ShaderArgs, StageChoice};

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;
use throng_bake::{DEFAULT_MAX_FRAMES, Effort, Preset, Rate};
use throng_format::file::FileFormat;
use throng_format::{Encoding, FrameInterpolation, MeshStorage, Metadata};
use throng_import::{ImportOptions, PositionSharing};
use throng_rig::{LoopPolicy, Skinning};
use throng_wgpu::DecodeMode;

pub use bench::BenchArgs;
pub use cache::CacheArgs;
pub use crowd::{CrowdArgs, FractionBy, LodChoice, MAX_INSTANCES, Outfits, Tint, parse_color};
pub use motion::MotionArgs;
pub use panel::{PanelChoice, PanelContent};
pub use pose_edits::{PoseBaseArgs, PoseEditArgs};
pub use render::{Light, RenderArgs};
pub use spread::Spread;
pub use storage::StorageArgs;
pub use target::Target;

/// Source of a command that names none.
pub const DEFAULT_SOURCE: &str = "builtin:humanoid";

/// Bakes skeletal animation into animation textures (VAT and bone textures) for GPU crowds, and measures the
/// error against float64 skinning.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Run `throng` alone for a short tour.\n\n\
        Exit codes: 0 done, 1 the work failed or a limit was not met, 2 wrong usage, 3 an input cannot be read, \
        130 interrupted."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the parts, joints, clips, materials and import warnings of a character, the contents of a
    /// texture set, or the characters of a folder
    Inspect(InspectArgs),
    /// Pose and skin a character, and write the mesh
    Pose(PoseArgs),
    /// Bake clips into animation textures, and measure the error
    Bake(Box<BakeArgs>),
    /// Measure the error of a texture set against its source
    Verify(VerifyArgs),
    /// Print the shaders that decode an encoding, as WGSL, GLSL, HLSL or MSL
    Shader(ShaderArgs),
    /// Draw a character, a crowd, or techniques side by side, as a still or animated image
    Render(Box<RenderArgs>),
    /// Measure techniques against each other, and write a report
    Bench(Box<BenchArgs>),
    /// Open the viewer: techniques side by side, errors, textures, crowds
    View(ViewArgs),
}

/// Arguments of `throng view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Character (.glb, .gltf, .fbx, .abc or .obj file, or builtin:NAME) or texture set [default: builtin:humanoid]
    #[arg(value_name = "FILE")]
    pub file: Option<OsString>,
}

/// Source of a character, and its import options.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Character: a .glb, .gltf, .fbx, .abc or .obj file, or builtin:NAME
    #[arg(value_name = "FILE", default_value = DEFAULT_SOURCE, value_parser = source_parser())]
    pub file: String,

    #[command(flatten)]
    pub caches: CacheArgs,

    #[command(flatten)]
    pub import: ImportArgs,
}

/// Import options.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Keep only the N heaviest influences per vertex [default: all]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Import")]
    max_influences: Option<usize>,

    /// Drop influences with a smaller weight, 0 to 1
    #[arg(
        long,
        value_name = "W",
        default_value_t = 0.0,
        value_parser = parse_fraction,
        help_heading = "Import"
    )]
    min_weight: f64,

    /// Positions of vertices that are split for a hard edge or a UV seam
    #[arg(long, value_enum, default_value_t = Positions::Shared, help_heading = "Import")]
    positions: Positions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Positions {
    /// Share one unique position
    Shared,
    /// Keep one position per vertex, to measure what sharing saves
    Split,
    /// Make every corner of every face a vertex with its own position, as for flat shading
    Corners,
}

impl SourceArgs {
    pub fn options(&self) -> ImportOptions {
        self.import.options()
    }
}

impl ImportArgs {
    pub fn options(&self) -> ImportOptions {
        ImportOptions {
            max_influences: self.max_influences,
            min_weight: self.min_weight,
            positions: match self.positions {
                Positions::Shared => PositionSharing::Shared,
                Positions::Split => PositionSharing::Split,
                Positions::Corners => PositionSharing::Corners,
            },
            ..ImportOptions::default()
        }
    }
}

#[derive(Debug, Args)]
pub struct InspectArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PoseArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    #[command(flatten)]
    pub base: PoseBaseArgs,

    #[command(flatten)]
    pub edit: PoseEditArgs,

    /// Skinning method; as-authored uses the file's (LBS for glTF)
    #[arg(long, value_name = "METHOD", default_value_t, long_help = METHOD_HELP)]
    pub method: Skinning,

    /// Device that skins
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub device: Device,

    /// Posed mesh to write: .glb, .obj, .ply or .json [default: none]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BakeArgs {
    /// Characters: .glb, .gltf, .fbx or .abc files, folders of them, or builtin:NAME; an .obj file
    /// with --cache. Files whose set is up to date are skipped
    #[arg(value_name = "FILE", default_value = DEFAULT_SOURCE, value_parser = source_parser())]
    pub files: Vec<String>,

    /// Set to write: a folder, or a .glb file; for several inputs, the folder of their sets
    /// [default: NAME.throng in the current folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Encoding: vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones, bone-local, or
    /// auto, the best one; vertex for a vertex cache
    #[arg(long, value_name = "E", default_value = "auto", value_parser = parse_encoding, conflicts_with = "preset")]
    pub encoding: EncodingChoice,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// Skinning method; as-authored uses the file's (LBS for glTF)
    #[arg(long, value_name = "METHOD", default_value_t, long_help = METHOD_HELP)]
    pub method: Skinning,

    /// Sample rate: 6 to 120 Hz, native (the spacing of the keys), or auto (the lowest that
    /// does not alias) [default: native, or chosen with encoding auto, --max-error and --max-bytes]
    #[arg(long, value_name = "HZ|native|auto", value_parser = parse_rate)]
    pub rate: Option<Rate>,

    /// Clips to bake, by name, index or #index; a pose set by hand is always baked too, as the
    /// clip `pose` [default: all, or the pose alone]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub clips: Vec<String>,

    #[command(flatten)]
    pub motion: MotionArgs,

    #[command(flatten)]
    pub caches: CacheArgs,

    #[command(flatten)]
    pub base: PoseBaseArgs,

    #[command(flatten)]
    pub edit: PoseEditArgs,

    /// Loop policy of the clips [default: wrap where the poses at both ends agree, else once]
    #[arg(long = "loop", value_name = "wrap|once")]
    pub looping: Option<LoopPolicy>,

    /// Interpolation between frames: linear, nlerp, slerp or slerp-vertices [default: that of the
    /// encoding]
    #[arg(long, value_name = "NAME", conflicts_with = "preset")]
    pub interpolate: Option<FrameInterpolation>,

    /// Find the smallest set within this error, as a length or in % of size [default: 0.028%]
    #[arg(long, value_name = "0.5mm|0.028%", value_parser = parse_limit, allow_hyphen_values = true, conflicts_with_all = ["preset", "max_bytes"])]
    pub max_error: Option<Limit>,

    /// Find the most accurate set within this many GPU bytes: 64k, 2M
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, conflicts_with = "preset")]
    pub max_bytes: Option<u64>,

    /// Effort of the search for small curves: fast searches least and takes more bytes, best takes
    /// several times as long for slightly fewer; the error is proven with any
    #[arg(long, value_name = "fast|normal|best", default_value = "normal", value_parser = parse_effort)]
    pub effort: Effort,

    /// Layout of a published paper: p0-vertex8, p0-matrix8, p0-dq8, p3-virtual-bones or
    /// p3-virtual-bones-split; those of P3 keep the four heaviest influences per vertex
    #[arg(long, value_name = "NAME", value_parser = parse_preset, conflicts_with_all = ["layout", "precision"])]
    pub preset: Option<Preset>,

    /// Renderer that must load the set: chooses files and limits that load there, and refuses a set
    /// that would not. three, webgl2 and webgpu write one GLB file where -o is left out
    #[arg(long, value_enum, value_name = "three|webgl2|webgpu|wgpu", conflicts_with_all = ["share", "motion_only"])]
    pub target: Option<Target>,

    /// File format of the set: ktx2, png (integers), exr (floats), or glb for a single file
    /// [default: glb for an output named .glb, else ktx2]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub format: Option<SetFormat>,

    /// Compress KTX2 files with Zstandard
    #[arg(long)]
    pub zstd: bool,

    /// Mesh of the set: compact (quantised within the error, compressed), or exact (float32)
    #[arg(long, value_name = "compact|exact", default_value_t = MeshStorage::Compact, conflicts_with = "preset")]
    pub mesh: MeshStorage,

    /// Levels of detail: triangles of each, as a part of the full mesh, from fine to coarse. They are
    /// stored in the mesh of the set, with their proven error over all clips
    #[arg(long, value_name = "100%,40%,15%", value_delimiter = ',', value_parser = parse_ratio, allow_hyphen_values = true, conflicts_with_all = ["preset", "motion_only"])]
    pub lod: Vec<f64>,

    /// Round the sides of textures up to powers of two
    #[arg(long, help_heading = "Layout")]
    pub pow2: bool,

    /// Longest side of a texture, in texels
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(8..), help_heading = "Layout")]
    pub max_side: u32,

    /// Bounding boxes that positions of bones are quantised in [default: bone for unorm8, else
    /// whole]
    #[arg(long, value_enum, conflicts_with = "preset", help_heading = "Layout")]
    pub boxes: Option<BoxChoice>,

    /// Metadata for shaders: in the manifest alone, or in the first column of the textures too
    #[arg(long, value_name = "manifest|column", default_value = "manifest", value_parser = parse_metadata, conflicts_with = "preset", help_heading = "Layout")]
    pub metadata: Metadata,

    /// Also write heat.glb, the mesh coloured by the error of each vertex
    #[arg(long)]
    pub heat: bool,

    /// Bake the bones of characters with equal skeletons once: one motion set per skeleton, and a set
    /// per character that uses its textures, in the folder of -o
    #[arg(long, conflicts_with_all = ["preset", "heat", "rotate", "keyframe", "prune", "cache"])]
    pub share: bool,

    /// Write only the motion set, without a mesh; the error is measured on the meshes, or on points
    /// around the joints of a file without one
    #[arg(long, conflicts_with_all = ["preset", "heat", "rotate", "keyframe", "prune", "cache"])]
    pub motion_only: bool,

    /// Bake all clips again: also where the set is up to date, and where clips could be added to it
    #[arg(long)]
    pub force: bool,

    /// Also list and remove sets whose source file is gone, and leftovers of interrupted bakes: below
    /// the folder of -o for several inputs, else in the folder of the set; other files stay
    #[arg(long)]
    pub prune: bool,

    /// Most frames of all clips together
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_FRAMES, value_parser = clap::value_parser!(u32).range(1..=1 << 24), help_heading = "Limits")]
    pub max_frames: u32,

    /// Most memory that baking may take, as predicted: 512M, 8G [default: 2G]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, help_heading = "Limits")]
    pub max_memory: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub import: ImportArgs,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Texture set: a folder or a .glb file; or a folder of sets, which are all measured
    #[arg(value_name = "DIR")]
    pub set: PathBuf,

    /// Source to compare with [default: the source named in the manifest]
    #[arg(long, value_name = "FILE", value_parser = source_parser())]
    pub against: Option<String>,

    /// Exit with 1 if the error is larger, as a length or in % of size [default: 1 % more than the bake measured, on the
    /// CPU with the same source]
    #[arg(long, value_name = "0.5mm|0.028%", value_parser = parse_limit, allow_hyphen_values = true)]
    pub max_error: Option<Limit>,

    /// Also compare at N equally spaced times per source frame; exit with 1 if an error exceeds the reported maximum by
    /// more than 1 %
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub dense: Option<u32>,

    /// Device that decodes and skins
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub device: Device,

    /// Also write a heat map, the mesh coloured by the error of each vertex
    #[arg(long, value_name = "FILE.glb")]
    pub heat: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Value of `--device`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// The CPU, in float64
    Cpu,
    /// The GPU, in shaders
    Gpu,
}

/// Value of `--encoding`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingChoice {
    /// The best of all encodings.
    Auto,
    /// One encoding.
    One(Encoding),
}

/// Value of `--boxes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BoxChoice {
    /// One box per bone
    Bone,
    /// One box for all bones
    Whole,
}

/// Value of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFormat {
    /// A folder of texture files.
    Folder(FileFormat),
    /// One file.
    Glb,
}

/// Largest error allowed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Limit {
    /// In millimetres.
    Mm(f64),
    /// As a fraction of the character's size.
    OfSize(f64),
}

impl Limit {
    /// Returns the error as a fraction of the size of a character.
    pub fn of_size(self, size_m: f64) -> f64 {
        match self {
            Self::Mm(mm) => mm / 1000.0 / size_m.max(f64::MIN_POSITIVE),
            Self::OfSize(fraction) => fraction,
        }
    }
}

macro_rules! method_list {
    () => {
        "  lbs                linear blend skinning
  dqs                dual quaternions, signs aligned with the largest weight
  dqs-plain          dual quaternions, signs not aligned
  dqs-direct         dual quaternions applied without a matrix
  dqs-sum            dual quaternions applied one by one, positions summed
  dqs-bulge-free     dual quaternions, bulges pulled back to the bones
  cor                rotation about a centre per vertex
  sclerp             screw-linear blending of dual quaternions
  blend:F            matrices of lbs (F = 0) and dqs (F = 1), interpolated
  blend-positions:F  positions and normals of both, interpolated
  blend:auto         blend:F with a factor per vertex, chosen from the clips
"
    };
}

const METHOD_HELP: &str = concat!(
    "Skinning method:\n",
    "  as-authored        the method of the file, LBS for glTF and built-ins\n",
    method_list!()
);

/// Help of `--method` where techniques have defaults of their own.
const RENDER_METHOD_HELP: &str = concat!(
    "Skinning method [default: dqs for palette-dq, bone-dq and p0-dq8, else as-authored]:\n",
    "  as-authored        the method of the file, LBS for glTF and built-ins\n",
    method_list!()
);

/// Help of `--method` without a character that could be as authored.
const FIXED_METHOD_HELP: &str = concat!("Skinning method [default: lbs]:\n", method_list!());

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err("expected a whole number, 1 or more".into()),
    }
}

fn parse_fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(fraction) if (0.0..=1.0).contains(&fraction) => Ok(fraction),
        _ => Err("expected a number from 0 to 1".into()),
    }
}

fn parse_decode(text: &str) -> Result<DecodeMode, String> {
    match text {
        "direct" => Ok(DecodeMode::Direct),
        "pass" => Ok(DecodeMode::Pass),
        _ => Err("expected direct or pass".into()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("expected a number of seconds".into()),
    }
}

fn parse_encoding(text: &str) -> Result<EncodingChoice, String> {
    match text {
        "auto" => Ok(EncodingChoice::Auto),
        _ => match text.parse() {
            Ok(encoding) => Ok(EncodingChoice::One(encoding)),
            Err(error) => Err(format!("{error}, auto")),
        },
    }
}

fn parse_rate(text: &str) -> Result<Rate, String> {
    match text {
        "native" => Ok(Rate::Native),
        "auto" => Ok(Rate::Auto),
        _ => match text.parse::<f64>() {
            Ok(hz) if (6.0..=120.0).contains(&hz) => Ok(Rate::Hz(hz)),
            _ => Err("expected a number from 6 to 120, native or auto".into()),
        },
    }
}

/// Parser of the name of a source. Manifests store it as Unicode.
fn source_parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|name| {
        name.into_string()
            .map_err(|_| "the name is not valid Unicode: rename the file")
    })
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    const EXPECTED: &str = "expected a length such as 0.5mm, 0.05cm or 0.0005m, or a percentage of the size such as 0.028%";
    // `mm` and `cm` end in `m`, so that they are tried first.
    let found = ["mm", "cm", "m", "%"].into_iter().find_map(|unit| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some((number, unit))
    });
    match found {
        Some((number, _)) if number <= 0.0 => {
            Err(format!("an error must be larger than 0; {EXPECTED}"))
        }
        Some((number, unit)) if number.is_finite() => Ok(match unit {
            "mm" => Limit::Mm(number),
            "cm" => Limit::Mm(10.0 * number),
            "m" => Limit::Mm(1000.0 * number),
            _ => Limit::OfSize(number / 100.0),
        }),
        _ => Err(EXPECTED.into()),
    }
}

fn parse_ratio(text: &str) -> Result<f64, String> {
    let number = text.trim();
    let ratio = match number.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => number.parse(),
    };
    match ratio {
        Ok(ratio) if ratio > 0.0 && ratio <= 1.0 => Ok(ratio),
        _ => Err(
            "expected a part of the triangles such as 40% or 0.4, above 0 and at most 100%".into(),
        ),
    }
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let lower = lower.trim_end_matches("ib").trim_end_matches('b');
    let (number, unit) = match lower.char_indices().last() {
        Some((at, 'k')) => (&lower[..at], 1024.0),
        Some((at, 'm')) => (&lower[..at], 1024.0 * 1024.0),
        Some((at, 'g')) => (&lower[..at], 1024.0 * 1024.0 * 1024.0),
        _ => (lower, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number * unit < 1e18 => Ok((number * unit) as u64),
        _ => Err("expected a number of bytes, such as 64k or 2M".into()),
    }
}

fn parse_effort(text: &str) -> Result<Effort, String> {
    match text {
        "fast" => Ok(Effort::Fast),
        "normal" => Ok(Effort::Normal),
        "best" => Ok(Effort::Best),
        _ => Err(format!(
            "unknown effort '{text}'; expected fast, normal or best"
        )),
    }
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    let found = Preset::ALL.into_iter().find(|preset| preset.name() == text);
    found.ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name).join(", ");
        format!("unknown preset '{text}'; expected one of {names}")
    })
}

fn parse_format(text: &str) -> Result<SetFormat, String> {
    match text {
        "glb" => Ok(SetFormat::Glb),
        _ => match text.parse() {
            Ok(format) => Ok(SetFormat::Folder(format)),
            Err(_) => Err("expected ktx2, png, exr or glb".into()),
        },
    }
}

fn parse_metadata(text: &str) -> Result<Metadata, String> {
    match text {
        "manifest" => Ok(Metadata::Manifest),
        "column" => Ok(Metadata::Column),
        _ => Err("expected manifest or column".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_rig::METHOD_NAMES;

    #[test]
    fn help_lists_every_method() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        for name in METHOD_NAMES.split(", ") {
            let name = name.split(' ').next().unwrap();
            assert!(METHOD_HELP.contains(&format!("  {name} ")), "{name}");
        }
    }

    #[test]
    fn parses_limits_and_byte_counts() {
        assert_eq!(parse_limit("0.5mm"), Ok(Limit::Mm(0.5)));
        assert_eq!(parse_limit("0.025%"), Ok(Limit::OfSize(0.000_25)));
        assert_eq!(parse_limit("0.5cm"), Ok(Limit::Mm(5.0)));
        assert_eq!(parse_limit("1e-3m"), Ok(Limit::Mm(1.0)));
        assert_eq!(parse_limit("1 mm"), Ok(Limit::Mm(1.0)));
        for bad in ["", "1", "mm", "m", "nan%", "inf%", "1km", "1e999mm"] {
            let error = parse_limit(bad).unwrap_err();
            assert!(error.starts_with("expected a length"), "{bad}: {error}");
        }
        for bad in ["-1mm", "-0.5cm", "0%", "-1%", "-1e-3m"] {
            let error = parse_limit(bad).unwrap_err();
            assert!(error.contains("must be larger than 0"), "{bad}: {error}");
        }
        assert_eq!(parse_bytes("64k"), Ok(65536));
        assert_eq!(parse_bytes("1.5MiB"), Ok(1_572_864));
        assert_eq!(parse_bytes("100"), Ok(100));
        for bad in ["", "k", "-1", "x", "0", "1e30"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn decode_has_one_vocabulary() {
        use clap::CommandFactory;
        let command = Cli::command();
        for name in ["render", "shader"] {
            let subcommand = command.find_subcommand(name).unwrap();
            let mut arguments = subcommand.get_arguments();
            let decode = arguments
                .find(|arg| arg.get_long() == Some("decode"))
                .unwrap();
            let names = decode.get_value_names().unwrap();
            assert_eq!(names[0].as_str(), "direct|pass", "{name}");
        }
        assert_eq!(parse_decode("direct"), Ok(DecodeMode::Direct));
        assert_eq!(parse_decode("pass"), Ok(DecodeMode::Pass));
        assert_eq!(
            parse_decode("vertex"),
            Err("expected direct or pass".into())
        );
    }
}
