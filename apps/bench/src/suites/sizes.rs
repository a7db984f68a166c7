//! Bytes and error of every encoding.

use throng_bake::Preset;
use throng_format::{Encoding, Precision, Storage};
use throng_import::PositionSharing;

use super::summary::{bytes, table_section};
use crate::BenchError;
use crate::entrant::{Content, EntrantSpec, Sets};
use crate::record::{Answer, Body, Cell, Row, Table};
use crate::run::Run;
use crate::subject::SubjectSpec;

/// Built-in characters whose sizes are listed.
pub fn characters() -> Vec<SubjectSpec> {
    ["humanoid", "bar", "box", "cylinder", "graph:222:10002"]
        .map(|name| SubjectSpec::builtin(name, PositionSharing::Shared, &[]))
        .into()
}

/// Every encoding and storage, and the papers' presets.
fn encodings() -> Vec<EntrantSpec> {
    let frames = [
        Precision::Unorm8,
        Precision::Unorm16,
        Precision::F16,
        Precision::F32,
    ];
    let mut specs = Vec::new();
    for &encoding in Encoding::ALL {
        if encoding != Encoding::BoneLocal {
            for precision in frames {
                specs.push(Content::Baked(encoding, Storage::Frames(precision)));
            }
        }
        if matches!(encoding, Encoding::BoneLocal | Encoding::Vertex) {
            specs.push(Content::Baked(encoding, Storage::Compressed));
        }
    }
    specs.extend(Preset::ALL.map(Content::Preset));
    specs.into_iter().map(EntrantSpec::new).collect()
}

/// Adds a table per character. Encodings that a character does not allow are listed with the reason.
pub fn measure(run: &mut Run<'_>, characters: &[SubjectSpec]) -> Result<(), BenchError> {
    for spec in characters {
        let id = format!("sizes/{}/table", spec.source);
        if run.report.section(&id).is_some() {
            continue;
        }
        run.progress().stage(&format!("sizes of {}", spec.source));
        let (character, subject) = spec.prepare()?;
        let mut sets = Sets::new(&character, &spec.source, run.progress());
        let mut rows = Vec::new();
        let mut notes = Vec::new();
        for entrant in encodings() {
            if run.is_interrupted() {
                return Ok(());
            }
            let cells = match sets.of(&entrant) {
                Some(Ok(measured)) => {
                    let (report, errors) = (&measured.report, measured.report.error.errors.overall);
                    let mm = |mm: f64| Cell::number(mm, format!("{mm:.3}"));
                    vec![
                        Cell::number(report.gpu_bytes as f64, bytes(report.gpu_bytes)),
                        Cell::number(
                            report.bytes_per_joint_frame,
                            format!("{:.2}", report.bytes_per_joint_frame),
                        ),
                        mm(errors.max_error_mm),
                        Cell::number(
                            errors.max_error_of_size,
                            format!("{:.4} %", 100.0 * errors.max_error_of_size),
                        ),
                        mm(errors.rms_error_mm),
                    ]
                }
                Some(Err(reason)) => {
                    notes.push(format!("{}: {reason}", entrant.name));
                    let mut cells = vec![Cell::text("refused")];
                    cells.resize(5, Cell::text("–"));
                    cells
                }
                None => continue,
            };
            rows.push(Row {
                name: entrant.name,
                cells,
            });
        }
        let columns = [
            "encoding",
            "GPU bytes",
            "bytes/joint/frame",
            "max error mm",
            "% of size",
            "RMS mm",
        ];
        let mut section = table_section(
            &id,
            &format!("Bytes and error of every encoding: {}", spec.source),
            "All clips at the spacing of their keys. The max error is a bound over all vertices and times; compressed curves \
             keep the default error of 0.028 % of size. Frames interpolate between samples, which is most of their error.",
            Table {
                columns: columns.map(String::from).into(),
                rows,
            },
        );
        section.subject = Some(subject);
        section.notes = notes;
        run.put(section);
        run.save()?;
    }
    Ok(())
}

/// Adds an answer per character.
pub fn summarize(run: &mut Run<'_>) {
    let answers = run.report.sections.iter().filter_map(|section| {
        let is_sizes = section.id.starts_with("sizes/");
        match (&section.body, &section.subject) {
            (Body::Table(table), Some(subject)) if is_sizes => answer(&subject.source, &table.rows),
            _ => None,
        }
    });
    let answers: Vec<Answer> = answers.collect();
    run.report.answers.extend(answers);
}

/// Names the smallest set within a thousandth of the size, and the smallest of frames.
fn answer(source: &str, rows: &[Row]) -> Option<Answer> {
    let smallest = |is_counted: &dyn Fn(&Row) -> bool| {
        let good = rows.iter().filter(|row| {
            let is_within = row.cells[3].value.is_some_and(|error| error <= 1e-3);
            is_within && is_counted(row)
        });
        good.min_by(|a, b| {
            let bytes = |row: &Row| row.cells[0].value.unwrap_or(f64::INFINITY);
            bytes(a).total_cmp(&bytes(b))
        })
    };
    let text = |row: &Row| {
        format!(
            "{} takes {} at {} mm",
            row.name, row.cells[0].text, row.cells[2].text
        )
    };
    let best = smallest(&|_| true)?;
    let frames =
        smallest(&|row| !row.name.ends_with("compressed")).filter(|row| row.name != best.name);
    Some(Answer {
        heading: format!("{source}: the smallest set within 0.1 % of size"),
        text: match frames {
            Some(frames) => format!("{}; of frames, {}.", text(best), text(frames)),
            None => format!("{}.", text(best)),
        },
    })
}
