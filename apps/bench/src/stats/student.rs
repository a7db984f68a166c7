//! Student's t-distribution.

use std::f64::consts::PI;

/// Probability that the absolute value of a t-distributed number is at least `t`.
pub fn student_two_tailed(t: f64, degrees_of_freedom: f64) -> f64 {
    let x = degrees_of_freedom / (degrees_of_freedom + t * t);
    regularized_beta(x, 0.5 * degrees_of_freedom, 0.5)
}

/// Number that a t-distributed number is below with probability `p`.
pub fn student_quantile(p: f64, degrees_of_freedom: f64) -> f64 {
    if p < 0.5 {
        return -student_quantile(1.0 - p, degrees_of_freedom);
    }
    // The tail falls strictly, so that bisection finds it.
    let tail = 2.0 * (1.0 - p);
    let (mut low, mut high) = (0.0, 1.0);
    while student_two_tailed(high, degrees_of_freedom) > tail && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match student_two_tailed(middle, degrees_of_freedom) > tail {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

/// Regularised incomplete beta function, from 0 at `x` = 0 to 1 at `x` = 1.
fn regularized_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean; above it, the symmetry is used.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - regularized_beta(1.0 - x, b, a);
    }
    let ln_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    ln_front.exp() * beta_fraction(x, a, b) / a
}

/// Continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let nonzero = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let (mut c, mut d) = (1.0, nonzero(1.0 - (a + b) * x / (a + 1.0)).recip());
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for term in [even, odd] {
            d = nonzero(1.0 + term * d).recip();
            c = nonzero(1.0 + term / c);
            fraction *= c * d;
        }
        if (fraction - before).abs() <= 1e-15 * fraction.abs() {
            break;
        }
    }
    fraction
}

/// Logarithm of the gamma function of a positive number: Stirling's series, after shifting the argument above 10.
fn ln_gamma(x: f64) -> f64 {
    let (mut shift, mut x) = (0.0, x);
    while x < 10.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = x.recip();
    let square = inverse * inverse;
    let series = inverse
        * (1.0 / 12.0
            - square
                * (1.0 / 360.0
                    - square
                        * (1.0 / 1260.0
                            - square
                                * (1.0 / 1680.0
                                    - square * (1.0 / 1188.0 - square * 691.0 / 360_360.0)))));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_matches_factorials_and_the_half() {
        let mut factorial = 1.0;
        for n in 1..20 {
            assert!(
                (ln_gamma(f64::from(n)) - f64::ln(factorial)).abs() < 1e-11,
                "{n}"
            );
            factorial *= f64::from(n);
        }
        assert!((ln_gamma(0.5) - 0.5 * PI.ln()).abs() < 1e-12);
    }

    #[test]
    fn tails_match_closed_forms() {
        for t in [0.0_f64, 0.3, 1.0, 2.5, 40.0] {
            // One degree of freedom is the Cauchy distribution, and two have a root.
            let cauchy = 1.0 - 2.0 / PI * t.atan();
            assert!((student_two_tailed(t, 1.0) - cauchy).abs() < 1e-13, "{t}");
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            assert!((student_two_tailed(t, 2.0) - two).abs() < 1e-13, "{t}");
        }
    }

    #[test]
    fn quantiles_match_printed_tables() {
        for (degrees_of_freedom, t) in [(1.0, 12.706), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042)] {
            let quantile = student_quantile(0.975, degrees_of_freedom);
            assert!(
                (quantile - t).abs() < 5e-4,
                "{degrees_of_freedom}: {quantile}"
            );
            assert_eq!(student_quantile(0.025, degrees_of_freedom), -quantile);
        }
    }
}
