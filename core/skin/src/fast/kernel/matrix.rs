//! One 3×4 matrix per vertex, by rows as in [`crate::fast::palette::MatrixRow`].

use throng_simd::Wide;

use super::vec3::WideVec3;

#[derive(Clone, Copy)]
pub(super) struct WideMatrix<V> {
    pub x: WideVec3<V>,
    pub y: WideVec3<V>,
    pub z: WideVec3<V>,
    pub translation: WideVec3<V>,
}

impl<V: Wide> WideMatrix<V> {
    #[inline(always)]
    pub fn from_row(m: [V; 12]) -> Self {
        Self {
            x: WideVec3::new(m[0], m[1], m[2]),
            y: WideVec3::new(m[4], m[5], m[6]),
            z: WideVec3::new(m[8], m[9], m[10]),
            translation: WideVec3::new(m[3], m[7], m[11]),
        }
    }

    /// Returns the identity times a factor.
    #[inline(always)]
    pub fn diagonal(factor: V) -> Self {
        let zero = V::splat(0.0);
        Self {
            x: WideVec3::new(factor, zero, zero),
            y: WideVec3::new(zero, factor, zero),
            z: WideVec3::new(zero, zero, factor),
            translation: WideVec3::new(zero, zero, zero),
        }
    }

    /// Multiplies all numbers by a factor.
    #[inline(always)]
    pub fn scaled(&self, factor: V) -> Self {
        Self {
            x: self.x.scaled(factor),
            y: self.y.scaled(factor),
            z: self.z.scaled(factor),
            translation: self.translation.scaled(factor),
        }
    }

    /// Adds another matrix.
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        let one = V::splat(1.0);
        Self {
            x: self.x.mul_add(one, other.x),
            y: self.y.mul_add(one, other.y),
            z: self.z.mul_add(one, other.z),
            translation: self.translation.mul_add(one, other.translation),
        }
    }

    #[inline(always)]
    pub fn point(&self, p: WideVec3<V>) -> WideVec3<V> {
        WideVec3 {
            x: self.x.dot_add(p, self.translation.x),
            y: self.y.dot_add(p, self.translation.y),
            z: self.z.dot_add(p, self.translation.z),
        }
    }

    /// Transforms a normal by the cofactors of the 3×3; the result is not normalised. Each row of the cofactors is
    /// the cross product of the other two rows. Two of the three triple products share the cross product of the
    /// last row and the normal.
    #[inline(always)]
    pub fn normal(&self, n: WideVec3<V>) -> WideVec3<V> {
        let shared = self.z.cross(n);
        WideVec3 {
            x: self.y.dot(shared),
            y: self.x.minus_dot(shared),
            z: self.x.cross(self.y).dot(n),
        }
    }

    /// Returns `self * first + term`.
    #[inline(always)]
    pub fn after_plus(&self, first: &Self, term: &Self) -> Self {
        Self {
            x: first.across(self.x, term.x),
            y: first.across(self.y, term.y),
            z: first.across(self.z, term.z),
            translation: WideVec3 {
                x: (self.x).dot_add(first.translation, self.translation.x + term.translation.x),
                y: (self.y).dot_add(first.translation, self.translation.y + term.translation.y),
                z: (self.z).dot_add(first.translation, self.translation.z + term.translation.z),
            },
        }
    }

    /// Returns a row times the 3×3, plus `term`.
    #[inline(always)]
    fn across(&self, row: WideVec3<V>, term: WideVec3<V>) -> WideVec3<V> {
        let sum = self.x.mul_add(row.x, term);
        let sum = self.y.mul_add(row.y, sum);
        self.z.mul_add(row.z, sum)
    }
}
