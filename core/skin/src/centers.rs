//! Optimised centres of rotation (Le and Hodgins, 2016).
//!
//! The centre of a vertex is the mean of the surface, each point counting by its area and by how similar its weights are
//! to those of the vertex. Triangles whose corners differ in weight are divided first; pieces with the same weights
//! become one sample, so that dense meshes cost no more than coarse ones.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use throng_rig::{Character, Mesh};

/// Difference of weights on which similarity falls off, as in the paper.
const SIMILAR: f64 = 0.1;

/// Largest difference of a weight within a sample, as in the paper.
const MAX_DIFFERENCE: f64 = 0.1;

/// Largest number of pieces along an edge of a triangle.
const MAX_PIECES: usize = 8;

/// Steps of a weight from 0 to 1 within which samples become one.
const WEIGHT_STEPS: f64 = 32.0;

/// (palette index, weight), by palette index.
type Weights = Vec<(usize, f64)>;

/// A piece of the surface.
#[derive(Debug, Clone)]
struct Sample {
    weights: Weights,
    center: DVec3,
    area: f64,
}

/// Returns the centre of rotation of each vertex of each mesh, in bind space.
///
/// A vertex whose weights are similar to those of no surface, as with one influence, has its own position: it then moves
/// like its joint, whatever the centre.
pub fn rotation_centers(character: &Character) -> Vec<Vec<Vec3>> {
    let centers = |mesh: &Mesh| {
        let samples = samples(mesh);
        let by_pair = samples_by_pair(&samples);
        let unique = mesh.unique();
        let of_position: Vec<Vec3> = unique
            .first_of_position()
            .par_iter()
            .map(|&vertex| {
                let vertex = vertex as usize;
                let weights = sorted_weights(mesh, vertex);
                center(&weights, &samples, &by_pair)
                    .map_or(mesh.positions()[vertex], DVec3::as_vec3)
            })
            .collect();
        let positions = unique.position_of().iter();
        positions.map(|&at| of_position[at as usize]).collect()
    };
    character.meshes().iter().map(centers).collect()
}

/// Mean of the samples that are similar to the weights.
fn center(
    weights: &Weights,
    samples: &[Sample],
    by_pair: &BTreeMap<(usize, usize), Vec<u32>>,
) -> Option<DVec3> {
    let mut candidates: Vec<u32> = Vec::new();
    for (rank, &(first, _)) in weights.iter().enumerate() {
        for &(second, _) in &weights[rank + 1..] {
            candidates.extend(by_pair.get(&(first, second)).into_iter().flatten());
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for candidate in candidates {
        let sample = &samples[candidate as usize];
        let share = similarity(weights, &sample.weights) * sample.area;
        sum += sample.center * share;
        total += share;
    }
    (total > 0.0).then(|| sum / total)
}

/// Returns how similar two lists of weights are: zero unless they have two joints in common.
fn similarity(a: &Weights, b: &Weights) -> f64 {
    let common: Vec<(f64, f64)> = a
        .iter()
        .filter_map(|&(joint, weight)| {
            let at = b.binary_search_by_key(&joint, |&(other, _)| other).ok()?;
            Some((weight, b[at].1))
        })
        .collect();
    let mut sum = 0.0;
    for (rank, &(a_first, b_first)) in common.iter().enumerate() {
        for &(a_second, b_second) in &common[rank + 1..] {
            let difference = a_first * b_second - a_second * b_first;
            let near = (-(difference * difference) / (SIMILAR * SIMILAR)).exp();
            // Each pair counts in both orders.
            sum += 2.0 * a_first * a_second * b_first * b_second * near;
        }
    }
    sum
}

/// Cuts the surface into samples, in a fixed order.
fn samples(mesh: &Mesh) -> Vec<Sample> {
    let mut merged: BTreeMap<Vec<(usize, u32)>, Sample> = BTreeMap::new();
    let mut add = |weights: Weights, center: DVec3, area: f64| {
        if weights.len() < 2 || area <= 0.0 {
            return;
        }
        let rounded = |&(joint, weight): &(usize, f64)| (joint, (weight * WEIGHT_STEPS) as u32);
        let key = weights.iter().map(rounded).collect();
        let sample = merged.entry(key).or_insert_with(|| Sample {
            weights: weights.iter().map(|&(joint, _)| (joint, 0.0)).collect(),
            center: DVec3::ZERO,
            area: 0.0,
        });
        for (sum, (_, weight)) in sample.weights.iter_mut().zip(&weights) {
            sum.1 += weight * area;
        }
        sample.center += center * area;
        sample.area += area;
    };
    for triangle in mesh.triangles() {
        let corners = triangle.map(|v| mesh.positions()[v as usize].as_dvec3());
        let weights = triangle.map(|v| sorted_weights(mesh, v as usize));
        let pieces = (largest_difference(&weights) / MAX_DIFFERENCE).ceil();
        let pieces = (pieces as usize).clamp(1, MAX_PIECES);
        let [a, b, c] = corners;
        let area = (b - a).cross(c - a).length() / 2.0 / (pieces * pieces) as f64;
        for shares in divided(pieces) {
            let center = corners.iter().zip(shares).map(|(p, share)| *p * share);
            add(mixed(&weights, shares), center.sum(), area);
        }
    }
    let mean = |sample: Sample| Sample {
        weights: sample
            .weights
            .into_iter()
            .map(|(joint, sum)| (joint, sum / sample.area))
            .collect(),
        center: sample.center / sample.area,
        area: sample.area,
    };
    merged.into_values().map(mean).collect()
}

/// Barycentric coordinates of the centres of the pieces of a triangle whose edges are cut into `pieces`.
fn divided(pieces: usize) -> impl Iterator<Item = [f64; 3]> {
    let at = move |i: f64, j: f64| {
        let (u, v) = (i / pieces as f64, j / pieces as f64);
        [1.0 - u - v, u, v]
    };
    let third = 1.0 / 3.0;
    (0..pieces).flat_map(move |i| {
        let upright = (0..pieces - i).map(move |j| at(i as f64 + third, j as f64 + third));
        let inverted =
            (0..pieces - i - 1).map(move |j| at(i as f64 + 2.0 * third, j as f64 + 2.0 * third));
        upright.chain(inverted)
    })
}

/// Largest difference of the weight of a joint between corners.
fn largest_difference(corners: &[Weights; 3]) -> f64 {
    let weight_of = |weights: &Weights, joint: usize| {
        let at = weights.binary_search_by_key(&joint, |&(other, _)| other);
        at.map_or(0.0, |at| weights[at].1)
    };
    let pairs = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)];
    let differences = pairs.into_iter().flat_map(|(from, to)| {
        corners[from]
            .iter()
            .map(move |&(joint, weight)| (weight - weight_of(&corners[to], joint)).abs())
    });
    differences.fold(0.0, f64::max)
}

/// Weighted sum of the weights of three corners.
fn mixed(corners: &[Weights; 3], shares: [f64; 3]) -> Weights {
    let scaled = corners.iter().zip(shares).flat_map(|(weights, share)| {
        weights
            .iter()
            .map(move |&(joint, weight)| (joint, weight * share))
    });
    let mut all: Weights = scaled.collect();
    all.sort_unstable_by_key(|&(joint, _)| joint);
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    all
}

/// Indices of samples by each pair of their joints.
fn samples_by_pair(samples: &[Sample]) -> BTreeMap<(usize, usize), Vec<u32>> {
    let mut by_pair: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for (index, sample) in samples.iter().enumerate() {
        for (rank, &(first, _)) in sample.weights.iter().enumerate() {
            for &(second, _) in &sample.weights[rank + 1..] {
                by_pair
                    .entry((first, second))
                    .or_default()
                    .push(index as u32);
            }
        }
    }
    by_pair
}

fn sorted_weights(mesh: &Mesh, vertex: usize) -> Weights {
    let mut weights: Weights = mesh.influences().of(vertex).collect();
    weights.sort_unstable_by_key(|&(joint, _)| joint);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_triangle_evenly() {
        for pieces in 1..=MAX_PIECES {
            let centers: Vec<[f64; 3]> = divided(pieces).collect();
            assert_eq!(centers.len(), pieces * pieces);
            for corner in 0..3 {
                let mean: f64 = centers.iter().map(|c| c[corner]).sum();
                let mean = mean / centers.len() as f64;
                assert!((mean - 1.0 / 3.0).abs() < 1e-12, "{pieces}: {mean}");
            }
        }
    }

    #[test]
    fn similarity_needs_two_joints_in_common() {
        let a = vec![(0, 0.5), (1, 0.5)];
        assert_eq!(similarity(&a, &vec![(0, 0.5), (2, 0.5)]), 0.0);
        let same = similarity(&a, &a);
        assert!((same - 0.125).abs() < 1e-15, "{same}");
        assert!(similarity(&a, &vec![(0, 0.9), (1, 0.1)]) < 1e-4);
    }
}
