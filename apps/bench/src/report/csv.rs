//! Samples and results as CSV files.

use csv::Writer;

use super::summary::{Mean, break_point, summaries};
use super::tables::entrant_name;
use crate::record::{Body, Contest, Curve, Entrant, Report, Section, Status, Table, Turn};
use crate::stats::Sample;

const SAMPLES: [&str; 12] = [
    "section",
    "entrant",
    "kind",
    "index",
    "position",
    "kept",
    "instances",
    "frames",
    "mean_ms",
    "sd_ms",
    "cpu_ms",
    "gpu_ms",
];

const RESULTS: [&str; 12] = [
    "section", "group", "x_label", "x", "kind", "name", "against", "value", "low", "high", "text",
    "note",
];

/// Writes a report as CSV files: names and contents.
///
/// - `samples.csv`: one row per turn. `kind` is `curve` or `contest`, `index` the number of the point or of the round,
///   `position` the place in the order of the round, `kept` whether the point is part of the curve.
/// - `results.csv`: one row per number. `kind` is `ratio`, `aa-ratio` (a pair of equal contestants), `instances`,
///   `mean-ms`, `cpu-ms`, `gpu-ms`, `break-point` (instances of a curve at the frame rate in `against`), `cell` (`against`
///   is the column), `gpu-bytes`, `max-error-mm`, `picture-error-mm` or `status`.
///
/// Together with `report.json` they hold everything that the page shows.
pub fn csv(report: &Report) -> Vec<(&'static str, String)> {
    vec![
        ("samples.csv", samples(report)),
        ("results.csv", results(report)),
    ]
}

/// A CSV file in memory.
struct File(Writer<Vec<u8>>);

impl File {
    fn new(header: &[&str]) -> Self {
        let mut file = Self(Writer::from_writer(Vec::new()));
        file.row(header);
        file
    }

    fn row<T: AsRef<[u8]>>(&mut self, fields: &[T]) {
        self.0
            .write_record(fields)
            .expect("memory takes rows of equal length");
    }

    fn text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes every byte");
        String::from_utf8(bytes).expect("fields are UTF-8")
    }
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn samples(report: &Report) -> String {
    let mut file = File::new(&SAMPLES);
    for section in &report.sections {
        match &section.body {
            Body::Curves { curves, .. } => {
                for curve in curves {
                    for (index, point) in curve.points.iter().enumerate() {
                        let place = [
                            "curve".into(),
                            index.to_string(),
                            String::new(),
                            point.is_kept.to_string(),
                        ];
                        sample(&mut file, section, curve.entrant, place, &point.turn);
                    }
                }
            }
            Body::Contest(contest) => {
                for (index, round) in contest.rounds.iter().enumerate() {
                    for (entrant, turn) in round.turns.iter().enumerate() {
                        let Some(turn) = turn else { continue };
                        let position = round.order.iter().position(|other| *other == entrant);
                        let position = position.map(|position| position.to_string());
                        let place = [
                            "contest".into(),
                            index.to_string(),
                            position.unwrap_or_default(),
                            "true".into(),
                        ];
                        sample(&mut file, section, entrant, place, turn);
                    }
                }
            }
            Body::Table(_) => {}
        }
    }
    file.text()
}

fn sample(file: &mut File, section: &Section, entrant: usize, place: [String; 4], turn: &Turn) {
    let mut row = vec![
        section.id.clone(),
        entrant_name(section, entrant).to_owned(),
    ];
    row.extend(place);
    let frames = Sample::of(&turn.frames_ms);
    row.extend([
        turn.instances.to_string(),
        frames.count.to_string(),
        turn.mean_ms().to_string(),
        frames.variance.sqrt().to_string(),
        turn.cpu_ms.to_string(),
        optional(turn.gpu_ms),
    ]);
    file.row(&row);
}

/// A result of a section.
#[derive(Default)]
struct Result<'a> {
    kind: &'a str,
    name: &'a str,
    against: &'a str,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    text: &'a str,
    note: &'a str,
}

fn results(report: &Report) -> String {
    let mut file = File::new(&RESULTS);
    for section in &report.sections {
        let mut write = |result: &Result| {
            let x = section.x.as_ref();
            file.row(&[
                section.id.clone(),
                section.group.clone(),
                x.map(|x| x.label.clone()).unwrap_or_default(),
                optional(x.map(|x| x.value)),
                result.kind.into(),
                result.name.into(),
                result.against.into(),
                optional(result.value),
                optional(result.interval.map(|[low, _]| low)),
                optional(result.interval.map(|[_, high]| high)),
                result.text.into(),
                result.note.into(),
            ]);
        };
        for entrant in &section.entrants {
            entrant_results(entrant, &mut write);
        }
        match &section.body {
            Body::Curves { curves, .. } => {
                curve_results(section, curves, &report.settings.fps, &mut write);
            }
            Body::Contest(contest) => contest_results(section, contest, &mut write),
            Body::Table(table) => table_results(table, &mut write),
        }
    }
    file.text()
}

fn entrant_results(entrant: &Entrant, write: &mut impl FnMut(&Result)) {
    let name = entrant.name.as_str();
    let (text, note) = match &entrant.status {
        Status::Measured => ("measured", ""),
        Status::Refused { reason } => ("refused", reason.as_str()),
        Status::WrongPicture { reason } => ("wrong-picture", reason.as_str()),
    };
    write(&Result {
        kind: "status",
        name,
        text,
        note,
        ..Result::default()
    });
    for (kind, value) in [
        ("gpu-bytes", entrant.gpu_bytes.map(|bytes| bytes as f64)),
        ("max-error-mm", entrant.max_error_mm),
        ("picture-error-mm", entrant.picture_error_mm),
    ] {
        if value.is_some() {
            write(&Result {
                kind,
                name,
                value,
                ..Result::default()
            });
        }
    }
}

fn curve_results(
    section: &Section,
    curves: &[Curve],
    fps: &[f64],
    write: &mut impl FnMut(&Result),
) {
    for curve in curves {
        for fps in fps {
            write(&Result {
                kind: "break-point",
                name: entrant_name(section, curve.entrant),
                against: &format!("{fps} fps"),
                value: break_point(curve, *fps),
                ..Result::default()
            });
        }
    }
}

fn contest_results(section: &Section, contest: &Contest, write: &mut impl FnMut(&Result)) {
    let budget = contest
        .budget_ms
        .map(|ms| format!("{ms} ms"))
        .unwrap_or_default();
    for summary in summaries(section, contest) {
        let name = entrant_name(section, summary.entrant);
        let instances = Some(f64::from(summary.instances));
        write(&Result {
            kind: "instances",
            name,
            against: &budget,
            value: instances,
            ..Result::default()
        });
        let mut write_mean = |kind, mean: Mean| {
            let interval = mean.half_width.map(|_| mean.interval());
            write(&Result {
                kind,
                name,
                value: Some(mean.value),
                interval,
                ..Result::default()
            });
        };
        write_mean("mean-ms", summary.frame_ms);
        write_mean("cpu-ms", summary.cpu_ms);
        if let Some(gpu_ms) = summary.gpu_ms {
            write_mean("gpu-ms", gpu_ms);
        }
    }
    for ratio in &contest.ratios {
        write(&Result {
            kind: if ratio.is_same { "aa-ratio" } else { "ratio" },
            name: entrant_name(section, ratio.entrant),
            against: entrant_name(section, ratio.against),
            value: Some(ratio.ratio),
            interval: Some([ratio.low, ratio.high]),
            text: &ratio.verdict.to_string(),
            note: "",
        });
    }
}

fn table_results(table: &Table, write: &mut impl FnMut(&Result)) {
    for row in &table.rows {
        for (index, cell) in row.cells.iter().enumerate() {
            write(&Result {
                kind: "cell",
                name: &row.name,
                against: table.columns.get(index + 1).map_or("", String::as_str),
                value: cell.value,
                interval: cell.interval,
                text: &cell.text,
                note: "",
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::Example;

    /// Rows of a file, without the header.
    fn rows(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.records().map(|row| row.unwrap());
        rows.map(|row| row.iter().map(String::from).collect())
            .collect()
    }

    fn column(header: &[&str], name: &str) -> usize {
        header.iter().position(|other| *other == name).unwrap()
    }

    #[test]
    fn every_turn_is_a_row_of_samples() {
        let report = Example::DEFAULT.report();
        let turns = |section: &Section| match &section.body {
            Body::Curves { curves, .. } => curves.iter().map(|curve| curve.points.len()).sum(),
            Body::Contest(contest) => contest
                .rounds
                .iter()
                .flat_map(|round| &round.turns)
                .flatten()
                .count(),
            Body::Table(_) => 0,
        };
        let rows = rows(&csv(&report)[0].1);
        assert_eq!(rows.len(), report.sections.iter().map(turns).sum::<usize>());
        let [kind, position, kept] =
            ["kind", "position", "kept"].map(|name| column(&SAMPLES, name));
        let curve = rows
            .iter()
            .find(|row| row[kind] == "curve" && row[kept] == "false");
        assert!(curve.is_some_and(|row| row[position].is_empty()));
        // The first round of the last section has the order 2, 0, 1.
        let last = report.sections.last().unwrap();
        let first_round = rows.iter().filter(|row| row[0] == last.id).take(3);
        assert!(
            first_round
                .map(|row| row[position].as_str())
                .eq(["1", "2", "0"])
        );
    }

    #[test]
    fn samples_hold_means_and_deviations() {
        let report = Example::DEFAULT.report();
        let Body::Curves { curves, .. } = &report.sections[0].body else {
            panic!("the first section has curves");
        };
        let turn = &curves[0].points[0].turn;
        let rows = rows(&csv(&report)[0].1);
        let value = |name: &str| -> f64 { rows[0][column(&SAMPLES, name)].parse().unwrap() };
        assert_eq!(value("mean_ms"), turn.mean_ms());
        assert_eq!(value("frames"), turn.frames_ms.len() as f64);
        assert_eq!(value("sd_ms"), Sample::of(&turn.frames_ms).variance.sqrt());
        assert_eq!(Some(value("gpu_ms")), turn.gpu_ms);
    }

    #[test]
    fn every_ratio_and_cell_is_a_row_of_results() {
        let mut report = Example::DEFAULT.report();
        report.sections[1].entrants[0].name = "a \"quoted\",\nname".into();
        let rows = rows(&csv(&report)[1].1);
        let count = |kind: &str| {
            rows.iter()
                .filter(|row| row[column(&RESULTS, "kind")] == kind)
                .count()
        };
        // Four contests with nine ratios, one of which is the A/A pair, and four with two.
        assert_eq!(count("ratio"), 4 * 8 + 4 * 2);
        assert_eq!(count("aa-ratio"), 4);
        assert_eq!(count("cell"), 4 * 3);
        // Two sections with eight curves, at three frame rates.
        assert_eq!(count("break-point"), 2 * 8 * 3);
        assert_eq!(count("mean-ms"), 4 * 9 + 4 * 3);
        let against = column(&RESULTS, "against");
        assert!(rows.iter().any(|row| row[against] == "a \"quoted\",\nname"));
    }
}
