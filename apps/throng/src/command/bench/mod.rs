//! `throng bench`: measures techniques and writes a report.

mod compare;
mod entrants;
mod files;
mod print;
mod subjects;

use std::io::Write;
use std::path::PathBuf;

use throng_bench::machine::{is_software, machine};
use throng_bench::pace::WallClock;
use throng_bench::record::{FORMAT, Report, RunState, Settings};
use throng_bench::report::{write_folder, write_json};
use throng_bench::run::Run;
use throng_bench::stage::Stage;
use throng_bench::suites::{Suite, Thoroughness, character, default_settings, sizes};
use throng_wgpu::Gpu;

use super::CommandError;
use super::progress::Bar;
use crate::cli::BenchArgs;
use crate::interrupt;
use crate::text::print_note;

/// Name of the suite of characters that the user names.
const CHARACTERS: &str = "character";

/// Runs a suite or compares techniques on characters, or compares earlier reports.
pub fn bench(args: &BenchArgs, out: &mut impl Write) -> Result<(), CommandError> {
    if !args.compare.is_empty() {
        return compare::compare(args, out);
    }
    let suite = match (
        args.suite,
        args.files.is_empty(),
        args.techniques.is_empty(),
    ) {
        (Some(suite), true, _) => Some(suite),
        (Some(Suite::Sizes), false, _) => Some(Suite::Sizes),
        (Some(suite), false, _) => {
            return Err(CommandError::Usage(format!(
                "--suite {suite} has characters of its own: leave the files out, or leave --suite out"
            )));
        }
        (None, true, true) => Some(Suite::Quick),
        (None, ..) => None,
    };
    let folder = output(args, suite);
    let thoroughness = match args.full {
        true => Thoroughness::Full,
        false => Thoroughness::Default,
    };
    let gpu = Gpu::headless()?;
    let stage = Stage::new(&gpu);
    let report = match args.resume {
        true => files::read_unfinished(&folder, suite.map_or(CHARACTERS, Suite::name))?,
        false => Report {
            format: FORMAT,
            suite: suite.map_or(CHARACTERS, Suite::name).into(),
            started_unix_secs: files::unix_secs(),
            elapsed_secs: 0.0,
            state: RunState::Running,
            machine: machine(&stage),
            settings: settings(args, suite, thoroughness, is_software(&gpu)),
            answers: Vec::new(),
            sections: Vec::new(),
        },
    };
    if report.machine != machine(&stage) {
        return Err(CommandError::Usage(format!(
            "{} was measured on another machine or version: start a new run without --resume",
            folder.display()
        )));
    }
    files::make_folder(&folder)?;
    // From here on, Ctrl-C ends the measurement, not the program.
    interrupt::defer();
    let is_interrupted = || interrupt::is_interrupted();
    let clock = WallClock::new(&is_interrupted);
    let bar = Bar::new("benchmark");
    let mut save = |report: &Report| write_json(&folder, report);
    let mut run = Run::new(&stage, report, &clock, &bar, &mut save);
    run.report.state = RunState::Running;
    run.report.answers.clear();
    if let Err(error) = measure(&mut run, args, suite, thoroughness) {
        // What was measured before the error is kept, and can be resumed.
        match run.report.sections.is_empty() {
            true => files::remove_empty(&folder),
            false => {
                run.save()?;
                write_folder(&folder, &run.report)?;
            }
        }
        return Err(error);
    }
    let report = run.finish()?;
    drop(bar);
    write_folder(&folder, &report)?;
    match args.json {
        true => print::write_json(&report, &folder, out)?,
        false => print::write_text(&report, &folder, out)?,
    }
    if report.state == RunState::Interrupted {
        out.flush()?;
        print_note(format_args!(
            "interrupted: {} has what was measured; continue with --resume",
            folder.display()
        ));
        return Err(CommandError::Interrupted);
    }
    Ok(())
}

/// Runs a suite, or techniques on the characters of the arguments.
fn measure(
    run: &mut Run<'_>,
    args: &BenchArgs,
    suite: Option<Suite>,
    thoroughness: Thoroughness,
) -> Result<(), CommandError> {
    match suite {
        Some(Suite::Sizes) if !args.files.is_empty() => {
            let subjects = subjects::subjects(args)?.into_iter();
            let subjects: Vec<_> = subjects.map(|(subject, _)| subject).collect();
            sizes::measure(run, &subjects)?;
            sizes::summarize(run);
        }
        Some(suite) => suite.run(run, thoroughness)?,
        None => {
            let subjects = subjects::subjects(args)?;
            let experiments: Vec<_> = subjects
                .into_iter()
                .map(|(subject, set)| {
                    let techniques = entrants::entrants(args, set)?;
                    Ok(character::experiment(subject, techniques))
                })
                .collect::<Result<_, CommandError>>()?;
            run.run(&experiments)?;
            character::summarize(run);
        }
    }
    Ok(())
}

/// Folder of the report.
fn output(args: &BenchArgs, suite: Option<Suite>) -> PathBuf {
    args.output.clone().unwrap_or_else(|| {
        let name = suite.map_or("characters", Suite::name);
        PathBuf::from(format!("bench-{name}"))
    })
}

/// Settings of the suite, changed by the arguments.
fn settings(
    args: &BenchArgs,
    suite: Option<Suite>,
    thoroughness: Thoroughness,
    is_software: bool,
) -> Settings {
    let of_characters = 600.0 * args.files.len().max(1) as f64;
    let max_secs = suite.map_or(of_characters, |suite| suite.max_secs(thoroughness));
    let mut settings = default_settings(max_secs, is_software, thoroughness);
    if suite == Some(Suite::Quick) {
        // Short turns and a wide margin decide more pairs in little time.
        settings.fps = vec![60.0];
        settings.contest_fps = vec![60.0];
        settings.settle_ms = 20.0;
        settings.sample_ms = 100.0;
        settings.margin = 0.05;
    }
    if matches!(suite, Some(Suite::P0 | Suite::All)) && thoroughness == Thoroughness::Default {
        // A round of twenty contestants takes seconds.
        settings.contest_fps = vec![60.0];
    }
    if let Some(max_secs) = args.max_time {
        settings.max_secs = max_secs;
    }
    if !args.fps.is_empty() {
        settings.fps.clone_from(&args.fps);
        settings.contest_fps.clone_from(&args.fps);
    }
    if let Some(threshold) = args.threshold {
        settings.threshold = threshold.range;
        settings.threshold_unit = threshold.unit;
    }
    settings.settle_ms = args.settle.unwrap_or(settings.settle_ms);
    settings.sample_ms = args.sample.unwrap_or(settings.sample_ms);
    settings.margin = args.margin.unwrap_or(settings.margin);
    settings.rounds = args.rounds.unwrap_or(settings.rounds);
    settings.max_instances = args.max_instances.unwrap_or(settings.max_instances);
    settings.spacing_m = args.spacing.map(f64::from).or(settings.spacing_m);
    settings.seed = args.seed.unwrap_or(settings.seed);
    settings
}
