//! Clips of one skeleton on another.

use thiserror::Error;
use throng_rig::{Character, Clip, ClipError, Skeleton, TrackError};

use crate::global_pose::GlobalPose;
use crate::joint_map::{JointMap, JointPair, MapError, list};
use crate::role::Role;
use crate::same_rig::SameRig;
use crate::sampler::Sampler;

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
                scale: sampler.scale(),
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
    let missing = names.filter(|(_, is_missing)| *is_missing);
    missing.map(|(joint, _)| joint.name.clone()).collect()
}

/// True where values are not all equal.
pub(crate) fn differ<T: PartialEq>(values: &[T]) -> bool {
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
