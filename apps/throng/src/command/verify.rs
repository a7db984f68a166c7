//! `throng verify`: measures the error of a set on disk against its source.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_bake::accuracy::{
    BakeReport, DenseErrors, Playback, SetPlayback, heat_map, verify_densely, verify_played,
};
use throng_format::atomic::write_file;
use throng_format::{Manifest, TextureSet, disk};
use throng_rig::Character;
use throng_wgpu::Gpu;

use super::digest::source_digest;
use super::gpu::GpuPlayback;
use super::heat::heat_glb;
use super::progress::Bar;
use super::set_source::import_source;
use super::{CommandError, print_warnings};
use crate::cli::{Device, Limit, VerifyArgs};
use crate::text::print_note;

/// Largest error of a dense check as a part of the reported maximum.
const DENSE_SLACK: f64 = 1.01;

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

/// Measures a set against its source and prints the report.
pub fn verify(args: &VerifyArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let set = disk::read(&args.set)?;
    let manifest = set.manifest();
    let (source, import) = import_source(&args.set, manifest, args.against.as_deref())?;
    print_warnings(&import.warnings);
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
    report.disk_bytes = Some(bytes_on_disk(&args.set, manifest));
    let limit_of_size = args
        .max_error
        .map(|limit| limit.of_size(report.error.size_m));
    let error = report.error.errors.overall.max_error_of_size;
    let recorded = match args.max_error {
        None => recorded_error(args, manifest, &source),
        Some(_) => None,
    };
    let is_as_recorded = recorded.is_none_or(|recorded| error <= recorded * 1.01 + ROUNDING);
    let within_limit = limit_of_size.is_none_or(|limit| error <= limit) && is_as_recorded;
    if args.json {
        let verified = Verified {
            set: args.set.display().to_string(),
            limit_of_size,
            within_limit,
            dense: dense.as_ref(),
            report: &report,
        };
        serde_json::to_writer_pretty(&mut *out, &verified)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report.table())?;
        if let Some(dense) = &dense {
            write_dense(out, dense)?;
        }
    }
    let reported_mm = report.error.errors.overall.max_error_mm;
    if let Some(dense) = dense.filter(|dense| dense.max_error_mm > DENSE_SLACK * reported_mm) {
        return Err(CommandError::Failed(format!(
            "{}: the dense check found an error of {:.4} mm, {:.3} s into '{}'; the reported maximum is {reported_mm:.4} mm",
            args.set.display(),
            dense.max_error_mm,
            dense.time_secs,
            dense.clip_name,
        )));
    }
    if within_limit {
        return Ok(());
    }
    if let (false, Some(recorded)) = (is_as_recorded, recorded) {
        return Err(CommandError::Failed(format!(
            "{}: the maximum error is {:.4} % of size, but the bake measured {:.4} %: bake the set again",
            args.set.display(),
            error * 100.0,
            recorded * 100.0,
        )));
    }
    let limit = match args.max_error {
        Some(Limit::Mm(mm)) => format!("{mm} mm"),
        // As float32 the value prints as it was typed, without the rounding of the division by 100.
        _ => format!("{} %", (limit_of_size.unwrap_or_default() * 100.0) as f32),
    };
    let (mm, percent) = (report.error.errors.overall.max_error_mm, error * 100.0);
    Err(CommandError::Failed(format!(
        "{}: the maximum error is {mm:.3} mm ({percent:.4} % of size), the limit is {limit}",
        args.set.display()
    )))
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
