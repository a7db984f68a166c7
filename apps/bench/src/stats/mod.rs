//! Statistics of the benchmark: means and variances, Welch's t-test, confidence intervals of paired ratios, verdicts.

mod bootstrap;
mod student;
mod verdict;
mod welch;

pub use bootstrap::{Estimate, difference_of_ratios, paired_ratio};
pub use student::{student_quantile, student_two_tailed};
pub use verdict::Verdict;
pub use welch::{Welch, welch};

/// Mean, variance and size of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Arithmetic mean.
    pub mean: f64,
    /// Unbiased variance.
    pub variance: f64,
    /// Number of values.
    pub count: usize,
}

impl Sample {
    /// Summarises values. The variance of fewer than two values is 0.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len();
        let mean = mean(values);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            variance: squares / (count.max(2) - 1) as f64,
            count,
        }
    }
}

/// Arithmetic mean; NaN of no values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Median; NaN of no values.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Value below which a part of the values lies, interpolated linearly; NaN of no values.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_of_sorted(&sorted, part)
}

fn quantile_of_sorted(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = part.clamp(0.0, 1.0) * last as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

/// Mean of the middle 60 %: a fifth of the values is left out at each end. Sorts the values. NaN of no values.
///
/// Frame times have outliers, when other work runs, and two modes, when a clock changes. The plain mean follows those, and
/// the median wastes a third of the rounds.
pub(crate) fn trimmed_mean(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let cut = values.len() / 5;
    mean(&values[cut..values.len() - cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_unbiased_variances() {
        let sample = Sample::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((sample.mean, sample.count), (5.0, 8));
        assert!((sample.variance - 32.0 / 7.0).abs() < 1e-12);
        assert_eq!(Sample::of(&[3.0]).variance, 0.0);
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(&[1.0, 2.0], 0.25), 1.25);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn trimmed_means_ignore_outliers_at_both_ends() {
        let mut values = [1e9, 1.0, 2.0, 3.0, -1e9];
        assert_eq!(trimmed_mean(&mut values), 2.0);
    }
}
