//! Error of a set against its source.
//!
//! Two [`Playback`]s are compared: the reference, which is the source skinned in float64 with all of its influences and
//! morphs ([`SourcePlayback`]), and the tested one, most often a decoded set ([`SetPlayback`]). [`measure`] compares every
//! vertex at every sample of the source's native rate, at three times between samples, and across the seam of a loop.
//! Intervals in which the source jumps are reported apart.
//!
//! [`verify`] does this for a whole set and raises the largest error to a bound: it examines every stretch of time between
//! keys of the source and frames or knots of the set. [`verify_densely`] checks the bound at many times.
//!
//! For searches, [`Probe`] selects the few vertices with the largest errors, and [`CachedReference`] plays the source once
//! for many candidates. A probe's error is a lower bound of the error of all vertices.

mod arc;
mod bake_report;
mod bound;
mod compare;
mod cursor;
mod dense;
mod heat;
mod histogram;
mod jumps;
mod linear;
mod matching_clips;
mod measure;
mod measured_clip;
mod pieces;
mod plan;
mod playback;
mod points;
mod polynomial;
mod probe;
mod reference;
mod report;
mod set;
mod skinner;
mod source;
mod table;
mod tally;
mod times;
mod verify;
mod workers;

pub use bake_report::{BakeReport, LodReport, TextureReport, bytes_per_joint_frame};
pub use dense::DenseErrors;
pub use heat::HeatMap;
pub use histogram::P99_RESOLUTION;
pub use measure::{measure, measure_with_heat};
pub(crate) use measured_clip::{MeasuredClip, clip_errors, vertices_and_joints};
pub(crate) use pieces::source_pieces;
pub use plan::{BONE_POINT_OF_SIZE, ClipToMeasure, MeasurePlan, moving_joints};
pub use playback::{JointPlayer, Playback, Played, Player, PosedPlayback};
pub(crate) use points::PointPlayer;
pub(crate) use polynomial::{NODES, POSITIONS, Verdict, judge};
pub use probe::{Probe, probe_character};
pub use reference::CachedReference;
pub use report::{ClipErrors, ErrorReport, Errors, Spread, StepJumps, WorstBone, WorstVertex};
pub use set::SetPlayback;
pub use source::SourcePlayback;
pub use times::{PlannedTime, TimeKind, source_intervals, source_rate_hz};
pub use verify::{Comparison, VerifyError, heat_map, verify, verify_densely, verify_played};
pub(crate) use verify::{measure_clips_of, report_of, verify_ordered};
