//! Comparison of two poses of a character, vertex by vertex.

use glam::{DAffine3, DVec3};
use throng_skin::reference::Skinned;

use super::histogram::Histogram;
use super::linear::LaneErrors;
use super::plan::BonePoints;
use super::playback::Played;
use super::times::TimeKind;

/// Errors at one time. Squared, so that no root is taken per vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct AtTime {
    pub index: u64,
    pub kind: TimeKind,
    pub time_secs: f64,
    pub vertices: u64,
    pub sum_sq: f64,
    pub max_sq: f64,
    pub worst: (usize, usize),
    /// Sum of squared angles, in square radians.
    pub normal_sum_sq: f64,
    pub normal_max_sq: f64,
    /// `None` where either pose has no bones.
    pub bone: Option<BoneAtTime>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BoneAtTime {
    pub max_sq: f64,
    pub joint: usize,
}

/// Destinations of the errors of single vertices.
pub(super) struct VertexSinks<'a> {
    /// Counts squared errors as parts of the squared size; `None` for times that are reported apart.
    pub histogram: Option<&'a mut Histogram>,
    /// Factor from square metres to parts of the squared size.
    pub per_size_sq: f64,
    /// Largest squared error of each vertex, in square metres.
    pub heat: Option<&'a mut [Vec<f32>]>,
}

impl AtTime {
    pub fn new(index: u64, kind: TimeKind, time_secs: f64) -> Self {
        Self {
            index,
            kind,
            time_secs,
            vertices: 0,
            sum_sq: 0.0,
            max_sq: 0.0,
            worst: (0, 0),
            normal_sum_sq: 0.0,
            normal_max_sq: 0.0,
            bone: None,
        }
    }

    /// Compares all vertices and normals.
    ///
    /// # Panics
    /// If the two poses have different vertices.
    pub fn add_vertices(&mut self, reference: &Played, tested: &Played, sinks: &mut VertexSinks) {
        assert_eq!(
            reference.parts.len(),
            tested.parts.len(),
            "part counts differ"
        );
        for (part, (a, b)) in reference.parts.iter().zip(&tested.parts).enumerate() {
            self.add_part(part, a, b, sinks);
        }
    }

    /// Compares all vertices and normals of a part. Call it once per part, in any order.
    ///
    /// # Panics
    /// If the two have different vertices.
    pub fn add_part(&mut self, part: usize, a: &Skinned, b: &Skinned, sinks: &mut VertexSinks) {
        assert_eq!(a.positions.len(), b.positions.len(), "vertex counts differ");
        assert_eq!(a.normals.len(), b.normals.len(), "normal counts differ");
        let mut heat = sinks.heat.as_mut().map(|parts| &mut parts[part]);
        let (mut max_sq, mut worst) = (0.0, 0);
        for (vertex, (a, b)) in a.positions.iter().zip(&b.positions).enumerate() {
            let squared = distance_sq(*a, *b);
            self.sum_sq += squared;
            if squared > max_sq {
                (max_sq, worst) = (squared, vertex);
            }
            if let Some(histogram) = &mut sinks.histogram {
                histogram.add(squared * sinks.per_size_sq);
            }
            if let Some(heat) = &mut heat {
                heat[vertex] = heat[vertex].max(squared as f32);
            }
        }
        self.offer_worst(max_sq, (part, worst));
        self.vertices += a.positions.len() as u64;
        for (a, b) in a.normals.iter().zip(&b.normals) {
            let squared = angle_sq(distance_sq(*a, *b));
            self.normal_sum_sq += squared;
            self.normal_max_sq = self.normal_max_sq.max(squared);
        }
    }

    /// Adds the errors of a part with `vertices` vertices that were compared at eight times.
    pub fn add_lane(&mut self, part: usize, vertices: usize, errors: &LaneErrors, lane: usize) {
        self.vertices += vertices as u64;
        self.sum_sq += errors.sum_sq.0[lane];
        self.normal_sum_sq += errors.normal_sum_sq.0[lane];
        self.normal_max_sq = self.normal_max_sq.max(errors.normal_max_sq.0[lane]);
        let worst = errors.worst[lane] as usize;
        self.offer_worst(errors.max_sq.0[lane], (part, worst));
    }

    /// Keeps the larger of two errors; of equal ones, that of the first part.
    fn offer_worst(&mut self, squared: f64, worst: (usize, usize)) {
        if squared > self.max_sq || (squared == self.max_sq && worst < self.worst) {
            self.max_sq = squared;
            self.worst = worst;
        }
    }

    /// Compares points around joints, where both poses have bones.
    pub fn add_bones(&mut self, reference: &[DAffine3], tested: &[DAffine3], bones: &[BonePoints]) {
        if reference.is_empty() || tested.is_empty() {
            return;
        }
        let mut worst: Option<BoneAtTime> = None;
        for bone in bones {
            let a = &reference[bone.joint];
            let b = &tested[bone.joint];
            let moved = a.translation - b.translation;
            for point in bone.points {
                let rotated = a.transform_vector3(point) - b.transform_vector3(point);
                let both = [moved + rotated, moved - rotated].map(|d| distance_sq(d, DVec3::ZERO));
                let max_sq = both[0].max(both[1]);
                if worst.is_none_or(|worst| max_sq > worst.max_sq) {
                    let joint = bone.joint;
                    worst = Some(BoneAtTime { max_sq, joint });
                }
            }
        }
        self.bone = worst;
    }
}

/// Largest squared chord or sine whose angle is computed by a series: 6°.
pub(super) const MAX_SERIES_SQ: f64 = 0.01;

/// Squared distance; infinite where it is not a number.
pub(super) fn distance_sq(a: DVec3, b: DVec3) -> f64 {
    let squared = a.distance_squared(b);
    if squared.is_nan() {
        f64::INFINITY
    } else {
        squared
    }
}

/// Returns the squared angle between two unit vectors, from the squared distance of their ends.
pub(super) fn angle_sq(chord_sq: f64) -> f64 {
    // The relative error of the series is below 1e-10.
    if chord_sq < MAX_SERIES_SQ {
        let series = 1.0 / 90.0 + chord_sq / 560.0;
        return chord_sq * (1.0 + chord_sq * (1.0 / 12.0 + chord_sq * series));
    }
    let angle = 2.0 * (0.5 * chord_sq.sqrt()).min(1.0).asin();
    angle * angle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angle_of_a_chord_is_exact() {
        for degrees in [0.0, 1e-6, 0.5, 2.0, 5.7, 5.8, 45.0, 90.0, 179.0, 180.0f64] {
            let angle = degrees.to_radians();
            let (a, b) = (DVec3::X, DVec3::new(angle.cos(), angle.sin(), 0.0));
            let found = angle_sq(a.distance_squared(b)).sqrt().to_degrees();
            assert!((found - degrees).abs() < 1e-7, "{degrees}: {found}");
        }
    }

    #[test]
    fn nan_is_infinitely_far() {
        assert_eq!(distance_sq(DVec3::NAN, DVec3::ZERO), f64::INFINITY);
        assert_eq!(angle_sq(f64::INFINITY).sqrt().to_degrees(), 180.0);
    }
}
