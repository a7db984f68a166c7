//! Results of bakes, as text and JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use throng_bake::BakeError;
use throng_bake::accuracy::BakeReport;
use throng_bake::search::{Candidate, SearchError, frontier_table};
use throng_format::disk;

use super::append::ClipChanges;
use super::job::BakeJob;
use super::one::Outcome;
use super::target::TargetChoice;
use crate::command::CommandError;

/// A set that was written.
#[derive(Debug, Serialize)]
pub struct BakedSet {
    /// Folder or file of the set.
    #[serde(serialize_with = "as_text")]
    pub output: PathBuf,
    #[serde(flatten)]
    pub report: BakeReport,
    /// Candidates that a search evaluated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// Files and limits that `--target` chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetChoice>,
    /// Numbers of clips, where clips were added to an existing set.
    #[serde(flatten)]
    pub changes: Option<ClipChanges>,
    /// Paths that `--prune` removed beside this set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<String>,
}

/// Serialises a path as text, also one that is not valid Unicode.
pub(super) fn as_text<S: Serializer>(path: &Path, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&path.display())
}

impl BakedSet {
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
                "\nPareto frontier of the candidates\n{}",
                frontier_table(&self.candidates, size)
            )?;
        }
        if let Some(changes) = &self.changes {
            writeln!(out, "\n{}", changes.line())?;
        }
        if let Some(target) = &self.target {
            writeln!(
                out,
                "\n{} {} {}",
                self.report.encoding,
                self.report.storage,
                target.line()
            )?;
        }
        Ok(writeln!(out, "\nwrote {}", self.output.display())?)
    }
}

/// Prints the report of a set that is up to date, as far as it is on disk, as that of a bake.
pub fn write_unchanged_json(
    set: &Path,
    pruned: &[String],
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let report = std::fs::read(set.join(disk::REPORT)).ok();
    let report = report.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut json: serde_json::Map<String, serde_json::Value> = report.unwrap_or_default();
    json.insert("output".into(), set.display().to_string().into());
    json.insert("unchanged".into(), true.into());
    if !pruned.is_empty() {
        json.insert("pruned".into(), pruned.into());
    }
    serde_json::to_writer_pretty(&mut *out, &json)?;
    Ok(writeln!(out)?)
}

/// An input without a set.
#[derive(Debug, Serialize)]
pub struct Failure {
    source: String,
    reason: String,
}

impl Failure {
    pub fn new(job: &BakeJob, error: &CommandError) -> Self {
        Self {
            source: job.source.clone(),
            reason: error.to_string(),
        }
    }
}

/// Results of several inputs.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    pub sets: Vec<BakedSet>,
    pub unchanged: Vec<String>,
    pub skipped: Vec<Failure>,
    pub failed: Vec<Failure>,
    /// Paths that `--prune` removed; `None` without `--prune`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<Vec<String>>,
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

/// Returns whether the file is valid but has nothing to bake.
pub fn has_nothing_to_bake(error: &CommandError) -> bool {
    let is_empty = |error: &BakeError| {
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
        } => is_empty(error),
        _ => false,
    }
}

/// Writes one line per input.
pub fn write_line(
    job: &BakeJob,
    result: &Result<Outcome, CommandError>,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let summary = match result {
        Ok(Outcome::Baked(baked)) => {
            let report = &baked.report;
            let changes = baked.changes.map(|changes| format!(", {}", changes.line()));
            let target = baked.target.map(|target| format!(", {}", target.line()));
            format!(
                "{} {}, {} GPU bytes, {:.2} bytes per joint per 1/30 s, error {:.4} % of size{}{}",
                report.encoding,
                report.storage,
                report.gpu_bytes,
                report.bytes_per_joint_frame,
                report.error.errors.overall.max_error_of_size * 100.0,
                changes.unwrap_or_default(),
                target.unwrap_or_default(),
            )
        }
        Ok(Outcome::Unchanged(_)) => "unchanged".into(),
        Err(error) if has_nothing_to_bake(error) => "no motion, skipped".into(),
        Err(_) => "failed".into(),
    };
    Ok(writeln!(out, "{}: {summary}", job.source)?)
}
