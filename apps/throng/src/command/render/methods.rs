//! Skinning methods side by side: the pose that shows them best, and their artefacts in it.

use glam::Vec3;
use serde::Serialize;
use throng_rig::{Character, CharacterPose, Clip, Method, Skinning, select_by_name};
use throng_skin::artefacts::{JointArtefacts, PosedSurface, measure};
use throng_skin::reference::{Skinned, skin_part};

use super::error_map::{ReferencePose, pose_at};
use crate::cli::RenderArgs;
use crate::command::CommandError;

/// Poses of a clip among which the one with the largest artefacts is found.
const POSES: u32 = 25;

/// Half of the side of the cube around a joint that the camera shows, as a part of the character's size.
const FOCUS_OF_SIZE: f32 = 0.065;

/// Artefacts around one joint, in one pose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodArtefacts {
    /// Name of the joint.
    pub joint: String,
    /// Ratio of the volume around the joint; `None` where there is almost none.
    pub volume_ratio: Option<f64>,
    /// Smallest ratio of a vertex's distance from the bones: pinched below one.
    pub min_radius_ratio: f64,
    /// Largest ratio of a vertex's distance from the bones: bulged above one.
    pub max_radius_ratio: f64,
    /// Sum of the differences of all measures from one, those of distances from the joint included.
    pub total_change: f64,
    /// Mean of that sum over all joints.
    pub mean_change: f64,
}

impl MethodArtefacts {
    /// Text of a caption, at least as long as that of any artefacts below 1 000 %.
    pub const WIDEST: &'static str = "volume 100 %, radius 100 to 100 %";

    /// Text of a caption.
    pub fn caption(&self) -> String {
        let percent = |ratio: f64| (100.0 * ratio).round();
        let radii = format!(
            "radius {} to {} %",
            percent(self.min_radius_ratio),
            percent(self.max_radius_ratio)
        );
        match self.volume_ratio {
            Some(ratio) => format!("volume {} %, {radii}", percent(ratio)),
            None => radii,
        }
    }
}

/// Returns the joint that `--focus` names.
pub fn focus(args: &RenderArgs, character: &Character) -> Result<Option<usize>, CommandError> {
    let Some(wanted) = &args.focus else {
        return Ok(None);
    };
    let names = character.skeleton().joints().iter();
    let found = select_by_name(names.map(|joint| joint.name.as_str()), wanted);
    match found {
        Ok(found) => Ok(Some(found.index)),
        Err(error) => Err(CommandError::Usage(format!("--focus: joint {error}"))),
    }
}

/// Returns the corners of a cube around a joint in a pose, for the camera.
pub fn focused(character: &Character, at: &ReferencePose, joint: usize, size: f32) -> Vec<Vec3> {
    let pose = pose_at(character, at);
    let center = pose.model.model_from_joint[joint].translation.as_vec3();
    let half = FOCUS_OF_SIZE * size;
    let sign = |corner: u32, axis: u32| if corner >> axis & 1 == 0 { -half } else { half };
    let corner = |corner| center + Vec3::new(sign(corner, 0), sign(corner, 1), sign(corner, 2));
    (0..8).map(corner).collect()
}

/// Returns the time in the file at which linear blend skinning has the largest artefacts.
pub fn worst_time(character: &Character, clip: &Clip, focus: Option<usize>) -> f64 {
    let times = (0..POSES).map(|index| {
        let along = f64::from(index) / f64::from(POSES - 1);
        clip.start_secs() + along * clip.duration_secs()
    });
    let change = |&time: &f64| {
        let mut pose = CharacterPose::rest(character);
        pose.sample(character, clip, time);
        let joints = joints(character, &pose, Method::Lbs.into());
        let joints = joints
            .iter()
            .filter(|joint| focus.is_none_or(|focus| joint.joint == focus));
        joints.map(JointArtefacts::total_change).sum::<f64>()
    };
    let changes = times.map(|time| (time, change(&time)));
    let worst = changes.max_by(|a, b| a.1.total_cmp(&b.1));
    worst.map_or(clip.start_secs(), |(time, _)| time)
}

/// Returns the joint with the largest artefacts.
pub fn worst_joint(character: &Character, at: &ReferencePose, skinning: Skinning) -> Option<usize> {
    let joints = joints(character, &pose_at(character, at), skinning);
    let worst = joints
        .iter()
        .max_by(|a, b| a.total_change().total_cmp(&b.total_change()));
    worst.map(|joint| joint.joint)
}

/// Measures the artefacts around a joint; `None` if no vertices are around it.
pub fn artefacts(
    character: &Character,
    at: &ReferencePose,
    skinning: Skinning,
    joint: usize,
) -> Option<MethodArtefacts> {
    let joints = joints(character, &pose_at(character, at), skinning);
    let total: f64 = joints.iter().map(JointArtefacts::total_change).sum();
    let found = joints.iter().find(|found| found.joint == joint)?;
    Some(MethodArtefacts {
        joint: character.skeleton().joints()[joint].name.clone(),
        volume_ratio: found.volume_ratio,
        min_radius_ratio: found.min_radius_ratio,
        max_radius_ratio: found.max_radius_ratio,
        total_change: found.total_change(),
        mean_change: total / joints.len() as f64,
    })
}

fn joints(character: &Character, pose: &CharacterPose, skinning: Skinning) -> Vec<JointArtefacts> {
    let skin = |pose: &CharacterPose| -> Vec<Skinned> {
        let parts = character.parts().iter();
        let skinned = parts.map(|part| {
            let mut skinned = Skinned::default();
            skin_part(character, part, pose, skinning, &mut skinned);
            skinned
        });
        skinned.collect()
    };
    let rest = CharacterPose::rest(character);
    let (rest_parts, parts) = (skin(&rest), skin(pose));
    let surface = |pose, parts| PosedSurface { pose, parts };
    measure(
        character,
        surface(&rest, &rest_parts),
        surface(pose, &parts),
    )
    .joints
}
