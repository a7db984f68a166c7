//! Proportions of two skeletons: ratio of leg lengths, and heights of planted feet.

use glam::{DQuat, DVec3};

use crate::global_pose::{GlobalPose, extent};
use crate::joint_map::JointMap;
use crate::role::{Role, Side};

/// Largest height of the lowest joint of a rest pose that stands on the ground, as a part of the leg.
const GROUNDED: f64 = 0.25;
/// Part of the samples in which a foot may be lower than planted, for noise of motion capture.
const BELOW_PLANTED: f64 = 0.01;
/// Largest height of planted feet above the ground, as a part of the leg: a clip whose feet stay higher has no contact.
const PLANTED: f64 = 0.25;

/// A leg of both skeletons: joints of the motion and of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// Thigh, shin and foot of the motion.
    pub source: [usize; 3],
    /// Thigh, shin and foot of the character.
    pub target: [usize; 3],
    /// Joint of the foot that touches the ground, of motion and character: the toes where both have them, else the foot.
    pub contact: [usize; 2],
}

/// Returns the legs that both skeletons have.
pub fn legs(map: &JointMap) -> Vec<Leg> {
    let leg = |side| {
        let joints = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let [thigh, shin, foot] = joints.map(|role| map.joint(role));
        let (thigh, shin, foot) = (thigh?, shin?, foot?);
        let toes = map.joint(Role::Toes(side)).unwrap_or(foot);
        Some(Leg {
            source: [thigh.1, shin.1, foot.1],
            target: [thigh.0, shin.0, foot.0],
            contact: [toes.1, toes.0],
        })
    };
    [Side::Left, Side::Right].into_iter().filter_map(leg).collect()
}

/// Map of positions from a motion to a character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stance {
    /// Rotation from the motion's axes to the character's.
    pub facing: DQuat,
    /// Character's lengths per length of the motion.
    pub scale: f64,
    /// Position of the motion's origin.
    offset: DVec3,
    /// Height by which feet are raised beyond [`Self::apply`], so that planted ones are as high as in the rest pose.
    pub foot_offset: f64,
}

impl Stance {
    /// Compares rest poses. `planted` is the height of the motion's planted feet, in its own lengths and the character's
    /// axes; it counts where the motion's rest pose does not stand on the ground.
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
        let (from, to) = (
            facing * source.position(source_root),
            target.position(target_root),
        );
        let mut stance = Self {
            facing,
            scale,
            offset: to - scale * from,
            foot_offset: 0.0,
        };
        if legs.is_empty() {
            return stance;
        }
        let mean = |of: &dyn Fn(&Leg) -> f64| sum(of) / legs.len() as f64;
        let rest_height = mean(&|leg| (facing * source.position(leg.contact[0])).y);
        let target_height = mean(&|leg| target.position(leg.contact[1]).y);
        let leg_length = source_leg / legs.len() as f64;
        let is_grounded = rest_height.abs() < GROUNDED * leg_length;
        let source_height = match planted {
            Some(planted) if !is_grounded => {
                // The hips of straight legs are above planted feet.
                let below_hips = mean(&|leg| {
                    let [thigh, _, foot] = leg.source.map(|j| (facing * source.position(j)).y);
                    let toes = (facing * source.position(leg.contact[0])).y;
                    (from.y - thigh) + (foot - toes)
                });
                let standing = planted + below_hips + leg_length;
                stance.offset.y = to.y - scale * standing;
                planted
            }
            _ => rest_height,
        };
        stance.foot_offset = target_height - (scale * source_height + stance.offset.y);
        stance
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
