//! Circles: rings around an open middle, and a filled disc.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::{Activity, Place, Variation};

/// Distance between rings.
const RING_DISTANCE: f32 = 1.35;
/// Radius of the open middle, as a part of the radius of the outermost ring.
const OPEN_MIDDLE: f32 = 0.42;

/// Returns the chord-exact number of places on a ring, a unit apart.
fn places_on(radius: f32) -> u32 {
    match radius < 0.5 {
        true => 1,
        false => (PI / (0.5 / radius).asin() + 1e-3) as u32,
    }
}

/// Returns the radii of rings around an open middle that have room for `count` places, or more.
fn radii(count: u32) -> Vec<f32> {
    let mut rings = 1;
    loop {
        let depth = (rings - 1) as f32 * RING_DISTANCE;
        // The open middle takes its part of the outermost radius.
        let inner = (depth * OPEN_MIDDLE / (1.0 - OPEN_MIDDLE)).max(1.0);
        let radii: Vec<f32> = (0..rings)
            .map(|ring| inner + ring as f32 * RING_DISTANCE)
            .collect();
        let room: u32 = radii.iter().map(|&radius| places_on(radius)).sum();
        if room >= count {
            return radii;
        }
        rings += 1;
    }
}

/// Returns places on rings around an open middle, by turns to the left and to the right. Few places are one ring.
pub(super) fn rings(count: u32) -> Vec<Place> {
    let radii = match count {
        0..2 => vec![0.0],
        // The chord between neighbours has length one.
        2..25 => vec![0.5 / (PI / count as f32).sin()],
        _ => radii(count),
    };
    let room: u32 = radii.iter().map(|&radius| places_on(radius)).sum();
    let fill = count as f32 / room.max(1) as f32;
    let mut places = Vec::with_capacity(count as usize);
    let (mut until, mut seen) = (0.0, 0);
    for (ring, &radius) in radii.iter().enumerate() {
        until += fill * places_on(radius) as f32;
        let end = match ring + 1 == radii.len() {
            true => count,
            false => until.round() as u32,
        };
        let on_ring = end - seen;
        seen = end;
        let is_left = ring % 2 == 0;
        places.extend((0..on_ring).map(|index| {
            let at = TAU * (index as f32 + 0.5 * (ring % 2) as f32) / on_ring as f32;
            Place {
                position: Vec3::new(radius * at.sin(), 0.0, radius * at.cos()),
                heading_rad: at + if is_left { 0.25 * TAU } else { -0.25 * TAU },
                activity: Activity::Walk,
                variation: Variation {
                    offset: 0.06,
                    heading_rad: 0.12,
                    is_sized: true,
                },
            }
        }));
    }
    places
}

/// Returns places on a sunflower spiral, which fills a circle evenly.
pub(super) fn disc(count: u32) -> Vec<Place> {
    let golden_angle = TAU * (1.0 - 2.0 / (1.0 + 5f32.sqrt()));
    let places = (0..count).map(|index| {
        // One place per unit of area.
        let radius = ((index as f32 + 0.5) * 2.0 / TAU).sqrt();
        let at = golden_angle * index as f32;
        Place {
            position: Vec3::new(radius * at.sin(), 0.0, radius * at.cos()),
            heading_rad: 0.0,
            activity: Activity::Any,
            variation: Variation {
                offset: 0.1,
                heading_rad: 0.4,
                is_sized: true,
            },
        }
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_face_along_their_circle() {
        for place in rings(12).into_iter().chain(rings(300)) {
            // The front is +Z, turned about Y.
            let front = Vec3::new(place.heading_rad.sin(), 0.0, place.heading_rad.cos());
            let outwards = place.position.normalize();
            assert!(outwards.dot(front).abs() < 1e-4, "{place:?}");
        }
    }

    #[test]
    fn rings_leave_the_middle_open() {
        let radii: Vec<f32> = rings(600).iter().map(|p| p.position.length()).collect();
        let (inner, outer) = (radii[0], radii[radii.len() - 1]);
        let part = inner / outer;
        assert!((0.3..0.6).contains(&part), "{part}");
    }
}
