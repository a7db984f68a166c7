//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use throng_import::{ImportOptions, PositionSharing};
use throng_skin::Method;

/// The character that is used where none is named.
pub const DEFAULT_SOURCE: &str = "builtin:humanoid";

/// Crowds of skinned characters: look at one, pose it, skin it seven ways.
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
}

/// Which character, and how it is brought in.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// A .glb, .gltf or .fbx file, or builtin:NAME
    #[arg(value_name = "FILE", default_value = DEFAULT_SOURCE)]
    pub file: String,

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

    /// How to skin [default: as the file says, lbs for glTF]
    #[arg(long, value_name = "METHOD", long_help = METHOD_HELP)]
    pub method: Option<Method>,

    /// Where to write the posed mesh: .glb, .obj, .ply or .json
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print one JSON object about the pose
    #[arg(long)]
    pub json: bool,
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
    use throng_skin::METHOD_NAMES;

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
