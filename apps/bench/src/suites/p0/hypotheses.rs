//! Hypotheses H1 to H3 of P0, decided from the data.

use super::experiments::{H1, H2, H3};
use crate::record::{Answer, Report};
use crate::stats::Verdict;
use crate::suites::summary::Contested;

/// Answers to the three hypotheses. "Always" is refuted by one pair that is slower by more than the margin; it is confirmed
/// if every pair is faster.
pub fn answers(report: &Report) -> Vec<Answer> {
    [
        (
            "H1: dual quaternion skinning always outperforms matrix skinning",
            H1.as_slice(),
            "The paper confirmed it for its hardware, where dual quaternions read a third less data.",
        ),
        (
            "H2: bone textures always outperform palettes of the CPU",
            H2.as_slice(),
            "The paper rejected it: on its largest character palettes drew more.",
        ),
        (
            "H3: vertex textures always outperform bone textures",
            H3.as_slice(),
            "The paper confirmed it for meshes of few vertices only.",
        ),
    ]
    .map(|(heading, pairs, paper)| Answer {
        heading: heading.into(),
        text: format!("{} {paper}", decide(report, pairs)),
    })
    .into()
}

/// Counts the verdicts of a hypothesis over all characters, variants and frame budgets.
fn decide(report: &Report, pairs: &[(&str, &str)]) -> String {
    let (mut faster, mut slower, mut same, mut open) = (0, 0, 0, 0);
    let mut worst: Option<(f64, String)> = None;
    let mut best: Option<(f64, String)> = None;
    for section in &report.sections {
        let Some(contested) = Contested::of(section).filter(|one| one.contest.fps.is_some()) else {
            continue;
        };
        if !section.id.starts_with("p0/") {
            continue;
        }
        for (entrant, against) in pairs {
            let Some(ratio) = contested.ratio_of(entrant, against) else {
                continue;
            };
            match ratio.verdict {
                Verdict::Faster => faster += 1,
                Verdict::Slower => slower += 1,
                Verdict::NoDifference => same += 1,
                Verdict::Undecided => open += 1,
            }
            let what = format!(
                "{entrant} draws {:.2}× the instances of {against} ({:.2} to {:.2}) on {}",
                ratio.ratio,
                ratio.low,
                ratio.high,
                section.id.trim_start_matches("p0/")
            );
            if ratio.verdict == Verdict::Slower && worst.as_ref().is_none_or(|w| ratio.ratio < w.0)
            {
                worst = Some((ratio.ratio, what.clone()));
            }
            if ratio.verdict == Verdict::Faster && best.as_ref().is_none_or(|b| ratio.ratio > b.0) {
                best = Some((ratio.ratio, what));
            }
        }
    }
    let counts = format!(
        "{faster} comparisons faster, {slower} slower, {same} without a difference, {open} undecided."
    );
    let verdict = match (faster, slower, same, open) {
        (0, 0, 0, _) => "Not decided",
        (_, 0, 0, 0) => "Confirmed here",
        (_, 0, _, _) if faster > 0 => "Not always: nowhere slower, but not everywhere faster",
        _ => "Refuted here",
    };
    let example = match (worst, best) {
        (Some((_, worst)), Some((_, best))) => format!(" At worst {worst}; at best {best}."),
        (Some((_, one)), None) | (None, Some((_, one))) => format!(" For example, {one}."),
        (None, None) => String::new(),
    };
    format!("{verdict}: {counts}{example}")
}
