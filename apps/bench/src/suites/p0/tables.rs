//! Tables of P0, with the paper's figures beside ours.

use throng_import::PositionSharing;

use super::experiments::{SKELETONS, STEPS, table_13_name, table_15_name, variant};
use super::names;
use super::printed::{
    CACHED, MODELS, Model, TABLE_13, TABLE_13_CONTROL, TABLE_15, TABLE_15_BONES, TABLE_15_CONTROL,
    TECHNIQUES,
};
use crate::ladder::instances_at;
use crate::record::{Body, Cell, Point, Report, Row, Section, Table};
use crate::stats::{Sample, welch};
use crate::suites::summary::{Contested, percent, printed, ratio_cell, refusal, table_section};

/// All tables.
pub fn tables(report: &Report) -> Vec<Section> {
    let mut sections = vec![complexity(report)];
    for sharing in [PositionSharing::Corners, PositionSharing::Shared] {
        sections.push(break_points(report, sharing));
        sections.push(t_tests(report, sharing));
    }
    sections.push(switches_13(report));
    sections.push(switches_15(report));
    sections
}

fn columns<S: Into<String>>(list: impl IntoIterator<Item = S>) -> Vec<String> {
    list.into_iter().map(Into::into).collect()
}

fn curves<'a>(report: &'a Report, model: &Model, sharing: PositionSharing) -> Option<&'a Section> {
    report.section(&format!("p0/{}/{}/curves", model.name, variant(sharing)))
}

/// Tables 1 to 8: complexity and texture sizes.
fn complexity(report: &Report) -> Section {
    let mut rows = Vec::new();
    for model in &MODELS {
        let [meshes, vertices, triangles, bones] = model.complexity.map(|n| n.to_string());
        let texels = |count: u32| match count {
            0 => Cell::text("refused: too large"),
            count => Cell::number(f64::from(count), count.to_string()),
        };
        let paper = [
            Cell::text(format!("{meshes} / {vertices} / {triangles} / {bones}")),
            texels(model.texels[0]),
            texels(model.texels[1]),
            texels(model.texels[2]),
        ];
        rows.push(Row {
            name: format!("{}, paper (texels)", model.name),
            cells: paper.into(),
        });
        for sharing in [PositionSharing::Corners, PositionSharing::Shared] {
            let Some(section) = curves(report, model, sharing) else {
                continue;
            };
            let Some(subject) = &section.subject else {
                continue;
            };
            let bytes = |name: &str| {
                let entrant = section.entrants.iter().find(|one| one.name == name);
                match entrant.map(|entrant| (refusal(entrant), entrant.gpu_bytes)) {
                    Some((Some(refusal), _)) => Cell::text(refusal),
                    Some((None, Some(bytes))) => {
                        Cell::number(bytes as f64, format!("{:.1} KiB", bytes as f64 / 1024.0))
                    }
                    _ => Cell::text("–"),
                }
            };
            rows.push(Row {
                name: format!("{}, {} (bytes)", model.name, variant(sharing)),
                cells: vec![
                    Cell::text(format!(
                        "{} / {} / {} / {}",
                        subject.meshes, subject.vertices, subject.triangles, subject.joints
                    )),
                    bytes(names::DQ_TEXTURE),
                    bytes(names::MATRIX_TEXTURE),
                    bytes(names::VERTEX_TEXTURE),
                ],
            });
        }
    }
    table_section(
        "p0/tables/complexity",
        "Tables 1 to 8: complexity and texture sizes",
        "Texels of the paper, without padding; bytes of ours, padded to powers of two. Ours have the frames of their own \
         clips.",
        Table {
            columns: columns([
                "character",
                "meshes / vertices / triangles / joints",
                "dual quaternion texture",
                "matrix texture",
                "vertex texture",
            ]),
            rows,
        },
    )
}

/// Tables 9 and 10: instances relative to the control.
fn break_points(report: &Report, sharing: PositionSharing) -> Section {
    let with_paper = sharing == PositionSharing::Corners;
    let mut headings = vec!["technique".to_owned()];
    let mut sections = Vec::new();
    for model in &MODELS {
        let Some(curves) = curves(report, model, sharing) else {
            continue;
        };
        for (at, &fps) in report.settings.fps.iter().enumerate() {
            let id = format!("p0/{}/{}/at-{fps}", model.name, variant(sharing));
            headings.push(format!("{} {fps}", model.name));
            if with_paper {
                headings.push("paper".into());
            }
            sections.push((model, at, fps, curves, report.section(&id)));
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for (_, _, _, curves, _) in &sections {
        for entrant in &curves.entrants {
            if !names.contains(&entrant.name.as_str()) {
                names.push(&entrant.name);
            }
        }
    }
    let rows = names.into_iter().map(|name| {
        let mut cells = Vec::new();
        for &(model, at, fps, curves, contest) in &sections {
            cells.push(match contest {
                Some(contest) => in_contest(contest, name),
                None => on_curve(curves, name, fps),
            });
            if with_paper {
                let technique = TECHNIQUES.iter().position(|one| *one == name);
                // The paper's tables have these three frame rates.
                let is_printed = [120.0, 60.0, 30.0].get(at) == Some(&fps);
                let paper = technique.filter(|_| is_printed);
                let paper = paper.map(|technique| model.break_points[technique][at] / 100.0);
                cells.push(paper.map_or(Cell::default(), |part| Cell::number(part, percent(part))));
            }
        }
        Row {
            name: name.to_owned(),
            cells,
        }
    });
    let (id, title, about) = match sharing {
        PositionSharing::Corners => (
            "p0/tables/break-points",
            "Tables 9 and 10: instances relative to the control, duplicated vertices",
            "Instances at a frame rate, relative to the control. Numbers with an interval are of paired rounds at the break \
             point; those without are interpolated on the curves, as the paper's are.",
        ),
        _ => (
            "p0/tables/break-points-shared",
            "Instances relative to the control, shared vertices (4.13)",
            "The paper shows this benchmark as figures 30 to 33 only. Numbers without an interval are interpolated on the \
             curves.",
        ),
    };
    let table = Table {
        columns: headings,
        rows: rows.collect(),
    };
    table_section(id, title, about, table)
}

/// Throughput of a contestant relative to the control, by paired rounds.
fn in_contest(section: &Section, name: &str) -> Cell {
    let Some(contested) = Contested::of(section) else {
        return Cell::text("–");
    };
    let Some(entrant) = contested.index(name) else {
        return Cell::default();
    };
    if entrant == 0 {
        return Cell::number(1.0, "100 %");
    }
    match refusal(&section.entrants[entrant]) {
        Some(refusal) => Cell::text(refusal),
        None if contested.contest.instances[entrant] == 0 => Cell::number(0.0, "0 %"),
        None => ratio_cell(contested.ratio(entrant, 0)),
    }
}

/// Instances of a contestant relative to the control, interpolated on the curves.
fn on_curve(section: &Section, name: &str, fps: f64) -> Cell {
    let Body::Curves { scale, curves } = &section.body else {
        return Cell::text("–");
    };
    let Some(entrant) = section.entrants.iter().position(|one| one.name == name) else {
        return Cell::default();
    };
    if let Some(refusal) = refusal(&section.entrants[entrant]) {
        return Cell::text(refusal);
    }
    let instances = |entrant: usize| {
        let curve = curves.iter().find(|curve| curve.entrant == entrant)?;
        instances_at(&curve.points, scale * 1e3 / fps)
    };
    match (instances(entrant), instances(0)) {
        (Some(instances), Some(control)) if control > 0.0 => {
            let part = instances / control;
            Cell::number(part, percent(part))
        }
        _ => Cell::text("–"),
    }
}

/// Tables 12 and 16: Welch's t-test on performance ratings, dual quaternions against matrices.
fn t_tests(report: &Report, sharing: PositionSharing) -> Section {
    let pairs = match sharing {
        PositionSharing::Corners => [
            (
                "palettes, one draw call each",
                names::GPU_DQ,
                names::GPU_MATRIX,
            ),
            ("textures", names::DQ_TEXTURE, names::MATRIX_TEXTURE),
        ],
        _ => [
            (
                "palettes, one draw call each, cached",
                names::GPU_DQ_CACHED,
                names::GPU_MATRIX_CACHED,
            ),
            ("textures", names::DQ_TEXTURE, names::MATRIX_TEXTURE),
        ],
    };
    let mut rows = Vec::new();
    for (at, (what, dual, matrix)) in pairs.into_iter().enumerate() {
        for model in &MODELS {
            let paper = match sharing {
                PositionSharing::Corners => model.table_12[at],
                _ => model.table_16[at],
            };
            let section = curves(report, model, sharing);
            let ratings = |name: &str| section.and_then(|section| ratings(section, name));
            let mut cells = match (ratings(dual), ratings(matrix)) {
                (Some(dual), Some(matrix)) => {
                    let (a, b) = (Sample::of(&dual), Sample::of(&matrix));
                    let test = welch(&a, &b);
                    vec![
                        Cell::number(
                            a.mean / b.mean - 1.0,
                            format!("{:+.1} %", 100.0 * (a.mean / b.mean - 1.0)),
                        ),
                        Cell::number(test.t, format!("{:.2}", test.t)),
                        Cell::number(
                            test.degrees_of_freedom,
                            format!("{:.0}", test.degrees_of_freedom),
                        ),
                        Cell::number(test.p, format!("{:.2e}", test.p)),
                    ]
                }
                _ => vec![Cell::text("–"); 4],
            };
            cells.push(Cell::number(paper[0] / 100.0, format!("{:+} %", paper[0])));
            cells.push(Cell::number(paper[1], format!("{:.2e}", paper[1])));
            rows.push(Row {
                name: format!("{}: {what}", model.name),
                cells,
            });
        }
    }
    let (id, title) = match sharing {
        PositionSharing::Corners => (
            "p0/tables/t-tests",
            "Table 12: t-tests of dual quaternions against matrices, duplicated vertices",
        ),
        _ => (
            "p0/tables/t-tests-shared",
            "Table 16: t-tests of dual quaternions against matrices, shared vertices",
        ),
    };
    table_section(
        id,
        title,
        "Welch's t-test on the performance ratings (frames per second × instances) of the points of a curve, as the paper \
         does it. Ratings differ along a curve, which the test takes for noise: the paired rounds above decide more.",
        Table {
            columns: columns([
                "character",
                "R.M.D.",
                "t",
                "d.f.",
                "p",
                "paper R.M.D.",
                "paper p",
            ]),
            rows,
        },
    )
}

/// Performance ratings of the kept points of a curve.
fn ratings(section: &Section, name: &str) -> Option<Vec<f64>> {
    let Body::Curves { curves, .. } = &section.body else {
        return None;
    };
    let entrant = section.entrants.iter().position(|one| one.name == name)?;
    let curve = curves.iter().find(|curve| curve.entrant == entrant)?;
    let kept = curve.points.iter().filter(|point| point.is_kept);
    Some(kept.map(|Point { turn, .. }| turn.rating()).collect())
}

/// Table 13.
fn switches_13(report: &Report) -> Section {
    let ids = ["p0/table-13/palette-dq", "p0/table-13/palette-matrix"];
    let mut rows = Vec::new();
    for (mesh, _) in STEPS {
        for (skeleton, _) in SKELETONS {
            for (upload, _) in STEPS {
                let paper = TABLE_13.iter().find(|(on, _)| {
                    let is = |word: &str, on: bool| word == if on { "on" } else { "off" };
                    is(skeleton, on[0]) && is(upload, on[1]) && is(mesh, on[2])
                });
                let paper = match (paper, skeleton, upload, mesh) {
                    (Some((_, paper)), ..) => Some(*paper),
                    (None, "cached", "on", "on") => Some(CACHED),
                    _ => None,
                };
                rows.push(switch_row(
                    report,
                    ids,
                    &table_13_name(skeleton, upload, mesh),
                    paper,
                ));
            }
        }
    }
    rows.push(switch_row(
        report,
        ids,
        names::CONTROL,
        Some(TABLE_13_CONTROL),
    ));
    switch_section(
        "p0/tables/table-13",
        "Table 13: steps of palettes, switched off",
        "Throughput relative to everything on. A mesh switch binds the buffers of every mesh for every instance. Without \
         it the paper evaluates skeletons once per mesh; ours are evaluated once. \"cached\" reads palettes from a cache \
         of 60 Hz, as in 4.13.",
        rows,
    )
}

/// Table 15.
fn switches_15(report: &Report) -> Section {
    let ids = ["p0/table-15/p0-dq8", "p0/table-15/p0-matrix8"];
    let word = |on: bool| if on { "on" } else { "off" };
    let mut rows: Vec<Row> = TABLE_15
        .iter()
        .map(|(on, paper)| {
            let [metadata, interpolation, skinning] = on.map(word);
            let name = table_15_name(metadata, interpolation, skinning);
            switch_row(report, ids, &name, Some(*paper))
        })
        .collect();
    for (skipped, paper) in [1, 2].into_iter().zip(TABLE_15_BONES) {
        let name = format!("{skipped} of 3 bones skipped");
        rows.push(switch_row(report, ids, &name, Some(paper)));
    }
    rows.push(switch_row(
        report,
        ids,
        names::CONTROL,
        Some(TABLE_15_CONTROL),
    ));
    switch_section(
        "p0/tables/table-15",
        "Table 15: steps of bone textures, switched off",
        "Throughput relative to everything on.",
        rows,
    )
}

fn switch_section(id: &str, title: &str, about: &str, rows: Vec<Row>) -> Section {
    let columns = columns(["steps", "dual quaternions", "paper", "matrices", "paper"]);
    table_section(id, title, about, Table { columns, rows })
}

fn switch_row(report: &Report, ids: [&str; 2], name: &str, paper: Option<[f64; 2]>) -> Row {
    let mut cells = Vec::new();
    for (at, id) in ids.into_iter().enumerate() {
        let contested = report.section(id).and_then(Contested::of);
        cells.push(match contested {
            Some(contested) => match contested.index(name) {
                Some(0) => Cell::number(1.0, "100 %"),
                Some(entrant) => ratio_cell(contested.ratio(entrant, 0)),
                None => Cell::text("–"),
            },
            None => Cell::text("–"),
        });
        cells.push(paper.map_or(Cell::default(), |paper| Cell {
            text: format!("{} %", paper[at]),
            ..printed(paper[at] / 100.0)
        }));
    }
    Row {
        name: name.to_owned(),
        cells,
    }
}
