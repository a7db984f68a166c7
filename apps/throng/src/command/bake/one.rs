//! One set: imported, baked or searched for, measured, written.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use throng_bake::accuracy::{BakeReport, SetPlayback, heat_map, verify};
use throng_bake::append::record_digests;
use throng_bake::bake;
use throng_bake::search::{Candidate, Goal, search};
use throng_bake::text::{bytes, percent};
use throng_export::ExportError;
use throng_format::atomic::write_file;
use throng_format::disk::SideFile;
use throng_format::{CacheSource, MotionSource, Source, TextureSet, disk};
use throng_import::{ImportOptions, PositionSharing, builtin, import_with_caches};
use throng_rig::Character;
use throng_skin::{prepare, prepare_source, rest_size};

use super::append::{AppendedSet, ClipChanges, append_clips};
use super::inputs::make_folder;
use super::job::{BakeJob, Plan, SetFiles};
use super::levels::with_levels;
use super::report::BakedSet;
use super::target::{TargetChoice, check_set};
use crate::command::caches::cache_digest;
use crate::command::digest::source_digest;
use crate::command::heat::heat_glb;
use crate::command::motion::with_clips_before;
use crate::command::progress::Bar;
use crate::command::{CommandError, print_warnings};
use crate::text::print_warning;

/// Result of a job.
pub enum Outcome {
    /// A set was written.
    Baked(Box<BakedSet>),
    /// The set in the output path is up to date.
    Unchanged(PathBuf),
}

/// File name of the heat map in the folder of a set.
const HEAT: &str = "heat.glb";

/// Bakes a set and writes it, with the folders above it, unless the existing set is up to date.
pub fn bake_if_changed(job: &BakeJob) -> Result<Outcome, CommandError> {
    refuse_own_source(job)?;
    let source = manifest_source(job)?;
    if !job.force && is_unchanged(&job.output, &source) {
        return Ok(Outcome::Unchanged(job.output.clone()));
    }
    check_output(job)?;
    let set = make_set(job, source)?;
    if let Some(parent) = job.output.parent()
        && !parent.as_os_str().is_empty()
    {
        make_folder(parent)?;
    }
    Ok(Outcome::Baked(Box::new(set.write(job)?)))
}

/// A set to write.
struct MeasuredSet {
    set: TextureSet,
    report: BakeReport,
    /// Candidates that a search evaluated.
    candidates: Vec<Candidate>,
    /// Heat map, as a GLB.
    heat: Option<Vec<u8>>,
    /// Numbers of clips, where clips were added to an existing set.
    changes: Option<ClipChanges>,
}

/// Imports the source, and bakes or searches for a set. Measures the set unless the bake has done so already.
fn make_set(job: &BakeJob, source: Source) -> Result<MeasuredSet, CommandError> {
    let imported = import_with_caches(&job.source, &job.import, &job.caches)?;
    print_warnings(&imported.warnings);
    let mut warnings = Vec::new();
    let clips = job.motion.clips_for(&imported.character, &mut warnings)?;
    let character = with_clips_before(imported.character, clips.clone())?;
    let character = job.with_pose(character, &mut warnings)?;
    let skinning = job.skinning()?;
    let chosen = job.clip_indices(&character)?;
    let character = prepare(character, skinning, &chosen);
    warnings.iter().for_each(print_warning);
    // The bake may keep fewer influences than the source has; errors are measured against all of them.
    let reference_options = ImportOptions {
        max_influences: None,
        min_weight: 0.0,
        ..job.import
    };
    let reference = if job.import == reference_options {
        None
    } else {
        let source = import_with_caches(&job.source, &reference_options, &job.caches)?.character;
        let source = with_clips_before(source, clips)?;
        // The same warnings as above.
        let source = job.with_pose(source, &mut Vec::new())?;
        Some(prepare_source(source, &character, skinning))
    };
    let size_m = rest_size(reference.as_ref().unwrap_or(&character));
    let mut candidates: Vec<Candidate> = Vec::new();
    let plan = job.plan_for(&character, size_m)?;
    let clips = plan.clips(&character);
    let appended = append_clips(job, &character, &plan, &source);
    let changes = appended.as_ref().map(|appended| appended.changes);
    // The report is that of `verify` against the character that was baked.
    let (mut set, report) = match (appended, plan) {
        (Some(AppendedSet { set, report, .. }), _) => (set, report),
        (None, Plan::Bake(settings)) => {
            let bar = Bar::new(&format!("baking {}", character.name));
            let baked = bake(&character, &settings, &source, &bar);
            let baked = baked.map_err(|error| CommandError::Bake {
                source_name: job.source.clone(),
                error,
            })?;
            for warning in &baked.warnings {
                print_warning(warning);
            }
            (baked.set, baked.report)
        }
        (
            None,
            Plan::Search {
                base,
                space,
                max_gpu_bytes,
            },
        ) => {
            let goal = match max_gpu_bytes {
                Some(gpu_bytes) => Goal::MaxBytes { gpu_bytes },
                None => Goal::MaxError {
                    of_size: base.max_error_of_size,
                },
            };
            let bar = Bar::new(&format!("searching {}", character.name));
            let found = search(&character, &base, &space, goal, source, &bar);
            let found = found.map_err(|error| CommandError::Search {
                source_name: job.source.clone(),
                error,
            })?;
            candidates = found.candidates;
            (found.set, Some(found.report))
        }
    };
    if changes.is_none() {
        record_digests(&mut set, &character, &job.base_key(), &clips);
    }
    // The report of the bake holds for the source too, unless the import dropped influences.
    let report = report.filter(|_| reference.is_none() && !job.heat_map);
    let source = reference.as_ref().unwrap_or(&character);
    let (mut report, heat) = match report {
        Some(report) => (report, None),
        None => measure(job, &set, source)?,
    };
    check_limit(job, &report)?;
    check_set(job, &set)?;
    let set = with_levels(job, set, &mut report, source)?;
    Ok(MeasuredSet {
        set,
        report,
        candidates,
        heat,
        changes,
    })
}

/// Measures a set, and makes its heat map if one is asked for.
fn measure(
    job: &BakeJob,
    set: &TextureSet,
    reference: &Character,
) -> Result<(BakeReport, Option<Vec<u8>>), CommandError> {
    let bar = Bar::new(&format!("measuring {}", reference.name));
    if !job.heat_map {
        return Ok((verify(set, reference, &bar)?, None));
    }
    let (report, heat) = heat_map(set, &SetPlayback::new(set), reference, &bar)?;
    Ok((report, Some(heat_glb(set.model(), &heat)?)))
}

impl MeasuredSet {
    /// Writes the set with its report and heat map.
    fn write(self, job: &BakeJob) -> Result<BakedSet, CommandError> {
        let Self {
            mut set,
            mut report,
            candidates,
            heat,
            changes,
        } = self;
        set.record_error(report.error.errors.overall.max_error_of_size);
        match job.files {
            SetFiles::Glb => {
                let bytes = disk::write_glb(&set, &job.output);
                report.disk_bytes = Some(bytes.map_err(CommandError::WriteSet)?);
                if let Some(heat) = &heat {
                    write_file(&job.output.with_extension(HEAT), heat)?;
                }
            }
            SetFiles::Folder {
                format,
                supercompression,
            } => {
                let report_file = |bytes| {
                    let mut report = report.clone();
                    report.disk_bytes = Some(bytes);
                    report_json(&report)
                };
                let heat_file = |_| heat.clone().unwrap_or_default();
                let mut side_files = vec![SideFile {
                    name: disk::REPORT,
                    contents: &report_file,
                }];
                if heat.is_some() {
                    side_files.push(SideFile {
                        name: HEAT,
                        contents: &heat_file,
                    });
                }
                let (output, files) = (&job.output, &side_files);
                let bytes = disk::write_folder(&set, output, format, supercompression, files);
                report.disk_bytes = Some(bytes.map_err(CommandError::WriteSet)?);
            }
        }
        Ok(BakedSet {
            output: job.output.clone(),
            report,
            candidates,
            target: TargetChoice::of(job),
            changes,
            pruned: Vec::new(),
        })
    }
}

/// Refuses a set that misses the error asked for: compressed curves may not reach it.
pub(super) fn check_limit(job: &BakeJob, report: &BakeReport) -> Result<(), CommandError> {
    let Some(limit) = job.max_error else {
        return Ok(());
    };
    let limit = limit.of_size(report.error.size_m);
    let error = report.error.errors.overall.max_error_of_size;
    if error <= limit {
        return Ok(());
    }
    Err(CommandError::Failed(format!(
        "{}: no set has an error within {} % of size: the nearest is {} {}, {} and {} % of size; allow a larger \
         error, or more encodings and rates",
        job.source,
        percent(limit),
        report.encoding,
        report.storage,
        bytes(report.gpu_bytes),
        percent(error),
    )))
}

pub(super) fn report_json(report: &BakeReport) -> Vec<u8> {
    let mut json = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut json, ShortNumbers);
    let result = report.serialize(&mut serializer);
    result.expect("a report is plain data");
    json
}

/// Compact JSON whose numbers have six significant digits.
struct ShortNumbers;

impl Formatter for ShortNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        let short = format!("{value:.5e}").parse();
        CompactFormatter.write_f64(out, short.unwrap_or(value))
    }
}

/// Refuses to overwrite the source, or to write around it: the set could not be baked again.
pub(super) fn refuse_own_source(job: &BakeJob) -> Result<(), CommandError> {
    let Ok(output) = job.output.canonicalize() else {
        return Ok(());
    };
    let caches = job.caches.iter().map(|cache| cache.path.as_path());
    for path in caches.chain([Path::new(&job.source)]) {
        let Ok(source) = path.canonicalize() else {
            continue;
        };
        let shown = path.display();
        if source == output {
            return Err(CommandError::Usage(format!(
                "{shown} would be overwritten by its own set: choose another output"
            )));
        }
        if source.starts_with(&output) {
            return Err(CommandError::Usage(format!(
                "{shown} is inside the folder of its own set, {}: choose another output, or move the source",
                job.output.display()
            )));
        }
    }
    Ok(())
}

/// Refuses, before any work, a folder that the set may not replace.
fn check_output(job: &BakeJob) -> Result<(), CommandError> {
    match job.files {
        SetFiles::Folder { .. } => {
            disk::check_replaceable(&job.output).map_err(CommandError::WriteSet)
        }
        SetFiles::Glb => Ok(()),
    }
}

/// Returns the source entry of the manifest.
pub(super) fn manifest_source(job: &BakeJob) -> Result<Source, CommandError> {
    let motion = job.motion.files.iter().map(|file| {
        Ok(MotionSource {
            path: source_path(file, &job.output, job.files),
            digest: source_digest(file)?,
        })
    });
    let caches = job.caches.iter().map(|cache| {
        let path = cache.path.display().to_string();
        Ok(CacheSource {
            path: source_path(&path, &job.output, job.files),
            digest: cache_digest(&cache.path)?,
            mesh: cache.mesh.clone(),
            frames_per_sec: cache.frames_per_sec,
        })
    });
    Ok(Source {
        path: source_path(&job.source, &job.output, job.files),
        digest: source_digest(&job.source)?,
        settings: job.key(),
        max_influences: job.import.max_influences,
        min_weight: job.import.min_weight,
        shared_positions: job.import.positions == PositionSharing::Shared,
        corner_vertices: job.import.positions == PositionSharing::Corners,
        pose: job.pose.clone(),
        motion: motion.collect::<Result<_, CommandError>>()?,
        lenders: Vec::new(),
        joint_pairs: job.motion.pairs.clone(),
        caches: caches.collect::<Result<_, CommandError>>()?,
    })
}

/// Returns the name of a built-in, or the path of a file relative to the folder of the set.
pub(super) fn source_path(source: &str, output: &Path, files: SetFiles) -> String {
    if source.starts_with(builtin::PREFIX) {
        return source.to_owned();
    }
    let file = std::path::absolute(source).unwrap_or_else(|_| source.into());
    let set = std::path::absolute(output).unwrap_or_else(|_| output.into());
    let folder = match files {
        SetFiles::Glb => set.parent().unwrap_or(&set).to_owned(),
        SetFiles::Folder { .. } => set,
    };
    let mut to = file.components().peekable();
    let mut from = folder.components().peekable();
    while to.peek().is_some() && to.peek() == from.peek() {
        to.next();
        from.next();
    }
    let mut path = PathBuf::new();
    path.extend(from.map(|_| ".."));
    path.extend(to);
    path.display().to_string()
}

/// Returns whether a valid set is in the output path that was baked from the same source by the same job.
fn is_unchanged(output: &Path, source: &Source) -> bool {
    disk::read(output).is_ok_and(|set| set.manifest().source == *source)
}

impl From<throng_format::atomic::AtomicError> for CommandError {
    fn from(error: throng_format::atomic::AtomicError) -> Self {
        Self::Export(ExportError::from(error))
    }
}
