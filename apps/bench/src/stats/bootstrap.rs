//! Confidence intervals by resampling.

use super::{quantile_of_sorted, student_quantile, student_two_tailed, trimmed_mean};
use crate::random::Random;

/// An estimate and its confidence intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Ends of the 95 % interval, which is reported.
    pub interval: [f64; 2],
    /// Ends of the 99 % interval, which decides: a contest looks at its pairs up to a dozen times, and each look is a chance
    /// to take noise for a difference.
    pub decisive: [f64; 2],
}

/// Resamples.
const RESAMPLES: usize = 2000;

/// Ratio of two quantities that were measured in the same rounds: the trimmed mean of the ratios within a round, on a
/// logarithmic scale, so that a ratio and its inverse are equally far from 1. The interval is that of resampled rounds.
///
/// Fewer than two rounds give an interval from 0 to infinity, and none a NaN.
pub fn paired_ratio(numerators: &[f64], denominators: &[f64], seed: u64) -> Estimate {
    let logs = log_ratios(numerators, denominators);
    let means = resampled_means(&logs, &mut Random::new(seed));
    estimate(trimmed_mean(&mut logs.clone()), means, logs.len())
}

/// Ratio between two ratios that were measured in different runs, each paired within its run: `b` relative to `a`.
pub fn difference_of_ratios(a: [&[f64]; 2], b: [&[f64]; 2], seed: u64) -> Estimate {
    let [a, b] = [a, b].map(|[numerators, denominators]| log_ratios(numerators, denominators));
    let mut random = Random::new(seed);
    let means = resampled_means(&a, &mut random)
        .into_iter()
        .zip(resampled_means(&b, &mut random))
        .map(|(a, b)| b - a);
    let value = trimmed_mean(&mut b.clone()) - trimmed_mean(&mut a.clone());
    estimate(value, means.collect(), a.len().min(b.len()))
}

fn log_ratios(numerators: &[f64], denominators: &[f64]) -> Vec<f64> {
    let pairs = numerators.iter().zip(denominators);
    pairs.map(|(a, b)| (a / b).ln()).collect()
}

fn resampled_means(logs: &[f64], random: &mut Random) -> Vec<f64> {
    let mut resample = vec![0.0; logs.len()];
    let means = (0..RESAMPLES).map(|_| {
        for value in &mut resample {
            *value = logs[random.below(logs.len())];
        }
        trimmed_mean(&mut resample)
    });
    means.collect()
}

/// Percentiles of the resampled means. With few rounds, resampling underestimates the spread; the percentiles are moved
/// outwards as Student's distribution is wider than the normal (Hesterberg's expanded percentiles).
fn estimate(value: f64, mut means: Vec<f64>, rounds: usize) -> Estimate {
    let everything = [0.0, f64::INFINITY];
    if rounds < 2 {
        return Estimate {
            value: value.exp(),
            interval: everything,
            decisive: everything,
        };
    }
    let n = rounds as f64;
    means.sort_by(f64::total_cmp);
    let interval = |confidence: f64| {
        let quantile = student_quantile(0.5 + 0.5 * confidence, n - 1.0);
        let deviations = (n / (n - 1.0)).sqrt() * quantile;
        // Many degrees of freedom are the normal distribution.
        let tail = 0.5 * student_two_tailed(deviations, 1e7);
        [tail, 1.0 - tail].map(|part| quantile_of_sorted(&means, part).exp())
    };
    Estimate {
        value: value.exp(),
        interval: interval(0.95),
        decisive: interval(0.99),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of two contestants on a machine that drifts, with a ratio and a noise.
    fn rounds(random: &mut Random, count: usize, ratio: f64, noise: f64) -> [Vec<f64>; 2] {
        let normal = |random: &mut Random| (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
        let mut out = [Vec::new(), Vec::new()];
        for round in 0..count {
            let drift = 1.0 + round as f64 / count as f64;
            out[0].push(drift * ratio * (noise * normal(random)).exp());
            out[1].push(drift * (noise * normal(random)).exp());
        }
        out
    }

    #[test]
    fn intervals_hold_the_ratio_in_95_of_100_runs() {
        for count in [10, 40] {
            let mut random = Random::new(count as u64);
            let runs = 1000;
            let held = (0..runs).filter(|&run| {
                let [a, b] = rounds(&mut random, count, 0.9, 0.05);
                let [low, high] = paired_ratio(&a, &b, run).interval;
                (low..=high).contains(&0.9)
            });
            let held = held.count() as f64 / runs as f64;
            // Three standard deviations of a thousand runs are 2 %.
            assert!((0.92..0.98).contains(&held), "{count} rounds: {held}");
        }
    }

    #[test]
    fn drift_cancels_within_rounds() {
        let [a, b] = rounds(&mut Random::new(3), 20, 1.5, 0.0);
        let Estimate {
            value, interval, ..
        } = paired_ratio(&a, &b, 0);
        assert!((value - 1.5).abs() < 1e-12);
        assert!((interval[1] - interval[0]).abs() < 1e-12);
    }

    #[test]
    fn one_round_decides_nothing() {
        assert_eq!(
            paired_ratio(&[1.0], &[2.0], 0).interval,
            [0.0, f64::INFINITY]
        );
        assert!(paired_ratio(&[], &[], 0).value.is_nan());
    }

    #[test]
    fn a_change_between_runs_is_found() {
        let mut random = Random::new(5);
        let before = rounds(&mut random, 40, 0.8, 0.03);
        let after = rounds(&mut random, 40, 0.72, 0.03);
        let [before, after] = [&before, &after].map(|[a, b]| [a.as_slice(), b]);
        let [low, high] = difference_of_ratios(before, after, 1).interval;
        assert!(low < 0.9 && 0.9 < high && high < 1.0, "{low} {high}");
    }
}
