//! Arguments of a crowd: arrangement, clips and variation of its instances.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use throng_studio::{Arrangement, CameraName};

use throng_bake::lod::check_ratios;

use super::parse_ratio;
use super::spread::{Spread, parse_spread, parse_unit_spread};

/// About the number of pixels of the default image.
pub const MAX_INSTANCES: u32 = 1_000_000;

#[derive(Debug, Args)]
#[command(next_help_heading = "Crowd")]
pub struct CrowdArgs {
    /// Number of instances
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_INSTANCES)))]
    pub instances: u32,

    /// Arrangement of the instances [default: that of the camera, else scatter]
    #[arg(long, value_parser = arrangement_parser())]
    pub arrangement: Option<Arrangement>,

    /// Levels of detail: auto, none, or the triangles of each level as a part of the full mesh, from fine
    /// to coarse. Instances get the coarsest level whose error over all clips is below half a pixel
    /// [default: those of a set on disk; else auto from --instances 1000 on]
    #[arg(long, value_name = "auto|none|100%,40%,15%", value_parser = parse_lod)]
    pub lod: Option<LodChoice>,

    /// Distance between neighbours, in metres [default: by the extent of the clips]
    #[arg(long, value_name = "METRES", value_parser = parse_spacing)]
    pub spacing: Option<f32>,

    /// Instances from a .csv file with a header, or a .json file with a list of objects. Columns or
    /// keys, all optional: x, y, z (metres), heading (degrees), scale, clip, offset (0 to 1),
    /// speed, tint (#rrggbb), fraction, fade_clip, fade_weight
    #[arg(long, value_name = "FILE", conflicts_with_all = ["instances", "arrangement", "spacing"])]
    pub placements: Option<PathBuf>,

    /// Clips that instances choose from, by name, index or #index [default: all that move]
    #[arg(
        long,
        value_name = "A,B",
        value_delimiter = ',',
        conflicts_with = "clip"
    )]
    pub clips: Vec<String>,

    /// Speed factor, or a range that instances are spread over
    /// [default: 1 for one instance, 0.9..1.1 for a crowd]
    #[arg(long, value_name = "S|A..B", value_parser = parse_spread, allow_hyphen_values = true, verbatim_doc_comment)]
    pub speed: Option<Spread>,

    /// Offset into the clip at the start, as a part of its duration, or a range
    /// [default: 0..1 for a crowd]
    #[arg(long, value_name = "F|A..B", value_parser = parse_unit_spread, verbatim_doc_comment)]
    pub offset: Option<Spread>,

    /// Camera of a crowd [default: the one that suits the arrangement]
    #[arg(long, value_parser = camera_parser())]
    pub camera: Option<CameraName>,

    /// Clothes, hair and skin of characters that have slots for them, as builtin:humanoid: varied, or one
    /// outfit for all [default: one for one instance, varied for a crowd]
    #[arg(long, value_enum)]
    pub outfits: Option<Outfits>,

    /// Tint: none, random, or one colour as #rrggbb [default: random for a crowd without varied outfits,
    /// else none]
    #[arg(long, value_name = "TINT", value_parser = parse_tint)]
    pub tint: Option<Tint>,

    /// Seed of the random positions, clips, offsets, speeds, outfits and tints
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Cross-fade to a clip. With a weight, or a range of weights, the blend is held; without,
    /// an animated image fades from its first to its last frame, a still is half way
    #[arg(long, value_name = "CLIP[:W|:A..B]", value_parser = parse_fade)]
    pub fade: Option<FadeChoice>,

    /// Hold instances between the rest pose (0) and a pose (1), or at fractions that are spread over a
    /// range. The pose is that of --clip at --time, with --rotate
    #[arg(long, value_name = "F|A..B", value_parser = parse_unit_spread, conflicts_with = "keyframe")]
    pub fraction: Option<Spread>,

    /// Values that fractions interpolate [default: positions]
    #[arg(long, value_enum)]
    pub fraction_by: Option<FractionBy>,
}

impl CrowdArgs {
    /// Checks that no option is without effect: those of crowds for one instance, and that of fractions without any.
    pub fn check(&self) -> Result<(), String> {
        let for_crowds = [
            ("--arrangement", self.arrangement.is_some()),
            ("--spacing", self.spacing.is_some()),
            ("--lod", self.lod.is_some()),
            ("--clips", !self.clips.is_empty()),
            ("--camera", self.camera.is_some()),
        ];
        if self.fraction_by.is_some() && self.fraction.is_none() && self.placements.is_none() {
            return Err("--fraction-by needs fractions: use --fraction, too".into());
        }
        match for_crowds.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) if !self.is_crowd() => {
                Err(format!("{option} is for a crowd: use --instances, too"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the arrangement: by default the one that the camera is made for.
    pub fn arrangement(&self) -> Arrangement {
        let suited = self.camera.and_then(CameraName::arrangement);
        self.arrangement.or(suited).unwrap_or(Arrangement::Scatter)
    }

    /// Returns true for several instances, or instances from a file.
    pub fn is_crowd(&self) -> bool {
        self.instances > 1 || self.placements.is_some()
    }
}

/// Value of `--outfits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Outfits {
    /// Each instance has its own
    Varied,
    /// All look as the file says
    One,
}

/// Value of `--lod`.
#[derive(Debug, Clone, PartialEq)]
pub enum LodChoice {
    None,
    Auto,
    /// Ratios of triangles, from fine to coarse.
    Ratios(Vec<f64>),
}

/// Instances from which on levels of detail are the default.
const MANY_INSTANCES: u32 = 1000;

impl CrowdArgs {
    /// Levels of detail, where none are asked for by the number of instances.
    pub fn levels(&self) -> LodChoice {
        match &self.lod {
            Some(choice) => choice.clone(),
            None if self.instances >= MANY_INSTANCES => LodChoice::Auto,
            None => LodChoice::None,
        }
    }
}

fn parse_lod(text: &str) -> Result<LodChoice, String> {
    match text {
        "auto" => Ok(LodChoice::Auto),
        "none" => Ok(LodChoice::None),
        _ => {
            let ratios: Result<Vec<f64>, _> = text.split(',').map(parse_ratio).collect();
            let ratios = ratios.map_err(|error| format!("{error}, auto or none"))?;
            check_ratios(&ratios).map_err(|error| error.to_string())?;
            Ok(LodChoice::Ratios(ratios))
        }
    }
}

/// Value of `--fraction-by`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FractionBy {
    /// Vertices move along straight lines
    Positions,
    /// Joints rotate
    Angles,
}

/// Value of `--fade`.
#[derive(Debug, Clone, PartialEq)]
pub struct FadeChoice {
    /// Clip by name, index or #index.
    pub clip: String,
    /// Weight of the clip.
    pub weight: Option<Spread>,
}

/// Value of `--tint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    None,
    Random,
    Rgb([u8; 3]),
}

/// Parses a colour as `#rrggbb`.
pub fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    // `from_str_radix` would take a sign.
    let is_color = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let rgb = u32::from_str_radix(digits, 16).ok().filter(|_| is_color)?;
    let [_, r, g, b] = rgb.to_be_bytes();
    Some([r, g, b])
}

fn parse_tint(text: &str) -> Result<Tint, String> {
    match text {
        "none" => Ok(Tint::None),
        "random" => Ok(Tint::Random),
        _ => parse_color(text)
            .map(Tint::Rgb)
            .ok_or_else(|| "expected none, random, or a colour such as #8fb0ff".into()),
    }
}

/// Returns a parser of arrangements by name.
fn arrangement_parser() -> impl TypedValueParser<Value = Arrangement> {
    let named = Arrangement::ALL.map(|one| PossibleValue::new(one.name()).help(one.about()));
    PossibleValuesParser::new(named).map(|name| {
        let mut all = Arrangement::ALL.into_iter();
        all.find(|one| one.name() == name)
            .expect("the parser accepts known names only")
    })
}

/// Returns a parser of cameras by name.
fn camera_parser() -> impl TypedValueParser<Value = CameraName> {
    let named = CameraName::ALL.map(|one| PossibleValue::new(one.name()).help(one.about()));
    PossibleValuesParser::new(named).map(|name| {
        let mut all = CameraName::ALL.into_iter();
        all.find(|one| one.name() == name)
            .expect("the parser accepts known names only")
    })
}

pub fn parse_spacing(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(metres) if metres.is_finite() && metres > 0.0 => Ok(metres),
        _ => Err("expected a number of metres, larger than 0".into()),
    }
}

fn parse_fade(text: &str) -> Result<FadeChoice, String> {
    // Names of clips may contain a colon.
    if let Some((clip, weight)) = text.rsplit_once(':')
        && let Ok(weight) = parse_unit_spread(weight)
    {
        return Ok(FadeChoice {
            clip: clip.to_owned(),
            weight: Some(weight),
        });
    }
    Ok(FadeChoice {
        clip: text.to_owned(),
        weight: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_tints() {
        assert_eq!(parse_tint("#8fB0ff"), Ok(Tint::Rgb([0x8f, 0xb0, 0xff])));
        assert_eq!(parse_tint("none"), Ok(Tint::None));
        for bad in ["", "#", "#12345", "#+12345", "8fb0ff", "#8fb0fff", "red"] {
            assert!(parse_tint(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parses_levels_of_detail() {
        assert_eq!(parse_lod("auto"), Ok(LodChoice::Auto));
        let ratios = LodChoice::Ratios(vec![1.0, 0.4, 0.15]);
        assert_eq!(parse_lod("100%,40%,15%"), Ok(ratios));
        for bad in ["", "no", "40%,50%", "0%", "-1%", "50%,x"] {
            assert!(parse_lod(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parses_fades() {
        let fade = |clip: &str, weight| {
            let clip = clip.to_owned();
            Ok(FadeChoice { clip, weight })
        };
        assert_eq!(parse_fade("run"), fade("run", None));
        assert_eq!(
            parse_fade("run:0.25"),
            fade("run", Some(Spread::new(0.25, 0.25)))
        );
        assert_eq!(
            parse_fade("a:b:0..1"),
            fade("a:b", Some(Spread::new(0.0, 1.0)))
        );
        assert_eq!(parse_fade("a:b"), fade("a:b", None));
    }
}
