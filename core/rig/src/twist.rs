//! Twists: logarithms of unit dual quaternions.

use std::ops::{Add, Mul};

use glam::{DQuat, DVec3};

use crate::DualQuat;

/// Logarithm of a rigid motion: a screw about an axis, as a pure dual quaternion. Half a twist is half the screw.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// Axis of the rotation times half its angle, in radians.
    pub real: DVec3,
    /// Half the moment of the screw, in metres.
    pub dual: DVec3,
}

/// Half angle below which series replace quotients that cancel. Their error there is less than 1e-13.
const SMALL: f64 = 1e-3;

impl Twist {
    /// Returns the logarithm of a unit dual quaternion, of the shorter of its two screws.
    pub fn from_motion(motion: DualQuat) -> Self {
        let motion = if motion.real.w < 0.0 { -motion } else { motion };
        let (real, dual) = (motion.real, motion.dual);
        let (real_v, dual_v) = (real.to_vec(), dual.to_vec());
        let sin = real_v.length();
        let half = sin.atan2(real.w);
        let (stretch, curl) = match half < SMALL {
            true => (
                1.0 + half * half / 6.0,
                -(1.0 / 3.0 + 2.0 * half * half / 15.0),
            ),
            false => (half / sin, (half * real.w / sin - 1.0) / (sin * sin)),
        };
        Self {
            real: real_v * stretch,
            dual: dual_v * stretch + real_v * (dual.w * curl),
        }
    }

    /// Returns the motion, a unit dual quaternion.
    pub fn to_motion(self) -> DualQuat {
        let half = self.real.length();
        let (sin, cos) = half.sin_cos();
        let (sinc, curl) = match half < SMALL {
            true => (1.0 - half * half / 6.0, -1.0 / 3.0 + half * half / 30.0),
            false => (sin / half, (cos - sin / half) / (half * half)),
        };
        let along = self.real.dot(self.dual);
        let quat = |v: DVec3, w: f64| DQuat::from_xyzw(v.x, v.y, v.z, w);
        DualQuat {
            real: quat(self.real * sinc, cos),
            dual: quat(self.dual * sinc + self.real * (along * curl), -along * sinc),
        }
    }

    /// Returns the length of both parts together: half the angle and half the moment.
    pub fn length(self) -> f64 {
        self.real.length().hypot(self.dual.length())
    }
}

impl Add for Twist {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self {
            real: self.real + rhs.real,
            dual: self.dual + rhs.dual,
        }
    }
}

impl Mul<f64> for Twist {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            real: self.real * factor,
            dual: self.dual * factor,
        }
    }
}

trait VectorPart {
    fn to_vec(self) -> DVec3;
}

impl VectorPart for DQuat {
    fn to_vec(self) -> DVec3 {
        DVec3::new(self.x, self.y, self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn motion() -> impl Strategy<Value = DualQuat> {
        let axis = prop::array::uniform3(-1.0..1.0f64);
        // Half of the angles are tiny, so that the series are used.
        let angle = prop_oneof![1e-9..3e-3f64, 0.01..3.1f64];
        (axis, angle, prop::array::uniform3(-5.0..5.0f64))
            .prop_filter("has an axis", |(axis, ..)| {
                DVec3::from_array(*axis).length() > 0.1
            })
            .prop_map(|(axis, angle, t)| {
                let rotation = DQuat::from_axis_angle(DVec3::from_array(axis).normalize(), angle);
                DualQuat::from_rotation_translation(rotation, DVec3::from_array(t))
            })
    }

    proptest! {
        #[test]
        fn logarithm_and_exponential_are_inverse(motion in motion()) {
            let again = Twist::from_motion(motion).to_motion();
            prop_assert!(again.real.abs_diff_eq(motion.real, 1e-12));
            prop_assert!(again.dual.abs_diff_eq(motion.dual, 1e-11));
        }

        #[test]
        fn both_signs_have_one_logarithm(motion in motion()) {
            let twists = [motion, -motion].map(Twist::from_motion);
            prop_assert!(twists[0].real.abs_diff_eq(twists[1].real, 1e-12));
            prop_assert!(twists[0].dual.abs_diff_eq(twists[1].dual, 1e-12));
        }

        #[test]
        fn half_a_twist_done_twice_is_the_motion(motion in motion()) {
            let half = (Twist::from_motion(motion) * 0.5).to_motion();
            let twice = half * half;
            prop_assert!(twice.real.abs_diff_eq(motion.real, 1e-12));
            prop_assert!(twice.dual.abs_diff_eq(motion.dual, 1e-11));
        }
    }

    #[test]
    fn screw_about_an_axis_has_its_angle_and_its_advance() {
        // A quarter turn about the line x = 1 along Z, with an advance of 3 m.
        let rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let axis_point = DVec3::X;
        let translation = axis_point - rotation * axis_point + DVec3::Z * 3.0;
        let motion = DualQuat::from_rotation_translation(rotation, translation);
        let third = (Twist::from_motion(motion) * (1.0 / 3.0)).to_motion();
        let moved = third.transform_point(DVec3::X * 2.0);
        let (sin, cos) = 30f64.to_radians().sin_cos();
        assert!(moved.abs_diff_eq(DVec3::new(1.0 + cos, sin, 1.0), 1e-12));
    }
}
