//! Reading results: what tables and answers have in common.

use crate::record::{Body, Cell, Contest, Entrant, Ratio, Section, Status, Turn};
use crate::stats::{Verdict, mean, median};

/// A section with a contest.
pub struct Contested<'a> {
    /// The section.
    pub section: &'a Section,
    /// Its contest.
    pub contest: &'a Contest,
}

impl<'a> Contested<'a> {
    /// `None` if the section has no contest.
    pub fn of(section: &'a Section) -> Option<Self> {
        match &section.body {
            Body::Contest(contest) => Some(Self { section, contest }),
            Body::Curves { .. } | Body::Table(_) => None,
        }
    }

    /// Index of a contestant by name.
    pub fn index(&self, name: &str) -> Option<usize> {
        let mut entrants = self.section.entrants.iter();
        entrants.position(|entrant| entrant.name == name)
    }

    /// Turns of a contestant.
    pub fn turns(&self, entrant: usize) -> impl Iterator<Item = &'a Turn> {
        let rounds = self.contest.rounds.iter();
        rounds.filter_map(move |round| round.turns.get(entrant)?.as_ref())
    }

    /// Median throughput of a contestant, instances per second; 0 without turns.
    pub fn rating(&self, entrant: usize) -> f64 {
        let ratings: Vec<f64> = self.turns(entrant).map(Turn::rating).collect();
        match ratings.is_empty() {
            true => 0.0,
            false => median(&ratings),
        }
    }

    /// Median milliseconds per frame; NaN without turns.
    pub fn ms(&self, entrant: usize) -> f64 {
        median(&self.turns(entrant).map(Turn::mean_ms).collect::<Vec<_>>())
    }

    /// Mean CPU milliseconds per frame; NaN without turns.
    pub fn cpu_ms(&self, entrant: usize) -> f64 {
        mean(
            &self
                .turns(entrant)
                .map(|turn| turn.cpu_ms)
                .collect::<Vec<_>>(),
        )
    }

    /// Mean GPU milliseconds per frame; NaN without timestamps.
    pub fn gpu_ms(&self, entrant: usize) -> f64 {
        let times: Vec<f64> = self.turns(entrant).filter_map(|turn| turn.gpu_ms).collect();
        mean(&times)
    }

    /// Number of instances in the frame budget, by the median throughput.
    pub fn instances_at_budget(&self, entrant: usize) -> f64 {
        1e-3 * self.rating(entrant) * self.contest.budget_ms.unwrap_or(f64::NAN)
    }

    /// Comparison of two contestants.
    pub fn ratio(&self, entrant: usize, against: usize) -> Option<&'a Ratio> {
        let is_pair = |ratio: &&Ratio| ratio.entrant == entrant && ratio.against == against;
        self.contest.ratios.iter().find(is_pair)
    }

    /// Comparison of two contestants by name.
    pub fn ratio_of(&self, entrant: &str, against: &str) -> Option<&'a Ratio> {
        self.ratio(self.index(entrant)?, self.index(against)?)
    }
}

/// A ratio as a cell in per cent, with its interval and, unless it is clear, its verdict.
pub fn ratio_cell(ratio: Option<&Ratio>) -> Cell {
    let Some(ratio) = ratio else {
        return Cell::text("–");
    };
    let text = match ratio.verdict {
        Verdict::Undecided => format!("{} (undecided)", percent(ratio.ratio)),
        _ => percent(ratio.ratio),
    };
    Cell::number(ratio.ratio, text).with_interval(ratio.low, ratio.high)
}

/// Reason why a contestant has no times, as a short text.
pub fn refusal(entrant: &Entrant) -> Option<String> {
    match &entrant.status {
        Status::Measured => None,
        Status::Refused { .. } => Some("refused".into()),
        Status::WrongPicture { .. } => Some("wrong picture".into()),
    }
}

/// A part in per cent: `87 %`, or `8.7 %` below ten.
pub fn percent(part: f64) -> String {
    match part {
        part if part.is_nan() => "–".into(),
        part if part < 0.1 => format!("{:.1} %", 100.0 * part),
        part => format!("{:.0} %", 100.0 * part),
    }
}

/// Milliseconds with three significant digits.
pub fn ms_cell(ms: f64) -> Cell {
    match ms {
        ms if ms.is_nan() => Cell::text("–"),
        ms if ms < 1.0 => Cell::number(ms, format!("{ms:.3}")),
        ms if ms < 10.0 => Cell::number(ms, format!("{ms:.2}")),
        ms if ms < 100.0 => Cell::number(ms, format!("{ms:.1}")),
        ms => Cell::number(ms, format!("{ms:.0}")),
    }
}

/// A number of bytes: `4.5 KiB`, `6.42 MiB`.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes < 1 << 20 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        bytes => format!("{:.2} MiB", bytes as f64 / 1024.0 / 1024.0),
    }
}

/// A number of the paper.
pub fn printed(value: f64) -> Cell {
    Cell::number(value, format!("{value}"))
}

/// A section that holds a table.
pub fn table_section(id: &str, title: &str, about: &str, table: crate::record::Table) -> Section {
    Section {
        id: id.to_owned(),
        group: id
            .rsplit_once('/')
            .map_or(id, |(group, _)| group)
            .to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        x: None,
        subject: None,
        entrants: Vec::new(),
        body: Body::Table(table),
        notes: Vec::new(),
        is_complete: true,
    }
}
