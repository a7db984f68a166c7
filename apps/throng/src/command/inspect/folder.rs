//! Characters of a folder, one line each.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use throng_import::import;

use super::report::Report;
use crate::cli::InspectArgs;
use crate::command::CommandError;
use crate::command::bake::characters_below;
use crate::text::{Align, Table, grouped, metres, one_line, print_error};

/// Output of `--json`.
#[derive(Serialize)]
struct Files {
    /// The output for each file.
    files: Vec<Value>,
    failed: Vec<Failure>,
}

/// A file that could not be imported.
#[derive(Serialize)]
struct Failure {
    source: String,
    reason: String,
}

/// Imports every character below a folder. One that fails does not stop the rest.
pub fn inspect(
    folder: &Path,
    args: &InspectArgs,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let mut table = Table::new(&[
        ("FILE", Align::Left),
        ("FORMAT", Align::Left),
        ("SIZE m", Align::Right),
        ("VERTICES", Align::Right),
        ("JOINTS", Align::Right),
        ("CLIPS", Align::Right),
        ("WARNINGS", Align::Right),
    ]);
    let mut result = Files {
        files: Vec::new(),
        failed: Vec::new(),
    };
    let sources = characters_below(folder)?;
    for source in &sources {
        let import = match import(source, &args.source.options()) {
            Ok(import) => import,
            Err(error) => {
                print_error(&error);
                result.failed.push(Failure {
                    source: source.clone(),
                    reason: error.to_string(),
                });
                continue;
            }
        };
        let report = Report::new(source, &import);
        table.row([
            one_line(source),
            report.format.to_owned(),
            metres(report.size_m),
            grouped(report.totals.vertices),
            grouped(report.totals.joints),
            grouped(report.clips.len()),
            import
                .warnings
                .iter()
                .filter(|w| !w.is_note())
                .count()
                .to_string(),
        ]);
        if args.json {
            result.files.push(serde_json::to_value(&report)?);
        }
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &result)?;
        writeln!(out)?;
    } else {
        write!(out, "{table}")?;
    }
    match result.failed.len() {
        0 => Ok(()),
        failed => Err(CommandError::Failed(format!(
            "{failed} of {} files could not be read",
            sources.len()
        ))),
    }
}
