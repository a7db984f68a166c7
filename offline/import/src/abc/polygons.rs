//! Triangulation of polygons.

use glam::{DVec2, DVec3, Vec3};

/// Steps that a mesh may take for polygons that are not convex, besides [`STEPS_PER_CORNER`].
const BASE_STEPS: u64 = 1 << 18;

/// Steps that a mesh may take in addition, per corner.
const STEPS_PER_CORNER: u64 = 256;

/// Triangulates the polygons of a mesh: quads at the diagonal inside them, or else the shorter one, and other polygons by
/// cutting ears off. Polygons that take too many steps become fans.
#[derive(Debug)]
pub(super) struct Triangulator {
    steps: u64,
    flat: Vec<DVec2>,
    left: Vec<u32>,
}

impl Triangulator {
    /// Makes a triangulator for polygons of `corners` corners together.
    pub(super) fn new(corners: usize) -> Self {
        Self {
            steps: BASE_STEPS.saturating_add(STEPS_PER_CORNER.saturating_mul(corners as u64)),
            flat: Vec::new(),
            left: Vec::new(),
        }
    }

    /// Passes the corners of each triangle to `emit`, in the winding of the polygon.
    pub(super) fn triangulate(&mut self, polygon: &[Vec3], mut emit: impl FnMut([u32; 3])) {
        match polygon {
            [] | [_] | [_, _] => {}
            [_, _, _] => emit([0, 1, 2]),
            [a, b, c, d] => {
                let corners = [a, b, c, d].map(|p| p.as_dvec3());
                match splits_at_first(corners) {
                    true => [[0, 1, 2], [0, 2, 3]].map(emit),
                    false => [[0, 1, 3], [1, 2, 3]].map(emit),
                };
            }
            _ => self.cut_ears(polygon, emit),
        }
    }

    fn cut_ears(&mut self, polygon: &[Vec3], mut emit: impl FnMut([u32; 3])) {
        let Some((x, y)) = plane_of(polygon) else {
            return fan(polygon.len() as u32, emit);
        };
        let flat = polygon.iter().map(|p| p.as_dvec3());
        self.flat.clear();
        self.flat
            .extend(flat.map(|p| DVec2::new(p.dot(x), p.dot(y))));
        self.left.clear();
        self.left.extend(0..polygon.len() as u32);
        let mut at = 0;
        // Corners looked at since the last ear.
        let mut misses = 0;
        while self.left.len() > 3 {
            let len = self.left.len();
            let corner = |offset: usize| self.left[(at + offset) % len];
            let ear = [corner(0), corner(1), corner(2)];
            self.steps = self.steps.saturating_sub(len as u64);
            if self.steps == 0 {
                let left = &self.left;
                return fan(len as u32, |t| emit(t.map(|i| left[i as usize])));
            }
            // A polygon that crosses itself may have no ear: any corner is cut off.
            if misses > len || self.is_ear(ear) {
                emit(ear);
                self.left.remove((at + 1) % len);
                misses = 0;
            } else {
                misses += 1;
            }
            // The next ear is elsewhere, so that triangles are not all at one corner.
            at = (at + 1) % self.left.len();
        }
        emit([self.left[0], self.left[1], self.left[2]]);
    }

    /// Returns true if the corner is convex and no other corner is in its triangle.
    fn is_ear(&self, ear: [u32; 3]) -> bool {
        let [a, b, c] = ear.map(|corner| self.flat[corner as usize]);
        if (b - a).perp_dot(c - b) <= 0.0 {
            return false;
        }
        let inside = |p: DVec2| {
            let sides = [(a, b), (b, c), (c, a)];
            sides
                .iter()
                .all(|(from, to)| (*to - *from).perp_dot(p - *from) >= 0.0)
        };
        let others = self.left.iter().filter(|corner| !ear.contains(corner));
        let mut others = others.map(|&corner| self.flat[corner as usize]);
        // A corner at the position of one of the ear's is no obstacle.
        !others.any(|p| p != a && p != b && p != c && inside(p))
    }
}

fn fan(corners: u32, mut emit: impl FnMut([u32; 3])) {
    for corner in 1..corners - 1 {
        emit([0, corner, corner + 1]);
    }
}

/// Returns true if a quad is split from corner 0 to corner 2.
fn splits_at_first([a, b, c, d]: [DVec3; 4]) -> bool {
    let normal = (c - a).cross(d - b);
    // A diagonal is inside if the two others are on both sides of it.
    let is_inside = |from: DVec3, to: DVec3, left: DVec3, right: DVec3| {
        let across = normal.cross(to - from);
        across.dot(left - from) * across.dot(right - from) < 0.0
    };
    match (is_inside(a, c, b, d), is_inside(b, d, a, c)) {
        (true, false) => true,
        (false, true) => false,
        _ => (c - a).length_squared() <= (d - b).length_squared(),
    }
}

/// Returns the axes of the plane that a polygon is best seen in; `None` if it has no area.
fn plane_of(polygon: &[Vec3]) -> Option<(DVec3, DVec3)> {
    let first = polygon.first()?.as_dvec3();
    let pairs = polygon.iter().zip(polygon.iter().skip(1));
    let sum: DVec3 = pairs
        .map(|(a, b)| (a.as_dvec3() - first).cross(b.as_dvec3() - first))
        .sum();
    let normal = sum.try_normalize()?;
    let x = normal.any_orthonormal_vector();
    Some((x, normal.cross(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles(polygon: &[Vec3]) -> Vec<[u32; 3]> {
        let mut found = Vec::new();
        Triangulator::new(polygon.len()).triangulate(polygon, |t| found.push(t));
        found
    }

    /// Signed area seen along Z, and the sum of absolute areas: equal if no triangle is reversed.
    fn areas(polygon: &[Vec3], triangles: &[[u32; 3]]) -> (f32, f32) {
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| polygon[v as usize]);
            (b - a).cross(c - a).z / 2.0
        };
        let signed = triangles.iter().map(area).sum();
        (signed, triangles.iter().map(|t| area(t).abs()).sum())
    }

    fn polygon(points: &[[f32; 2]]) -> Vec<Vec3> {
        points.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect()
    }

    #[test]
    fn concave_polygons_are_covered_once() {
        let star: Vec<[f32; 2]> = (0..10)
            .map(|i| {
                let (sin, cos) = (i as f32 * std::f32::consts::TAU / 10.0).sin_cos();
                let radius = if i % 2 == 0 { 1.0 } else { 0.3 };
                [radius * cos, radius * sin]
            })
            .collect();
        let comb = [
            [0., 0.],
            [5., 0.],
            [5., 2.],
            [4., 2.],
            [4., 1.],
            [3., 1.],
            [3., 3.],
            [2., 3.],
            [2., 1.],
            [1., 1.],
            [1., 2.],
            [0., 2.],
        ];
        let arrow = [[0., 0.], [1., -1.], [0., 2.], [-1., -1.]];
        for points in [&star[..], &comb, &arrow] {
            let polygon = polygon(points);
            for shift in 0..polygon.len() {
                let mut turned = polygon.clone();
                turned.rotate_left(shift);
                let found = triangles(&turned);
                assert_eq!(found.len(), polygon.len() - 2);
                let (signed, absolute) = areas(&turned, &found);
                let shoelace: f32 = (0..polygon.len())
                    .map(|i| polygon[i].cross(polygon[(i + 1) % polygon.len()]).z / 2.0)
                    .sum();
                assert!((signed - shoelace).abs() < 1e-4, "{signed} {shoelace}");
                assert!((absolute - shoelace).abs() < 1e-4, "{absolute} {shoelace}");
            }
        }
    }

    #[test]
    fn degenerate_polygons_have_as_many_triangles_and_end() {
        let line = polygon(&[[0., 0.]; 9]);
        assert_eq!(triangles(&line).len(), 7);
        let crossing = polygon(&[
            [0., 0.],
            [1., 1.],
            [1., 0.],
            [0., 1.],
            [0.5, 3.],
            [0.4, -3.],
        ]);
        assert_eq!(triangles(&crossing).len(), 4);
        assert_eq!(triangles(&line[..2]).len(), 0);
        let nan = vec![Vec3::NAN; 8];
        assert_eq!(triangles(&nan).len(), 6);
    }

    #[test]
    fn hostile_polygons_take_bounded_time() {
        // A comb whose teeth hide ears from each other.
        let points: Vec<[f32; 2]> = (0..100_000)
            .map(|i| [i as f32, if i % 2 == 0 { 0.0 } else { 1.0 + i as f32 }])
            .collect();
        assert_eq!(triangles(&polygon(&points)).len(), points.len() - 2);
    }
}
