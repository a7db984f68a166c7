//! What is not beaten in both bytes and error.

use super::Seen;
use crate::text::{Align, Table, bytes, digits, percent};

/// Those that nothing else beats in bytes or in error, fewest bytes first. A lower bound beats no error
/// that was measured.
pub fn frontier(seen: &[Seen]) -> Vec<&Seen> {
    let held = || seen.iter().enumerate().filter(|(_, s)| s.refused.is_none());
    let beats = |(i, a): (usize, &Seen), (j, b): (usize, &Seen)| {
        let no_worse = a.gpu_bytes <= b.gpu_bytes && a.max_error_of_size <= b.max_error_of_size;
        let better = a.gpu_bytes < b.gpu_bytes || a.max_error_of_size < b.max_error_of_size;
        let same_kind = a.exact == b.exact;
        // Of equals the measured one stays, then the first.
        no_worse && (a.exact || !b.exact) && (better || !same_kind || i < j)
    };
    let mut best: Vec<&Seen> = held()
        .filter(|&one| !held().any(|other| other.0 != one.0 && beats(other, one)))
        .map(|(_, seen)| seen)
        .collect();
    best.sort_by(|a, b| {
        let by_bytes = a.gpu_bytes.cmp(&b.gpu_bytes);
        by_bytes.then(b.max_error_of_size.total_cmp(&a.max_error_of_size))
    });
    best
}

/// The frontier as a person reads it; `≥` is before errors of probes. `size_m` is the character's.
pub fn frontier_table(seen: &[Seen], size_m: f64) -> String {
    let columns = [
        ("ENCODING", Align::Left),
        ("PRECISION", Align::Left),
        ("HZ", Align::Right),
        ("INFLUENCES", Align::Right),
        ("GPU", Align::Right),
        ("MAX mm", Align::Right),
        ("% OF SIZE", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for seen in frontier(seen) {
        let bound = if seen.exact { "" } else { "≥ " };
        table.row([
            seen.encoding.to_string(),
            seen.precision.to_string(),
            digits(seen.rate_hz),
            seen.influences.to_string(),
            bytes(seen.gpu_bytes),
            format!(
                "{bound}{}",
                digits(1000.0 * size_m * seen.max_error_of_size)
            ),
            format!("{bound}{}", percent(seen.max_error_of_size)),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use throng_format::{Encoding, Precision};

    use super::*;

    fn seen(gpu_bytes: u64, max_error_of_size: f64, exact: bool) -> Seen {
        Seen {
            encoding: Encoding::BoneQt,
            precision: Precision::F16,
            rate_hz: 30.0,
            influences: 4,
            gpu_bytes,
            max_error_of_size,
            exact,
            refused: None,
        }
    }

    #[test]
    fn what_is_larger_and_farther_off_is_not_on_the_frontier() {
        let mut all = [
            seen(100, 0.01, true),
            seen(50, 0.02, true),
            seen(120, 0.015, true),
            seen(50, 0.02, true),
            seen(200, 0.001, false),
            seen(10, 0.0, true),
        ];
        all[5].refused = Some("no".into());
        let bytes: Vec<u64> = frontier(&all).iter().map(|s| s.gpu_bytes).collect();
        assert_eq!(bytes, [50, 100, 200]);
    }

    #[test]
    fn a_lower_bound_beats_nothing_that_was_measured() {
        let all = [
            seen(100, 0.01, true),
            seen(90, 0.009, false),
            seen(100, 0.01, false),
            seen(95, 0.0095, false),
        ];
        let found: Vec<(u64, bool)> = frontier(&all)
            .iter()
            .map(|s| (s.gpu_bytes, s.exact))
            .collect();
        assert_eq!(found, [(90, false), (100, true)]);
    }

    #[test]
    fn a_table_has_a_line_for_each() {
        let table = frontier_table(&[seen(2048, 0.000_28, false)], 1.8);
        assert_eq!(
            table,
            "  ENCODING  PRECISION    HZ  INFLUENCES       GPU   MAX mm  % OF SIZE\n  \
             bone-qt   f16        30.0           4  2.00 KiB  ≥ 0.504   ≥ 0.0280\n"
        );
        assert_eq!(frontier_table(&[], 1.8), "");
    }
}
