//! A first look in less than three minutes: the built-in humanoid, six techniques, one frame rate.

use throng_import::PositionSharing;

use super::character::{self, default_techniques};
use crate::experiment::Experiment;
use crate::subject::SubjectSpec;

/// One character.
pub fn experiments() -> Vec<Experiment> {
    let subject = SubjectSpec::builtin("humanoid", PositionSharing::Shared, &["walk", "run"]);
    vec![character::experiment(subject, default_techniques())]
}
