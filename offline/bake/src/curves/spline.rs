//! Values of splines at samples, and their largest distance from given values.

use glam::DVec4;
use throng_format::curves::slerp_weight;
use throng_simd::{F32x8, Level, Task};

use super::Kind;
use super::basis::{Basis, Row};

/// Distance between two samples from which the source jumps between them, in tolerances.
const JUMP: f64 = 4.0;

/// Returns the largest distance between values and the spline of some keys, or the first one above `limit`.
pub fn largest_error(
    basis: &Basis,
    kind: Kind,
    keys: &[DVec4],
    values: &[DVec4],
    tolerance: f64,
    limit: f64,
) -> f64 {
    let mut worst = 0.0;
    Level::detect().run(LargestError {
        basis,
        kind,
        keys,
        values,
        limit_squared: limit * limit,
        worst: &mut worst,
    });
    if worst > limit * limit {
        return worst.sqrt();
    }
    for knot in basis.knots() {
        let [before, after] = [0, 1].map(|next| values[knot.sample + next]);
        // The value at a jump of the source is not known.
        if kind.distance_squared(before, after) > (JUMP * tolerance).powi(2) {
            continue;
        }
        let here = kind.normalized(before.lerp(after, knot.fraction));
        let there = kind.normalized(keys[knot.key]);
        worst = worst.max(kind.distance_squared(there, here));
    }
    worst.sqrt()
}

/// Computes the values of the spline of some keys at all samples.
pub fn values_at_samples(basis: &Basis, kind: Kind, keys: &[DVec4], out: &mut Vec<DVec4>) {
    out.clear();
    out.resize(basis.rows().len(), DVec4::ZERO);
    Level::detect().run(Values {
        basis,
        kind,
        keys,
        out,
    });
}

struct LargestError<'a> {
    basis: &'a Basis,
    kind: Kind,
    keys: &'a [DVec4],
    values: &'a [DVec4],
    limit_squared: f64,
    worst: &'a mut f64,
}

impl Task for LargestError<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let mut worst = 0f64;
        // Each chunk is checked against the limit once.
        let chunks = self.basis.rows().chunks(8).zip(self.values.chunks(8));
        for (rows, values) in chunks {
            for (row, value) in rows.iter().zip(values) {
                let there = value_at(self.basis.degree, self.kind, row, self.keys);
                worst = worst.max(self.kind.distance_squared(there, *value));
            }
            if worst > self.limit_squared {
                break;
            }
        }
        *self.worst = worst;
    }
}

struct Values<'a> {
    basis: &'a Basis,
    kind: Kind,
    keys: &'a [DVec4],
    out: &'a mut [DVec4],
}

impl Task for Values<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        for (row, out) in self.basis.rows().iter().zip(self.out) {
            *out = value_at(self.basis.degree, self.kind, row, self.keys);
        }
    }
}

/// Value of a spline at a sample, as decoders compute it.
#[inline(always)]
fn value_at(degree: u32, kind: Kind, row: &Row, keys: &[DVec4]) -> DVec4 {
    let Row {
        first,
        weights: w,
        f,
    } = *row;
    let sum = match degree {
        0 => return keys[first],
        1 => {
            let [a, b] = [keys[first], keys[first + 1]];
            let second = match kind {
                Kind::Vector => f,
                Kind::Rotation => {
                    let cosine = a.dot(b).clamp(0.0, 1.0);
                    f64::from(slerp_weight(cosine as f32, f as f32))
                }
            };
            a * (1.0 - second) + b * second
        }
        2 => keys[first] * w[0] + keys[first + 1] * w[1] + keys[first + 2] * w[2],
        _ => {
            keys[first] * w[0]
                + keys[first + 1] * w[1]
                + keys[first + 2] * w[2]
                + keys[first + 3] * w[3]
        }
    };
    kind.normalized(sum)
}
