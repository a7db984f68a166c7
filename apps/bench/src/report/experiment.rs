//! Experiments on the page: plots and tables of the sections of a group.

use super::forest_plot::{Block, Forest, Row};
use super::line_plot::{Guide, LinePlot, Mark, Series};
use super::looks::Looks;
use super::series::series;
use super::summary::{Mean, contest_of, kept};
use super::tables::{contest_table, curve_table, data_table, entrant_name, point_table};
use super::text::{count, escape, number};
use crate::record::{Body, Contest, Curve, Report, Section, Settings, Subject};

/// Sections that are shown together.
pub struct Group<'a> {
    /// Name, such as `p0/box/corners`.
    pub name: &'a str,
    /// Sections, in order, with their index in the report.
    pub sections: Vec<(usize, &'a Section)>,
}

/// An experiment: a section, or those that differ by one quantity.
enum Experiment<'a> {
    One(usize, &'a Section),
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
        for experiment in self.experiments() {
            html += &match experiment {
                Experiment::One(index, section) => {
                    let heading = (self.sections.len() > 1).then_some(section.title.as_str());
                    let body = self.section(section, settings, looks);
                    article(index, heading, section, &body)
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
            let Some(own) = label(section) else {
                experiments.push(Experiment::One(index, section));
                continue;
            };
            if labels.contains(&own) {
                continue;
            }
            let same = self.sections.iter().copied();
            let same: Vec<_> = same
                .filter(|(_, other)| label(other).as_ref() == Some(&own))
                .collect();
            labels.push(own);
            experiments.push(match same.len() {
                1 => Experiment::One(index, section),
                _ => Experiment::Series(same),
            });
        }
        experiments
    }

    fn section(&self, section: &Section, settings: &Settings, looks: &Looks) -> String {
        match &section.body {
            Body::Curves { curves } => {
                let plot = curve_plot(section, curves, self.guides(settings), looks);
                let points: usize = curves.iter().map(|curve| kept(curve).len()).sum();
                let table = curve_table(section, curves, &settings.fps);
                let figure = figure(&[plot.svg()], &plot.legend(), section);
                let details = match points {
                    0 => String::new(),
                    _ => details(&count(points, "point"), &point_table(section, curves)),
                };
                figure + &table + &details
            }
            Body::Contest(contest) => {
                let forest = forest(section, contest, settings.margin);
                let figure = match forest.blocks.is_empty() {
                    true => prose(section),
                    false => figure(&[forest.svg()], "", section),
                };
                figure + &contest_table(section, contest)
            }
            Body::Table(table) => prose(section) + &data_table(table),
        }
    }

    /// Frame rates of the settings, and the budgets of contests of the group.
    fn guides(&self, settings: &Settings) -> Vec<Guide> {
        let rates = settings.fps.iter().map(|fps| Guide {
            y: *fps,
            label: format!("{} fps", number(*fps, 1)),
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

/// An experiment with its heading.
pub fn article(index: usize, heading: Option<&str>, section: &Section, body: &str) -> String {
    let heading = heading.map(|title| format!("<h4>{}</h4>\n", escape(title)));
    let state = match section.is_complete {
        true => "",
        false => "<p class=\"warn\">Not finished: the run was interrupted here.</p>\n",
    };
    format!(
        "<article id=\"s{index}\">{}{state}{body}</article>\n",
        heading.unwrap_or_default()
    )
}

/// Text and remarks of a section.
pub fn prose(section: &Section) -> String {
    let notes: String = section
        .notes
        .iter()
        .map(|note| format!("<li>{}</li>", escape(note)))
        .collect();
    let notes = match notes.as_str() {
        "" => notes,
        _ => format!("<ul class=\"notes\">{notes}</ul>\n"),
    };
    format!("<p>{}</p>\n{notes}", escape(&section.about))
}

/// Plots, with the text and the legend beside them.
pub fn figure(plots: &[String], legend: &str, section: &Section) -> String {
    format!(
        "<figure class=\"plots{}\"><div class=\"pictures\">{}</div><figcaption>{}{legend}</figcaption></figure>\n",
        plots.len(),
        plots.concat(),
        prose(section),
    )
}

/// Content that is shown on demand.
pub fn details(summary: &str, content: &str) -> String {
    format!(
        "<details><summary>{}</summary>{content}</details>\n",
        escape(summary)
    )
}

fn subject_line(subject: &Subject) -> String {
    let parts = [
        count(subject.vertices, "vertex"),
        count(subject.triangles, "triangle"),
        count(subject.meshes, "mesh"),
        count(subject.joints, "joint"),
        format!(
            "up to {} per vertex",
            count(subject.influences, "influence")
        ),
        format!("{} m", number(subject.size_m, 3)),
        format!("{} s of clips", number(subject.clip_secs, 3)),
    ];
    format!(
        "<b>{}</b> <code>{}</code>: {}",
        escape(&subject.name),
        escape(&subject.source),
        parts.join(", ")
    )
}

fn curve_plot<'a>(
    section: &'a Section,
    curves: &[Curve],
    guides: Vec<Guide>,
    looks: &Looks,
) -> LinePlot<'a> {
    let curves: Vec<&Curve> = curves
        .iter()
        .filter(|curve| !kept(curve).is_empty())
        .collect();
    let names: Vec<&str> = curves
        .iter()
        .map(|curve| entrant_name(section, curve.entrant))
        .collect();
    let looks = looks.assign(&names);
    let line = |(index, curve): (usize, &&Curve)| Series {
        name: names[index].to_owned(),
        look: looks[index],
        points: kept(curve)
            .into_iter()
            .map(|point| {
                let turn = &point.turn;
                let mean = Mean::of(&turn.frames_ms);
                let [low, high] = mean.interval();
                Mark {
                    x: f64::from(turn.instances),
                    y: 1e3 / mean.value,
                    interval: [
                        1e3 / high,
                        if low > 0.0 {
                            1e3 / low
                        } else {
                            1e3 / mean.value
                        },
                    ],
                    tip: format!(
                        "{}: {}, {} frames/s, {} ms",
                        names[index],
                        count(turn.instances as usize, "instance"),
                        number(1e3 / mean.value, 3),
                        number(mean.value, 3)
                    ),
                }
            })
            .collect(),
    };
    LinePlot {
        x_label: "instances",
        y_label: "frames per second",
        subject: &section.title,
        series: curves.iter().enumerate().map(line).collect(),
        guides,
    }
}

/// Ratios by what they are compared with, fastest first.
fn forest(section: &Section, contest: &Contest, margin: f64) -> Forest {
    let mut blocks: Vec<(usize, Block)> = Vec::new();
    for ratio in contest.ratios.iter().filter(|ratio| ratio.ratio > 0.0) {
        let row = Row {
            name: entrant_name(section, ratio.entrant).to_owned(),
            ratio: ratio.ratio,
            interval: [ratio.low, ratio.high],
            verdict: ratio.verdict,
            is_same: ratio.is_same,
        };
        match blocks
            .iter_mut()
            .find(|(against, _)| *against == ratio.against)
        {
            Some((_, block)) => block.rows.push(row),
            None => {
                let against = entrant_name(section, ratio.against).to_owned();
                blocks.push((
                    ratio.against,
                    Block {
                        against,
                        rows: vec![row],
                    },
                ));
            }
        }
    }
    for (_, block) in &mut blocks {
        block.rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    }
    Forest {
        blocks: blocks.into_iter().map(|(_, block)| block).collect(),
        margin,
    }
}
