//! Measures of skinning artefacts: lost or gained volume, pinched or bulged limbs.
//!
//! Each joint has a region: the vertices whose heaviest influence it is, and those that it shares with the bone
//! above. Three measures of a region are compared with the rest pose, skinned by the same method: the volume
//! between the surface and the joint, the distances of vertices from the bones that meet at the joint, and
//! their distances from the joint. A ratio of one means unchanged.

use glam::DVec3;
use throng_rig::{Character, CharacterPose, JointKind};

use crate::reference::Skinned;

/// Artefacts around one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointArtefacts {
    /// Index into the skeleton.
    pub joint: usize,
    /// Number of vertices of the region.
    pub vertices: usize,
    /// Ratio of the volume between the region's surface and the joint; `None` if the joint is in the surface, so
    /// that there is almost no volume.
    pub volume_ratio: Option<f64>,
    /// Smallest ratio of a vertex's distance from the bones: pinched below one.
    pub min_radius_ratio: f64,
    /// Largest ratio of a vertex's distance from the bones: bulged above one.
    pub max_radius_ratio: f64,
    /// Smallest ratio of a vertex's distance from the joint.
    pub min_distance_ratio: f64,
    /// Largest ratio of a vertex's distance from the joint.
    pub max_distance_ratio: f64,
}

impl JointArtefacts {
    /// Returns the largest difference of any ratio from one.
    pub fn worst_change(&self) -> f64 {
        [
            self.volume_ratio.unwrap_or(1.0),
            self.min_radius_ratio,
            self.max_radius_ratio,
            self.min_distance_ratio,
            self.max_distance_ratio,
        ]
        .iter()
        .map(|ratio| (ratio - 1.0).abs())
        .fold(0.0, f64::max)
    }
}

/// Artefacts of a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Artefacts {
    /// Ratio of the volume that all parts enclose; meaningful for closed surfaces.
    pub volume_ratio: f64,
    /// Joints with a region, in the order of the skeleton.
    pub joints: Vec<JointArtefacts>,
}

/// Smallest weight of both joints for a vertex to be shared with the bone above.
const SHARED_WEIGHT: f64 = 0.1;

/// Vertices nearer to a bone than this part of the largest distance are left out of distance ratios.
const NEAR_AXIS: f64 = 0.05;

/// Smallest volume in the rest pose, relative to the cube of the region's largest distance, for a volume ratio.
const NO_VOLUME: f64 = 0.02;

/// A character in one pose, skinned.
#[derive(Debug, Clone, Copy)]
pub struct PosedSurface<'a> {
    /// Pose of the joints.
    pub pose: &'a CharacterPose,
    /// One per part of the character, in order.
    pub parts: &'a [Skinned],
}

/// Compares a pose with the rest pose, both skinned by the same method.
///
/// # Panics
/// If the surfaces are not those of the character.
pub fn measure(
    character: &Character,
    rest: PosedSurface<'_>,
    posed: PosedSurface<'_>,
) -> Artefacts {
    let regions = regions(character);
    let segments = segments(character);
    let joints = regions
        .iter()
        .enumerate()
        .filter(|(_, region)| !region.vertices.is_empty())
        .map(|(joint, region)| {
            measure_joint(character, joint, region, &segments[joint], rest, posed)
        })
        .collect();
    let total = |surface: PosedSurface<'_>| -> f64 {
        let parts = character.parts().iter().zip(surface.parts);
        parts
            .map(|(part, skinned)| {
                let triangles = character.mesh_of(part).triangles().iter();
                triangles
                    .map(|t| tetrahedron_volume(t, &skinned.positions, DVec3::ZERO))
                    .sum::<f64>()
            })
            .sum()
    };
    Artefacts {
        volume_ratio: ratio(total(posed), total(rest)),
        joints,
    }
}

/// Vertices and triangles around a joint, as (part, index).
#[derive(Default)]
struct Region {
    vertices: Vec<(usize, usize)>,
    triangles: Vec<(usize, usize)>,
}

fn regions(character: &Character) -> Vec<Region> {
    let bone_above = bones_above(character);
    let mut regions: Vec<Region> = Vec::new();
    regions.resize_with(character.skeleton().len(), Region::default);
    for (index, part) in character.parts().iter().enumerate() {
        let (mesh, joints) = (character.mesh_of(part), character.skin_of(part).joints());
        let owners: Vec<Vec<usize>> = (0..mesh.vertex_count())
            .map(|vertex| {
                let weights = mesh.influences().of(vertex);
                let weights: Vec<_> = weights.map(|(index, w)| (joints[index], w)).collect();
                owners(&weights, &bone_above)
            })
            .collect();
        for (vertex, owners) in owners.iter().enumerate() {
            for &joint in owners {
                regions[joint].vertices.push((index, vertex));
            }
        }
        for (number, triangle) in mesh.triangles().iter().enumerate() {
            let [first, second, third] = triangle.map(|v| &owners[v as usize]);
            for joint in first {
                if second.contains(joint) && third.contains(joint) {
                    regions[*joint].triangles.push((index, number));
                }
            }
        }
    }
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

/// Returns the bones that meet at each joint, as (parent, child) pairs of joints.
fn segments(character: &Character) -> Vec<Vec<(usize, usize)>> {
    let mut segments = vec![Vec::new(); character.skeleton().len()];
    for (from, to) in character.skeleton().segments() {
        segments[from].push((from, to));
        segments[to].push((from, to));
    }
    segments
}

fn measure_joint(
    character: &Character,
    joint: usize,
    region: &Region,
    segments: &[(usize, usize)],
    rest: PosedSurface<'_>,
    posed: PosedSurface<'_>,
) -> JointArtefacts {
    let volume = |surface: PosedSurface<'_>| -> f64 {
        let apex = surface.joint(joint);
        let of = |&(part, triangle): &(usize, usize)| {
            let mesh = character.mesh_of(&character.parts()[part]);
            tetrahedron_volume(
                &mesh.triangles()[triangle],
                &surface.parts[part].positions,
                apex,
            )
        };
        region.triangles.iter().map(of).sum()
    };
    let radius = |surface: PosedSurface<'_>, &(part, vertex): &(usize, usize)| {
        surface.distance_to_bones(joint, segments, surface.parts[part].positions[vertex])
    };
    let distance = |surface: PosedSurface<'_>, &(part, vertex): &(usize, usize)| {
        surface
            .joint(joint)
            .distance(surface.parts[part].positions[vertex])
    };
    let extremes = |measure: &dyn Fn(PosedSurface<'_>, &(usize, usize)) -> f64| {
        let at_rest: Vec<f64> = region.vertices.iter().map(|v| measure(rest, v)).collect();
        let floor = NEAR_AXIS * at_rest.iter().copied().fold(0.0, f64::max);
        let pairs = region.vertices.iter().zip(&at_rest);
        pairs
            .filter(|(_, rest)| **rest > floor)
            .map(|(vertex, rest)| measure(posed, vertex) / rest)
            .fold(None, |range: Option<(f64, f64)>, r| {
                Some(range.map_or((r, r), |(low, high)| (low.min(r), high.max(r))))
            })
            .unwrap_or((1.0, 1.0))
    };
    let reach = region.vertices.iter().map(|v| distance(rest, v));
    let has_volume = volume(rest).abs() > NO_VOLUME * reach.fold(0.0, f64::max).powi(3);
    let (min_radius_ratio, max_radius_ratio) = extremes(&radius);
    let (min_distance_ratio, max_distance_ratio) = extremes(&distance);
    JointArtefacts {
        joint,
        vertices: region.vertices.len(),
        volume_ratio: has_volume.then(|| volume(posed) / volume(rest)),
        min_radius_ratio,
        max_radius_ratio,
        min_distance_ratio,
        max_distance_ratio,
    }
}

impl PosedSurface<'_> {
    fn joint(&self, joint: usize) -> DVec3 {
        self.pose.model.model_from_joint[joint].translation
    }

    /// Returns the distance to the nearest of the bones, or to the joint if there are none.
    fn distance_to_bones(&self, joint: usize, segments: &[(usize, usize)], point: DVec3) -> f64 {
        segments
            .iter()
            .map(|&(from, to)| distance_to_segment(point, self.joint(from), self.joint(to)))
            .min_by(f64::total_cmp)
            .unwrap_or_else(|| self.joint(joint).distance(point))
    }
}

fn distance_to_segment(point: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return point.distance(from);
    }
    let t = ((point - from).dot(along) / length_squared).clamp(0.0, 1.0);
    point.distance(from + along * t)
}

/// Returns the signed volume of the tetrahedron of a triangle and a point.
fn tetrahedron_volume(triangle: &[u32; 3], positions: &[DVec3], apex: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|v| positions[v as usize] - apex);
    a.dot(b.cross(c)) / 6.0
}

fn ratio(posed: f64, rest: f64) -> f64 {
    if rest == 0.0 { 1.0 } else { posed / rest }
}
