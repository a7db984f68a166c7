//! Vertices and triangles around a joint, and their measures.

use glam::DVec3;
use throng_rig::{Character, JointKind};

use super::JointArtefacts;

/// Smallest weight of both joints for a vertex to be shared with the bone above.
const SHARED_WEIGHT: f64 = 0.1;

/// Vertices nearer to a bone than this part of the largest distance are left out of distance ratios.
const NEAR_AXIS: f64 = 0.05;

/// Smallest volume in the rest pose, relative to the cube of the region's largest distance, for a volume ratio.
const NO_VOLUME: f64 = 0.02;

/// A posed surface and the joints below it, in one space.
pub trait Surface {
    /// Returns the position of a vertex.
    fn vertex(&self, vertex: RegionVertex) -> DVec3;

    /// Returns the position of a joint of the skeleton.
    fn joint(&self, joint: usize) -> DVec3;
}

/// A vertex of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionVertex {
    /// Index of the part.
    pub part: u32,
    /// Index into the part's mesh.
    pub vertex: u32,
}

/// Vertices, triangles and bones around a joint.
#[derive(Debug, Clone, Default)]
pub struct Region {
    /// Index into the skeleton.
    pub joint: usize,
    /// Vertices whose heaviest influence is the joint, and those that it shares with the bone above.
    pub vertices: Vec<RegionVertex>,
    /// Triangles between these vertices.
    pub triangles: Vec<[RegionVertex; 3]>,
    /// Bones that meet at the joint, as pairs of joints.
    pub segments: Vec<(usize, usize)>,
}

/// Measures of a region in the rest pose.
#[derive(Debug, Clone)]
pub struct RestMeasures {
    /// `None` where there is almost no volume.
    volume: Option<f64>,
    /// (vertex, distance from the bones), without those near the bones.
    radii: Vec<(RegionVertex, f64)>,
    /// (vertex, distance from the joint), without those near the joint.
    distances: Vec<(RegionVertex, f64)>,
}

/// Returns the regions of a character that are not empty, in the order of the skeleton.
pub fn regions(character: &Character) -> Vec<Region> {
    let bone_above = bones_above(character);
    let mut regions: Vec<Region> = Vec::new();
    regions.resize_with(character.skeleton().len(), Region::default);
    for (part_index, part) in character.parts().iter().enumerate() {
        let (mesh, joints) = (character.mesh_of(part), character.skin_of(part).joints());
        let name = |vertex: u32| RegionVertex {
            part: part_index as u32,
            vertex,
        };
        let owners: Vec<Vec<usize>> = (0..mesh.vertex_count())
            .map(|vertex| {
                let weights = mesh.influences().of(vertex);
                let weights: Vec<_> = weights.map(|(index, w)| (joints[index], w)).collect();
                owners(&weights, &bone_above)
            })
            .collect();
        for (vertex, owners) in owners.iter().enumerate() {
            for &joint in owners {
                regions[joint].vertices.push(name(vertex as u32));
            }
        }
        for triangle in mesh.triangles() {
            let [first, second, third] = triangle.map(|v| &owners[v as usize]);
            for joint in first {
                if second.contains(joint) && third.contains(joint) {
                    regions[*joint].triangles.push(triangle.map(name));
                }
            }
        }
    }
    for (from, to) in character.skeleton().segments() {
        regions[from].segments.push((from, to));
        regions[to].segments.push((from, to));
    }
    for (joint, region) in regions.iter_mut().enumerate() {
        region.joint = joint;
    }
    regions.retain(|region| !region.vertices.is_empty());
    regions
}

/// Returns the joints whose region a vertex is in, from its (joint, weight) pairs, heaviest first.
fn owners(weights: &[(usize, f64)], bone_above: &[Option<usize>]) -> Vec<usize> {
    let influences = |joint: usize| {
        weights
            .iter()
            .any(|&(j, w)| j == joint && w >= SHARED_WEIGHT)
    };
    let is_owner = |(rank, &(joint, _)): (usize, &(usize, f64))| {
        let shared = influences(joint) && bone_above[joint].is_some_and(influences);
        (rank == 0 || shared).then_some(joint)
    };
    weights.iter().enumerate().filter_map(is_owner).collect()
}

/// Returns the nearest bone among the ancestors of each joint.
fn bones_above(character: &Character) -> Vec<Option<usize>> {
    let joints = character.skeleton().joints();
    let mut above: Vec<Option<usize>> = Vec::with_capacity(joints.len());
    for joint in joints {
        above.push(joint.parent.and_then(|parent| match joints[parent].kind {
            JointKind::Bone => Some(parent),
            _ => above[parent],
        }));
    }
    above
}

impl Region {
    /// Measures the rest pose.
    pub fn at_rest(&self, rest: &impl Surface) -> RestMeasures {
        let far = |measure: &dyn Fn(RegionVertex) -> f64| {
            let all: Vec<f64> = self.vertices.iter().map(|&v| measure(v)).collect();
            let largest = all.iter().copied().fold(0.0, f64::max);
            let pairs = self.vertices.iter().copied().zip(all);
            let far = pairs.filter(|(_, distance)| *distance > NEAR_AXIS * largest);
            (far.collect::<Vec<_>>(), largest)
        };
        let (radii, _) = far(&|v| rest.vertex(v).distance(self.nearest(rest, rest.vertex(v))));
        let (distances, reach) = far(&|v| rest.vertex(v).distance(rest.joint(self.joint)));
        let volume = self.volume(rest);
        RestMeasures {
            volume: (volume.abs() > NO_VOLUME * reach.powi(3)).then_some(volume),
            radii,
            distances,
        }
    }

    /// Compares a pose with the rest pose.
    pub fn compare(&self, rest: &RestMeasures, posed: &impl Surface) -> JointArtefacts {
        let apex = posed.joint(self.joint);
        let radius = |v| {
            let point = posed.vertex(v);
            point.distance(self.nearest(posed, point))
        };
        let (min_radius_ratio, max_radius_ratio) = extremes(&rest.radii, radius);
        let distance = |v| posed.vertex(v).distance(apex);
        let (min_distance_ratio, max_distance_ratio) = extremes(&rest.distances, distance);
        JointArtefacts {
            joint: self.joint,
            vertices: self.vertices.len(),
            volume_ratio: rest.volume.map(|volume| self.volume(posed) / volume),
            min_radius_ratio,
            max_radius_ratio,
            min_distance_ratio,
            max_distance_ratio,
        }
    }

    /// Volume between the surface and the joint.
    fn volume(&self, surface: &impl Surface) -> f64 {
        let apex = surface.joint(self.joint);
        let of = |triangle: &[RegionVertex; 3]| {
            tetrahedron_volume(triangle.map(|v| surface.vertex(v) - apex))
        };
        self.triangles.iter().map(of).sum()
    }

    /// Returns the point of the bones that is nearest to a point; the joint if there are no bones.
    pub fn nearest(&self, surface: &impl Surface, point: DVec3) -> DVec3 {
        let nearest = self
            .segments
            .iter()
            .map(|&(from, to)| nearest_of_segment(point, surface.joint(from), surface.joint(to)))
            .min_by(|a, b| {
                let distance = |at: &DVec3| at.distance_squared(point);
                distance(a).total_cmp(&distance(b))
            });
        nearest.unwrap_or_else(|| surface.joint(self.joint))
    }
}

impl RestMeasures {
    /// Volume, if there is any.
    pub fn volume(&self) -> Option<f64> {
        self.volume
    }

    /// Vertices that are not near the bones, and their distances from them.
    pub fn radii(&self) -> &[(RegionVertex, f64)] {
        &self.radii
    }

    /// Vertices that are not near the joint, and their distances from it.
    pub fn distances(&self) -> &[(RegionVertex, f64)] {
        &self.distances
    }
}

/// Returns the smallest and largest ratio of a distance to that at rest; ones if there are none.
fn extremes(at_rest: &[(RegionVertex, f64)], posed: impl Fn(RegionVertex) -> f64) -> (f64, f64) {
    let ratios = at_rest.iter().map(|&(vertex, rest)| posed(vertex) / rest);
    let range = ratios.fold(None, |range: Option<(f64, f64)>, r| {
        Some(range.map_or((r, r), |(low, high)| (low.min(r), high.max(r))))
    });
    range.unwrap_or((1.0, 1.0))
}

fn nearest_of_segment(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return from;
    }
    let t = ((point - from).dot(along) / length_squared).clamp(0.0, 1.0);
    from + along * t
}

/// Returns the signed volume of the tetrahedron of a triangle and the origin.
pub(super) fn tetrahedron_volume([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c)) / 6.0
}
