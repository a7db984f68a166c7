//! Short results on standard output.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use throng_bench::record::{Answer, Body, Contest, Machine, Ratio, Report, Section, Status, Turn};
use throng_bench::report::{HTML, JSON};
use throng_bench::stats::{Verdict, median};

use crate::command::CommandError;
use crate::text::{Align, Table};

/// Prints the answers, a table per contest, and the names of the files.
pub fn write_text(
    report: &Report,
    folder: &Path,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let Machine {
        adapter, driver, ..
    } = &report.machine;
    writeln!(out, "{}: on {adapter}, {driver}", report.suite)?;
    for Answer { heading, text } in &report.answers {
        writeln!(out, "\n{heading}\n  {text}")?;
    }
    for section in &report.sections {
        if let Body::Contest(contest) = &section.body {
            write_contest(section, contest, out)?;
        }
    }
    let open = ratios(report).filter(|ratio| ratio.verdict == Verdict::Undecided);
    let wrong = ratios(report).filter(|ratio| {
        ratio.is_same && matches!(ratio.verdict, Verdict::Faster | Verdict::Slower)
    });
    writeln!(out)?;
    match open.count() {
        0 => {}
        count => writeln!(
            out,
            "{count} comparisons are undecided: more --max-time may decide them"
        )?,
    }
    match wrong.count() {
        0 => {}
        count => writeln!(
            out,
            "{count} pairs of equal contestants differ: something disturbed the measurement; do not trust it"
        )?,
    }
    if report.machine.build == "dev" {
        writeln!(
            out,
            "this build has the checks of a debug build, which slow the CPU down: use cargo install, or cargo run --release"
        )?;
    }
    writeln!(out, "{}", folder.join(HTML).display())?;
    Ok(())
}

fn write_contest(
    section: &Section,
    contest: &Contest,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    writeln!(out, "\n{}: {}", section.group, section.title)?;
    let mut table = Table::new(&[
        ("CONTESTANT", Align::Left),
        ("INSTANCES", Align::Right),
        ("MS/FRAME", Align::Right),
        ("THROUGHPUT", Align::Right),
        ("95 % CI", Align::Right),
        ("VERDICT", Align::Left),
    ]);
    for (at, entrant) in section.entrants.iter().enumerate() {
        let reason = match &entrant.status {
            Status::Measured => None,
            Status::Refused { reason } => Some(format!("refused: {reason}")),
            Status::WrongPicture { reason } => Some(format!("wrong picture: {reason}")),
        };
        if let Some(reason) = reason {
            table.row([
                entrant.name.clone(),
                "-".into(),
                "-".into(),
                "-".into(),
                "-".into(),
                reason,
            ]);
            continue;
        }
        let turns = contest
            .rounds
            .iter()
            .filter_map(|round| round.turns.get(at)?.as_ref());
        let ms: Vec<f64> = turns.map(Turn::mean_ms).collect();
        let ratio = contest
            .ratios
            .iter()
            .find(|ratio| ratio.entrant == at && ratio.against == 0);
        let [throughput, interval, verdict] = match ratio {
            Some(ratio) => [
                format!("{:.1} %", 100.0 * ratio.ratio),
                format!("{:.1} to {:.1}", 100.0 * ratio.low, 100.0 * ratio.high),
                ratio.verdict.to_string(),
            ],
            None if at == 0 => ["100 %".into(), "-".into(), String::new()],
            None => ["-".into(), "-".into(), String::new()],
        };
        table.row([
            entrant.name.clone(),
            contest.instances[at].to_string(),
            match ms.is_empty() {
                true => "-".into(),
                false => format!("{:.2}", median(&ms)),
            },
            throughput,
            interval,
            verdict,
        ]);
    }
    write!(out, "{table}")?;
    Ok(())
}

fn ratios(report: &Report) -> impl Iterator<Item = &Ratio> {
    report
        .sections
        .iter()
        .flat_map(|section| match &section.body {
            Body::Contest(contest) => contest.ratios.as_slice(),
            Body::Curves { .. } | Body::Table(_) => &[],
        })
}

/// Prints answers and ratios as one JSON object.
pub fn write_json(
    report: &Report,
    folder: &Path,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    #[derive(Serialize)]
    struct Summary<'a> {
        suite: &'a str,
        state: throng_bench::record::RunState,
        elapsed_secs: f64,
        machine: &'a Machine,
        answers: &'a [Answer],
        contests: Vec<ContestSummary<'a>>,
        page: String,
        report: String,
    }
    #[derive(Serialize)]
    struct ContestSummary<'a> {
        id: &'a str,
        entrants: &'a [throng_bench::record::Entrant],
        instances: &'a [u32],
        rounds: usize,
        ratios: &'a [Ratio],
    }
    let contests = report
        .sections
        .iter()
        .filter_map(|section| match &section.body {
            Body::Contest(contest) => Some(ContestSummary {
                id: &section.id,
                entrants: &section.entrants,
                instances: &contest.instances,
                rounds: contest.rounds.len(),
                ratios: &contest.ratios,
            }),
            Body::Curves { .. } | Body::Table(_) => None,
        });
    let summary = Summary {
        suite: &report.suite,
        state: report.state,
        elapsed_secs: report.elapsed_secs,
        machine: &report.machine,
        answers: &report.answers,
        contests: contests.collect(),
        page: folder.join(HTML).display().to_string(),
        report: folder.join(JSON).display().to_string(),
    };
    serde_json::to_writer_pretty(&mut *out, &summary)?;
    writeln!(out)?;
    Ok(())
}
