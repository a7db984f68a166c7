//! Modified Rodrigues parameters (MRP): a rotation as its unit axis times the tangent of a quarter of its angle.
//!
//! This is the stereographic projection of the unit quaternion from (0, 0, 0, -1) onto w = 0. Parameters of length
//! one or less stand for quaternions whose w is not negative.

use glam::{DQuat, DVec3, Quat, Vec3};

/// Returns the unit quaternion of modified Rodrigues parameters.
pub fn quat_from_mrp(p: DVec3) -> DQuat {
    let square = p.length_squared();
    let scale = 1.0 / (1.0 + square);
    let v = p * (2.0 * scale);
    DQuat::from_xyzw(v.x, v.y, v.z, (1.0 - square) * scale)
}

/// [`quat_from_mrp`] in float32, as shaders compute it.
pub fn quat_from_mrp_f32(p: Vec3) -> Quat {
    let square = p.length_squared();
    let scale = 1.0 / (1.0 + square);
    let v = p * (2.0 * scale);
    Quat::from_xyzw(v.x, v.y, v.z, (1.0 - square) * scale)
}

/// Returns the modified Rodrigues parameters of a rotation. Of `q` and `-q`, the one with `w >= 0` is used, so the
/// length of the result is at most one.
pub fn mrp_from_quat(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.xyz() / (1.0 + q.w)
}

/// Returns the modified Rodrigues parameters of a unit quaternion without changing its sign: longer than one where
/// `w` is negative. At `w = -1` the projection is at infinity; the divisor is held at 1e-6.
pub fn mrp_from_signed_quat(q: DQuat) -> DVec3 {
    q.xyz() / (1.0 + q.w).max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEGREES: [f64; 7] = [0.0, 1e-4, 10.0, 90.0, 179.0, 180.0, 270.0];

    fn axis() -> DVec3 {
        DVec3::new(1.0, -2.0, 0.5).normalize()
    }

    #[test]
    fn length_is_the_tangent_of_a_quarter_of_the_angle() {
        for angle in DEGREES.map(f64::to_radians) {
            let p = axis() * (angle / 4.0).tan();
            let expected = DQuat::from_axis_angle(axis(), angle);
            let quat = quat_from_mrp(p);
            assert!(quat.abs_diff_eq(expected, 1e-14), "{angle}: {quat}");
            let quat = quat_from_mrp_f32(p.as_vec3());
            assert!(quat.abs_diff_eq(expected.as_quat(), 1e-6), "{angle}");
        }
    }

    #[test]
    fn parameters_convert_to_a_quaternion_and_back() {
        for angle in DEGREES.map(f64::to_radians) {
            let quat = DQuat::from_axis_angle(axis(), angle);
            let signed = mrp_from_signed_quat(quat);
            assert!(quat_from_mrp(signed).abs_diff_eq(quat, 1e-14), "{angle}");
            let shortest = mrp_from_quat(quat);
            assert!(shortest.length() <= 1.0 + 1e-15, "{angle}");
            assert!(quat_from_mrp(shortest).dot(quat).abs() > 1.0 - 1e-14);
        }
    }

    #[test]
    fn opposite_quaternions_have_equal_shortest_parameters() {
        let quat = DQuat::from_axis_angle(axis(), 2.5);
        assert_eq!(mrp_from_quat(quat), mrp_from_quat(-quat));
    }

    #[test]
    fn identity_with_negative_sign_is_finite() {
        assert!(mrp_from_signed_quat(-DQuat::IDENTITY).is_finite());
    }
}
