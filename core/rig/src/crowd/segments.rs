//! The keys of a track as numbers that are cheap to evaluate: what lies between a key and the next is
//! one or two rows, complete in themselves, with all that can be known beforehand worked in.
//!
//! - [`Shape::Line`], one row: `from` and `change`. A vector is `from + t change`. A rotation is
//!   `cos(tθ) from + t sinc(tθ) change`, where `change` is as long as the arc θ and at right angles to
//!   `from`: this is slerp, for every arc and without a square root or division. A key that holds until
//!   the next (STEP) has a change of zero.
//! - [`Shape::Spline`], two rows: the four coefficients of the cubic in `t`, the tangents' seconds applied.
//!
//! There are as many segments as keys; the last stands still.

use glam::{DQuat, DVec3, DVec4, Quat, Vec3};

use super::lanes::Eight;
use crate::{Interpolation, Key, Track};

/// A track, ready to be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Segments<V> {
    /// All keys are the same and nothing happens between them.
    Constant(V),
    /// Changes with time.
    Moving {
        shape: Shape,
        /// [`Shape::rows`] for each key.
        rows: Vec<Eight>,
    },
}

/// What the rows of a segment hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Line,
    Spline,
}

impl Shape {
    /// How many rows a segment has.
    pub(super) fn rows(self) -> usize {
        match self {
            Self::Line => 1,
            Self::Spline => 2,
        }
    }
}

/// A value that can be laid out in rows; vectors leave the last of each four numbers zero.
pub(super) trait RowKey: Key {
    /// As it is in the file.
    fn raw(self) -> DVec4;
    /// The numbers of a sampled value.
    fn four(value: &Self::Value) -> DVec4;
    /// What leads from one key to the next.
    fn change(from: DVec4, to: DVec4) -> DVec4;

    /// The numbers at a key.
    fn at_key(self) -> DVec4 {
        Self::four(&self.at())
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
        // Both signs are the same rotation; the nearer one is the shortest arc away.
        let to = if dot < 0.0 { -to } else { to };
        let arc = 2.0 * ((to - from).length() * 0.5).asin();
        (to - from * dot.abs()).normalize_or_zero() * arc
    }
}

impl<K: RowKey> From<&Track<K>> for Segments<K::Value> {
    fn from(track: &Track<K>) -> Self {
        let (shape, rows) = match track.interpolation() {
            Interpolation::Step => (Shape::Line, steps(track.values())),
            Interpolation::Linear => (Shape::Line, lines(track.values())),
            Interpolation::CubicSpline => (Shape::Spline, splines(track)),
        };
        let stands_still = rows.chunks_exact(shape.rows()).all(|segment| {
            segment[0].0[..4] == rows[0].0[..4]
                && segment[0].0[4..].iter().all(|&x| x == 0.0)
                && segment[1..].iter().all(|row| *row == Eight::default())
        });
        if stands_still {
            let first = match shape {
                Shape::Line => track.values()[0],
                Shape::Spline => track.values()[1],
            };
            return Self::Constant(first.at());
        }
        Self::Moving { shape, rows }
    }
}

fn steps<K: RowKey>(values: &[K]) -> Vec<Eight> {
    let row = |value: &K| row(value.at_key(), DVec4::ZERO);
    values.iter().map(row).collect()
}

fn lines<K: RowKey>(values: &[K]) -> Vec<Eight> {
    let between = values.windows(2).map(|pair| {
        let (from, to) = (pair[0].at_key(), pair[1].at_key());
        row(from, K::change(from, to))
    });
    let last = row(values[values.len() - 1].at_key(), DVec4::ZERO);
    between.chain([last]).collect()
}

fn splines<K: RowKey>(track: &Track<K>) -> Vec<Eight> {
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
    rows.extend([row(last, DVec4::ZERO), Eight::default()]);
    rows
}

fn row(first: DVec4, second: DVec4) -> Eight {
    let [first, second] = [first, second].map(|four| four.as_vec4().to_array());
    Eight(std::array::from_fn(|i| match i {
        0..4 => first[i],
        _ => second[i - 4],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(values: &[f32], interpolation: Interpolation) -> Segments<DVec3> {
        let keys = values.len() / interpolation.values_per_key();
        let times = (0..keys).map(|key| key as f64).collect();
        let values = values.iter().map(|&v| Vec3::splat(v)).collect();
        Segments::from(&Track::new(times, values, interpolation).unwrap())
    }

    #[test]
    fn what_stands_still_is_a_constant() {
        let still: [(&[f32], _); 4] = [
            (&[7.0], Interpolation::Linear),
            (&[7.0, 7.0], Interpolation::Step),
            (&[7.0, 7.0, 7.0], Interpolation::Linear),
            (&[0.0, 7.0, 0.0, 0.0, 7.0, 0.0], Interpolation::CubicSpline),
        ];
        for (values, interpolation) in still {
            let expected = Segments::Constant(DVec3::splat(7.0));
            assert_eq!(segments(values, interpolation), expected, "{values:?}");
        }
        let moving: [(&[f32], _); 4] = [
            (&[7.0, 8.0], Interpolation::Step),
            (&[7.0, 7.0, 8.0], Interpolation::Linear),
            (&[0.0, 7.0, 1.0, 0.0, 7.0, 0.0], Interpolation::CubicSpline),
            (&[0.0, 7.0, 0.0, 0.0, 8.0, 0.0], Interpolation::CubicSpline),
        ];
        for (values, interpolation) in moving {
            let segments = segments(values, interpolation);
            assert!(
                matches!(segments, Segments::Moving { .. }),
                "{values:?} {interpolation:?}"
            );
        }
    }

    #[test]
    fn a_change_of_rotation_is_as_long_as_the_shortest_arc() {
        for (degrees, arc_degrees) in [(0.0, 0.0), (1e-3, 5e-4), (90.0, 45.0), (350.0, 5.0)] {
            let from = Quat::from_rotation_x(1.0).at_key();
            let turn = DQuat::from_rotation_x(1.0 + f64::to_radians(degrees));
            let change = Quat::change(from, turn.into());
            assert!((change.length().to_degrees() - arc_degrees).abs() < 1e-5);
            assert!(change.dot(from).abs() < 1e-8);
        }
    }
}
