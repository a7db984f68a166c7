//! The smallest curve within a tolerance.

use glam::{DVec3, DVec4};
use throng_format::curves::{CurveHeader, MAX_STEP, REFERENCE_BITS};

use super::Bases;
use super::basis::{Basis, Family};
use super::origins::{Kind, Origins};
use super::quantise::{Quantised, decode_keys, quantise_keys};
use super::spline::{largest_error, values_at_samples};

/// A compressed curve of one joint channel or vertex in one segment.
#[derive(Debug, Clone)]
pub struct CompressedCurve {
    /// Header; its offset is set when the curve is written.
    pub header: CurveHeader,
    /// Reference as stored; meaningful where the header says that there is one.
    pub reference: [u32; 3],
    /// Full keys and residuals as stored.
    pub keys: Vec<[i32; 3]>,
    /// True where the curve is within the tolerance.
    pub is_within: bool,
}

impl CompressedCurve {
    /// Bits of reference and keys.
    pub fn bits(&self) -> usize {
        self.header.bits() as usize
    }
}

/// Splines that were best for a curve before: only these are tried again for a similar tolerance.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    tolerance: f64,
    hints: Vec<Hint>,
}

/// A spline, and the coarsest step that was within the tolerance.
#[derive(Debug, Clone, Copy)]
struct Hint {
    basis: usize,
    step: u32,
}

/// Largest change of the tolerance for which hints hold, as a factor.
const HINT_RANGE: f64 = 1.35;
/// Error of the nearest curve with rounded keys, as a multiple of that before rounding.
const NEAREST: f64 = 1.1;
/// Error that is not improved, in tolerances.
const HOPELESS: f64 = 2.5;
/// Error that need not be improved, in tolerances.
const EASY: f64 = 0.5;
/// Typical largest error by rounding of keys, in steps.
const ROUNDING: f64 = 0.55;

/// Extent of the search for the smallest curve.
#[derive(Debug, Clone, Copy)]
pub struct FitEffort {
    /// Degrees of splines that are tried, beside degree 1 at the source's frames.
    pub degrees: &'static [u32],
    /// Number of splines that are quantised in full, of those that promise fewest bits.
    pub candidates: usize,
    /// Number of larger numbers of spans that are tried of each family.
    pub more_spans: usize,
    /// Number of times that the largest residuals are fitted again: to compare splines, and for the final keys.
    pub refinements: [usize; 2],
}

impl Default for FitEffort {
    /// Compares all splines.
    fn default() -> Self {
        Self {
            degrees: &[0, 1, 2, 3],
            candidates: 2,
            more_spans: 2,
            refinements: [1, 2],
        }
    }
}

impl FitEffort {
    /// Tries cubic splines only, and rounds the first one that is near enough.
    pub const QUICK: Self = Self {
        degrees: &[3],
        candidates: 1,
        more_spans: 0,
        refinements: [0, 1],
    };
}

/// Fits curves to values at the samples of some splines. Holds buffers that are reused.
#[derive(Debug, Default)]
pub struct Fitter {
    effort: FitEffort,
    fitted: Vec<DVec4>,
    /// Fitted keys relative to the chosen origin.
    keys: Vec<DVec3>,
    /// Fitted keys relative to the other origin.
    other_keys: Vec<DVec3>,
    /// True where the chosen origin is the reference.
    has_reference: bool,
    decoded: Vec<DVec4>,
    quantised: Quantised,
    trial: Quantised,
    /// Decoded values at the samples of the last curve, relative to the reference.
    pub values: Vec<DVec4>,
}

/// A spline that is within the tolerance before its keys are rounded.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    hint: Hint,
    bits: usize,
}

/// A curve, and its largest error.
#[derive(Debug)]
struct Found {
    curve: CompressedCurve,
    /// Coarsest step within the tolerance.
    coarsest_step: u32,
    basis: usize,
    error: f64,
}

/// Values to fit, and how far a curve may be from them.
#[derive(Clone, Copy)]
struct Goal<'a> {
    origins: &'a Origins,
    values: &'a [DVec4],
    tolerance: f64,
}

impl Fitter {
    /// Makes empty buffers.
    pub fn new(effort: FitEffort) -> Self {
        Self {
            effort,
            ..Self::default()
        }
    }

    /// Returns the curve of fewest bits whose largest distance from the values is within the tolerance; where there is
    /// none, the nearest. Values are relative to the reference of the origins. Sets [`Self::values`].
    pub fn fit(
        &mut self,
        bases: &Bases,
        origins: &Origins,
        values: &[DVec4],
        tolerance: f64,
        hints: &mut Hints,
    ) -> CompressedCurve {
        let goal = Goal {
            origins,
            values,
            tolerance,
        };
        let ratio = tolerance / hints.tolerance;
        let is_near = ratio < HINT_RANGE && ratio > 1.0 / HINT_RANGE;
        let mut found = None;
        if is_near {
            found = self.smallest(bases, goal, &mut hints.hints);
        }
        if found.is_none() {
            hints.tolerance = tolerance;
            hints.hints = self.candidates(bases, goal);
            found = self.smallest(bases, goal, &mut hints.hints);
        }
        let found = found.unwrap_or_else(|| self.nearest(bases, goal));
        self.decode(origins, &found.curve);
        values_at_samples(
            &bases.all()[found.basis],
            origins.kind(),
            &self.decoded,
            &mut self.values,
        );
        found.curve
    }

    /// Returns the splines within the tolerance that promise fewest bits. Of each family, the fewest spans are found by
    /// bisection.
    fn candidates(&mut self, bases: &Bases, goal: Goal<'_>) -> Vec<Hint> {
        let FitEffort {
            degrees,
            candidates,
            more_spans,
            refinements: [refinements, _],
        } = self.effort;
        let mut best: Vec<Candidate> = Vec::new();
        let mut try_basis = |index: usize, best: &mut Vec<Candidate>| {
            let basis = &bases.all()[index];
            let error = self.fit_keys(basis, goal, refinements);
            if error > goal.tolerance {
                return false;
            }
            let step = first_step(goal, error);
            let Some(bits) = self.choose_origin(basis, goal.origins, step) else {
                return false;
            };
            let at = best.partition_point(|other| other.bits <= bits);
            let hint = Hint { basis: index, step };
            best.insert(at, Candidate { hint, bits });
            best.truncate(candidates);
            true
        };
        // A constant, or else at most as many keys as the source has.
        if try_basis(0, &mut best) {
            return vec![best[0].hint];
        }
        let exact = bases.exact().iter();
        let exact = exact.copied().find(|&index| try_basis(index, &mut best));
        let fewer = exact.map_or(usize::MAX, |index| bases.all()[index].keys());
        let families = bases.families().iter();
        for Family { indices, .. } in families.filter(|family| degrees.contains(&family.degree)) {
            let usable = indices.partition_point(|&index| bases.all()[index].keys() < fewer);
            let Some((&last, before)) = indices[..usable].split_last() else {
                continue;
            };
            if !try_basis(last, &mut best) {
                continue;
            }
            let (mut low, mut high) = (0, before.len());
            while low < high {
                let middle = (low + high) / 2;
                if try_basis(before[middle], &mut best) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            // More spans leave more of the tolerance to rounding.
            for &index in before.iter().skip(high + 1).take(more_spans) {
                try_basis(index, &mut best);
            }
        }
        best.iter().map(|candidate| candidate.hint).collect()
    }

    /// Returns the smallest curve of some splines within the tolerance. Steps of the hints are updated.
    fn smallest(&mut self, bases: &Bases, goal: Goal<'_>, hints: &mut [Hint]) -> Option<Found> {
        let [_, refinements] = self.effort.refinements;
        let mut best: Option<Found> = None;
        for hint in hints {
            let basis = &bases.all()[hint.basis];
            let error = self.fit_keys(basis, goal, refinements);
            if error > goal.tolerance {
                continue;
            }
            let Some(found) = self.coarsest(*hint, basis, goal) else {
                continue;
            };
            hint.step = found.coarsest_step;
            let order = |found: &Found| (found.curve.bits(), found.error);
            if best.as_ref().is_none_or(|best| order(&found) < order(best)) {
                best = Some(found);
            }
        }
        best
    }

    /// Returns the curve that is nearest before its keys are rounded, at a step that hardly adds to its error.
    fn nearest(&mut self, bases: &Bases, goal: Goal<'_>) -> Found {
        let [_, refinements] = self.effort.refinements;
        let mut nearest: Option<(f64, usize)> = None;
        for (index, basis) in bases.all().iter().enumerate() {
            let error = self.fit_keys(basis, goal, refinements);
            if nearest.is_none_or(|(least, _)| error < least) {
                nearest = Some((error, index));
            }
        }
        let (error, index) = nearest.expect("there is at least one spline");
        let basis = &bases.all()[index];
        let near = Goal {
            tolerance: NEAREST * error.max(goal.tolerance),
            ..goal
        };
        let error = self.fit_keys(basis, near, refinements);
        let hint = Hint {
            basis: index,
            step: first_step(near, error),
        };
        let found = self.coarsest(hint, basis, near);
        let mut found = found.unwrap_or_else(|| {
            let finest = (0..=MAX_STEP)
                .rev()
                .find(|&step| self.choose_origin(basis, goal.origins, step).is_some());
            if finest.is_none() {
                // Motion that is far smaller than the error of the parents, which it would compensate.
                let still = goal.origins.kind().still();
                self.fitted.fill(still);
                let bits = self.choose_origin(basis, goal.origins, 0);
                bits.expect("a curve that stands still takes few bits");
            }
            Found {
                curve: self.curve(goal.origins, false),
                coarsest_step: 0,
                basis: index,
                error,
            }
        });
        found.curve.is_within = false;
        found
    }

    /// Fits keys by least squares, then moves them towards the smallest maximum error: the largest residuals are fitted
    /// again. Returns the largest error; one above [`HOPELESS`] tolerances is not improved.
    fn fit_keys(&mut self, basis: &Basis, goal: Goal<'_>, refinements: usize) -> f64 {
        let kind = goal.origins.kind();
        basis.fit(goal.values, &mut self.fitted);
        for key in &mut self.fitted {
            *key = kind.normalized(*key);
        }
        let limit = HOPELESS * goal.tolerance;
        let mut error = largest_error(
            basis,
            kind,
            &self.fitted,
            goal.values,
            goal.tolerance,
            limit,
        );
        if error > goal.tolerance && kind == Kind::Rotation && basis.degree == 1 {
            // Chords of the sphere are shorter than arcs, which distorts the keys of fast rotations.
            if let Some(every) = basis.samples_per_span() {
                self.decoded.clear();
                self.decoded
                    .extend(goal.values.iter().step_by(every).copied());
                let exact = largest_error(
                    basis,
                    kind,
                    &self.decoded,
                    goal.values,
                    goal.tolerance,
                    error,
                );
                if exact < error {
                    error = exact;
                    std::mem::swap(&mut self.fitted, &mut self.decoded);
                }
            }
        }
        for refinement in 0..refinements {
            if error > limit || error < EASY * goal.tolerance {
                break;
            }
            values_at_samples(basis, kind, &self.fitted, &mut self.values);
            let mut most = 0f64;
            for (value, target) in self.values.iter_mut().zip(goal.values) {
                *value = *target - *value;
                most = most.max(value.length_squared());
            }
            if refinement > 0 || kind == Kind::Vector {
                let scale = 1.0 / most.max(1e-300);
                for residual in &mut self.values {
                    *residual *= residual.length_squared() * scale;
                }
            }
            basis.fit(&self.values, &mut self.decoded);
            for (moved, key) in self.decoded.iter_mut().zip(&self.fitted) {
                *moved = kind.normalized(*moved + *key);
            }
            let moved = largest_error(
                basis,
                kind,
                &self.decoded,
                goal.values,
                goal.tolerance,
                error,
            );
            if moved >= error {
                if refinement > 0 {
                    break;
                }
                continue;
            }
            error = moved;
            std::mem::swap(&mut self.fitted, &mut self.decoded);
        }
        error
    }

    /// Returns the fitted keys at the coarsest step that keeps the curve within the tolerance, and then at the finest
    /// step that takes as many bits.
    fn coarsest(&mut self, hint: Hint, basis: &Basis, goal: Goal<'_>) -> Option<Found> {
        let first = hint.step;
        self.choose_origin(basis, goal.origins, first)?;
        let mut passed: Option<(u32, usize, f64)> = None;
        let mut step = first;
        let mut tries = 0;
        // Coarser until one fails, or finer until one passes.
        loop {
            tries += 1;
            let bits = self.quantise(basis, step)?;
            let error = self.rounded_error(basis, goal);
            if error <= goal.tolerance {
                passed = Some((step, bits, error));
                if step > first || step == 0 || tries > 12 {
                    break;
                }
                step -= 1;
            } else {
                if step < first || step == MAX_STEP || tries > 24 {
                    break;
                }
                step += 1;
            }
        }
        let (mut step, bits, mut error) = passed?;
        let coarsest_step = step;
        let mut finest = step;
        while finest < MAX_STEP && self.quantise(basis, finest + 1) == Some(bits) {
            finest += 1;
        }
        if finest > step {
            self.quantise(basis, finest);
            let finer = self.rounded_error(basis, goal);
            if finer <= error {
                (step, error) = (finest, finer);
            }
        }
        self.quantise(basis, step)?;
        Some(Found {
            curve: self.curve(goal.origins, true),
            coarsest_step,
            basis: hint.basis,
            error,
        })
    }

    /// Returns the largest distance between the values and the spline of the quantised keys, or one above the tolerance.
    fn rounded_error(&mut self, basis: &Basis, goal: Goal<'_>) -> f64 {
        let quantised = std::mem::take(&mut self.quantised);
        decode_keys(goal.origins, &quantised, &mut self.decoded);
        self.quantised = quantised;
        largest_error(
            basis,
            goal.origins.kind(),
            &self.decoded,
            goal.values,
            goal.tolerance,
            goal.tolerance,
        )
    }

    /// Rounds the fitted keys to a step, relative to the origin that takes fewer bits. Returns the bits; `None` where
    /// a component takes too many.
    fn choose_origin(&mut self, basis: &Basis, origins: &Origins, step: u32) -> Option<usize> {
        let kind = origins.kind();
        self.has_reference = false;
        let near_constant = origins.relative_to_constant(&self.fitted, &mut self.keys);
        let constant = near_constant.and_then(|()| self.quantise(basis, step));
        if constant.is_some_and(|bits| bits <= REFERENCE_BITS as usize) {
            return constant;
        }
        std::mem::swap(&mut self.keys, &mut self.other_keys);
        std::mem::swap(&mut self.quantised, &mut self.trial);
        self.keys.clear();
        self.keys
            .extend(self.fitted.iter().map(|value| kind.key(*value)));
        self.has_reference = true;
        let own = self.quantise(basis, step);
        if constant.is_some() && own.is_none_or(|own| Some(own) >= constant) {
            std::mem::swap(&mut self.keys, &mut self.other_keys);
            std::mem::swap(&mut self.quantised, &mut self.trial);
            self.has_reference = false;
            return constant;
        }
        own
    }

    /// Rounds the keys to a step, relative to the chosen origin. Returns the bits; `None` where a component takes too
    /// many.
    fn quantise(&mut self, basis: &Basis, step: u32) -> Option<usize> {
        let header = CurveHeader {
            spans: basis.spans,
            degree: basis.degree,
            step,
            has_reference: self.has_reference,
            ..CurveHeader::default()
        };
        quantise_keys(&self.keys, header, &mut self.quantised)
    }

    fn curve(&self, origins: &Origins, is_within: bool) -> CompressedCurve {
        CompressedCurve {
            header: self.quantised.header,
            reference: origins.stored(),
            keys: self.quantised.keys.clone(),
            is_within,
        }
    }

    /// Sets the decoded keys of a curve, relative to the reference.
    fn decode(&mut self, origins: &Origins, curve: &CompressedCurve) {
        self.quantised.header = curve.header;
        self.quantised.keys.clone_from(&curve.keys);
        let quantised = std::mem::take(&mut self.quantised);
        decode_keys(origins, &quantised, &mut self.decoded);
        self.quantised = quantised;
    }
}

/// Returns the step to try first: rounding may take what the spline leaves of the tolerance.
fn first_step(goal: Goal<'_>, error: f64) -> u32 {
    let left = (goal.tolerance.powi(2) - (0.8 * error).powi(2)).sqrt();
    let size = left / (ROUNDING * goal.origins.kind().gain());
    // The inverse of `step_size`, rounded to the coarser.
    let octaves = -(size.log2()) - 4.0;
    (4.0 * octaves).floor().clamp(0.0, f64::from(MAX_STEP)) as u32
}

/// [`Fitter::fit`] of points. Returns the curve and its decoded values.
pub fn fit_points(
    fitter: &mut Fitter,
    bases: &Bases,
    points: &[DVec3],
    tolerance: f64,
) -> CompressedCurve {
    let (origins, reference) = Origins::of_points(middle(points.iter().copied()));
    let values: Vec<DVec4> = points
        .iter()
        .map(|p| (*p - reference).extend(0.0))
        .collect();
    fitter.fit(bases, &origins, &values, tolerance, &mut Hints::default())
}

/// Returns the centre of the bounding box of vectors.
pub fn middle(values: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let min = values.clone().fold(DVec3::INFINITY, DVec3::min);
    let max = values.fold(DVec3::NEG_INFINITY, DVec3::max);
    (min + max) * 0.5
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use throng_rig::quat_from_mrp;

    use super::*;
    use crate::curves::unwind;

    fn wave(t: f64) -> DVec3 {
        DVec3::new(0.3 * (t * 5.0).sin(), 0.1 * (t * 9.0).cos(), 0.02 * t)
    }

    /// Fits points relative to zero. Returns the curve and its largest error at the samples.
    fn fit_wave(bases: &Bases, points: &[DVec3], tolerance: f64) -> (CompressedCurve, f64) {
        let mut fitter = Fitter::default();
        let curve = fit_points(&mut fitter, bases, points, tolerance);
        let (_, reference) = Origins::of_points(middle(points.iter().copied()));
        let decoded = fitter.values.iter().map(|v| v.truncate() + reference);
        let errors = decoded.zip(points).map(|(a, b)| a.distance(*b));
        (curve, errors.fold(0.0, f64::max))
    }

    #[test]
    fn vector_curve_is_within_its_tolerance_and_grows_as_it_shrinks() {
        let bases = Bases::new(129, 64, 32);
        let points: Vec<DVec3> = (0..129).map(|i| wave(f64::from(i) / 128.0)).collect();
        let mut last = 0;
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] {
            let (curve, error) = fit_wave(&bases, &points, tolerance);
            assert!(
                curve.is_within && error <= tolerance * 1.001,
                "{tolerance}: {error}"
            );
            assert!(curve.bits() >= last, "{tolerance}");
            last = curve.bits();
        }
        assert!(last > 0);
    }

    #[test]
    fn values_beyond_all_widths_stand_still() {
        let bases = Bases::new(33, 16, 8);
        let points: Vec<DVec3> = (0..33).map(|i| 1e12 * wave(f64::from(i) / 32.0)).collect();
        let (curve, _) = fit_wave(&bases, &points, 1e-3);
        assert!(!curve.is_within);
        assert!(curve.keys.iter().flatten().all(|&key| key == 0));
    }

    #[test]
    fn quick_fit_is_cubic_and_within_its_tolerance() {
        let bases = Bases::new(129, 64, 32);
        let points: Vec<DVec3> = (0..129).map(|i| wave(f64::from(i) / 128.0)).collect();
        for tolerance in [1e-2, 1e-3, 1e-4] {
            let (thorough, _) = fit_wave(&bases, &points, tolerance);
            let mut fitter = Fitter::new(FitEffort::QUICK);
            let quick = fit_points(&mut fitter, &bases, &points, tolerance);
            assert!(quick.is_within);
            assert_eq!(quick.header.degree, 3, "{tolerance}");
            let more = quick.bits() as f64 / thorough.bits() as f64;
            assert!(more < 1.3, "{tolerance}: {more}");
        }
    }

    #[test]
    fn rotation_curve_is_within_its_tolerance_from_either_origin() {
        let bases = Bases::new(129, 64, 32);
        let rotations: Vec<DQuat> = (0..129)
            .map(|i| quat_from_mrp(2.0 * wave(f64::from(i) / 128.0)))
            .collect();
        let center = rotations[64];
        for constant in [
            center,
            DQuat::IDENTITY,
            center * DQuat::from_rotation_x(3.1),
        ] {
            let (origins, reference) = Origins::of_rotations(constant, center);
            let mut values = Vec::new();
            unwind(reference, &rotations, &mut values);
            for tolerance in [1e-1, 1e-2, 1e-3, 1e-4] {
                let mut fitter = Fitter::default();
                let mut hints = Hints::default();
                let curve = fitter.fit(&bases, &origins, &values, tolerance, &mut hints);
                assert!(curve.is_within);
                for (value, rotation) in fitter.values.iter().zip(&rotations) {
                    let decoded = reference * DQuat::from_vec4(*value);
                    let angle = decoded.angle_between(*rotation);
                    assert!(angle <= tolerance * 1.001 + 1e-7, "{constant}: {angle}");
                }
                let again = fitter.fit(&bases, &origins, &values, tolerance, &mut hints);
                assert_eq!(again.bits(), curve.bits(), "hints give the same curve");
            }
        }
    }

    /// Keys at the samples of a fast rotation reproduce it, because degree 1 follows arcs.
    #[test]
    fn fast_rotation_between_frames_is_exact() {
        let bases = Bases::new(21, 64, 10);
        let key = |frame: usize| DQuat::from_rotation_y(0.9 * (frame * frame % 7) as f64);
        let rotations: Vec<DQuat> = (0..21)
            .map(|i| key(i / 2).slerp(key(i / 2 + 1), 0.5 * (i % 2) as f64))
            .collect();
        let (origins, reference) = Origins::of_rotations(DQuat::IDENTITY, rotations[10]);
        let mut values = Vec::new();
        unwind(reference, &rotations, &mut values);
        let mut fitter = Fitter::default();
        let curve = fitter.fit(&bases, &origins, &values, 1e-4, &mut Hints::default());
        assert!(curve.is_within);
        assert_eq!((curve.header.degree, curve.header.spans), (1, 10));
    }

    /// Between samples, a staircase is off by as much as its source moves in a span.
    #[test]
    fn staircase_is_within_its_tolerance_at_both_sides_of_knots() {
        let bases = Bases::new(65, 64, 16);
        let values: Vec<DVec4> = (0..65).map(|i| DVec4::X * f64::from(i) / 64.0).collect();
        let (origins, _) = Origins::of_points(DVec3::ZERO);
        let goal = Goal {
            origins: &origins,
            values: &values,
            tolerance: 1.0,
        };
        for basis in bases.all().iter().filter(|basis| basis.degree == 0) {
            let error = Fitter::default().fit_keys(basis, goal, 2);
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
        let (constant, _) = fit_wave(&bases, &[DVec3::splat(1e-5); 65], 1e-4);
        assert_eq!(constant.bits(), 0);
        let jump: Vec<DVec3> = (0..65)
            .map(|i| DVec3::X * f64::from(u32::from(i >= 32)))
            .collect();
        let (jump, _) = fit_wave(&bases, &jump, 1e-3);
        assert_eq!((jump.header.degree, jump.header.spans), (0, 2));
    }
}
