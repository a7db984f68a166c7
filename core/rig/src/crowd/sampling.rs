//! Evaluates a clip for eight instances at a time, from the roots down.
//!
//! Arrays are written out: `map` and `from_fn` are not always inlined, and then they are compiled without
//! the level's instructions (see [`Task`]).

use throng_simd::{F32x8, LANES, Lanes, Task};

use super::layout::{Channel, ClipLayout, Local};
use super::pose::{LaneKeys, Mat3x4, MatrixLanes};
use super::spans::SpanKind;

/// A matrix of eight instances in registers.
pub(super) type Matrix<V> = [[V; 4]; 3];

/// Poses instances in blocks of eight, one per time. `out` has room for all joints of all blocks.
pub(super) struct SampleBlocks<'a> {
    pub(super) clip: &'a ClipLayout,
    pub(super) times_secs: &'a [f64],
    /// One per group of tracks.
    pub(super) keys: &'a mut [LaneKeys],
    pub(super) out: &'a mut [MatrixLanes],
}

impl Task for SampleBlocks<'_> {
    #[inline(always)]
    fn run<V: F32x8>(self) {
        if self.clip.joints.is_empty() {
            return;
        }
        let blocks = self.out.chunks_exact_mut(self.clip.joints.len());
        for (times_secs, block) in self.times_secs.chunks(LANES).zip(blocks) {
            // Unused lanes repeat the last instance.
            let last = times_secs[times_secs.len() - 1];
            let times_secs = std::array::from_fn(|lane| *times_secs.get(lane).unwrap_or(&last));
            locate(self.clip, &times_secs, self.keys);
            pose_block::<V>(self.clip, self.keys, block);
        }
    }
}

#[inline(always)]
fn locate(clip: &ClipLayout, times_secs: &[f64; LANES], keys: &mut [LaneKeys]) {
    for (group, keys) in clip.groups.iter().zip(keys) {
        for (lane, &time_secs) in times_secs.iter().enumerate() {
            let (key, fraction) = group.times.locate(time_secs);
            keys.rows[lane] = group.first_row + key * group.rows_per_key;
            keys.fractions.0[lane] = fraction;
        }
    }
}

#[inline(always)]
fn pose_block<V: F32x8>(clip: &ClipLayout, keys: &[LaneKeys], block: &mut [MatrixLanes]) {
    for (index, joint) in clip.joints.iter().enumerate() {
        let parent_from_joint = local::<V>(clip, keys, &joint.local);
        let model_from_joint = match joint.parent {
            Some(parent) => product(&block[parent], &parent_from_joint),
            None => parent_from_joint,
        };
        store(&model_from_joint, &mut block[index]);
    }
}

#[inline(always)]
fn local<V: F32x8>(clip: &ClipLayout, keys: &[LaneKeys], local: &Local) -> Matrix<V> {
    match local {
        Local::Constant(matrix) => splat(matrix),
        Local::Animated {
            translation,
            rotation,
            scale,
        } => {
            let rotation = match *rotation {
                Channel::Constant(quat) => splat4(&quat),
                Channel::Animated { kind, group, row } => {
                    rotation_at(kind, &clip.rows, &keys[group], row)
                }
            };
            let [x, y, z, _] = vector(clip, keys, translation);
            let [a, b, c] = rotation_rows(rotation);
            let [a, b, c] = match scale {
                None => [a, b, c],
                Some(scale) => {
                    let scale = vector(clip, keys, scale);
                    [scaled(a, scale), scaled(b, scale), scaled(c, scale)]
                }
            };
            [
                [a[0], a[1], a[2], x],
                [b[0], b[1], b[2], y],
                [c[0], c[1], c[2], z],
            ]
        }
    }
}

/// Three numbers; the fourth has no meaning.
#[inline(always)]
fn vector<V: F32x8>(clip: &ClipLayout, keys: &[LaneKeys], channel: &Channel) -> [V; 4] {
    match *channel {
        Channel::Constant(vector) => splat4(&vector),
        Channel::Animated { kind, group, row } => {
            let (rows, keys) = (&clip.rows, &keys[group]);
            let t = V::load(&keys.fractions);
            match kind {
                SpanKind::Linear => {
                    let (from, change) = halves(read::<V>(rows, keys, row));
                    mul_add(change, t, from)
                }
                SpanKind::Cubic => cubic(rows, keys, row, t),
            }
        }
    }
}

#[inline(always)]
fn rotation_at<V: F32x8>(kind: SpanKind, rows: &[Lanes], keys: &LaneKeys, row: usize) -> [V; 4] {
    let t = V::load(&keys.fractions);
    match kind {
        SpanKind::Linear => slerp(read(rows, keys, row), t),
        SpanKind::Cubic => unit(cubic(rows, keys, row, t)),
    }
}

/// `(cos √y - 1) / y`, for arcs up to 90° (rotations by 180°), to 6e-9.
const COS: [f32; 5] = [
    -0.5,
    0.041_666_66,
    -0.001_388_865_2,
    2.477_457_4e-5,
    -2.629_739_4e-7,
];

/// `(sin √y / √y - 1) / y`, for arcs up to 90°, to 5e-8.
const SINC: [f32; 4] = [
    -0.166_666_66,
    0.008_333_242,
    -0.000_198_227_35,
    2.634_744_5e-6,
];

/// Spherical interpolation along the arc that leaves `from` in the direction of `change`. The length of
/// `change` is that of the arc.
#[inline(always)]
fn slerp<V: F32x8>(row: [V; 8], t: V) -> [V; 4] {
    let (from, change) = halves(row);
    let y = dot(change, change) * (t * t);
    let cos = one_plus(y, COS);
    let sin = one_plus(y, SINC) * t;
    mul_add(change, sin, mul(from, cos))
}

/// `1 + c0 y + c1 y² + …`
#[inline(always)]
fn one_plus<V: F32x8, const N: usize>(y: V, coefficients: [f32; N]) -> V {
    let mut sum = V::splat(coefficients[N - 1]);
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(y, V::splat(coefficient));
    }
    sum.mul_add(y, V::splat(1.0))
}

#[inline(always)]
fn cubic<V: F32x8>(rows: &[Lanes], keys: &LaneKeys, row: usize, t: V) -> [V; 4] {
    let (constant, linear) = halves(read::<V>(rows, keys, row));
    let (square, cube) = halves(read::<V>(rows, keys, row + 1));
    mul_add(mul_add(mul_add(cube, t, square), t, linear), t, constant)
}

/// Normalises a quaternion; zero becomes the identity. A spline may pass through zero.
#[inline(always)]
fn unit<V: F32x8>(quat: [V; 4]) -> [V; 4] {
    let squared = dot(quat, quat);
    let [x, y, z, w] = mul(quat, squared.inverse_sqrt());
    let (zero, one) = (V::splat(0.0), V::splat(1.0));
    [
        squared.select_positive(x, zero),
        squared.select_positive(y, zero),
        squared.select_positive(z, zero),
        squared.select_positive(w, one),
    ]
}

#[inline(always)]
fn read<V: F32x8>(rows: &[Lanes], keys: &LaneKeys, row: usize) -> [V; 8] {
    let [a, b, c, d, e, f, g, h] = keys.rows;
    V::from_rows([
        &rows[a + row],
        &rows[b + row],
        &rows[c + row],
        &rows[d + row],
        &rows[e + row],
        &rows[f + row],
        &rows[g + row],
        &rows[h + row],
    ])
}

#[inline(always)]
fn halves<V: F32x8>([a, b, c, d, e, f, g, h]: [V; 8]) -> ([V; 4], [V; 4]) {
    ([a, b, c, d], [e, f, g, h])
}

#[inline(always)]
fn mul<V: F32x8>([x, y, z, w]: [V; 4], by: V) -> [V; 4] {
    [x * by, y * by, z * by, w * by]
}

#[inline(always)]
fn mul_add<V: F32x8>([x, y, z, w]: [V; 4], by: V, plus: [V; 4]) -> [V; 4] {
    [
        x.mul_add(by, plus[0]),
        y.mul_add(by, plus[1]),
        z.mul_add(by, plus[2]),
        w.mul_add(by, plus[3]),
    ]
}

#[inline(always)]
fn scaled<V: F32x8>([x, y, z]: [V; 3], scale: [V; 4]) -> [V; 3] {
    [x * scale[0], y * scale[1], z * scale[2]]
}

#[inline(always)]
fn dot<V: F32x8>(a: [V; 4], b: [V; 4]) -> V {
    let xy = a[0].mul_add(b[0], a[1] * b[1]);
    a[2].mul_add(b[2], a[3].mul_add(b[3], xy))
}

/// Rows of the matrix of a unit quaternion.
#[inline(always)]
fn rotation_rows<V: F32x8>([x, y, z, w]: [V; 4]) -> [[V; 3]; 3] {
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
fn splat4<V: F32x8>([x, y, z, w]: &[f32; 4]) -> [V; 4] {
    [V::splat(*x), V::splat(*y), V::splat(*z), V::splat(*w)]
}

#[inline(always)]
fn store<V: F32x8>(matrix: &Matrix<V>, out: &mut MatrixLanes) {
    for (row, out) in matrix.iter().zip(&mut out.0) {
        for (lanes, out) in row.iter().zip(out) {
            lanes.store(out);
        }
    }
}
