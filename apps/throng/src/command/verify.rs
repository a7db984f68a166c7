//! `throng verify`: measures the error of a set on disk against its source.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use throng_bake::accuracy::{
    BakeReport, DenseErrors, Playback, SetPlayback, heat_map, verify_densely, verify_played,
};
use throng_bake::drawing_order;
use throng_bake::lod::measure_levels;
use throng_bake::share::{ShareError, set_on_mesh, with_shell};
use throng_format::atomic::write_file;
use throng_format::disk::SetReader;
use throng_format::{Manifest, PixelError, TextureSet, disk};
use throng_rig::Character;
use throng_skin::{prepare, prepare_source};
use throng_wgpu::Gpu;

use super::digest::source_digest;
use super::gpu::GpuPlayback;
use super::heat::heat_glb;
use super::party::sets_of_party;
use super::progress::Bar;
use super::set_source::import_source;
use super::{CommandError, print_warnings};
use crate::cli::{Device, Limit, VerifyArgs};
use crate::text::{print_error, print_note};

/// Largest error of a dense check as a part of the reported maximum.
const DENSE_SLACK: f64 = 1.01;

/// Largest measured error of a level of detail as a part of the recorded one.
const LEVEL_SLACK: f64 = 1.01;

/// Difference between machines in the error of one set, as a fraction of the size.
const ROUNDING: f64 = 1e-9;

#[derive(Serialize)]
struct Verified<'a> {
    set: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_of_size: Option<f64>,
    within_limit: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    dense: Option<&'a DenseErrors>,
    #[serde(flatten)]
    report: &'a BakeReport,
}

/// Measures a set against its source and prints the report; or every set of a folder.
pub fn verify(args: &VerifyArgs, out: &mut impl Write) -> Result<(), CommandError> {
    match sets_of_party(&args.set)? {
        None => {
            let measured = measure_one(args, &args.set, &mut SetReader::default())?;
            match args.json {
                true => write_json(&measured.verified(), out)?,
                false => measured.write_text(out)?,
            }
            measured.judge(args)
        }
        Some(paths) => verify_party(args, &paths, out),
    }
}

/// Measures every set of a folder. One that fails does not stop the rest.
fn verify_party(
    args: &VerifyArgs,
    paths: &[PathBuf],
    out: &mut impl Write,
) -> Result<(), CommandError> {
    if args.against.is_some() || args.heat.is_some() {
        return Err(CommandError::Usage(format!(
            "--against and --heat are for one set, and {} is a folder of {}: name one of them",
            args.set.display(),
            paths.len()
        )));
    }
    let mut reader = SetReader::default();
    let mut measured = Vec::new();
    let mut failed = 0;
    for path in paths {
        let result = measure_one(args, path, &mut reader).and_then(|set| {
            let judged = set.judge(args);
            if !args.json {
                let overall = &set.report.error.errors.overall;
                writeln!(
                    out,
                    "{}: max error {:.4} mm, {:.4} % of size",
                    path.display(),
                    overall.max_error_mm,
                    overall.max_error_of_size * 100.0
                )?;
            }
            measured.push(set);
            judged
        });
        match result {
            Ok(()) => {}
            Err(error @ CommandError::Output(_)) => return Err(error),
            Err(error) => {
                print_error(error);
                failed += 1;
            }
        }
    }
    if args.json {
        let sets: Vec<Verified<'_>> = measured.iter().map(Measured::verified).collect();
        write_json(&serde_json::json!({ "sets": sets, "failed": failed }), out)?;
    }
    match failed {
        0 => Ok(()),
        failed => Err(CommandError::Failed(format!(
            "{failed} of {} sets failed",
            paths.len()
        ))),
    }
}

fn write_json(json: &impl Serialize, out: &mut impl Write) -> Result<(), CommandError> {
    serde_json::to_writer_pretty(&mut *out, json)?;
    Ok(writeln!(out)?)
}

/// A set that was measured.
struct Measured {
    path: PathBuf,
    report: BakeReport,
    dense: Option<DenseErrors>,
    limit_of_size: Option<f64>,
    /// Error that the bake measured, where it measured the same.
    recorded: Option<f64>,
    level_fault: Option<LevelFault>,
}

/// Measures one set against its source.
fn measure_one(
    args: &VerifyArgs,
    path: &Path,
    reader: &mut SetReader,
) -> Result<Measured, CommandError> {
    let mut set = reader.read(path)?;
    let (source, mut import) = import_source(path, set.manifest(), args.against.as_deref())?;
    print_warnings(&import.warnings);
    let disk_bytes = bytes_on_disk(path, set.manifest());
    let recorded = match args.max_error {
        None => recorded_error(args, set.manifest(), &source),
        Some(_) => None,
    };
    if set.manifest().is_motion() {
        let failed = |error: ShareError| CommandError::Share {
            source_names: path.display().to_string(),
            error: Box::new(error),
        };
        // A motion set has no mesh: it is measured on that of its source, or on points around the joints.
        let shell = with_shell(import.character).map_err(|error| failed(error.into()));
        import.character = prepare_played(shell?, set.manifest());
        let entry = set.manifest().source.clone();
        set = set_on_mesh(&set, &import.character, entry).map_err(failed)?;
    }
    let ordered = drawing_order(&import.character);
    import.character = prepare_source(ordered, set.model(), set.manifest().method);
    let bar = Bar::new("measuring");
    let mut report = match args.device {
        Device::Cpu => measure(args, &set, &SetPlayback::new(&set), &import.character, &bar)?,
        Device::Gpu => {
            let gpu = Gpu::headless()?;
            print_note(format_args!("measuring on {}", gpu.name()));
            let playback = GpuPlayback::new(&gpu, &set)?;
            let report = measure(args, &set, &playback, &import.character, &bar);
            // Vertices missing after a failed capture are NaN; its error says more than that of the report.
            if let Some(error) = playback.into_error() {
                return Err(error.into());
            }
            report?
        }
    };
    drop(bar);
    let dense = match args.dense {
        Some(per_source_frame) => {
            let bar = Bar::new("checking densely");
            let source = &import.character;
            Some(verify_densely(&set, source, per_source_frame, &bar)?)
        }
        None => None,
    };
    let levels = match set.manifest().lods.is_empty() {
        true => Vec::new(),
        false => {
            let bar = Bar::new("measuring levels of detail");
            measure_levels(&set, &import.character, &bar)?
        }
    };
    let exceeded = levels
        .iter()
        .zip(&set.manifest().lods)
        .position(|(error, lod)| *error > lod.max_error_of_size * LEVEL_SLACK + ROUNDING);
    let lods = report.lods.iter_mut().zip(&levels);
    for (lod, &of_size) in lods {
        let all = of_size + report.error.errors.overall.max_error_of_size;
        lod.max_error_mm = 1e3 * of_size * report.error.size_m;
        lod.max_error_percent = 1e2 * of_size;
        lod.from_distance_m = PixelError::default().distance_m(all * report.error.size_m);
    }
    let level_fault = exceeded.map(|level| LevelFault {
        level,
        found: levels[level],
        recorded: set.manifest().lods[level].max_error_of_size,
    });
    report.disk_bytes = Some(disk_bytes);
    let limit_of_size = args
        .max_error
        .map(|limit| limit.of_size(report.error.size_m));
    Ok(Measured {
        path: path.to_owned(),
        report,
        dense,
        limit_of_size,
        recorded,
        level_fault,
    })
}

/// Gives a character what the method of a motion set needs, for the clips of the set.
fn prepare_played(character: Character, manifest: &Manifest) -> Character {
    let clips = character.clips().iter();
    let names: Vec<&str> = clips.map(|clip| clip.name.as_str()).collect();
    let clips = manifest.clips.iter();
    let clips = clips.filter_map(|entry| names.iter().position(|name| *name == entry.name));
    let clips: Vec<usize> = clips.collect();
    prepare(character, manifest.method, &clips)
}

/// A level of detail whose error is larger than the manifest says.
#[derive(Debug, Clone, Copy)]
struct LevelFault {
    level: usize,
    /// Measured and recorded error, as fractions of the size.
    found: f64,
    recorded: f64,
}

impl Measured {
    fn error_of_size(&self) -> f64 {
        self.report.error.errors.overall.max_error_of_size
    }

    fn is_as_recorded(&self) -> bool {
        self.recorded
            .is_none_or(|recorded| self.error_of_size() <= recorded * 1.01 + ROUNDING)
    }

    fn is_within_limit(&self) -> bool {
        let limit = self.limit_of_size;
        limit.is_none_or(|limit| self.error_of_size() <= limit)
            && self.is_as_recorded()
            && self.level_fault.is_none()
    }

    fn verified(&self) -> Verified<'_> {
        Verified {
            set: self.path.display().to_string(),
            limit_of_size: self.limit_of_size,
            within_limit: self.is_within_limit(),
            dense: self.dense.as_ref(),
            report: &self.report,
        }
    }

    fn write_text(&self, out: &mut impl Write) -> Result<(), CommandError> {
        write!(out, "{}", self.report.table())?;
        if let Some(dense) = &self.dense {
            write_dense(out, dense)?;
        }
        Ok(())
    }

    /// Errors where the set exceeds a limit.
    fn judge(&self, args: &VerifyArgs) -> Result<(), CommandError> {
        let set = self.path.display();
        let error = self.error_of_size();
        let reported_mm = self.report.error.errors.overall.max_error_mm;
        let dense = self.dense.as_ref();
        if let Some(dense) = dense.filter(|dense| dense.max_error_mm > DENSE_SLACK * reported_mm) {
            return Err(CommandError::Failed(format!(
                "{set}: the dense check found an error of {:.4} mm, {:.3} s into '{}'; the reported maximum is \
                 {reported_mm:.4} mm",
                dense.max_error_mm, dense.time_secs, dense.clip_name,
            )));
        }
        if let Some(fault) = self.level_fault {
            return Err(CommandError::Failed(format!(
                "{set}: the maximum error of level of detail {} is {:.4} % of size, but the manifest says {:.4} %: bake the \
                 set again",
                fault.level + 1,
                fault.found * 100.0,
                fault.recorded * 100.0,
            )));
        }
        if self.is_within_limit() {
            return Ok(());
        }
        if let (false, Some(recorded)) = (self.is_as_recorded(), self.recorded) {
            return Err(CommandError::Failed(format!(
                "{set}: the maximum error is {:.4} % of size, but the bake measured {:.4} %: bake the set again",
                error * 100.0,
                recorded * 100.0,
            )));
        }
        let limit = match args.max_error {
            Some(Limit::Mm(mm)) => format!("{mm} mm"),
            // As float32 the value prints as it was typed, without the rounding of the division by 100.
            _ => format!(
                "{} %",
                (self.limit_of_size.unwrap_or_default() * 100.0) as f32
            ),
        };
        let percent = error * 100.0;
        Err(CommandError::Failed(format!(
            "{set}: the maximum error is {reported_mm:.3} mm ({percent:.4} % of size), the limit is {limit}"
        )))
    }
}

fn write_dense(out: &mut impl Write, dense: &DenseErrors) -> std::io::Result<()> {
    let DenseErrors {
        per_source_frame,
        times,
        max_error_mm,
        ..
    } = dense;
    writeln!(
        out,
        "\nDense check: max error {max_error_mm:.4} mm at {times} times, {per_source_frame} per source frame; {:.3} s into '{}'",
        dense.time_secs, dense.clip_name,
    )
}

/// Returns the error that the bake measured, where it measured the same: the same source, on the CPU.
fn recorded_error(args: &VerifyArgs, manifest: &Manifest, source: &str) -> Option<f64> {
    let is_same = args.device == Device::Cpu
        && source_digest(source).is_ok_and(|digest| digest == manifest.source.digest);
    manifest.max_error_of_size.filter(|_| is_same)
}

/// Measures a playback of the set, and writes a heat map if one is asked for.
fn measure(
    args: &VerifyArgs,
    set: &TextureSet,
    playback: &dyn Playback,
    source: &Character,
    bar: &Bar,
) -> Result<BakeReport, CommandError> {
    let Some(path) = &args.heat else {
        return Ok(verify_played(set, playback, source, bar)?);
    };
    let (report, heat) = heat_map(set, playback, source, bar)?;
    write_file(path, &heat_glb(set.model(), &heat)?)?;
    Ok(report)
}

/// Returns the size of the files of a set, without the report and the heat map.
fn bytes_on_disk(set: &Path, manifest: &Manifest) -> u64 {
    let len = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    if !set.is_dir() {
        return len(set);
    }
    let textures = manifest.textures.iter().flat_map(|texture| &texture.files);
    let files = textures
        .map(String::as_str)
        .chain([manifest.mesh.as_str(), disk::MANIFEST]);
    files.map(|name| len(&set.join(name))).sum()
}
