//! `throng inspect`: lists the contents of a character.

mod print;
mod report;

use std::io::Write;

use throng_import::import;

use super::CommandError;
use crate::cli::InspectArgs;
pub use report::Box3;
use report::Report;

/// Imports a character and prints its contents.
pub fn inspect(args: &InspectArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let import = import(&args.source.file, &args.source.options())?;
    let report = Report::new(&args.source.file, &import);
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        report.write(out)?;
    }
    Ok(())
}
