//! The smallest curve within an error.

use glam::{DQuat, DVec3, DVec4};
use throng_format::curves::{CurveHeader, MAX_WIDTH, step_size};
use throng_rig::{mrp_from_signed_quat, quat_from_mrp};

use super::Bases;
use super::basis::Basis;

/// What the numbers of a curve are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Keys are points; the fourth component is not used.
    Vector,
    /// Keys are modified Rodrigues parameters, values unit quaternions without jumps of sign; distances
    /// are angles.
    Rotation,
}

impl Kind {
    /// What a key stands for.
    fn value(self, key: DVec3) -> DVec4 {
        match self {
            Self::Vector => key.extend(0.0),
            Self::Rotation => DVec4::from(quat_from_mrp(key)),
        }
    }

    /// The key that stands for a value that was fitted.
    fn key(self, value: DVec4) -> DVec3 {
        match self {
            Self::Vector => value.truncate(),
            Self::Rotation => mrp_from_signed_quat(DQuat::from_vec4(value).normalize()),
        }
    }

    /// A sum of weighted values.
    fn blended(self, sum: DVec4) -> DVec4 {
        match self {
            Self::Vector => sum,
            Self::Rotation => sum.normalize(),
        }
    }

    /// Square of the distance between values.
    fn distance_squared(self, a: DVec4, b: DVec4) -> f64 {
        match self {
            Self::Vector => a.distance_squared(b),
            // A chord between quaternions is half the angle, where it is small.
            Self::Rotation => 4.0 * a.distance_squared(b),
        }
    }

    /// How far a value is from the reference itself.
    fn origin(self) -> DVec4 {
        match self {
            Self::Vector => DVec4::ZERO,
            Self::Rotation => DVec4::W,
        }
    }

    /// How much a step of one in a key's component moves the value, at most.
    fn gain(self) -> f64 {
        match self {
            Self::Vector => 1.0,
            Self::Rotation => 4.0,
        }
    }
}

/// A curve of one track in one segment, ready to be written.
#[derive(Debug, Clone)]
pub struct CompressedCurve {
    /// All but where its keys are.
    pub header: CurveHeader,
    /// In units of the step.
    pub keys: Vec<[i32; 3]>,
    /// Whether it is within the tolerance that was asked for.
    pub is_held: bool,
}

impl CompressedCurve {
    /// Bits of its keys.
    pub fn bits(&self) -> usize {
        self.header.key_bits() as usize * self.keys.len()
    }

    /// What it comes out as, from its reference, at each of the samples it was fitted to.
    pub fn values(&self, bases: &Bases, kind: Kind, out: &mut Vec<DVec4>) {
        let step = f64::from(step_size(self.header.step));
        let key = |key: &[i32; 3]| kind.value(DVec3::from_array(key.map(f64::from)) * step);
        let keys: Vec<DVec4> = self.keys.iter().map(key).collect();
        let basis = bases
            .iter()
            .find(|basis| (basis.spans, basis.degree) == (self.header.spans, self.header.degree));
        let basis = basis.expect("a curve is made of one of its bases");
        out.clear();
        out.extend((0..bases.samples()).map(|s| kind.blended(basis.value(&keys, s))));
    }
}

/// The curve of fewest bits whose largest distance from the values is within the tolerance; where there
/// is none, the nearest. Values are as seen from the reference, which is the caller's.
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
        is_held: true,
    };
    let still = |v: &DVec4| kind.distance_squared(*v, kind.origin()) <= tolerance * tolerance;
    if values.iter().all(still) {
        return flat;
    }
    let fitter = Fitter {
        kind,
        reference,
        values,
        tolerance,
    };
    fitter.smallest(bases).unwrap_or_else(|| CompressedCurve {
        is_held: false,
        ..fitter.nearest(bases).unwrap_or(flat)
    })
}

/// [`fit`] of points, with the middle of their box as the reference, which is given back as it is decoded.
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

/// The middle of the box around vectors.
pub fn middle(values: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let min = values.clone().fold(DVec3::INFINITY, DVec3::min);
    let max = values.fold(DVec3::NEG_INFINITY, DVec3::max);
    (min + max) * 0.5
}

/// A reference as it is decoded.
pub fn stored_reference(reference: [u16; 3]) -> DVec3 {
    let header = CurveHeader {
        reference,
        ..CurveHeader::default()
    };
    DVec3::from_array(header.reference().map(f64::from))
}

#[derive(Clone, Copy)]
struct Fitter<'v> {
    kind: Kind,
    reference: [u16; 3],
    values: &'v [DVec4],
    tolerance: f64,
}

impl Fitter<'_> {
    /// The curve of fewest bits that is within the tolerance.
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

    /// The curve that is nearest before its keys are rounded, at the finest step.
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

    /// The keys of the spline that is nearest to the values, and its largest distance from them; gives up
    /// past `limit`.
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

    /// The largest distance between the values and the spline of some keys; gives up past `limit`.
    fn error(&self, basis: &Basis, keys: impl Iterator<Item = DVec3>, limit: f64) -> f64 {
        let keys: Vec<DVec4> = keys.map(|key| self.kind.value(key)).collect();
        let mut worst: f64 = 0.0;
        for (sample, value) in self.values.iter().enumerate() {
            let there = self.kind.blended(basis.value(&keys, sample));
            worst = worst.max(self.kind.distance_squared(there, *value));
            if worst > limit * limit {
                break;
            }
        }
        worst.sqrt()
    }

    /// The tolerance in units of a key's components.
    fn key_tolerance(&self) -> f64 {
        self.tolerance / self.kind.gain()
    }

    /// Bits that a key takes at least: its range in steps that are as coarse as can be.
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

    /// The keys at the coarsest step that keeps the curve within the tolerance.
    fn coarsest(&self, basis: &Basis, keys: &[DVec3]) -> Option<CompressedCurve> {
        // A step of four tolerances can pass only by luck.
        let first = (-(4.0 * self.key_tolerance()).log2() - 4.0).ceil();
        let first = first.clamp(0.0, 31.0) as u32;
        (first..(first + 8).min(32)).find_map(|step| {
            let size = f64::from(step_size(step));
            let rounded = keys.iter().map(|key| (*key / size).round() * size);
            let error = self.error(basis, rounded, self.tolerance);
            (error <= self.tolerance).then(|| self.pack(basis, keys, step))?
        })
    }

    /// The keys at the finest step that their widths allow.
    fn finest(&self, basis: &Basis, keys: &[DVec3]) -> Option<CompressedCurve> {
        (0..32).rev().find_map(|step| self.pack(basis, keys, step))
    }

    fn pack(&self, basis: &Basis, keys: &[DVec3], step: u32) -> Option<CompressedCurve> {
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
            is_held: true,
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
    fn widths_hold_their_numbers() {
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
    fn a_curve_is_within_its_tolerance_and_grows_as_it_shrinks() {
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

    #[test]
    fn what_stays_costs_nothing_and_a_jump_is_a_step() {
        let bases = Bases::new(65, 64, 16);
        let still = [DVec4::splat(1e-5); 65];
        let still = fit(&bases, Kind::Vector, [32768; 3], &still, 1e-4);
        assert_eq!(still.bits(), 0);
        let jump: Vec<DVec4> = (0..65)
            .map(|i| DVec4::X * f64::from(u32::from(i >= 32)))
            .collect();
        let jump = fit(&bases, Kind::Vector, [32768; 3], &jump, 1e-3);
        assert_eq!((jump.header.degree, jump.header.spans), (0, 2));
    }
}
