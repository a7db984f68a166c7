//! Verdicts on ratios.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Verdict on the throughput of a contestant relative to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Faster by more than the margin.
    Faster,
    /// Slower by more than the margin.
    Slower,
    /// Within the margin.
    NoDifference,
    /// The interval reaches across an end of the margin: more rounds would decide.
    Undecided,
}

impl Verdict {
    /// Judges a confidence interval. A ratio is different only if the whole interval is outside `1 ± margin`, and equal only
    /// if the whole interval is inside, so that looking again after more rounds does not turn noise into a difference.
    pub fn of([low, high]: [f64; 2], margin: f64) -> Self {
        // On the scale of logarithms both ends are equally far from 1.
        let (below, above) = ((1.0 + margin).recip(), 1.0 + margin);
        if low > above {
            Self::Faster
        } else if high < below {
            Self::Slower
        } else if low >= below && high <= above {
            Self::NoDifference
        } else {
            Self::Undecided
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NoDifference => "no difference",
            Self::Undecided => "undecided",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_judged_by_its_worse_end() {
        for (interval, verdict) in [
            ([1.03, 1.1], Verdict::Faster),
            ([0.9, 0.97], Verdict::Slower),
            ([0.99, 1.015], Verdict::NoDifference),
            ([1.01, 1.05], Verdict::Undecided),
            ([0.9, 1.1], Verdict::Undecided),
            ([0.0, f64::INFINITY], Verdict::Undecided),
            ([f64::NAN, f64::NAN], Verdict::Undecided),
        ] {
            assert_eq!(Verdict::of(interval, 0.02), verdict, "{interval:?}");
        }
    }
}
