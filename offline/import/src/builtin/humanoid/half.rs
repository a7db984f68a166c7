//! Mesh of one half of the body, with its boundary on the mirror plane.

use std::collections::BTreeSet;

use glam::DVec3;

use super::field::{Field, FieldCache};
use super::paint::{Paint, paint_at};

/// Triangles of the half with x ≥ 0, anticlockwise seen from outside. Vertices on the mirror plane have an
/// x of exactly zero. Boundary edges, which have only one triangle, are on the mirror plane.
#[derive(Debug, Clone)]
pub(super) struct HalfMesh {
    /// Vertex positions, in metres.
    pub positions: Vec<DVec3>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
    /// Colour of each triangle.
    pub paints: Vec<Paint>,
}

/// Number of bisections in the search for a border, to a thousandth of an edge.
const BORDER_STEPS: usize = 10;

impl HalfMesh {
    /// Creates an uncoloured mesh.
    pub fn new(positions: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            paints: vec![Paint::Skin; triangles.len()],
            positions,
            triangles,
        }
    }

    /// Returns true if a vertex is on the mirror plane.
    pub fn on_plane(&self, vertex: u32) -> bool {
        self.positions[vertex as usize].x == 0.0
    }

    /// Colours every triangle, and moves vertices so that borders between colours follow edges: of each edge
    /// that a border crosses, the nearer end moves onto the border.
    pub fn paint(&mut self, field: &Field) {
        let mut cache = FieldCache::new(field);
        let mut paint_of = |position: DVec3| paint_at(cache.near(position), position);
        // Paint by vertex; None on a border.
        let positions = self.positions.iter();
        let mut painted: Vec<Option<Paint>> = positions.map(|&p| Some(paint_of(p))).collect();
        let edges: BTreeSet<(u32, u32)> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(a, b)| (a.min(b), a.max(b)))
            .filter(|&(a, b)| painted[a as usize] != painted[b as usize])
            .collect();
        for (a, b) in edges {
            let [from, to] = [a, b].map(|v| painted[v as usize]);
            if from.is_none() || to.is_none() {
                continue;
            }
            let [start, end] = [a, b].map(|v| self.positions[v as usize]);
            let near = cache.near(start.midpoint(end));
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..BORDER_STEPS {
                let middle = (low + high) / 2.0;
                if Some(paint_at(near, start.lerp(end, middle))) == from {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let moved = if low < 0.5 { a } else { b };
            let mut position = start.lerp(end, high);
            if self.on_plane(moved) {
                position.x = 0.0;
            }
            self.positions[moved as usize] = near.project(position);
            painted[moved as usize] = None;
        }
        for (paint, triangle) in self.paints.iter_mut().zip(&self.triangles) {
            let known = triangle.iter().find_map(|&v| painted[v as usize]);
            *paint = known.unwrap_or_else(|| {
                let corners = triangle.map(|v| self.positions[v as usize]);
                let middle = corners.into_iter().sum::<DVec3>() / 3.0;
                paint_at(cache.near(middle), middle)
            });
        }
    }
}
