//! Tables of the page.

use super::forest_plot::{class, interval};
use super::summary::{Mean, Summary, break_point, kept, summary};
use super::text::{bytes, decimals, escape, fixed, number};
use crate::record::{Cell, Contest, Curve, Entrant, Ratio, Section, Status, Table};

/// A table of HTML cells.
struct Html {
    /// Heading of a column, and whether its cells are numbers.
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
}

impl Html {
    /// Writes the table without columns that are empty in all rows.
    fn write(&self) -> String {
        let is_used = |column: &usize| self.rows.iter().any(|row| !row[*column].is_empty());
        let used: Vec<usize> = (0..self.columns.len()).filter(is_used).collect();
        let head = |column: &usize| {
            let (name, is_number) = &self.columns[*column];
            let class = if *is_number { " class=\"n\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", escape(name))
        };
        let cell = |row: &Vec<String>, column: usize| match (column, self.columns[column].1) {
            (0, _) => format!("<th scope=\"row\">{}</th>", row[0]),
            (_, true) => format!("<td class=\"n\">{}</td>", row[column]),
            (_, false) => format!("<td>{}</td>", row[column]),
        };
        let head: String = used.iter().map(head).collect();
        let line = |row: &Vec<String>| -> String {
            let cells: String = used.iter().map(|column| cell(row, *column)).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let body: String = self.rows.iter().map(line).collect();
        scrolling(&format!(
            "<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody>"
        ))
    }
}

/// A table that scrolls on its own where the screen is narrow; by keyboard, too.
fn scrolling(content: &str) -> String {
    format!("<div class=\"scroll\" tabindex=\"0\"><table>\n{content}</table></div>\n")
}

/// A table of the report.
pub fn data_table(table: &Table) -> String {
    let is_number = |column: usize| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(column));
        let cells: Vec<&Cell> = cells.filter(|cell| !cell.text.is_empty()).collect();
        let numbers = cells.iter().filter(|cell| is_numeric(cell)).count();
        2 * numbers > cells.len()
    };
    let head = table.columns.iter().enumerate().map(|(index, name)| {
        let class = match index > 0 && is_number(index - 1) {
            true => " class=\"n\"",
            false => "",
        };
        format!("<th scope=\"col\"{class}>{}</th>", escape(name))
    });
    let cell = |cell: &Cell| {
        let class = if is_numeric(cell) { " class=\"n\"" } else { "" };
        format!(
            "<td{class}>{}{}</td>",
            escape(&cell.text),
            cell_interval(cell)
        )
    };
    let line = |row: &crate::record::Row| {
        let cells: String = row.cells.iter().map(cell).collect();
        format!(
            "<tr><th scope=\"row\">{}</th>{cells}</tr>\n",
            escape(&row.name)
        )
    };
    let head: String = head.collect();
    let body: String = table.rows.iter().map(line).collect();
    scrolling(&format!(
        "<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody>"
    ))
}

fn is_numeric(cell: &Cell) -> bool {
    cell.value.is_some() || leading_number(&cell.text).is_some()
}

/// The number that a text begins with, and its digits after the point.
fn leading_number(text: &str) -> Option<(f64, usize)> {
    let plain: String = text
        .trim_start_matches(['+', '×', '~', '≈', '<', '>', '≤', '≥', ' '])
        .replace('−', "-")
        .chars()
        .filter(|character| !matches!(character, '\u{202f}' | '\u{a0}' | '\u{2009}'))
        .collect();
    let end = plain
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
        .unwrap_or(plain.len());
    let digits = plain[..end].trim_end_matches('.');
    let decimals = digits
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    Some((digits.parse().ok()?, decimals))
}

/// Interval of a cell in the unit of its text: `±0.4` if it is symmetric, else `[1.1, 1.9]`.
fn cell_interval(cell: &Cell) -> String {
    let (Some([low, high]), Some(value)) = (cell.interval, cell.value) else {
        return String::new();
    };
    let (scale, shown_decimals) = match leading_number(&cell.text) {
        Some((shown, decimals)) if value != 0.0 && shown != 0.0 => (shown / value, Some(decimals)),
        _ => (1.0, None),
    };
    // The shown number is rounded: 12 for 0.1204 is a factor of 100.
    let power = 10f64.powf(scale.abs().log10().round());
    let scale = if (scale / power - 1.0).abs() < 0.2 {
        power
    } else {
        scale
    };
    let [low, high] = [low, high].map(|end| end * scale);
    let half = 0.5 * (high - low);
    let skew = (0.5 * (high + low) - value * scale).abs();
    if !half.is_finite() || skew > 0.1 * half {
        let decimals = shown_decimals.unwrap_or(decimals(value, 3));
        let end = |end: f64| {
            if end.is_finite() {
                fixed(end, decimals)
            } else {
                number(end, 3)
            }
        };
        return format!(" <small>[{}, {}]</small>", end(low), end(high));
    }
    format!(" <small>±{}</small>", number(half, 2))
}

fn mean(mean: &Mean) -> String {
    let half = mean
        .half_width
        .map(|half| format!(" <small>±{}</small>", number(half, 2)));
    number(mean.value, 3) + &half.unwrap_or_default()
}

/// Name of a contestant, and its skinning method if the name does not say it.
fn name(entrant: &Entrant) -> String {
    let skinning = entrant.skinning.as_str();
    let is_named = entrant
        .name
        .to_lowercase()
        .contains(&skinning.to_lowercase());
    match is_named {
        true => escape(&entrant.name),
        false => format!(
            "{} <small>{}</small>",
            escape(&entrant.name),
            escape(skinning)
        ),
    }
}

/// All contestants of a contest, with those that were refused.
pub fn contest_table(section: &Section, contest: &Contest) -> String {
    let mut baselines: Vec<usize> = contest.ratios.iter().map(|ratio| ratio.against).collect();
    baselines.sort_unstable();
    baselines.dedup();
    let ratio_heading = match baselines.as_slice() {
        [only] => format!("relative to {}", entrant_name(section, *only)),
        _ => "relative throughput".into(),
    };
    let columns = [
        ("contestant", false),
        ("instances", true),
        ("ms per frame", true),
        ("frames/s", true),
        ("CPU ms", true),
        ("GPU ms", true),
        ("rating (frames/s × instances)", true),
        (&ratio_heading, true),
        ("verdict", false),
        ("max error mm", true),
        ("GPU memory", true),
    ];
    let columns = columns.map(|(name, is_number)| (name.to_owned(), is_number));
    let row = |(index, entrant): (usize, &Entrant)| {
        let ratios = || {
            contest
                .ratios
                .iter()
                .filter(move |ratio| ratio.entrant == index)
        };
        let ratio = |ratio: &Ratio| {
            let against = match baselines.len() {
                1 => String::new(),
                _ => format!(
                    " <small>to {}</small>",
                    escape(entrant_name(section, ratio.against))
                ),
            };
            let values = interval([ratio.low, ratio.high]);
            format!(
                "{}{against} <small>{values}</small>",
                number(ratio.ratio, 3)
            )
        };
        let summary = summary(contest, index);
        let of = |value: fn(&Summary) -> String| summary.as_ref().map(value).unwrap_or_default();
        vec![
            name(entrant),
            of(|s| fixed(f64::from(s.instances), 0)),
            of(|s| mean(&s.frame_ms)),
            of(|s| number(s.fps(), 3)),
            of(|s| number(s.cpu_ms.value, 3)),
            of(|s| s.gpu_ms.map(|ms| number(ms.value, 3)).unwrap_or_default()),
            of(|s| number(s.rating(), 3)),
            ratios().map(ratio).collect::<Vec<_>>().join("<br>"),
            verdict(entrant, ratios()),
            entrant
                .max_error_mm
                .map(|mm| number(mm, 3))
                .unwrap_or_default(),
            entrant.gpu_bytes.map(bytes).unwrap_or_default(),
        ]
    };
    Html {
        columns: columns.to_vec(),
        rows: section.entrants.iter().enumerate().map(row).collect(),
    }
    .write()
}

fn verdict<'a>(entrant: &Entrant, ratios: impl Iterator<Item = &'a Ratio>) -> String {
    match &entrant.status {
        Status::Refused { reason } => {
            format!(
                "<span class=\"refused\">refused</span> <small>{}</small>",
                escape(reason)
            )
        }
        Status::WrongPicture { reason } => {
            format!(
                "<span class=\"refused\">wrong picture</span> <small>{}</small>",
                escape(reason)
            )
        }
        Status::Measured => {
            let verdict = |ratio: &Ratio| {
                let same = if ratio.is_same {
                    " <small>(must not differ)</small>"
                } else {
                    ""
                };
                format!(
                    "<span class=\"{}\">{}</span>{same}",
                    class(ratio.verdict),
                    ratio.verdict
                )
            };
            ratios.map(verdict).collect::<Vec<_>>().join("<br>")
        }
    }
}

/// Name of a contestant; a dash for an index out of range.
pub fn entrant_name(section: &Section, index: usize) -> &str {
    section
        .entrants
        .get(index)
        .map_or("–", |entrant| &entrant.name)
}

/// Ends and break points of all curves, with contestants that have none.
pub fn curve_table(section: &Section, curves: &[Curve], fps: &[f64]) -> String {
    let mut columns = vec![
        ("contestant".to_owned(), false),
        ("points".into(), true),
        ("most instances".into(), true),
    ];
    columns.extend(
        fps.iter()
            .map(|fps| (format!("instances at {} fps", number(*fps, 1)), true)),
    );
    columns.push(("".into(), false));
    let row = |(index, entrant): (usize, &Entrant)| {
        let curve = curves.iter().find(|curve| curve.entrant == index);
        let points = curve.map(kept).unwrap_or_default();
        let mut row = vec![name(entrant), String::new(), String::new()];
        if let Some(last) = points.last() {
            row[1] = points.len().to_string();
            row[2] = fixed(f64::from(last.turn.instances), 0);
        }
        row.extend(fps.iter().map(|fps| {
            let at = curve.and_then(|curve| break_point(curve, *fps));
            at.map(|at| number(at, 3)).unwrap_or_default()
        }));
        let remark = match curve.is_some_and(|curve| !curve.is_complete) {
            true => "interrupted".into(),
            false => verdict(entrant, [].iter()),
        };
        row.push(remark);
        row
    };
    Html {
        columns,
        rows: section.entrants.iter().enumerate().map(row).collect(),
    }
    .write()
}

/// Kept points of all curves.
pub fn point_table(section: &Section, curves: &[Curve]) -> String {
    let columns = [
        "contestant",
        "instances",
        "frames",
        "ms per frame",
        "frames/s",
        "CPU ms",
        "GPU ms",
    ];
    let columns = columns
        .iter()
        .enumerate()
        .map(|(index, name)| ((*name).to_owned(), index > 0));
    let row = |curve: &Curve| {
        let name = escape(entrant_name(section, curve.entrant));
        let rows = kept(curve).into_iter().map(move |point| {
            let turn = &point.turn;
            vec![
                name.clone(),
                fixed(f64::from(turn.instances), 0),
                turn.frames_ms.len().to_string(),
                number(turn.mean_ms(), 3),
                number(1e3 / turn.mean_ms(), 3),
                number(turn.cpu_ms, 3),
                turn.gpu_ms.map(|ms| number(ms, 3)).unwrap_or_default(),
            ]
        });
        rows.collect::<Vec<_>>()
    };
    Html {
        columns: columns.collect(),
        rows: curves.iter().flat_map(row).collect(),
    }
    .write()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_cells_are_in_the_unit_of_the_text() {
        let cell =
            |value, text: &str, low, high| Cell::number(value, text).with_interval(low, high);
        for (cell, text) in [
            (cell(0.1204, "12 %", 0.11, 0.1308), " <small>±1.0</small>"),
            (cell(1.5, "1.50", 1.4, 1.6), " <small>±0.10</small>"),
            (cell(1.5, "1.50", 1.4, 1.9), " <small>[1.40, 1.90]</small>"),
            (
                cell(1.5, "1.5", 0.0, f64::INFINITY),
                " <small>[0.0, ∞]</small>",
            ),
            (
                cell(12_345.0, "12\u{202f}345", 12_000.0, 12_690.0),
                " <small>±345</small>",
            ),
            (Cell::number(1.0, "1"), ""),
        ] {
            assert_eq!(cell_interval(&cell), text, "{cell:?}");
        }
    }

    #[test]
    fn numeric_cells_are_aligned_right() {
        let row = crate::record::Row {
            name: "<row>".into(),
            cells: vec![
                Cell::text("yes"),
                Cell::text("38 %"),
                Cell::number(2.0, "two"),
            ],
        };
        let table = Table {
            columns: ["", "a", "b", "c"].map(String::from).to_vec(),
            rows: vec![row],
        };
        let html = data_table(&table);
        assert!(
            html.contains("<td>yes</td><td class=\"n\">38 %</td><td class=\"n\">two</td>"),
            "{html}"
        );
        assert!(html.contains("<th scope=\"row\">&lt;row&gt;</th>"));
        assert!(html.contains("<th scope=\"col\">a</th><th scope=\"col\" class=\"n\">b</th>"));
    }

    #[test]
    fn columns_without_values_are_left_out() {
        let html = Html {
            columns: vec![("a".into(), false), ("b".into(), true), ("c".into(), true)],
            rows: vec![vec!["x".into(), String::new(), "1".into()]],
        };
        assert!(!html.write().contains(">b<") && html.write().contains(">c<"));
    }
}
