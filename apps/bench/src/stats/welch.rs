//! Welch's t-test: two means, with variances that may differ.

use super::{Sample, student_two_tailed};

/// Result of Welch's t-test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// Test statistic: positive if the first mean is larger.
    pub t: f64,
    /// Degrees of freedom by Welch and Satterthwaite.
    pub degrees_of_freedom: f64,
    /// Two-tailed probability of a difference as large as this, if the means were equal.
    pub p: f64,
}

/// Compares the means of two samples. Equal samples without variance give `p` = 1, other samples without variance 0; samples
/// of fewer than two values give NaN.
pub fn welch(a: &Sample, b: &Sample) -> Welch {
    let of_mean = |sample: &Sample| sample.variance / sample.count as f64;
    let (va, vb) = (of_mean(a), of_mean(b));
    let t = match (a.mean - b.mean, (va + vb).sqrt()) {
        (0.0, 0.0) => 0.0,
        (difference, deviation) => difference / deviation,
    };
    let freedom = |v: f64, sample: &Sample| v * v / (sample.count as f64 - 1.0);
    let degrees_of_freedom = match va + vb {
        0.0 => (a.count + b.count) as f64 - 2.0,
        v => v * v / (freedom(va, a) + freedom(vb, b)),
    };
    let p = match a.count.min(b.count) {
        0 | 1 => f64::NAN,
        _ => student_two_tailed(t, degrees_of_freedom),
    };
    Welch {
        t,
        degrees_of_freedom,
        p,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed inputs: mean and variance with half of their last digit, and the number of samples.
    struct Printed {
        mean: [f64; 2],
        variance: [f64; 2],
        count: usize,
    }

    /// Smallest and largest results over everything that rounds to the printed inputs. The statistic, the degrees of
    /// freedom and the probability are monotonic in each input, so that the corners of the box are enough.
    fn results(a: &Printed, b: &Printed) -> [[f64; 2]; 3] {
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for corner in 0..16 {
            let value = |[value, half]: [f64; 2], bit: i32| match corner >> bit & 1 {
                0 => value - half,
                _ => value + half,
            };
            let sample = |printed: &Printed, first: i32| Sample {
                mean: value(printed.mean, first),
                variance: value(printed.variance, first + 1),
                count: printed.count,
            };
            let Welch {
                t,
                degrees_of_freedom,
                ..
            } = welch(&sample(a, 0), &sample(b, 2));
            // The paper's program rounds the degrees of freedom before it looks up the probability.
            let p = student_two_tailed(t, degrees_of_freedom.round());
            for (range, result) in ranges.iter_mut().zip([t, degrees_of_freedom, p]) {
                *range = [range[0].min(result), range[1].max(result)];
            }
        }
        ranges
    }

    /// Whether a printed result, with half of its last digit, is one of the results.
    fn holds([low, high]: [f64; 2], printed: f64, half: f64) -> bool {
        low <= printed + half && printed - half <= high
    }

    #[test]
    fn matches_table_11_of_p0() {
        let dual = Printed {
            mean: [1.44e6, 0.005e6],
            variance: [1.18e11, 0.005e11],
            count: 39,
        };
        let matrices = Printed {
            mean: [6.49e5, 0.005e5],
            variance: [2.20e10, 0.005e10],
            count: 38,
        };
        let [t, degrees_of_freedom, p] = results(&dual, &matrices);
        assert!(holds(t, 13.19, 0.005), "{t:?}");
        assert!(
            holds(degrees_of_freedom, 52.0, 0.5),
            "{degrees_of_freedom:?}"
        );
        assert!(holds(p, 3.25e-18, 0.005e-18), "{p:?}");
        // The box is small: the test would notice a variance in place of that of a mean.
        assert!(t[1] - t[0] < 0.3 && p[1] / p[0] < 3.0, "{t:?} {p:?}");
    }

    #[test]
    fn matches_table_14_of_p0() {
        let palettes = Printed {
            mean: [20_012.14, 0.005],
            variance: [1.08e7, 0.005e7],
            count: 43,
        };
        let textures = Printed {
            mean: [15_579.11, 0.005],
            variance: [6.47e6, 0.005e6],
            count: 40,
        };
        let [t, degrees_of_freedom, p] = results(&palettes, &textures);
        assert!(holds(t, 6.89, 0.005), "{t:?}");
        assert!(
            holds(degrees_of_freedom, 78.0, 0.5),
            "{degrees_of_freedom:?}"
        );
        assert!(holds(p, 1.25e-9, 0.005e-9), "{p:?}");
        assert!(t[1] - t[0] < 0.05 && p[1] / p[0] < 1.3, "{t:?} {p:?}");
    }

    #[test]
    fn equal_samples_do_not_differ() {
        let sample = Sample::of(&[1.0, 2.0, 4.0]);
        let Welch { t, p, .. } = welch(&sample, &sample);
        assert_eq!((t, p), (0.0, 1.0));
        let constant = |value: f64| Sample::of(&[value; 3]);
        assert_eq!(welch(&constant(1.0), &constant(1.0)).p, 1.0);
        assert_eq!(welch(&constant(1.0), &constant(2.0)).p, 0.0);
        assert!(welch(&sample, &Sample::of(&[1.0])).p.is_nan());
    }
}
