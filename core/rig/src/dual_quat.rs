//! Dual quaternions for rigid motions.

use std::ops::{Add, Mul, Neg};

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A dual quaternion, `real + ε·dual`. A unit dual quaternion is a rotation followed by a translation; `q`
/// and `-q` are the same motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DualQuat {
    /// Rotation.
    pub real: DQuat,
    /// Half the translation times the rotation.
    pub dual: DQuat,
}

const ZERO: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

impl DualQuat {
    /// The motion that changes nothing.
    pub const IDENTITY: Self = Self {
        real: DQuat::IDENTITY,
        dual: ZERO,
    };

    /// The neutral element of addition; not a motion.
    pub const ZERO: Self = Self {
        real: ZERO,
        dual: ZERO,
    };

    /// Makes a rotation by a unit quaternion, followed by a translation.
    pub fn from_rotation_translation(rotation: DQuat, translation: DVec3) -> Self {
        let half = DQuat::from_xyzw(
            0.5 * translation.x,
            0.5 * translation.y,
            0.5 * translation.z,
            0.0,
        );
        Self {
            real: rotation,
            dual: quat_mul(half, rotation),
        }
    }

    /// Returns the translation of a unit dual quaternion.
    ///
    /// The parts of a normalised blend are not orthogonal. The scalar part is dropped then, as in every
    /// form of dual-quaternion skinning.
    pub fn translation(self) -> DVec3 {
        let t = quat_mul(self.dual, self.real.conjugate());
        2.0 * DVec3::new(t.x, t.y, t.z)
    }

    /// Divides both parts by the length of the real part; `None` if that is at most 1e-12.
    ///
    /// The parts of the result need not be orthogonal; see [`Self::to_unit`].
    pub fn normalized(self) -> Option<Self> {
        let length = self.real.length();
        (length > 1e-12).then(|| self * (1.0 / length))
    }

    /// Returns a unit dual quaternion: a real part of length one, and a dual part orthogonal to it. `None` if
    /// the length of the real part is at most 1e-12.
    pub fn to_unit(self) -> Option<Self> {
        let q = self.normalized()?;
        let along = q.real.dot(q.dual);
        Some(Self {
            real: q.real,
            dual: q.dual + q.real * -along,
        })
    }

    /// Returns the inverse motion of a unit dual quaternion.
    pub fn conjugate(self) -> Self {
        Self {
            real: self.real.conjugate(),
            dual: self.dual.conjugate(),
        }
    }

    /// Returns the dot product of the real parts: negative if they are in opposite hemispheres.
    pub fn dot_real(self, other: Self) -> f64 {
        self.real.dot(other.real)
    }

    /// Returns `self` or `-self`, whichever is in the hemisphere of `pivot`.
    pub fn aligned_to(self, pivot: Self) -> Self {
        if self.dot_real(pivot) < 0.0 {
            -self
        } else {
            self
        }
    }

    /// Transforms a point, without a matrix. `self` must be normalised.
    pub fn transform_point(self, point: DVec3) -> DVec3 {
        let (r, d) = (self.real, self.dual);
        let (rv, dv) = (DVec3::new(r.x, r.y, r.z), DVec3::new(d.x, d.y, d.z));
        let rotated = point + 2.0 * rv.cross(rv.cross(point) + r.w * point);
        rotated + 2.0 * (r.w * dv - d.w * rv + rv.cross(dv))
    }

    /// Rotates a direction. `self` must be normalised.
    pub fn transform_vector(self, vector: DVec3) -> DVec3 {
        let r = self.real;
        let rv = DVec3::new(r.x, r.y, r.z);
        vector + 2.0 * rv.cross(rv.cross(vector) + r.w * vector)
    }

    /// Returns the motion as a matrix. `self` must be normalised.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3 {
            matrix3: DMat3::from_quat(self.real),
            translation: self.translation(),
        }
    }
}

/// Hamilton product of any quaternions. glam's product expects unit quaternions.
fn quat_mul(a: DQuat, b: DQuat) -> DQuat {
    let (av, bv) = (DVec3::new(a.x, a.y, a.z), DVec3::new(b.x, b.y, b.z));
    let v = a.w * bv + b.w * av + av.cross(bv);
    DQuat::from_xyzw(v.x, v.y, v.z, a.w * b.w - av.dot(bv))
}

/// First `rhs`, then `self`.
impl Mul for DualQuat {
    type Output = Self;
    // ε² = 0 leaves a sum of two products in the dual part.
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn mul(self, rhs: Self) -> Self {
        Self {
            real: quat_mul(self.real, rhs.real),
            dual: quat_mul(self.real, rhs.dual) + quat_mul(self.dual, rhs.real),
        }
    }
}

impl Mul<f64> for DualQuat {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            real: self.real * factor,
            dual: self.dual * factor,
        }
    }
}

impl Add for DualQuat {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self {
            real: self.real + rhs.real,
            dual: self.dual + rhs.dual,
        }
    }
}

impl Neg for DualQuat {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn motion() -> impl Strategy<Value = DualQuat> {
        (
            prop::array::uniform4(-1.0..1.0f64),
            prop::array::uniform3(-5.0..5.0f64),
        )
            .prop_filter("not zero", |(q, _)| {
                q.iter().map(|x| x * x).sum::<f64>() > 0.01
            })
            .prop_map(|(q, t)| {
                DualQuat::from_rotation_translation(
                    DQuat::from_array(q).normalize(),
                    DVec3::from_array(t),
                )
            })
    }

    fn any() -> impl Strategy<Value = DualQuat> {
        prop::array::uniform8(-3.0..3.0f64).prop_map(|x| DualQuat {
            real: DQuat::from_xyzw(x[0], x[1], x[2], x[3]),
            dual: DQuat::from_xyzw(x[4], x[5], x[6], x[7]),
        })
    }

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-5.0..5.0f64).prop_map(DVec3::from_array)
    }

    fn close(a: DualQuat, b: DualQuat, tolerance: f64) -> bool {
        a.real.abs_diff_eq(b.real, tolerance) && a.dual.abs_diff_eq(b.dual, tolerance)
    }

    proptest! {
        #[test]
        fn product_applies_one_motion_after_the_other(a in motion(), b in motion(), p in point()) {
            prop_assert!((a * b).transform_point(p).abs_diff_eq(a.transform_point(b.transform_point(p)), 1e-11));
        }

        #[test]
        fn products_are_associative_and_distribute(a in any(), b in any(), c in any()) {
            prop_assert!(close((a * b) * c, a * (b * c), 1e-10));
            prop_assert!(close(a * (b + c), a * b + a * c, 1e-11));
        }

        #[test]
        fn conjugate_is_the_inverse(a in motion(), p in point()) {
            prop_assert!(close(a * a.conjugate(), DualQuat::IDENTITY, 1e-12));
            prop_assert!(a.conjugate().transform_point(a.transform_point(p)).abs_diff_eq(p, 1e-11));
        }

        #[test]
        fn matrix_and_direct_form_agree(a in motion(), p in point()) {
            prop_assert!(a.to_affine().transform_point3(p).abs_diff_eq(a.transform_point(p), 1e-11));
            prop_assert!(a.to_affine().transform_vector3(p).abs_diff_eq(a.transform_vector(p), 1e-11));
        }

        #[test]
        fn opposite_sign_is_the_same_motion(a in motion(), p in point()) {
            prop_assert!((-a).transform_point(p).abs_diff_eq(a.transform_point(p), 1e-11));
            prop_assert!(((-a).translation()).abs_diff_eq(a.translation(), 1e-11));
        }

        #[test]
        fn translation_round_trips(q in prop::array::uniform4(0.1..1.0f64), t in point()) {
            let q = DQuat::from_array(q).normalize();
            let motion = DualQuat::from_rotation_translation(q, t);
            prop_assert!(motion.translation().abs_diff_eq(t, 1e-12));
            prop_assert!(motion.transform_point(DVec3::ZERO).abs_diff_eq(t, 1e-12));
        }

        #[test]
        fn to_unit_is_unit(a in any()) {
            prop_assume!(a.real.length() > 0.1);
            let unit = a.to_unit().unwrap();
            prop_assert!((unit.real.length() - 1.0).abs() < 1e-12);
            prop_assert!(unit.real.dot(unit.dual).abs() < 1e-10);
        }
    }

    #[test]
    fn zero_cannot_be_normalized() {
        assert_eq!(DualQuat::ZERO.normalized(), None);
    }
}
