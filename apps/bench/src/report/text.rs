//! Text of the page: escaping and numbers.

/// Escapes text for HTML, in elements and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // HTML has no way to write other control characters.
            '\t' | '\n' => out.push(' '),
            _ if character.is_control() => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

/// A number with at least this many significant digits, thousands apart: `0.0123`, `12.3`, `12 345`. Infinite numbers
/// are `∞`, NaN is `–`.
pub fn number(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.into();
    }
    fixed(value, decimals(value, digits))
}

/// Digits after the point that show this many significant digits, at most 9.
pub fn decimals(value: f64, digits: usize) -> usize {
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    let decimals = |value: f64| digits as i32 - 1 - value.abs().log10().floor() as i32;
    let first = decimals(value).clamp(0, 9);
    // 9.996 with three digits is 10.0, not 10.00.
    let unit = 10f64.powi(first);
    decimals((value * unit).round() / unit).clamp(0, first) as usize
}

/// A number with this many digits after the point, thousands apart.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    if value < 0.0 && text.chars().any(|digit| matches!(digit, '1'..='9')) {
        out.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        let left = whole.len() - index;
        if index > 0 && left.is_multiple_of(3) && whole.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out + fraction
}

/// A short number for an axis: `0.5`, `20`, `5k`, `1.5M`.
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, "G"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    // Ticks have few digits; the rounding hides those of binary fractions.
    format!("{}{unit}", plain(scaled))
}

/// A number of the settings, without zeros at its end: `2`, `16.667`.
pub fn plain(value: f64) -> String {
    let text = number(value, 6);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A ratio: three digits after the point around 1, so that intervals within a margin of a few per cent can be read.
pub fn ratio(value: f64) -> String {
    match (0.1..2.0).contains(&value) {
        true => fixed(value, 3),
        false => number(value, 3),
    }
}

/// A number of bytes: `640 B`, `12.3 KiB`.
pub fn bytes(count: u64) -> String {
    let mut value = count as f64;
    if count < 1024 {
        return format!("{count} B");
    }
    let mut unit = "";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        value /= 1024.0;
        unit = next;
        if value < 1023.5 {
            break;
        }
    }
    format!("{} {unit}", number(value, 3))
}

/// A duration: `4.2 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(secs: f64) -> String {
    if secs < 59.95 {
        return format!("{secs:.1} s");
    }
    let secs = secs.round() as u64;
    match (secs / 3600, secs / 60 % 60, secs % 60) {
        (0, minutes, secs) => format!("{minutes} min {secs} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A time in UTC: `2026-11-17 19:05 UTC`.
pub fn date(unix_secs: u64) -> String {
    // Years begin in March, so that the leap day is the last (civil_from_days of Howard Hinnant).
    let days = unix_secs / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute) = (unix_secs / 3600 % 24, unix_secs / 60 % 60);
    format!("{year}-{month:02}-{day_of_month:02} {hour:02}:{minute:02} UTC")
}

/// A number of things: `1 joint`, `12 joints`.
pub fn count(number: usize, thing: &str) -> String {
    let plural = match thing {
        _ if number == 1 => "",
        "mesh" => "es",
        _ if thing.ends_with('x') => "es",
        _ => "s",
    };
    let thing = match thing.strip_suffix("ex") {
        Some(stem) if number != 1 => format!("{stem}ices"),
        _ => format!("{thing}{plural}"),
    };
    format!("{} {thing}", fixed(number as f64, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup_quotes_and_control_characters() {
        assert_eq!(
            escape("<script>\"&'\u{1}\n"),
            "&lt;script&gt;&quot;&amp;&#39;\u{fffd} "
        );
    }

    #[test]
    fn numbers_have_significant_digits_and_thousands() {
        for (value, digits, text) in [
            (0.012_345, 3, "0.0123"),
            (9.996, 3, "10.0"),
            (-1.5, 2, "−1.5"),
            (-0.0, 2, "0"),
            (1234.5, 3, "1234"),
            (12_345.4, 3, "12\u{202f}345"),
            (1_234_567.0, 2, "1\u{202f}234\u{202f}567"),
            (f64::NAN, 2, "–"),
            (f64::INFINITY, 2, "∞"),
        ] {
            assert_eq!(number(value, digits), text, "{value}");
        }
        assert_eq!(fixed(-0.001, 1), "0.0");
    }

    #[test]
    fn ratios_around_one_have_three_digits_after_the_point() {
        let texts = [0.0717, 0.9961, 1.0, 4.567, f64::INFINITY].map(ratio);
        assert_eq!(texts, ["0.0717", "0.996", "1.000", "4.57", "∞"]);
    }

    #[test]
    fn axis_numbers_are_short() {
        let texts = [0.05, 0.30000000000000004, 20.0, 1000.0, 1500.0, 2e6].map(short);
        assert_eq!(texts, ["0.05", "0.3", "20", "1k", "1.5k", "2M"]);
    }

    #[test]
    fn units_follow_sizes() {
        assert_eq!(
            [640, 1024, 1_048_575].map(bytes),
            ["640 B", "1.00 KiB", "1.00 MiB"]
        );
        assert_eq!(
            [4.25, 59.96, 200.0, 7500.0].map(duration),
            ["4.2 s", "1 min 0 s", "3 min 20 s", "2 h 5 min"]
        );
        assert_eq!(count(1, "mesh") + &count(2, "mesh"), "1 mesh2 meshes");
        assert_eq!(
            count(0, "vertex") + &count(1, "vertex"),
            "0 vertices1 vertex"
        );
    }

    #[test]
    fn dates_match_the_calendar() {
        for (secs, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_827_640, "2000-02-29 12:34 UTC"),
            (1_794_942_300, "2026-11-17 19:05 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(secs), text);
        }
    }
}
