//! One set: brought in, baked or searched for, measured, written.

use std::path::{Path, PathBuf};

use throng_bake::accuracy::{BakeReport, SetPlayback, heat_map, verify};
use throng_bake::search::{Candidate, search};
use throng_bake::text::{bytes, percent};
use throng_bake::{BakeError, bake};
use throng_format::atomic::write_file;
use throng_format::file::{FileFormat, Supercompression};
use throng_format::{Source, TextureSet, disk};
use throng_import::{ImportOptions, PositionSharing, builtin, import};
use throng_rig::Character;
use throng_skin::rest_size;

use super::inputs::{Job, is_glb, make_folder};
use super::report::Baked;
use super::settings::{Way, way};
use crate::cli::{BakeArgs, SetFormat};
use crate::command::digest::{source_digest, text_digest};
use crate::command::heat::heat_glb;
use crate::command::progress::Bar;
use crate::command::{CommandError, tell_all};
use crate::export::ExportError;

/// What came of an input.
pub enum Outcome {
    /// A set was written.
    Baked(Box<Baked>),
    /// The set that is there would come out the same.
    Unchanged(PathBuf),
}

/// The name of the heat map in a set's folder.
const HEAT: &str = "heat.glb";

/// Bakes one input.
pub fn bake_one(args: &BakeArgs, job: &Job) -> Result<Outcome, CommandError> {
    let format = set_format(args, job)?;
    refuse_own_source(job)?;
    let source = manifest_source(args, job, format)?;
    if job.is_resumed && is_unchanged(&job.output, &source) {
        return Ok(Outcome::Unchanged(job.output.clone()));
    }
    // Errors are told against all that the source has; a bake may keep less of it.
    let options = args.import.options();
    let truth_options = ImportOptions {
        max_influences: None,
        min_weight: 0.0,
        ..options
    };
    let imported = import(&job.source, &options)?;
    tell_all(&imported.warnings);
    let character = imported.character;
    let truth = if options == truth_options {
        None
    } else {
        Some(import(&job.source, &truth_options)?.character)
    };
    let truth = truth.as_ref().unwrap_or(&character);
    let fault = |error: BakeError| CommandError::Bake {
        source_name: job.source.clone(),
        error,
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    let set = match way(args, format, &character, rest_size(truth))? {
        Way::Bake(settings) => {
            let bar = Bar::new(&format!("baking {}", character.name));
            bake(&character, &settings, &source, &bar)
                .map_err(fault)?
                .set
        }
        Way::Search { base, space, goal } => {
            let bar = Bar::new(&format!("searching {}", character.name));
            let found = search(&character, &base, &space, goal, source, &bar);
            let found = found.map_err(|error| CommandError::Search {
                source_name: job.source.clone(),
                error,
            })?;
            candidates = found.candidates;
            found.set
        }
    };
    let baked = measure_and_write(args, job, format, &set, truth, candidates)?;
    Ok(Outcome::Baked(Box::new(baked)))
}

fn measure_and_write(
    args: &BakeArgs,
    job: &Job,
    format: SetFormat,
    set: &TextureSet,
    truth: &Character,
    candidates: Vec<Candidate>,
) -> Result<Baked, CommandError> {
    let bar = Bar::new(&format!("measuring {}", truth.name));
    let (mut report, heat) = if args.heat {
        let played = SetPlayback::new(set);
        let (report, heat) = heat_map(set, &played, truth, &bar)?;
        (report, Some(heat_glb(set.model(), &heat)?))
    } else {
        (verify(set, truth, &bar)?, None)
    };
    drop(bar);
    check_limit(args, job, &report)?;
    if let Some(parent) = job
        .output
        .parent()
        .filter(|p| job.is_resumed && !p.as_os_str().is_empty())
    {
        make_folder(parent)?;
    }
    match format {
        SetFormat::Glb => {
            report.disk_bytes = Some(disk::write_glb(set, &job.output)?);
            if let Some(heat) = &heat {
                write_file(&job.output.with_extension(HEAT), heat)?;
            }
        }
        SetFormat::Folder(format) => {
            let supercompression = if args.zstd {
                Supercompression::Zstd
            } else {
                Supercompression::None
            };
            let mut with_bytes = report.clone();
            let bytes = disk::write_folder(set, &job.output, format, supercompression, |bytes| {
                with_bytes.disk_bytes = Some(bytes);
                let report = (disk::REPORT.to_owned(), report_json(&with_bytes));
                let heat = heat.map(|bytes| (HEAT.to_owned(), bytes));
                [report].into_iter().chain(heat).collect()
            })?;
            report.disk_bytes = Some(bytes);
        }
    }
    Ok(Baked {
        output: job.output.clone(),
        report,
        candidates,
    })
}

/// Curves are packed for an error that they may not reach, and then nothing is written.
fn check_limit(args: &BakeArgs, job: &Job, report: &BakeReport) -> Result<(), CommandError> {
    let Some(limit) = args.max_error else {
        return Ok(());
    };
    let limit = limit.of_size(report.error.size_m);
    let off = report.error.errors.overall.max_error_of_size;
    if off <= limit {
        return Ok(());
    }
    Err(CommandError::Limit(format!(
        "{}: nothing is within {} % of size: the nearest is {} {}, {} and {} % of size off; allow a larger \
         error, or more encodings and rates",
        job.source,
        percent(limit),
        report.encoding,
        report.storage,
        bytes(report.gpu_bytes),
        percent(off),
    )))
}

fn report_json(report: &BakeReport) -> Vec<u8> {
    serde_json::to_vec_pretty(report).expect("a report is plain data")
}

/// By `--format`, or by the name of the output.
fn set_format(args: &BakeArgs, job: &Job) -> Result<SetFormat, CommandError> {
    let named_glb = is_glb(&job.output);
    let format = match args.format {
        None if named_glb => SetFormat::Glb,
        None => SetFormat::Folder(FileFormat::Ktx2),
        Some(SetFormat::Folder(format)) if named_glb => {
            return Err(CommandError::Usage(format!(
                "{} is one file, --format {format} makes a folder: name a folder, or use --format glb",
                job.output.display()
            )));
        }
        Some(format) => format,
    };
    if args.zstd && format != SetFormat::Folder(FileFormat::Ktx2) {
        return Err(CommandError::Usage(
            "--zstd compresses ktx2 files alone: leave it out, or use --format ktx2".into(),
        ));
    }
    Ok(format)
}

/// A set that took its source's place could not be baked again.
fn refuse_own_source(job: &Job) -> Result<(), CommandError> {
    let same = match (
        job.output.canonicalize(),
        Path::new(&job.source).canonicalize(),
    ) {
        (Ok(output), Ok(source)) => output == source,
        _ => false,
    };
    if same {
        return Err(CommandError::Usage(format!(
            "{} would be overwritten by its own set: choose another output",
            job.source
        )));
    }
    Ok(())
}

/// What the manifest says of where the set comes from.
fn manifest_source(args: &BakeArgs, job: &Job, format: SetFormat) -> Result<Source, CommandError> {
    let digest = source_digest(&job.source).map_err(|error| {
        CommandError::Limit(format!(
            "{} cannot be read: {error}: check the path",
            job.source
        ))
    })?;
    let options = args.import.options();
    // Everything that was typed but where it goes decides what comes out.
    let asked = format!(
        "{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {} {:?} {:?} {:?}",
        env!("CARGO_PKG_VERSION"),
        args.encoding,
        args.storage,
        args.method,
        args.rate,
        args.clips,
        args.looping,
        args.interpolate,
        args.max_error,
        args.max_bytes,
        args.preset,
        args.format,
        args.boxes,
        args.zstd,
        args.pow2,
        args.max_side,
        args.metadata,
        args.heat,
        options,
    );
    Ok(Source {
        path: source_path(&job.source, &job.output, format),
        digest,
        settings: text_digest(&asked),
        max_influences: options.max_influences,
        min_weight: options.min_weight,
        shared_positions: options.positions == PositionSharing::Shared,
    })
}

/// A built-in's name, or the way from the set's folder to the file.
fn source_path(source: &str, output: &Path, format: SetFormat) -> String {
    if source.starts_with(builtin::PREFIX) {
        return source.to_owned();
    }
    let file = std::path::absolute(source).unwrap_or_else(|_| source.into());
    let set = std::path::absolute(output).unwrap_or_else(|_| output.into());
    // A set in one file stands beside others; a folder is stood in.
    let folder = if format == SetFormat::Glb {
        set.parent().unwrap_or(&set).to_owned()
    } else {
        set
    };
    let mut there = file.components().peekable();
    let mut here = folder.components().peekable();
    while there.peek().is_some() && there.peek() == here.peek() {
        there.next();
        here.next();
    }
    let mut way = PathBuf::new();
    way.extend(here.map(|_| ".."));
    way.extend(there);
    way.display().to_string()
}

/// True where a sound set is there that came of the same.
fn is_unchanged(output: &Path, source: &Source) -> bool {
    disk::read(output).is_ok_and(|set| {
        let there = &set.manifest().source;
        there.digest == source.digest && there.settings == source.settings
    })
}

impl From<throng_format::atomic::AtomicError> for CommandError {
    fn from(error: throng_format::atomic::AtomicError) -> Self {
        Self::Export(ExportError::from(error))
    }
}
