//! Separation of sheets of the surface that touch.
//!
//! Surface nets give each cell one vertex, and so join sheets that pass through the same cell: two fingers
//! near each other, or a limb along the diagonals of the grid. Here each sheet gets its own vertices, so that
//! the surface is a manifold.

use std::collections::HashSet;

use glam::DVec3;

use super::field::{Field, FieldCache};
use super::half::HalfMesh;

/// Pairs of triangles that share an edge but belong to different sheets, the lower index first.
type SeparatePairs = HashSet<(usize, usize)>;

/// Maximum number of rounds. Splitting an edge can leave sheets that meet only at its ends; the next round
/// splits those.
const ROUNDS: usize = 4;

/// Pairing of the four triangles at a shared edge into two sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pairing {
    /// Pairs triangles with the body between them: touching surfaces are separated.
    AcrossBody,
    /// Pairs triangles with the outside between them: touching surfaces are joined.
    AcrossOutside,
}

/// Gives each sheet at a vertex its own vertex, at the centre of the sheet's triangles there.
pub(super) fn split_sheets(half: &mut HalfMesh, field: &Field) {
    for round in 0..ROUNDS {
        // Where separating fails, as in a narrow bridge, joining succeeds.
        let pairing = match round % 2 {
            0 => Pairing::AcrossBody,
            _ => Pairing::AcrossOutside,
        };
        let separate = separate_pairs(half, pairing);
        let before = half.positions.len();
        split_once(half, field, &separate);
        if separate.is_empty() && half.positions.len() == before {
            break;
        }
    }
}

fn split_once(half: &mut HalfMesh, field: &Field, separate: &SeparatePairs) {
    let mut cache = FieldCache::new(field);
    let mut around = vec![Vec::new(); half.positions.len()];
    for (index, triangle) in half.triangles.iter().enumerate() {
        for &vertex in triangle {
            around[vertex as usize].push(index);
        }
    }
    for (vertex, around) in around.into_iter().enumerate() {
        let vertex = vertex as u32;
        let sheets = sheets(half, separate, vertex, around);
        if sheets.len() < 2 {
            continue;
        }
        let on_plane = half.on_plane(vertex);
        for (copy, sheet) in sheets.into_iter().enumerate() {
            let corners = sheet.iter().flat_map(|&t| half.triangles[t]);
            let sum: DVec3 = corners.map(|v| half.positions[v as usize]).sum();
            let middle = sum / (3 * sheet.len()) as f64;
            let mut position = cache.near(middle).project(middle);
            if on_plane {
                position.x = 0.0;
            }
            if copy == 0 {
                half.positions[vertex as usize] = position;
                continue;
            }
            let new = half.positions.len() as u32;
            half.positions.push(position);
            for t in sheet {
                let corners = half.triangles[t].iter_mut();
                corners.filter(|v| **v == vertex).for_each(|v| *v = new);
            }
        }
    }
}

/// Groups the triangles around a vertex by sheet. A sheet continues across the edges at the vertex.
fn sheets(
    half: &HalfMesh,
    separate: &SeparatePairs,
    vertex: u32,
    mut around: Vec<usize>,
) -> Vec<Vec<usize>> {
    let mut sheets = Vec::new();
    while let Some(first) = around.pop() {
        let mut sheet = vec![first];
        let mut next = 0;
        while let Some(&t) = sheet.get(next) {
            next += 1;
            let continues_to = |other: usize| {
                let shared = |v: &u32| *v != vertex && half.triangles[t].contains(v);
                half.triangles[other].iter().any(shared)
                    && !separate.contains(&(t.min(other), t.max(other)))
            };
            sheet.extend(around.extract_if(.., |other| continues_to(*other)));
        }
        sheets.push(sheet);
    }
    sheets
}

/// Finds the edges with four triangles, pairs these into two sheets, and returns the pairs of triangles in
/// different sheets.
fn separate_pairs(half: &HalfMesh, pairing: Pairing) -> SeparatePairs {
    // Each edge of each triangle as (lower vertex, higher vertex, triangle runs from lower to higher, triangle).
    let mut edges: Vec<(u32, u32, bool, usize)> = Vec::with_capacity(3 * half.triangles.len());
    for (t, &[a, b, c]) in half.triangles.iter().enumerate() {
        let runs = [(a, b), (b, c), (c, a)].into_iter();
        edges.extend(runs.map(|(from, to)| (from.min(to), from.max(to), from < to, t)));
    }
    edges.sort_unstable();
    let mut separate = SeparatePairs::new();
    for shared in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let &[back, other_back, forth, other_forth] = shared else {
            continue;
        };
        let [low, high] = [back.0, back.1].map(|v| half.positions[v as usize]);
        let along = (high - low).normalize_or(DVec3::Y);
        let side = |t: usize| {
            let corners = half.triangles[t].iter();
            let tip = corners.copied().find(|&v| v != back.0 && v != back.1);
            let tip = half.positions[tip.unwrap_or(back.0) as usize];
            (tip - low).reject_from_normalized(along)
        };
        // Around the edge, the body lies from a triangle that runs back to one that runs forth.
        let angle = |from: usize, to: usize| {
            let (from, to) = (side(from), side(to));
            let angle = from.cross(to).dot(along).atan2(from.dot(to));
            angle.rem_euclid(std::f64::consts::TAU)
        };
        let near = angle(back.3, forth.3) < angle(back.3, other_forth.3);
        let straight = near == (pairing == Pairing::AcrossBody);
        let crossed = [(back.3, other_forth.3), (other_back.3, forth.3)];
        let different_sheets = match straight {
            true => crossed,
            false => [(back.3, forth.3), (other_back.3, other_forth.3)],
        };
        let same_direction = [(back.3, other_back.3), (forth.3, other_forth.3)];
        let pairs = different_sheets.into_iter().chain(same_direction);
        separate.extend(pairs.map(|(a, b)| (a.min(b), a.max(b))));
    }
    separate
}
