//! Contests on the page: forest plots of ratios, and tables.

use super::forest_plot::{Block, Forest, Row, class, interval};
use super::parts::{article, figure, notes, prose};
use super::summary::{Mean, Summary, contest_of, summary};
use super::tables::{Html, Line, entrant_name, name, remark};
use super::text::{self, bytes, escape, fixed, number};
use crate::record::{Contest, Entrant, Ratio, Section};

/// Writes contests that follow each other: plots side by side, then tables.
pub fn contests(sections: &[(usize, &Section)], has_headings: bool, margin: f64) -> String {
    if let [(index, only)] = sections {
        let heading = has_headings.then_some(only.title.as_str());
        let plots: Vec<String> = plot(only, margin).into_iter().collect();
        let body = figure(&plots, &prose(only)) + &table(only);
        return article(&format!("s{index}"), heading, &[only], &body);
    }
    let first = sections
        .first()
        .map_or("", |(_, section)| section.about.as_str());
    let is_shared = sections.iter().all(|(_, section)| section.about == first);
    let mut html = match is_shared {
        true => format!("<p>{}</p>\n", escape(first)),
        false => String::new(),
    };
    html += "<div class=\"row\">\n";
    for (index, section) in sections {
        let text = if is_shared {
            notes(section)
        } else {
            prose(section)
        };
        let body = text + &plot(section, margin).unwrap_or_default();
        html += &article(
            &format!("s{index}"),
            Some(&section.title),
            &[section],
            &body,
        );
    }
    html += "</div>\n";
    for (_, section) in sections {
        html += &format!("<h5>{}</h5>\n{}", escape(&section.title), table(section));
    }
    html
}

fn plot(section: &Section, margin: f64) -> Option<String> {
    let forest = forest(section, contest_of(section)?, margin);
    (!forest.blocks.is_empty()).then(|| forest.svg())
}

fn table(section: &Section) -> String {
    contest_of(section)
        .map(|contest| contest_table(section, contest))
        .unwrap_or_default()
}

/// Ratios by what they are compared with, fastest first.
fn forest(section: &Section, contest: &Contest, margin: f64) -> Forest {
    let mut blocks: Vec<(usize, Block)> = Vec::new();
    for ratio in contest.ratios.iter().filter(|ratio| ratio.ratio > 0.0) {
        let row = Row {
            name: entrant_name(section, ratio.entrant).to_owned(),
            ratio: ratio.ratio,
            interval: [ratio.low, ratio.high],
            verdict: ratio.verdict,
            is_same: ratio.is_same,
        };
        match blocks
            .iter_mut()
            .find(|(against, _)| *against == ratio.against)
        {
            Some((_, block)) => block.rows.push(row),
            None => {
                let against = entrant_name(section, ratio.against).to_owned();
                blocks.push((
                    ratio.against,
                    Block {
                        against,
                        rows: vec![row],
                    },
                ));
            }
        }
    }
    for (_, block) in &mut blocks {
        block.rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    }
    Forest {
        blocks: blocks.into_iter().map(|(_, block)| block).collect(),
        margin,
    }
}

/// All contestants of a contest, with those that were refused.
pub fn contest_table(section: &Section, contest: &Contest) -> String {
    let baseline = common_baseline(contest);
    let ratio_heading = match baseline {
        Some(baseline) => format!("relative to {}", entrant_name(section, baseline)),
        None => String::new(),
    };
    let columns = [
        ("contestant", false),
        ("instances", true),
        ("ms per frame", true),
        ("frames/s", true),
        ("CPU ms", true),
        ("GPU ms", true),
        ("rating", true),
        (&ratio_heading, true),
        ("verdict", false),
        ("max error mm", true),
        ("GPU memory", true),
    ];
    let columns = columns.map(|(name, is_number)| (name.to_owned(), is_number));
    let row = |(index, entrant): (usize, &Entrant)| {
        if let Some(remark) = remark(entrant) {
            return remark;
        }
        let ratios = || {
            contest
                .ratios
                .iter()
                .filter(move |ratio| ratio.entrant == index)
        };
        let ratio = |ratio: &Ratio| {
            let against = match baseline == Some(ratio.against) {
                true => String::new(),
                false => {
                    let against = escape(entrant_name(section, ratio.against));
                    format!(" <small>to {against}</small>")
                }
            };
            let values = interval([ratio.low, ratio.high]);
            format!(
                "{}{against} <small>{values}</small>",
                text::ratio(ratio.ratio)
            )
        };
        let summary = summary(contest, index);
        let of = |value: fn(&Summary) -> String| summary.as_ref().map(value).unwrap_or_default();
        Line::Cells(vec![
            name(entrant),
            of(|s| fixed(f64::from(s.instances), 0)),
            of(|s| mean(&s.frame_ms)),
            of(|s| number(s.fps(), 3)),
            of(|s| number(s.cpu_ms.value, 3)),
            of(|s| s.gpu_ms.map(|ms| number(ms.value, 3)).unwrap_or_default()),
            of(|s| number(s.rating(), 3)),
            ratios().map(ratio).collect::<Vec<_>>().join("<br>"),
            ratios().map(verdict).collect::<Vec<_>>().join("<br>"),
            entrant
                .max_error_mm
                .map(|mm| number(mm, 3))
                .unwrap_or_default(),
            entrant.gpu_bytes.map(bytes).unwrap_or_default(),
        ])
    };
    Html {
        columns: columns.to_vec(),
        rows: section.entrants.iter().enumerate().map(row).collect(),
    }
    .write()
}

/// Contestant that most others are compared with.
fn common_baseline(contest: &Contest) -> Option<usize> {
    let count = |against: usize| {
        let same = contest
            .ratios
            .iter()
            .filter(|ratio| ratio.against == against);
        same.count()
    };
    let baselines = contest.ratios.iter().map(|ratio| ratio.against);
    // Of equals, the first.
    baselines.rev().max_by_key(|against| count(*against))
}

fn verdict(ratio: &Ratio) -> String {
    let same = match ratio.is_same {
        true => " <small>(A/A)</small>",
        false => "",
    };
    format!(
        "<span class=\"{}\">{}</span>{same}",
        class(ratio.verdict),
        ratio.verdict
    )
}

/// A mean with its interval.
fn mean(mean: &Mean) -> String {
    let half = mean
        .half_width
        .map(|half| format!(" <small>±{}</small>", number(half, 2)));
    number(mean.value, 3) + &half.unwrap_or_default()
}
