//! Histogram of errors in little memory.

/// Number of steps per doubling of a squared error.
const STEPS: usize = 1 << STEP_BITS;
const STEP_BITS: u32 = 6;
/// Exponent below which squared errors share a step: 2⁻⁸⁰, a millionth of a millionth of the size.
const MIN_EXPONENT: i32 = -80;
/// Exponent from which squared errors share a step: 2¹⁶, 256 times the size.
const MAX_EXPONENT: i32 = 16;
pub(super) const BUCKETS: usize = (MAX_EXPONENT - MIN_EXPONENT) as usize * STEPS + 2;

/// Largest relative excess of a p99 over the exact one: half a step of the squares.
pub const P99_RESOLUTION: f64 = 0.5 / STEPS as f64;

/// Counts of squared errors, as parts of the squared size, in steps of 0.8 % of the error.
///
/// Counts add up to the same sums in any order, so that the result does not depend on the number of threads.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    /// One per step. The first is for zero alone, the last for everything too large. Empty once the histogram is trimmed.
    counts: Vec<u64>,
    /// Steps and counts that are not zero, once it is trimmed.
    trimmed: Vec<(u32, u64)>,
}

impl Histogram {
    pub fn new() -> Self {
        Self {
            counts: vec![0; BUCKETS],
            trimmed: Vec::new(),
        }
    }

    /// Gives up the memory of empty steps, which are most. Counts can no longer be added.
    pub fn trim(&mut self) {
        self.trimmed = self.used().collect();
        self.trimmed.shrink_to_fit();
        self.counts = Vec::new();
    }

    /// Steps and counts that are not zero, in order.
    fn used(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let counts = (0..).zip(self.counts.iter().copied());
        let used = counts.filter(|(_, count)| *count > 0);
        used.chain(self.trimmed.iter().copied())
    }

    /// Counts a squared error as a part of the squared size. It must be neither negative nor NaN.
    pub fn add(&mut self, squared: f64) {
        self.counts[bucket(squared) as usize] += 1;
    }

    /// Adds counts, one per [`BUCKETS`], and empties them.
    pub fn take_counts(&mut self, counts: &mut [u64]) {
        for (count, more) in self.counts.iter_mut().zip(counts) {
            *count += std::mem::take(more);
        }
    }

    /// Adds the counts of another histogram and empties it.
    pub fn take(&mut self, other: &mut Self) {
        self.take_counts(&mut other.counts);
    }

    /// Adds the counts of another histogram, which may be trimmed.
    pub fn merge(&mut self, other: &Self) {
        for (step, count) in other.used() {
            self.counts[step as usize] += count;
        }
    }

    /// Returns the error that 99 % of errors do not exceed, as a part of the size: the upper end of its step. Infinite where
    /// it is off the scale.
    pub fn p99(&self) -> f64 {
        let all: u64 = self.used().map(|(_, count)| count).sum();
        let rank = all - all / 100;
        let mut counted = 0;
        let found = self.used().find(|(_, count)| {
            counted += count;
            counted >= rank
        });
        match found {
            None | Some((0, _)) => 0.0,
            Some((step, _)) => upper_end(step as usize).sqrt(),
        }
    }
}

/// Returns the step of a squared error: the exponent and leading bits of the number, a piecewise linear logarithm that
/// is the same on every machine.
#[inline(always)]
pub(super) fn bucket(squared: f64) -> u64 {
    let leading = (squared.to_bits() >> (f64::MANTISSA_DIGITS - 1 - STEP_BITS)) as i64;
    let index = (leading - FIRST_LEADING + 1).clamp(1, BUCKETS as i64 - 1);
    if squared == 0.0 { 0 } else { index as u64 }
}

/// Exponent and leading bits of the first step above zero.
const FIRST_LEADING: i64 = ((MIN_EXPONENT + f64::MAX_EXP - 1) as i64) << STEP_BITS;

fn upper_end(bucket: usize) -> f64 {
    if bucket == BUCKETS - 1 {
        return f64::INFINITY;
    }
    let leading = FIRST_LEADING + bucket as i64;
    f64::from_bits((leading as u64) << (f64::MANTISSA_DIGITS - 1 - STEP_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn trimmed_histogram_has_the_same_counts() {
        let mut histogram = Histogram::new();
        for error in 0..1000 {
            histogram.add(f64::from(error) * 1e-9);
        }
        let mut trimmed = histogram.clone();
        trimmed.trim();
        assert_eq!(trimmed.p99(), histogram.p99());
        let [mut a, mut b] = [Histogram::new(), histogram.clone()];
        a.merge(&trimmed);
        assert_eq!(a.counts, histogram.counts);
        a.merge(&trimmed);
        b.merge(&histogram);
        assert_eq!(a.counts, b.counts);
    }

    proptest! {
        #[test]
        fn p99_is_within_its_resolution(error in 1e-11..250.0f64) {
            let mut histogram = Histogram::new();
            histogram.add(error * error);
            let p99 = histogram.p99();
            prop_assert!(p99 >= error && p99 <= error * (1.0 + P99_RESOLUTION), "{error} {p99}");
        }
    }

    #[test]
    fn p99_ignores_the_largest_hundredth() {
        let mut histogram = Histogram::new();
        for _ in 0..198 {
            histogram.add(1.0);
        }
        histogram.add(4.0);
        histogram.add(4.0);
        assert!((1.0..1.01).contains(&histogram.p99()));
        histogram.add(4.0);
        assert!(
            (2.0..2.02).contains(&histogram.p99()),
            "3 of 201 are more than 1 %"
        );
    }

    #[test]
    fn zero_and_infinity_are_counted() {
        let mut histogram = Histogram::new();
        assert_eq!(histogram.p99(), 0.0);
        histogram.add(0.0);
        assert_eq!(histogram.p99(), 0.0);
        histogram.add(1e-300);
        assert!(histogram.p99() < 1e-11);
        histogram.add(f64::INFINITY);
        assert_eq!(histogram.p99(), f64::INFINITY);
    }
}
