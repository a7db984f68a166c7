//! Pairs of a vertex of the full mesh and a point on the surface of a level.
//!
//! Any choice of points gives an upper bound of the distance between the surfaces; the best choice gives the smallest. Near
//! points are found over a few key poses, and of those the one with the smallest largest error over many poses is kept.

use glam::Vec3;
use rayon::prelude::*;

use super::nearest::{NearPoint, Surface};
use super::poses::{KeyPoses, PoseTime};
use crate::sampler::VertexSampler;

/// Poses that are sampled at once.
const BATCH: usize = 8;

/// A point of the full mesh, and one on the surface of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Index of the point.
    pub point: u32,
    /// Corners of the triangle.
    pub corners: [u32; 3],
    /// Weights of the corners.
    pub weights: [f64; 3],
}

/// All points of a character with all influences, or with fewer.
pub(super) struct PosedPoints<'a> {
    pub sampler: VertexSampler<'a>,
    pub poses: KeyPoses,
}

/// A surface whose points are to be paired.
pub(super) struct Trial<'a> {
    /// Corners, as indices of points.
    pub triangles: &'a [[u32; 3]],
    /// Index into the posed points of the surface.
    pub variant: usize,
}

/// The pairs of a surface.
pub(super) struct Paired {
    pub pairs: Vec<Pair>,
    /// Largest distance of each pair in the sampled poses, in metres.
    pub distances_m: Vec<f32>,
    /// Largest distance of all pairs in the sampled poses, in metres.
    pub sampled_m: f64,
}

/// Near points of all points, those of a point side by side.
struct Candidates<'p> {
    points: &'p [u32],
    first: Vec<u32>,
    near: Vec<NearPoint>,
    /// Largest squared distance of each so far.
    worst: Vec<f32>,
}

/// Pairs points with each surface. The first of `variants` is the full mesh.
pub(super) fn pair(
    points: &[u32],
    trials: &[Trial<'_>],
    variants: &[PosedPoints<'_>],
    samples: &[PoseTime],
) -> Vec<Paired> {
    let mut candidates: Vec<Candidates<'_>> = trials
        .iter()
        .map(|trial| Candidates::new(points, trial, variants))
        .collect();
    for batch in samples.chunks(BATCH) {
        let sample = |(variant, time): (&PosedPoints<'_>, &PoseTime)| {
            variant.sampler.positions(time.clip, time.secs)
        };
        let tasks = variants
            .par_iter()
            .flat_map(|variant| batch.par_iter().map(move |time| (variant, time)));
        let positions: Vec<Vec<Vec3>> = tasks.map(sample).collect();
        for (trial, candidates) in trials.iter().zip(&mut candidates) {
            for pose in 0..batch.len() {
                let coarse = &positions[trial.variant * batch.len() + pose];
                candidates.raise(trial, &positions[pose], coarse);
            }
        }
    }
    let pairs = trials.iter().zip(candidates);
    pairs
        .map(|(trial, candidates)| candidates.best(trial))
        .collect()
}

impl<'p> Candidates<'p> {
    fn new(points: &'p [u32], trial: &Trial<'_>, variants: &[PosedPoints<'_>]) -> Self {
        let full = &variants[0];
        let surface = Surface::new(trial.triangles, &variants[trial.variant].poses);
        let find = |(stack, out): &mut (Vec<_>, Vec<NearPoint>), &point: &u32| {
            surface.nearest(full.poses.of(point), stack, out);
            out.clone()
        };
        let found: Vec<Vec<NearPoint>> =
            points.par_iter().map_init(Default::default, find).collect();
        let mut first = Vec::with_capacity(found.len() + 1);
        let mut near = Vec::new();
        first.push(0);
        for found in found {
            near.extend(found);
            first.push(near.len() as u32);
        }
        Self {
            points,
            worst: vec![0.0; near.len()],
            first,
            near,
        }
    }

    /// Raises the distances to those of another pose.
    fn raise(&mut self, trial: &Trial<'_>, full: &[Vec3], coarse: &[Vec3]) {
        let Self {
            points,
            first,
            near,
            worst,
        } = self;
        let point_of = |index: usize| first.partition_point(|&start| start as usize <= index) - 1;
        const CHUNK: usize = 4096;
        worst
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(chunk, worst)| {
                let start = chunk * CHUNK;
                let mut point = point_of(start);
                for (index, worst) in worst.iter_mut().enumerate() {
                    while first[point + 1] as usize <= start + index {
                        point += 1;
                    }
                    let NearPoint {
                        triangle, weights, ..
                    } = near[start + index];
                    let [a, b, c] = trial.triangles[triangle as usize].map(|v| coarse[v as usize]);
                    let on_surface = a + (b - a) * weights[0] + (c - a) * weights[1];
                    *worst = worst.max(full[points[point] as usize].distance_squared(on_surface));
                }
            });
    }

    /// Keeps the best candidate of each point.
    fn best(self, trial: &Trial<'_>) -> Paired {
        let mut distances_m = Vec::with_capacity(self.points.len());
        let points = 0..self.first.len() - 1;
        let pairs = points.filter_map(|point| {
            let range = self.first[point] as usize..self.first[point + 1] as usize;
            let best = range.min_by(|&a, &b| self.worst[a].total_cmp(&self.worst[b]))?;
            distances_m.push(self.worst[best].sqrt());
            let NearPoint {
                triangle, weights, ..
            } = self.near[best];
            let [b, c] = weights.map(f64::from);
            // A sum of 1, and no weight below zero, in float64 too.
            let c = c.min(1.0 - b);
            Some(Pair {
                point: self.points[point],
                corners: trial.triangles[triangle as usize],
                weights: [1.0 - b - c, b, c],
            })
        });
        let pairs: Vec<Pair> = pairs.collect();
        let most = distances_m.iter().copied().fold(0.0, f32::max);
        Paired {
            pairs,
            distances_m,
            sampled_m: most.into(),
        }
    }
}
