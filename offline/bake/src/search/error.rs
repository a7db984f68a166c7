//! Errors of the budget search.

use thiserror::Error;

use super::{Candidate, Goal};
use crate::BakeError;
use crate::text::{bytes, percent, short};

/// Reason why a search has no result.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SearchError {
    /// The character or the settings cannot be baked at all.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// A preset leaves nothing to search.
    #[error("preset {preset} fixes encoding and precision; search without a preset")]
    Preset {
        /// Name of the preset.
        preset: &'static str,
    },
    /// The limit of influences is zero.
    #[error("invalid limit of 0 influences per vertex; expected at least 1")]
    NoInfluences,
    /// The maximum error is not a positive number.
    #[error(
        "invalid maximum error of {of_size} of the character's size; expected a number above 0"
    )]
    BadError {
        /// Requested error, as a part of the size.
        of_size: f64,
    },
    /// No allowed encoding supports the fixed layout or precision.
    #[error("{encodings} does not support {storage}: choose another layout, precision or encoding")]
    Empty {
        /// Allowed encodings.
        encodings: String,
        /// Fixed precision or layout.
        storage: &'static str,
    },
    /// Every candidate was refused.
    #[error("every candidate was refused; {encoding}: {reason}")]
    AllRefused {
        /// Encoding of the first candidate.
        encoding: String,
        /// Reason for which it was refused.
        reason: String,
    },
    /// No candidate meets the goal.
    #[error("{goal}; the nearest is {nearest}; {remedy}")]
    NotMet {
        /// The goal, as a sentence.
        goal: String,
        /// The candidate that came nearest.
        nearest: String,
        /// Advice.
        remedy: &'static str,
        /// Every evaluated candidate.
        candidates: Vec<Candidate>,
    },
}

impl SearchError {
    /// Returns the error of a goal that no candidate meets.
    pub(super) fn not_met(goal: Goal, candidates: Vec<Candidate>) -> Self {
        let accepted = candidates.iter().filter(|c| c.refused.is_none());
        let nearest = match goal {
            Goal::MaxError { .. } => accepted.min_by(|a, b| {
                let by_error = a.max_error_of_size.total_cmp(&b.max_error_of_size);
                // Of equals, a measured one: a probe's error is only a lower bound.
                by_error.then(b.exact.cmp(&a.exact))
            }),
            Goal::MaxBytes { .. } => accepted.min_by_key(|candidate| candidate.gpu_bytes),
        };
        let Some(nearest) = nearest else {
            let first = candidates.iter().find_map(|candidate| {
                let reason = candidate.refused.clone()?;
                Some((candidate.encoding.to_string(), reason))
            });
            let (encoding, reason) = first.unwrap_or_default();
            return Self::AllRefused { encoding, reason };
        };
        let nearest = format!(
            "{} {} at {} Hz: {} with an error of {}{} % of size",
            nearest.encoding,
            nearest.storage,
            short(nearest.rate_hz),
            bytes(nearest.gpu_bytes),
            if nearest.exact { "" } else { "at least " },
            percent(nearest.max_error_of_size),
        );
        let (goal, remedy) = match goal {
            Goal::MaxError { of_size } => (
                format!("no candidate is within {} % of size", percent(of_size)),
                "allow a larger error, or more encodings, rates and influences",
            ),
            Goal::MaxBytes { gpu_bytes } => (
                format!("no candidate fits into {}", bytes(gpu_bytes)),
                "allow more bytes, bake fewer clips, or allow more encodings and rates",
            ),
        };
        Self::NotMet {
            goal,
            nearest,
            remedy,
            candidates,
        }
    }
}
