//! Artefacts with some factors, and the gradient on which they become smaller.

use glam::DVec3;
use rayon::prelude::*;

use super::study::{Blended, BothWays, Study};
use crate::artefacts::{Region, RegionVertex, RestMeasures, Surface};

/// Sharpness of the extremes in the gradient. Ratios that differ from an extreme by less than about the inverse take
/// part in it.
const SHARPNESS: f64 = 50.0;

/// Difference from one below which a ratio counts as unchanged. A volume then has no slope, and extremes can only become
/// worse: the smallest ratio by falling, the largest by rising.
const UNCHANGED: f64 = 1e-3;

/// Artefacts with some factors, summed over poses.
#[derive(Debug, Clone)]
pub(super) struct Score {
    pub(super) by_region: Vec<f64>,
    pub(super) total: f64,
}

/// Change of the total per change of each factor, and the sum of the magnitudes that it is made of.
pub(super) struct Gradient {
    pub(super) slope: Vec<f64>,
    pub(super) magnitude: Vec<f64>,
}

impl Study {
    /// Measures artefacts with one factor per unique position.
    pub(super) fn score(&self, factors: &[f32]) -> Score {
        let rest = self.rest_measures(factors);
        let of_pose = |pose: &BothWays| -> Vec<f64> {
            let posed = self.blend(pose, factors);
            let regions = self.regions.iter().zip(&rest);
            let change = regions.map(|(region, rest)| region.compare(rest, &posed).total_change());
            change.collect()
        };
        let poses: Vec<Vec<f64>> = self.poses.par_iter().map(of_pose).collect();
        let by_region: Vec<f64> = (0..self.regions.len())
            .map(|region| poses.iter().map(|pose| pose[region]).sum())
            .collect();
        Score {
            total: by_region.iter().sum(),
            by_region,
        }
    }

    /// Returns the gradient of [`Self::score`], with extremes made smooth. The rest pose counts as constant.
    pub(super) fn gradient(&self, factors: &[f32]) -> Gradient {
        let rest = self.rest_measures(factors);
        let of_pose = |pose: &BothWays| {
            let posed = self.blend(pose, factors);
            let mut slopes = Slopes {
                study: self,
                pose,
                posed: &posed,
                gradient: Gradient::zero(factors.len()),
            };
            for (region, rest) in self.regions.iter().zip(&rest) {
                slopes.add_region(region, rest);
            }
            slopes.gradient
        };
        let poses: Vec<Gradient> = self.poses.par_iter().map(of_pose).collect();
        let mut sum = Gradient::zero(factors.len());
        for pose in &poses {
            for (sum, x) in sum.slope.iter_mut().zip(&pose.slope) {
                *sum += x;
            }
            for (sum, x) in sum.magnitude.iter_mut().zip(&pose.magnitude) {
                *sum += x;
            }
        }
        sum
    }

    fn rest_measures(&self, factors: &[f32]) -> Vec<RestMeasures> {
        let rest = self.blend(&self.rest, factors);
        let regions = self.regions.par_iter();
        regions.map(|region| region.at_rest(&rest)).collect()
    }
}

impl Gradient {
    fn zero(factors: usize) -> Self {
        Self {
            slope: vec![0.0; factors],
            magnitude: vec![0.0; factors],
        }
    }
}

/// The gradient of one pose, as it is summed.
struct Slopes<'a> {
    study: &'a Study,
    pose: &'a BothWays,
    posed: &'a Blended<'a>,
    gradient: Gradient,
}

impl Slopes<'_> {
    fn add_region(&mut self, region: &Region, rest: &RestMeasures) {
        let posed = self.posed;
        let apex = posed.joint(region.joint);
        if let Some(volume) = rest.volume() {
            self.add_volume(region, apex, volume);
        }
        let from_bones = |at| {
            let point = posed.vertex(at);
            point - region.nearest(posed, point)
        };
        self.add_extremes(rest.radii(), from_bones);
        self.add_extremes(rest.distances(), |at| posed.vertex(at) - apex);
    }

    /// Adds the slope of the difference of the volume ratio from one.
    fn add_volume(&mut self, region: &Region, apex: DVec3, rest: f64) {
        let corners =
            |triangle: &[RegionVertex; 3]| triangle.map(|at| self.posed.vertex(at) - apex);
        let volumes = region.triangles.iter().map(|triangle| {
            let [a, b, c] = corners(triangle);
            a.dot(b.cross(c)) / 6.0
        });
        let change = volumes.sum::<f64>() / rest - 1.0;
        if change.abs() < UNCHANGED {
            return;
        }
        let sign = change.signum() / (6.0 * rest);
        for triangle in &region.triangles {
            let [a, b, c] = corners(triangle);
            let normals = [b.cross(c), c.cross(a), a.cross(b)];
            for (&at, normal) in triangle.iter().zip(normals) {
                self.add(at, normal * sign);
            }
        }
    }

    /// Adds the slopes of the differences of the smallest and of the largest ratio from one. `away` is the way of a
    /// vertex from what its distance is measured to.
    fn add_extremes(
        &mut self,
        at_rest: &[(RegionVertex, f64)],
        away: impl Fn(RegionVertex) -> DVec3,
    ) {
        let ratios: Vec<(f64, DVec3)> = at_rest
            .iter()
            .map(|&(at, rest)| {
                let away = away(at);
                (away.length() / rest, away.normalize_or_zero() / rest)
            })
            .collect();
        for side in [-1.0, 1.0] {
            let extreme = ratios.iter().map(|(ratio, _)| ratio * side);
            let extreme = extreme.fold(f64::NEG_INFINITY, f64::max);
            let part = |ratio: f64| (SHARPNESS * (ratio * side - extreme)).exp();
            let total: f64 = ratios.iter().map(|(ratio, _)| part(*ratio)).sum();
            // At one, the side alone tells.
            let sign = (extreme * side - 1.0 + side * UNCHANGED).signum() / total;
            for (&(at, _), &(ratio, direction)) in at_rest.iter().zip(&ratios) {
                let part = part(ratio);
                if part > 1e-6 {
                    self.add(at, direction * (sign * part));
                }
            }
        }
    }

    /// Adds the slope of a vertex, given the change of the sum per metre that it moves.
    fn add(&mut self, at: RegionVertex, per_metre: DVec3) {
        let point = self.posed.point(at);
        let slope = per_metre.dot(self.pose.points[point].1.as_dvec3());
        let factor = self.study.factor_of_point[point] as usize;
        self.gradient.slope[factor] += slope;
        self.gradient.magnitude[factor] += slope.abs();
    }
}
