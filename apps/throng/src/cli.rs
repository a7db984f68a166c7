//! What can be typed.

mod render;
mod shader;
mod storage;

pub use shader::{DecodeChoice, ShaderArgs, StageChoice};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use throng_bake::{Preset, Rate};
use throng_format::file::FileFormat;
use throng_format::{Encoding, FrameInterpolation, Metadata};
use throng_import::{ImportOptions, PositionSharing};
use throng_rig::{LoopPolicy, Skinning};

pub use render::{Arrangement, RenderArgs};
pub use storage::StorageArgs;

/// The character that is used where none is named.
pub const DEFAULT_SOURCE: &str = "builtin:humanoid";

/// Crowds of skinned characters: look at one, pose it, bake its clips into textures, prove the error,
/// draw a crowd.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Run `throng` alone for a short tour."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what is in a character: parts, joints, clips, materials, warnings
    Inspect(InspectArgs),
    /// Pose a character, skin it and write the mesh
    Pose(PoseArgs),
    /// Bake clips into animation textures, and say what was lost
    Bake(Box<BakeArgs>),
    /// Measure a baked set against its source
    Verify(VerifyArgs),
    /// Print the shaders that decode an encoding, for engines
    Shader(ShaderArgs),
    /// Draw a character, a crowd, or techniques side by side, as a picture or an animated file
    Render(Box<RenderArgs>),
}

/// Which character, and how it is brought in.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// A .glb, .gltf or .fbx file, or builtin:NAME
    #[arg(value_name = "FILE", default_value = DEFAULT_SOURCE)]
    pub file: String,

    #[command(flatten)]
    pub import: ImportArgs,
}

/// How a character is brought in.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Keep at most N influences a vertex, the heaviest [default: all]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Import")]
    max_influences: Option<usize>,

    /// Drop influences that weigh less, from 0 to 1
    #[arg(
        long,
        value_name = "W",
        default_value_t = 0.0,
        value_parser = parse_fraction,
        help_heading = "Import"
    )]
    min_weight: f64,

    /// Whether vertices that are the same point are skinned once
    #[arg(long, value_enum, default_value_t = Positions::Shared, help_heading = "Import")]
    positions: Positions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Positions {
    /// Vertices split for a hard edge or a texture seam share one true position
    Shared,
    /// Every vertex for itself, to measure what sharing saves
    Split,
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

    /// A clip's name, index or #index, or `none` for the rest pose
    /// [default: none, or the first clip with --time]
    #[arg(long, value_name = "CLIP", verbatim_doc_comment)]
    pub clip: Option<String>,

    /// Seconds in the file's own time, held inside the clip [default: the clip's start]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_hyphen_values = true)]
    pub time: Option<f64>,

    /// Turn a joint about its own axes, X then Y then Z, in degrees; may be repeated
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = parse_turn, allow_hyphen_values = true)]
    pub rotate: Vec<Turn>,

    /// Go only a part of the way from the rest pose, F from 0 to 1, by interpolating
    /// each joint's rotation or each vertex's position
    #[arg(long, value_name = "F:rotations|positions", value_parser = parse_keyframe)]
    pub keyframe: Option<Keyframe>,

    /// Skinning method; as-authored uses the file's (LBS for glTF)
    #[arg(long, value_name = "METHOD", default_value_t, long_help = METHOD_HELP)]
    pub method: Skinning,

    /// Where to skin
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub device: Device,

    /// Where to write the posed mesh: .glb, .obj, .ply or .json
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object about the pose
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BakeArgs {
    /// .glb, .gltf or .fbx files, folders of them, or builtin:NAME
    #[arg(value_name = "FILE", default_value = DEFAULT_SOURCE)]
    pub files: Vec<String>,

    /// Where to write: a folder, or a .glb [default: NAME.throng here; for several inputs, a folder that
    /// holds one set each]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// vertex, vertex-ray, bone-matrix, bone-dq, bone-qt, virtual-bones, bone-local or auto
    #[arg(long, value_name = "E", default_value = "auto", value_parser = parse_encoding, conflicts_with = "preset")]
    pub encoding: EncodingChoice,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// Skinning method; as-authored uses the file's (LBS for glTF)
    #[arg(long, value_name = "METHOD", default_value_t, long_help = METHOD_HELP)]
    pub method: Skinning,

    /// Frames a second, 6 to 120, native, or auto: the lowest that does not alias
    #[arg(long, value_name = "HZ|native|auto", value_parser = parse_rate)]
    pub rate: Option<Rate>,

    /// Only these clips: names, indices or #index
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub clips: Vec<String>,

    /// What clips do at their ends [default: wrap where both ends are the same]
    #[arg(long = "loop", value_name = "wrap|once")]
    pub looping: Option<LoopPolicy>,

    /// What happens between frames: linear, nlerp, slerp or slerp-vertices [default: as suits the encoding]
    #[arg(long, value_name = "HOW", conflicts_with = "preset")]
    pub interpolate: Option<FrameInterpolation>,

    /// The smallest set whose vertices are at most this far off: 0.5mm, or 0.028% of the size
    #[arg(long, value_name = "0.5mm|0.028%", value_parser = parse_limit, conflicts_with_all = ["preset", "max_bytes"])]
    pub max_error: Option<Limit>,

    /// The most accurate set that takes at most so many GPU bytes: 64k, 2M
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, conflicts_with = "preset")]
    pub max_bytes: Option<u64>,

    /// A paper's own layout: p0-vertex8, p0-matrix8, p0-dq8 or p3-virtual-bones
    #[arg(long, value_name = "NAME", value_parser = parse_preset, conflicts_with_all = ["layout", "precision"])]
    pub preset: Option<Preset>,

    /// Texture files: ktx2, png (integers), exr (floats), or glb for one file with everything inside
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub format: Option<SetFormat>,

    /// Compress KTX2 files with Zstandard
    #[arg(long)]
    pub zstd: bool,

    /// Round sides of textures up to powers of two
    #[arg(long, help_heading = "Layout")]
    pub pow2: bool,

    /// No side of a texture is longer
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(8..), help_heading = "Layout")]
    pub max_side: u32,

    /// Positions of bones are scaled to a box for each bone, or to one for all [default: bone at 8 bits, whole at 16]
    #[arg(long, value_enum, conflicts_with = "preset", help_heading = "Layout")]
    pub boxes: Option<BoxChoice>,

    /// Whether the first column of each texture holds what a shader needs: manifest or column
    #[arg(long, value_name = "WHERE", default_value = "manifest", value_parser = parse_metadata, conflicts_with = "preset", help_heading = "Layout")]
    pub metadata: Metadata,

    /// Also write heat.glb: the mesh, coloured by how far off each vertex is
    #[arg(long)]
    pub heat: bool,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub import: ImportArgs,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A set: a folder or a .glb
    #[arg(value_name = "DIR")]
    pub set: PathBuf,

    /// What to compare with [default: the source that the set names]
    #[arg(long, value_name = "FILE")]
    pub against: Option<String>,

    /// Exit with 1 where a vertex is farther off: 0.5mm, or 0.028% of the size
    #[arg(long, value_name = "0.5mm|0.028%", value_parser = parse_limit)]
    pub max_error: Option<Limit>,

    /// Where to decode and skin
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    pub device: Device,

    /// Write the mesh, coloured by how far off each vertex is
    #[arg(long, value_name = "FILE.glb")]
    pub heat: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `--device` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// In float64
    Cpu,
    /// In shaders, and read back
    Gpu,
}

/// What `--encoding` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingChoice {
    /// Whichever is smallest.
    Auto,
    /// This one.
    One(Encoding),
}

/// What `--boxes` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BoxChoice {
    /// Each bone has a box
    Bone,
    /// One box holds all
    Whole,
}

/// What `--format` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetFormat {
    /// A folder of texture files.
    Folder(FileFormat),
    /// One file.
    Glb,
}

/// How far vertices may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Millimetres.
    Mm(f64),
    /// Parts of the character's size.
    OfSize(f64),
}

impl Limit {
    /// In parts of a character's size, which is in metres.
    pub fn of_size(self, size: f64) -> f64 {
        match self {
            Self::Mm(mm) => mm / 1000.0 / size.max(f64::MIN_POSITIVE),
            Self::OfSize(part) => part,
        }
    }
}

/// A joint turned by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// A name, an index or #index.
    pub joint: String,
    /// About its own X, then Y, then Z.
    pub degrees: [f64; 3],
}

/// A fraction of the way from the rest pose to the pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keyframe {
    /// From 0, the rest pose, to 1.
    pub fraction: f64,
    /// What is interpolated.
    pub by: Between,
}

/// What is interpolated between two poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    /// Each joint in its parent: rotations along the shortest arc.
    Rotations,
    /// Each skinned vertex along a straight line.
    Positions,
}

const METHOD_HELP: &str = "\
How to skin; without it, as the file says (lbs for glTF and built-ins):
  lbs                linear blend skinning
  dqs                dual quaternions, on the shorter way round
  dqs-plain          dual quaternions with the signs they come with
  dqs-direct         dual quaternions applied without a matrix
  dqs-sum            each dual quaternion by itself, positions summed
  blend:F            matrices of lbs (F = 0) and dqs (F = 1) mixed
  blend-positions:F  their positions and normals mixed
";

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err("a whole number from 1 is needed".into()),
    }
}

fn parse_fraction(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(fraction) if (0.0..=1.0).contains(&fraction) => Ok(fraction),
        _ => Err("a number from 0 to 1 is needed".into()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("a number of seconds is needed".into()),
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
            _ => Err("a number from 6 to 120, native or auto is needed".into()),
        },
    }
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|x| x.is_finite() && *x > 0.0)
    };
    let limit = if let Some(mm) = text.strip_suffix("mm") {
        number(mm).map(Limit::Mm)
    } else if let Some(percent) = text.strip_suffix('%') {
        number(percent).map(|percent| Limit::OfSize(percent / 100.0))
    } else {
        None
    };
    limit.ok_or_else(|| {
        "a length such as 0.5mm, or a part of the size such as 0.028%, is needed".into()
    })
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
        _ => Err("a number of bytes such as 64k or 2M is needed".into()),
    }
}

fn parse_preset(text: &str) -> Result<Preset, String> {
    let found = Preset::ALL.into_iter().find(|preset| preset.name() == text);
    found.ok_or_else(|| {
        let names = Preset::ALL.map(Preset::name).join(", ");
        format!("'{text}' is not a preset: choose from {names}")
    })
}

fn parse_format(text: &str) -> Result<SetFormat, String> {
    match text {
        "glb" => Ok(SetFormat::Glb),
        _ => match text.parse() {
            Ok(format) => Ok(SetFormat::Folder(format)),
            Err(_) => Err("png, exr, ktx2 or glb is needed".into()),
        },
    }
}

fn parse_metadata(text: &str) -> Result<Metadata, String> {
    match text {
        "manifest" => Ok(Metadata::Manifest),
        "column" => Ok(Metadata::Column),
        _ => Err("manifest or column is needed".into()),
    }
}

fn parse_turn(text: &str) -> Result<Turn, String> {
    let error = || "JOINT=X,Y,Z is needed, such as 2=0,180,0 or left_arm=0,0,45".to_owned();
    // A name may hold an equals sign; numbers do not.
    let (joint, angles) = text.rsplit_once('=').ok_or_else(error)?;
    let angles: Vec<f64> = angles
        .split(',')
        .map(|angle| angle.trim().parse().ok().filter(|a: &f64| a.is_finite()))
        .collect::<Option<_>>()
        .ok_or_else(error)?;
    let degrees = angles.try_into().map_err(|_| error())?;
    Ok(Turn {
        joint: joint.to_owned(),
        degrees,
    })
}

fn parse_keyframe(text: &str) -> Result<Keyframe, String> {
    let error = || "F:rotations or F:positions is needed, F from 0 to 1".to_owned();
    let (fraction, by) = text.split_once(':').ok_or_else(error)?;
    let fraction = parse_fraction(fraction).map_err(|_| error())?;
    let by = match by {
        "rotations" => Between::Rotations,
        "positions" => Between::Positions,
        _ => return Err(error()),
    };
    Ok(Keyframe { fraction, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_rig::METHOD_NAMES;

    #[test]
    fn the_help_names_every_method() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
        for name in METHOD_NAMES.split(", ") {
            let name = name.split(' ').next().unwrap();
            assert!(METHOD_HELP.contains(&format!("  {name} ")), "{name}");
        }
    }

    #[test]
    fn limits_and_sizes_are_read_or_refused() {
        assert_eq!(parse_limit("0.5mm"), Ok(Limit::Mm(0.5)));
        assert_eq!(parse_limit("0.025%"), Ok(Limit::OfSize(0.000_25)));
        for bad in ["", "1", "mm", "-1mm", "0%", "nan%", "1cm"] {
            assert!(parse_limit(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_bytes("64k"), Ok(65536));
        assert_eq!(parse_bytes("1.5MiB"), Ok(1_572_864));
        assert_eq!(parse_bytes("100"), Ok(100));
        for bad in ["", "k", "-1", "x", "0", "1e30"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn turns_and_keyframes_are_read_or_refused() {
        let turn = parse_turn("a=b=1,-2.5, 90").unwrap();
        assert_eq!(turn.joint, "a=b");
        assert_eq!(turn.degrees, [1.0, -2.5, 90.0]);
        for bad in ["", "2", "2=1,2", "2=1,2,x", "2=1,2,3,4", "2=1,2,inf"] {
            assert!(parse_turn(bad).is_err(), "{bad}");
        }
        let half = Keyframe {
            fraction: 0.5,
            by: Between::Positions,
        };
        assert_eq!(parse_keyframe("0.5:positions"), Ok(half));
        for bad in ["", "0.5", "0.5:matrices", "2:positions", "x:rotations"] {
            assert!(parse_keyframe(bad).is_err(), "{bad}");
        }
    }
}
