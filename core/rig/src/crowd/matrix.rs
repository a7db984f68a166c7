//! Matrices of eight instances. Arrays are written out, as in `sampling`.

use throng_simd::{F32x8, Lanes};

use super::pose::{Mat3x4, MatrixLanes};

/// A matrix of eight instances in registers.
pub(super) type Matrix<V> = [[V; 4]; 3];

/// Multiplies a row by a scale of each axis.
#[inline(always)]
pub(super) fn scaled<V: F32x8>([x, y, z]: [V; 3], scale: [V; 4]) -> [V; 3] {
    [x * scale[0], y * scale[1], z * scale[2]]
}

/// Rows of the matrix of a unit quaternion.
#[inline(always)]
pub(super) fn rotation_rows<V: F32x8>([x, y, z, w]: [V; 4]) -> [[V; 3]; 3] {
    let one = V::splat(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let one_less_xx = x.neg_mul_add(x2, one);
    let one_less_yy = y.neg_mul_add(y2, one);
    [
        [
            z.neg_mul_add(z2, one_less_yy),
            w.neg_mul_add(z2, xy),
            w.mul_add(y2, xz),
        ],
        [
            w.mul_add(z2, xy),
            z.neg_mul_add(z2, one_less_xx),
            w.neg_mul_add(x2, yz),
        ],
        [
            w.neg_mul_add(y2, xz),
            w.mul_add(x2, yz),
            y.neg_mul_add(y2, one_less_xx),
        ],
    ]
}

/// `left * right`.
#[inline(always)]
pub(super) fn product<V: F32x8>(left: &MatrixLanes, right: &Matrix<V>) -> Matrix<V> {
    let [a, b, c] = &left.0;
    [
        row_product(a, right),
        row_product(b, right),
        row_product(c, right),
    ]
}

#[inline(always)]
fn row_product<V: F32x8>(left: &[Lanes; 4], right: &Matrix<V>) -> [V; 4] {
    let (x, y) = (V::load(&left[0]), V::load(&left[1]));
    let (z, moved) = (V::load(&left[2]), V::load(&left[3]));
    let [a, b, c] = right;
    [
        x.mul_add(a[0], y.mul_add(b[0], z * c[0])),
        x.mul_add(a[1], y.mul_add(b[1], z * c[1])),
        x.mul_add(a[2], y.mul_add(b[2], z * c[2])),
        x.mul_add(a[3], y.mul_add(b[3], z.mul_add(c[3], moved))),
    ]
}

/// The same matrix in every lane.
#[inline(always)]
pub(super) fn splat<V: F32x8>([a, b, c]: &Mat3x4) -> Matrix<V> {
    [splat4(a), splat4(b), splat4(c)]
}

#[inline(always)]
pub(super) fn splat4<V: F32x8>([x, y, z, w]: &[f32; 4]) -> [V; 4] {
    [V::splat(*x), V::splat(*y), V::splat(*z), V::splat(*w)]
}

#[inline(always)]
pub(super) fn store<V: F32x8>(matrix: &Matrix<V>, out: &mut MatrixLanes) {
    for (row, out) in matrix.iter().zip(&mut out.0) {
        for (lanes, out) in row.iter().zip(out) {
            lanes.store(out);
        }
    }
}
