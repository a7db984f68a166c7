//! Polynomials through the errors of a vertex at a few times.

use std::sync::LazyLock;

use glam::DVec3;

/// Number of times of a polynomial of degree four.
pub const NODES: usize = 5;

/// Chebyshev points from 0 to 1, both ends included: a polynomial through them is nowhere far from a smooth function.
pub const POSITIONS: [f64; NODES] = [
    0.0,
    0.146_446_609_406_726_24,
    0.5,
    0.853_553_390_593_273_7,
    1.0,
];

/// Largest value of a polynomial from 0 to 1, as a multiple of its largest value at [`POSITIONS`].
pub const GROWTH: f64 = 1.8;

/// Largest [`Peak::bound`] as a multiple of the largest value at [`POSITIONS`]: the last term is at most that value.
pub const BOUND_GROWTH: f64 = GROWTH + 1.0;

/// Last term of a polynomial that has converged, as a part of the largest error.
const CONVERGED: f64 = 0.005;
/// Last term that is rounding of float32, as a part of the size.
const ROUNDING_OF_SIZE: f64 = 1e-6;
/// Most times that a piece is halved.
const MAX_DEPTH: usize = 6;

/// Number of steps in which a polynomial is searched for its largest value.
const STEPS: usize = 32;

/// Weights of the values at [`POSITIONS`] in the value at each step.
pub static WEIGHTS: LazyLock<[[f64; NODES]; STEPS + 1]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let x = step as f64 / STEPS as f64;
        std::array::from_fn(|node| {
            let others = (0..NODES).filter(|&other| other != node);
            let ratio =
                |other: usize| (x - POSITIONS[other]) / (POSITIONS[node] - POSITIONS[other]);
            others.map(ratio).product()
        })
    })
});

/// The largest length of a vector between two times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Largest length of the polynomial.
    pub length: f64,
    /// Its position, from 0 to 1.
    pub position: f64,
    /// Size of the polynomial's last term. The terms that it lacks are smaller where the function is smooth.
    pub last_term: f64,
}

impl Peak {
    /// Returns the peak of the polynomial through some values at [`POSITIONS`]. Values that are not finite are infinitely
    /// long.
    pub fn of(values: &[DVec3; NODES]) -> Self {
        if !values.iter().all(|value| value.is_finite()) {
            return Self {
                length: f64::INFINITY,
                position: 0.0,
                last_term: 0.0,
            };
        }
        let [a, b, c, d, e] = *values;
        let mut longest = (0.0, 0);
        for (step, weights) in WEIGHTS.iter().enumerate() {
            let value =
                a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3] + e * weights[4];
            let squared = value.length_squared();
            if squared > longest.0 {
                longest = (squared, step);
            }
        }
        Self {
            length: longest.0.sqrt(),
            position: longest.1 as f64 / STEPS as f64,
            last_term: (0.25 * (0.5 * (a + e) - b + c - d)).length(),
        }
    }

    /// The peak with an allowance for the terms that the polynomial lacks.
    pub fn bound(&self) -> f64 {
        self.length + self.last_term
    }
}

/// Meaning of the errors at the nodes of a piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// No error in the piece is above the known one.
    Below,
    /// The largest error may be above the known one.
    Peak(Peak),
    /// The polynomial is not close to the error: both halves of the piece must be examined.
    NotConverged,
}

/// Judges a piece that was halved `depth` times by the errors at its nodes.
pub fn judge(errors: &[DVec3; NODES], known: f64, size_m: f64, depth: usize) -> Verdict {
    let longest = errors.iter().map(|error| error.length_squared());
    let is_finite = errors.iter().all(|error| error.is_finite());
    if is_finite && BOUND_GROWTH * longest.fold(0.0, f64::max).sqrt() < known {
        return Verdict::Below;
    }
    let peak = Peak::of(errors);
    if peak.bound() <= known {
        return Verdict::Below;
    }
    let converged = (CONVERGED * known).max(ROUNDING_OF_SIZE * size_m);
    match peak.last_term > converged && depth < MAX_DEPTH {
        true => Verdict::NotConverged,
        false => Verdict::Peak(peak),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peak(f: impl Fn(f64) -> f64) -> Peak {
        Peak::of(&POSITIONS.map(|x| DVec3::new(0.0, f(x), 0.0)))
    }

    #[test]
    fn peaks_of_polynomials_are_exact() {
        // Zero at both ends and in the middle.
        let cubic = peak(|x| x * (1.0 - x) * (1.0 - 2.0 * x));
        assert!((cubic.length / (3f64.sqrt() / 18.0) - 1.0).abs() < 1e-3);
        assert!(cubic.last_term < 1e-15);
        let parabola = peak(|x| x * (1.0 - x));
        assert!((parabola.length - 0.25).abs() < 1e-12);
        assert_eq!(parabola.position, 0.5);
        let constant = peak(|_| -2.0);
        assert!((constant.bound() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn last_term_is_the_fourth_chebyshev_coefficient() {
        let chebyshev = |x: f64| (4.0 * (2.0 * x - 1.0).acos()).cos();
        assert!((peak(|x| 0.3 * chebyshev(x)).last_term - 0.3).abs() < 1e-12);
        assert!((peak(|x| x + 0.3 * chebyshev(x)).last_term - 0.3).abs() < 1e-12);
    }

    #[test]
    fn growth_covers_all_polynomials() {
        let most = WEIGHTS.iter().map(|w| w.iter().map(|w| w.abs()).sum());
        let most: f64 = most.fold(0.0, f64::max);
        assert!(most > 1.7 && most < GROWTH, "{most}");
    }

    #[test]
    fn bound_growth_covers_the_last_term() {
        let alternating = peak(|x| {
            if POSITIONS[1..4].contains(&x) && x != 0.5 {
                -1.0
            } else {
                1.0
            }
        });
        assert!((alternating.last_term - 1.0).abs() < 1e-12);
        assert!(alternating.bound() < BOUND_GROWTH);
    }

    #[test]
    fn value_that_is_not_a_number_is_infinitely_long() {
        let mut values = [DVec3::ZERO; NODES];
        values[3].x = f64::NAN;
        assert_eq!(Peak::of(&values).bound(), f64::INFINITY);
    }
}
