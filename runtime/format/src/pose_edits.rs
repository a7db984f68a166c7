//! A pose that was set by hand before the bake.

use serde::{Deserialize, Serialize};

/// Pose of the baked clip `pose`: a pose of the source, with joints rotated on top.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseEdits {
    /// Clip of the source by name, index or #index; `None` and `none` are the rest pose, or the first clip that moves
    /// where a time is given.
    pub clip: Option<String>,
    /// Time in the clip, in seconds, clamped to it; `None` is its start.
    pub time_secs: Option<f64>,
    /// Rotations of joints, in this order.
    pub rotate: Vec<JointRotation>,
    /// Interpolation from the rest pose; `None` is the whole way by rotations.
    pub keyframe: Option<Keyframe>,
}

/// Rotation of one joint, on top of the pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointRotation {
    /// Joint by name, index or #index.
    pub joint: String,
    /// Angles about the joint's local X, then Y, then Z axis.
    pub degrees: [f64; 3],
}

/// Interpolation between the rest pose and the pose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// 0 is the rest pose, 1 the pose.
    pub fraction: f64,
    /// Values to interpolate.
    pub by: InterpolatedValues,
}

/// Values to interpolate between two poses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InterpolatedValues {
    /// Local transforms of joints; rotations along the shortest arc.
    Rotations,
    /// Skinned vertices, along straight lines.
    Positions,
}
