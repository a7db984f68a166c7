//! Measured errors as numbers.

use serde::{Deserialize, Serialize};
use throng_rig::LoopPolicy;

use super::tally::unit;

/// Statistics of errors over vertices and times.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Largest error.
    pub max_error_mm: f64,
    /// Error that 99 % of vertices and times do not exceed; at most 0.8 % above the exact value.
    pub p99_error_mm: f64,
    /// Root mean square error.
    pub rms_error_mm: f64,
    /// Largest error, as a part of the size.
    pub max_error_of_size: f64,
    /// 99th percentile, as a part of the size.
    pub p99_error_of_size: f64,
    /// Root mean square error, as a part of the size.
    pub rms_error_of_size: f64,
    /// Number of comparisons: vertices × times.
    pub comparisons: u64,
}

/// The vertex and time with the largest error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstVertex {
    /// The error.
    pub error_mm: f64,
    /// Index into the measured clips.
    pub clip: usize,
    /// Name of the clip.
    pub clip_name: String,
    /// Seconds from the clip's start.
    pub time_secs: f64,
    /// Index into the parts.
    pub part: usize,
    /// Name of the part.
    pub part_name: String,
    /// Index into the part's vertices.
    pub vertex: usize,
    /// Joint with the largest weight on the vertex.
    pub joint: usize,
    /// Name of the joint.
    pub joint_name: String,
}

/// The joint and time with the largest error of a point at 1.7 % of the size from the joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstBone {
    /// The error.
    pub error_mm: f64,
    /// Index into the measured clips.
    pub clip: usize,
    /// Name of the clip.
    pub clip_name: String,
    /// Seconds from the clip's start.
    pub time_secs: f64,
    /// Index into the skeleton.
    pub joint: usize,
    /// Name of the joint.
    pub joint_name: String,
}

/// Errors where the source jumps, which no interpolation follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepJumps {
    /// Number of times that were measured at jumps; they are in no other statistic.
    pub times: u64,
    /// Largest error.
    pub max_error_mm: f64,
    /// Largest error, as a part of the size.
    pub max_error_of_size: f64,
    /// The vertex and time of the largest error.
    pub worst: Option<WorstVertex>,
}

/// Errors of one clip, or of all.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Errors {
    /// Errors of vertices at all times except jumps.
    #[serde(flatten)]
    pub overall: Spread,
    /// Errors at the samples of the source.
    pub at_samples: Spread,
    /// Errors between samples.
    pub between_samples: Spread,
    /// Largest angle between normals.
    pub max_normal_error_deg: f64,
    /// Root mean square angle between normals.
    pub rms_normal_error_deg: f64,
    /// Largest error of points at 1.7 % of the size from each joint that moves vertices; `None` where there are no bones.
    pub bone_error_mm: Option<f64>,
    /// Largest step of a vertex from the end of a wrapping clip to its start. The source may have such a step itself; no
    /// other number contains it. `None` where no clip wraps.
    pub seam_error_mm: Option<f64>,
    /// Vertex with the largest error; `None` where all errors are zero.
    pub worst: Option<WorstVertex>,
    /// Joint with the largest error; `None` where all errors are zero.
    pub worst_bone: Option<WorstBone>,
    /// Errors where the source jumps; `None` where it does not.
    pub step_jumps: Option<StepJumps>,
    /// Number of measured times, with those at jumps.
    pub times: u64,
}

impl Errors {
    /// Raises the largest error to that of a vertex, if that is larger.
    pub(super) fn raise(&mut self, worst: &WorstVertex, size_m: f64) {
        if worst.error_mm > self.overall.max_error_mm {
            self.overall.max_error_mm = worst.error_mm;
            self.overall.max_error_of_size = 1e-3 * worst.error_mm / unit(size_m);
            self.worst = Some(worst.clone());
        }
    }

    /// False where a decoded number was infinite or not a number.
    pub fn is_finite(&self) -> bool {
        let jumps = self.step_jumps.as_ref();
        self.overall.max_error_mm.is_finite()
            && jumps.is_none_or(|jumps| jumps.max_error_mm.is_finite())
            && self.bone_error_mm.is_none_or(f64::is_finite)
    }
}

/// Errors of one clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClipErrors {
    /// Name of the clip in the source.
    pub name: String,
    /// Duration of the clip.
    pub duration_secs: f64,
    /// Rate at which the source was measured.
    pub source_rate_hz: f64,
    /// Loop policy of the clip in the set.
    #[serde(rename = "loop")]
    pub looping: LoopPolicy,
    /// Errors of the clip.
    #[serde(flatten)]
    pub errors: Errors,
}

/// Error of a tested playback against the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// Largest extent of the bounding box in the rest pose, in metres: the unit of `…_of_size`.
    pub size_m: f64,
    /// Number of vertices compared at each time.
    pub vertices: usize,
    /// Number of joints that move vertices.
    pub joints: usize,
    /// Errors over all clips.
    #[serde(flatten)]
    pub errors: Errors,
    /// Errors per clip.
    pub clips: Vec<ClipErrors>,
}
