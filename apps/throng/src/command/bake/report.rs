//! What bakes came to.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use throng_bake::BakeError;
use throng_bake::accuracy::BakeReport;
use throng_bake::search::{Candidate, SearchError, frontier_table};

use super::inputs::Job;
use super::one::Outcome;
use crate::command::CommandError;

/// A set that was written.
#[derive(Debug, Serialize)]
pub struct Baked {
    /// Its folder or file.
    pub output: PathBuf,
    #[serde(flatten)]
    pub report: BakeReport,
    /// Candidates that the search evaluated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
}

impl Baked {
    pub fn write_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        Ok(writeln!(out)?)
    }

    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        write!(out, "{}", self.report.table())?;
        if !self.candidates.is_empty() {
            let size = self.report.error.size_m;
            write!(
                out,
                "\nFrontier of evaluated candidates\n{}",
                frontier_table(&self.candidates, size)
            )?;
        }
        Ok(writeln!(out, "\nwrote {}", self.output.display())?)
    }
}

/// An input that gave no set.
#[derive(Debug, Serialize)]
pub struct Failure {
    source: String,
    reason: String,
}

impl Failure {
    pub fn new(job: &Job, error: &CommandError) -> Self {
        Self {
            source: job.source.clone(),
            reason: error.to_string(),
        }
    }
}

/// What several inputs came to.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    pub sets: Vec<Baked>,
    pub unchanged: Vec<PathBuf>,
    pub skipped: Vec<Failure>,
    pub failed: Vec<Failure>,
}

impl Summary {
    pub fn write_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        Ok(writeln!(out)?)
    }

    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        let (sets, unchanged) = (self.sets.len(), self.unchanged.len());
        let (skipped, failed) = (self.skipped.len(), self.failed.len());
        Ok(writeln!(
            out,
            "\n{sets} baked, {unchanged} unchanged, {skipped} without motion, {failed} failed"
        )?)
    }
}

/// True of a file that is sound but has nothing that could be baked.
pub fn has_nothing_to_bake(error: &CommandError) -> bool {
    let nothing = |error: &BakeError| {
        matches!(
            error,
            BakeError::NoClips { .. } | BakeError::NoVertices { .. }
        )
    };
    match error {
        CommandError::Bake { error, .. }
        | CommandError::Search {
            error: SearchError::Bake(error),
            ..
        } => nothing(error),
        _ => false,
    }
}

/// One line an input.
pub fn write_line(
    job: &Job,
    result: &Result<Outcome, CommandError>,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let what = match result {
        Ok(Outcome::Baked(baked)) => {
            let report = &baked.report;
            format!(
                "{} {}, {} bytes on the GPU, {:.2} a joint a frame, off by {:.4} % of size",
                report.encoding,
                report.storage,
                report.gpu_bytes,
                report.bytes_per_joint_frame,
                report.error.errors.overall.max_error_of_size * 100.0,
            )
        }
        Ok(Outcome::Unchanged(_)) => "unchanged".into(),
        Err(error) if has_nothing_to_bake(error) => "nothing moves: skipped".into(),
        Err(_) => "failed".into(),
    };
    Ok(writeln!(out, "{}: {what}", job.source)?)
}
