//! Numbers and tables as people read them.

/// Which side of its column a cell keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Lines with a header, as wide as their cells; nothing where there are no rows.
pub(crate) fn table(columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.fold(columns[column].0.chars().count(), usize::max)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let header: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut out = String::new();
    for row in std::iter::once(&header).chain(rows) {
        let mut line = String::new();
        for ((cell, &(_, align)), &width) in row.iter().zip(columns).zip(&widths) {
            line += &match align {
                Align::Left => format!("  {cell:<width$}"),
                Align::Right => format!("  {cell:>width$}"),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// Three digits that count: 0.0123, 1.23, 123. What is smaller than a millionth is not worth a number.
pub(crate) fn digits(number: f64) -> String {
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

/// A part as per cent.
pub(crate) fn percent(part: f64) -> String {
    digits(100.0 * part)
}

/// Bytes in the unit that keeps the number short.
pub(crate) fn bytes(count: u64) -> String {
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

/// A whole number in groups of three: 12 345.
pub(crate) fn grouped(number: usize) -> String {
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

/// A name from a file, which may hold anything, on one line; a dash where it is empty.
pub(crate) fn name(name: &str) -> String {
    if name.is_empty() {
        return "-".into();
    }
    let mut out = String::new();
    for c in name.chars() {
        let turns = matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_count() {
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
    fn bytes_have_a_unit() {
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
    fn columns_line_up_and_names_stay_on_their_line() {
        let columns = [("NAME", Align::Left), ("N", Align::Right)];
        let rows = [
            vec![name("bö"), "1".into()],
            vec![name("a\nb"), grouped(1000)],
        ];
        assert_eq!(
            table(&columns, &rows),
            "  NAME      N\n  bö        1\n  a\\nb  1 000\n"
        );
        assert_eq!(table(&columns, &[]), "");
    }
}
