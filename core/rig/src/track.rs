//! Tracks: the keys of one property over time.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use thiserror::Error;

/// Interpolation between two keys, as glTF defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the value of each key until the next.
    Step,
    /// Linear; the shortest arc for rotations.
    Linear,
    /// A cubic Hermite spline. Each key has three values: in-tangent, value, out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// Number of values per key.
    pub fn values_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Keys that do not make a track.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TrackError {
    /// There are no keys.
    #[error("a track needs at least one key")]
    NoKeys,
    /// The number of values does not match the number of keys.
    #[error("{keys} keys need {expected} values, found {actual}")]
    CountMismatch {
        /// Number of keys.
        keys: usize,
        /// Number of values that the keys need.
        expected: usize,
        /// Number of values found.
        actual: usize,
    },
    /// A time is infinite or NaN.
    #[error("the time of key {key} is not finite")]
    TimeNotFinite {
        /// Index of the key.
        key: usize,
    },
    /// A time is not after that of the previous key.
    #[error("key {key} at {time} s is not after the previous key at {before} s")]
    TimeNotIncreasing {
        /// Index of the key.
        key: usize,
        /// Time of the key.
        time: f64,
        /// Time of the previous key.
        before: f64,
    },
    /// A value is infinite or NaN.
    #[error("value {value} is not finite")]
    ValueNotFinite {
        /// Index of the value.
        value: usize,
    },
}

/// A value that can be keyed.
pub trait Key: Copy + PartialEq {
    /// Sampled value, in float64.
    type Value;
    /// Returns true if no component is infinite or NaN.
    fn finite(self) -> bool;
    /// Returns the value at a key.
    fn value(self) -> Self::Value;
    /// Interpolates between two keys.
    fn linear(from: Self, to: Self, fraction: f64) -> Self::Value;
    /// Evaluates a Hermite spline.
    fn hermite(spline: Hermite<Self>) -> Self::Value;
}

/// Keys and weights of one span of a Hermite spline at one time. The weights of the tangents include the
/// seconds of the span.
#[derive(Debug, Clone, Copy)]
pub struct Hermite<K> {
    from: K,
    out_tangent: K,
    in_tangent: K,
    to: K,
    basis: [f64; 4],
}

impl<K> Hermite<K> {
    fn sum<V>(&self, value: impl Fn(&K) -> V) -> V
    where
        V: std::ops::Mul<f64, Output = V> + std::ops::Add<Output = V>,
    {
        let [from, out_tangent, in_tangent, to] = self.basis;
        value(&self.from) * from
            + value(&self.out_tangent) * out_tangent
            + value(&self.in_tangent) * in_tangent
            + value(&self.to) * to
    }
}

impl Key for Vec3 {
    type Value = DVec3;
    fn finite(self) -> bool {
        self.is_finite()
    }
    fn value(self) -> DVec3 {
        self.as_dvec3()
    }
    fn linear(from: Self, to: Self, fraction: f64) -> DVec3 {
        from.as_dvec3().lerp(to.as_dvec3(), fraction)
    }
    fn hermite(spline: Hermite<Self>) -> DVec3 {
        spline.sum(|v| v.as_dvec3())
    }
}

impl Key for Quat {
    type Value = DQuat;
    fn finite(self) -> bool {
        self.is_finite()
    }
    fn value(self) -> DQuat {
        unit(self.as_dquat())
    }
    fn linear(from: Self, to: Self, fraction: f64) -> DQuat {
        from.value().slerp(to.value(), fraction)
    }
    fn hermite(spline: Hermite<Self>) -> DQuat {
        unit(spline.sum(|q| q.as_dquat()))
    }
}

/// Normalises a quaternion; zero becomes the identity. A spline may pass through zero.
fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length > 0.0 {
        q * (1.0 / length)
    } else {
        DQuat::IDENTITY
    }
}

/// Key times: at least one, finite, increasing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Times(Arc<[f64]>);

/// Location of a time among the keys.
pub(crate) enum KeyLocation {
    /// At a key, before the first key, or after the last.
    Key(usize),
    /// After a key and before the next.
    Between {
        key: usize,
        fraction: f64,
        span_secs: f64,
    },
}

impl Times {
    pub(crate) fn new(times: Arc<[f64]>) -> Result<Self, TrackError> {
        if times.is_empty() {
            return Err(TrackError::NoKeys);
        }
        if let Some(key) = times.iter().position(|t| !t.is_finite()) {
            return Err(TrackError::TimeNotFinite { key });
        }
        if let Some(key) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(TrackError::TimeNotIncreasing {
                key: key + 1,
                time: times[key + 1],
                before: times[key],
            });
        }
        Ok(Self(times))
    }

    pub(crate) fn check_values(
        &self,
        interpolation: Interpolation,
        per_value: usize,
        actual: usize,
    ) -> Result<(), TrackError> {
        let expected = self.0.len() * interpolation.values_per_key() * per_value;
        if actual == expected {
            return Ok(());
        }
        Err(TrackError::CountMismatch {
            keys: self.0.len(),
            expected,
            actual,
        })
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.0
    }

    pub(crate) fn locate(&self, time_secs: f64) -> KeyLocation {
        let times = &*self.0;
        let after = times.partition_point(|&t| t <= time_secs);
        if after == 0 {
            return KeyLocation::Key(0);
        }
        let key = after - 1;
        if after == times.len() || times[key] == time_secs {
            return KeyLocation::Key(key);
        }
        let span_secs = times[after] - times[key];
        KeyLocation::Between {
            key,
            fraction: (time_secs - times[key]) / span_secs,
            span_secs,
        }
    }
}

/// Weights of a Hermite spline: value, out-tangent, in-tangent of the next key, value of the next key.
pub(crate) fn hermite_basis(t: f64, span_secs: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        (t3 - 2.0 * t2 + t) * span_secs,
        (t3 - t2) * span_secs,
        -2.0 * t3 + 3.0 * t2,
    ]
}

/// Keys of one property of one joint. Clones share them: a bake has several characters with the same clips.
#[derive(Debug, Clone, PartialEq)]
pub struct Track<K> {
    times: Times,
    values: Arc<[K]>,
    interpolation: Interpolation,
}

impl<K: Key> Track<K> {
    /// Checks that times are finite and increasing, that the number of values matches, and that values are
    /// finite. Tracks may share times.
    pub fn new(
        times: Arc<[f64]>,
        values: Vec<K>,
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let times = Times::new(times)?;
        times.check_values(interpolation, 1, values.len())?;
        if let Some(value) = values.iter().position(|v| !v.finite()) {
            return Err(TrackError::ValueNotFinite { value });
        }
        Ok(Self {
            times,
            values: values.into(),
            interpolation,
        })
    }

    /// Times of the keys, in seconds.
    pub fn times(&self) -> &[f64] {
        self.times.as_slice()
    }

    /// Values of the keys; three per key for cubic splines.
    pub fn values(&self) -> &[K] {
        &self.values
    }

    /// Interpolation between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Returns the value at a time. It is constant before the first key and after the last.
    pub fn sample(&self, time_secs: f64) -> K::Value {
        let value = |key: usize| match self.interpolation {
            Interpolation::Step | Interpolation::Linear => self.values[key],
            Interpolation::CubicSpline => self.values[3 * key + 1],
        };
        match (self.times.locate(time_secs), self.interpolation) {
            (KeyLocation::Key(key), _)
            | (KeyLocation::Between { key, .. }, Interpolation::Step) => value(key).value(),
            (KeyLocation::Between { key, fraction, .. }, Interpolation::Linear) => {
                K::linear(value(key), value(key + 1), fraction)
            }
            (
                KeyLocation::Between {
                    key,
                    fraction,
                    span_secs,
                },
                Interpolation::CubicSpline,
            ) => K::hermite(Hermite {
                from: value(key),
                out_tangent: self.values[3 * key + 2],
                in_tangent: self.values[3 * key + 3],
                to: value(key + 1),
                basis: hermite_basis(fraction, span_secs),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn track(times: &[f64], values: &[f32], interpolation: Interpolation) -> Track<Vec3> {
        let values = values.iter().map(|&v| Vec3::splat(v)).collect();
        Track::new(times.into(), values, interpolation).unwrap()
    }

    #[test]
    fn samples_equal_keys_and_ends_are_held() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let track = track(&[1.0, 2.0, 4.0], &[10.0, 20.0, 60.0], interpolation);
            for (time, value) in [
                (0.0, 10.0),
                (1.0, 10.0),
                (2.0, 20.0),
                (4.0, 60.0),
                (9.0, 60.0),
            ] {
                assert_eq!(track.sample(time).x, value, "{interpolation:?} at {time}");
            }
        }
    }

    #[test]
    fn interpolates_between_keys() {
        let times = [1.0, 2.0, 4.0];
        let values = [10.0, 20.0, 60.0];
        assert_eq!(
            track(&times, &values, Interpolation::Step).sample(3.9).x,
            20.0
        );
        assert_eq!(
            track(&times, &values, Interpolation::Linear).sample(3.0).x,
            40.0
        );
    }

    #[test]
    fn single_key_is_constant() {
        let one = track(&[3.0], &[7.0], Interpolation::Linear);
        assert_eq!(one.sample(-1.0).x, 7.0);
        assert_eq!(one.sample(99.0).x, 7.0);
        let spline = track(&[3.0], &[1.0, 7.0, 1.0], Interpolation::CubicSpline);
        assert_eq!(spline.sample(3.5).x, 7.0);
    }

    proptest! {
        /// A Hermite spline with keys and tangents of a cubic equals the cubic.
        #[test]
        fn cubic_spline_equals_its_cubic(c in prop::array::uniform4(-2.0..2.0f64), at in 0.0..1.0f64) {
            let times = [0.5, 0.8, 2.0];
            let value = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
            let slope = |t: f64| c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]);
            let values: Vec<f32> = times.iter().flat_map(|&t| [slope(t), value(t), slope(t)].map(|x| x as f32)).collect();
            let spline = track(&times, &values, Interpolation::CubicSpline);
            let time = 0.5 + 1.5 * at;
            // Keys are float32; values here reach about 40.
            prop_assert!((spline.sample(time).x - value(time)).abs() < 2e-5);
        }

        #[test]
        fn rotations_take_the_shortest_arc(angle in 0.01..3.1f64, at in 0.0..1.0f64, flip: bool) {
            let to = Quat::from_rotation_y(angle as f32);
            let values = vec![Quat::IDENTITY, if flip { -to } else { to }];
            let track = Track::new([0.0, 1.0].into(), values, Interpolation::Linear).unwrap();
            let expected = DQuat::from_rotation_y(angle * at);
            prop_assert!(track.sample(at).dot(expected).abs() > 1.0 - 1e-12);
        }
    }

    #[test]
    fn rejects_invalid_keys() {
        let make = |times: &[f64], values: &[f32], interpolation| {
            let values: Vec<Vec3> = values.iter().map(|&v| Vec3::splat(v)).collect();
            Track::new(times.into(), values, interpolation).unwrap_err()
        };
        let linear = Interpolation::Linear;
        assert_eq!(make(&[], &[], linear), TrackError::NoKeys);
        assert!(matches!(
            make(&[0.0, f64::NAN], &[0.0; 2], linear),
            TrackError::TimeNotFinite { key: 1 }
        ));
        assert!(matches!(
            make(&[0.0, 2.0, 1.0], &[0.0; 3], linear),
            TrackError::TimeNotIncreasing { key: 2, .. }
        ));
        assert!(matches!(
            make(&[0.0, 0.0], &[0.0; 2], linear),
            TrackError::TimeNotIncreasing { key: 1, .. }
        ));
        assert!(matches!(
            make(&[0.0, 1.0], &[0.0; 2], Interpolation::CubicSpline),
            TrackError::CountMismatch { expected: 6, .. }
        ));
        assert!(matches!(
            make(&[0.0, 1.0], &[0.0, f32::INFINITY], linear),
            TrackError::ValueNotFinite { value: 1 }
        ));
    }

    #[test]
    fn spline_through_zero_is_still_a_rotation() {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let values = vec![zero, Quat::IDENTITY, zero, zero, -Quat::IDENTITY, zero];
        let track = Track::new([0.0, 1.0].into(), values, Interpolation::CubicSpline).unwrap();
        assert!(track.sample(0.5).is_normalized());
    }
}
