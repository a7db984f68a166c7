//! Warnings about the measurement, and everything that could not be decided.

use std::collections::BTreeMap;

use super::forest_plot::interval;
use super::parts::details;
use super::summary::contest_of;
use super::tables::{Html, Line, entrant_name};
use super::text::{self, count, escape, number, plain};
use crate::record::{Ratio, Report, Section, Status};
use crate::stats::Verdict;

/// Links that are shown per reason.
const MOST_LINKS: usize = 6;

/// Ratios of all contests, with the index of their section.
fn ratios(report: &Report) -> impl Iterator<Item = (usize, &Section, &Ratio)> {
    let sections = report.sections.iter().enumerate();
    sections.flat_map(|(index, section)| {
        let contest = contest_of(section).into_iter();
        let ratios = contest.flat_map(|contest| &contest.ratios);
        ratios.map(move |ratio| (index, section, ratio))
    })
}

fn is_different(ratio: &Ratio) -> bool {
    matches!(ratio.verdict, Verdict::Faster | Verdict::Slower)
}

/// Pairs of equal contestants that came out different.
fn differing_pairs(report: &Report) -> Vec<(usize, &Section, &Ratio)> {
    let pairs = ratios(report).filter(|(_, _, ratio)| ratio.is_same && is_different(ratio));
    pairs.collect()
}

/// Warning for the top of the page: pairs of equal contestants that came out different.
pub fn alarm(report: &Report) -> String {
    let mut html = String::new();
    let pairs = differing_pairs(report);
    if !pairs.is_empty() {
        let all = ratios(report).filter(|(_, _, ratio)| ratio.is_same).count();
        let largest = pairs.iter().map(|(_, _, ratio)| ratio.ratio.ln().abs());
        let largest = largest.fold(0.0, f64::max).exp_m1();
        let links = pairs.iter().map(|(index, section, ratio)| {
            let values = format!(
                "{} {}",
                text::ratio(ratio.ratio),
                interval([ratio.low, ratio.high])
            );
            format!("<li>{}: {values}</li>", link(*index, &section.id))
        });
        let links: String = links.collect();
        html += &format!(
            "<div class=\"alarm\" role=\"alert\"><p><b>Equal contestants came out different.</b> {} of {} of the same \
             contestant, which must not differ, differ by up to {} %. Do not trust differences of that size in these \
             sections: something else ran on the machine, or the order of turns matters.</p><ul>{links}</ul></div>\n",
            pairs.len(),
            count(all, "pair"),
            number(100.0 * largest, 2),
        );
    }
    html
}

/// Properties of the machine that limit what the numbers say.
pub fn caveats(report: &Report) -> String {
    let mut html = String::new();
    if report.machine.build != "release" {
        html += &format!(
            "<p class=\"warn\">Measured with a <code>{}</code> build, which has the checks of a debug build: CPU times \
             are longer than those of a release build.</p>\n",
            escape(&report.machine.build)
        );
    }
    if report.machine.device_type.eq_ignore_ascii_case("cpu") {
        html += "<p class=\"warn\">Measured with a software driver, which draws on the CPU. Ratios on a GPU are \
                 different.</p>\n";
    }
    html
}

/// Undecided ratios, contestants that were not measured, and sections that were not finished.
pub fn undecided(report: &Report) -> String {
    let mut html = String::from("<h2 id=\"undecided\">What could not be decided</h2>\n");
    let open: Vec<_> = ratios(report)
        .filter(|(_, _, ratio)| ratio.verdict == Verdict::Undecided)
        .collect();
    let refused = statuses(report, |status| match status {
        Status::Refused { reason } => Some(reason),
        _ => None,
    });
    let wrong = statuses(report, |status| match status {
        Status::WrongPicture { reason } => Some(reason),
        _ => None,
    });
    let unfinished: Vec<(usize, &Section)> = report
        .sections
        .iter()
        .enumerate()
        .filter(|(_, s)| !s.is_complete)
        .collect();
    if open.is_empty() && refused.is_empty() && wrong.is_empty() && unfinished.is_empty() {
        return html
            + "<p>Nothing: every ratio was decided, and every contestant was measured.</p>\n";
    }
    if !open.is_empty() {
        let rows = open.iter().map(|(index, section, ratio)| {
            let values = interval([ratio.low, ratio.high]);
            Line::Cells(vec![
                escape(entrant_name(section, ratio.entrant)),
                escape(entrant_name(section, ratio.against)),
                format!("{} <small>{values}</small>", text::ratio(ratio.ratio)),
                link(*index, &section.id),
            ])
        });
        let columns = [
            ("contestant", false),
            ("relative to", false),
            ("throughput", true),
            ("experiment", false),
        ];
        let table = Html {
            columns: columns
                .map(|(name, is_number)| (name.to_owned(), is_number))
                .to_vec(),
            rows: rows.collect(),
        };
        let table = table.write();
        html += &format!(
            "<h3>{} undecided</h3>\n<p>The interval reaches across an end of the margin of ±{} %: more rounds would \
             decide.</p>\n",
            count(open.len(), "ratio"),
            plain(100.0 * report.settings.margin)
        );
        html += &match open.len() {
            0..=12 => table,
            _ => details("", "All undecided ratios", &table),
        };
    }
    for (heading, about, entries) in [
        (
            "Wrong pictures",
            "They drew another picture than the reference, so their times do not count.",
            wrong,
        ),
        (
            "Refused",
            "The character does not allow the technique.",
            refused,
        ),
    ] {
        if !entries.is_empty() {
            html += &format!(
                "<h3>{heading}</h3>\n<p>{about}</p>\n<ul>{}</ul>\n",
                entries.concat()
            );
        }
    }
    if !unfinished.is_empty() {
        let links = unfinished
            .iter()
            .map(|(index, section)| format!("<li>{}</li>", link(*index, &section.id)));
        html += &format!(
            "<h3>Not finished</h3>\n<ul>{}</ul>\n",
            links.collect::<String>()
        );
    }
    html
}

/// List entries of contestants with a status: one per name and reason, with links to its groups.
fn statuses<'a>(
    report: &'a Report,
    reason: impl Fn(&'a Status) -> Option<&'a String>,
) -> Vec<String> {
    let mut found: BTreeMap<(&str, &str), Vec<(usize, &Section)>> = BTreeMap::new();
    for (index, section) in report.sections.iter().enumerate() {
        for entrant in &section.entrants {
            if let Some(reason) = reason(&entrant.status) {
                found
                    .entry((&entrant.name, reason))
                    .or_default()
                    .push((index, section));
            }
        }
    }
    let entry = |((name, reason), mut sections): ((&str, &str), Vec<(usize, &Section)>)| {
        sections.dedup_by_key(|(_, section)| &section.group);
        let links: Vec<String> = sections
            .iter()
            .take(MOST_LINKS)
            .map(|(index, section)| link(*index, &section.group))
            .collect();
        let more = match sections.len().saturating_sub(MOST_LINKS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "<li><b>{}</b>: {} <small>in {}{more}</small></li>\n",
            escape(name),
            escape(reason),
            links.join(", ")
        )
    };
    found.into_iter().map(entry).collect()
}

fn link(index: usize, text: &str) -> String {
    format!("<a href=\"#s{index}\">{}</a>", escape(text))
}
