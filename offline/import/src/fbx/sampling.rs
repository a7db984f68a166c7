//! Conversion of arbitrary curves to linear keys within a tolerance.

/// Value of a curve.
pub(super) trait Sample: Copy {
    /// Interpolates between two keys as a linear track does.
    fn interpolate(a: Self, b: Self, fraction: f64) -> Self;
    /// Returns the difference of two values, in multiples of the tolerance.
    fn error(self, other: Self) -> f64;
    /// Returns false if a component is infinite or NaN.
    fn is_finite(self) -> bool;
}

/// A curve that cannot be sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SampleError {
    /// A value is infinite or NaN. No number of keys comes near it.
    NotFinite { time_secs: f64 },
    /// More keys are needed than allowed.
    TooManyKeys,
}

/// Minimum length of an interval; shorter ones are not split: 0.1 ms.
const MIN_INTERVAL_SECS: f64 = 1e-4;
/// Rate at which a curve is checked between keys, so that a motion that returns is not missed.
const CHECK_RATE_HZ: f64 = 60.0;
/// Minimum number of checks per interval.
const MIN_CHECKS: usize = 3;

/// Linear keys of a curve.
pub(super) struct Keys<S> {
    pub times: Vec<f64>,
    pub values: Vec<S>,
}

/// Samples a curve at the given increasing times, and between them until linear interpolation is within
/// the tolerance. Then removes keys that linear interpolation reproduces.
///
/// Fails if a value is not finite, or if more than `max_keys` would be needed.
pub(super) fn sample<S: Sample>(
    times: &[f64],
    max_keys: usize,
    evaluate: impl Fn(f64) -> S,
) -> Result<Keys<S>, SampleError> {
    let finite = |time_secs: f64| match evaluate(time_secs) {
        value if value.is_finite() => Ok(value),
        _ => Err(SampleError::NotFinite { time_secs }),
    };
    let mut start = (times[0], finite(times[0])?);
    let mut keys = Keys {
        times: vec![start.0],
        values: vec![start.1],
    };
    let mut pending: Vec<(f64, S)> = Vec::new();
    for &time in &times[1..] {
        pending.push((time, finite(time)?));
        while let Some(&end) = pending.last() {
            if end.0 - start.0 <= MIN_INTERVAL_SECS || is_linear(start, end, &evaluate) {
                pending.pop();
                keys.times.push(end.0);
                keys.values.push(end.1);
                start = end;
                if keys.times.len() > max_keys {
                    return Err(SampleError::TooManyKeys);
                }
            } else {
                let middle = 0.5 * (start.0 + end.0);
                pending.push((middle, finite(middle)?));
            }
        }
    }
    Ok(simplify(&keys))
}

fn is_linear<S: Sample>(a: (f64, S), b: (f64, S), evaluate: &impl Fn(f64) -> S) -> bool {
    let span = b.0 - a.0;
    let checks = ((span * CHECK_RATE_HZ) as usize).max(MIN_CHECKS);
    (1..=checks).all(|check| {
        let fraction = check as f64 / (checks + 1) as f64;
        let expected = evaluate(a.0 + fraction * span);
        S::interpolate(a.1, b.1, fraction).error(expected) <= 1.0
    })
}

/// Maximum number of keys that one linear segment may replace.
const MAX_REPLACED: usize = 64;
/// Maximum error of removing a key, in multiples of the tolerance.
const SIMPLIFY_TOLERANCE: f64 = 0.5;

fn simplify<S: Sample>(keys: &Keys<S>) -> Keys<S> {
    let (times, values) = (&keys.times, &keys.values);
    let fits = |a: usize, b: usize| {
        let span = times[b] - times[a];
        (a + 1..b).all(|k| {
            let fraction = (times[k] - times[a]) / span;
            S::interpolate(values[a], values[b], fraction).error(values[k]) <= SIMPLIFY_TOLERANCE
        })
    };
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < times.len() {
        let furthest = (from + MAX_REPLACED).min(times.len() - 1);
        let mut to = from + 1;
        while to < furthest && fits(from, to + 1) {
            to += 1;
        }
        kept.push(to);
        from = to;
    }
    Keys {
        times: kept.iter().map(|&k| times[k]).collect(),
        values: kept.iter().map(|&k| values[k]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Number(f64);

    const TOLERANCE: f64 = 1e-5;

    impl Sample for Number {
        fn is_finite(self) -> bool {
            self.0.is_finite()
        }
        fn interpolate(a: Self, b: Self, fraction: f64) -> Self {
            Self(a.0 + (b.0 - a.0) * fraction)
        }
        fn error(self, other: Self) -> f64 {
            (self.0 - other.0).abs() / TOLERANCE
        }
    }

    fn worst(keys: &Keys<Number>, curve: impl Fn(f64) -> f64) -> f64 {
        let mut worst: f64 = 0.0;
        for k in 0..keys.times.len() - 1 {
            let (a, b) = (keys.times[k], keys.times[k + 1]);
            for step in 0..=50 {
                let fraction = f64::from(step) / 50.0;
                let line = Number::interpolate(keys.values[k], keys.values[k + 1], fraction);
                worst = worst.max((line.0 - curve(a + fraction * (b - a))).abs());
            }
        }
        worst
    }

    #[test]
    fn samples_a_curve_within_the_tolerance() {
        let curve = |t: f64| (3.0 * t).sin() + t * t;
        let keys = sample(&[0.0, 0.7, 2.0], 100_000, |t| Number(curve(t))).unwrap();
        assert!(worst(&keys, curve) < 1.5 * TOLERANCE);
    }

    #[test]
    fn a_straight_line_needs_only_two_keys() {
        let line = |t: f64| 4.0 * t - 1.0;
        let keys = sample(&[0.0, 1.0, 1.5, 3.0], 100, |t| Number(line(t))).unwrap();
        assert_eq!(keys.times, [0.0, 3.0]);
    }

    #[test]
    fn detects_a_wave_that_is_zero_at_the_midpoint() {
        let wave = |t: f64| (std::f64::consts::TAU * t).sin();
        let keys = sample(&[0.0, 1.0], 100_000, |t| Number(wave(t))).unwrap();
        assert!(worst(&keys, wave) < 1.5 * TOLERANCE);
    }

    #[test]
    fn a_jump_keeps_its_two_keys() {
        let jump = |t: f64| f64::from(u8::from(t >= 0.5));
        let times = [0.0, 0.5 - 1e-7, 0.5, 1.0];
        let keys = sample(&times, 100, |t| Number(jump(t))).unwrap();
        assert_eq!(keys.times, times);
    }

    #[test]
    fn fails_if_too_many_keys_are_needed() {
        let noise = |t: f64| (1e9 * t).sin();
        let error = sample(&[0.0, 10.0], 1000, |t| Number(noise(t))).err();
        assert_eq!(error, Some(SampleError::TooManyKeys));
    }

    #[test]
    fn fails_at_once_on_a_value_that_is_not_finite() {
        let calls = std::cell::Cell::new(0);
        let broken = |t: f64| {
            calls.set(calls.get() + 1);
            Number(if t > 0.0 && t < 1.0 { f64::NAN } else { 0.0 })
        };
        let error = sample(&[0.0, 1.0], 1 << 20, broken).err();
        assert_eq!(error, Some(SampleError::NotFinite { time_secs: 0.5 }));
        assert!(calls.get() < 10, "{} calls", calls.get());
    }
}
