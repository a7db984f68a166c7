//! Table of sampling, and the required speed.

use super::crowd::{INSTANCES, Order};
use super::factor_cell;
use super::sampling::Contestant;
use crate::record::{Answer, Cell, Ratio, Report, Row, Section, Table};
use crate::suites::summary::{Contested, table_section};

/// Required speed relative to the fastest plain sampler.
const REQUIRED: f64 = 3.0;

/// Id of the section of an order.
pub fn section_id(order: Order) -> String {
    format!("cpu/sampling/{}", order.name())
}

/// Table of both orders; `None` unless both were measured.
pub fn table(report: &Report, joints: usize) -> Option<Section> {
    let contests = contests(report)?;
    let rows = Contestant::all().into_iter().map(|contestant| {
        let ns = contests.iter().map(|one| ns_cell(one, contestant, joints));
        let ratios = contests
            .iter()
            .map(|one| factor_cell(ratio(one, contestant, fastest_plain(one))));
        Row {
            name: contestant.name(),
            cells: ns.chain(ratios).collect(),
        }
    });
    let mut section = table_section(
        "cpu/tables/sampling",
        "Sampling a crowd on the CPU",
        &format!(
            "Nanoseconds per joint from a clip and a time to a pose in model space, {INSTANCES} instances of {joints} joints. \
             Forward: every instance advances by a frame; random: any time. Ratios are those of throughput to the fastest \
             plain sampler; for all cores and for palettes, to ours on one core."
        ),
        Table {
            columns: [
                "sampler",
                "forward, ns per joint",
                "random, ns per joint",
                "forward, ratio",
                "random, ratio",
            ]
            .map(String::from)
            .into(),
            rows: rows.collect(),
        },
    );
    for (order, contested) in Order::ALL.into_iter().zip(&contests) {
        if let Some(ratio) = ratio(contested, Contestant::ours(), fastest_plain(contested)) {
            let verdict = if ratio.ratio >= REQUIRED {
                "met"
            } else {
                "MISSED"
            };
            section.notes.push(format!(
                "{}: {:.2}× the plain sampler, required {REQUIRED}×: {verdict}",
                order.name(),
                ratio.ratio
            ));
        }
    }
    Some(section)
}

/// Compares our sampler with the plain one; `None` unless both orders were measured.
pub fn answer(report: &Report) -> Option<Answer> {
    let [forward, random] = contests(report)?;
    let of = |one: &Contested<'_>| {
        let ratio = ratio(one, Contestant::ours(), fastest_plain(one))?;
        Some(format!("{:.1}×", ratio.ratio))
    };
    Some(Answer {
        heading: "CPU: sampling against a plain sampler".into(),
        text: format!(
            "On one core, throughput relative to the fastest plain sampler: {} forward, {} at random times.",
            of(&forward)?,
            of(&random)?
        ),
    })
}

fn contests(report: &Report) -> Option<[Contested<'_>; 2]> {
    let of = |order| Contested::of(report.section(&section_id(order))?);
    Some([of(Order::Forward)?, of(Order::Random)?])
}

/// The plain sampler with the highest throughput.
fn fastest_plain(contested: &Contested<'_>) -> Contestant {
    let rating = |plain: &Contestant| {
        let index = contested.index(&plain.name());
        index.map_or(0.0, |index| contested.rating(index))
    };
    let plain = Contestant::plain().into_iter();
    let fastest = plain.max_by(|a, b| rating(a).total_cmp(&rating(b)));
    fastest.unwrap_or(Contestant::Plain(None))
}

/// Comparison with the fastest plain sampler, or else with ours on one core.
fn ratio<'a>(
    contested: &Contested<'a>,
    contestant: Contestant,
    plain: Contestant,
) -> Option<&'a Ratio> {
    let against = match contestant {
        Contestant::Plain(_) | Contestant::Ours(_) => plain,
        Contestant::AllCores | Contestant::WithPalette => Contestant::ours(),
    };
    contested.ratio_of(&contestant.name(), &against.name())
}

fn ns_cell(contested: &Contested<'_>, contestant: Contestant, joints: usize) -> Cell {
    let index = contested.index(&contestant.name());
    match index.map_or(0.0, |index| contested.rating(index)) {
        0.0 => Cell::text("–"),
        rating => {
            let ns = 1e9 / (rating * joints as f64);
            Cell::number(ns, format!("{ns:.2}"))
        }
    }
}
