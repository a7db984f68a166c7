//! Keys of a track as coefficients that are cheap to evaluate. A span reaches from a key to the next. It is
//! one or two rows that need no other data, with everything that is known beforehand folded in.
//!
//! - [`SpanKind::Linear`], one row: `from` and `change`. A vector is `from + t change`. A rotation is
//!   `cos(tθ) from + t sinc(tθ) change`, where `change` is as long as the arc θ and orthogonal to `from`:
//!   this is slerp, for every arc and without a square root or division. A key that holds until the next
//!   (STEP) has a change of zero.
//! - [`SpanKind::Cubic`], two rows: the four coefficients of the cubic in `t`, with tangents multiplied by
//!   the seconds of the span.
//!
//! There are as many spans as keys; the last is constant.

use glam::{DQuat, DVec3, DVec4, Quat, Vec3};
use throng_simd::Lanes;

use crate::{Interpolation, Key, Track};

/// A track, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Spans<V> {
    /// The same value at all times.
    Constant(V),
    /// Changes with time.
    Animated {
        kind: SpanKind,
        /// [`SpanKind::rows`] per key.
        rows: Vec<Lanes>,
    },
}

/// Contents of the rows of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanKind {
    Linear,
    Cubic,
}

impl SpanKind {
    /// Number of rows per span.
    pub(super) fn rows(self) -> usize {
        match self {
            Self::Linear => 1,
            Self::Cubic => 2,
        }
    }
}

/// A keyed value that can be laid out in rows. Vectors leave the last of each four numbers zero.
pub(super) trait RowKey: Key {
    /// Numbers as in the file.
    fn raw(self) -> DVec4;
    /// Numbers of a sampled value.
    fn four(value: &Self::Value) -> DVec4;
    /// Change from one key to the next.
    fn change(from: DVec4, to: DVec4) -> DVec4;

    /// Numbers at a key.
    fn at_key(self) -> DVec4 {
        Self::four(&self.value())
    }
}

impl RowKey for Vec3 {
    fn raw(self) -> DVec4 {
        self.as_dvec3().extend(0.0)
    }
    fn four(value: &DVec3) -> DVec4 {
        value.extend(0.0)
    }
    fn change(from: DVec4, to: DVec4) -> DVec4 {
        to - from
    }
}

impl RowKey for Quat {
    fn raw(self) -> DVec4 {
        self.as_dquat().into()
    }
    fn four(value: &DQuat) -> DVec4 {
        (*value).into()
    }
    fn change(from: DVec4, to: DVec4) -> DVec4 {
        let dot = from.dot(to);
        // Both signs are the same rotation; the nearer one has the shorter arc.
        let to = if dot < 0.0 { -to } else { to };
        let arc = 2.0 * ((to - from).length() * 0.5).asin();
        (to - from * dot.abs()).normalize_or_zero() * arc
    }
}

impl<K: RowKey> From<&Track<K>> for Spans<K::Value> {
    fn from(track: &Track<K>) -> Self {
        let (kind, rows) = match track.interpolation() {
            Interpolation::Step => (SpanKind::Linear, steps(track.values())),
            Interpolation::Linear => (SpanKind::Linear, lines(track.values())),
            Interpolation::CubicSpline => (SpanKind::Cubic, splines(track)),
        };
        let constant = rows.chunks_exact(kind.rows()).all(|span| {
            span[0].0[..4] == rows[0].0[..4]
                && span[0].0[4..].iter().all(|&x| x == 0.0)
                && span[1..].iter().all(|row| *row == Lanes::default())
        });
        if constant {
            let first = match kind {
                SpanKind::Linear => track.values()[0],
                SpanKind::Cubic => track.values()[1],
            };
            return Self::Constant(first.value());
        }
        Self::Animated { kind, rows }
    }
}

fn steps<K: RowKey>(values: &[K]) -> Vec<Lanes> {
    let row = |value: &K| row(value.at_key(), DVec4::ZERO);
    values.iter().map(row).collect()
}

fn lines<K: RowKey>(values: &[K]) -> Vec<Lanes> {
    let between = values.windows(2).map(|pair| {
        let (from, to) = (pair[0].at_key(), pair[1].at_key());
        row(from, K::change(from, to))
    });
    let last = row(values[values.len() - 1].at_key(), DVec4::ZERO);
    between.chain([last]).collect()
}

fn splines<K: RowKey>(track: &Track<K>) -> Vec<Lanes> {
    let (times, values) = (track.times(), track.values());
    let mut rows = Vec::with_capacity(2 * times.len());
    for (key, pair) in times.windows(2).enumerate() {
        let span_secs = pair[1] - pair[0];
        let [from, leaving, arriving, to] = [1, 2, 3, 4].map(|i| values[3 * key + i].raw());
        let (leaving, arriving) = (leaving * span_secs, arriving * span_secs);
        let square = 3.0 * (to - from) - 2.0 * leaving - arriving;
        let cube = 2.0 * (from - to) + leaving + arriving;
        rows.extend([row(from, leaving), row(square, cube)]);
    }
    let last = values[values.len() - 2].raw();
    rows.extend([row(last, DVec4::ZERO), Lanes::default()]);
    rows
}

fn row(first: DVec4, second: DVec4) -> Lanes {
    let [first, second] = [first, second].map(|four| four.as_vec4().to_array());
    Lanes(std::array::from_fn(|i| match i {
        0..4 => first[i],
        _ => second[i - 4],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(values: &[f32], interpolation: Interpolation) -> Spans<DVec3> {
        let keys = values.len() / interpolation.values_per_key();
        let times = (0..keys).map(|key| key as f64).collect();
        let values = values.iter().map(|&v| Vec3::splat(v)).collect();
        Spans::from(&Track::new(times, values, interpolation).unwrap())
    }

    #[test]
    fn what_constant_is_a_constant() {
        let constant: [(&[f32], _); 4] = [
            (&[7.0], Interpolation::Linear),
            (&[7.0, 7.0], Interpolation::Step),
            (&[7.0, 7.0, 7.0], Interpolation::Linear),
            (&[0.0, 7.0, 0.0, 0.0, 7.0, 0.0], Interpolation::CubicSpline),
        ];
        for (values, interpolation) in constant {
            let expected = Spans::Constant(DVec3::splat(7.0));
            assert_eq!(spans(values, interpolation), expected, "{values:?}");
        }
        let animated: [(&[f32], _); 4] = [
            (&[7.0, 8.0], Interpolation::Step),
            (&[7.0, 7.0, 8.0], Interpolation::Linear),
            (&[0.0, 7.0, 1.0, 0.0, 7.0, 0.0], Interpolation::CubicSpline),
            (&[0.0, 7.0, 0.0, 0.0, 8.0, 0.0], Interpolation::CubicSpline),
        ];
        for (values, interpolation) in animated {
            let spans = spans(values, interpolation);
            assert!(
                matches!(spans, Spans::Animated { .. }),
                "{values:?} {interpolation:?}"
            );
        }
    }

    #[test]
    fn rotation_change_is_as_long_as_the_shortest_arc() {
        for (degrees, arc_degrees) in [(0.0, 0.0), (1e-3, 5e-4), (90.0, 45.0), (350.0, 5.0)] {
            let from = Quat::from_rotation_x(1.0).at_key();
            let to = DQuat::from_rotation_x(1.0 + f64::to_radians(degrees));
            let change = Quat::change(from, to.into());
            assert!((change.length().to_degrees() - arc_degrees).abs() < 1e-5);
            assert!(change.dot(from).abs() < 1e-8);
        }
    }
}
