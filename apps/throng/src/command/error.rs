//! Errors of commands.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use throng_bake::BakeError;
use throng_bake::accuracy::VerifyError;
use throng_bake::search::SearchError;
use throng_bake::share::ShareError;
use throng_bench::BenchError;
use throng_export::ExportError;
use throng_format::disk::DiskError;
use throng_import::{ErrorKind, ImportError};
use throng_shaders::ConstantsError;
use throng_shaders::translate::TranslateError;
use throng_studio::StudioError;
use throng_wgpu::GpuError;

use crate::interrupt::INTERRUPTED;

/// An error that ends a command.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The character could not be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Standard output could not be written to.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// A folder could not be created.
    #[error("{}: {error}: choose another output folder", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// An input could not be read.
    #[error("{0}")]
    Unreadable(String),
    /// The source could not be baked.
    #[error("{source_name}: {error}")]
    Bake {
        /// The source.
        source_name: String,
        /// The reason.
        error: BakeError,
    },
    /// No set meets the budget.
    #[error("{source_name}: {error}")]
    Search {
        /// The source.
        source_name: String,
        /// The reason, with the nearest candidate.
        error: SearchError,
    },
    /// Characters cannot share a motion set.
    #[error("{source_names}: {error}")]
    Share {
        /// The sources.
        source_names: String,
        /// The reason.
        error: Box<ShareError>,
    },
    /// A set could not be read.
    #[error(transparent)]
    ReadSet(#[from] DiskError),
    /// A set could not be written.
    #[error(transparent)]
    WriteSet(DiskError),
    /// The GPU failed, or cannot draw it.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// An image could not be drawn.
    #[error(transparent)]
    Studio(#[from] StudioError),
    /// An image could not be encoded.
    #[error("{}: {reason}", path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The set and the source do not match.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The source of the set has changed.
    #[error("{0}: name the source with --against FILE")]
    NoSource(String),
    /// No shader can draw the set.
    #[error("{}: {error}", path.display())]
    Undrawable {
        /// The set.
        path: PathBuf,
        /// The reason.
        error: GpuError,
    },
    /// The metadata of the set cannot be compiled into a shader.
    #[error("{}: {error}", path.display())]
    Constants {
        /// The set.
        path: PathBuf,
        /// The reason.
        error: ConstantsError,
    },
    /// The shader cannot be translated.
    #[error(transparent)]
    Translate(#[from] TranslateError),
    /// The work failed, or a limit was not met.
    #[error("{0}")]
    Failed(String),
    /// Some of several inputs failed; their errors are printed already.
    #[error("{failed} of {total} inputs could not be baked")]
    SomeFailed {
        /// Number that failed.
        failed: usize,
        /// Number of all inputs.
        total: usize,
    },
    /// The benchmark failed.
    #[error(transparent)]
    Bench(Box<BenchError>),
    /// The user interrupted the work; what was done is written.
    #[error("interrupted")]
    Interrupted,
    /// The arguments do not fit the character or each other.
    #[error("{0}")]
    Usage(String),
}

impl CommandError {
    /// Returns 2 for wrong usage, 3 for an input that cannot be read, 130 after an interruption, 1 for work that failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::NoSource(_)
            | Self::Verify(_)
            | Self::Export(ExportError::UnknownExtension { .. }) => 2,
            Self::Import(error) if error.kind == ErrorKind::UnknownSource => 2,
            Self::Import(_) | Self::Unreadable(_) | Self::ReadSet(_) => 3,
            Self::Export(_)
            | Self::Output(_)
            | Self::Folder { .. }
            | Self::Bake { .. }
            | Self::Search { .. }
            | Self::Share { .. }
            | Self::WriteSet(_)
            | Self::Undrawable { .. }
            | Self::Constants { .. }
            | Self::Gpu(_)
            | Self::Studio(_)
            | Self::Translate(_)
            | Self::Picture { .. }
            | Self::Failed(_)
            | Self::Bench(_)
            | Self::SomeFailed { .. } => 1,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

impl From<BenchError> for CommandError {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Import(error) => Self::Import(*error),
            BenchError::Gpu(error) => Self::Gpu(error),
            error @ BenchError::Subject { .. } => Self::Usage(error.to_string()),
            error => Self::Bench(Box::new(error)),
        }
    }
}

impl From<serde_json::Error> for CommandError {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
