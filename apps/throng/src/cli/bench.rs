//! Arguments of `throng bench`.

use std::path::PathBuf;

use clap::Args;
use throng_bench::record::ThresholdUnit;
use throng_bench::suites::Suite;
use throng_wgpu::DecodeMode;

use super::crowd::parse_spacing;
use super::panel::{PanelChoice, parse_panel};
use super::{ImportArgs, StorageArgs, parse_decode, source_parser};

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Characters: .glb, .gltf, .fbx or .abc files, texture sets, or builtin:NAME [default: the
    /// suite's]
    #[arg(value_name = "FILE", value_parser = source_parser())]
    pub files: Vec<String>,

    /// Experiments to run: quick (minutes), the experiments of a paper (p0, p1, p2, p3, p4), sizes
    /// (bytes and error of every encoding), cpu (skinning and sampling on the CPU), or all
    /// [default: quick, or techniques on the given characters]
    #[arg(long, value_name = "NAME")]
    pub suite: Option<Suite>,

    /// Techniques, presets or sets to compare, each with an optional skinning method, as in
    /// bone-qt,palette-dq:dqs,knight.throng [default: palette-matrix, cpu, vertex, bone-qt,
    /// bone-matrix, bone-local]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_panel, conflicts_with = "suite")]
    pub techniques: Vec<PanelChoice>,

    /// Folder of the report: report.html, report.json and CSV files [default: bench-SUITE in the
    /// current folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Continue an interrupted run in the folder of -o, with its settings
    #[arg(long)]
    pub resume: bool,

    /// Compare reports of earlier runs, each with the first: report.json files or their folders
    #[arg(long, value_name = "A.json B.json", num_args = 2.., conflicts_with_all = ["files", "suite", "techniques", "resume"])]
    pub compare: Vec<PathBuf>,

    /// Run everything, in hours: longer turns, more rounds, finer curves
    #[arg(long)]
    pub full: bool,

    /// Longest duration: 90s, 45m, 2h [default: that of the suite, 10m for characters]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Measurement")]
    pub max_time: Option<f64>,

    /// Clips that instances play, by name [default: all]
    #[arg(
        long,
        value_name = "A,B",
        value_delimiter = ',',
        help_heading = "Measurement"
    )]
    pub clips: Vec<String>,

    /// Frame rates whose break points are found
    #[arg(long, value_name = "FPS,FPS", value_delimiter = ',', value_parser = parse_positive, help_heading = "Measurement")]
    pub fps: Vec<f64>,

    /// Milliseconds of frames before each sample that do not count
    #[arg(long, value_name = "MS", value_parser = parse_positive, help_heading = "Measurement")]
    pub settle: Option<f64>,

    /// Milliseconds of frames per sample
    #[arg(long, value_name = "MS", value_parser = parse_positive, help_heading = "Measurement")]
    pub sample: Option<f64>,

    /// A point of a curve is kept where the frame time moved by an amount in this range: 1..2ms or
    /// 10..20% [default: 1..2ms, in % on software drivers]
    #[arg(long, value_name = "A..B", value_parser = parse_threshold, help_heading = "Measurement")]
    pub threshold: Option<Threshold>,

    /// Throughputs that differ by less are no difference: 3%
    #[arg(long, value_name = "%", value_parser = parse_percent, help_heading = "Measurement")]
    pub margin: Option<f64>,

    /// Fewest and most rounds of a contest: 10..100
    #[arg(long, value_name = "A..B", value_parser = parse_rounds, help_heading = "Measurement")]
    pub rounds: Option<[u32; 2]>,

    /// Most instances of a crowd
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 22), help_heading = "Measurement")]
    pub max_instances: Option<u32>,

    /// Distance between rows in metres; the camera moves away to show all [default: 1.1 times the size
    /// of the character]
    #[arg(long, value_name = "METRES", value_parser = parse_spacing, help_heading = "Measurement")]
    pub spacing: Option<f32>,

    /// Seed of the random order
    #[arg(long, value_name = "N", help_heading = "Measurement")]
    pub seed: Option<u64>,

    /// Shader stage that decodes bone textures [default: direct, pass for bone-local]
    #[arg(long, value_name = "direct|pass", value_parser = parse_decode)]
    pub decode: Option<DecodeMode>,

    #[command(flatten)]
    pub storage: StorageArgs,

    /// Print one JSON object: the report without samples, or the comparison
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub import: ImportArgs,
}

/// Range of the threshold, and its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    pub range: [f64; 2],
    pub unit: ThresholdUnit,
}

fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number larger than 0".into()),
    }
}

fn parse_duration(text: &str) -> Result<f64, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    units
        .into_iter()
        .find_map(|(unit, secs)| {
            let number = parse_positive(text.strip_suffix(unit)?.trim()).ok()?;
            Some(number * secs)
        })
        .ok_or_else(|| "expected a duration such as 90s, 45m or 2h".into())
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text
        .strip_suffix('%')
        .map(|number| parse_positive(number.trim()));
    match percent {
        Some(Ok(percent)) if percent < 100.0 => Ok(percent / 100.0),
        _ => Err("expected a percentage such as 3%".into()),
    }
}

fn parse_threshold(text: &str) -> Result<Threshold, String> {
    let expected = || "expected a range such as 1..2ms or 10..20%".to_owned();
    let (range, unit) = match (text.strip_suffix("ms"), text.strip_suffix('%')) {
        (Some(range), _) => (range, ThresholdUnit::Ms),
        (_, Some(range)) => (range, ThresholdUnit::Part),
        _ => return Err(expected()),
    };
    let (low, high) = range.split_once("..").ok_or_else(expected)?;
    let [low, high] = [low, high].map(|number| parse_positive(number.trim()));
    match (low, high) {
        (Ok(low), Ok(high)) if low < high => {
            let of = match unit {
                ThresholdUnit::Ms => 1.0,
                ThresholdUnit::Part => 100.0,
            };
            Ok(Threshold {
                range: [low / of, high / of],
                unit,
            })
        }
        _ => Err(expected()),
    }
}

fn parse_rounds(text: &str) -> Result<[u32; 2], String> {
    let range = text.split_once("..").and_then(|(least, most)| {
        let range = [least.parse().ok()?, most.parse().ok()?];
        (2 <= range[0] && range[0] <= range[1]).then_some(range)
    });
    range.ok_or_else(|| "expected a range such as 10..100, from at least 2".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_durations_ranges_and_thresholds() {
        assert_eq!(parse_duration("90s"), Ok(90.0));
        assert_eq!(parse_duration("1.5h"), Ok(5400.0));
        assert_eq!(parse_percent("3%"), Ok(0.03));
        assert_eq!(parse_rounds("10..100"), Ok([10, 100]));
        let ms = parse_threshold("1..2ms").unwrap();
        assert_eq!((ms.range, ms.unit), ([1.0, 2.0], ThresholdUnit::Ms));
        let part = parse_threshold("10..20%").unwrap();
        assert_eq!((part.range, part.unit), ([0.1, 0.2], ThresholdUnit::Part));
        for bad in ["", "5", "2m..3m", "2..1ms", "1..2", "..ms", "-1..2%"] {
            assert!(parse_threshold(bad).is_err(), "{bad}");
        }
        for bad in ["", "5", "0s", "-1m", "1d", "nanh"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        for bad in ["1..5", "5..2", "5", "a..b", ""] {
            assert!(parse_rounds(bad).is_err(), "{bad}");
        }
    }
}
