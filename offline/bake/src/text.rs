//! Numbers and tables as text.

use std::fmt::{self, Display};

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A table with a header, as wide as its cells. Without rows it prints nothing.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let column = |&(name, align): &(&str, Align)| (name.to_owned(), align);
        Self {
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the number of cells differs from the number of columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        assert_eq!(
            row.len(),
            self.columns.len(),
            "expected one cell per column"
        );
        self.rows.push(row);
    }

    /// Removes a column where every cell equals `cell`.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn leave_out(&mut self, column: &str, cell: &str) {
        let found = self.columns.iter().position(|(name, _)| *name == column);
        let index = found.expect("the column is in the table");
        if self.rows.iter().all(|row| row[index] == cell) {
            self.columns.remove(index);
            for row in &mut self.rows {
                row.remove(index);
            }
        }
    }
}

impl Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.fold(self.columns[column].0.chars().count(), usize::max)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let header: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        for row in std::iter::once(&header).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, (_, align)), &width) in row.iter().zip(&self.columns).zip(&widths) {
                line += &match align {
                    Align::Left => format!("  {cell:<width$}"),
                    Align::Right => format!("  {cell:>width$}"),
                };
            }
            writeln!(formatter, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Formats with three significant digits: 0.0123, 1.23, 123. Numbers below a millionth print as `<1e-6`.
pub fn digits(number: f64) -> String {
    if number == 0.0 {
        return "0".into();
    }
    if !number.is_finite() {
        return "not a number".into();
    }
    if number.abs() < 1e-6 {
        return "<1e-6".into();
    }
    let magnitude = number.abs().log10().floor();
    format!("{number:.*}", (2.0 - magnitude).max(0.0) as usize)
}

/// [`digits`] without trailing zeros: 64, 29.9, 0.5.
pub fn short(number: f64) -> String {
    let text = digits(number);
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Formats a part as per cent.
pub fn percent(part: f64) -> String {
    digits(100.0 * part)
}

/// Formats a number of bytes in the unit that keeps it short.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut number = count as f64 / 1024.0;
    let mut unit = 0;
    while number >= 999.5 && unit + 1 < UNITS.len() {
        number /= 1024.0;
        unit += 1;
    }
    format!("{} {}", digits(number), UNITS[unit])
}

/// Formats a whole number in groups of three: 12 345.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Formats a name from a file as [`one_line`]; a dash where it is empty.
pub fn name(name: &str) -> String {
    if name.is_empty() {
        return throng_rig::UNNAMED.into();
    }
    one_line(name)
}

/// Escapes control characters, so that the text stays on one line. Everything else is unchanged, so that a name can be
/// typed as it is shown.
pub fn one_line(text: impl Display) -> String {
    let mut out = String::new();
    for c in text.to_string().chars() {
        if is_control(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// True for characters that move the cursor, start a line or change the direction of the text.
fn is_control(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || changes_direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_has_three_significant_digits() {
        let numbers = [0.0, 0.000_012_34, 0.012_34, 0.5, 1.234, 12.34, 1234.4, 3e-7];
        let texts = numbers.map(digits);
        assert_eq!(
            texts,
            [
                "0",
                "0.0000123",
                "0.0123",
                "0.500",
                "1.23",
                "12.3",
                "1234",
                "<1e-6"
            ]
        );
        assert_eq!(digits(f64::INFINITY), "not a number");
        assert_eq!(percent(0.000_28), "0.0280");
    }

    #[test]
    fn short_has_no_trailing_zeros() {
        let texts = [64.0, 29.97, 0.5, 100.0, 0.0].map(short);
        assert_eq!(texts, ["64", "30", "0.5", "100", "0"]);
    }

    #[test]
    fn bytes_have_a_short_unit() {
        let texts = [0, 1023, 1024, 65_536, 1_047_552, 5 << 20, u64::MAX].map(bytes);
        let expected = [
            "0 B",
            "1023 B",
            "1.00 KiB",
            "64.0 KiB",
            "0.999 MiB",
            "5.00 MiB",
        ];
        assert_eq!(texts[..6], expected);
        assert!(texts[6].ends_with("TiB"));
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("NAME", Align::Left), ("N", Align::Right)]);
        table.row(["a".into(), "1".into()]);
        table.row(["bö".into(), "1 000".into()]);
        assert_eq!(
            table.to_string(),
            "  NAME      N\n  a         1\n  bö    1 000\n"
        );
    }

    #[test]
    fn column_of_equal_cells_is_left_out() {
        let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
        table.row(["0".into(), "0".into()]);
        table.row(["1".into(), "0".into()]);
        table.leave_out("A", "0");
        table.leave_out("B", "0");
        assert_eq!(table.to_string(), "  A\n  0\n  1\n");
    }

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 999, 1000, 1_234_567];
        assert_eq!(numbers.map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn control_characters_of_names_are_escaped() {
        assert_eq!(name("a\n\u{1b}[31m"), "a\\n\\u{1b}[31m");
        assert_eq!(
            name("\u{202e}a\u{2028}b\u{85}"),
            "\\u{202e}a\\u{2028}b\\u{85}"
        );
        assert_eq!(name(""), "-");
    }

    #[test]
    fn names_without_control_characters_are_unchanged() {
        for typed in ["Bödy", "Bo\u{308}dy", "Ann's \"walk\"", "a/b\\c", "歩く🦊"] {
            assert_eq!(name(typed), typed);
        }
    }

    #[test]
    fn table_without_rows_is_empty() {
        assert_eq!(Table::new(&[("A", Align::Left)]).to_string(), "");
    }
}
