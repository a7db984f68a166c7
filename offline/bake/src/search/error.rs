//! Why a search finds nothing.

use thiserror::Error;

use super::{Goal, Seen};
use crate::BakeError;
use crate::text::{bytes, percent};

/// Why a search finds nothing.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SearchError {
    /// The character or the settings cannot be baked at all.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// A paper's layout leaves nothing to search.
    #[error("{preset} fixes encoding and precision: search without a preset")]
    Preset {
        /// The preset.
        preset: &'static str,
    },
    /// No influence is to be kept.
    #[error("0 influences a vertex move nothing: keep at least 1")]
    NoInfluences,
    /// An error that is no length.
    #[error("an error of {of_size} of the size cannot be met: choose a number above 0")]
    BadError {
        /// What was asked for.
        of_size: f64,
    },
    /// No encoding has the precision.
    #[error("{encodings} cannot be {precision}: choose another precision, or auto")]
    Empty {
        /// Those that are allowed.
        encodings: String,
        /// The one that is fixed.
        precision: String,
    },
    /// Everything was refused.
    #[error("every candidate is refused; {encoding}: {reason}")]
    AllRefused {
        /// The first of them.
        encoding: String,
        /// Why it is.
        reason: String,
    },
    /// What was seen does not meet the goal.
    #[error("{goal}: the nearest is {nearest}; {remedy}")]
    NotMet {
        /// What was asked for.
        goal: String,
        /// What came nearest.
        nearest: String,
        /// What to change.
        remedy: &'static str,
        /// Everything that was looked at.
        seen: Vec<Seen>,
    },
}

impl SearchError {
    /// Says what came nearest to a goal that nothing met.
    pub(super) fn nothing(goal: Goal, seen: Vec<Seen>) -> Self {
        let held = seen.iter().filter(|seen| seen.refused.is_none());
        let nearest = match goal {
            Goal::MaxError { .. } => held.min_by(|a, b| {
                let by_error = a.max_error_of_size.total_cmp(&b.max_error_of_size);
                // Of equals, one that was measured: what a probe says is less than the truth.
                by_error.then(b.exact.cmp(&a.exact))
            }),
            Goal::MaxBytes { .. } => held.min_by_key(|seen| seen.gpu_bytes),
        };
        let Some(nearest) = nearest else {
            let first = seen.iter().find_map(|seen| {
                let reason = seen.refused.clone()?;
                Some((seen.encoding.to_string(), reason))
            });
            let (encoding, reason) = first.unwrap_or_default();
            return Self::AllRefused { encoding, reason };
        };
        let nearest = format!(
            "{} {} at {:.4} Hz, {} and {}{} % of size off",
            nearest.encoding,
            nearest.precision,
            nearest.rate_hz,
            bytes(nearest.gpu_bytes),
            if nearest.exact { "" } else { "at least " },
            percent(nearest.max_error_of_size),
        );
        let (goal, remedy) = match goal {
            Goal::MaxError { of_size } => (
                format!("nothing is within {} % of size", percent(of_size)),
                "allow a larger error, or more encodings, rates and influences",
            ),
            Goal::MaxBytes { gpu_bytes } => (
                format!("nothing fits {}", bytes(gpu_bytes)),
                "allow more bytes, bake fewer clips, or allow more encodings and rates",
            ),
        };
        Self::NotMet {
            goal,
            nearest,
            remedy,
            seen,
        }
    }
}
