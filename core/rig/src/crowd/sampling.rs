//! Evaluates a clip for eight instances at a time, from the roots down.
//!
//! Arrays are written out: `map` and `from_fn` are not always inlined, and then they are compiled without
//! the level's instructions (see [`Work`]).

use super::clip::{Channel, CrowdClip, Local};
use super::lanes::{Eight, LANES, Lanes, Work};
use super::pose::{Mat3x4, MatrixLanes, Spots};
use super::segments::Shape;

/// A matrix of eight instances in registers.
pub(super) type Matrix<L> = [[L; 4]; 3];

/// Poses instances in blocks of eight, one a time; `out` has room for all joints of all blocks.
pub(super) struct SampleBlocks<'a> {
    pub(super) clip: &'a CrowdClip,
    pub(super) times_secs: &'a [f64],
    /// One a group of tracks.
    pub(super) spots: &'a mut [Spots],
    pub(super) out: &'a mut [MatrixLanes],
}

impl Work for SampleBlocks<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        if self.clip.joints.is_empty() {
            return;
        }
        let blocks = self.out.chunks_exact_mut(self.clip.joints.len());
        for (times_secs, block) in self.times_secs.chunks(LANES).zip(blocks) {
            // Lanes to spare repeat the last instance.
            let last = times_secs[times_secs.len() - 1];
            let times_secs = std::array::from_fn(|lane| *times_secs.get(lane).unwrap_or(&last));
            locate(self.clip, &times_secs, self.spots);
            pose_block::<L>(self.clip, self.spots, block);
        }
    }
}

#[inline(always)]
fn locate(clip: &CrowdClip, times_secs: &[f64; LANES], spots: &mut [Spots]) {
    for (group, spots) in clip.groups.iter().zip(spots) {
        for (lane, &time_secs) in times_secs.iter().enumerate() {
            let (key, fraction) = group.times.locate(time_secs);
            spots.rows[lane] = group.first_row + key * group.rows_per_key;
            spots.fractions.0[lane] = fraction;
        }
    }
}

#[inline(always)]
fn pose_block<L: Lanes>(clip: &CrowdClip, spots: &[Spots], block: &mut [MatrixLanes]) {
    for (index, joint) in clip.joints.iter().enumerate() {
        let parent_from_joint = local::<L>(clip, spots, &joint.local);
        let model_from_joint = match joint.parent {
            Some(parent) => product(&block[parent], &parent_from_joint),
            None => parent_from_joint,
        };
        store(&model_from_joint, &mut block[index]);
    }
}

#[inline(always)]
fn local<L: Lanes>(clip: &CrowdClip, spots: &[Spots], local: &Local) -> Matrix<L> {
    match local {
        Local::Fixed(matrix) => splat(matrix),
        Local::Moving {
            translation,
            rotation,
            scale,
        } => {
            let rotation = match *rotation {
                Channel::Constant(quat) => splat4(&quat),
                Channel::Moving { shape, group, row } => {
                    rotation_at(shape, &clip.rows, &spots[group], row)
                }
            };
            let [x, y, z, _] = vector(clip, spots, translation);
            let [a, b, c] = rotation_rows(rotation);
            let [a, b, c] = match scale {
                None => [a, b, c],
                Some(scale) => {
                    let scale = vector(clip, spots, scale);
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

/// Three numbers; the fourth is without meaning.
#[inline(always)]
fn vector<L: Lanes>(clip: &CrowdClip, spots: &[Spots], channel: &Channel) -> [L; 4] {
    match *channel {
        Channel::Constant(vector) => splat4(&vector),
        Channel::Moving { shape, group, row } => {
            let (rows, spots) = (&clip.rows, &spots[group]);
            let t = L::load(&spots.fractions);
            match shape {
                Shape::Line => {
                    let (from, change) = halves(read::<L>(rows, spots, row));
                    mul_add(change, t, from)
                }
                Shape::Spline => cubic(rows, spots, row, t),
            }
        }
    }
}

#[inline(always)]
fn rotation_at<L: Lanes>(shape: Shape, rows: &[Eight], spots: &Spots, row: usize) -> [L; 4] {
    let t = L::load(&spots.fractions);
    match shape {
        Shape::Line => slerp(read(rows, spots, row), t),
        Shape::Spline => unit(cubic(rows, spots, row, t)),
    }
}

/// `(cos √y - 1) / y`, for arcs to 90° (a turn of 180°), to 6e-9.
const COS: [f32; 5] = [
    -0.5,
    0.041_666_66,
    -0.001_388_865_2,
    2.477_457_4e-5,
    -2.629_739_4e-7,
];

/// `(sin √y / √y - 1) / y`, for arcs to 90°, to 5e-8.
const SINC: [f32; 4] = [
    -0.166_666_66,
    0.008_333_242,
    -0.000_198_227_35,
    2.634_744_5e-6,
];

/// On the arc that leaves `from` along `change`, which is as long as the arc.
#[inline(always)]
fn slerp<L: Lanes>(row: [L; 8], t: L) -> [L; 4] {
    let (from, change) = halves(row);
    let y = dot(change, change) * (t * t);
    let cos = one_plus(y, COS);
    let sin = one_plus(y, SINC) * t;
    mul_add(change, sin, mul(from, cos))
}

/// `1 + c0 y + c1 y² + …`
#[inline(always)]
fn one_plus<L: Lanes, const N: usize>(y: L, coefficients: [f32; N]) -> L {
    let mut sum = L::splat(coefficients[N - 1]);
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = sum.mul_add(y, L::splat(coefficient));
    }
    sum.mul_add(y, L::splat(1.0))
}

#[inline(always)]
fn cubic<L: Lanes>(rows: &[Eight], spots: &Spots, row: usize, t: L) -> [L; 4] {
    let (constant, linear) = halves(read::<L>(rows, spots, row));
    let (square, cube) = halves(read::<L>(rows, spots, row + 1));
    mul_add(mul_add(mul_add(cube, t, square), t, linear), t, constant)
}

/// A spline may pass through zero, where it has no direction; the identity stands in.
#[inline(always)]
fn unit<L: Lanes>(quat: [L; 4]) -> [L; 4] {
    let squared = dot(quat, quat);
    let [x, y, z, w] = mul(quat, squared.inverse_sqrt());
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    [
        squared.if_positive(x, zero),
        squared.if_positive(y, zero),
        squared.if_positive(z, zero),
        squared.if_positive(w, one),
    ]
}

#[inline(always)]
fn read<L: Lanes>(rows: &[Eight], spots: &Spots, row: usize) -> [L; 8] {
    let [a, b, c, d, e, f, g, h] = spots.rows;
    L::from_rows([
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
fn halves<L: Lanes>([a, b, c, d, e, f, g, h]: [L; 8]) -> ([L; 4], [L; 4]) {
    ([a, b, c, d], [e, f, g, h])
}

#[inline(always)]
fn mul<L: Lanes>([x, y, z, w]: [L; 4], by: L) -> [L; 4] {
    [x * by, y * by, z * by, w * by]
}

#[inline(always)]
fn mul_add<L: Lanes>([x, y, z, w]: [L; 4], by: L, plus: [L; 4]) -> [L; 4] {
    [
        x.mul_add(by, plus[0]),
        y.mul_add(by, plus[1]),
        z.mul_add(by, plus[2]),
        w.mul_add(by, plus[3]),
    ]
}

#[inline(always)]
fn scaled<L: Lanes>([x, y, z]: [L; 3], scale: [L; 4]) -> [L; 3] {
    [x * scale[0], y * scale[1], z * scale[2]]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    let xy = a[0].mul_add(b[0], a[1] * b[1]);
    a[2].mul_add(b[2], a[3].mul_add(b[3], xy))
}

/// The rows of a unit quaternion's matrix.
#[inline(always)]
fn rotation_rows<L: Lanes>([x, y, z, w]: [L; 4]) -> [[L; 3]; 3] {
    let one = L::splat(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let one_less_xx = x.mul_sub_from(x2, one);
    let one_less_yy = y.mul_sub_from(y2, one);
    [
        [
            z.mul_sub_from(z2, one_less_yy),
            w.mul_sub_from(z2, xy),
            w.mul_add(y2, xz),
        ],
        [
            w.mul_add(z2, xy),
            z.mul_sub_from(z2, one_less_xx),
            w.mul_sub_from(x2, yz),
        ],
        [
            w.mul_sub_from(y2, xz),
            w.mul_add(x2, yz),
            y.mul_sub_from(y2, one_less_xx),
        ],
    ]
}

/// `left * right`.
#[inline(always)]
pub(super) fn product<L: Lanes>(left: &MatrixLanes, right: &Matrix<L>) -> Matrix<L> {
    let [a, b, c] = &left.0;
    [
        row_product(a, right),
        row_product(b, right),
        row_product(c, right),
    ]
}

#[inline(always)]
fn row_product<L: Lanes>(left: &[Eight; 4], right: &Matrix<L>) -> [L; 4] {
    let (x, y) = (L::load(&left[0]), L::load(&left[1]));
    let (z, moved) = (L::load(&left[2]), L::load(&left[3]));
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
pub(super) fn splat<L: Lanes>([a, b, c]: &Mat3x4) -> Matrix<L> {
    [splat4(a), splat4(b), splat4(c)]
}

#[inline(always)]
fn splat4<L: Lanes>([x, y, z, w]: &[f32; 4]) -> [L; 4] {
    [L::splat(*x), L::splat(*y), L::splat(*z), L::splat(*w)]
}

#[inline(always)]
fn store<L: Lanes>(matrix: &Matrix<L>, to: &mut MatrixLanes) {
    for (row, to) in matrix.iter().zip(&mut to.0) {
        for (lanes, to) in row.iter().zip(to) {
            lanes.store(to);
        }
    }
}
