//! Least-squares fits of uniform B-splines to equally spaced samples.

use std::sync::OnceLock;

use glam::DVec4;
use throng_format::curves::spline_weights;
use throng_simd::{F32x8, Level, Task};

/// One spline: its spans and degree over a number of samples, factorised at most once and used for every curve.
#[derive(Debug)]
pub struct Basis {
    /// Number of spans of equal duration.
    pub spans: u32,
    /// Degree from 0 to 3.
    pub degree: u32,
    /// Number of samples.
    samples: usize,
    /// Computed when the spline is first used: most never are.
    tables: OnceLock<Tables>,
}

/// Numbers of a spline that depend on its samples alone.
#[derive(Debug)]
struct Tables {
    /// One per sample.
    rows: Vec<Row>,
    /// Knots that a curve of degree 0 or 1 is compared at, beside samples: it may jump or bend there.
    knots: Vec<Knot>,
    /// Cholesky factor of the normal equations: for each key, the inverse of the diagonal and the entries to its left.
    factor: Vec<[f64; 4]>,
}

/// A sample as a combination of keys.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// First key.
    pub first: usize,
    /// Weights of that and the next keys.
    pub weights: [f64; 4],
    /// Position in the span, from 0 to 1.
    pub f: f64,
}

/// A knot, and a key whose value the curve has on one side of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knot {
    /// Last sample before the knot.
    pub sample: usize,
    /// Position between that sample and the next, above 0 and up to 1.
    pub fraction: f64,
    /// Index of the key.
    pub key: usize,
}

/// Regularisation of keys that hardly any sample depends on; far below any step.
const RIDGE: f64 = 1e-7;

impl Basis {
    /// The samples are spread over the segment from its start to its end.
    fn new(samples: usize, spans: u32, degree: u32) -> Self {
        Self {
            spans,
            degree,
            samples,
            tables: OnceLock::new(),
        }
    }

    fn tables(&self) -> &Tables {
        self.tables
            .get_or_init(|| Tables::new(self.samples, self.spans, self.degree))
    }

    /// Knots to compare at, beside samples.
    pub fn knots(&self) -> &[Knot] {
        &self.tables().knots
    }

    /// Number of keys.
    pub fn keys(&self) -> usize {
        (self.spans + self.degree) as usize
    }

    /// Number of samples per span, where knots are at samples.
    pub fn samples_per_span(&self) -> Option<usize> {
        let intervals = self.samples - 1;
        let spans = self.spans as usize;
        (intervals > 0 && intervals.is_multiple_of(spans)).then(|| intervals / spans)
    }

    /// One row per sample.
    pub fn rows(&self) -> &[Row] {
        &self.tables().rows
    }

    /// Computes the keys whose spline is nearest to the values, by least squares.
    pub fn fit(&self, values: &[DVec4], keys: &mut Vec<DVec4>) {
        keys.clear();
        keys.resize(self.keys(), DVec4::ZERO);
        let Tables { rows, factor, .. } = self.tables();
        Level::detect().run(Fit {
            degree: self.degree,
            rows,
            factor,
            values,
            keys,
        });
    }
}

impl Tables {
    fn new(samples: usize, spans: u32, degree: u32) -> Self {
        let last = (samples - 1).max(1) as f64;
        let rows: Vec<Row> = (0..samples)
            .map(|sample| {
                let along = (sample as f64 / last) * f64::from(spans);
                let span = (along as u32).min(spans - 1);
                let f = along - f64::from(span);
                Row {
                    first: span as usize,
                    weights: spline_weights(degree, f as f32).map(f64::from),
                    f,
                }
            })
            .collect();
        let keys = (spans + degree) as usize;
        // Row k of the lower band: columns k, k-1, k-2, k-3.
        let mut factor = vec![[RIDGE, 0.0, 0.0, 0.0]; keys];
        for Row { first, weights, .. } in &rows {
            for a in 0..=degree as usize {
                for b in 0..=a {
                    factor[first + a][a - b] += weights[a] * weights[b];
                }
            }
        }
        for k in 0..keys {
            for back in (0..=3.min(k)).rev() {
                let column = k - back;
                let mut sum = factor[k][back];
                for further in back + 1..=3.min(k) {
                    let other = further - back;
                    sum -= factor[k][further] * factor[column][other];
                }
                factor[k][back] = if back == 0 {
                    1.0 / sum.max(RIDGE * RIDGE).sqrt()
                } else {
                    sum * factor[column][0]
                };
            }
        }
        Self {
            rows,
            knots: knots(samples, spans, degree),
            factor,
        }
    }
}

/// [`Basis::fit`], compiled for each instruction set.
struct Fit<'a> {
    degree: u32,
    rows: &'a [Row],
    factor: &'a [[f64; 4]],
    values: &'a [DVec4],
    keys: &'a mut [DVec4],
}

impl Task for Fit<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        let Self {
            degree,
            rows,
            factor,
            values,
            keys,
        } = self;
        for (row, value) in rows.iter().zip(values) {
            let end = row.first + degree as usize + 1;
            for (key, weight) in keys[row.first..end].iter_mut().zip(row.weights) {
                *key += weight * *value;
            }
        }
        let count = keys.len();
        for k in 0..count {
            let mut sum = keys[k];
            for back in 1..=3.min(k) {
                sum -= factor[k][back] * keys[k - back];
            }
            keys[k] = sum * factor[k][0];
        }
        for k in (0..count).rev() {
            let mut sum = keys[k];
            for ahead in 1..=3.min(count - 1 - k) {
                sum -= factor[k + ahead][ahead] * keys[k + ahead];
            }
            keys[k] = sum * factor[k][0];
        }
    }
}

fn knots(samples: usize, spans: u32, degree: u32) -> Vec<Knot> {
    let inner = 1..if degree > 1 || samples < 2 { 1 } else { spans };
    let at = |knot: u32| {
        let along = f64::from(knot) / f64::from(spans) * (samples - 1) as f64;
        let sample = (along.ceil() as usize - 1).min(samples - 2);
        // Degree 0 has a key on either side.
        let keys = (knot - 1 + degree) as usize..=knot as usize;
        keys.map(move |key| Knot {
            sample,
            fraction: along - sample as f64,
            key,
        })
    };
    inner.flat_map(at).collect()
}

/// Splines for segments with a given number of samples, fewest keys first.
#[derive(Debug)]
pub struct Bases {
    samples: usize,
    all: Vec<Basis>,
    /// Indices of splines of degree 1 whose spans are the source's frames or fractions of them, fewest keys first.
    exact: Vec<usize>,
    /// The others: by degree, and whether knots are at the source's frames.
    families: Vec<Family>,
}

/// Splines of one degree. More spans are nearer.
#[derive(Debug)]
pub struct Family {
    /// Degree from 0 to 3.
    pub degree: u32,
    /// Indices of the splines, fewest keys first.
    pub indices: Vec<usize>,
}

/// Numbers of spans that are tried.
const SPANS: [u32; 20] = [
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64,
];

/// Fewest samples per span of a curve.
const SAMPLES_PER_SPAN: u32 = 2;

impl Bases {
    /// Creates all splines that the samples determine, with at most `max_spans` spans. `exact_spans`, those of the source's
    /// frames, and their multiples are tried, too.
    pub fn new(samples: usize, max_spans: u32, exact_spans: u32) -> Self {
        let most = max_spans.min(64) / exact_spans.max(1);
        let multiples = [1, 2, 3, 4, 6, 8, 12, most].map(|n| n * exact_spans);
        let mut spans: Vec<u32> = SPANS.into_iter().chain(multiples).collect();
        spans.retain(|&spans| spans > 0 && spans <= max_spans.min(64));
        if spans.is_empty() {
            spans.push(1);
        }
        spans.sort_unstable();
        spans.dedup();
        let mut all: Vec<Basis> = Vec::new();
        for degree in [1, 2, 3, 0] {
            for &spans in &spans {
                // A curve with fewer samples would be undetermined between them.
                if SAMPLES_PER_SPAN * spans < samples as u32 || spans + degree == 1 {
                    all.push(Basis::new(samples, spans, degree));
                }
            }
        }
        all.sort_by_key(|basis| (basis.keys(), basis.degree));
        let is_aligned = |basis: &Basis| exact_spans > 0 && basis.spans.is_multiple_of(exact_spans);
        let indices = |of: &dyn Fn(&Basis) -> bool| {
            let indexed = all.iter().enumerate().filter(|(_, basis)| of(basis));
            indexed.map(|(index, _)| index).collect::<Vec<usize>>()
        };
        let exact = indices(&|basis| basis.degree == 1 && is_aligned(basis));
        let families = [
            (0, false),
            (1, false),
            (2, true),
            (2, false),
            (3, true),
            (3, false),
        ];
        let families = families.map(|(degree, aligned)| Family {
            degree,
            indices: indices(&|basis| {
                let is_any = degree == 0 || is_aligned(basis) == aligned;
                basis.degree == degree && is_any
            }),
        });
        Self {
            samples,
            exact,
            families: families.into(),
            all,
        }
    }

    /// Number of samples of a segment.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Indices of splines of degree 1 whose spans are the source's frames or fractions of them, fewest keys first.
    pub fn exact(&self) -> &[usize] {
        &self.exact
    }

    /// The others: by degree, and whether knots are at the source's frames.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// All splines, fewest keys first; the first is a constant.
    pub fn all(&self) -> &[Basis] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the spline at a sample.
    fn at(row: &Row, keys: &[DVec4]) -> DVec4 {
        let keys = keys[row.first..].iter().zip(row.weights);
        keys.map(|(key, weight)| weight * *key).sum()
    }

    #[test]
    fn knots_of_stairs_have_both_sides_and_bends_have_one() {
        let knot = |key| Knot {
            sample: 4,
            fraction: 0.5,
            key,
        };
        assert_eq!(Basis::new(10, 2, 0).knots(), [knot(0), knot(1)]);
        assert_eq!(Basis::new(10, 2, 1).knots(), [knot(1)]);
        assert!(Basis::new(10, 2, 2).knots().is_empty());
        assert!(Basis::new(1, 1, 0).knots().is_empty());
    }

    #[test]
    fn splines_are_factorised_when_first_used() {
        let bases = Bases::new(65, 64, 32);
        let used = |bases: &Bases| {
            bases
                .all()
                .iter()
                .filter(|b| b.tables.get().is_some())
                .count()
        };
        assert_eq!(used(&bases), 0);
        bases.all()[3].fit(&[DVec4::ONE; 65], &mut Vec::new());
        assert_eq!(used(&bases), 1);
    }

    /// A polynomial of the spline's degree is in its space: the fit is exact.
    #[test]
    fn polynomials_are_fitted_exactly() {
        for degree in 1..=3u32 {
            for spans in [1, 2, 5, 16] {
                let basis = Basis::new(65, spans, degree);
                let value = |t: f64| {
                    let d = degree as i32;
                    DVec4::new(1.0 - 2.0 * t.powi(d), t, 0.5 + t.powi(d) - t, 1.0)
                };
                let values: Vec<DVec4> = (0..65).map(|i| value(f64::from(i) / 64.0)).collect();
                let mut keys = Vec::new();
                basis.fit(&values, &mut keys);
                for (row, value) in basis.rows().iter().zip(&values) {
                    let error = at(row, &keys).distance(*value);
                    assert!(error < 1e-5, "degree {degree}, {spans} spans: {error}");
                }
            }
        }
    }

    #[test]
    fn fit_minimises_the_sum_of_squares() {
        let basis = Basis::new(41, 6, 3);
        let values: Vec<DVec4> = (0..41)
            .map(|i| DVec4::splat((f64::from(i) * 1.7).sin()))
            .collect();
        let mut keys = Vec::new();
        basis.fit(&values, &mut keys);
        let cost = |keys: &[DVec4]| -> f64 {
            let each = basis.rows().iter().zip(&values);
            each.map(|(row, v)| at(row, keys).distance_squared(*v))
                .sum()
        };
        let least = cost(&keys);
        for k in 0..keys.len() {
            for change in [-1e-3, 1e-3] {
                let mut moved = keys.clone();
                moved[k].x += change;
                assert!(cost(&moved) > least);
            }
        }
    }
}
