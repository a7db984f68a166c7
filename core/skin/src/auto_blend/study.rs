//! The poses that factors are chosen for, skinned both ways.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use throng_rig::{Character, CharacterPose, Clip, Method};

use super::factors::Factors;
use super::score::Score;
use crate::artefacts::{Region, RegionVertex, Surface, regions};
use crate::reference::{Skinned, skin_part};

/// Largest number of poses.
const MAX_POSES: usize = 96;

/// Smallest number of poses, however large the character is.
const MIN_POSES: usize = 8;

/// Number of skinned positions to hold at most, where that leaves enough poses.
const MAX_POSITIONS: usize = 600_000;

/// Poses of a character, skinned by LBS and by DQS. A blend of both is linear in the factor.
pub(super) struct Study {
    /// Regions, with unique positions of parts as vertices.
    pub(super) regions: Vec<Region>,
    pub(super) rest: BothWays,
    pub(super) poses: Vec<BothWays>,
    /// First point of each part.
    pub(super) first_of_part: Vec<usize>,
    /// Factor of each point.
    pub(super) factor_of_point: Vec<u32>,
    joint_count: usize,
}

/// One pose, skinned by LBS and by DQS.
pub(super) struct BothWays {
    /// Position of each point by LBS, and the way from there to its position by DQS.
    pub(super) points: Vec<(Vec3, Vec3)>,
    joints: Vec<DVec3>,
}

/// A pose, skinned with some factors.
pub(super) struct Blended<'a> {
    pub(super) points: Vec<DVec3>,
    joints: &'a [DVec3],
    first_of_part: &'a [usize],
}

impl Study {
    /// Poses of these clips. Returns `None` if none of them moves, or no mesh is skinned.
    pub(super) fn new(character: &Character, factors: &Factors, clips: &[&Clip]) -> Option<Self> {
        let mut regions = regions(character);
        let mut first_of_part = Vec::new();
        let mut factor_of_point = Vec::new();
        for part in character.parts() {
            first_of_part.push(factor_of_point.len());
            let first = factors.first_of_mesh(part.mesh) as u32;
            let count = character.mesh_of(part).unique().position_count() as u32;
            factor_of_point.extend(first..first + count);
        }
        for region in &mut regions {
            let point = |at: RegionVertex| {
                let part = &character.parts()[at.part as usize];
                let unique = character.mesh_of(part).unique();
                RegionVertex {
                    vertex: unique.position_of()[at.vertex as usize],
                    ..at
                }
            };
            let points = region.vertices.iter().map(|&at| point(at));
            region.vertices = points.collect();
            region.vertices.sort_unstable();
            region.vertices.dedup();
            for triangle in &mut region.triangles {
                *triangle = triangle.map(point);
            }
        }
        let clips: Vec<&Clip> = clips.iter().copied().filter(|clip| clip.moves()).collect();
        if regions.is_empty() || clips.is_empty() {
            return None;
        }
        let count = MAX_POSITIONS / factor_of_point.len().max(1);
        let instants = instants(&clips, count.clamp(MIN_POSES, MAX_POSES));
        let pose_at = |&(clip, time): &(&Clip, f64)| {
            let mut pose = CharacterPose::rest(character);
            pose.sample(character, clip, time);
            BothWays::new(character, &pose)
        };
        Some(Self {
            rest: BothWays::new(character, &CharacterPose::rest(character)),
            poses: instants.par_iter().map(pose_at).collect(),
            regions,
            first_of_part,
            factor_of_point,
            joint_count: character.skeleton().len(),
        })
    }

    /// Skins a pose with the factors.
    pub(super) fn blend<'a>(&'a self, pose: &'a BothWays, factors: &[f32]) -> Blended<'a> {
        let points = pose.points.iter().zip(&self.factor_of_point);
        let blend = |(&(lbs, way), &factor): (&(Vec3, Vec3), &u32)| {
            lbs.as_dvec3() + way.as_dvec3() * f64::from(factors[factor as usize])
        };
        Blended {
            points: points.map(blend).collect(),
            joints: &pose.joints,
            first_of_part: &self.first_of_part,
        }
    }

    /// Returns the best of the fixed factors for each joint. Joints without a region have that of the nearest ancestor
    /// with one.
    pub(super) fn best_of_joints(&self, fixed: &[(f32, Score)]) -> Vec<f32> {
        let mut best = vec![0.5; self.joint_count];
        for (index, region) in self.regions.iter().enumerate() {
            let of_region = |(_, score): &&(f32, Score)| score.by_region[index];
            let least = fixed
                .iter()
                .min_by(|a, b| of_region(a).total_cmp(&of_region(b)));
            if let Some((factor, _)) = least {
                best[region.joint] = *factor;
            }
        }
        best
    }
}

impl BothWays {
    fn new(character: &Character, pose: &CharacterPose) -> Self {
        let mut points = Vec::new();
        let (mut lbs, mut dqs) = (Skinned::default(), Skinned::default());
        for part in character.parts() {
            skin_part(character, part, pose, Method::Lbs, &mut lbs);
            skin_part(character, part, pose, Method::Dqs, &mut dqs);
            let unique = character.mesh_of(part).unique();
            points.extend(unique.first_of_position().iter().map(|&vertex| {
                let vertex = vertex as usize;
                let way = dqs.positions[vertex] - lbs.positions[vertex];
                (lbs.positions[vertex].as_vec3(), way.as_vec3())
            }));
        }
        let joints = pose.model.model_from_joint.iter();
        Self {
            points,
            joints: joints.map(|joint| joint.translation).collect(),
        }
    }
}

impl Blended<'_> {
    pub(super) fn point(&self, at: RegionVertex) -> usize {
        self.first_of_part[at.part as usize] + at.vertex as usize
    }
}

impl Surface for Blended<'_> {
    fn vertex(&self, at: RegionVertex) -> DVec3 {
        self.points[self.point(at)]
    }

    fn joint(&self, joint: usize) -> DVec3 {
        self.joints[joint]
    }
}

/// Returns instants that are evenly spaced over all clips, one after another.
fn instants<'a>(clips: &[&'a Clip], count: usize) -> Vec<(&'a Clip, f64)> {
    let total: f64 = clips.iter().map(|clip| clip.duration_secs()).sum();
    let mut out = Vec::with_capacity(count);
    let mut before = 0.0;
    for clip in clips {
        let after = before + clip.duration_secs();
        // Both ends are poses, as clips of a bend or twist end with the largest angle.
        let at = |index: usize| total * index as f64 / (count - 1) as f64;
        while out.len() < count && (at(out.len()) <= after) {
            let time = clip.start_secs() + at(out.len()) - before;
            out.push((*clip, time));
        }
        before = after;
    }
    out
}
