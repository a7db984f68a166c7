//! Clips added to the set in the output path, without baking the others again.

use std::path::Path;

use serde::Serialize;
use throng_bake::accuracy::BakeReport;
use throng_bake::append::{Append, AppendRefusal, ClipCounts, Existing, append};
use throng_bake::{BakeSettings, Rate};
use throng_format::{Encoding, Manifest, Source, Storage, TextureSet, disk};
use throng_rig::Character;

use super::job::{BakeJob, Plan};
use crate::command::digest::bytes_digest;
use crate::command::progress::Bar;
use crate::text::{counted, print_note};

/// A set that clips were added to.
pub struct AppendedSet {
    pub set: TextureSet,
    /// `None` where the existing set has no report.
    pub report: Option<BakeReport>,
    pub changes: ClipChanges,
}

/// Numbers of clips of a set that clips were added to.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ClipChanges {
    #[serde(rename = "clips_added")]
    added: usize,
    #[serde(rename = "clips_changed")]
    changed: usize,
    #[serde(rename = "clips_removed")]
    removed: usize,
    #[serde(rename = "clips_kept")]
    kept: usize,
}

impl From<ClipCounts> for ClipChanges {
    fn from(counts: ClipCounts) -> Self {
        let ClipCounts {
            kept,
            added,
            changed,
            removed,
        } = counts;
        Self {
            added,
            changed,
            removed,
            kept,
        }
    }
}

impl ClipChanges {
    /// Returns a line such as `3 clips added, 41 kept`.
    pub fn line(&self) -> String {
        let mut line = format!("{} added", counted(self.added, "clip", "clips"));
        for (count, what) in [(self.changed, "changed"), (self.removed, "removed")] {
            if count > 0 {
                line += &format!(", {count} {what}");
            }
        }
        line + &format!(", {} kept", self.kept)
    }
}

/// Adds clips to the set in the output path, where it was baked from the same character with the same settings. `None` where
/// all clips must be baked.
pub fn append_clips(
    job: &BakeJob,
    character: &Character,
    plan: &Plan,
    source: &Source,
) -> Option<AppendedSet> {
    let settings = curve_settings(plan).filter(|_| !job.force)?;
    let existing = disk::read(&job.output).ok()?;
    existing.manifest().base_digest.as_ref()?;
    let report = read_report(&job.output, existing.manifest());
    let request = Existing {
        set: &existing,
        report: report.as_ref(),
    };
    let bar = Bar::new(&format!("adding clips to {}", job.output.display()));
    let key = job.base_key();
    // A bake of all clips reports errors of the source.
    let result = append(request, character, &settings, &key, source, &bar).ok()?;
    drop(bar);
    match result {
        Append::Appended(appended) => Some(AppendedSet {
            set: appended.set,
            report: appended.report,
            changes: appended.counts.into(),
        }),
        Append::Refused(refusal) => {
            if matches!(
                refusal,
                AppendRefusal::Table(_) | AppendRefusal::Error { .. }
            ) {
                print_note(format!(
                    "{}: {refusal}: all clips are baked again",
                    job.output.display()
                ));
            }
            None
        }
    }
}

/// Returns the settings of joint curves that a plan bakes, or that its search has chosen for the existing set. `None` for
/// other encodings, and for a number of bytes, which new clips may exceed.
fn curve_settings(plan: &Plan) -> Option<BakeSettings> {
    match plan {
        Plan::Bake(settings) => {
            let is_compressed = settings.storage == Storage::Compressed;
            let is_local = settings.encoding == Encoding::BoneLocal && settings.preset.is_none();
            (is_local && is_compressed).then(|| settings.clone())
        }
        Plan::Search {
            base,
            space,
            max_gpu_bytes: None,
        } => Some(BakeSettings {
            encoding: Encoding::BoneLocal,
            storage: Storage::Compressed,
            rate: space.rate.unwrap_or(Rate::Native),
            ..base.clone()
        }),
        Plan::Search { .. } => None,
    }
}

/// Reads the report of a set in a folder; `None` where it is not the one that was written with the set.
fn read_report(set: &Path, manifest: &Manifest) -> Option<BakeReport> {
    let bytes = std::fs::read(set.join(disk::REPORT)).ok()?;
    let mut files = manifest.files.iter();
    let entry = files.find(|file| file.name == disk::REPORT)?;
    if bytes_digest(&bytes) != entry.digest {
        return None;
    }
    let mut report: BakeReport = serde_json::from_slice(&bytes).ok()?;
    // Numbers are rounded, also up. None exceeds the largest error, which the manifest has with all digits.
    let most = manifest.max_error_of_size?;
    let most_mm = 1e3 * most * report.error.size_m;
    for clip in &mut report.error.clips {
        let errors = &mut clip.errors.overall;
        errors.max_error_of_size = errors.max_error_of_size.min(most);
        errors.max_error_mm = errors.max_error_mm.min(most_mm);
    }
    Some(report)
}
