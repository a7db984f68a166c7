//! Tables of the page.

use super::text::{decimals, escape, fixed, number};
use crate::record::{Cell, Entrant, Row, Section, Status, Table};

/// A table of HTML cells.
pub struct Html {
    /// Heading of a column, and whether its cells are numbers.
    pub columns: Vec<(String, bool)>,
    pub rows: Vec<Line>,
}

/// A row of HTML cells.
pub enum Line {
    /// One cell per column, the first of which is a name.
    Cells(Vec<String>),
    /// A name, and a remark that takes all other columns.
    Remark([String; 2]),
}

impl Html {
    /// Writes the table without columns that are empty in all rows.
    pub fn write(&self) -> String {
        let is_used = |column: &usize| {
            self.rows.iter().any(|row| match row {
                Line::Cells(cells) => !cells[*column].is_empty(),
                Line::Remark(_) => *column == 0,
            })
        };
        let used: Vec<usize> = (0..self.columns.len()).filter(is_used).collect();
        let head = |column: &usize| {
            let (name, is_number) = &self.columns[*column];
            let class = if *is_number { " class=\"n\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", escape(name))
        };
        let cell = |cells: &[String], column: usize| match (column, self.columns[column].1) {
            (0, _) => format!("<th scope=\"row\">{}</th>", cells[0]),
            (_, true) => format!("<td class=\"n\">{}</td>", cells[column]),
            (_, false) => format!("<td>{}</td>", cells[column]),
        };
        let head: String = used.iter().map(head).collect();
        let line = |row: &Line| match row {
            Line::Cells(cells) => {
                let cells: String = used.iter().map(|column| cell(cells, *column)).collect();
                format!("<tr>{cells}</tr>\n")
            }
            Line::Remark([name, remark]) => {
                let span = used.len().saturating_sub(1).max(1);
                format!(
                    "<tr><th scope=\"row\">{name}</th><td class=\"remark\" colspan=\"{span}\"><div>{remark}</div></td></tr>\n"
                )
            }
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
    let line = |row: &Row| {
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

/// The row of a contestant that was not measured, with the reason.
pub fn remark(entrant: &Entrant) -> Option<Line> {
    let (word, reason) = match &entrant.status {
        Status::Measured => return None,
        Status::Refused { reason } => ("refused", reason),
        Status::WrongPicture { reason } => ("wrong picture", reason),
    };
    let remark = format!("<span class=\"refused\">{word}</span> {}", escape(reason));
    Some(Line::Remark([name(entrant), remark]))
}

/// Name of a contestant, and its skinning method if the name does not say it.
pub fn name(entrant: &Entrant) -> String {
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

/// Name of a contestant; a dash for an index out of range.
pub fn entrant_name(section: &Section, index: usize) -> &str {
    section
        .entrants
        .get(index)
        .map_or("–", |entrant| &entrant.name)
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
        let row = Row {
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
            rows: vec![Line::Cells(vec!["x".into(), String::new(), "1".into()])],
        };
        assert!(!html.write().contains(">b<") && html.write().contains(">c<"));
    }
}
