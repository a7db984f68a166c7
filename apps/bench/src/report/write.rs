//! Files of a report.

use std::path::{Path, PathBuf};

use throng_format::atomic::write_file;

use super::{csv, html};
use crate::BenchError;
use crate::record::Report;

/// Name of the file with everything that was measured.
pub const JSON: &str = "report.json";

/// Name of the page.
pub const HTML: &str = "report.html";

/// Writes `report.json` into a folder, in one step.
pub fn write_json(folder: &Path, report: &Report) -> Result<(), BenchError> {
    let json =
        serde_json::to_vec(report).expect("a report has no maps with keys that are not text");
    write(folder.join(JSON), &json)
}

/// Writes all files of a report into a folder.
pub fn write_folder(folder: &Path, report: &Report) -> Result<(), BenchError> {
    write_json(folder, report)?;
    write(folder.join(HTML), html(report).as_bytes())?;
    for (name, contents) in csv(report) {
        write(folder.join(name), contents.as_bytes())?;
    }
    Ok(())
}

fn write(path: PathBuf, bytes: &[u8]) -> Result<(), BenchError> {
    write_file(&path, bytes).map_err(|error| BenchError::Write {
        path,
        error: std::io::Error::other(error),
    })
}
