//! Finds the key before a time at a cost that does not depend on the time asked for before.

/// Key times with a table of equal buckets over them.
#[derive(Debug, Clone)]
pub(super) struct KeyTimes {
    /// One more than there are keys: the last is never reached.
    keys: Vec<KeyTime>,
    first_secs: f64,
    last_secs: f64,
    buckets_per_sec: f64,
    /// For each bucket the last key of the buckets before it; one more than there are buckets.
    before: Vec<u32>,
    /// True where a bucket holds several keys, so that they must be searched.
    crowded: bool,
}

#[derive(Debug, Clone, Copy)]
struct KeyTime {
    secs: f64,
    /// One over the seconds to the next key; zero at the last, where time stands still.
    per_sec: f64,
}

/// Buckets are as narrow as the closest two keys, but not more than this many a key: a table must not
/// outgrow the keys it stands for.
const MAX_BUCKETS_PER_KEY: usize = 8;

/// How much narrower a bucket is than the closest two keys, so that rounding cannot put both into it.
const NARROWER: f64 = 1.001;

impl KeyTimes {
    /// `times_secs` are those of a track: at least one, finite, each after the one before.
    pub(super) fn new(times_secs: &[f64]) -> Self {
        let (first_secs, last_secs) = (times_secs[0], times_secs[times_secs.len() - 1]);
        let mut keys: Vec<KeyTime> = times_secs
            .windows(2)
            .map(|pair| KeyTime {
                secs: pair[0],
                // Finite even where two times almost touch, since it is multiplied by zero on a key.
                per_sec: (1.0 / (pair[1] - pair[0])).min(f64::MAX),
            })
            .collect();
        keys.extend([last_secs, f64::INFINITY].map(|secs| KeyTime { secs, per_sec: 0.0 }));
        let mut times = Self {
            buckets_per_sec: buckets_per_sec(times_secs),
            keys,
            first_secs,
            last_secs,
            before: Vec::new(),
            crowded: false,
        };
        let mut before = vec![0; times.bucket(last_secs) + 2];
        for (key, &secs) in times_secs.iter().enumerate() {
            before[times.bucket(secs) + 1] = key as u32;
        }
        for bucket in 1..before.len() {
            before[bucket] = before[bucket].max(before[bucket - 1]);
        }
        times.crowded = before.windows(2).any(|pair| pair[1] - pair[0] > 1);
        times.before = before;
        times
    }

    /// Rises with time, which is all that finding keys relies on: rounding does no harm.
    #[inline(always)]
    fn bucket(&self, time_secs: f64) -> usize {
        ((time_secs - self.first_secs) * self.buckets_per_sec) as u32 as usize
    }

    /// The last key that is not after the time, and how far to the next, 0 to 1. Times outside are
    /// clamped, and what is not a number is taken for the first key.
    #[inline(always)]
    pub(super) fn locate(&self, time_secs: f64) -> (usize, f32) {
        let time_secs = time_secs.max(self.first_secs).min(self.last_secs);
        let bucket = self.bucket(time_secs);
        let mut key = self.before[bucket] as usize;
        if self.crowded {
            let candidates = &self.keys[key + 1..=self.before[bucket + 1] as usize];
            key += candidates.partition_point(|next| next.secs <= time_secs);
        } else {
            key += usize::from(self.keys[key + 1].secs <= time_secs);
        }
        let KeyTime { secs, per_sec } = self.keys[key];
        (key, ((time_secs - secs) * per_sec) as f32)
    }
}

fn buckets_per_sec(times_secs: &[f64]) -> f64 {
    let spacing = times_secs.windows(2).map(|pair| pair[1] - pair[0]);
    let Some(closest_secs) = spacing.min_by(f64::total_cmp) else {
        return 0.0;
    };
    let span_secs = times_secs[times_secs.len() - 1] - times_secs[0];
    let most = (MAX_BUCKETS_PER_KEY * times_secs.len()) as f64;
    (NARROWER / closest_secs).min(most / span_secs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::{Spot, Times};
    use proptest::prelude::*;

    /// The key and the fraction that a plain search finds.
    fn searched(times_secs: &[f64], time_secs: f64) -> (usize, f32) {
        match Times::new(times_secs.into()).unwrap().locate(time_secs) {
            Spot::Key(key) => (key, 0.0),
            Spot::Between { key, fraction, .. } => (key, fraction as f32),
        }
    }

    fn check(times_secs: &[f64], time_secs: f64) {
        let (key, fraction) = KeyTimes::new(times_secs).locate(time_secs);
        let (expected_key, expected) = searched(times_secs, time_secs);
        assert_eq!(key, expected_key, "{time_secs} in {times_secs:?}");
        let far = (fraction - expected).abs();
        assert!(far <= f32::EPSILON, "{fraction} for {expected}");
    }

    fn check_around_keys(times_secs: &[f64]) {
        for &secs in times_secs {
            for time_secs in [secs.next_down(), secs, secs.next_up()] {
                check(times_secs, time_secs);
            }
        }
        for time_secs in [-1e9, 1e9, f64::NEG_INFINITY, f64::INFINITY, f64::NAN] {
            check(times_secs, time_secs);
        }
    }

    proptest! {
        #[test]
        fn any_key_is_found(
            start in -1e3..1e3f64,
            log_gaps in prop::collection::vec(-9.0..2.0f64, 0..60),
            at in prop::collection::vec(-0.1..1.1f64, 20),
        ) {
            let mut times = vec![start];
            for gap in log_gaps {
                times.push((times[times.len() - 1] + 10f64.powf(gap)).next_up());
            }
            check_around_keys(&times);
            let span = times[times.len() - 1] - start;
            for at in at {
                check(&times, start + at * span);
            }
        }

        /// Frame times as files have them: rounded to float32.
        #[test]
        fn even_keys_are_found_in_one_step(rate in 1.0..240.0f64, first in 0..1000usize, keys in 2..500usize) {
            let times: Vec<f64> = (first..first + keys).map(|k| f64::from((k as f64 / rate) as f32)).collect();
            prop_assert!(!KeyTimes::new(&times).crowded);
            check_around_keys(&times);
        }
    }

    #[test]
    fn the_table_stays_small_where_keys_almost_touch() {
        let tiny = f64::from_bits(1);
        let times = [0.0, tiny, 1e-300, 1.0, 1.0f64.next_up(), 1e6];
        assert!(KeyTimes::new(&times).before.len() <= MAX_BUCKETS_PER_KEY * times.len() + 2);
        check_around_keys(&times);
        check_around_keys(&[f64::MIN, 0.0, f64::MAX]);
    }
}
