//! Motion of one rig on another, sampled pose by pose.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use throng_rig::{
    Character, Clip, Interpolation, JointTracks, LocalPose, Skeleton, Track, TrackError, Transform,
};

use crate::align::{RestFeet, alignments, facing, swing};
use crate::global_pose::{GlobalPose, rest_of};
use crate::joint_map::{JointMap, ancestors};
use crate::leg_reach::{lowering, reach};
use crate::retarget::differ;
use crate::role::Role;
use crate::stance::{Leg, Stance, legs, planted_heights};

/// Height of a ball above the planted one up to which a foot counts as planted, as a part of the leg.
const NEAR_PLANTED: f64 = 0.03;
/// Least difference of tilts of planted feet that decides about the rest pose, in radians.
const MIN_TILT: f64 = 0.02;
/// Longest and shortest time between samples, in seconds.
const SPACING_SECS: [f64; 2] = [1.0 / 30.0, 1.0 / 240.0];

/// Samples clips of a motion on a character.
pub(crate) struct Sampler<'a> {
    motion: &'a Character,
    target: &'a Skeleton,
    map: &'a JointMap,
    rests: &'a [GlobalPose; 2],
    /// Rotations from the rest pose of the character to that of the motion, in model space.
    alignments: Vec<DQuat>,
    stance: Stance,
    legs: Vec<Leg>,
    hips: Option<(usize, usize)>,
}

impl<'a> Sampler<'a> {
    pub fn new(
        motion: &'a Character,
        target: &'a Skeleton,
        map: &'a JointMap,
        rests: &'a [GlobalPose; 2],
    ) -> Self {
        let [source_rest, target_rest] = rests;
        let facing = facing(map, source_rest, target_rest);
        let hips = map.joint(Role::Hips);
        let is_below_hips = |leg: &Leg| {
            hips.is_some_and(|(hips, _)| ancestors(target, leg.target[0]).any(|a| a == hips))
        };
        let legs: Vec<Leg> = legs(map, target)
            .into_iter()
            .filter(is_below_hips)
            .collect();
        let skeletons = [motion.skeleton(), target];
        let aligned = |feet| alignments(map, skeletons, rests.each_ref(), facing, feet);
        let mut sampler = Self {
            alignments: aligned(RestFeet::Flat),
            stance: Stance::new(map, &legs, rests.each_ref(), facing, None),
            motion,
            target,
            map,
            rests,
            legs,
            hips,
        };
        let square = aligned(RestFeet::SquareToLegs);
        if let Some(planted) = sampler.planted() {
            if sampler.planted_tilt(&planted, &square)
                < sampler.planted_tilt(&planted, &sampler.alignments) - MIN_TILT
            {
                sampler.alignments = square;
            }
            let planted = Some(planted.as_slice());
            sampler.stance = Stance::new(map, &sampler.legs, rests.each_ref(), facing, planted);
        }
        sampler
    }

    /// Calls a function with each sampled pose of the motion.
    fn each_pose(&self, mut visit: impl FnMut(&GlobalPose)) {
        let mut source = SourcePose::new(self.motion);
        for clip in self.motion.clips() {
            for time in sample_times(clip) {
                source.sample(clip, time);
                visit(&source.global);
            }
        }
    }

    /// Height of the ball of a foot of the motion.
    fn ball_height(&self, leg: &Leg, source: &GlobalPose) -> f64 {
        (self.stance.facing * source.position(leg.ball[0])).y
    }

    /// Length of a leg of the motion.
    fn leg_length(&self) -> Option<f64> {
        let leg = self.legs.first()?;
        let [hip, knee, ankle] = leg.source.map(|joint| self.rests[0].position(joint));
        Some(hip.distance(knee) + knee.distance(ankle))
    }

    /// Heights of planted feet over all clips.
    fn planted(&self) -> Option<Vec<f64>> {
        let leg_length = self.leg_length()?;
        let mut heights: Vec<Vec<f64>> = vec![Vec::new(); self.legs.len()];
        self.each_pose(|source| {
            for (heights, leg) in heights.iter_mut().zip(&self.legs) {
                heights.push(self.ball_height(leg, source));
            }
        });
        planted_heights(heights, leg_length)
    }

    /// Mean angle between the soles of planted feet and the ground, in radians, for some alignments.
    fn planted_tilt(&self, planted: &[f64], alignments: &[DQuat]) -> f64 {
        let near = NEAR_PLANTED * self.leg_length().unwrap_or_default();
        let (mut sum, mut count) = (0.0, 0);
        self.each_pose(|source| {
            for (leg, planted) in self.legs.iter().zip(planted) {
                if self.ball_height(leg, source) < planted + near {
                    let (from, foot) = (leg.source[2], leg.target[2]);
                    let up = self.since_rest(source, from) * alignments[foot] * DVec3::Y;
                    sum += up.angle_between(DVec3::Y);
                    count += 1;
                }
            }
        });
        sum / f64::from(count.max(1))
    }

    /// Character's lengths per length of the motion.
    pub fn scale(&self) -> f64 {
        self.stance.scale
    }

    /// Returns the tracks of a clip on the character.
    pub fn tracks(&self, clip: &Clip) -> Result<Vec<JointTracks>, TrackError> {
        let times: Arc<[f64]> = sample_times(clip).collect();
        let mut source = SourcePose::new(self.motion);
        let mut pose = TargetPose::new(self.target);
        let joints: Vec<usize> = self.map.pairs().map(|(target, _)| target).collect();
        let mut rotations: Vec<Vec<DQuat>> = vec![Vec::with_capacity(times.len()); joints.len()];
        let mut translations: Vec<Vec<DVec3>> = vec![Vec::new(); joints.len()];
        for &time in times.iter() {
            source.sample(clip, time);
            self.pose(&source.global, &mut pose);
            for (at, &joint) in joints.iter().enumerate() {
                let Transform {
                    rotation,
                    translation,
                    ..
                } = pose.local[joint];
                let last = rotations[at].last();
                let is_opposite = last.is_some_and(|last| last.dot(rotation) < 0.0);
                rotations[at].push(if is_opposite { -rotation } else { rotation });
                if self.carries_translation(joint) {
                    translations[at].push(translation);
                }
            }
        }
        let values = joints.iter().zip(rotations.iter().zip(&translations));
        let tracks = values.map(|(&joint, (rotations, translations))| {
            let translation = match translations.is_empty() {
                true => None,
                false => {
                    let values = translations.iter().map(|v| v.as_vec3());
                    Some(track(&times, values.collect())?)
                }
            };
            let values = rotations.iter().map(|q| q.as_quat());
            Ok(JointTracks {
                rotation: Some(track(&times, values.collect())?),
                translation,
                ..JointTracks::new(joint)
            })
        });
        tracks.collect()
    }

    /// True for hips, joints above them, and joints with no moved joint above.
    fn carries_translation(&self, joint: usize) -> bool {
        let hips = self.hips.map(|(hips, _)| hips);
        self.map.moved_ancestor(self.target, joint).is_none()
            || hips == Some(joint)
            || hips.is_some_and(|hips| ancestors(self.target, hips).any(|above| above == joint))
    }

    /// Poses the character as the motion is posed.
    fn pose(&self, source: &GlobalPose, pose: &mut TargetPose) {
        let facing = self.stance.facing;
        pose.set_rest(self.target);
        let mut carried: Vec<DQuat> = Vec::with_capacity(self.target.len());
        for joint in 0..self.target.len() {
            let parent = self.target.joints()[joint].parent;
            let parent_rotation = parent.map_or(DQuat::IDENTITY, |p: usize| carried[p]);
            let Some(from) = self.map.source_of(joint) else {
                carried.push(parent_rotation * pose.local[joint].rotation);
                continue;
            };
            let moved = self.rotation(source, joint, from);
            pose.local[joint].rotation = (parent_rotation.inverse() * moved).normalize();
            carried.push(moved);
            if self.carries_translation(joint) {
                let position = match self.hips {
                    Some((hips, _)) if hips == joint => self.stance.apply(source.position(from)),
                    _ => {
                        let moved = source.position(from) - self.rests[0].position(from);
                        self.rests[1].position(joint) + self.stance.scale * (facing * moved)
                    }
                };
                pose.place(self.target, joint, position);
            }
        }
        self.plant_feet(source, pose);
    }

    /// Rotation of a joint in model space.
    fn rotation(&self, source: &GlobalPose, joint: usize, from: usize) -> DQuat {
        self.since_rest(source, from) * self.alignments[joint] * self.rests[1].rotations[joint]
    }

    /// Rotation of a joint of the motion since its rest pose, in the character's axes.
    fn since_rest(&self, source: &GlobalPose, joint: usize) -> DQuat {
        let facing = self.stance.facing;
        let rotation = source.rotations[joint] * self.rests[0].rotations[joint].inverse();
        facing * rotation * facing.inverse()
    }

    /// Returns the height above the ground of a foot's lowest contact.
    fn above_ground(&self, index: usize, source: &GlobalPose) -> f64 {
        let height = |pose: &GlobalPose, joint| (self.stance.facing * pose.position(joint)).y;
        let contacts = self.legs[index].contacts.iter();
        let above_rest =
            contacts.map(|&[from, _]| height(source, from) - height(&self.rests[0], from));
        self.stance.above_ground(index, above_rest)
    }

    /// Returns the position of a foot whose ball is where that of the motion is, and whose lowest contact is as high above
    /// the ground.
    fn foot_goal(&self, index: usize, source: &GlobalPose, pose: &GlobalPose) -> DVec3 {
        let leg = &self.legs[index];
        let foot = pose.position(leg.target[2]);
        let rest = &self.rests[1];
        let contacts = leg.contacts.iter();
        let heights = contacts
            .map(|&[_, to]| pose.position(to).y - foot.y - rest.position(to).y)
            .fold(f64::INFINITY, f64::min);
        let [from, to] = leg.ball;
        let across = self.stance.apply(source.position(from)) + foot - pose.position(to);
        let height = self.above_ground(index, source) - heights;
        DVec3::new(across.x, height, across.z)
    }

    /// Bends toes up where their ends would be below the ground: those of motion capture are often rigid.
    fn bend_toes(&self, index: usize, source: &GlobalPose, pose: &mut TargetPose) {
        let leg = &self.legs[index];
        let Some(tip) = leg.tip else {
            return;
        };
        let toes = leg.ball[1];
        pose.global.resolve(self.target, &pose.local);
        let bone = pose.global.position(tip) - pose.global.position(toes);
        let ground = self.above_ground(index, source).min(0.0) + self.rests[1].position(tip).y;
        let height = (ground - pose.global.position(toes).y).min(bone.length());
        let along = DVec3::new(bone.x, 0.0, bone.z).normalize_or_zero();
        if bone.y >= height - 1e-9 * bone.length() || along == DVec3::ZERO {
            return;
        }
        let forward = (bone.length_squared() - height * height).max(0.0).sqrt();
        let bent = forward * along + height * DVec3::Y;
        let rotation = swing(bone, bent) * pose.global.rotations[toes];
        pose.turn(self.target, toes, rotation);
    }

    /// Bends legs, and lowers the hips where legs are too short, so that feet are where those of the motion are.
    fn plant_feet(&self, source: &GlobalPose, pose: &mut TargetPose) {
        let Some((hips, _)) = self.hips.filter(|_| !self.legs.is_empty()) else {
            return;
        };
        pose.global.resolve(self.target, &pose.local);
        let legs = 0..self.legs.len();
        let goals: Vec<DVec3> = legs
            .map(|leg| self.foot_goal(leg, source, &pose.global))
            .collect();
        let positions = |leg: &Leg, pose: &GlobalPose| leg.target.map(|joint| pose.position(joint));
        let lowered = self.legs.iter().zip(&goals);
        let lowered = lowered.map(|(leg, &goal)| lowering(positions(leg, &pose.global), goal));
        let lowered = lowered.fold(0.0, f64::max);
        if lowered > 0.0 {
            let position = pose.global.position(hips) - DVec3::Y * lowered;
            pose.place(self.target, hips, position);
            pose.global.resolve(self.target, &pose.local);
        }
        for (index, goal) in goals.into_iter().enumerate() {
            let leg = &self.legs[index];
            let [thigh, shin, foot] = leg.target;
            let rotation = |joint: usize| pose.global.rotations[joint];
            let forward = rotation(thigh) * self.rests[1].rotations[thigh].inverse() * DVec3::Z;
            let turns = reach(positions(leg, &pose.global), goal, forward);
            let moved = [
                (thigh, turns[0] * rotation(thigh)),
                (shin, turns[1] * rotation(shin)),
                (foot, rotation(foot)),
            ];
            for (joint, rotation) in moved {
                pose.turn(self.target, joint, rotation);
            }
            self.bend_toes(index, source, pose);
        }
    }
}

/// A pose of the motion.
struct SourcePose<'a> {
    motion: &'a Character,
    local: LocalPose,
    global: GlobalPose,
}

impl<'a> SourcePose<'a> {
    fn new(motion: &'a Character) -> Self {
        Self {
            motion,
            local: LocalPose::rest(motion),
            global: GlobalPose::default(),
        }
    }

    fn sample(&mut self, clip: &Clip, time: f64) {
        self.local.sample(self.motion, clip, time);
        self.global
            .resolve(self.motion.skeleton(), &self.local.joints);
    }
}

/// A pose of the character.
struct TargetPose {
    local: Vec<Transform>,
    global: GlobalPose,
}

impl TargetPose {
    fn new(target: &Skeleton) -> Self {
        Self {
            local: rest_of(target).collect(),
            global: GlobalPose::default(),
        }
    }

    fn set_rest(&mut self, target: &Skeleton) {
        self.local.clear();
        self.local.extend(rest_of(target));
    }

    /// Puts a joint at a position in model space. Joints above it must be posed.
    fn place(&mut self, target: &Skeleton, joint: usize, position: DVec3) {
        let above: Vec<usize> = ancestors(target, joint).collect();
        let parent = above
            .iter()
            .rev()
            .fold(glam::DAffine3::IDENTITY, |model, &joint| {
                model * self.local[joint].to_affine()
            });
        let inverse = parent.inverse();
        if inverse.is_finite() {
            self.local[joint].translation = inverse.transform_point3(position);
        }
    }

    /// Gives a joint a rotation in model space. Joints below it follow when it is resolved again.
    fn turn(&mut self, target: &Skeleton, joint: usize, rotation: DQuat) {
        let above: Vec<usize> = ancestors(target, joint).collect();
        let parent = above.iter().rev().fold(DQuat::IDENTITY, |model, &joint| {
            model * self.local[joint].rotation
        });
        self.local[joint].rotation = (parent.inverse() * rotation).normalize();
    }
}

/// Times of samples: the grid of the clip's finest keys, and its end.
fn sample_times(clip: &Clip) -> impl Iterator<Item = f64> {
    let [longest, shortest] = SPACING_SECS;
    let spacing = clip.finest_spacing_secs().unwrap_or(longest);
    let duration = clip.duration_secs();
    let steps = (duration / spacing.clamp(shortest, longest) - 1e-3)
        .ceil()
        .max(0.0) as u32;
    let start = clip.start_secs();
    (0..=steps).map(move |step| start + duration * f64::from(step) / f64::from(steps.max(1)))
}

/// A linear track, of one key where all values are equal.
fn track<K: throng_rig::Key>(times: &Arc<[f64]>, values: Vec<K>) -> Result<Track<K>, TrackError> {
    match differ(&values) {
        true => Track::new(times.clone(), values, Interpolation::Linear),
        false => Track::new(
            times[..1].into(),
            values[..1].to_vec(),
            Interpolation::Linear,
        ),
    }
}
