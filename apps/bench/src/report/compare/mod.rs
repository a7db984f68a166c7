//! Comparison of runs.

mod matching;
mod show;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::matching::{Match, matches};
use super::summary::{contest_of, turns};
use crate::record::{Body, Cell, Contest, Machine, Report, Section, Turn};
use crate::stats::{Sample, Verdict, difference_of_ratios, student_quantile, welch};

/// Comparison of runs with the first of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Name of the run that the others are compared with.
    pub baseline: String,
    /// Changes within `1 ± margin` are no difference.
    pub margin: f64,
    /// Other runs.
    pub runs: Vec<RunComparison>,
}

/// Comparison of a run with the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunComparison {
    /// Name of the run.
    pub name: String,
    /// Differences of machine, build and settings, such as `driver: A, was B`.
    pub differences: Vec<String>,
    /// True if adapter, driver, processor and system are the same. Only then are times compared.
    pub is_same_machine: bool,
    /// Number of sections that are in both runs.
    pub matched_sections: usize,
    /// Ratios between contestants, clear changes first.
    pub ratios: Vec<RatioChange>,
    /// Frame times, clear changes first.
    pub times: Vec<TimeChange>,
    /// Cells of tables that changed.
    pub cells: Vec<CellChange>,
    /// Number of cells that are the same.
    pub same_cells: usize,
    /// Sections of the first run only.
    pub only_before: Vec<String>,
    /// Sections of this run only.
    pub only_after: Vec<String>,
}

/// Change of a ratio between two contestants.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioChange {
    /// Section of the first run.
    pub section: String,
    /// Section of this run, if it has another id.
    pub section_after: Option<String>,
    /// Contestant.
    pub entrant: String,
    /// Contestant that it is compared with.
    pub against: String,
    /// Ratio of throughputs in the first run.
    pub before: f64,
    /// Ratio of throughputs in this run.
    pub after: f64,
    /// `after` relative to `before`.
    pub change: f64,
    /// 95 % confidence interval of the change.
    pub interval: [f64; 2],
    /// Verdict on the change.
    pub verdict: Verdict,
}

/// Change of the frame time of a contestant, at the same number of instances on the same machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeChange {
    /// Section of the first run.
    pub section: String,
    /// Contestant.
    pub entrant: String,
    /// Number of instances.
    pub instances: u32,
    /// Mean milliseconds per frame in the first run.
    pub before_ms: f64,
    /// Mean milliseconds per frame in this run.
    pub after_ms: f64,
    /// 95 % confidence interval of the difference in milliseconds, by Welch.
    pub difference_ms: [f64; 2],
    /// Probability of a difference as large as this, if the means were equal.
    pub p: f64,
    /// Verdict: faster is less time.
    pub verdict: Verdict,
}

/// A cell of a table that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellChange {
    /// Section of the first run.
    pub section: String,
    /// Row.
    pub row: String,
    /// Column.
    pub column: String,
    /// Text in the first run.
    pub before: String,
    /// Text in this run.
    pub after: String,
    /// Value of this run relative to that of the first; `None` without numbers.
    pub change: Option<f64>,
}

/// Seed of resampling.
const SEED: u64 = 0x7468_726f_6e67;

/// Compares runs with the first of them. Changes of at most `margin` are no difference.
///
/// Sections are matched by id; sections without a counterpart by character, frame rate and contestants. Ratios are compared
/// on every machine, frame times only on the same.
pub fn compare(reports: &[(String, Report)], margin: f64) -> Comparison {
    let Some(((name, first), others)) = reports.split_first() else {
        return Comparison {
            baseline: String::new(),
            margin,
            runs: Vec::new(),
        };
    };
    let runs = others
        .iter()
        .map(|(name, other)| RunComparison::of(first, name, other, margin));
    Comparison {
        baseline: name.clone(),
        margin,
        runs: runs.collect(),
    }
}

impl RunComparison {
    fn of(first: &Report, name: &str, other: &Report, margin: f64) -> Self {
        let Match {
            pairs,
            only_before,
            only_after,
        } = matches(first, other);
        let is_same_machine = is_same_machine(&first.machine, &other.machine);
        let mut run = Self {
            name: name.into(),
            differences: differences(first, other),
            is_same_machine,
            matched_sections: pairs.len(),
            ratios: Vec::new(),
            times: Vec::new(),
            cells: Vec::new(),
            same_cells: 0,
            only_before,
            only_after,
        };
        for (before, after) in pairs {
            run.add_contests(before, after, margin);
            run.add_cells(before, after);
        }
        let by_size =
            |verdict: Verdict, change: f64| (rank(verdict), -(change.ln().abs() * 1e9) as i64);
        run.ratios
            .sort_by_key(|ratio| by_size(ratio.verdict, ratio.change));
        run.times
            .sort_by_key(|time| by_size(time.verdict, time.after_ms / time.before_ms));
        run
    }

    /// True if nothing was compared.
    pub fn is_empty(&self) -> bool {
        self.ratios.is_empty()
            && self.times.is_empty()
            && self.cells.is_empty()
            && self.same_cells == 0
    }

    fn add_contests(&mut self, before: &Section, after: &Section, margin: f64) {
        let (Some(contest_before), Some(contest_after)) = (contest_of(before), contest_of(after))
        else {
            return;
        };
        for ratio in &contest_before.ratios {
            let names = [ratio.entrant, ratio.against]
                .map(|index| before.entrants.get(index).map(|e| e.name.as_str()));
            let [Some(entrant), Some(against)] = names else {
                continue;
            };
            let (Some(entrant_after), Some(against_after)) =
                (index_of(after, entrant), index_of(after, against))
            else {
                continue;
            };
            let [a, a_base] = paired_ratings(contest_before, [ratio.entrant, ratio.against]);
            let [b, b_base] = paired_ratings(contest_after, [entrant_after, against_after]);
            if a.is_empty() || b.is_empty() {
                continue;
            }
            let change = difference_of_ratios([&a, &a_base], [&b, &b_base], SEED);
            self.ratios.push(RatioChange {
                section: before.id.clone(),
                section_after: (after.id != before.id).then(|| after.id.clone()),
                entrant: entrant.into(),
                against: against.into(),
                before: ratio.ratio,
                after: ratio.ratio * change.value,
                change: change.value,
                interval: change.interval,
                verdict: Verdict::of(change.interval, margin),
            });
        }
        if self.is_same_machine {
            self.times
                .extend(times(before, contest_before, after, contest_after, margin));
        }
    }

    fn add_cells(&mut self, before: &Section, after: &Section) {
        let (Body::Table(a), Body::Table(b)) = (&before.body, &after.body) else {
            return;
        };
        for row in &a.rows {
            let Some(other) = b.rows.iter().find(|other| other.name == row.name) else {
                continue;
            };
            for (column, cell) in a.columns.iter().skip(1).zip(&row.cells) {
                let place = b.columns.iter().skip(1).position(|other| other == column);
                let Some(cell_after) = place.and_then(|place| other.cells.get(place)) else {
                    continue;
                };
                if is_same(cell, cell_after) {
                    self.same_cells += 1;
                    continue;
                }
                let change = cell.value.zip(cell_after.value).map(|(a, b)| b / a);
                self.cells.push(CellChange {
                    section: before.id.clone(),
                    row: row.name.clone(),
                    column: column.clone(),
                    before: cell.text.clone(),
                    after: cell_after.text.clone(),
                    change: change.filter(|change| change.is_finite()),
                });
            }
        }
    }
}

/// Cells with overlapping intervals are the same; others if they show the same.
fn is_same(a: &Cell, b: &Cell) -> bool {
    match (a.interval, b.interval) {
        (Some([a_low, a_high]), Some([b_low, b_high])) => a_low <= b_high && b_low <= a_high,
        _ => a.text == b.text,
    }
}

/// Clear changes first, then undecided ones.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Slower | Verdict::Faster => 0,
        Verdict::Undecided => 1,
        Verdict::NoDifference => 2,
    }
}

fn index_of(section: &Section, name: &str) -> Option<usize> {
    section
        .entrants
        .iter()
        .position(|entrant| entrant.name == name)
}

/// Ratings of two contestants in the rounds that both took part in.
fn paired_ratings(contest: &Contest, entrants: [usize; 2]) -> [Vec<f64>; 2] {
    let pairs = contest.rounds.iter().filter_map(|round| {
        let [a, b] = entrants.map(|entrant| round.turns.get(entrant).and_then(Option::as_ref));
        Some((a?.rating(), b?.rating()))
    });
    let (a, b) = pairs.unzip();
    [a, b]
}

fn times<'a>(
    before: &'a Section,
    contest_before: &'a Contest,
    after: &'a Section,
    contest_after: &'a Contest,
    margin: f64,
) -> impl Iterator<Item = TimeChange> + 'a {
    before
        .entrants
        .iter()
        .enumerate()
        .filter_map(move |(index, entrant)| {
            let index_after = index_of(after, &entrant.name)?;
            let means =
                |contest, index| -> Vec<f64> { turns(contest, index).map(Turn::mean_ms).collect() };
            let [a, b] = [(contest_before, index), (contest_after, index_after)];
            let instances =
                |(contest, index)| turns(contest, index).next().map(|turn| turn.instances);
            let instances = instances(a).filter(|count| instances(b) == Some(*count))?;
            let [a, b] = [a, b].map(|(contest, index)| Sample::of(&means(contest, index)));
            let test = welch(&b, &a);
            if a.count.min(b.count) < 2 {
                return None;
            }
            let deviation = (a.variance / a.count as f64 + b.variance / b.count as f64).sqrt();
            let half = student_quantile(0.975, test.degrees_of_freedom) * deviation;
            let difference_ms = [b.mean - a.mean - half, b.mean - a.mean + half];
            // Throughput is the inverse of time.
            let [slowest, fastest] =
                [1, 0].map(|end| a.mean / (a.mean + difference_ms[end]).max(0.0));
            Some(TimeChange {
                section: before.id.clone(),
                entrant: entrant.name.clone(),
                instances,
                before_ms: a.mean,
                after_ms: b.mean,
                difference_ms,
                p: test.p,
                verdict: Verdict::of([slowest, fastest], margin),
            })
        })
}

fn is_same_machine(a: &Machine, b: &Machine) -> bool {
    let key = |machine: &Machine| {
        [
            &machine.adapter,
            &machine.backend,
            &machine.driver,
            &machine.cpu,
            &machine.os,
        ]
        .map(String::clone)
    };
    key(a) == key(b) && a.cores == b.cores
}

/// Differences that explain changes.
fn differences(a: &Report, b: &Report) -> Vec<String> {
    let picture = |report: &Report| {
        let [width, height] = report.settings.picture;
        format!("{width} × {height}")
    };
    let facts = |report: &Report| {
        let machine = &report.machine;
        [
            ("suite", report.suite.clone()),
            ("adapter", machine.adapter.clone()),
            ("graphics API", machine.backend.clone()),
            ("driver", machine.driver.clone()),
            ("processor", machine.cpu.clone()),
            ("cores", machine.cores.to_string()),
            ("system", machine.os.clone()),
            ("Throng", machine.throng.clone()),
            ("build", machine.build.clone()),
            ("picture", picture(report)),
            ("sampling, ms", report.settings.sample_ms.to_string()),
            ("margin", report.settings.margin.to_string()),
        ]
    };
    let pairs = facts(a).into_iter().zip(facts(b));
    let different = pairs.filter(|(a, b)| a != b);
    different
        .map(|((name, before), (_, after))| format!("{name}: {after}, was {before}"))
        .collect()
}
