//! `slerp-vertices`: P0's remedy for what linear blending of matrices shrinks, its section 5.2.4.
//!
//! A vertex is skinned by the bones of both frames, and goes from one place to the other along an arc. The
//! arc's centre is where the vertex's bones are, as in P0's figure 34: about the model's origin, the foot
//! of a runner would go round the origin and not past it.

use glam::{DAffine3, DVec3};
use throng_rig::Skin;

/// Below this sine of the angle there is no plane to turn in, and the way is straight.
const MIN_SINE: f64 = 1e-5;

/// From one place to another about the origin: the direction along the arc at an even speed, P0's
/// equation 7, and the distance evenly. Straight where they are on one line with the origin.
pub fn slerp_positions(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
    let (near, far) = (from.length(), to.length());
    let sine = from.cross(to).length() / (near * far);
    // Not a number where one of them is the origin.
    if sine.is_nan() || sine <= MIN_SINE {
        return from.lerp(to, fraction);
    }
    let angle = sine.atan2(from.dot(to) / (near * far));
    let [first, second] = [1.0 - fraction, fraction].map(|part| (part * angle).sin() / sine);
    let direction = from / near * first + to / far * second;
    direction * (near + (far - near) * fraction)
}

/// A vertex between two frames, from where it and its centre are at each. Centres go straight.
pub fn slerp_vertex(vertex: [DVec3; 2], centre: [DVec3; 2], fraction: f64) -> DVec3 {
    let [from, to] = [vertex[0] - centre[0], vertex[1] - centre[1]];
    centre[0].lerp(centre[1], fraction) + slerp_positions(from, to, fraction)
}

/// Where the bones of a vertex are in a pose, weighted as the vertex is.
pub fn vertex_centre(
    influences: impl Iterator<Item = (usize, f64)>,
    skin: &Skin,
    model_from_joint: &[DAffine3],
) -> DVec3 {
    influences
        .map(|(entry, weight)| model_from_joint[skin.joints()[entry]].translation * weight)
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
    fn a_quarter_turn_by_hand() {
        let half = slerp_positions(DVec3::X * 2.0, DVec3::Z * 4.0, 0.5);
        assert!(half.abs_diff_eq(at(PI / 4.0) * 3.0, 1e-15), "{half}");
        let third = slerp_positions(DVec3::X, DVec3::Z, 1.0 / 3.0);
        assert!(third.abs_diff_eq(at(PI / 6.0), 1e-15), "{third}");
    }

    #[test]
    fn what_has_no_plane_to_turn_in_goes_straight() {
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
    fn the_centre_is_that_of_the_bones() {
        let centre = [DVec3::Y, DVec3::Y * 3.0];
        let vertex = [DVec3::Y + at(0.2), DVec3::Y * 3.0 + at(1.0)];
        let half = slerp_vertex(vertex, centre, 0.5);
        assert!(half.abs_diff_eq(DVec3::Y * 2.0 + at(0.6), 1e-15), "{half}");
    }

    proptest! {
        /// A turn about the origin is exact across its axis, up to half a turn.
        #[test]
        fn a_turn_is_exact(start in -PI..PI, turn in 1e-3..PI - 1e-3, f in 0.0..1.0) {
            let found = slerp_positions(at(start), at(start + turn), f);
            prop_assert!(found.abs_diff_eq(at(start + f * turn), 1e-11), "{found}");
        }

        /// No frame is missed, and nothing is further off than the frames are.
        #[test]
        fn it_starts_and_ends_at_its_frames(a in vector(), b in vector(), f in 0.0..1.0) {
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
