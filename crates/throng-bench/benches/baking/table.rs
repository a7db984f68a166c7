//! What is printed of sizes.

use throng_bake::DEFAULT_ERROR_OF_SIZE;
use throng_bake::accuracy::BakeReport;

use crate::sizes::{ENCODINGS, Need, PRESETS, Sizes};
use crate::verdict;

/// Bytes a joint a frame.
const MEDIAN_BAR: f64 = 4.0;
const P90_BAR: f64 = 8.0;
/// Where the best CPU-side compressor stands.
const GOAL: f64 = 2.2;

/// Prints all; false where a bar is missed.
pub fn print(all: &[Sizes]) -> bool {
    let width = all.iter().map(|sizes| sizes.name.len()).max().unwrap_or(0);
    println!(
        "GPU kB within {} % of size for each encoding (precision, Hz)",
        100.0 * DEFAULT_ERROR_OF_SIZE
    );
    print!("  {:<width$}{:>7}{:>7}", "", "joints", "s");
    for encoding in ENCODINGS {
        print!("{:>22}", encoding.name());
    }
    println!();
    for sizes in all {
        print!(
            "  {:<width$}{:>7}{:>7.1}",
            sizes.name, sizes.joints, sizes.secs
        );
        for need in &sizes.needs {
            print!("{:>22}", needed(need));
        }
        println!();
    }
    println!();
    println!(
        "What auto takes, beside three-vat's rig layout and the papers' own (kB, % of size off)"
    );
    print!(
        "  {:<width$}{:>15}{:>10}{:>14}",
        "", "auto", "B/joint·fr", "three-vat ×"
    );
    for preset in PRESETS {
        print!("{:>24}", preset.name());
    }
    println!();
    for sizes in all {
        print_row(sizes, width);
    }
    println!();
    summary(all)
}

fn print_row(sizes: &Sizes, width: usize) {
    print!("  {:<width$}", sizes.name);
    match &sizes.auto {
        Some(auto) => print!(
            "{:>15}{:>12.2}{:>14.1}",
            auto.encoding.name(),
            auto.bytes_per_joint_frame,
            sizes.three_vat_bytes(auto) as f64 / auto.gpu_bytes as f64
        ),
        None => print!("{:>15}{:>12}{:>14}", "none", "", ""),
    }
    for paper in &sizes.papers {
        let cell = match paper {
            Some(report) => format!(
                "{} ({:.3} %)",
                kilobytes(report),
                100.0 * report.error.errors.overall.max_error_of_size
            ),
            None => "refused".into(),
        };
        print!("{cell:>24}");
    }
    println!();
}

fn needed(need: &Need) -> String {
    match need {
        Need::Bytes(report) => format!(
            "{} ({}, {:.0})",
            kilobytes(report),
            report.precision.name(),
            report.rate_hz
        ),
        Need::Cannot => "cannot".into(),
        Need::Refused => "refused".into(),
        Need::NotTried => "not tried".into(),
    }
}

fn kilobytes(report: &BakeReport) -> String {
    let kilobytes = report.gpu_bytes as f64 / 1e3;
    let decimals = usize::from(kilobytes < 100.0);
    format!("{kilobytes:.decimals$}")
}

/// Bytes a joint a frame over all characters.
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
        100.0 * DEFAULT_ERROR_OF_SIZE,
        sorted.len(),
        all.len()
    );
    let Some((worst, name)) = sorted.last() else {
        return false;
    };
    let (median, p90) = (quantile(&sorted, 0.5), quantile(&sorted, 0.9));
    let (median_met, p90_met) = (median <= MEDIAN_BAR, p90 <= P90_BAR);
    println!("bytes a joint a frame of auto:");
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

/// The least of a sorted list that so large a part of it does not pass.
fn quantile(sorted: &[(f64, &str)], part: f64) -> f64 {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted[rank.saturating_sub(1)].0
}
