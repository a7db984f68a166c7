//! Curves of any kind as linear keys: as few as stay within a tolerance.

/// A value that a curve may have.
pub(super) trait Sample: Copy {
    /// On the way from one key to the next, as a linear track has it.
    fn between(a: Self, b: Self, fraction: f64) -> Self;
    /// How far apart two values are, in tolerances.
    fn error(self, other: Self) -> f64;
}

/// The shortest interval that is split again: 0.1 ms.
const MIN_INTERVAL_SECS: f64 = 1e-4;
/// Between keys a curve is looked at this often, so that a turn which returns is not missed.
const CHECK_RATE_HZ: f64 = 60.0;
/// And at least so often in every interval.
const MIN_CHECKS: usize = 3;

/// Keys of a curve.
pub(super) struct Keys<S> {
    pub times: Vec<f64>,
    pub values: Vec<S>,
}

/// Samples a curve at the given times, which increase, and between them wherever a straight line would
/// be off by more than one tolerance; then leaves out what a straight line does as well.
///
/// `None` when there would be more than `max_keys`.
pub(super) fn sample<S: Sample>(
    times: &[f64],
    max_keys: usize,
    evaluate: impl Fn(f64) -> S,
) -> Option<Keys<S>> {
    let mut keys = Keys {
        times: vec![times[0]],
        values: vec![evaluate(times[0])],
    };
    let mut pending: Vec<(f64, S)> = Vec::new();
    for &time in &times[1..] {
        pending.push((time, evaluate(time)));
        while let Some(&(end, value)) = pending.last() {
            let (start, from) = (*keys.times.last()?, *keys.values.last()?);
            if end - start <= MIN_INTERVAL_SECS
                || is_straight((start, from), (end, value), &evaluate)
            {
                pending.pop();
                keys.times.push(end);
                keys.values.push(value);
                if keys.times.len() > max_keys {
                    return None;
                }
            } else {
                let middle = 0.5 * (start + end);
                pending.push((middle, evaluate(middle)));
            }
        }
    }
    Some(simplify(&keys))
}

fn is_straight<S: Sample>(a: (f64, S), b: (f64, S), evaluate: &impl Fn(f64) -> S) -> bool {
    let span = b.0 - a.0;
    let checks = ((span * CHECK_RATE_HZ) as usize).max(MIN_CHECKS);
    (1..=checks).all(|check| {
        let fraction = check as f64 / (checks + 1) as f64;
        let expected = evaluate(a.0 + fraction * span);
        S::between(a.1, b.1, fraction).error(expected) <= 1.0
    })
}

/// How many keys one straight line may replace.
const MAX_REPLACED: usize = 64;
/// What leaving out a key may cost, in tolerances.
const SIMPLIFY_TOLERANCE: f64 = 0.5;

fn simplify<S: Sample>(keys: &Keys<S>) -> Keys<S> {
    let (times, values) = (&keys.times, &keys.values);
    let fits = |a: usize, b: usize| {
        let span = times[b] - times[a];
        (a + 1..b).all(|k| {
            let fraction = (times[k] - times[a]) / span;
            S::between(values[a], values[b], fraction).error(values[k]) <= SIMPLIFY_TOLERANCE
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
        fn between(a: Self, b: Self, fraction: f64) -> Self {
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
                let line = Number::between(keys.values[k], keys.values[k + 1], fraction);
                worst = worst.max((line.0 - curve(a + fraction * (b - a))).abs());
            }
        }
        worst
    }

    #[test]
    fn a_curve_is_followed_within_the_tolerance() {
        let curve = |t: f64| (3.0 * t).sin() + t * t;
        let keys = sample(&[0.0, 0.7, 2.0], 100_000, |t| Number(curve(t))).unwrap();
        assert!(worst(&keys, curve) < 1.5 * TOLERANCE);
    }

    #[test]
    fn a_line_needs_no_keys_between() {
        let line = |t: f64| 4.0 * t - 1.0;
        let keys = sample(&[0.0, 1.0, 1.5, 3.0], 100, |t| Number(line(t))).unwrap();
        assert_eq!(keys.times, [0.0, 3.0]);
    }

    #[test]
    fn a_wave_that_returns_at_the_middle_is_not_missed() {
        let wave = |t: f64| (std::f64::consts::TAU * t).sin();
        let keys = sample(&[0.0, 1.0], 100_000, |t| Number(wave(t))).unwrap();
        assert!(worst(&keys, wave) < 1.5 * TOLERANCE);
    }

    #[test]
    fn a_jump_stays_within_its_instant() {
        let jump = |t: f64| f64::from(u8::from(t >= 0.5));
        let times = [0.0, 0.5 - 1e-7, 0.5, 1.0];
        let keys = sample(&times, 100, |t| Number(jump(t))).unwrap();
        assert_eq!(keys.times, times);
    }

    #[test]
    fn too_many_keys_are_refused() {
        let noise = |t: f64| (1e9 * t).sin();
        assert!(sample(&[0.0, 10.0], 1000, |t| Number(noise(t))).is_none());
    }
}
