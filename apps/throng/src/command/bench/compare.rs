//! `throng bench --compare`: what changed between runs or machines.

use std::io::Write;

use throng_bench::report;

use super::files;
use crate::cli::BenchArgs;
use crate::command::CommandError;

/// Margin where none is given.
const MARGIN: f64 = 0.03;

/// Prints each report against the first.
pub fn compare(args: &BenchArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let reports = args.compare.iter().map(|path| {
        let report = files::read(path)?;
        Ok((path.display().to_string(), report))
    });
    let reports: Vec<_> = reports.collect::<Result<_, CommandError>>()?;
    let comparison = report::compare(&reports, args.margin.unwrap_or(MARGIN));
    match args.json {
        true => {
            serde_json::to_writer_pretty(&mut *out, &comparison).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        false => write!(out, "{comparison}")?,
    }
    Ok(())
}
