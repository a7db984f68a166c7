//! One 3-D vector per vertex.

use throng_simd::Wide;

#[derive(Clone, Copy)]
pub(in crate::fast) struct WideVec3<V> {
    pub x: V,
    pub y: V,
    pub z: V,
}

impl<V: Wide> WideVec3<V> {
    #[inline(always)]
    pub fn new(x: V, y: V, z: V) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> V {
        self.x
            .mul_add(other.x, self.y.mul_add(other.y, self.z * other.z))
    }

    /// `-(self · other)`.
    #[inline(always)]
    pub fn minus_dot(self, other: Self) -> V {
        let sum = self.z.neg_mul_add(other.z, V::splat(0.0));
        self.x
            .neg_mul_add(other.x, self.y.neg_mul_add(other.y, sum))
    }

    /// `self · other + term`.
    #[inline(always)]
    pub fn dot_add(self, other: Self, term: V) -> V {
        let sum = self.z.mul_add(other.z, term);
        self.x.mul_add(other.x, self.y.mul_add(other.y, sum))
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.z.neg_mul_add(other.y, self.y * other.z),
            y: self.x.neg_mul_add(other.z, self.z * other.x),
            z: self.y.neg_mul_add(other.x, self.x * other.y),
        }
    }

    /// `self × other + term`.
    #[inline(always)]
    pub fn cross_add(self, other: Self, term: Self) -> Self {
        Self {
            x: self.z.neg_mul_add(other.y, self.y.mul_add(other.z, term.x)),
            y: self.x.neg_mul_add(other.z, self.z.mul_add(other.x, term.y)),
            z: self.y.neg_mul_add(other.x, self.x.mul_add(other.y, term.z)),
        }
    }

    /// `self * factor + term`.
    #[inline(always)]
    pub fn mul_add(self, factor: V, term: Self) -> Self {
        Self {
            x: self.x.mul_add(factor, term.x),
            y: self.y.mul_add(factor, term.y),
            z: self.z.mul_add(factor, term.z),
        }
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }

    /// `term - self * factor`.
    #[inline(always)]
    pub fn neg_mul_add(self, factor: V, term: Self) -> Self {
        Self {
            x: self.x.neg_mul_add(factor, term.x),
            y: self.y.neg_mul_add(factor, term.y),
            z: self.z.neg_mul_add(factor, term.z),
        }
    }

    #[inline(always)]
    pub fn scaled(self, factor: V) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    /// `(1 − f)·self + f·other`.
    #[inline(always)]
    pub fn lerp(self, other: Self, f: V) -> Self {
        let keep = V::splat(1.0) - f;
        other.mul_add(f, self.scaled(keep))
    }

    /// Normalises; the fallback where the squared length is below the smallest normal number.
    #[inline(always)]
    pub fn unit_or(self, fallback: Self) -> Self {
        let length_squared = self.dot(self);
        let unit = self.scaled(length_squared.fast_inverse_sqrt());
        if !length_squared.any_below(f32::MIN_POSITIVE) {
            return unit;
        }
        let limit = f32::MIN_POSITIVE;
        Self {
            x: length_squared.select_below(limit, fallback.x, unit.x),
            y: length_squared.select_below(limit, fallback.y, unit.y),
            z: length_squared.select_below(limit, fallback.z, unit.z),
        }
    }
}
