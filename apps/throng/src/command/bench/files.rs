//! Files of a report.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use throng_bench::record::{FORMAT, Report, RunState};
use throng_bench::report::JSON;

use crate::command::CommandError;

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
