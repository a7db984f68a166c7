//! Text of a comparison, at most 100 columns wide.

use std::fmt;

use super::{CellChange, Comparison, RatioChange, RunComparison, TimeChange};
use crate::stats::Verdict;

/// Most rows of a table that are shown.
const MOST_ROWS: usize = 60;
/// Most rows that are undecided.
const MOST_UNDECIDED: usize = 12;
/// Most names of a list.
const MOST_NAMES: usize = 12;

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.runs.is_empty() {
            return writeln!(f, "Nothing to compare: expected two or more reports.");
        }
        for (index, run) in self.runs.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            run.show(f, &self.baseline, self.margin)?;
        }
        Ok(())
    }
}

impl RunComparison {
    fn show(&self, f: &mut fmt::Formatter<'_>, baseline: &str, margin: f64) -> fmt::Result {
        writeln!(f, "{} compared with {baseline}", self.name)?;
        match self.is_same_machine {
            true => writeln!(f, "The same machine.")?,
            false => writeln!(
                f,
                "Different machines: only ratios are compared, not times."
            )?,
        }
        for difference in &self.differences {
            writeln!(f, "  {difference}")?;
        }
        if self.is_empty() {
            writeln!(
                f,
                "\nNothing can be compared: no experiment with the same contestants is in both runs."
            )?;
        }
        self.show_ratios(f, margin)?;
        self.show_times(f, margin)?;
        self.show_cells(f)?;
        if !self.ratios.is_empty() {
            writeln!(
                f,
                "\nAbout 1 in 20 of the 95 % intervals misses the true change by chance."
            )?;
        }
        names(f, "Only in the first run", &self.only_before)?;
        names(f, &format!("Only in {}", self.name), &self.only_after)
    }

    fn show_ratios(&self, f: &mut fmt::Formatter<'_>, margin: f64) -> fmt::Result {
        if self.ratios.is_empty() {
            return Ok(());
        }
        let verdicts = self.ratios.iter().map(|ratio| ratio.verdict);
        writeln!(f, "\nThroughput ratios: {}", counts(verdicts, margin))?;
        writeln!(
            f,
            "    {:<43}{:>8}{:>8}{:>23}  verdict",
            "contestant / relative to", "before", "after", "change [95 % CI] %"
        )?;
        rows(
            f,
            &self.ratios,
            |ratio| &ratio.section,
            RatioChange::row,
            |ratio| ratio.verdict,
        )?;
        for ratio in self
            .ratios
            .iter()
            .filter(|ratio| ratio.section_after.is_some())
            .take(1)
        {
            let after = ratio.section_after.as_deref().unwrap_or_default();
            writeln!(
                f,
                "  Some sections have other names, such as\n  {after} for {}.",
                ratio.section
            )?;
        }
        Ok(())
    }

    fn show_times(&self, f: &mut fmt::Formatter<'_>, margin: f64) -> fmt::Result {
        if self.times.is_empty() {
            return Ok(());
        }
        let verdicts = self.times.iter().map(|time| time.verdict);
        writeln!(f, "\nMilliseconds per frame: {}", counts(verdicts, margin))?;
        writeln!(
            f,
            "    {:<34}{:>9}{:>8}{:>8}{:>23}  verdict",
            "contestant", "instances", "before", "after", "change [95 % CI] %"
        )?;
        rows(
            f,
            &self.times,
            |time| &time.section,
            TimeChange::row,
            |time| time.verdict,
        )
    }

    fn show_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cells.is_empty() && self.same_cells == 0 {
            return Ok(());
        }
        let all = self.cells.len() + self.same_cells;
        writeln!(f, "\nTables: {} of {all} values changed", self.cells.len())?;
        rows(
            f,
            &self.cells,
            |cell| &cell.section,
            CellChange::row,
            |_| Verdict::Faster,
        )
    }
}

impl RatioChange {
    fn row(&self) -> String {
        let names = format!("{} / {}", self.entrant, self.against);
        format!(
            "{}{:>8}{:>8}{:>23}  {}",
            cell(&names, 43),
            number(self.before),
            number(self.after),
            change(self.change, self.interval),
            self.verdict
        )
    }
}

impl TimeChange {
    fn row(&self) -> String {
        let interval = self
            .difference_ms
            .map(|difference| 1.0 + difference / self.before_ms);
        format!(
            "{}{:>9}{:>8}{:>8}{:>23}  {}",
            cell(&self.entrant, 34),
            self.instances,
            number(self.before_ms),
            number(self.after_ms),
            change(self.after_ms / self.before_ms, interval),
            self.verdict
        )
    }
}

impl CellChange {
    fn row(&self) -> String {
        let change = self
            .change
            .map(|change| format!("{:+.1} %", 100.0 * (change - 1.0)));
        format!(
            "{}{:>16} → {:<16}{:>9}",
            cell(&format!("{}, {}", self.row, self.column), 46),
            cut(&self.before, 16),
            cut(&self.after, 16),
            change.unwrap_or_default()
        )
    }
}

/// Writes rows with a clear change, then some that are undecided. Rows without a difference are only counted.
fn rows<T>(
    f: &mut fmt::Formatter<'_>,
    all: &[T],
    section: impl Fn(&T) -> &String,
    row: impl Fn(&T) -> String,
    verdict: impl Fn(&T) -> Verdict,
) -> fmt::Result {
    let (undecided, decided): (Vec<&T>, Vec<&T>) = all
        .iter()
        .filter(|item| verdict(item) != Verdict::NoDifference)
        .partition(|item| verdict(item) == Verdict::Undecided);
    block(f, &decided, MOST_ROWS, &section, &row)?;
    if !undecided.is_empty() {
        writeln!(f, "Undecided; more rounds would decide:")?;
    }
    block(f, &undecided, MOST_UNDECIDED, &section, &row)
}

/// Writes rows under the names of their sections. Sections are in the order of their first row.
fn block<T>(
    f: &mut fmt::Formatter<'_>,
    all: &[&T],
    most: usize,
    section: impl Fn(&T) -> &String,
    row: impl Fn(&T) -> String,
) -> fmt::Result {
    let shown = &all[..all.len().min(most)];
    for (index, first) in shown.iter().enumerate() {
        let name = section(first);
        if shown[..index].iter().any(|item| section(item) == name) {
            continue;
        }
        writeln!(f, "  {}", cut(name, 96))?;
        for item in shown.iter().filter(|item| section(item) == name) {
            writeln!(f, "    {}", row(item))?;
        }
    }
    match all.len() - shown.len() {
        0 => Ok(()),
        left => writeln!(f, "    … and {left} more"),
    }
}

fn names(f: &mut fmt::Formatter<'_>, heading: &str, names: &[String]) -> fmt::Result {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{heading}:")?;
    for name in names.iter().take(MOST_NAMES) {
        writeln!(f, "  {name}")?;
    }
    match names.len().saturating_sub(MOST_NAMES) {
        0 => Ok(()),
        left => writeln!(f, "  … and {left} more"),
    }
}

fn counts(verdicts: impl Iterator<Item = Verdict>, margin: f64) -> String {
    let mut counts = [0; 4];
    for verdict in verdicts {
        counts[verdict as usize] += 1;
    }
    let [faster, slower, same, undecided] = counts;
    format!(
        "{faster} faster, {slower} slower, {undecided} undecided, {same} within ±{} %",
        100.0 * margin
    )
}

/// Text padded or cut to a width, with a space after it.
fn cell(text: &str, width: usize) -> String {
    format!("{:<width$}", cut(text, width - 1))
}

/// Text of at most this many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let start: String = text.chars().take(most - 1).collect();
    start + "…"
}

/// A number in at most seven characters.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A change in per cent, with its interval: `-10.0 [-11.2, -8.7]`.
fn change(value: f64, interval: [f64; 2]) -> String {
    let [value, low, high] = [value, interval[0], interval[1]].map(|part| 100.0 * (part - 1.0));
    format!("{value:+.1} [{low:+.1}, {high:+.1}]")
}
