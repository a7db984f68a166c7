//! Clips of one skeleton on another.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use thiserror::Error;
use throng_rig::{
    Character, Clip, ClipError, Interpolation, JointTracks, LocalPose, Skeleton, Track, TrackError,
    Transform,
};

use crate::align::{alignments, facing};
use crate::global_pose::{GlobalPose, rest_of};
use crate::joint_map::{JointMap, JointPair, MapError, ancestors, list};
use crate::leg_reach::{lowering, reach};
use crate::role::Role;
use crate::same_rig::SameRig;
use crate::stance::{Leg, Stance, legs, planted_height};

/// Clips on a character, and the joints that they lack.
#[derive(Debug, Clone, PartialEq)]
pub struct Retargeted {
    /// One per clip of the motion, in its order, without morph weights.
    pub clips: Vec<Clip>,
    /// Way in which the clips were made.
    pub transfer: Transfer,
    /// Joints of the motion that move, but are not on the character.
    pub missing: Vec<String>,
    /// Joints of a body that the character has, but the motion has not; they stay in their rest pose.
    pub unmoved: Vec<String>,
}

/// Way in which clips were put on a character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transfer {
    /// One rig: keys were copied.
    Copied,
    /// Two rigs: rotations relative to the rest poses were sampled, and feet put where they were.
    Sampled {
        /// Character's lengths per length of the motion.
        scale: f64,
    },
}

impl Retargeted {
    /// Returns a warning that lists the missing joints; `None` where there are none.
    pub fn warning(&self) -> Option<String> {
        let lists = [
            (&self.missing, "of the motion are not on the character"),
            (
                &self.unmoved,
                "of the character are not in the motion and stay at rest",
            ),
        ];
        let some = lists.into_iter().filter(|(joints, _)| !joints.is_empty());
        let texts: Vec<String> = some
            .map(|(joints, what)| {
                let names = list(joints.iter().map(String::as_str));
                format!("{} joints {what}: {names}", joints.len())
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

/// Clips that cannot be put on a character.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RetargetError {
    /// Joints do not agree.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A pose is not finite, or has too large numbers for float32.
    #[error("clip '{clip}' is invalid on the character: {error}")]
    Track {
        /// Name of the clip.
        clip: String,
        /// Fault of the track.
        error: TrackError,
    },
    /// Tracks do not make a clip.
    #[error("clip '{clip}' is invalid on the character: {error}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Fault of the clip.
        error: ClipError,
    },
}

/// Puts all clips of a motion on a character.
///
/// Joints are paired by name ([`JointMap::find`]); `pairs` take precedence. Where both skeletons are one rig, keys are copied,
/// with lengths scaled to the character. Otherwise, rotations relative to the rest pose are carried over in model space, after
/// the bones of arms and legs were turned from the character's rest pose to the motion's; the hips follow those of the motion
/// at the scale of the legs; and feet are put where they were at that scale by bending hips and knees, so that they do not slide.
pub fn retarget(
    motion: &Character,
    character: &Character,
    pairs: &[JointPair],
) -> Result<Retargeted, RetargetError> {
    let (source, target) = (motion.skeleton(), character.skeleton());
    let map = JointMap::find(source, target, pairs)?;
    let rests = [GlobalPose::rest(source), GlobalPose::rest(target)];
    let same = SameRig::find(&map, [source, target], rests.each_ref(), motion.clips());
    let (tracks, transfer): (Vec<_>, Transfer) = match same {
        Some(same) => {
            let tracks = motion.clips().iter().map(|clip| same.copy(clip));
            (tracks.collect(), Transfer::Copied)
        }
        None => {
            let sampler = Sampler::new(motion, target, &map, &rests);
            let transfer = Transfer::Sampled {
                scale: sampler.stance.scale,
            };
            let tracks = motion.clips().iter().map(|clip| sampler.tracks(clip));
            (tracks.collect(), transfer)
        }
    };
    let clips = motion.clips().iter().zip(tracks).map(|(clip, tracks)| {
        let name = || clip.name.clone();
        let tracks = tracks.map_err(|error| RetargetError::Track {
            clip: name(),
            error,
        })?;
        let made = clip.with_joints(tracks);
        made.map_err(|error| RetargetError::Clip {
            clip: name(),
            error,
        })
    });
    Ok(Retargeted {
        clips: clips.collect::<Result<_, _>>()?,
        transfer,
        missing: missing(motion, &map),
        unmoved: unmoved(target, &map),
    })
}

/// Names of joints that move in a clip and have no pair.
fn missing(motion: &Character, map: &JointMap) -> Vec<String> {
    let joints = motion.skeleton().joints();
    let mut is_paired = vec![false; joints.len()];
    map.pairs().for_each(|(_, source)| is_paired[source] = true);
    let mut is_missing = vec![false; joints.len()];
    for tracks in motion.clips().iter().flat_map(Clip::joints) {
        let rotates = tracks.rotation.as_ref().is_some_and(|t| differ(t.values()));
        let moves = tracks
            .translation
            .as_ref()
            .is_some_and(|t| differ(t.values()));
        is_missing[tracks.joint] |= (rotates || moves) && !is_paired[tracks.joint];
    }
    let names = joints.iter().zip(is_missing);
    names
        .filter_map(|(joint, missing)| missing.then(|| joint.name.clone()))
        .collect()
}

fn differ<T: PartialEq>(values: &[T]) -> bool {
    values.windows(2).any(|pair| pair[0] != pair[1])
}

/// Names of the character's joints with a role that are not moved.
fn unmoved(target: &Skeleton, map: &JointMap) -> Vec<String> {
    let names = target.joints().iter().map(|joint| joint.name.as_str());
    let roles = crate::role::roles(names);
    let joints = target.joints().iter().zip(roles).enumerate();
    let unmoved = joints.filter(|(index, (_, role))| {
        let is_finger = matches!(role, Some(Role::Finger(..)));
        role.is_some() && !is_finger && map.source_of(*index).is_none()
    });
    unmoved.map(|(_, (joint, _))| joint.name.clone()).collect()
}

/// Longest and shortest time between samples, in seconds.
const SPACING_SECS: [f64; 2] = [1.0 / 30.0, 1.0 / 240.0];

/// Samples clips of a motion on a character.
struct Sampler<'a> {
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
    fn new(
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
        let legs: Vec<Leg> = legs(map, [motion.skeleton(), target])
            .into_iter()
            .filter(is_below_hips)
            .collect();
        let skeletons = [motion.skeleton(), target];
        let mut sampler = Self {
            alignments: alignments(map, skeletons, rests.each_ref(), facing),
            stance: Stance::new(map, &legs, rests.each_ref(), facing, None),
            motion,
            target,
            map,
            rests,
            legs,
            hips,
        };
        let planted = sampler.planted();
        sampler.stance = Stance::new(map, &sampler.legs, rests.each_ref(), facing, planted);
        sampler
    }

    /// Height of planted feet over all clips.
    fn planted(&self) -> Option<f64> {
        let mut heights = Vec::new();
        let mut source = SourcePose::new(self.motion);
        for clip in self.motion.clips() {
            for time in sample_times(clip) {
                source.sample(clip, time);
                let contacts = self.legs.iter().map(|leg| leg.ball[0]);
                let height = |joint| (self.stance.facing * source.global.position(joint)).y;
                heights.extend(contacts.map(height));
            }
        }
        let leg = self.legs.first()?;
        let ends = leg.source.map(|joint| self.rests[0].position(joint));
        planted_height(
            heights,
            ends[0].distance(ends[1]) + ends[1].distance(ends[2]),
        )
    }

    fn tracks(&self, clip: &Clip) -> Result<Vec<JointTracks>, TrackError> {
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
        let facing = self.stance.facing;
        let from_rest = source.rotations[from] * self.rests[0].rotations[from].inverse();
        facing
            * from_rest
            * facing.inverse()
            * self.alignments[joint]
            * self.rests[1].rotations[joint]
    }

    /// Returns the position of a foot whose ball is where that of the motion is, and whose lowest contact is as high above
    /// the ground.
    fn foot_goal(
        &self,
        leg: &Leg,
        flat_heights: &[Vec<f64>; 2],
        source: &GlobalPose,
        pose: &GlobalPose,
    ) -> DVec3 {
        let Stance { facing, scale, .. } = self.stance;
        let lowest = |of: usize, count: usize, height: &dyn Fn(usize) -> f64| {
            let contacts = leg.contacts[of].iter().zip(&flat_heights[of]);
            let heights = contacts.map(|(&joint, flat)| height(joint) - flat);
            heights.take(count).fold(f64::INFINITY, f64::min)
        };
        let foot = pose.position(leg.target[2]);
        let [from_count, to_count] = leg.contacts.each_ref().map(Vec::len);
        let above_foot = |count| lowest(1, count, &|joint| pose.position(joint).y - foot.y);
        let source_height = |joint| (facing * source.position(joint)).y;
        let above_ground = scale * lowest(0, to_count, &source_height);
        let height = above_ground - above_foot(from_count);
        // Toes whose end the motion lacks do not sink.
        let height = height.max(above_ground.min(0.0) - above_foot(to_count));
        let [from, to] = leg.ball;
        let across = self.stance.apply(source.position(from)) + foot - pose.position(to);
        DVec3::new(across.x, height, across.z)
    }

    /// Bends legs, and lowers the hips where legs are too short, so that feet are where those of the motion are.
    fn plant_feet(&self, source: &GlobalPose, pose: &mut TargetPose) {
        let Some((hips, _)) = self.hips.filter(|_| !self.legs.is_empty()) else {
            return;
        };
        pose.global.resolve(self.target, &pose.local);
        let legs = self.legs.iter().zip(&self.stance.flat_heights);
        let goals = legs.map(|(leg, heights)| self.foot_goal(leg, heights, source, &pose.global));
        let goals: Vec<DVec3> = goals.collect();
        let positions = |leg: &Leg, pose: &GlobalPose| leg.target.map(|joint| pose.position(joint));
        let lowered = self.legs.iter().zip(&goals);
        let lowered = lowered.map(|(leg, &goal)| lowering(positions(leg, &pose.global), goal));
        let lowered = lowered.fold(0.0, f64::max);
        if lowered > 0.0 {
            let position = pose.global.position(hips) - DVec3::Y * lowered;
            pose.place(self.target, hips, position);
            pose.global.resolve(self.target, &pose.local);
        }
        for (leg, goal) in self.legs.iter().zip(goals) {
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
