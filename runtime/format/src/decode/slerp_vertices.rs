//! `slerp-vertices`: P0's remedy (section 5.2.4) for the shrinking that linear interpolation of matrices causes.
//!
//! A vertex is skinned by the bones of both frames and moves from one position to the other along an arc. The arc's
//! centre is the weighted position of the vertex's bones, as in P0's figure 34. An arc about the model's origin would
//! move the foot of a runner around the origin instead of past it.

use glam::{DAffine3, DVec3};
use throng_rig::Skin;

/// Minimum sine of the angle. Below it the plane of rotation is undefined, and interpolation is linear.
const MIN_SINE: f64 = 1e-5;

/// Interpolates two positions along an arc about the origin: the direction spherically (P0's equation 7), the distance
/// linearly. Linear where both are on one line with the origin.
pub fn slerp_positions(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
    let (near, far) = (from.length(), to.length());
    let sine = from.cross(to).length() / (near * far);
    // NaN where one of them is the origin.
    if sine.is_nan() || sine <= MIN_SINE {
        return from.lerp(to, fraction);
    }
    let angle = sine.atan2(from.dot(to) / (near * far));
    let [first, second] = [1.0 - fraction, fraction].map(|part| (part * angle).sin() / sine);
    let direction = from / near * first + to / far * second;
    direction * (near + (far - near) * fraction)
}

/// Interpolates a vertex between two frames, given its position and its centre at each. Centres move linearly.
pub fn slerp_vertex(vertex: [DVec3; 2], centre: [DVec3; 2], fraction: f64) -> DVec3 {
    let [from, to] = [vertex[0] - centre[0], vertex[1] - centre[1]];
    centre[0].lerp(centre[1], fraction) + slerp_positions(from, to, fraction)
}

/// Weighted position of a vertex's bones in a pose. Influences are pairs of palette index and weight.
pub fn vertex_center(
    influences: impl Iterator<Item = (usize, f64)>,
    skin: &Skin,
    model_from_joint: &[DAffine3],
) -> DVec3 {
    influences
        .map(|(palette_index, weight)| {
            model_from_joint[skin.joints()[palette_index]].translation * weight
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use proptest::prelude::*;

    use super::*;

    fn at(angle: f64) -> DVec3 {
        DVec3::new(angle.cos(), 0.0, angle.sin())
    }

    #[test]
    fn interpolates_direction_and_distance_of_a_quarter_turn() {
        let half = slerp_positions(DVec3::X * 2.0, DVec3::Z * 4.0, 0.5);
        assert!(half.abs_diff_eq(at(PI / 4.0) * 3.0, 1e-15), "{half}");
        let third = slerp_positions(DVec3::X, DVec3::Z, 1.0 / 3.0);
        assert!(third.abs_diff_eq(at(PI / 6.0), 1e-15), "{third}");
    }

    #[test]
    fn collinear_positions_are_interpolated_linearly() {
        for (from, to) in [
            (DVec3::X, DVec3::X * 3.0),
            (DVec3::X, DVec3::X * -3.0),
            (DVec3::ZERO, DVec3::X),
            (DVec3::Y, DVec3::ZERO),
            (DVec3::ZERO, DVec3::ZERO),
        ] {
            let quarter = slerp_positions(from, to, 0.25);
            assert_eq!(quarter, from.lerp(to, 0.25), "{from} {to}");
        }
    }

    #[test]
    fn arc_is_about_the_centre_of_the_bones() {
        let centre = [DVec3::Y, DVec3::Y * 3.0];
        let vertex = [DVec3::Y + at(0.2), DVec3::Y * 3.0 + at(1.0)];
        let half = slerp_vertex(vertex, centre, 0.5);
        assert!(half.abs_diff_eq(DVec3::Y * 2.0 + at(0.6), 1e-15), "{half}");
    }

    proptest! {
        /// Rotation about the origin, perpendicular to its axis, is exact up to half a turn.
        #[test]
        fn rotation_is_exact(start in -PI..PI, angle in 1e-3..PI - 1e-3, f in 0.0..1.0) {
            let found = slerp_positions(at(start), at(start + angle), f);
            prop_assert!(found.abs_diff_eq(at(start + f * angle), 1e-11), "{found}");
        }

        /// Both ends are reached, and no position is farther from the origin than the ends.
        #[test]
        fn starts_and_ends_at_its_frames(a in vector(), b in vector(), f in 0.0..1.0) {
            let size = a.length().max(b.length());
            prop_assert!(slerp_positions(a, b, 0.0).abs_diff_eq(a, 1e-9 * size));
            prop_assert!(slerp_positions(a, b, 1.0).abs_diff_eq(b, 1e-9 * size));
            prop_assert!(slerp_positions(a, b, f).length() <= size * (1.0 + 1e-9));
        }
    }

    fn vector() -> impl Strategy<Value = DVec3> {
        [-10.0..10.0, -10.0..10.0, -10.0..10.0f64].prop_map(DVec3::from_array)
    }
}
