//! Boxes in the world.

use glam::{Affine3A, Vec3};

/// A box along the axes; empty where `min` is past `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Box3 {
    /// The lowest corner.
    pub min: Vec3,
    /// The highest corner.
    pub max: Vec3,
}

impl Box3 {
    /// Holds nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// Grows until a point is inside.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    /// The box around some points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut all = Self::EMPTY;
        points.into_iter().for_each(|point| all.add(point));
        all
    }

    /// From corner to corner.
    pub fn extent(&self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    /// Its middle.
    pub fn middle(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// All eight.
    pub fn corners(self) -> impl Iterator<Item = Vec3> {
        (0..8).map(move |corner| {
            let pick =
                |bit: u32, min: f32, max: f32| if corner >> bit & 1 == 1 { max } else { min };
            Vec3::new(
                pick(0, self.min.x, self.max.x),
                pick(1, self.min.y, self.max.y),
                pick(2, self.min.z, self.max.z),
            )
        })
    }

    /// Its corners somewhere else.
    pub fn moved(self, to: Affine3A) -> impl Iterator<Item = Vec3> {
        self.corners()
            .map(move |corner| to.transform_point3(corner))
    }
}
