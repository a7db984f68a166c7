//! Comparison of two characters whose vertices linear blend skinning moves, eight times at once.
//!
//! Each pair of a unique position of the reference and one of the tested playback is compared once and counted as often
//! as vertices share it ([`LinearPart`]). The lanes of a vector are eight times of the clip, so that no lane waits for
//! another and nothing is gathered ([`LanePose`]). Results of a time do not depend on the other seven.

mod kernel;
mod lane_pose;
mod part;
mod reach;

pub(super) use kernel::{Comparison, LaneErrors, LaneSinks};
pub(super) use lane_pose::{LanePose, Slots};
pub(super) use part::{LinearPart, MeshSide};
pub(super) use reach::{FindExceeding, FindReaching, NodeErrors, PartReach};
