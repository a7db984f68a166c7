//! Why a command stopped.

use std::io;

use thiserror::Error;
use throng_import::{ErrorKind, ImportError};

use crate::export::ExportError;

/// Why a command stopped.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The character could not be brought in.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The result could not be written to a file.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Standard output did not take it.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// What was asked for does not fit the character.
    #[error("{0}")]
    Usage(String),
}

impl CommandError {
    /// 2 for wrong usage, 1 for work that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Export(ExportError::UnknownExtension { .. }) => 2,
            Self::Import(error) if error.kind == ErrorKind::Name => 2,
            Self::Import(_) | Self::Export(_) | Self::Output(_) => 1,
        }
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
