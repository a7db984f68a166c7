//! Proportions of two skeletons: ratio of leg lengths, and heights of planted feet.

use glam::{DQuat, DVec3};
use throng_rig::{JointKind, Skeleton};

use crate::global_pose::{GlobalPose, extent};
use crate::joint_map::JointMap;
use crate::role::{Role, Side};

/// Largest difference between the feet's height in the rest pose and in motion where the rest pose stands on the ground,
/// as a part of the leg.
const GROUNDED: f64 = 0.02;
/// Part of the samples in which a foot may be lower than planted, for noise of motion capture.
const BELOW_PLANTED: f64 = 0.03;
/// Largest height of planted feet above the ground, as a part of the leg: a clip whose feet stay higher has no contact.
const PLANTED: f64 = 0.25;

/// A leg of both skeletons: joints of the motion and of the character.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// Thigh, shin and foot of the motion.
    pub source: [usize; 3],
    /// Thigh, shin and foot of the character.
    pub target: [usize; 3],
    /// The ball of the foot, or else the ankle, of motion and character.
    pub ball: [usize; 2],
    /// Joints of the motion and of the character that may touch the ground: the foot, for its heel; the toes, for the ball of
    /// the foot; and the end of the toes, where the file has it.
    pub contacts: [Vec<usize>; 2],
}

/// Returns the legs that both skeletons have.
pub fn legs(map: &JointMap, [source, target]: [&Skeleton; 2]) -> Vec<Leg> {
    let leg = |side| {
        let joints = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let [thigh, shin, foot] = joints.map(|role| map.joint(role));
        let (thigh, shin, foot) = (thigh?, shin?, foot?);
        let mut contacts = [vec![foot.1], vec![foot.0]];
        let toes = map.joint(Role::Toes(side));
        if let Some((to, from)) = toes {
            let joints = contacts.iter_mut().zip([(source, from), (target, to)]);
            for (contacts, (skeleton, toes)) in joints {
                contacts.push(toes);
                contacts.extend(end_of(skeleton, toes));
            }
        }
        let (to, from) = toes.unwrap_or(foot);
        Some(Leg {
            source: [thigh.1, shin.1, foot.1],
            target: [thigh.0, shin.0, foot.0],
            ball: [from, to],
            contacts,
        })
    };
    let sides = [Side::Left, Side::Right].into_iter();
    sides.filter_map(leg).collect()
}

/// The end of a bone in the file.
fn end_of(skeleton: &Skeleton, joint: usize) -> Option<usize> {
    let has_children = skeleton.has_children();
    let mut joints = skeleton.joints().iter().enumerate();
    let end = joints.find(|(index, end)| {
        end.parent == Some(joint) && end.kind != JointKind::AddedLeaf && !has_children[*index]
    });
    end.map(|(index, _)| index)
}

/// Map of positions from a motion to a character.
#[derive(Debug, Clone, PartialEq)]
pub struct Stance {
    /// Rotation from the motion's axes to the character's.
    pub facing: DQuat,
    /// Character's lengths per length of the motion.
    pub scale: f64,
    /// Position of the motion's origin.
    offset: DVec3,
    /// For each leg, the heights of the contacts of motion and character where the foot is flat on the ground.
    pub flat_heights: Vec<[Vec<f64>; 2]>,
}

impl Stance {
    /// Compares rest poses. `planted` is the height of the motion's planted feet, in its own lengths and the character's
    /// axes; it counts where the motion's rest pose does not stand on the same ground.
    pub fn new(
        map: &JointMap,
        legs: &[Leg],
        [source, target]: [&GlobalPose; 2],
        facing: DQuat,
        planted: Option<f64>,
    ) -> Self {
        let length = |pose: &GlobalPose, [a, b, c]: [usize; 3]| {
            let ends = [a, b, c].map(|joint| pose.position(joint));
            ends[0].distance(ends[1]) + ends[1].distance(ends[2])
        };
        let sum = |of: &dyn Fn(&Leg) -> f64| legs.iter().map(of).sum::<f64>();
        let source_leg = sum(&|leg| length(source, leg.source));
        let target_leg = sum(&|leg| length(target, leg.target));
        let scale = match source_leg > 1e-6 * extent(source) && target_leg > 0.0 {
            true => target_leg / source_leg,
            false => extent_ratio(map, source, target),
        };
        let root = map.joint(Role::Hips).or_else(|| map.pairs().next());
        let (target_root, source_root) = root.unwrap_or((0, 0));
        let height = |joint: usize| (facing * source.position(joint)).y;
        let from = facing * source.position(source_root);
        let to = target.position(target_root);
        let mut offset = to - scale * from;
        let mut ground = 0.0;
        let mean = |of: &dyn Fn(&Leg) -> f64| sum(of) / legs.len().max(1) as f64;
        let rest_height = mean(&|leg| height(leg.ball[0]));
        let leg_length = source_leg / legs.len().max(1) as f64;
        if let Some(planted) = planted
            && (planted - rest_height).abs() > GROUNDED * leg_length
        {
            ground = planted - rest_height;
            // The hips of straight legs are above planted feet.
            let below_hips = mean(&|leg| {
                let [thigh, _, foot] = leg.source.map(height);
                (from.y - thigh) + (foot - height(leg.ball[0]))
            });
            offset.y = to.y - scale * (planted + below_hips + leg_length);
        }
        let flat_heights = legs.iter().map(|leg| {
            let [from, to] = &leg.contacts;
            [
                from.iter().map(|&joint| height(joint) + ground).collect(),
                to.iter().map(|&joint| target.position(joint).y).collect(),
            ]
        });
        Self {
            facing,
            scale,
            offset,
            flat_heights: flat_heights.collect(),
        }
    }

    /// Maps a position of the motion.
    pub fn apply(&self, position: DVec3) -> DVec3 {
        self.scale * (self.facing * position) + self.offset
    }
}

/// Returns the height of planted feet in samples of their contacts' heights; `None` where the feet do not touch the
/// ground, at height 0.
pub fn planted_height(mut heights: Vec<f64>, leg_length: f64) -> Option<f64> {
    heights.sort_by(f64::total_cmp);
    let at = (heights.len() as f64 * BELOW_PLANTED) as usize;
    let planted = *heights.get(at)?;
    (planted.abs() < PLANTED * leg_length).then_some(planted)
}

/// Ratio of the extents of all pairs of joints.
fn extent_ratio(map: &JointMap, source: &GlobalPose, target: &GlobalPose) -> f64 {
    let size = |positions: &[DVec3]| {
        let middle = positions.iter().sum::<DVec3>() / positions.len().max(1) as f64;
        let squares = positions.iter().map(|p| p.distance_squared(middle));
        squares.sum::<f64>().sqrt()
    };
    let sources: Vec<DVec3> = map.pairs().map(|(_, s)| source.position(s)).collect();
    let targets: Vec<DVec3> = map.pairs().map(|(t, _)| target.position(t)).collect();
    let (from, to) = (size(&sources), size(&targets));
    match from > 1e-9 * to && to > 0.0 {
        true => to / from,
        false => 1.0,
    }
}
