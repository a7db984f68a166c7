//! Errors of all vertices of a part at eight times.

use glam::{DMat3, DVec3};
use throng_simd::{F64Task, F64x8, LANES, Lanes64};

use super::lane_pose::{LaneMatrix, LanePose};
use super::part::{Influence, LinearPart, MorphOffset, Normal, NormalPair, Point};
use crate::accuracy::compare::{MAX_SERIES_SQ, angle_sq, distance_sq};
use crate::accuracy::histogram::bucket;

/// Cosines of two normals times both lengths that need no care.
const COSINE_RANGE: [f64; 2] = [1e-140, 1e140];

/// Errors of a part at eight times. Squared, so that no root is taken per vertex.
#[derive(Debug, Clone, Copy)]
pub struct LaneErrors {
    pub sum_sq: Lanes64,
    pub max_sq: Lanes64,
    /// Vertex with the largest error.
    pub worst: [u32; LANES],
    /// Sum of squared angles, in square radians.
    pub normal_sum_sq: Lanes64,
    pub normal_max_sq: Lanes64,
}

impl LaneErrors {
    pub const NONE: Self = Self {
        sum_sq: Lanes64::ZERO,
        max_sq: Lanes64::ZERO,
        worst: [0; LANES],
        normal_sum_sq: Lanes64::ZERO,
        normal_max_sq: Lanes64::ZERO,
    };
}

/// Destinations of the errors of single vertices.
pub struct LaneSinks<'a> {
    /// Counts of several histograms, one after the other.
    pub counts: &'a mut [u64],
    /// First count of the histogram of each lane.
    pub histograms: [usize; LANES],
    /// Factor from square metres to parts of the squared size.
    pub per_size_sq: f64,
    /// Largest squared error of each point.
    pub heat: Option<&'a mut [f32]>,
    /// False for lanes that a heat map leaves out.
    pub has_heat: [bool; LANES],
}

/// Compares all vertices of a part.
pub struct Comparison<'a> {
    pub part: &'a LinearPart,
    /// Reference and tested pose.
    pub poses: [&'a LanePose; 2],
    pub sinks: LaneSinks<'a>,
    pub errors: &'a mut LaneErrors,
}

impl F64Task for Comparison<'_> {
    #[inline(always)]
    fn run<V: F64x8>(self) {
        let Self {
            part,
            poses,
            mut sinks,
            errors,
        } = self;
        let (mut sum_sq, mut max_sq) = (V::splat(0.0), V::splat(0.0));
        let (mut normal_sum_sq, mut normal_max_sq) = (V::splat(0.0), V::splat(0.0));
        let infinity = V::splat(f64::INFINITY);
        let per_size_sq = V::splat(sinks.per_size_sq);
        let mut lanes = Lanes64::ZERO;
        let (mut a, mut b) = ([V::splat(0.0); 12], [V::splat(0.0); 12]);
        let (mut a_cofactors, mut b_cofactors) = (cofactors(&a), cofactors(&b));
        for (index, pair) in part.points.iter().enumerate() {
            let [reference, tested] = &pair.sides;
            if !pair.moves_as_last {
                a = blend(part, poses[0], reference);
                b = blend(part, poses[1], tested);
                a_cofactors = cofactors(&a);
                b_cofactors = cofactors(&b);
            }
            let from = transform(&a, morphed(part, poses[0], reference));
            let to = transform(&b, morphed(part, poses[1], tested));
            let [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            // NaN becomes infinite.
            let squared = (x * x + y * y + z * z).min(infinity);
            let count = V::splat(f64::from(pair.count));
            sum_sq = sum_sq + squared * count;
            if squared.any_above(max_sq) {
                note_worst(squared, max_sq, pair.vertex, &mut errors.worst);
                max_sq = squared.max(max_sq);
            }
            (squared * per_size_sq).store(&mut lanes);
            sinks.count(&lanes, pair.count);
            if sinks.heat.is_some() {
                squared.store(&mut lanes);
                sinks.heat_up(index, &lanes);
            }

            for index in pair.normals.clone() {
                let normal = &part.normals[index as usize];
                let angle_sq = angles_sq(part, poses, normal, &a_cofactors, &b_cofactors);
                normal_sum_sq = normal_sum_sq + angle_sq * V::splat(f64::from(normal.count));
                normal_max_sq = angle_sq.max(normal_max_sq);
            }
        }
        sum_sq.store(&mut errors.sum_sq);
        max_sq.store(&mut errors.max_sq);
        normal_sum_sq.store(&mut errors.normal_sum_sq);
        normal_max_sq.store(&mut errors.normal_max_sq);
    }
}

impl LaneSinks<'_> {
    #[inline(always)]
    fn count(&mut self, squared_of_size: &Lanes64, count: u32) {
        let mut buckets = [0; LANES];
        for (bucket_of, &squared) in buckets.iter_mut().zip(&squared_of_size.0) {
            *bucket_of = bucket(squared);
        }
        for (first, bucket) in self.histograms.iter().zip(buckets) {
            self.counts[first + bucket as usize] += u64::from(count);
        }
    }

    fn heat_up(&mut self, point: usize, squared: &Lanes64) {
        let Some(heat) = &mut self.heat else {
            return;
        };
        for (&squared, has_heat) in squared.0.iter().zip(self.has_heat) {
            if has_heat {
                heat[point] = heat[point].max(squared as f32);
            }
        }
    }
}

/// Notes the vertex in lanes whose error is above the largest so far.
#[cold]
#[inline(always)]
fn note_worst<V: F64x8>(squared: V, max_sq: V, vertex: u32, worst: &mut [u32; LANES]) {
    let (mut new, mut old) = (Lanes64::ZERO, Lanes64::ZERO);
    squared.store(&mut new);
    max_sq.store(&mut old);
    for (worst, (new, old)) in worst.iter_mut().zip(new.0.iter().zip(&old.0)) {
        if new > old {
            *worst = vertex;
        }
    }
}

/// Returns the weighted sum of a point's palette matrices.
#[inline(always)]
pub(super) fn blend<V: F64x8>(part: &LinearPart, pose: &LanePose, point: &Point) -> [V; 12] {
    let mut sum = [V::splat(0.0); 12];
    for Influence { slot, weight, .. } in part.influences_of(point) {
        let LaneMatrix(matrix) = &pose.palette[*slot as usize];
        let weight = V::splat(*weight);
        for index in 0..12 {
            sum[index] = sum[index] + V::load(&matrix[index]) * weight;
        }
    }
    sum
}

/// Returns the position of a point in bind space.
#[inline(always)]
pub(super) fn morphed<V: F64x8>(part: &LinearPart, pose: &LanePose, point: &Point) -> [V; 3] {
    let range = point.offsets.start as usize..point.offsets.end as usize;
    add_offsets(pose, &part.offsets[range], point.position)
}

#[inline(always)]
fn add_offsets<V: F64x8>(pose: &LanePose, offsets: &[MorphOffset], vector: DVec3) -> [V; 3] {
    let mut sum = [V::splat(vector.x), V::splat(vector.y), V::splat(vector.z)];
    for MorphOffset { weight, offset } in offsets {
        let weight = V::load(&pose.morph_weights[*weight as usize]);
        sum[0] = sum[0] + V::splat(offset.x) * weight;
        sum[1] = sum[1] + V::splat(offset.y) * weight;
        sum[2] = sum[2] + V::splat(offset.z) * weight;
    }
    sum
}

#[inline(always)]
pub(super) fn transform<V: F64x8>(m: &[V; 12], [x, y, z]: [V; 3]) -> [V; 3] {
    [
        m[0] * x + m[3] * y + m[6] * z + m[9],
        m[1] * x + m[4] * y + m[7] * z + m[10],
        m[2] * x + m[5] * y + m[8] * z + m[11],
    ]
}

/// Returns the cofactors of the 3×3 matrix, by columns, which transform normals.
#[inline(always)]
fn cofactors<V: F64x8>(m: &[V; 12]) -> [[V; 3]; 3] {
    let (x, y, z) = ([m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]);
    [cross(y, z), cross(z, x), cross(x, y)]
}

#[inline(always)]
fn cross<V: F64x8>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [
        a[1] * b[2] - b[1] * a[2],
        a[2] * b[0] - b[2] * a[0],
        a[0] * b[1] - b[0] * a[1],
    ]
}

#[inline(always)]
fn dot<V: F64x8>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn transform_normal<V: F64x8>(columns: &[[V; 3]; 3], [x, y, z]: [V; 3]) -> [V; 3] {
    let [a, b, c] = columns;
    [
        a[0] * x + b[0] * y + c[0] * z,
        a[1] * x + b[1] * y + c[1] * z,
        a[2] * x + b[2] * y + c[2] * z,
    ]
}

/// Returns the squared angles of a pair of normals, whose matrices have these cofactors. The length of neither matters.
#[inline(always)]
fn angles_sq<V: F64x8>(
    part: &LinearPart,
    poses: [&LanePose; 2],
    pair: &NormalPair,
    a: &[[V; 3]; 3],
    b: &[[V; 3]; 3],
) -> V {
    let [reference, tested] = &pair.sides;
    let from = transform_normal(a, morphed_normal(part, poses[0], reference));
    let to = transform_normal(b, morphed_normal(part, poses[1], tested));
    let normal = cross(from, to);
    let sine_sq = dot(normal, normal) / (dot(from, from) * dot(to, to));
    let [low, high] = COSINE_RANGE;
    if dot(from, to).any_outside(low, high) || sine_sq.any_outside(0.0, MAX_SERIES_SQ) {
        return careful_angles_sq(part, poses, pair, a, b);
    }
    // The squared arcsine, in an order with short dependencies.
    let fourth = sine_sq * sine_sq;
    let high = V::splat(128.0 / 1575.0) * sine_sq + V::splat(4.0 / 35.0);
    let low = V::splat(8.0 / 45.0) * sine_sq + V::splat(1.0 / 3.0);
    sine_sq + fourth * (low + fourth * high)
}

#[inline(always)]
fn morphed_normal<V: F64x8>(part: &LinearPart, pose: &LanePose, normal: &Normal) -> [V; 3] {
    let range = normal.offsets.start as usize..normal.offsets.end as usize;
    add_offsets(pose, &part.offsets[range], normal.normal)
}

/// [`angles_sq`] for large angles and matrices that flatten, lane by lane.
#[cold]
#[inline(always)]
fn careful_angles_sq<V: F64x8>(
    part: &LinearPart,
    poses: [&LanePose; 2],
    pair: &NormalPair,
    a: &[[V; 3]; 3],
    b: &[[V; 3]; 3],
) -> V {
    let mut stored = [[[Lanes64::ZERO; 3]; 3]; 2];
    for (stored, columns) in stored.iter_mut().zip([a, b]) {
        for (stored, column) in stored.iter_mut().zip(columns) {
            for (stored, number) in stored.iter_mut().zip(column) {
                number.store(stored);
            }
        }
    }
    let mut out = Lanes64::ZERO;
    careful_lanes(part, poses, pair, &stored, &mut out);
    V::load(&out)
}

#[inline(never)]
fn careful_lanes(
    part: &LinearPart,
    poses: [&LanePose; 2],
    pair: &NormalPair,
    cofactors: &[[[Lanes64; 3]; 3]; 2],
    out: &mut Lanes64,
) {
    for (lane, out) in out.0.iter_mut().enumerate() {
        let unit = |side: usize| {
            let columns = cofactors[side]
                .map(|column| DVec3::from_array(column.map(|number| number.0[lane])));
            let normal = &pair.sides[side];
            let range = normal.offsets.start as usize..normal.offsets.end as usize;
            let offsets = part.offsets[range].iter().map(|morph| {
                morph.offset * poses[side].morph_weights[morph.weight as usize].0[lane]
            });
            let rest = normal.normal;
            let morphed: DVec3 = rest + offsets.sum::<DVec3>();
            let unit = morphed.try_normalize().or_else(|| rest.try_normalize());
            let unit = unit.unwrap_or(DVec3::Y);
            let transformed = DMat3::from_cols(columns[0], columns[1], columns[2]) * unit;
            transformed.try_normalize().unwrap_or(unit)
        };
        *out = angle_sq(distance_sq(unit(0), unit(1)));
    }
}
