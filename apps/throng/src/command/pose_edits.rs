//! A pose set by hand: a pose of the source, with joints rotated, interpolated from the rest pose.

use glam::{DQuat, EulerRot};
use throng_format::{JointRotation, PoseEdits};
use throng_rig::{Character, CharacterPose, Clip, select_by_name};

use super::CommandError;
use super::namesakes::namesakes;

/// Value of `--clip` for the rest pose.
const NO_CLIP: &str = "none";

/// A pose with its edits, before any interpolation.
pub struct EditedPose<'c> {
    /// Index and clip that the pose is of; `None` for the rest pose.
    pub clip: Option<(usize, &'c Clip)>,
    /// Time in the clip.
    pub time_secs: Option<f64>,
    /// The pose.
    pub pose: CharacterPose,
}

/// Samples the clip of the edits and rotates joints on top. Ambiguous names and times outside the clip are added to
/// `warnings`.
pub fn edited_pose<'c>(
    character: &'c Character,
    edits: &PoseEdits,
    warnings: &mut Vec<String>,
) -> Result<EditedPose<'c>, CommandError> {
    let clip = choose_clip(character, edits, warnings)?;
    let mut pose = CharacterPose::rest(character);
    let mut time_secs = None;
    if let Some((_, clip)) = clip {
        let (start, end) = (clip.start_secs(), clip.end_secs());
        let asked = edits.time_secs.unwrap_or(start);
        let held = asked.clamp(start, end);
        if held != asked {
            let name = &clip.name;
            warnings.push(format!(
                "clip '{name}' spans {start} to {end} s: {asked} s is clamped to {held} s"
            ));
        }
        pose.sample(character, clip, held);
        time_secs = Some(held);
    } else if edits.time_secs.is_some() {
        warnings.push("the rest pose has no time: --time is ignored".to_owned());
    }
    rotate_joints(&edits.rotate, character, &mut pose, warnings)?;
    Ok(EditedPose {
        clip,
        time_secs,
        pose,
    })
}

/// Returns the clip asked for, or the first that moves for a time without a clip.
fn choose_clip<'c>(
    character: &'c Character,
    edits: &PoseEdits,
    warnings: &mut Vec<String>,
) -> Result<Option<(usize, &'c Clip)>, CommandError> {
    let clips = character.clips();
    let index = match (edits.clip.as_deref(), edits.time_secs) {
        (Some(NO_CLIP), _) | (None, None) => return Ok(None),
        (None, Some(_)) if clips.is_empty() => {
            return Err(CommandError::Usage(format!(
                "--time: '{}' has no clips",
                character.name
            )));
        }
        (None, Some(_)) => clips.iter().position(Clip::moves).unwrap_or(0),
        (Some(wanted), _) => {
            let names = clips.iter().map(|clip| clip.name.as_str());
            let found = select_by_name(names, wanted).map_err(|error| {
                CommandError::Usage(format!("--clip: {error}; `none` is the rest pose"))
            })?;
            warnings.extend(namesakes("clips", wanted, &found));
            found.index
        }
    };
    Ok(Some((index, &clips[index])))
}

/// Rotates joints about their local X, then Y, then Z axes, on top of the pose.
fn rotate_joints(
    rotations: &[JointRotation],
    character: &Character,
    pose: &mut CharacterPose,
    warnings: &mut Vec<String>,
) -> Result<(), CommandError> {
    for asked in rotations {
        let joints = character.skeleton().joints();
        let names = joints.iter().map(|joint| joint.name.as_str());
        let found = select_by_name(names, &asked.joint)
            .map_err(|error| CommandError::Usage(format!("--rotate: {error}")))?;
        warnings.extend(namesakes("joints", &asked.joint, &found));
        let [x, y, z] = asked.degrees.map(f64::to_radians);
        let rotation = &mut pose.local.joints[found.index].rotation;
        *rotation = (*rotation * DQuat::from_euler(EulerRot::XYZ, x, y, z)).normalize();
    }
    if !rotations.is_empty() {
        pose.resolve(character);
    }
    Ok(())
}
