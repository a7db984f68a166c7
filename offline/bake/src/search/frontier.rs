//! The Pareto frontier of GPU bytes and error.

use super::Candidate;
use crate::text::{Align, Table, bytes, digits, percent, short};

/// Returns the candidates that no other one beats in both GPU bytes and error, fewest bytes first. An error that is only
/// a lower bound does not beat a measured one.
pub fn frontier(candidates: &[Candidate]) -> Vec<&Candidate> {
    let accepted = || {
        let indexed = candidates.iter().enumerate();
        indexed.filter(|(_, candidate)| candidate.refused.is_none())
    };
    let beats = |(i, a): (usize, &Candidate), (j, b): (usize, &Candidate)| {
        let no_worse = a.gpu_bytes <= b.gpu_bytes && a.max_error_of_size <= b.max_error_of_size;
        let better = a.gpu_bytes < b.gpu_bytes || a.max_error_of_size < b.max_error_of_size;
        let same_kind = a.exact == b.exact;
        // Of equals, the measured one stays, then the first.
        no_worse && (a.exact || !b.exact) && (better || !same_kind || i < j)
    };
    let mut best: Vec<&Candidate> = accepted()
        .filter(|&one| !accepted().any(|other| other.0 != one.0 && beats(other, one)))
        .map(|(_, candidate)| candidate)
        .collect();
    best.sort_by(|a, b| {
        let by_bytes = a.gpu_bytes.cmp(&b.gpu_bytes);
        by_bytes.then(b.max_error_of_size.total_cmp(&a.max_error_of_size))
    });
    best
}

/// Returns the frontier as a text table; `≥` precedes lower bounds. `size_m` is the character's size in metres.
pub fn frontier_table(candidates: &[Candidate], size_m: f64) -> String {
    let columns = [
        ("ENCODING", Align::Left),
        ("PRECISION", Align::Left),
        ("RATE Hz", Align::Right),
        ("INFLUENCES", Align::Right),
        ("GPU SIZE", Align::Right),
        ("MAX ERROR mm", Align::Right),
        ("% OF SIZE", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for candidate in frontier(candidates) {
        let bound = if candidate.exact { "" } else { "≥ " };
        let error = candidate.max_error_of_size;
        table.row([
            candidate.encoding.to_string(),
            candidate.storage.to_string(),
            short(candidate.rate_hz),
            candidate.influences.to_string(),
            bytes(candidate.gpu_bytes),
            format!("{bound}{}", digits(1000.0 * size_m * error)),
            format!("{bound}{}", percent(error)),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use throng_format::{Encoding, Precision};

    use super::*;

    fn candidate(gpu_bytes: u64, max_error_of_size: f64, exact: bool) -> Candidate {
        Candidate {
            encoding: Encoding::BoneQt,
            storage: Precision::F16.into(),
            rate_hz: 30.0,
            influences: 4,
            gpu_bytes,
            max_error_of_size,
            exact,
            refused: None,
        }
    }

    #[test]
    fn frontier_excludes_candidates_worse_in_bytes_and_error() {
        let mut all = [
            candidate(100, 0.01, true),
            candidate(50, 0.02, true),
            candidate(120, 0.015, true),
            candidate(50, 0.02, true),
            candidate(200, 0.001, false),
            candidate(10, 0.0, true),
        ];
        all[5].refused = Some("no".into());
        let bytes: Vec<u64> = frontier(&all).iter().map(|s| s.gpu_bytes).collect();
        assert_eq!(bytes, [50, 100, 200]);
    }

    #[test]
    fn lower_bound_does_not_beat_a_measured_error() {
        let all = [
            candidate(100, 0.01, true),
            candidate(90, 0.009, false),
            candidate(100, 0.01, false),
            candidate(95, 0.0095, false),
        ];
        let found: Vec<(u64, bool)> = frontier(&all)
            .iter()
            .map(|s| (s.gpu_bytes, s.exact))
            .collect();
        assert_eq!(found, [(90, false), (100, true)]);
    }

    #[test]
    fn table_has_one_row_per_candidate() {
        let table = frontier_table(&[candidate(2048, 0.000_28, false)], 1.8);
        assert_eq!(
            table,
            "  ENCODING  PRECISION  RATE Hz  INFLUENCES  GPU SIZE  MAX ERROR mm  % OF SIZE\n  \
             bone-qt   f16             30           4  2.00 KiB       ≥ 0.504   ≥ 0.0280\n"
        );
        assert_eq!(frontier_table(&[], 1.8), "");
    }
}
