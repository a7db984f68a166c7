//! Arguments that set a pose by hand.

use clap::Args;
use throng_format::{InterpolatedValues, JointRotation, Keyframe, PoseEdits};

use super::{parse_fraction, parse_seconds};

/// `--clip` and `--time`: the pose that edits start from.
#[derive(Debug, Clone, Args)]
pub struct PoseBaseArgs {
    /// Clip of the pose, by name, index or #index; `none` is the rest pose
    /// [default: none, or the first clip with --time]
    #[arg(long, value_name = "CLIP", verbatim_doc_comment, help_heading = "Pose")]
    pub clip: Option<String>,

    /// Time of the pose in the file, in seconds, clamped to the clip [default: start of the
    /// clip]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_hyphen_values = true, help_heading = "Pose")]
    pub time: Option<f64>,
}

/// `--rotate` and `--keyframe`: edits on top of a pose.
#[derive(Debug, Clone, Args)]
pub struct PoseEditArgs {
    /// Rotate a joint about its local X, then Y, then Z axis, in degrees; may be repeated
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = parse_rotation, allow_hyphen_values = true, help_heading = "Pose")]
    pub rotate: Vec<JointRotation>,

    /// Interpolate from the rest pose (F = 0) to the pose (F = 1): the rotation of each
    /// joint, or the position of each vertex
    #[arg(long, value_name = "F:rotations|positions", value_parser = parse_keyframe, help_heading = "Pose")]
    pub keyframe: Option<Keyframe>,
}

impl PoseEditArgs {
    /// True where nothing is edited.
    pub fn is_empty(&self) -> bool {
        self.rotate.is_empty() && self.keyframe.is_none()
    }

    /// Returns the edits on top of the pose of a clip at a time.
    pub fn on(&self, clip: Option<&str>, time_secs: Option<f64>) -> PoseEdits {
        PoseEdits {
            clip: clip.map(str::to_owned),
            time_secs,
            rotate: self.rotate.clone(),
            keyframe: self.keyframe,
        }
    }
}

fn parse_rotation(text: &str) -> Result<JointRotation, String> {
    let error = || "expected JOINT=X,Y,Z, such as 2=0,180,0 or left_arm=0,0,45".to_owned();
    // Names of joints may contain an equals sign.
    let (joint, angles) = text.rsplit_once('=').ok_or_else(error)?;
    let angles: Vec<f64> = angles
        .split(',')
        .map(|angle| angle.trim().parse().ok().filter(|a: &f64| a.is_finite()))
        .collect::<Option<_>>()
        .ok_or_else(error)?;
    let degrees = angles.try_into().map_err(|_| error())?;
    Ok(JointRotation {
        joint: joint.to_owned(),
        degrees,
    })
}

fn parse_keyframe(text: &str) -> Result<Keyframe, String> {
    let error = || "expected F:rotations or F:positions, with F from 0 to 1".to_owned();
    let (fraction, by) = text.split_once(':').ok_or_else(error)?;
    let fraction = parse_fraction(fraction).map_err(|_| error())?;
    let by = match by {
        "rotations" => InterpolatedValues::Rotations,
        "positions" => InterpolatedValues::Positions,
        _ => return Err(error()),
    };
    Ok(Keyframe { fraction, by })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_rotations_and_keyframes() {
        let rotation = parse_rotation("a=b=1,-2.5, 90").unwrap();
        assert_eq!(rotation.joint, "a=b");
        assert_eq!(rotation.degrees, [1.0, -2.5, 90.0]);
        for bad in ["", "2", "2=1,2", "2=1,2,x", "2=1,2,3,4", "2=1,2,inf"] {
            assert!(parse_rotation(bad).is_err(), "{bad}");
        }
        let half = Keyframe {
            fraction: 0.5,
            by: InterpolatedValues::Positions,
        };
        assert_eq!(parse_keyframe("0.5:positions"), Ok(half));
        for bad in ["", "0.5", "0.5:matrices", "2:positions", "x:rotations"] {
            assert!(parse_keyframe(bad).is_err(), "{bad}");
        }
    }
}
