//! Text for people: beside what reports of bakes use, lengths, counts and lines on standard error.

use std::fmt::Display;
use std::io::{self, Write};

pub use throng_bake::text::{Align, Table, grouped, name, one_line};

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
    fn lengths_have_the_digits_that_matter() {
        let lengths = [154.68, 15.468, 1.5468, 0.015468, 0.0].map(metres);
        assert_eq!(lengths, ["154.7", "15.47", "1.547", "0.01547", "0"]);
    }
}
