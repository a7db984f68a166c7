//! Looks of contestants in plots: colour, marker and dashes. A name looks the same on the whole page.

use std::collections::BTreeMap;

use super::summary::contest_of;
use crate::record::Report;

/// Number of looks. The first is that of the baseline; the others repeat eight colours and markers, then hollow with
/// dashes, then hollow with dots.
const LOOKS: usize = 25;

/// Markers of 8 × 8 units around the origin: the circle of the baseline, and eight more.
const MARKERS: [&str; 9] = [
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",
    "M-3.1-3.1h6.2v6.2h-6.2z",
    "M0-4.2L4 3H-4z",
    "M0-4.4L4.4 0L0 4.4L-4.4 0z",
    "M0 4.2L4-3H-4z",
    "M-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
    "M0-1.9L2.2-4.1L4.1-2.2L1.9 0L4.1 2.2L2.2 4.1L0 1.9L-2.2 4.1L-4.1 2.2L-1.9 0L-4.1-2.2L-2.2-4.1z",
    "M0-4.8L1.2-1.6L4.6-1.5L1.9 .6L2.8 3.9L0 2L-2.8 3.9L-1.9 .6L-4.6-1.5L-1.2-1.6z",
    "M-3.8-3.6H3.8L-3.8 3.6H3.8z",
];

/// Looks of all names of a report.
pub struct Looks(BTreeMap<String, usize>);

impl Looks {
    /// Assigns looks: the first to the most frequent baseline, the others in order of appearance within a suite.
    pub fn of(report: &Report) -> Self {
        let mut looks = BTreeMap::new();
        if let Some(baseline) = baseline(report) {
            looks.insert(baseline.to_owned(), 0);
        }
        let (mut suite, mut next) = ("", 1);
        for section in &report.sections {
            let own = section.group.split('/').next().unwrap_or_default();
            if suite != own {
                (suite, next) = (own, 1);
            }
            for entrant in &section.entrants {
                if !looks.contains_key(&entrant.name) {
                    looks.insert(entrant.name.clone(), next);
                    next += 1;
                }
            }
        }
        Self(looks)
    }

    /// Looks of the contestants of a plot: their own, or the next that is free there.
    pub fn assign(&self, names: &[&str]) -> Vec<usize> {
        let mut taken = [false; LOOKS];
        let mut assign = |name: &&str| {
            let wanted = match self.0.get(*name) {
                Some(0) => 0,
                Some(look) => 1 + (look - 1) % (LOOKS - 1),
                None => 1,
            };
            let mut choices = (0..LOOKS).map(|step| (wanted + step) % LOOKS);
            let look = choices.find(|look| !taken[*look]).unwrap_or(wanted);
            taken[look] = true;
            look
        };
        names.iter().map(&mut assign).collect()
    }
}

/// Name that most others are compared with.
fn baseline(report: &Report) -> Option<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for section in &report.sections {
        let ratios = contest_of(section)
            .into_iter()
            .flat_map(|contest| &contest.ratios);
        for entrant in ratios.filter_map(|ratio| section.entrants.get(ratio.against)) {
            *counts.entry(&entrant.name).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(name, _)| name)
}

/// Index of the marker of a look.
pub fn marker(look: usize) -> usize {
    match look {
        0 => 0,
        _ => 1 + (look - 1) % (MARKERS.len() - 1),
    }
}

/// Shapes of markers, which plots refer to by `#m0` and so on.
pub fn defs() -> String {
    let shapes: String = MARKERS
        .iter()
        .enumerate()
        .map(|(index, shape)| format!("<path id=\"m{index}\" d=\"{shape}\"/>"))
        .collect();
    format!(
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{shapes}</defs></svg>"
    )
}

/// Style sheet of the looks: classes `k0` and so on.
pub fn css() -> String {
    let rule = |look: usize| {
        let (color, dash) = match look {
            0 => ("--ink".to_owned(), ""),
            1..=8 => (format!("--c{look}"), ""),
            9..=16 => (
                format!("--c{}", look - 8),
                ";--dash:6 3;--fill:var(--paper)",
            ),
            _ => (
                format!("--c{}", look - 16),
                ";--dash:1.5 2.5;--fill:var(--paper)",
            ),
        };
        format!(".k{look}{{--c:var({color}){dash}}}")
    };
    (0..LOOKS).map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_a_plot_differ() {
        let names: Vec<String> = (0..60).map(|index| index.to_string()).collect();
        let of_names = names.iter().enumerate();
        let looks = Looks(
            of_names
                .map(|(index, name)| (name.clone(), index))
                .collect(),
        );
        // 1 and 25 want the same look.
        let plot: Vec<&str> = [0, 1, 25, 2, 26]
            .iter()
            .map(|i| names[*i].as_str())
            .collect();
        let mut assigned = looks.assign(&plot);
        assert_eq!(assigned[..2], [0, 1]);
        assigned.sort_unstable();
        assigned.dedup();
        assert_eq!(assigned.len(), plot.len());
        // More than there are looks repeat without end.
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(looks.assign(&all).len(), 60);
    }
}
