//! Printed table of sizes.

use throng_bake::DEFAULT_ERROR_OF_SIZE;
use throng_bake::accuracy::BakeReport;
use throng_bake::text::{Align, Table, digits, percent};
use throng_format::Storage;

use crate::sizes::{ENCODINGS, Need, PRESETS, Sizes};
use crate::verdict;

/// Bytes per joint per 1/30 s.
const MEDIAN_BAR: f64 = 4.0;
const P90_BAR: f64 = 8.0;
/// Bytes per joint per 1/30 s of the best CPU-side compressor.
const GOAL: f64 = 2.2;

/// Longest printed name; both tables fit 120 columns.
const NAME_WIDTH: usize = 22;

/// Prints the table; returns false if a bar is missed.
pub fn print(all: &[Sizes]) -> bool {
    let limit = percent(DEFAULT_ERROR_OF_SIZE);
    println!("GPU kB within {limit} % of size, with precision and Hz of frames");
    println!("{}", needs(all));
    println!(
        "auto: GPU kB, max error in % of size, bytes per joint per 1/30 s with inverse bind matrices (B/J/F);"
    );
    println!(
        "kB of three-vat's rig layout at the same rate; kB of the presets and their max errors"
    );
    println!("{}", beside_others(all));
    summary(all)
}

fn needs(all: &[Sizes]) -> Table {
    let mut columns = vec![
        ("CHARACTER", Align::Left),
        ("JOINTS", Align::Right),
        ("SECS", Align::Right),
    ];
    columns.extend(ENCODINGS.map(|encoding| (encoding.name(), Align::Right)));
    let mut table = Table::new(&columns);
    for sizes in all {
        let mut cells = vec![
            short(&sizes.name),
            sizes.joints.to_string(),
            format!("{:.1}", sizes.secs),
        ];
        cells.extend(sizes.needs.iter().map(needed));
        table.row(cells);
    }
    table
}

fn needed(need: &Need) -> String {
    match need {
        Need::Bytes(report) if report.storage == Storage::Compressed => kilobytes(report),
        Need::Bytes(report) => format!(
            "{} {} {:.0}",
            kilobytes(report),
            report.storage.name().replace("unorm", "u"),
            report.rate_hz
        ),
        Need::Cannot => "cannot".into(),
        Need::Refused => "refused".into(),
        Need::NotTried => "not tried".into(),
    }
}

fn beside_others(all: &[Sizes]) -> Table {
    let mut columns = vec![
        ("CHARACTER", Align::Left),
        ("auto", Align::Left),
        ("kB", Align::Right),
        ("OFF %", Align::Right),
        ("B/J/F", Align::Right),
        ("three-vat", Align::Right),
    ];
    columns.extend(PRESETS.map(|preset| (preset.name(), Align::Right)));
    let mut table = Table::new(&columns);
    for sizes in all {
        let mut cells = vec![short(&sizes.name)];
        match &sizes.auto {
            Some(auto) => cells.extend([
                auto.encoding.name().into(),
                kilobytes(auto),
                off(auto),
                format!("{:.2}", auto.bytes_per_joint_frame),
                digits(sizes.three_vat_bytes(auto) as f64 / 1e3),
            ]),
            None => cells.extend(["MISSED", "", "", "", ""].map(String::from)),
        }
        cells.extend(sizes.papers.iter().map(|paper| match paper {
            Some(report) => format!("{}, {} %", kilobytes(report), off(report)),
            None => "refused".into(),
        }));
        table.row(cells);
    }
    table
}

/// Name of a file, cut to fit a column.
fn short(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    if file.chars().count() <= NAME_WIDTH {
        return file.to_owned();
    }
    let start: String = file.chars().take(NAME_WIDTH - 1).collect();
    format!("{start}…")
}

fn kilobytes(report: &BakeReport) -> String {
    digits(report.gpu_bytes as f64 / 1e3)
}

fn off(report: &BakeReport) -> String {
    let percent = 100.0 * report.error.errors.overall.max_error_of_size;
    format!("{percent:.3}")
}

/// Prints bytes per joint per 1/30 s over all characters.
fn summary(all: &[Sizes]) -> bool {
    let mut sorted: Vec<(f64, &str)> = all
        .iter()
        .filter_map(|sizes| {
            let auto = sizes.auto.as_ref()?;
            Some((auto.bytes_per_joint_frame, sizes.name.as_str()))
        })
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "verified within {} % of size: {} of {} characters",
        percent(DEFAULT_ERROR_OF_SIZE),
        sorted.len(),
        all.len()
    );
    let Some((worst, name)) = sorted.last() else {
        return false;
    };
    let (median, p90) = (quantile(&sorted, 0.5), quantile(&sorted, 0.9));
    let (median_met, p90_met) = (median <= MEDIAN_BAR, p90 <= P90_BAR);
    println!("bytes per joint per 1/30 s of auto, with inverse bind matrices:");
    println!(
        "  median {median:.2}, bar {MEDIAN_BAR}: {}, goal {GOAL}: {}",
        verdict(median_met),
        verdict(median <= GOAL)
    );
    println!(
        "  90th percentile {p90:.2}, bar {P90_BAR}: {}",
        verdict(p90_met)
    );
    println!("  worst {worst:.2}, {name}");
    median_met && p90_met && sorted.len() == all.len()
}

/// Quantile of a sorted list.
fn quantile(sorted: &[(f64, &str)], part: f64) -> f64 {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted[rank.saturating_sub(1)].0
}
