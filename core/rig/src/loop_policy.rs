//! Clip behaviour at the end.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Behaviour of a clip at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopPolicy {
    /// Continues from the start; the last frame equals the first.
    Wrap,
    /// Holds the last frame.
    Once,
}

/// An unknown [`LoopPolicy`] name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown loop policy '{0}'; expected wrap or once")]
pub struct ParseLoopPolicyError(String);

impl LoopPolicy {
    /// All policies.
    pub const ALL: &'static [Self] = &[Self::Wrap, Self::Once];

    /// Name in manifests and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wrap => "wrap",
            Self::Once => "once",
        }
    }
}

impl fmt::Display for LoopPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LoopPolicy {
    type Err = ParseLoopPolicyError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|policy| policy.name() == name);
        found
            .copied()
            .ok_or_else(|| ParseLoopPolicyError(name.to_owned()))
    }
}
