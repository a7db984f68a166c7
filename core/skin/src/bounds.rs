//! How large a character is.

use glam::DVec3;
use throng_rig::{Character, CharacterPose};

use crate::Method;
use crate::reference::{Skinned, skin_part};

/// A box along the axes; empty until a point is in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The least of each coordinate.
    pub min: DVec3,
    /// The greatest of each coordinate.
    pub max: DVec3,
}

impl Bounds {
    /// Holds no point.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// True while it holds no point.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Takes in a point.
    pub fn add(&mut self, point: DVec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    /// From the least corner to the greatest; zero where it is empty.
    pub fn extent(&self) -> DVec3 {
        if self.is_empty() {
            DVec3::ZERO
        } else {
            self.max - self.min
        }
    }
}

/// The box around all parts in a pose.
pub fn posed_bounds(character: &Character, pose: &CharacterPose, method: Method) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    let mut skinned = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, pose, method, &mut skinned);
        for &position in &skinned.positions {
            bounds.add(position);
        }
    }
    bounds
}

/// The size of a character: the largest extent of its box in the rest pose, the unit in which errors
/// are stated for characters of any scale.
pub fn rest_size(character: &Character) -> f64 {
    let rest = CharacterPose::rest(character);
    posed_bounds(character, &rest, Method::Lbs)
        .extent()
        .max_element()
}
