//! One rigid motion per vertex, from a sum of dual quaternions.

use throng_simd::Wide;

use super::matrix::WideMatrix;
use super::vec3::WideVec3;
use crate::fast::palette::DualRow;

/// A sum of dual quaternions, not normalised. It is used only in products with itself, so one division by its
/// squared length replaces normalisation, without a square root.
#[derive(Clone, Copy)]
pub(super) struct WideRigid<V> {
    real: WideVec3<V>,
    real_w: V,
    dual: WideVec3<V>,
    dual_w: V,
    pub length_squared: V,
}

impl<V: Wide> WideRigid<V> {
    #[inline(always)]
    pub fn from_sum(q: [V; 8]) -> Self {
        let real = WideVec3::new(q[0], q[1], q[2]);
        Self {
            real,
            real_w: q[3],
            dual: WideVec3::new(q[4], q[5], q[6]),
            dual_w: q[7],
            length_squared: real.dot_add(real, q[3] * q[3]),
        }
    }

    #[inline(always)]
    pub fn new(real: WideQuat<V>, dual: WideQuat<V>) -> Self {
        Self {
            real: real.v,
            real_w: real.w,
            dual: dual.v,
            dual_w: dual.w,
            length_squared: real.dot(real),
        }
    }

    #[inline(always)]
    pub fn real(&self) -> WideQuat<V> {
        WideQuat {
            v: self.real,
            w: self.real_w,
        }
    }

    #[inline(always)]
    pub fn dual(&self) -> WideQuat<V> {
        WideQuat {
            v: self.dual,
            w: self.dual_w,
        }
    }

    /// Returns the unit dual quaternion: a real part of length one, and a dual part orthogonal to it.
    #[inline(always)]
    pub fn unit(&self) -> Self {
        let scale = self.length_squared.fast_inverse_sqrt();
        let (real, dual) = (self.real().scaled(scale), self.dual().scaled(scale));
        let along = V::splat(0.0) - real.dot(dual);
        Self::new(real, real.mul_add(along, dual))
    }

    /// Returns `2 / length_squared`, the factor that replaces normalisation.
    #[inline(always)]
    pub fn scale(&self) -> V {
        V::splat(2.0) / self.length_squared
    }

    /// Twin of [`throng_rig::DualQuat::transform_point`], with its two outer cross products in one.
    #[inline(always)]
    pub fn point(&self, scale: V, p: WideVec3<V>) -> WideVec3<V> {
        let inner = self.real.cross_add(p, p.mul_add(self.real_w, self.dual));
        let shift = self.dual.scaled(self.real_w);
        let shift = self.real.neg_mul_add(self.dual_w, shift);
        self.real.cross_add(inner, shift).mul_add(scale, p)
    }

    /// Twin of [`throng_rig::DualQuat::transform_vector`].
    #[inline(always)]
    pub fn vector(&self, scale: V, v: WideVec3<V>) -> WideVec3<V> {
        let inner = self.real.cross_add(v, v.scaled(self.real_w));
        self.real.cross(inner).mul_add(scale, v)
    }

    /// Returns `factor * T + term`, where the motion as a matrix is `identity + scale * T`.
    #[inline(always)]
    pub fn matrix_mul_add(&self, factor: V, term: &WideMatrix<V>) -> WideMatrix<V> {
        let (q, w) = (self.real, self.real_w);
        let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z);
        let (wx, wy, wz) = (w * q.x, w * q.y, w * q.z);
        let shift = self.dual.scaled(w);
        let shift = self.real.neg_mul_add(self.dual_w, shift);
        let shift = self.real.cross_add(self.dual, shift);
        WideMatrix {
            x: WideVec3 {
                x: (yy + zz).neg_mul_add(factor, term.x.x),
                y: q.x.mul_sub(q.y, wz).mul_add(factor, term.x.y),
                z: q.x.mul_add(q.z, wy).mul_add(factor, term.x.z),
            },
            y: WideVec3 {
                x: q.x.mul_add(q.y, wz).mul_add(factor, term.y.x),
                y: (xx + zz).neg_mul_add(factor, term.y.y),
                z: q.y.mul_sub(q.z, wx).mul_add(factor, term.y.z),
            },
            z: WideVec3 {
                x: q.x.mul_sub(q.z, wy).mul_add(factor, term.z.x),
                y: q.y.mul_add(q.z, wx).mul_add(factor, term.z.y),
                z: (xx + yy).neg_mul_add(factor, term.z.z),
            },
            translation: shift.mul_add(factor, term.translation),
        }
    }
}

/// One quaternion per vertex.
#[derive(Clone, Copy)]
pub(super) struct WideQuat<V> {
    pub v: WideVec3<V>,
    pub w: V,
}

impl<V: Wide> WideQuat<V> {
    /// Returns the same number in all components.
    #[inline(always)]
    pub fn splat(number: f32) -> Self {
        let number = V::splat(number);
        Self {
            v: WideVec3::new(number, number, number),
            w: number,
        }
    }

    /// Returns the real and the dual part of a joint's motion.
    #[inline(always)]
    pub fn parts(row: &DualRow) -> [Self; 2] {
        let q = row.each_ref().map(V::splat_lanes);
        [0, 4].map(|first| Self {
            v: WideVec3::new(q[first], q[first + 1], q[first + 2]),
            w: q[first + 3],
        })
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> V {
        self.v.dot_add(other.v, self.w * other.w)
    }

    #[inline(always)]
    pub fn scaled(self, factor: V) -> Self {
        Self {
            v: self.v.scaled(factor),
            w: self.w * factor,
        }
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self {
            v: self.v.plus(other.v),
            w: self.w + other.w,
        }
    }

    /// `self * factor + term`, where the factor is a number.
    #[inline(always)]
    pub fn mul_add(self, factor: V, term: Self) -> Self {
        Self {
            v: self.v.mul_add(factor, term.v),
            w: self.w.mul_add(factor, term.w),
        }
    }

    /// Product of quaternions.
    #[inline(always)]
    pub fn mul(self, other: Self) -> Self {
        let v = self.v.mul_add(other.w, other.v.scaled(self.w));
        Self {
            v: self.v.cross_add(other.v, v),
            w: self.v.minus_dot(other.v) + self.w * other.w,
        }
    }

    /// Vector part of the conjugate of `self` times `other`.
    #[inline(always)]
    pub fn conjugate_mul_vector(self, other: Self) -> WideVec3<V> {
        let v = self.v.neg_mul_add(other.w, other.v.scaled(self.w));
        other.v.cross_add(self.v, v)
    }
}
