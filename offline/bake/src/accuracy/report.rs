//! How far off a set is, as numbers.

use serde::{Deserialize, Serialize};
use throng_rig::LoopPolicy;

/// Sizes of errors over vertices and times.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// The largest.
    pub max_error_mm: f64,
    /// What 99 of 100 do not pass; at most 0.8 % above the true one.
    pub p99_error_mm: f64,
    /// The root of the mean square.
    pub rms_error_mm: f64,
    /// The largest, in parts of the size.
    pub max_error_of_size: f64,
    /// p99, in parts of the size.
    pub p99_error_of_size: f64,
    /// RMS, in parts of the size.
    pub rms_error_of_size: f64,
    /// Errors that were counted: vertices times times.
    pub counted: u64,
}

/// Where and when a vertex is farthest off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstVertex {
    /// How far.
    pub error_mm: f64,
    /// Index into the clips that were measured.
    pub clip: usize,
    /// Its name.
    pub clip_name: String,
    /// From the clip's start.
    pub time_secs: f64,
    /// Index into the parts.
    pub part: usize,
    /// Its name.
    pub part_name: String,
    /// Index into the part's vertices.
    pub vertex: usize,
    /// The joint that holds it most.
    pub joint: usize,
    /// Its name.
    pub joint_name: String,
}

/// Where and when a point 1.7 % of the size off a joint is farthest off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorstBone {
    /// How far.
    pub error_mm: f64,
    /// Index into the clips that were measured.
    pub clip: usize,
    /// Its name.
    pub clip_name: String,
    /// From the clip's start.
    pub time_secs: f64,
    /// Index into the skeleton.
    pub joint: usize,
    /// Its name.
    pub joint_name: String,
}

/// Times at which the source jumps, which no interpolation follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepJumps {
    /// How many times were measured there; they count nowhere else.
    pub times: u64,
    /// The largest error.
    pub max_error_mm: f64,
    /// The same, in parts of the size.
    pub max_error_of_size: f64,
    /// Where it is.
    pub worst: Option<WorstVertex>,
}

/// Errors of one clip, or of all.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Errors {
    /// Of vertices, everywhere but at jumps.
    #[serde(flatten)]
    pub overall: Spread,
    /// At the samples of the source.
    pub at_samples: Spread,
    /// Between them.
    pub between: Spread,
    /// Of normals.
    pub max_normal_error_deg: f64,
    /// Of normals.
    pub rms_normal_error_deg: f64,
    /// Of points 1.7 % of the size off each joint that moves vertices; none where there are no bones.
    pub bone_error_mm: Option<f64>,
    /// What a wrapping clip plays at its end, against the source's start: the jump that is seen, which
    /// the source may have itself, and which the other numbers leave out; none where no clip wraps.
    pub seam_error_mm: Option<f64>,
    /// The vertex that is farthest off; none where nothing is off.
    pub worst: Option<WorstVertex>,
    /// The joint that is farthest off; none where nothing is off.
    pub worst_bone: Option<WorstBone>,
    /// Where the source jumps; none where it does not.
    pub step_jumps: Option<StepJumps>,
    /// Times that were measured, those at jumps among them.
    pub times: u64,
}

impl Errors {
    /// False where a decoded number was infinite or none at all.
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
    /// As in the source.
    pub name: String,
    /// How long it is.
    pub duration_secs: f64,
    /// How often the source was looked at.
    pub source_rate_hz: f64,
    /// What happens at its end.
    #[serde(rename = "loop")]
    pub looping: LoopPolicy,
    /// How far off it is.
    #[serde(flatten)]
    pub errors: Errors,
}

/// How far what was tested is from the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// The largest extent of the box at rest, in metres: the unit of `…_of_size`.
    pub size_m: f64,
    /// Vertices that were compared at each time.
    pub vertices: usize,
    /// Joints that move vertices.
    pub joints: usize,
    /// Over all clips.
    #[serde(flatten)]
    pub errors: Errors,
    /// Clip by clip.
    pub clips: Vec<ClipErrors>,
}
