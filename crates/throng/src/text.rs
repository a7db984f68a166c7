//! Text for people: tables, numbers, and names that may hold anything.

use std::fmt::Display;
use std::io::{self, Write};

/// Which side of its column a cell keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A table with a header, as wide as its cells.
pub struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[(&'static str, Align)]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a cell a column");
        self.rows.push(row);
    }

    /// Leaves out a column where every row says only this.
    pub fn leave_out(&mut self, column: &str, cell: &str) {
        let found = self.columns.iter().position(|(name, _)| *name == column);
        let index = found.expect("a column of this table");
        if self.rows.iter().all(|row| row[index] == cell) {
            self.columns.remove(index);
            for row in &mut self.rows {
                row.remove(index);
            }
        }
    }

    /// Writes nothing for a table without rows.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells
                .chain([self.columns[column].0.len()])
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for ((cell, &(_, align)), &width) in cells.zip(&self.columns).zip(&widths) {
                let padded = match align {
                    Align::Left => format!("  {cell:<width$}"),
                    Align::Right => format!("  {cell:>width$}"),
                };
                line.push_str(&padded);
            }
            line.truncate(line.trim_end().len());
            line
        };
        writeln!(
            out,
            "{}",
            line(&mut self.columns.iter().map(|(name, _)| *name))
        )?;
        for row in &self.rows {
            writeln!(out, "{}", line(&mut row.iter().map(String::as_str)))?;
        }
        Ok(())
    }
}

/// A whole number in groups of three: 12 345.
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

/// A name from a file as [`one_line`]; a dash where it is empty.
pub fn name(name: &str) -> String {
    if name.is_empty() {
        return "-".into();
    }
    one_line(name)
}

/// Text that may hold anything, on one line and without control characters. The rest stays as it is, so
/// that a name can be typed as it is shown.
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

/// True for what moves the cursor, starts a line or turns the direction of the text.
fn is_control(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns
}

/// Prints a line such as `error: …` on standard error. That nobody reads it is no reason to stop.
pub fn tell(kind: &str, message: impl Display) {
    let _ = writeln!(io::stderr(), "{kind}: {}", one_line(message));
}

/// `1 clip`, `2 clips`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A length with the digits that matter at its size.
pub fn metres(length: f64) -> String {
    let digits = match length.abs() {
        l if l >= 100.0 => 1,
        l if l >= 10.0 => 2,
        l if l >= 0.1 => 3,
        0.0 => 0,
        _ => 5,
    };
    format!("{length:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("NAME", Align::Left), ("N", Align::Right)]);
        table.row(["a".into(), "1".into()]);
        table.row(["bö".into(), "1 000".into()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "  NAME      N\n  a         1\n  bö    1 000\n");
    }

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 999, 1000, 1_234_567];
        assert_eq!(numbers.map(grouped), ["0", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn lengths_have_the_digits_that_matter() {
        let lengths = [154.68, 15.468, 1.5468, 0.015468, 0.0].map(metres);
        assert_eq!(lengths, ["154.7", "15.47", "1.547", "0.01547", "0"]);
    }

    #[test]
    fn hostile_names_stay_on_their_line() {
        assert_eq!(name("a\n\u{1b}[31m"), "a\\n\\u{1b}[31m");
        assert_eq!(
            name("\u{202e}a\u{2028}b\u{85}"),
            "\\u{202e}a\\u{2028}b\\u{85}"
        );
        assert_eq!(name(""), "-");
    }

    #[test]
    fn other_names_can_be_typed_as_they_are_shown() {
        for typed in ["Bödy", "Bo\u{308}dy", "Ann's \"walk\"", "a/b\\c", "歩く🦊"] {
            assert_eq!(name(typed), typed);
        }
    }

    #[test]
    fn a_column_that_says_nothing_is_left_out() {
        let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
        table.row(["0".into(), "0".into()]);
        table.row(["1".into(), "0".into()]);
        table.leave_out("A", "0");
        table.leave_out("B", "0");
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(out, b"  A\n  0\n  1\n");
    }
}
