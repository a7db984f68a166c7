//! Experiments on the page: plots and tables of the sections of a group.

use super::contests::contests;
use super::curves::curves;
use super::line_plot::Guide;
use super::looks::Looks;
use super::parts::{article, prose, subject_line};
use super::series::series;
use super::summary::contest_of;
use super::tables::data_table;
use super::text::{number, plain};
use crate::record::{Body, Report, Section, Settings, Subject};

/// Sections that are shown together.
pub struct Group<'a> {
    /// Name, such as `p0/box/corners`.
    pub name: &'a str,
    /// Sections, in order, with their index in the report.
    pub sections: Vec<(usize, &'a Section)>,
}

/// An experiment.
enum Experiment<'a> {
    /// A section.
    One(usize, &'a Section),
    /// Contests one after the other.
    Contests(Vec<(usize, &'a Section)>),
    /// Contests that differ by one quantity.
    Series(Vec<(usize, &'a Section)>),
}

impl<'a> Group<'a> {
    /// Groups of a report, in order of their first section.
    pub fn all(report: &'a Report) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (index, section) in report.sections.iter().enumerate() {
            let found = groups.iter_mut().find(|group| group.name == section.group);
            match found {
                Some(group) => group.sections.push((index, section)),
                None => groups.push(Self {
                    name: &section.group,
                    sections: vec![(index, section)],
                }),
            }
        }
        groups
    }

    /// Name of the suite, and the rest of the name.
    pub fn path(&self) -> (&'a str, &'a str) {
        self.name.split_once('/').unwrap_or((self.name, ""))
    }

    /// Heading: the title of the only section, or the path within the suite.
    pub fn heading(&self) -> String {
        match (self.sections.as_slice(), self.path()) {
            ([(_, only)], _) => only.title.clone(),
            (_, (suite, "")) => suite.to_owned(),
            (_, (_, rest)) => rest.replace('/', " · "),
        }
    }

    /// Writes all experiments.
    pub fn html(&self, settings: &Settings, looks: &Looks) -> String {
        let mut html = String::new();
        let subjects = self
            .sections
            .iter()
            .map(|(_, section)| section.subject.as_ref());
        let mut subjects: Vec<&Subject> = subjects.flatten().collect();
        subjects.dedup();
        if let [subject] = subjects.as_slice() {
            html += &format!("<p class=\"subject\">{}</p>\n", subject_line(subject));
        }
        let has_headings = self.sections.len() > 1;
        for experiment in self.experiments() {
            html += &match experiment {
                Experiment::One(index, section) => {
                    let heading = has_headings.then_some(section.title.as_str());
                    let body = self.section(section, settings, looks);
                    article(&format!("s{index}"), heading, &[section], &body)
                }
                Experiment::Contests(sections) => {
                    contests(&sections, has_headings, settings.margin)
                }
                Experiment::Series(sections) => series(&sections, looks),
            };
        }
        html
    }

    /// Contests over the same quantity form a series, at the place of the first.
    fn experiments(&self) -> Vec<Experiment<'a>> {
        let label = |section: &Section| {
            contest_of(section)?;
            section.x.as_ref().map(|x| x.label.clone())
        };
        let mut experiments = Vec::new();
        let mut labels: Vec<String> = Vec::new();
        for &(index, section) in &self.sections {
            let own = label(section);
            let same = self.sections.iter().copied();
            let same: Vec<_> = same
                .filter(|(_, other)| own.is_some() && label(other) == own)
                .collect();
            match (contest_of(section), own, experiments.last_mut()) {
                (Some(_), Some(label), _) if same.len() > 1 => {
                    if !labels.contains(&label) {
                        experiments.push(Experiment::Series(same));
                        labels.push(label);
                    }
                }
                (Some(_), _, Some(Experiment::Contests(before))) => before.push((index, section)),
                (Some(_), _, _) => experiments.push(Experiment::Contests(vec![(index, section)])),
                (None, _, _) => experiments.push(Experiment::One(index, section)),
            }
        }
        experiments
    }

    fn section(&self, section: &Section, settings: &Settings, looks: &Looks) -> String {
        match &section.body {
            Body::Curves { curves: all, .. } => {
                curves(section, all, self.guides(settings), &settings.fps, looks)
            }
            Body::Table(table) => prose(section) + &data_table(table),
            Body::Contest(_) => contests(&[(0, section)], false, settings.margin),
        }
    }

    /// Frame rates of the settings, and the budgets of contests of the group.
    fn guides(&self, settings: &Settings) -> Vec<Guide> {
        let rates = settings.fps.iter().map(|fps| Guide {
            y: *fps,
            label: format!("{} fps", plain(*fps)),
        });
        let mut guides: Vec<Guide> = rates.collect();
        for (_, section) in &self.sections {
            let Some(budget_ms) = contest_of(section).and_then(|contest| contest.budget_ms) else {
                continue;
            };
            let y = 1e3 / budget_ms;
            if guides.iter().all(|guide| (guide.y / y - 1.0).abs() > 0.01) {
                let label = format!("budget of {} ms", number(budget_ms, 3));
                guides.push(Guide { y, label });
            }
        }
        guides
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::Example;

    /// Page of the group of a name.
    fn group_html(report: &Report, name: &str) -> String {
        let groups = Group::all(report);
        let group = groups.iter().find(|group| group.name == name).unwrap();
        group.html(&report.settings, &Looks::of(report))
    }

    #[test]
    fn contests_over_a_quantity_become_one_figure() {
        let report = Example::DEFAULT.report();
        let html = group_html(&report, "p4/vertices");
        assert_eq!(html.matches("<article").count(), 1);
        // Frame, CPU and GPU times, with four points of three contestants each, and a table per contest.
        assert_eq!(html.matches("class=\"plot\"").count(), 3);
        assert_eq!(html.matches("<title>hardware: ").count(), 3 * 4);
        assert_eq!(html.matches("<table>").count(), 4);
        assert!(html.contains("Frame time against vertices"));
    }

    #[test]
    fn parts_of_the_frame_time_that_say_nothing_new_are_left_out() {
        let mut report = Example::DEFAULT.report();
        for section in &mut report.sections {
            if let Body::Contest(contest) = &mut section.body {
                for turn in contest
                    .rounds
                    .iter_mut()
                    .flat_map(|round| round.turns.iter_mut().flatten())
                {
                    (turn.cpu_ms, turn.gpu_ms) = (0.01, Some(0.99 * turn.mean_ms()));
                }
            }
        }
        let html = group_html(&report, "p4/vertices");
        assert_eq!(html.matches("class=\"plot\"").count(), 1);
    }

    #[test]
    fn contests_without_a_quantity_stand_side_by_side() {
        let report = Example::DEFAULT.report();
        let html = group_html(&report, "p0/box/corners");
        assert_eq!(html.matches("<div class=\"row\">").count(), 1);
        assert_eq!(html.matches("class=\"plot forest\"").count(), 2);
        // Both have the same text, which is shown once.
        assert_eq!(html.matches("as many instances as it can").count(), 1);
    }

    #[test]
    fn budgets_and_frame_rates_are_guides_of_curves() {
        let mut report = Example::DEFAULT.report();
        let Body::Contest(contest) = &mut report.sections[1].body else {
            panic!("the second section is a contest");
        };
        contest.budget_ms = Some(12.5);
        let html = group_html(&report, "p0/box/corners");
        for label in ["120 fps", "60 fps", "30 fps", "budget of 12.5 ms"] {
            assert!(html.contains(&format!(">{label}</text>")), "{label}");
        }
    }
}
