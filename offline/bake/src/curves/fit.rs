//! The smallest curve within a tolerance.

use glam::{DQuat, DVec3, DVec4};
use throng_format::curves::{CurveHeader, MAX_WIDTH, step_size};
use throng_rig::{mrp_from_signed_quat, quat_from_mrp};

use super::Bases;
use super::basis::Basis;

/// Kind of the values of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys are points; the fourth component is not used.
    Vector,
    /// Keys are modified Rodrigues parameters, values unit quaternions without jumps of sign; distances are angles.
    Rotation,
}

impl Kind {
    /// Returns the value of a key.
    fn value(self, key: DVec3) -> DVec4 {
        match self {
            Self::Vector => key.extend(0.0),
            Self::Rotation => DVec4::from(quat_from_mrp(key)),
        }
    }

    /// Returns the key of a fitted value.
    fn key(self, value: DVec4) -> DVec3 {
        match self {
            Self::Vector => value.truncate(),
            Self::Rotation => mrp_from_signed_quat(DQuat::from_vec4(value).normalize()),
        }
    }

    /// Returns the value of a weighted sum.
    fn normalized(self, sum: DVec4) -> DVec4 {
        match self {
            Self::Vector => sum,
            Self::Rotation => sum.normalize(),
        }
    }

    /// Squared distance between values.
    fn distance_squared(self, a: DVec4, b: DVec4) -> f64 {
        match self {
            Self::Vector => a.distance_squared(b),
            // A chord between quaternions is half the angle, where it is small.
            Self::Rotation => 4.0 * a.distance_squared(b),
        }
    }

    /// Value of the reference itself.
    fn origin(self) -> DVec4 {
        match self {
            Self::Vector => DVec4::ZERO,
            Self::Rotation => DVec4::W,
        }
    }

    /// Largest change of a value per unit of a key's component.
    fn gain(self) -> f64 {
        match self {
            Self::Vector => 1.0,
            Self::Rotation => 4.0,
        }
    }
}

/// A compressed curve of one joint channel or vertex in one segment.
#[derive(Debug, Clone)]
pub struct CompressedCurve {
    /// Header; its offset is set when the curve is written.
    pub header: CurveHeader,
    /// Keys in units of the step.
    pub keys: Vec<[i32; 3]>,
    /// True where the curve is within the tolerance.
    pub is_within: bool,
}

impl CompressedCurve {
    /// Bits of all keys.
    pub fn bits(&self) -> usize {
        self.header.key_bits() as usize * self.keys.len()
    }

    /// Computes the decoded values, relative to the reference, at each sample the curve was fitted to.
    pub fn values(&self, bases: &Bases, kind: Kind, out: &mut Vec<DVec4>) {
        let step = f64::from(step_size(self.header.step));
        let key = |key: &[i32; 3]| kind.value(DVec3::from_array(key.map(f64::from)) * step);
        let keys: Vec<DVec4> = self.keys.iter().map(key).collect();
        let basis = bases
            .iter()
            .find(|basis| (basis.spans, basis.degree) == (self.header.spans, self.header.degree));
        let basis = basis.expect("a curve uses one of its bases");
        out.clear();
        out.extend((0..bases.samples()).map(|s| kind.normalized(basis.value(&keys, s))));
    }
}

/// Returns the curve of fewest bits whose largest distance from the values is within the tolerance; where there is none,
/// the nearest. Values are relative to the reference, which the caller chooses.
pub fn fit(
    bases: &Bases,
    kind: Kind,
    reference: [u16; 3],
    values: &[DVec4],
    tolerance: f64,
) -> CompressedCurve {
    let flat = CompressedCurve {
        header: CurveHeader {
            reference,
            spans: 1,
            ..CurveHeader::default()
        },
        keys: vec![[0; 3]],
        is_within: true,
    };
    let is_constant = |v: &DVec4| kind.distance_squared(*v, kind.origin()) <= tolerance * tolerance;
    if values.iter().all(is_constant) {
        return flat;
    }
    let fitter = Fitter {
        kind,
        reference,
        values,
        tolerance,
    };
    fitter.smallest(bases).unwrap_or_else(|| CompressedCurve {
        is_within: false,
        ..fitter.nearest(bases).unwrap_or(flat)
    })
}

/// [`fit`] of points relative to the centre of their bounding box. Returns the curve and that reference as it is decoded.
pub fn fit_points(bases: &Bases, points: &[DVec3], tolerance: f64) -> (CompressedCurve, DVec3) {
    let stored = middle(points.iter().copied())
        .to_array()
        .map(CurveHeader::nearest_reference);
    let reference = stored_reference(stored);
    let values: Vec<DVec4> = points
        .iter()
        .map(|p| (*p - reference).extend(0.0))
        .collect();
    let curve = fit(bases, Kind::Vector, stored, &values, tolerance);
    (curve, reference)
}

/// Returns the centre of the bounding box of vectors.
pub fn middle(values: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let min = values.clone().fold(DVec3::INFINITY, DVec3::min);
    let max = values.fold(DVec3::NEG_INFINITY, DVec3::max);
    (min + max) * 0.5
}

/// Returns a reference as it is decoded.
pub fn stored_reference(reference: [u16; 3]) -> DVec3 {
    let header = CurveHeader {
        reference,
        ..CurveHeader::default()
    };
    DVec3::from_array(header.reference().map(f64::from))
}

/// Distance between two samples from which the source jumps between them, in tolerances.
const JUMP: f64 = 4.0;

#[derive(Clone, Copy)]
struct Fitter<'v> {
    kind: Kind,
    reference: [u16; 3],
    values: &'v [DVec4],
    tolerance: f64,
}

impl Fitter<'_> {
    /// Returns the curve of fewest bits within the tolerance.
    fn smallest(&self, bases: &Bases) -> Option<CompressedCurve> {
        let least_key_bits = self.least_key_bits();
        let mut best: Option<(usize, CompressedCurve)> = None;
        let mut fitted = Vec::new();
        let mut keys = Vec::new();
        for basis in bases.iter() {
            if let Some((bits, _)) = &best
                && basis.keys() * least_key_bits >= *bits
            {
                break;
            }
            let error = self.fit(basis, self.tolerance, &mut fitted, &mut keys);
            if error <= self.tolerance
                && let Some(curve) = self.coarsest(basis, &keys)
            {
                let bits = curve.bits();
                if best.as_ref().is_none_or(|(least, _)| bits < *least) {
                    best = Some((bits, curve));
                }
            }
        }
        best.map(|(_, curve)| curve)
    }

    /// Returns the curve that is nearest before its keys are rounded, at the finest step.
    fn nearest(&self, bases: &Bases) -> Option<CompressedCurve> {
        let mut nearest: Option<(f64, CompressedCurve)> = None;
        let mut fitted = Vec::new();
        let mut keys = Vec::new();
        for basis in bases.iter() {
            let limit = nearest.as_ref().map_or(f64::MAX, |(least, _)| *least);
            let error = self.fit(basis, limit, &mut fitted, &mut keys);
            if error < limit
                && let Some(curve) = self.finest(basis, &keys)
            {
                nearest = Some((error, curve));
            }
        }
        nearest.map(|(_, curve)| curve)
    }

    /// Computes the keys of the spline nearest to the values. Returns its largest distance from them, or a distance above
    /// `limit` as soon as one is found.
    fn fit(
        &self,
        basis: &Basis,
        limit: f64,
        fitted: &mut Vec<DVec4>,
        keys: &mut Vec<DVec3>,
    ) -> f64 {
        basis.fit(self.values, fitted);
        keys.clear();
        keys.extend(fitted.iter().map(|value| self.kind.key(*value)));
        self.error(basis, keys.iter().copied(), limit)
    }

    /// Returns the largest distance between the values and the spline of some keys, or the first one above `limit`.
    fn error(&self, basis: &Basis, keys: impl Iterator<Item = DVec3>, limit: f64) -> f64 {
        let keys: Vec<DVec4> = keys.map(|key| self.kind.value(key)).collect();
        let mut worst: f64 = 0.0;
        for (sample, value) in self.values.iter().enumerate() {
            let there = self.kind.normalized(basis.value(&keys, sample));
            worst = worst.max(self.kind.distance_squared(there, *value));
            if worst > limit * limit {
                return worst.sqrt();
            }
        }
        for knot in basis.knots() {
            let [before, after] = [0, 1].map(|next| self.values[knot.sample + next]);
            // The value at a jump of the source is not known.
            if self.kind.distance_squared(before, after) > (JUMP * self.tolerance).powi(2) {
                continue;
            }
            let here = self.kind.normalized(before.lerp(after, knot.fraction));
            let there = self.kind.normalized(keys[knot.key]);
            worst = worst.max(self.kind.distance_squared(there, here));
        }
        worst.sqrt()
    }

    /// Tolerance in units of a key's components.
    fn key_tolerance(&self) -> f64 {
        self.tolerance / self.kind.gain()
    }

    /// Returns a lower bound of the bits per key: its range in the coarsest steps.
    fn least_key_bits(&self) -> usize {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for value in self.values {
            let key = self.kind.key(*value);
            min = min.min(key);
            max = max.max(key);
        }
        let steps = (max - min) / (4.0 * self.key_tolerance());
        let bits = steps.to_array().map(|steps| steps.max(1.0).log2().floor());
        (bits.iter().sum::<f64>() as usize).max(1)
    }

    /// Returns the keys at the coarsest step that keeps the curve within the tolerance.
    fn coarsest(&self, basis: &Basis, keys: &[DVec3]) -> Option<CompressedCurve> {
        // A step above four tolerances can pass only by luck.
        let first = (-(4.0 * self.key_tolerance()).log2() - 4.0).ceil();
        let first = first.clamp(0.0, 31.0) as u32;
        (first..(first + 8).min(32)).find_map(|step| {
            let size = f64::from(step_size(step));
            let rounded = keys.iter().map(|key| (*key / size).round() * size);
            let error = self.error(basis, rounded, self.tolerance);
            (error <= self.tolerance).then(|| self.quantise(basis, keys, step))?
        })
    }

    /// Returns the keys at the finest step that their widths allow.
    fn finest(&self, basis: &Basis, keys: &[DVec3]) -> Option<CompressedCurve> {
        (0..32)
            .rev()
            .find_map(|step| self.quantise(basis, keys, step))
    }

    fn quantise(&self, basis: &Basis, keys: &[DVec3], step: u32) -> Option<CompressedCurve> {
        let size = f64::from(step_size(step));
        let mut widths = [0; 3];
        let keys: Vec<[i32; 3]> = keys
            .iter()
            .map(|key| (*key / size).round().to_array().map(|k| k as i32))
            .collect();
        for key in &keys {
            for (width, &k) in widths.iter_mut().zip(key) {
                *width = (*width).max(width_of(k));
            }
        }
        if widths.iter().any(|&width| width > MAX_WIDTH) {
            return None;
        }
        Some(CompressedCurve {
            header: CurveHeader {
                reference: self.reference,
                widths,
                offset: 0,
                spans: basis.spans,
                degree: basis.degree,
                step,
            },
            keys,
            is_within: true,
        })
    }
}

/// Bits of a number between `-2^(w-1)` and `2^(w-1) - 1`.
fn width_of(k: i32) -> u32 {
    match k {
        0 => 0,
        k if k > 0 => 33 - k.leading_zeros(),
        k => 33 - (!k).leading_zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_is_the_fewest_bits_of_a_number() {
        let cases = [
            (0, 0),
            (1, 2),
            (-1, 1),
            (-2, 2),
            (3, 3),
            (-4, 3),
            (-5, 4),
            (127, 8),
            (-128, 8),
        ];
        for (k, width) in cases {
            assert_eq!(width_of(k), width, "{k}");
        }
    }

    fn wave(t: f64) -> DVec3 {
        DVec3::new(0.3 * (t * 5.0).sin(), 0.1 * (t * 9.0).cos(), 0.02 * t)
    }

    #[test]
    fn curve_is_within_its_tolerance_and_grows_as_it_shrinks() {
        let bases = Bases::new(129, 64, 32);
        for kind in [Kind::Vector, Kind::Rotation] {
            let values: Vec<DVec4> = (0..129)
                .map(|i| kind.value(wave(f64::from(i) / 128.0)))
                .collect();
            let mut last = 0;
            for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] {
                let curve = fit(&bases, kind, [32768; 3], &values, tolerance);
                let mut decoded = Vec::new();
                curve.values(&bases, kind, &mut decoded);
                for (a, b) in decoded.iter().zip(&values) {
                    assert!(kind.distance_squared(*a, *b).sqrt() <= tolerance * 1.001);
                }
                assert!(curve.bits() >= last, "{tolerance}");
                last = curve.bits();
            }
            assert!(last > 0);
        }
    }

    /// Between samples, a staircase is off by as much as its source moves in a span.
    #[test]
    fn staircase_is_within_its_tolerance_at_both_sides_of_knots() {
        let bases = Bases::new(65, 64, 16);
        let ramp = |t: f64| DVec4::X * t;
        let values: Vec<DVec4> = (0..65).map(|i| ramp(f64::from(i) / 64.0)).collect();
        let fitter = Fitter {
            kind: Kind::Vector,
            reference: [32768; 3],
            values: &values,
            tolerance: 1.0,
        };
        for basis in bases.iter().filter(|basis| basis.degree == 0) {
            let error = fitter.fit(basis, 1.0, &mut Vec::new(), &mut Vec::new());
            let half_a_step = 0.5 / f64::from(basis.spans);
            assert!(
                error >= half_a_step - 1e-9,
                "{} spans: {error}",
                basis.spans
            );
        }
    }

    #[test]
    fn constant_takes_no_bits_and_a_jump_is_a_step() {
        let bases = Bases::new(65, 64, 16);
        let constant = [DVec4::splat(1e-5); 65];
        let constant = fit(&bases, Kind::Vector, [32768; 3], &constant, 1e-4);
        assert_eq!(constant.bits(), 0);
        let jump: Vec<DVec4> = (0..65)
            .map(|i| DVec4::X * f64::from(u32::from(i >= 32)))
            .collect();
        let jump = fit(&bases, Kind::Vector, [32768; 3], &jump, 1e-3);
        assert_eq!((jump.header.degree, jump.header.spans), (0, 2));
    }
}
