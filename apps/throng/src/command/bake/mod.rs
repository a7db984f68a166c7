//! `throng bake`: clips into animation textures, measured.

mod inputs;
mod one;
mod report;
mod settings;

use std::io::Write;

use super::CommandError;
use crate::cli::BakeArgs;
use crate::text::tell;
use inputs::{Input, find_inputs};
use one::{Outcome, bake_one};
use report::{Failure, Summary};

/// Bakes every input; with several, one that fails does not stop the rest.
pub fn bake(args: &BakeArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let inputs = find_inputs(args)?;
    let Input::Many(jobs) = inputs else {
        let Input::One(job) = inputs else {
            unreachable!("there is one, or there are many")
        };
        let baked = match bake_one(args, &job)? {
            Outcome::Baked(baked) => *baked,
            Outcome::Unchanged(_) => unreachable!("a single input is always baked"),
        };
        return if args.json {
            baked.write_json(out)
        } else {
            baked.write_text(out)
        };
    };
    let mut summary = Summary::default();
    let total = jobs.len();
    for job in &jobs {
        let result = bake_one(args, job);
        if !args.json {
            report::write_line(job, &result, out)?;
            out.flush()?;
        }
        match result {
            Ok(Outcome::Baked(baked)) => summary.sets.push(*baked),
            Ok(Outcome::Unchanged(path)) => summary.unchanged.push(path),
            Err(error) if report::has_nothing_to_bake(&error) => {
                summary.skipped.push(Failure::new(job, &error));
            }
            Err(error @ CommandError::Output(_)) => return Err(error),
            Err(error) => {
                tell("error", &error);
                summary.failed.push(Failure::new(job, &error));
            }
        }
    }
    let failed = summary.failed.len();
    if args.json {
        summary.write_json(out)?;
    } else {
        summary.write_text(out)?;
    }
    match failed {
        0 => Ok(()),
        failed => Err(CommandError::Some { failed, total }),
    }
}
