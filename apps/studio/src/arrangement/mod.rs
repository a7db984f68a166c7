//! Positions of a crowd on the ground, in units of the spacing, and directions.

use std::f32::consts::TAU;

use glam::{Affine3A, Quat, Vec3};

use crate::Random;

/// Arrangement of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// Rows, all facing the camera.
    Grid,
    /// Rows that widen with the view; positions, sizes and directions vary.
    Scatter,
    /// A circle, each facing along it.
    Ring,
    /// A filled circle; directions vary.
    Disc,
}

impl Arrangement {
    /// All arrangements.
    pub const ALL: [Self; 4] = [Self::Grid, Self::Scatter, Self::Ring, Self::Disc];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Scatter => "scatter",
            Self::Ring => "ring",
            Self::Disc => "disc",
        }
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Grid => "Rows, all facing the camera",
            Self::Scatter => "Rows that widen with the view; positions, sizes and directions vary",
            Self::Ring => "A circle, each facing along it",
            Self::Disc => "A filled circle; directions vary",
        }
    }
}

/// A place on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Position across the view, in units of the spacing.
    pub x: f32,
    /// Position along the view, in units of the spacing; the camera is at +Z.
    pub z: f32,
    /// Rotation about Y in radians; 0 faces the camera, along +Z.
    pub heading_rad: f32,
    /// Part of random offsets, sizes and directions.
    pub variation: f32,
}

impl Place {
    /// Transform of an instance whose neighbours are `spacing` away, varied by random numbers.
    pub fn world_from_model(self, spacing: f32, random: &mut Random) -> Affine3A {
        let [dx, dz, heading, height] = std::array::from_fn(|_| random.signed() * self.variation);
        let position = Vec3::new(self.x + 0.3 * dx, 0.0, self.z + 0.3 * dz) * spacing;
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(1.0 + 0.05 * height),
            Quat::from_rotation_y(self.heading_rad + 0.7 * heading),
            position,
        )
    }
}

/// Instances in the first row of a scattered crowd.
const FIRST_ROW: u32 = 9;

/// Returns the places of a crowd. The view widens by `slope` to each side per unit of depth.
pub fn places(arrangement: Arrangement, count: u32, slope: f32) -> Vec<Place> {
    match arrangement {
        Arrangement::Grid => grid(count),
        Arrangement::Scatter => wedge(count, slope),
        Arrangement::Ring => ring(count),
        Arrangement::Disc => disc(count),
    }
}

/// Returns places in rows of one length, the first in front.
fn grid(count: u32) -> Vec<Place> {
    let columns = (f64::from(count) * 0.5).sqrt().ceil().max(1.0) as u32;
    let places = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        Place {
            x: column as f32 - (columns as f32 - 1.0) * 0.5,
            z: -(row as f32),
            heading_rad: 0.0,
            variation: 0.0,
        }
    });
    places.collect()
}

/// Returns places in rows as wide as the view at their depth. The last row may have fewer instances, spread over
/// its width.
fn wedge(count: u32, slope: f32) -> Vec<Place> {
    let first = count.min(FIRST_ROW) as f32;
    let mut places = Vec::with_capacity(count as usize);
    let mut row = 0;
    while places.len() < count as usize {
        let wide = (first + 2.0 * slope * row as f32).max(1.0);
        let left = count as usize - places.len();
        let instances = (wide as usize).min(left);
        let step = wide / instances as f32;
        places.extend((0..instances).map(|column| Place {
            x: (column as f32 + 0.5) * step - 0.5 * wide,
            z: -(row as f32),
            heading_rad: 0.0,
            variation: 1.0,
        }));
        row += 1;
    }
    places
}

/// Returns places on a circle, a unit apart, each facing along it.
fn ring(count: u32) -> Vec<Place> {
    let angle = TAU / count.max(1) as f32;
    // The chord between neighbours has length one.
    let radius = if count < 2 {
        0.0
    } else {
        0.5 / (0.5 * angle).sin()
    };
    let places = (0..count).map(|index| {
        let at = angle * index as f32;
        Place {
            x: radius * at.sin(),
            z: radius * at.cos(),
            heading_rad: at + 0.25 * TAU,
            variation: 0.0,
        }
    });
    places.collect()
}

/// Returns places on a sunflower spiral, which fills a circle evenly.
fn disc(count: u32) -> Vec<Place> {
    let golden_angle = TAU * (1.0 - 2.0 / (1.0 + 5f32.sqrt()));
    let places = (0..count).map(|index| {
        // One place per unit of area.
        let radius = ((index as f32 + 0.5) * 2.0 / TAU).sqrt();
        let at = golden_angle * index as f32;
        Place {
            x: radius * at.sin(),
            z: radius * at.cos(),
            heading_rad: 0.0,
            variation: 0.5,
        }
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_distance() {
        for arrangement in Arrangement::ALL {
            for count in [1, 2, 7, 50, 300] {
                let places = places(arrangement, count, 0.5);
                assert_eq!(places.len(), count as usize);
                for (index, a) in places.iter().enumerate() {
                    for b in &places[..index] {
                        let distance = (a.x - b.x).hypot(a.z - b.z);
                        // A spiral with one place per unit of area has neighbours at 0.95 and more, except at its centre.
                        assert!(distance > 0.75, "{arrangement:?} of {count}: {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_widen_with_the_view() {
        let places = wedge(2000, 0.5);
        let widest = |row: f32| {
            let row = places.iter().filter(|place| place.z == row);
            row.map(|place| place.x).fold(0.0, f32::max)
        };
        assert!((widest(-20.0) - widest(0.0) - 10.0).abs() < 1.0);
    }

    #[test]
    fn a_ring_faces_along_the_circle() {
        for place in ring(12) {
            // The front is +Z, turned about Y.
            let front = (place.heading_rad.sin(), place.heading_rad.cos());
            let along = place.x * front.0 + place.z * front.1;
            assert!(along.abs() < 1e-4, "{place:?}");
        }
    }
}
