//! Files of a report.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use throng_bench::record::{FORMAT, Report, RunState};
use throng_bench::{BenchError, report};
use throng_format::atomic::write_file;

use crate::command::CommandError;

/// Name of the file with everything that was measured.
pub const JSON: &str = "report.json";

/// Name of the page.
pub const HTML: &str = "report.html";

/// Makes the folder of a report.
pub fn make_folder(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::Folder {
        path: folder.to_owned(),
        error,
    })
}

/// Removes the folder of a report that was not begun, if nothing is in it.
pub fn remove_empty(folder: &Path) {
    // A folder that is not empty, or cannot be removed, stays.
    let _ = fs::remove_dir(folder);
}

/// Writes `report.json`, in one step.
pub fn write_json(folder: &Path, report: &Report) -> Result<(), BenchError> {
    let json =
        serde_json::to_vec(report).expect("a report has no maps with keys that are not text");
    write(folder.join(JSON), &json)
}

/// Writes all files of a report.
pub fn write_all(folder: &Path, report: &Report) -> Result<(), CommandError> {
    write_json(folder, report)?;
    write(folder.join(HTML), report::html(report).as_bytes())?;
    for (name, contents) in report::csv(report) {
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

/// Reads a report: a file, or the folder that holds it.
pub fn read(path: &Path) -> Result<Report, CommandError> {
    let path = match path.is_dir() {
        true => &path.join(JSON),
        false => path,
    };
    let unreadable = |problem: String| {
        CommandError::Unreadable(format!(
            "{}: {problem}: expected the {JSON} of an earlier run",
            path.display()
        ))
    };
    let bytes = fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let report: Report = serde_json::from_slice(&bytes)
        .map_err(|error| unreadable(format!("not a report: {error}")))?;
    match report.format {
        FORMAT => Ok(report),
        other => Err(unreadable(format!(
            "format {other}, but this version reads {FORMAT}"
        ))),
    }
}

/// Reads a report that is to be continued.
pub fn read_unfinished(folder: &Path, suite: &str) -> Result<Report, CommandError> {
    let report = read(folder)?;
    if report.suite != suite {
        return Err(CommandError::Usage(format!(
            "{} is a run of {}, not of {suite}: name its suite and characters to continue it",
            folder.display(),
            report.suite
        )));
    }
    if report.state == RunState::Complete {
        return Err(CommandError::Usage(format!(
            "{} is complete: start a new run without --resume",
            folder.display()
        )));
    }
    Ok(report)
}

/// Seconds since 1970.
pub fn unix_secs() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}
