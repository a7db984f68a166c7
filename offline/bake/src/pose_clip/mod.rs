//! A pose set by hand as a clip, so that it can be baked, measured and drawn like any other.

mod morphs;

use std::sync::Arc;

use glam::{DQuat, DVec3};
use thiserror::Error;
use throng_format::{InterpolatedValues, Keyframe};
use throng_rig::{
    Character, CharacterPose, Clip, Interpolation, JointTracks, Key, MorphSet, MorphTrack,
    Skinning, Track, TrackError, Transform,
};

use morphs::add_pose_morphs;

/// Name of the clip, unless the character has one of that name.
const NAME: &str = "pose";

/// Duration of the clip, in seconds.
const DURATION_SECS: f64 = 1.0;

/// Sample rate of the clip where none is asked for. A power of two, so that times of frames are exact.
const RATE_HZ: f64 = 32.0;

/// Reason why a pose cannot be a clip.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PoseClipError {
    /// A number of the pose is not finite, or a track cannot be made of it.
    #[error("{character}: the pose is invalid: {reason}")]
    Invalid {
        /// Name of the character.
        character: String,
        /// Reason, in a sentence.
        reason: String,
    },
    /// No morph target moves a vertex in a straight line, because the rest pose flattens it.
    #[error(
        "{character}: part {part} '{part_name}': the rest pose flattens vertex {vertex}, so that no morph target moves it in \
         a straight line: interpolate by rotations, or scale its joints in the source"
    )]
    Flat {
        /// Name of the character.
        character: String,
        /// Index of the part.
        part: usize,
        /// Name of the part.
        part_name: String,
        /// Index of the vertex in the part.
        vertex: usize,
    },
}

/// Adds a clip as the last of the character, which goes from the rest pose to a fraction of a pose in one second: by the
/// rotations of joints, or with every vertex on a straight line.
///
/// For straight lines, every part gets a morph target that leads from its rest pose to the pose skinned with `skinning`,
/// and the clip animates its weight alone.
pub fn add_pose_clip(
    character: Character,
    pose: &CharacterPose,
    Keyframe { fraction, by }: Keyframe,
    skinning: Skinning,
) -> Result<Character, PoseClipError> {
    let rest = CharacterPose::rest(&character);
    let source_name = character.name.clone();
    let invalid = |reason: String| PoseClipError::Invalid {
        character: source_name.clone(),
        reason,
    };
    let invalid_track = |error: TrackError| invalid(error.to_string());
    let (mut parts, joints, morphs) = match by {
        InterpolatedValues::Rotations => {
            let mut pose = pose.clone();
            interpolate_joints(&character, &rest, fraction, &mut pose);
            let joints = joint_tracks(&rest, &pose).map_err(invalid_track)?;
            let morphs = morph_tracks(&character, &rest, &pose).map_err(invalid_track)?;
            (character.into_parts(), joints, morphs)
        }
        InterpolatedValues::Positions => {
            let parts = add_pose_morphs(character, &rest, pose, skinning)?;
            let sets = parts.morph_sets.iter().enumerate();
            let track = |(set, (_, weights)): (usize, &(String, Vec<f32>))| {
                let mut last = weights.clone();
                if let Some(weight) = last.last_mut() {
                    *weight = fraction as f32;
                }
                linear_morphs(set, weights, &last)
            };
            let morphs = sets.map(track).collect::<Result<_, _>>();
            let morphs = morphs.map_err(invalid_track)?;
            (parts, Vec::new(), morphs)
        }
    };
    let clip = Clip::new(free_name(&parts.clips), joints, morphs)
        .map_err(|error| invalid(error.to_string()))?
        .with_source_timing(0.0, DURATION_SECS, Some(1.0 / RATE_HZ));
    parts.clips.push(clip);
    Character::new(parts).map_err(|error| invalid(error.to_string()))
}

/// Interpolates the local transforms of joints, and the morph weights, between the rest pose (0) and the pose (1).
pub fn interpolate_joints(
    character: &Character,
    rest: &CharacterPose,
    fraction: f64,
    pose: &mut CharacterPose,
) {
    for (joint, rest) in pose.local.joints.iter_mut().zip(&rest.local.joints) {
        joint.translation = rest.translation.lerp(joint.translation, fraction);
        joint.rotation = rest.rotation.slerp(joint.rotation, fraction);
        joint.scale = rest.scale.lerp(joint.scale, fraction);
    }
    let weights = pose.local.morph_weights.iter_mut();
    for (weight, rest) in weights.zip(&rest.local.morph_weights) {
        *weight = rest + (*weight - rest) * fraction;
    }
    pose.resolve(character);
}

/// Returns a name that no clip has: `pose`, `pose-2` and so on.
fn free_name(clips: &[Clip]) -> String {
    let is_free = |name: &String| clips.iter().all(|clip| clip.name != *name);
    let others = (2..).map(|number| format!("{NAME}-{number}"));
    let mut names = std::iter::once(NAME.to_owned()).chain(others);
    names
        .find(is_free)
        .expect("there are more numbers than clips")
}

fn times() -> Arc<[f64]> {
    [0.0, DURATION_SECS].into()
}

/// Returns tracks of the joints that differ between two poses.
fn joint_tracks(from: &CharacterPose, to: &CharacterPose) -> Result<Vec<JointTracks>, TrackError> {
    let joints = from.local.joints.iter().zip(&to.local.joints).enumerate();
    let moved = joints.filter(|(_, (from, to))| from != to);
    let tracks = moved.map(|(joint, (from, to)): (usize, (&Transform, &Transform))| {
        Ok(JointTracks {
            translation: linear([from.translation, to.translation].map(DVec3::as_vec3))?,
            rotation: linear([from.rotation, to.rotation].map(DQuat::as_quat))?,
            scale: linear([from.scale, to.scale].map(DVec3::as_vec3))?,
            ..JointTracks::new(joint)
        })
    });
    tracks.collect()
}

/// Returns a track between two values; `None` if they are equal, and so equal to the rest pose.
fn linear<K>(keys: [K; 2]) -> Result<Option<Track<K>>, TrackError>
where
    K: Key,
{
    if keys[0] == keys[1] {
        return Ok(None);
    }
    Track::new(times(), keys.into(), Interpolation::Linear).map(Some)
}

/// Returns tracks of the morph sets that differ between two poses.
fn morph_tracks(
    character: &Character,
    from: &CharacterPose,
    to: &CharacterPose,
) -> Result<Vec<MorphTrack>, TrackError> {
    let sets = character.morph_sets().iter().enumerate();
    let weights = |pose: &CharacterPose, set: &MorphSet| -> Vec<f32> {
        let weights = pose.local.morph_weights[set.range()].iter();
        weights.map(|&weight| weight as f32).collect()
    };
    let keys = sets.map(|(index, set)| (index, weights(from, set), weights(to, set)));
    keys.filter(|(_, from, to)| from != to)
        .map(|(index, from, to)| linear_morphs(index, &from, &to))
        .collect()
}

fn linear_morphs(set: usize, from: &[f32], to: &[f32]) -> Result<MorphTrack, TrackError> {
    let weights = [from, to].concat();
    MorphTrack::new(set, times(), weights, from.len(), Interpolation::Linear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_import::builtin::builtin;

    #[test]
    fn clip_has_a_free_name_and_lasts_one_second() {
        let clip = |name: &str| Clip::new(name.into(), Vec::new(), Vec::new()).unwrap();
        assert_eq!(free_name(&[clip("walk")]), "pose");
        assert_eq!(free_name(&[clip("pose"), clip("pose-2")]), "pose-3");
        let cylinder = builtin("cylinder").unwrap();
        let mut pose = CharacterPose::rest(&cylinder);
        pose.local.joints[1].rotation = DQuat::from_rotation_z(0.5);
        pose.resolve(&cylinder);
        let keyframe = Keyframe {
            fraction: 1.0,
            by: InterpolatedValues::Rotations,
        };
        let posed = add_pose_clip(cylinder, &pose, keyframe, Skinning::AsAuthored).unwrap();
        let clip = posed.clips().last().unwrap();
        assert_eq!((clip.start_secs(), clip.duration_secs()), (0.0, 1.0));
        assert_eq!(clip.finest_spacing_secs(), Some(1.0 / 32.0));
    }
}
