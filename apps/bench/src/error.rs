//! Errors of the benchmark.

use std::path::PathBuf;

use thiserror::Error;
use throng_import::ImportError;
use throng_wgpu::GpuError;

/// Error of a run.
#[derive(Debug, Error)]
pub enum BenchError {
    /// No device, or an error of the device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The device does not allow as many instances.
    #[error("too many instances: {0}")]
    TooMany(String),
    /// The work of a contestant is fixed.
    #[error("the contestant processes {expected} instances per run, found {found}")]
    FixedWork {
        /// Instances per run.
        expected: u32,
        /// Instances that were asked for.
        found: u32,
    },
    /// A character cannot be read.
    #[error(transparent)]
    Import(Box<ImportError>),
    /// A character cannot be used.
    #[error("{source_name}: {reason}")]
    Subject {
        /// File or built-in character.
        source_name: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// A result cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// File or folder.
        path: PathBuf,
        /// The error.
        error: std::io::Error,
    },
}

impl From<ImportError> for BenchError {
    fn from(error: ImportError) -> Self {
        Self::Import(Box::new(error))
    }
}
