//! Finds the key before a time in constant time, whatever the order of times.

/// Key times with a table of equal buckets over them.
#[derive(Debug, Clone)]
pub(super) struct KeyTimes {
    /// The keys and a sentinel at infinity.
    keys: Vec<KeyTime>,
    first_secs: f64,
    last_secs: f64,
    buckets_per_sec: f64,
    /// For each bucket the last key in the buckets before it, and one more for the end.
    before: Vec<u32>,
    /// True if a bucket holds several keys, so that they must be searched.
    crowded: bool,
}

#[derive(Debug, Clone, Copy)]
struct KeyTime {
    secs: f64,
    /// One over the seconds to the next key; zero for the last key.
    per_sec: f64,
}

/// Maximum number of buckets per key. Buckets are otherwise as narrow as the closest two keys.
const MAX_BUCKETS_PER_KEY: usize = 8;

/// Ratio of the closest key spacing to the width of a bucket, so that rounding cannot put two keys into one.
const NARROWER: f64 = 1.001;

impl KeyTimes {
    /// Builds the table. `times_secs` are those of a track: at least one, finite, increasing.
    pub(super) fn new(times_secs: &[f64]) -> Self {
        let (first_secs, last_secs) = (times_secs[0], times_secs[times_secs.len() - 1]);
        let mut keys: Vec<KeyTime> = times_secs
            .windows(2)
            .map(|pair| KeyTime {
                secs: pair[0],
                // Finite even if two times are almost equal: it is multiplied by zero at a key.
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

    /// Returns the bucket of a time. It never decreases with time; that is all that [`Self::locate`] needs,
    /// so rounding does no harm.
    #[inline(always)]
    fn bucket(&self, time_secs: f64) -> usize {
        ((time_secs - self.first_secs) * self.buckets_per_sec) as u32 as usize
    }

    /// Returns the last key that is not after the time, and the fraction of the time to the next key, 0 to 1.
    /// Times are clamped to the keys; NaN is the first key.
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
    use crate::track::{KeyLocation, Times};
    use proptest::prelude::*;

    /// Key and fraction by binary search.
    fn search(times_secs: &[f64], time_secs: f64) -> (usize, f32) {
        match Times::new(times_secs.into()).unwrap().locate(time_secs) {
            KeyLocation::Key(key) => (key, 0.0),
            KeyLocation::Between { key, fraction, .. } => (key, fraction as f32),
        }
    }

    fn check(times_secs: &[f64], time_secs: f64) {
        let (key, fraction) = KeyTimes::new(times_secs).locate(time_secs);
        let (expected_key, expected) = search(times_secs, time_secs);
        assert_eq!(key, expected_key, "{time_secs} in {times_secs:?}");
        let error = (fraction - expected).abs();
        assert!(error <= f32::EPSILON, "{fraction}, expected {expected}");
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
        fn locate_matches_binary_search(
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

        /// Frame times rounded to float32, as in files.
        #[test]
        fn evenly_spaced_keys_need_no_search(rate in 1.0..240.0f64, first in 0..1000usize, keys in 2..500usize) {
            let times: Vec<f64> = (first..first + keys).map(|k| f64::from((k as f64 / rate) as f32)).collect();
            prop_assert!(!KeyTimes::new(&times).crowded);
            check_around_keys(&times);
        }
    }

    #[test]
    fn table_stays_small_for_almost_equal_times() {
        let tiny = f64::from_bits(1);
        let times = [0.0, tiny, 1e-300, 1.0, 1.0f64.next_up(), 1e6];
        assert!(KeyTimes::new(&times).before.len() <= MAX_BUCKETS_PER_KEY * times.len() + 2);
        check_around_keys(&times);
        check_around_keys(&[f64::MIN, 0.0, f64::MAX]);
    }
}
