//! What skinning did to the body, as numbers: volume lost or gained, limbs pinched or bulged.
//!
//! Each joint has a region: the vertices that it holds most, and those that it shares with the bone
//! above. In a region three things are compared with the rest pose, skinned by the same method: the
//! volume between the surface and the joint, the distance of vertices from the bones that meet there,
//! and their distance from the joint itself. One means unchanged.

use glam::DVec3;
use throng_rig::{Character, CharacterPose, JointKind};

use crate::reference::Skinned;

/// What happened around one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointArtefacts {
    /// Index into the skeleton.
    pub joint: usize,
    /// How many vertices the region has.
    pub vertices: usize,
    /// Volume between the region's surface and the joint; `None` where the joint lies in the surface, so
    /// that there is next to none.
    pub volume_ratio: Option<f64>,
    /// The vertex that came nearest to the bones: pinched below one.
    pub min_radius_ratio: f64,
    /// The vertex that went farthest from the bones: bulged above one.
    pub max_radius_ratio: f64,
    /// The vertex that came nearest to the joint.
    pub min_distance_ratio: f64,
    /// The vertex that went farthest from the joint.
    pub max_distance_ratio: f64,
}

impl JointArtefacts {
    /// The largest change of any measure.
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

/// What happened to a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Artefacts {
    /// The volume that all parts enclose; meaningful for closed surfaces.
    pub volume_ratio: f64,
    /// Every joint with a region, in the order of the skeleton.
    pub joints: Vec<JointArtefacts>,
}

/// A vertex is shared with the bone above from this weight of each on.
const SHARED_WEIGHT: f64 = 0.1;

/// Vertices nearer to a bone than this part of the region's farthest say nothing of its radius.
const NEAR_AXIS: f64 = 0.05;

/// A region whose volume at rest is a smaller part of the cube of its reach has none to speak of.
const NO_VOLUME: f64 = 0.02;

/// A character in one pose, skinned.
#[derive(Debug, Clone, Copy)]
pub struct PosedSurface<'a> {
    /// Where the joints are.
    pub pose: &'a CharacterPose,
    /// One a part of the character, in order.
    pub parts: &'a [Skinned],
}

/// Compares a pose with the rest pose, both skinned by the same method.
///
/// # Panics
/// Where the surfaces are not those of the character.
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
                    .map(|t| cone(t, &skinned.positions, DVec3::ZERO))
                    .sum::<f64>()
            })
            .sum()
    };
    Artefacts {
        volume_ratio: ratio(total(posed), total(rest)),
        joints,
    }
}

/// Vertices and triangles about a joint, each with its part.
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
                let weights: Vec<_> = weights.map(|(entry, w)| (joints[entry], w)).collect();
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

/// The joints whose region a vertex is in, from its (joint, weight) pairs, heaviest first.
fn owners(weights: &[(usize, f64)], bone_above: &[Option<usize>]) -> Vec<usize> {
    let holds = |joint: usize| {
        weights
            .iter()
            .any(|&(j, w)| j == joint && w >= SHARED_WEIGHT)
    };
    let is_owner = |(rank, &(joint, _)): (usize, &(usize, f64))| {
        let shared = holds(joint) && bone_above[joint].is_some_and(holds);
        (rank == 0 || shared).then_some(joint)
    };
    weights.iter().enumerate().filter_map(is_owner).collect()
}

/// For each joint, the nearest bone among its ancestors.
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

/// The bones that meet at each joint, as pairs of joints: the one that leads to it, and those that go
/// on from it.
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
            cone(
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

    /// To the nearest of the bones; to the joint where none meet.
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

/// The signed volume between a triangle and a point.
fn cone(triangle: &[u32; 3], positions: &[DVec3], apex: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|v| positions[v as usize] - apex);
    a.dot(b.cross(c)) / 6.0
}

fn ratio(posed: f64, rest: f64) -> f64 {
    if rest == 0.0 { 1.0 } else { posed / rest }
}
