//! Contests that differ by one quantity, as line plots against it.

use super::axis::bounds;
use super::contests::contest_table;
use super::line_plot::{LinePlot, Mark, Series};
use super::looks::Looks;
use super::parts::{article, details, figure, notes, prose};
use super::summary::{Mean, Summary, contest_of, summaries};
use super::tables::entrant_name;
use super::text::number;
use crate::record::Section;

/// Quantity of a series.
struct Quantity {
    title: &'static str,
    label: &'static str,
    unit: &'static str,
    value: fn(&Summary) -> Option<Mean>,
}

const FRAME: Quantity = Quantity {
    title: "Frame time",
    label: "ms per frame",
    unit: "ms",
    value: |summary| Some(summary.frame_ms),
};
const CPU: Quantity = Quantity {
    title: "CPU time",
    label: "CPU ms per frame",
    unit: "ms on the CPU",
    value: |summary| Some(summary.cpu_ms),
};
const GPU: Quantity = Quantity {
    title: "GPU time",
    label: "GPU ms per frame",
    unit: "ms on the GPU",
    value: |summary| summary.gpu_ms,
};
/// Contests with a budget have the same frame time, and differ in instances.
const RATING: Quantity = Quantity {
    title: "Throughput",
    label: "instances per second",
    unit: "instances per second",
    value: |summary| {
        let rating = summary.rating();
        let relative = |half: f64| half / summary.frame_ms.value * rating;
        Some(Mean {
            value: rating,
            half_width: summary.frame_ms.half_width.map(relative),
        })
    },
};

/// Contests that differ by one quantity: line plots against it, and a table per contest.
pub fn series(sections: &[(usize, &Section)], looks: &Looks) -> String {
    let &[(_, first), ..] = sections else {
        return String::new();
    };
    let mut rows: Vec<(f64, &Section, Vec<Summary>)> = Vec::new();
    for (_, section) in sections {
        if let (Some(x), Some(contest)) = (&section.x, contest_of(section)) {
            rows.push((x.value, section, summaries(section, contest)));
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let label = first.x.as_ref().map_or("", |x| x.label.as_str());
    let has_budget =
        |section: &&Section| contest_of(section).is_some_and(|c| c.budget_ms.is_some());
    let mut quantities = match rows.iter().all(|(_, section, _)| has_budget(section)) {
        true => vec![RATING],
        false => vec![FRAME],
    };
    let all: Vec<&Summary> = rows
        .iter()
        .flat_map(|(_, _, summaries)| summaries)
        .collect();
    quantities.extend(
        [CPU, GPU]
            .into_iter()
            .filter(|quantity| is_informative(quantity, &all)),
    );
    let plot = |quantity: &Quantity| series_plot(label, &first.group, quantity, &rows, looks);
    let plots: Vec<LinePlot> = quantities.iter().map(plot).collect();
    let legend = plots.first().map(LinePlot::legend).unwrap_or_default();
    let svgs: Vec<String> = plots.iter().map(LinePlot::svg).collect();
    let mut html = figure(&svgs, &(prose(first) + &legend));
    for (index, section) in sections {
        if let Some(contest) = contest_of(section) {
            let text = match section.about == first.about {
                true if section.id == first.id => String::new(),
                true => notes(section),
                false => prose(section),
            };
            let content = text + &contest_table(section, contest);
            html += &details(&format!("s{index}"), &section.title, &content);
        }
    }
    let heading = format!("{} against {label}", quantities[0].title);
    let all: Vec<&Section> = sections.iter().map(|(_, section)| *section).collect();
    article("", Some(&heading), &all, &html)
}

/// Whether a part of the frame time says something that the frame time does not: it is more than a tenth of one, and
/// differs from one by more than a tenth.
fn is_informative(quantity: &Quantity, summaries: &[&Summary]) -> bool {
    let parts = summaries.iter().filter_map(|summary| {
        let part = (quantity.value)(summary)?;
        Some(part.value / summary.frame_ms.value)
    });
    let [least, most] = bounds(parts.chain([f64::NAN]));
    most > 0.1
        && least < 0.9
        && summaries
            .iter()
            .any(|summary| (quantity.value)(summary).is_some())
}

fn series_plot<'a>(
    label: &'a str,
    subject: &'a str,
    quantity: &Quantity,
    rows: &[(f64, &Section, Vec<Summary>)],
    looks: &Looks,
) -> LinePlot<'a> {
    let mut names: Vec<&str> = Vec::new();
    for (_, section, summaries) in rows {
        for summary in summaries {
            let name = entrant_name(section, summary.entrant);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let looks = looks.assign(&names);
    let mark = |name: &str, (x, section, summaries): &(f64, &Section, Vec<Summary>)| {
        let summary = summaries
            .iter()
            .find(|summary| entrant_name(section, summary.entrant) == name)?;
        let mean = (quantity.value)(summary)?;
        let half = mean
            .half_width
            .map(|half| format!(" ± {}", number(half, 2)));
        Some(Mark {
            x: *x,
            y: mean.value,
            interval: mean.interval(),
            tip: format!(
                "{name}: {} {label}, {}{} {}",
                number(*x, 3),
                number(mean.value, 3),
                half.unwrap_or_default(),
                quantity.unit
            ),
        })
    };
    let line = |(index, name): (usize, &&str)| Series {
        name: (*name).to_owned(),
        look: looks[index],
        points: rows.iter().filter_map(|row| mark(name, row)).collect(),
    };
    LinePlot {
        x_label: label,
        y_label: quantity.label,
        subject,
        series: names.iter().enumerate().map(line).collect(),
        guides: Vec::new(),
    }
}
