//! Near points on a surface, over several poses at once.
//!
//! A point is compared with the surface in the rest pose and in some key poses together: its distance is the root of the sum
//! of the squared distances. A hand that rests at the hip is near the hip in one pose only.

use glam::Vec3;
use throng_rig::Bounds;

use super::poses::KeyPoses;

/// Most triangles of a leaf.
const LEAF: usize = 4;
/// Near points that are kept per point.
pub(super) const CANDIDATES: usize = 6;

/// A point on a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NearPoint {
    pub triangle: u32,
    /// Weights of the second and third corner.
    pub weights: [f32; 2],
    /// Squared distance over all key poses.
    squared: f32,
}

/// Triangles of a level in a bounding volume hierarchy of the rest pose.
pub(super) struct Surface<'a> {
    poses: &'a KeyPoses,
    /// Corners, as indices of points.
    pub triangles: &'a [[u32; 3]],
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    bounds: Bounds,
    /// Triangles in the order; of an inner node, the second child is at `right`.
    first: u32,
    count: u32,
    right: u32,
}

impl<'a> Surface<'a> {
    pub fn new(triangles: &'a [[u32; 3]], poses: &'a KeyPoses) -> Self {
        let mut out = Self {
            poses,
            triangles,
            order: (0..triangles.len() as u32).collect(),
            nodes: Vec::new(),
        };
        if !triangles.is_empty() {
            out.divide(0, triangles.len());
        }
        out
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|corner| self.poses.of(corner)[0])
    }

    /// Adds the node of a range of triangles and those below it. Recursion is as deep as the logarithm of their number.
    fn divide(&mut self, first: usize, end: usize) {
        let mut bounds = Bounds::EMPTY;
        for &triangle in &self.order[first..end] {
            for corner in self.corners(triangle) {
                bounds.add(corner.as_dvec3());
            }
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            first: first as u32,
            count: (end - first) as u32,
            right: 0,
        });
        if end - first <= LEAF {
            return;
        }
        let extent = bounds.extent();
        let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b]));
        let axis = axis.unwrap_or_default();
        let mut order = std::mem::take(&mut self.order);
        let middle = (end - first) / 2;
        order[first..end].select_nth_unstable_by(middle, |&a, &b| {
            let centre = |t: u32| {
                self.corners(t)
                    .iter()
                    .map(|corner| corner[axis])
                    .sum::<f32>()
            };
            centre(a).total_cmp(&centre(b)).then(a.cmp(&b))
        });
        self.order = order;
        self.divide(first, first + middle);
        self.nodes[node].right = self.nodes.len() as u32;
        self.divide(first + middle, end);
    }

    /// Writes the nearest points on different triangles, the nearest first.
    pub fn nearest(&self, point: &[Vec3], stack: &mut Vec<(f64, u32)>, out: &mut Vec<NearPoint>) {
        out.clear();
        stack.clear();
        if self.nodes.is_empty() {
            return;
        }
        let rest = point[0].as_dvec3();
        let box_distance = |node: u32| {
            let bounds = &self.nodes[node as usize].bounds;
            rest.distance_squared(rest.clamp(bounds.min, bounds.max))
        };
        let is_far = |squared: f64, out: &[NearPoint]| {
            out.len() == CANDIDATES && squared > f64::from(out[CANDIDATES - 1].squared)
        };
        stack.push((box_distance(0), 0));
        while let Some((squared, index)) = stack.pop() {
            if is_far(squared, out) {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.right != 0 {
                let children = [index + 1, node.right].map(|child| (box_distance(child), child));
                let [near, far] = match children[0].0 <= children[1].0 {
                    true => children,
                    false => [children[1], children[0]],
                };
                stack.extend([far, near]);
                continue;
            }
            let first = node.first as usize;
            for &triangle in &self.order[first..first + node.count as usize] {
                let found = self.nearest_on(triangle, point);
                if !is_far(found.squared.into(), out) {
                    out.truncate(CANDIDATES - 1);
                    let place = out.partition_point(|other| other.squared <= found.squared);
                    out.insert(place, found);
                }
            }
        }
    }

    /// The nearest point on a triangle.
    fn nearest_on(&self, triangle: u32, point: &[Vec3]) -> NearPoint {
        let [a, b, c] = self.triangles[triangle as usize].map(|corner| self.poses.of(corner));
        let (mut bb, mut bc, mut cc) = (0.0, 0.0, 0.0);
        let (mut pb, mut pc, mut pp) = (0.0, 0.0, 0.0);
        for (pose, &p) in point.iter().enumerate() {
            let (p, b, c) = (p - a[pose], b[pose] - a[pose], c[pose] - a[pose]);
            bb += b.length_squared();
            bc += b.dot(c);
            cc += c.length_squared();
            pb += p.dot(b);
            pc += p.dot(c);
            pp += p.length_squared();
        }
        let squared = |[u, v]: [f32; 2]| {
            (pp - 2.0 * (u * pb + v * pc) + u * u * bb + 2.0 * u * v * bc + v * v * cc).max(0.0)
        };
        let found = |weights: [f32; 2]| NearPoint {
            triangle,
            weights,
            squared: squared(weights),
        };
        let determinant = bb * cc - bc * bc;
        let inside = [cc * pb - bc * pc, bb * pc - bc * pb].map(|x| x / determinant);
        if inside.iter().all(|x| *x >= 0.0) && inside[0] + inside[1] <= 1.0 {
            return found(inside);
        }
        // On one of the edges.
        let along = |dot: f32, length: f32| match length > 0.0 {
            true => (dot / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        let third = along(pc - pb + bb - bc, bb - 2.0 * bc + cc);
        let edges = [
            [along(pb, bb), 0.0],
            [0.0, along(pc, cc)],
            [1.0 - third, third],
        ];
        let edges = edges.map(found);
        let nearest = edges.iter().min_by(|a, b| a.squared.total_cmp(&b.squared));
        *nearest.unwrap_or(&edges[0])
    }
}
