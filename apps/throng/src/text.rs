//! Text output: counts, lengths, tables, and messages on standard error.

use std::fmt::Display;
use std::io::{self, Write};

pub use throng_bake::text::{Align, Table, grouped, name, one_line};

/// Prints one line `error: …` on standard error.
pub fn print_error(message: impl Display) {
    print_message("error", message);
}

/// Prints one line `warning: …` on standard error.
pub fn print_warning(message: impl Display) {
    print_message("warning", message);
}

/// Prints one line `note: …` on standard error.
pub fn print_note(message: impl Display) {
    print_message("note", message);
}

/// A standard error that cannot be written to is ignored.
fn print_message(kind: &str, message: impl Display) {
    let _ = writeln!(io::stderr(), "{kind}: {}", one_line(message));
}

/// Formats a count with its noun: `1 clip`, `2 clips`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats a length with about four significant digits.
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
    fn lengths_have_four_significant_digits() {
        let lengths = [154.68, 15.468, 1.5468, 0.015468, 0.0].map(metres);
        assert_eq!(lengths, ["154.7", "15.47", "1.547", "0.01547", "0"]);
    }
}
