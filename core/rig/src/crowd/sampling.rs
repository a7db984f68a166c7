//! Evaluates a clip, or a blend of two, for eight instances at a time, from the roots down.
//!
//! Arrays are written out: `map` and `from_fn` are not always inlined, and then they are compiled without
//! the level's instructions (see [`Task`]).

use throng_simd::{F32x8, LANES, Lanes, Task};

use super::layout::{Channel, ClipLayout, Local};
use super::matrix::{Matrix, product, rotation_rows, scaled, splat, splat4, store};
use super::pose::{LaneKeys, MatrixLanes};
use super::spans::SpanKind;

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
            pose_block::<V>(&Evaluated::new(self.clip, self.keys), block);
        }
    }
}

/// A clip at eight times.
#[derive(Clone, Copy)]
pub(super) struct Evaluated<'a> {
    clip: &'a ClipLayout,
    /// One per group of tracks.
    keys: &'a [LaneKeys],
}

impl<'a> Evaluated<'a> {
    #[inline(always)]
    pub(super) fn new(clip: &'a ClipLayout, keys: &'a [LaneKeys]) -> Self {
        Self { clip, keys }
    }
}

/// Finds the keys of eight times in each group of tracks.
#[inline(always)]
pub(super) fn locate(clip: &ClipLayout, times_secs: &[f64; LANES], keys: &mut [LaneKeys]) {
    for (group, keys) in clip.groups.iter().zip(keys) {
        for (lane, &time_secs) in times_secs.iter().enumerate() {
            let (key, fraction) = group.times.locate(time_secs);
            keys.rows[lane] = group.first_row + key * group.rows_per_key;
            keys.fractions.0[lane] = fraction;
        }
    }
}

/// Poses eight instances of one clip.
#[inline(always)]
pub(super) fn pose_block<V: F32x8>(at: &Evaluated<'_>, block: &mut [MatrixLanes]) {
    for (index, joint) in at.clip.joints.iter().enumerate() {
        let parent_from_joint = match &joint.local.constant {
            Some(matrix) => splat(matrix),
            None => matrix_of(local::<V>(at, &joint.local)),
        };
        resolve(joint.parent, &parent_from_joint, index, block);
    }
}

/// Poses eight instances that fade from one clip to another. Local transforms are blended as
/// [`crate::LocalPose::blend`] does.
#[inline(always)]
pub(super) fn pose_faded_block<V: F32x8>(
    from: &Evaluated<'_>,
    to: &Evaluated<'_>,
    weights: &Lanes,
    block: &mut [MatrixLanes],
) {
    let weight = V::load(weights);
    let joints = from.clip.joints.iter().zip(&to.clip.joints);
    for (index, (joint, to_joint)) in joints.enumerate() {
        let from = local::<V>(from, &joint.local);
        let to = local::<V>(to, &to_joint.local);
        resolve(
            joint.parent,
            &matrix_of(blend(from, to, weight)),
            index,
            block,
        );
    }
}

#[inline(always)]
fn resolve<V: F32x8>(
    parent: Option<usize>,
    parent_from_joint: &Matrix<V>,
    index: usize,
    block: &mut [MatrixLanes],
) {
    match parent {
        Some(parent) => store(
            &product(&block[parent], parent_from_joint),
            &mut block[index],
        ),
        None => store(parent_from_joint, &mut block[index]),
    }
}

/// Local transforms of eight instances. The fourth numbers of translation and scale have no meaning.
#[derive(Clone, Copy)]
struct LocalLanes<V> {
    translation: [V; 4],
    rotation: [V; 4],
    /// `None` if it is one.
    scale: Option<[V; 4]>,
}

#[inline(always)]
fn local<V: F32x8>(at: &Evaluated<'_>, local: &Local) -> LocalLanes<V> {
    let rotation = match local.rotation {
        Channel::Constant(quat) => splat4(&quat),
        Channel::Animated { kind, group, row } => {
            rotation_at(kind, &at.clip.rows, &at.keys[group], row)
        }
    };
    LocalLanes {
        translation: vector(at, &local.translation),
        rotation,
        scale: match local.scales {
            true => Some(vector(at, &local.scale)),
            false => None,
        },
    }
}

#[inline(always)]
fn matrix_of<V: F32x8>(local: LocalLanes<V>) -> Matrix<V> {
    let [x, y, z, _] = local.translation;
    let [a, b, c] = rotation_rows(local.rotation);
    let [a, b, c] = match local.scale {
        None => [a, b, c],
        Some(scale) => [scaled(a, scale), scaled(b, scale), scaled(c, scale)],
    };
    [
        [a[0], a[1], a[2], x],
        [b[0], b[1], b[2], y],
        [c[0], c[1], c[2], z],
    ]
}

#[inline(always)]
fn blend<V: F32x8>(from: LocalLanes<V>, to: LocalLanes<V>, weight: V) -> LocalLanes<V> {
    // Both signs are the same rotation; the nearer one has the shorter arc.
    let zero = V::splat(0.0);
    let agrees = dot(from.rotation, to.rotation);
    let to_weight = agrees.select_non_negative(weight, zero - weight);
    let rotation = mul(from.rotation, V::splat(1.0) - weight);
    let one = splat4(&[1.0; 4]);
    LocalLanes {
        translation: lerp(from.translation, to.translation, weight),
        rotation: unit(mul_add(to.rotation, to_weight, rotation)),
        scale: match (from.scale, to.scale) {
            (None, None) => None,
            (Some(from), None) => Some(lerp(from, one, weight)),
            (None, Some(to)) => Some(lerp(one, to, weight)),
            (Some(from), Some(to)) => Some(lerp(from, to, weight)),
        },
    }
}

#[inline(always)]
fn lerp<V: F32x8>(from: [V; 4], to: [V; 4], weight: V) -> [V; 4] {
    let [x, y, z, w] = from;
    let change = [to[0] - x, to[1] - y, to[2] - z, to[3] - w];
    mul_add(change, weight, from)
}

/// Three numbers; the fourth has no meaning.
#[inline(always)]
fn vector<V: F32x8>(at: &Evaluated<'_>, channel: &Channel) -> [V; 4] {
    match *channel {
        Channel::Constant(vector) => splat4(&vector),
        Channel::Animated { kind, group, row } => {
            let (rows, keys) = (&at.clip.rows, &at.keys[group]);
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
fn dot<V: F32x8>(a: [V; 4], b: [V; 4]) -> V {
    let xy = a[0].mul_add(b[0], a[1] * b[1]);
    a[2].mul_add(b[2], a[3].mul_add(b[3], xy))
}
