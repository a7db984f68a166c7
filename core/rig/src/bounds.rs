//! Axis-aligned bounding boxes.

use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};

/// An axis-aligned bounding box; empty until a point is added.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Smallest value of each coordinate.
    pub min: DVec3,
    /// Largest value of each coordinate.
    pub max: DVec3,
}

impl Bounds {
    /// The empty box.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// Returns the smallest box that contains all points.
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Returns true while the box contains no point.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Grows the box to contain a point.
    pub fn add(&mut self, point: DVec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    /// Grows the box to contain another box.
    pub fn union(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Length of each side; zero for the empty box.
    pub fn extent(&self) -> DVec3 {
        if self.is_empty() {
            DVec3::ZERO
        } else {
            self.max - self.min
        }
    }

    /// Centre of the box.
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    /// The eight corners.
    pub fn corners(&self) -> impl Iterator<Item = DVec3> + use<> {
        let ends = [self.min, self.max];
        (0..8_usize).map(move |corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            DVec3::new(end(0), end(1), end(2))
        })
    }

    /// The eight corners, transformed.
    pub fn transformed_corners(&self, transform: DAffine3) -> impl Iterator<Item = DVec3> + use<> {
        self.corners()
            .map(move |corner| transform.transform_point3(corner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_box_has_no_extent() {
        assert!(Bounds::EMPTY.is_empty());
        assert_eq!(Bounds::EMPTY.extent(), DVec3::ZERO);
        let one = Bounds::of([DVec3::ONE]);
        assert!(!one.is_empty());
        assert_eq!(one.extent(), DVec3::ZERO);
    }

    #[test]
    fn corners_span_the_box() {
        let bounds = Bounds::of([DVec3::new(-1.0, 2.0, 3.0), DVec3::new(4.0, -5.0, 6.0)]);
        let corners: Vec<DVec3> = bounds.corners().collect();
        assert_eq!(corners.len(), 8);
        assert_eq!(Bounds::of(corners), bounds);
        let moved = bounds.transformed_corners(DAffine3::from_translation(DVec3::X));
        assert_eq!(Bounds::of(moved).center(), bounds.center() + DVec3::X);
    }
}
