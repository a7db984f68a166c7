//! Mesh simplification: edges are collapsed one by one, the cheapest first.
//!
//! A vertex always moves onto a neighbour, so every remaining vertex is on the surface. The surface stays a
//! manifold, its boundary stays on the mirror plane, and borders between colours are preserved. Costs are
//! Garland and Heckbert's quadrics, with a term for long edges.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::half::HalfMesh;

/// Cost of the fourth power of an edge's length, relative to the quadrics.
const LENGTH_COST: f64 = 1.2e-3;
/// Cost of leaving a border between colours, relative to leaving the surface.
const BORDER_COST: f64 = 2.0;
/// Cosine of the maximum rotation of a triangle in one collapse.
const MIN_ROTATION_COS: f64 = 0.4;
/// Minimum of twice the area of a triangle divided by the square of its longest side.
const MIN_SHAPE: f64 = 0.02;
/// Maximum number of triangles around a vertex.
const MAX_VALENCE: usize = 11;

/// Sum of squared distances to planes: a symmetric 3×3 matrix, a vector and a number.
#[derive(Debug, Clone, Copy, Default)]
struct Quadric([f64; 10]);

impl Quadric {
    fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let DVec3 { x, y, z } = normal;
        let d = -normal.dot(point);
        Self(
            [
                x * x,
                x * y,
                x * z,
                y * y,
                y * z,
                z * z,
                x * d,
                y * d,
                z * d,
                d * d,
            ]
            .map(|e| e * weight),
        )
    }

    fn add(&mut self, other: &Self) {
        for (sum, term) in self.0.iter_mut().zip(&other.0) {
            *sum += term;
        }
    }

    fn at(&self, p: DVec3) -> f64 {
        let [xx, xy, xz, yy, yz, zz, xd, yd, zd, dd] = self.0;
        let linear = xd * p.x + yd * p.y + zd * p.z;
        let mixed = xy * p.x * p.y + xz * p.x * p.z + yz * p.y * p.z;
        xx * p.x * p.x + yy * p.y * p.y + zz * p.z * p.z + 2.0 * (mixed + linear) + dd
    }
}

/// Candidate collapse of a vertex onto a neighbour.
#[derive(Debug, Clone, Copy)]
struct Collapse {
    cost: f64,
    from: u32,
    to: u32,
    /// Versions of both ends when the candidate was created.
    versions: [u32; 2],
}

impl Ord for Collapse {
    /// Orders the cheapest as the greatest. Ends break ties, so that the order is deterministic.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_cost = other.cost.total_cmp(&self.cost);
        by_cost.then_with(|| (other.from, other.to).cmp(&(self.from, self.to)))
    }
}

impl PartialOrd for Collapse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Collapse {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Collapse {}

/// Half body that is simplified step by step.
#[derive(Debug)]
pub(super) struct Simplifier {
    half: HalfMesh,
    /// Relative cost of a change at each vertex.
    fineness: Vec<f64>,
    /// Triangles around each vertex; empty if the vertex was removed.
    around: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    /// Number of changes of each vertex.
    versions: Vec<u32>,
    /// Number of remaining vertices.
    remaining: usize,
    /// Keep every patch of one colour, however small.
    keeps_islands: bool,
}

impl Simplifier {
    /// Creates a simplifier of a painted half. `fineness` returns the relative cost of changes at a point. Patches of
    /// one colour, such as an iris, may vanish unless `keeps_islands`.
    pub fn new(half: HalfMesh, keeps_islands: bool, fineness: impl Fn(DVec3) -> f64) -> Self {
        let count = half.positions.len();
        let mut around = vec![Vec::new(); count];
        let mut quadrics = vec![Quadric::default(); count];
        for (index, triangle) in half.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|v| half.positions[v as usize]);
            let cross = (b - a).cross(c - a);
            let area = cross.length() / 2.0;
            let normal = cross.normalize_or_zero();
            let quadric = Quadric::plane(normal, a, area);
            for &vertex in triangle {
                around[vertex as usize].push(index as u32);
                quadrics[vertex as usize].add(&quadric);
            }
        }
        let mut new = Self {
            versions: vec![0; count],
            remaining: count,
            fineness: half.positions.iter().map(|&p| fineness(p)).collect(),
            half,
            around,
            quadrics,
            keeps_islands,
        };
        new.add_border_quadrics();
        new
    }

    /// Returns the number of remaining vertices.
    pub fn vertex_count(&self) -> usize {
        self.remaining
    }

    /// Collapses edges until at most `target` vertices remain or no collapse is allowed.
    pub fn run(&mut self, target: usize) {
        let mut before = usize::MAX;
        while self.remaining > target && self.remaining < before {
            before = self.remaining;
            let mut heap = BinaryHeap::new();
            for from in 0..self.around.len() as u32 {
                let later = self.neighbours(from).into_iter().filter(|&to| from < to);
                heap.extend(later.filter_map(|to| self.candidate(from, to)));
            }
            while self.remaining > target
                && let Some(collapse) = heap.pop()
            {
                let Collapse { from, to, .. } = collapse;
                let versions = [from, to].map(|v| self.versions[v as usize]);
                if versions == collapse.versions && self.allowed(from, to) {
                    self.collapse(from, to);
                    let others = self.neighbours(to).into_iter();
                    heap.extend(others.filter_map(|other| self.candidate(to, other)));
                }
            }
        }
    }

    /// Returns the simplified mesh, without removed vertices.
    pub fn half(&self) -> HalfMesh {
        let mut new_index = vec![u32::MAX; self.around.len()];
        let mut positions = Vec::with_capacity(self.remaining);
        for (old, around) in self.around.iter().enumerate() {
            if !around.is_empty() {
                new_index[old] = positions.len() as u32;
                positions.push(self.half.positions[old]);
            }
        }
        let mut half = HalfMesh::new(positions, Vec::new());
        for (triangle, &paint) in self.half.triangles.iter().zip(&self.half.paints) {
            if triangle[0] != triangle[1] {
                half.triangles.push(triangle.map(|v| new_index[v as usize]));
                half.paints.push(paint);
            }
        }
        half
    }

    fn position(&self, vertex: u32) -> DVec3 {
        self.half.positions[vertex as usize]
    }

    /// Adds quadrics of planes perpendicular to the surface along borders between colours, so that borders
    /// keep their course.
    fn add_border_quadrics(&mut self) {
        for from in 0..self.around.len() as u32 {
            for to in self.neighbours(from) {
                if from < to && self.is_border(from, to) {
                    let (a, b) = (self.position(from), self.position(to));
                    let along = b - a;
                    let normals = self.shared(from, to).map(|t| self.cross(t));
                    let up: DVec3 = normals.sum();
                    let Some(normal) = along.cross(up).try_normalize() else {
                        continue;
                    };
                    let weight = along.length_squared() * BORDER_COST;
                    let quadric = Quadric::plane(normal, a, weight);
                    for vertex in [from, to] {
                        self.quadrics[vertex as usize].add(&quadric);
                    }
                }
            }
        }
    }

    fn cross(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.half.triangles[triangle as usize].map(|v| self.position(v));
        (b - a).cross(c - a)
    }

    /// Returns the neighbours of a vertex, sorted, each once.
    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let triangles = self.around[vertex as usize].iter();
        let corners = triangles.flat_map(|&t| self.half.triangles[t as usize]);
        let mut found: Vec<u32> = corners.filter(|&corner| corner != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the triangles at an edge.
    fn shared(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let around = self.around[a as usize].iter().copied();
        around.filter(move |&t| self.half.triangles[t as usize].contains(&b))
    }

    /// Returns true if the triangles at an edge have different colours.
    fn is_border(&self, a: u32, b: u32) -> bool {
        let mut paints = self.shared(a, b).map(|t| self.half.paints[t as usize]);
        let first = paints.next();
        paints.any(|paint| Some(paint) != first)
    }

    /// Returns the cheaper direction to collapse an edge that preserves borders, if any.
    fn candidate(&self, a: u32, b: u32) -> Option<Collapse> {
        let mut quadric = self.quadrics[a as usize];
        quadric.add(&self.quadrics[b as usize]);
        let square = self.position(a).distance_squared(self.position(b));
        let towards = |from: u32, to: u32| {
            let shape = quadric.at(self.position(to)).max(0.0);
            let cost = self.fineness[to as usize] * (shape + LENGTH_COST * square * square);
            Collapse {
                cost,
                from,
                to,
                versions: [from, to].map(|v| self.versions[v as usize]),
            }
        };
        let mut directions = [towards(a, b), towards(b, a)];
        directions.sort_by(|a, b| b.cmp(a));
        let preserves = |direction: &Collapse| self.preserves_borders(direction.from, direction.to);
        directions.into_iter().find(preserves)
    }

    /// Returns true if a collapse preserves the mirror plane and borders between colours. A vertex on one of
    /// them moves only along it; a vertex where several meet does not move.
    fn preserves_borders(&self, from: u32, to: u32) -> bool {
        let around = &self.around[from as usize];
        let first = around.first().map(|&t| self.half.paints[t as usize]);
        let one_color = around
            .iter()
            .all(|&t| Some(self.half.paints[t as usize]) == first);
        match (self.half.on_plane(from), one_color) {
            (false, true) => true,
            (true, true) => self.half.on_plane(to),
            (true, false) => false,
            (false, false) if self.keeps_islands && self.removes_island(from, to) => false,
            (false, false) => {
                let neighbours = self.neighbours(from);
                let lines = neighbours.iter().filter(|&&n| self.is_border(from, n));
                self.is_border(from, to) && lines.count() == 2
            }
        }
    }

    /// Returns true if a collapse removes the last triangle of a patch of one colour, such as an iris.
    fn removes_island(&self, from: u32, to: u32) -> bool {
        let is_island = |triangle: u32| {
            let [a, b, c] = self.half.triangles[triangle as usize];
            let mut edges = [(a, b), (b, c), (c, a)].into_iter();
            edges.all(|(a, b)| self.is_border(a, b))
        };
        self.shared(from, to).any(is_island)
    }

    /// Returns true if a collapse keeps the surface a manifold, and no triangle flips or degenerates.
    fn allowed(&self, from: u32, to: u32) -> bool {
        if !self.preserves_borders(from, to) {
            return false;
        }
        let [of_from, of_to] = [from, to].map(|v| self.neighbours(v));
        let shared = self.shared(from, to).count();
        let common = of_from.iter().filter(|n| of_to.binary_search(n).is_ok());
        if common.count() != shared {
            return false;
        }
        let after = self.around[from as usize].len() + self.around[to as usize].len() - 2 * shared;
        if !(3..=MAX_VALENCE).contains(&after) {
            return false;
        }
        // Two vertices on the mirror plane may be joined only along the boundary.
        if self.half.on_plane(to) {
            let joins = |&n: &u32| n != to && self.half.on_plane(n);
            let rim = |&n: &u32| self.shared(to, n).count() == 1;
            let fits = match self.half.on_plane(from) {
                true => shared == 1,
                false => of_from.iter().filter(|n| joins(n)).all(rim),
            };
            if !fits {
                return false;
            }
        }
        let target = self.position(to);
        self.around[from as usize].iter().all(|&t| {
            let triangle = self.half.triangles[t as usize];
            if triangle.contains(&to) {
                return true;
            }
            let moved = triangle.map(|v| if v == from { target } else { self.position(v) });
            let [a, b, c] = moved;
            let (old, new) = (self.cross(t), (b - a).cross(c - a));
            let longest = [b - a, c - b, a - c]
                .map(DVec3::length_squared)
                .into_iter()
                .fold(0.0, f64::max);
            let shape = new.length() / longest;
            old.dot(new) > MIN_ROTATION_COS * old.length() * new.length() && shape > MIN_SHAPE
        })
    }

    fn collapse(&mut self, from: u32, to: u32) {
        let moved = std::mem::take(&mut self.around[from as usize]);
        for t in moved {
            let triangle = &mut self.half.triangles[t as usize];
            if triangle.contains(&to) {
                for vertex in *triangle {
                    self.around[vertex as usize].retain(|&other| other != t);
                }
                *triangle = [0; 3];
            } else {
                for vertex in triangle {
                    if *vertex == from {
                        *vertex = to;
                    }
                }
                self.around[to as usize].push(t);
            }
        }
        let quadric = self.quadrics[from as usize];
        self.quadrics[to as usize].add(&quadric);
        self.versions[from as usize] += 1;
        self.versions[to as usize] += 1;
        self.remaining -= 1;
    }
}
