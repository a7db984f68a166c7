//! Results of parties, as text and JSON.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};
use throng_bake::accuracy::BakeReport;
use throng_format::disk;

use super::party_job::PartyJob;
use super::report::{BakedSet, as_text};
use crate::command::CommandError;
use crate::text::{Align, Table, counted, grouped};

/// A party that was written.
#[derive(Debug, Serialize)]
pub struct BakedParty {
    /// Folder of the party, or the motion set.
    #[serde(serialize_with = "as_text")]
    output: PathBuf,
    /// Number of characters.
    character_count: usize,
    /// GPU bytes of all motion sets: textures that are on the GPU once, whatever the number of characters.
    shared_gpu_bytes: u64,
    /// Bytes on disk of all motion sets.
    shared_disk_bytes: u64,
    /// Bytes on disk of all characters: meshes and manifests.
    character_disk_bytes: u64,
    /// Motion sets, one per skeleton.
    motion_sets: Vec<BakedMotion>,
}

/// A motion set, and the sets that use it.
#[derive(Debug, Serialize)]
struct BakedMotion {
    #[serde(flatten)]
    motion: BakedSet,
    /// Sets of the characters. Their `gpu_bytes` are those of the motion set.
    characters: Vec<BakedSet>,
}

impl BakedParty {
    pub fn new(output: &Path) -> Self {
        Self {
            output: output.to_owned(),
            character_count: 0,
            shared_gpu_bytes: 0,
            shared_disk_bytes: 0,
            character_disk_bytes: 0,
            motion_sets: Vec::new(),
        }
    }

    /// Adds the sets of a group.
    pub fn add(&mut self, motion: BakedSet, characters: Vec<BakedSet>) {
        let disk_bytes = |set: &BakedSet| set.report.disk_bytes.unwrap_or(0);
        self.character_count += characters.len();
        self.shared_gpu_bytes += motion.report.gpu_bytes;
        self.shared_disk_bytes += disk_bytes(&motion);
        self.character_disk_bytes += characters.iter().map(disk_bytes).sum::<u64>();
        self.motion_sets.push(BakedMotion { motion, characters });
    }

    pub fn write_json(&self, out: &mut impl Write) -> Result<(), CommandError> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        Ok(writeln!(out)?)
    }

    /// Prints a table of all sets, the shared ones first.
    pub fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        for BakedMotion { motion, characters } in &self.motion_sets {
            let report = &motion.report;
            let clips = counted(report.error.clips.len(), "clip", "clips");
            let users = match characters.len() {
                0 => "no character".to_owned(),
                count => counted(count, "character", "characters"),
            };
            writeln!(
                out,
                "{}: {} {}, {clips}, {} joints, for {users}",
                motion.output.display(),
                report.encoding,
                report.storage,
                report.error.joints,
            )?;
        }
        let mut table = Table::new(&[
            ("SET", Align::Left),
            ("GPU bytes", Align::Right),
            ("DISK bytes", Align::Right),
            ("VERTICES", Align::Right),
            ("MAX ERROR mm", Align::Right),
            ("% OF SIZE", Align::Right),
        ]);
        for BakedMotion { motion, characters } in &self.motion_sets {
            row(
                &mut table,
                motion,
                grouped(motion.report.gpu_bytes as usize),
            );
            for character in characters {
                row(&mut table, character, "shared".into());
            }
        }
        write!(out, "\n{table}")?;
        let sum = |count: u64| grouped(count as usize);
        writeln!(
            out,
            "\nshared: {} GPU bytes, {} bytes on disk; {}: {} bytes on disk",
            sum(self.shared_gpu_bytes),
            sum(self.shared_disk_bytes),
            counted(self.character_count, "character", "characters"),
            sum(self.character_disk_bytes),
        )?;
        Ok(writeln!(out, "wrote {}", self.output.display())?)
    }
}

fn row(table: &mut Table, set: &BakedSet, gpu_bytes: String) {
    let BakeReport {
        disk_bytes, error, ..
    } = &set.report;
    let name = set.output.file_name().unwrap_or_default();
    table.row([
        name.display().to_string(),
        gpu_bytes,
        grouped(disk_bytes.unwrap_or(0) as usize),
        grouped(error.vertices),
        format!("{:.4}", error.errors.overall.max_error_mm),
        format!("{:.4}", error.errors.overall.max_error_of_size * 100.0),
    ]);
}

/// Prints the reports of a party that is up to date, as far as they are on disk.
pub fn write_unchanged_json(party: &PartyJob, out: &mut impl Write) -> Result<(), CommandError> {
    let set_json = |path: &Path| {
        let report = std::fs::read(path.join(disk::REPORT)).ok();
        let report = report.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut json: Map<String, Value> = report.unwrap_or_default();
        json.insert("output".into(), path.display().to_string().into());
        Value::Object(json)
    };
    let characters = match party.is_motion_only() {
        true => Vec::new(),
        false => party.jobs.iter().map(|job| set_json(&job.output)).collect(),
    };
    let json = serde_json::json!({
        "output": party.output().display().to_string(),
        "unchanged": true,
        "characters": characters,
    });
    serde_json::to_writer_pretty(&mut *out, &json)?;
    Ok(writeln!(out)?)
}
