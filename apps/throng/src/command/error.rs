//! Why a command stopped.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use throng_bake::BakeError;
use throng_bake::accuracy::VerifyError;
use throng_bake::search::SearchError;
use throng_format::disk::DiskError;
use throng_import::{ErrorKind, ImportError};
use throng_shaders::ConstantsError;
use throng_shaders::translate::TranslateError;
use throng_studio::StudioError;
use throng_wgpu::GpuError;

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
    /// A folder could not be looked into or made.
    #[error("{}: {error}: {remedy}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
        /// What may help.
        remedy: &'static str,
    },
    /// A set could not be baked.
    #[error("{source_name}: {error}")]
    Bake {
        /// What was to be baked.
        source_name: String,
        /// Why not.
        error: BakeError,
    },
    /// No set meets the budget.
    #[error("{source_name}: {error}")]
    Search {
        /// What was to be baked.
        source_name: String,
        /// What came nearest.
        error: SearchError,
    },
    /// A set could not be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Something could not be drawn.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A picture could not be drawn.
    #[error(transparent)]
    Studio(#[from] StudioError),
    /// A picture could not be encoded.
    #[error("{}: {reason}", path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A set cannot be compared with what was named.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The set's source is not there, or is not what it was.
    #[error("{0}: name what to compare with by --against FILE")]
    NoSource(String),
    /// No shader draws the set.
    #[error("{}: {error}", path.display())]
    Undrawable {
        /// The set.
        path: PathBuf,
        /// Why not.
        error: GpuError,
    },
    /// The set's metadata cannot be compiled in.
    #[error("{}: {error}", path.display())]
    Constants {
        /// The set.
        path: PathBuf,
        /// Why not.
        error: ConstantsError,
    },
    /// The shader cannot be had in the language.
    #[error(transparent)]
    Translate(#[from] TranslateError),
    /// A limit that was asked for was not met.
    #[error("{0}")]
    Limit(String),
    /// Some of several inputs failed; each was told.
    #[error("{failed} of {total} could not be baked")]
    Some {
        /// How many.
        failed: usize,
        /// Of how many.
        total: usize,
    },
    /// What was asked for does not fit the character.
    #[error("{0}")]
    Usage(String),
}

impl CommandError {
    /// 2 for wrong usage, 1 for work that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::NoSource(_)
            | Self::Verify(_)
            | Self::Export(ExportError::UnknownExtension { .. }) => 2,
            Self::Import(error) if error.kind == ErrorKind::UnknownSource => 2,
            Self::Import(_)
            | Self::Export(_)
            | Self::Output(_)
            | Self::Folder { .. }
            | Self::Bake { .. }
            | Self::Search { .. }
            | Self::Disk(_)
            | Self::Undrawable { .. }
            | Self::Constants { .. }
            | Self::Gpu(_)
            | Self::Studio(_)
            | Self::Translate(_)
            | Self::Picture { .. }
            | Self::Limit(_)
            | Self::Some { .. } => 1,
        }
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
