//! `throng bake`: bakes clips into animation textures and measures the error.

mod append;
mod inputs;
mod job;
mod levels;
mod one;
mod party;
mod party_job;
mod party_report;
mod prune;
mod report;
mod target;

use std::io::Write;

use super::CommandError;
use crate::cli::BakeArgs;
use crate::text::print_error;
use inputs::make_folder;
pub use inputs::{characters_below, has_characters};
use job::{BakeJob, BakeJobs};
use one::{Outcome, bake_if_changed};
use party::bake_party;
use prune::{PruneScope, Pruned, prune};
use report::{Failure, Summary};

/// Bakes every input, and removes sets whose source is gone if asked to.
pub fn bake(args: &BakeArgs, out: &mut impl Write) -> Result<(), CommandError> {
    match BakeJobs::resolve(args)? {
        BakeJobs::One(job) => bake_one(&job, args, out),
        BakeJobs::Party(party) => match (bake_party(&party)?, args.json) {
            (Some(baked), true) => baked.write_json(out),
            (Some(baked), false) => baked.write_text(out),
            (None, true) => party_report::write_unchanged_json(&party, out),
            (None, false) => Ok(writeln!(
                out,
                "{} is up to date: sources and settings are unchanged; use --force to bake again",
                party.output().display()
            )?),
        },
        BakeJobs::Library { folder, jobs } => {
            if !folder.as_os_str().is_empty() {
                make_folder(&folder)?;
            }
            // Without a folder of their own, only sets beside the new ones are looked at.
            let scope = PruneScope {
                is_recursive: args.output.is_some(),
                folder,
            };
            bake_library(&jobs, args.prune.then_some(&scope), args.json, out)
        }
    }
}

/// Bakes one input.
fn bake_one(job: &BakeJob, args: &BakeArgs, out: &mut impl Write) -> Result<(), CommandError> {
    let outcome = bake_if_changed(job)?;
    let pruned = match args.prune {
        true => prune(&PruneScope {
            folder: job
                .output
                .parent()
                .map_or_else(Default::default, Into::into),
            is_recursive: false,
        })?,
        false => Vec::new(),
    };
    if !args.json {
        write_pruned(&pruned, out)?;
    }
    let pruned = paths(&pruned);
    match (outcome, args.json) {
        (Outcome::Baked(mut baked), true) => {
            baked.pruned = pruned;
            baked.write_json(out)
        }
        (Outcome::Baked(baked), false) => baked.write_text(out),
        (Outcome::Unchanged(path), true) => report::write_unchanged_json(&path, &pruned, out),
        (Outcome::Unchanged(path), false) => Ok(writeln!(
            out,
            "{} is up to date: source and settings are unchanged; use --force to bake again",
            path.display()
        )?),
    }
}

/// Bakes several inputs. Unchanged sets are skipped, and one that fails does not stop the rest.
fn bake_library(
    jobs: &[BakeJob],
    scope: Option<&PruneScope>,
    json: bool,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let mut summary = Summary::default();
    for job in jobs {
        let result = bake_if_changed(job);
        if !json {
            report::write_line(job, &result, out)?;
            out.flush()?;
        }
        match result {
            Ok(Outcome::Baked(baked)) => summary.sets.push(*baked),
            Ok(Outcome::Unchanged(path)) => summary.unchanged.push(path.display().to_string()),
            Err(error) if report::has_nothing_to_bake(&error) => {
                summary.skipped.push(Failure::new(job, &error));
            }
            Err(error @ CommandError::Output(_)) => return Err(error),
            Err(error) => {
                print_error(named(&job.source, &error));
                summary.failed.push(Failure::new(job, &error));
            }
        }
    }
    if let Some(scope) = scope {
        let pruned = prune(scope)?;
        if !json {
            write_pruned(&pruned, out)?;
        }
        summary.pruned = Some(paths(&pruned));
    }
    let failed = summary.failed.len();
    if json {
        summary.write_json(out)?;
    } else {
        summary.write_text(out)?;
    }
    match failed {
        0 => Ok(()),
        failed => Err(CommandError::SomeFailed {
            failed,
            total: jobs.len(),
        }),
    }
}

/// Writes a line per removed set.
fn write_pruned(pruned: &[Pruned], out: &mut impl Write) -> Result<(), CommandError> {
    for pruned in pruned {
        writeln!(out, "{}", pruned.line())?;
    }
    Ok(())
}

fn paths(pruned: &[Pruned]) -> Vec<String> {
    let paths = pruned.iter().map(|pruned| pruned.path().display());
    paths.map(|path| path.to_string()).collect()
}

/// Returns the message of an error with the source in front, unless it names the source already.
fn named(source: &str, error: &CommandError) -> String {
    let message = error.to_string();
    match message.contains(source) {
        true => message,
        false => format!("{source}: {message}"),
    }
}
