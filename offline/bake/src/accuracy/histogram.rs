//! How many errors of each size there are, in little memory.

/// Steps in each doubling of a squared error.
const STEPS: usize = 1 << STEP_BITS;
const STEP_BITS: u32 = 6;
/// Squared errors below 2⁻⁸⁰ count as this: a millionth of a millionth of the size.
const MIN_EXPONENT: i32 = -80;
/// Squared errors from 2¹⁶ on count as this: 256 times the size.
const MAX_EXPONENT: i32 = 16;
const BUCKETS: usize = (MAX_EXPONENT - MIN_EXPONENT) as usize * STEPS + 2;

/// A p99 is at most this much above the true one, as a part of it: half a step of the squares.
pub const P99_RESOLUTION: f64 = 0.5 / STEPS as f64;

/// Counts of squared errors, in parts of the character's size, in steps of 0.8 % of the error.
///
/// Sums of counts do not depend on their order, so that any number of threads gives the same.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    /// The first is for zero alone, the last for all that is too large.
    counts: Vec<u64>,
}

impl Histogram {
    pub fn new() -> Self {
        Self {
            counts: vec![0; BUCKETS],
        }
    }

    /// Counts a squared error, in parts of the size; it is not negative and not NaN.
    pub fn add(&mut self, squared: f64) {
        self.counts[bucket(squared)] += 1;
    }

    /// Takes in the counts of another, and leaves it empty.
    pub fn take(&mut self, other: &mut Self) {
        for (count, more) in self.counts.iter_mut().zip(&mut other.counts) {
            *count += std::mem::take(more);
        }
    }

    /// Takes in the counts of another.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// The error that 99 of 100 do not pass, in parts of the size: the upper end of its step. Infinite
    /// where it is off the scale.
    pub fn p99(&self) -> f64 {
        let all: u64 = self.counts.iter().sum();
        let rank = all - all / 100;
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        match found {
            None | Some(0) => 0.0,
            Some(bucket) => upper_end(bucket).sqrt(),
        }
    }
}

/// Exponent and leading bits of the number: a logarithm made of straight pieces, the same everywhere.
fn bucket(squared: f64) -> usize {
    if squared == 0.0 {
        return 0;
    }
    let leading = (squared.to_bits() >> (f64::MANTISSA_DIGITS - 1 - STEP_BITS)) as i64;
    let index = leading - first_leading();
    1 + index.clamp(0, BUCKETS as i64 - 2) as usize
}

fn first_leading() -> i64 {
    i64::from(MIN_EXPONENT + f64::MAX_EXP - 1) << STEP_BITS
}

fn upper_end(bucket: usize) -> f64 {
    if bucket == BUCKETS - 1 {
        return f64::INFINITY;
    }
    let leading = first_leading() + bucket as i64;
    f64::from_bits((leading as u64) << (f64::MANTISSA_DIGITS - 1 - STEP_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_step_holds_what_is_counted_in_it(error in 1e-11..250.0f64) {
            let mut histogram = Histogram::new();
            histogram.add(error * error);
            let p99 = histogram.p99();
            prop_assert!(p99 >= error && p99 <= error * (1.0 + P99_RESOLUTION), "{error} {p99}");
        }
    }

    #[test]
    fn the_hundredth_part_is_passed_over() {
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
    fn both_ends_of_the_scale() {
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
