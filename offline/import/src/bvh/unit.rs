//! The unit of lengths, which the format does not state.

use glam::DVec3;

use super::hierarchy::BvhJoint;

/// Metres per unit: centimetres, metres, inches, millimetres, and that of the CMU motion capture database, 1/0.45 inches.
const CANDIDATES: [f64; 5] = [0.01, 1.0, 0.0254, 0.001, 0.0254 / 0.45];

/// Number of candidates that are preferred, in order, where they give a plausible height.
const PREFERRED: usize = 2;

/// Plausible extents of a person, in metres.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.5..=3.0;

/// Typical extent of a person, in metres.
const TYPICAL: f64 = 1.7;

/// Guesses the number of metres per unit from the rest pose.
///
/// The extent of a skeleton is the longest side of its bounding box, because some rest poses lie down. Centimetres are
/// chosen if they give an extent of 0.5 to 3 m, else metres. Otherwise, it is the unit that gives the extent closest to
/// 1.7 m by ratio. A skeleton without extent is in centimetres.
pub(super) fn metres_per_unit(joints: &[BvhJoint]) -> f64 {
    of_extent(extent(joints))
}

fn extent(joints: &[BvhJoint]) -> f64 {
    let mut positions: Vec<DVec3> = Vec::with_capacity(joints.len());
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for joint in joints {
        let position = match joint.parent {
            Some(parent) => positions[parent] + joint.offset,
            None => joint.offset,
        };
        positions.push(position);
        (min, max) = (min.min(position), max.max(position));
    }
    (max - min).max_element()
}

fn of_extent(extent: f64) -> f64 {
    if !(extent > 0.0 && extent.is_finite()) {
        return CANDIDATES[0];
    }
    let preferred = CANDIDATES[..PREFERRED].iter();
    if let Some(unit) = preferred
        .copied()
        .find(|unit| PLAUSIBLE.contains(&(extent * unit)))
    {
        return unit;
    }
    let ratio = |unit: f64| (extent * unit / TYPICAL).ln().abs();
    let closest = CANDIDATES
        .into_iter()
        .min_by(|a, b| ratio(*a).total_cmp(&ratio(*b)));
    closest.unwrap_or(CANDIDATES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_give_plausible_heights() {
        for (extent, expected) in [
            (170.0, 0.01),
            (60.0, 0.01),
            (1.7, 1.0),
            (0.6, 1.0),
            (46.0, 0.0254),
            (1700.0, 0.001),
            (28.0, 0.0254 / 0.45),
            (0.0, 0.01),
            (f64::INFINITY, 0.01),
            (f64::NAN, 0.01),
            (1e9, 0.001),
            (1e-9, 1.0),
        ] {
            assert_eq!(of_extent(extent), expected, "{extent}");
        }
    }
}
