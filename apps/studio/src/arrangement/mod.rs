//! Positions of a crowd in units of the spacing, directions, and what each place is for.

mod circles;
mod facades;
mod rows;
mod stadium;
mod street;

use glam::{Affine3A, Quat, Vec3};

use crate::{GroundMesh, Random};

pub(crate) use stadium::Bowl;
pub(crate) use street::Street;

/// Arrangement of a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// Rows, all facing the camera.
    Grid,
    /// Rows that widen with the view; positions, sizes and directions vary.
    Scatter,
    /// Rings around an open middle, each facing along its ring, by turns to the left and to the right.
    Ring,
    /// A filled circle; directions vary.
    Disc,
    /// People walking both ways along a street, alone and in groups; others stand on the pavements.
    Street,
    /// Tiers around a field, facing its middle, with gangways; a few are on the field.
    Stadium,
}

impl Arrangement {
    /// All arrangements.
    pub const ALL: [Self; 6] = [
        Self::Grid,
        Self::Scatter,
        Self::Ring,
        Self::Disc,
        Self::Street,
        Self::Stadium,
    ];

    /// Arrangements on flat ground, which need no [`GroundMesh`].
    pub const FLAT: [Self; 4] = [Self::Grid, Self::Scatter, Self::Ring, Self::Disc];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Scatter => "scatter",
            Self::Ring => "ring",
            Self::Disc => "disc",
            Self::Street => "street",
            Self::Stadium => "stadium",
        }
    }

    /// One line about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Grid => "Rows, all facing the camera",
            Self::Scatter => "Rows that widen with the view; positions, sizes and directions vary",
            Self::Ring => "Rings around an open middle, each facing along its ring",
            Self::Disc => "A filled circle; directions vary",
            Self::Street => "People walking both ways along a street; others stand at its sides",
            Self::Stadium => "Tiers around a field, all facing its middle",
        }
    }

    /// Spacing relative to that of an open crowd: people sit closer than they walk.
    pub fn spacing_factor(self) -> f32 {
        match self {
            Self::Stadium => 0.62,
            Self::Street => 0.8,
            _ => 1.0,
        }
    }

    /// Returns the ground of a formation with this many places and a spacing in metres, from a height on; `None` on flat
    /// ground.
    pub fn ground(self, count: u32, spacing: f32, ground_y: f32) -> Option<GroundMesh> {
        let ground = match self {
            Self::Street => Street::new(count).ground(),
            Self::Stadium => Bowl::new(count).ground(),
            _ => return None,
        };
        Some(ground.placed(spacing, ground_y))
    }
}

/// Motion that suits a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Any motion.
    Any,
    /// Walking ahead.
    Walk,
    /// Running ahead.
    Run,
    /// Standing.
    Stand,
    /// Watching: standing, waving, dancing.
    Cheer,
}

/// Range of the random differences of an instance from its place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Variation {
    /// Largest offset along x and along z, in units of the spacing.
    pub offset: f32,
    /// Largest difference in direction.
    pub heading_rad: f32,
    /// True for sizes from 0.93 to 1.05.
    pub is_sized: bool,
}

/// A place on the ground or on a tier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Position in units of the spacing: x across the view, y upwards, z towards the camera.
    pub position: Vec3,
    /// Rotation about Y in radians; 0 faces the camera, along +Z.
    pub heading_rad: f32,
    /// Motion that suits the place.
    pub activity: Activity,
    /// Random differences.
    pub variation: Variation,
}

impl Place {
    /// Transform of an instance whose neighbours are `spacing` away, varied by random numbers.
    pub fn world_from_model(self, spacing: f32, random: &mut Random) -> Affine3A {
        let Variation {
            offset,
            heading_rad,
            is_sized,
        } = self.variation;
        let [dx, dz, heading, height] = std::array::from_fn(|_| random.signed());
        let position = (self.position + Vec3::new(offset * dx, 0.0, offset * dz)) * spacing;
        let scale = if is_sized { 0.99 + 0.06 * height } else { 1.0 };
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(scale),
            Quat::from_rotation_y(self.heading_rad + heading_rad * heading),
            position,
        )
    }
}

/// Returns the heading that faces along a direction on the ground.
fn heading_along(direction: Vec3) -> f32 {
    direction.x.atan2(direction.z)
}

/// Returns the places of a crowd. The view widens by `slope` to each side per unit of depth.
pub fn places(arrangement: Arrangement, count: u32, slope: f32) -> Vec<Place> {
    match arrangement {
        Arrangement::Grid => rows::grid(count),
        Arrangement::Scatter => rows::wedge(count, slope),
        Arrangement::Ring => circles::rings(count),
        Arrangement::Disc => circles::disc(count),
        Arrangement::Street => Street::new(count).places(),
        Arrangement::Stadium => Bowl::new(count).places(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_distance() {
        for arrangement in Arrangement::ALL {
            for count in [1, 2, 7, 50, 300, 1200] {
                let places = places(arrangement, count, 0.5);
                assert_eq!(places.len(), count as usize, "{arrangement:?}");
                for (index, a) in places.iter().enumerate() {
                    for b in &places[..index] {
                        let distance = a.position.distance(b.position);
                        // A spiral with one place per unit of area has neighbours at 0.95 and more, except at its centre.
                        assert!(distance > 0.75, "{arrangement:?} of {count}: {distance}");
                    }
                }
            }
        }
    }

    /// The same with random offsets: shoulders are half a spacing wide.
    #[test]
    fn varied_instances_do_not_overlap() {
        for arrangement in Arrangement::ALL {
            let places = places(arrangement, 400, 0.5);
            let at = |(index, place): (u32, &Place)| {
                let mut random = Random::of_instance(3, index);
                place.world_from_model(1.0, &mut random).translation
            };
            let positions: Vec<_> = (0..).zip(&places).map(at).collect();
            for (index, a) in positions.iter().enumerate() {
                for b in &positions[..index] {
                    assert!(a.distance(*b) > 0.45, "{arrangement:?}: {a} and {b}");
                }
            }
        }
    }

    #[test]
    fn sizes_vary_from_93_to_105_percent() {
        let place = places(Arrangement::Scatter, 1, 0.5)[0];
        let scales = (0..2000).map(|index| {
            let transform = place.world_from_model(1.0, &mut Random::of_instance(1, index));
            transform.matrix3.x_axis.length()
        });
        let (low, high) = scales.fold((f32::MAX, 0f32), |(l, h), s| (l.min(s), h.max(s)));
        assert!(low > 0.9299 && low < 0.935, "{low}");
        assert!(high < 1.0501 && high > 1.045, "{high}");
    }
}
