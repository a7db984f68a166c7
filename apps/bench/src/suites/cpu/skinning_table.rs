//! Table of a skinning scene, and the required speeds.

use throng_rig::Method;
use throng_skin::fast::Cores;

use super::factor_cell;
use super::scene::SceneSpec;
use super::skinning::{Contestant, METHODS};
use crate::record::{Answer, Cell, Ratio, Report, Row, Section, Table};
use crate::suites::summary::{Contested, percent, ratio_cell, table_section};

/// Required speed on one core, relative to the fastest glam loop.
const REQUIRED: [(Method, f64); 3] = [
    (Method::Lbs, 2.0),
    (Method::Dqs, 5.0),
    (Method::Blend(0.5), 3.0),
];

/// Scene of [`REQUIRED`].
const REQUIRED_SCENE: SceneSpec = SceneSpec::Body(100_000);

/// Required speed of the glam loop, as a fraction of the memory ceiling: a slower loop is not a fair baseline.
const MIN_GLAM_OF_CEILING: f64 = 0.35;

/// Id of the section of a scene and a method.
pub fn section_id(scene: SceneSpec, method: Method) -> String {
    format!("cpu/skinning/{}/{method}", scene.id())
}

/// Table of the methods of a scene that were measured; `None` if none was.
pub fn table(report: &Report, scene: SceneSpec) -> Option<Section> {
    let contests: Vec<(Method, Contested<'_>)> = METHODS
        .into_iter()
        .filter_map(|method| Some((method, contested(report, scene, method)?)))
        .collect();
    let (_, first) = contests.first()?;
    let rows = std::iter::once(ceiling_row(first))
        .chain(contests.iter().map(|(method, one)| row(*method, one)));
    let mut section = table_section(
        &format!("cpu/tables/skinning-{}", scene.id()),
        &format!("Skinning on the CPU: {}", scene.title()),
        "M vertices/s, positions and normals. The glam loop is the fastest of the plain loops, on one core; methods past the blends have none. The memory ceiling is \
         a kernel that reads and writes the same bytes without arithmetic.",
        Table {
            columns: [
                "method",
                "glam loop",
                "one core",
                "ns per vertex",
                "ratio to the glam loop",
                "of the memory ceiling",
                "all cores",
                "ratio to one core",
                "one core, in mesh order",
            ]
            .map(String::from)
            .into(),
            rows: rows.collect(),
        },
    );
    if scene == REQUIRED_SCENE {
        section.notes = contests
            .iter()
            .flat_map(|(method, one)| remarks(*method, one))
            .collect();
    }
    Some(section)
}

/// Compares each method with the glam loop on the scene of the required speeds; `None` if nothing was measured.
pub fn answer(report: &Report) -> Option<Answer> {
    let ratios = METHODS.into_iter().filter_map(|method| {
        let contested = contested(report, REQUIRED_SCENE, method)?;
        let ratio = of_glam(&contested)?;
        Some(format!("{method} {:.1}×", ratio.ratio))
    });
    let ratios: Vec<String> = ratios.collect();
    (!ratios.is_empty()).then(|| Answer {
        heading: "CPU: skinning against a plain glam loop".into(),
        text: format!(
            "On one core and {}, throughput relative to the fastest glam loop: {}.",
            REQUIRED_SCENE.title(),
            ratios.join(", ")
        ),
    })
}

fn contested(report: &Report, scene: SceneSpec, method: Method) -> Option<Contested<'_>> {
    let section = report.section(&section_id(scene, method))?;
    Contested::of(section)
}

fn ceiling_row(contested: &Contested<'_>) -> Row {
    let [one, all] = [Cores::One, Cores::All].map(Contestant::MoveBytes);
    Row {
        name: "moving the bytes".into(),
        cells: vec![
            Cell::default(),
            speed_cell(contested, one),
            time_cell(contested, one),
            Cell::default(),
            Cell::default(),
            speed_cell(contested, all),
            factor_cell(ratio(contested, all, one)),
            Cell::default(),
        ],
    }
}

fn row(method: Method, contested: &Contested<'_>) -> Row {
    let [one, all] = [Cores::One, Cores::All].map(Contestant::Ours);
    Row {
        name: method.to_string(),
        cells: vec![
            match fastest_glam(contested) {
                Some(glam) => speed_cell(contested, glam),
                None => Cell::text("–"),
            },
            speed_cell(contested, one),
            time_cell(contested, one),
            factor_cell(of_glam(contested)),
            ratio_cell(ratio(contested, one, Contestant::MoveBytes(Cores::One))),
            speed_cell(contested, all),
            factor_cell(ratio(contested, all, one)),
            speed_cell(contested, Contestant::InMeshOrder),
        ],
    }
}

/// Required speeds of a method, and whether they were met.
fn remarks(method: Method, contested: &Contested<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    let required = REQUIRED.iter().find(|(of, _)| *of == method);
    if let (Some((_, required)), Some(ratio)) = (required, of_glam(contested)) {
        let verdict = if ratio.ratio >= *required {
            "met"
        } else {
            "MISSED"
        };
        remarks.push(format!(
            "{method}: {:.2}× the glam loop, required {required}×: {verdict}",
            ratio.ratio
        ));
    }
    let ceiling = Contestant::MoveBytes(Cores::One);
    let glam = fastest_glam(contested).and_then(|glam| ratio(contested, glam, ceiling));
    if let (Method::Lbs, Some(ratio)) = (method, glam) {
        let verdict = if ratio.ratio >= MIN_GLAM_OF_CEILING {
            "a fair baseline"
        } else {
            "slower than a loop that is bound by memory"
        };
        remarks.push(format!(
            "{method}: the glam loop is at {} of the memory ceiling: {verdict}",
            percent(ratio.ratio)
        ));
    }
    remarks
}

/// The plain loop with the highest throughput; `None` if none was measured.
fn fastest_glam(contested: &Contested<'_>) -> Option<Contestant> {
    let rated = Contestant::glam().into_iter().filter_map(|glam| {
        let rating = contested.rating(contested.index(&glam.name())?);
        (rating > 0.0).then_some((rating, glam))
    });
    let fastest = rated.max_by(|a, b| a.0.total_cmp(&b.0));
    fastest.map(|(_, glam)| glam)
}

/// Ours on one core, relative to the fastest plain loop.
fn of_glam<'a>(contested: &Contested<'a>) -> Option<&'a Ratio> {
    let glam = fastest_glam(contested)?;
    ratio(contested, Contestant::Ours(Cores::One), glam)
}

fn ratio<'a>(
    contested: &Contested<'a>,
    entrant: Contestant,
    against: Contestant,
) -> Option<&'a Ratio> {
    contested.ratio_of(&entrant.name(), &against.name())
}

/// M vertices/s.
fn speed_cell(contested: &Contested<'_>, contestant: Contestant) -> Cell {
    let index = contested.index(&contestant.name());
    match index.map(|index| 1e-6 * contested.rating(index)) {
        Some(speed) if speed > 0.0 => Cell::number(speed, format!("{speed:.0}")),
        _ => Cell::text("–"),
    }
}

/// Nanoseconds per vertex.
fn time_cell(contested: &Contested<'_>, contestant: Contestant) -> Cell {
    let index = contested.index(&contestant.name());
    match index.map(|index| contested.rating(index)) {
        Some(rating) if rating > 0.0 => {
            let nanoseconds = 1e9 / rating;
            Cell::number(nanoseconds, format!("{nanoseconds:.2}"))
        }
        _ => Cell::text("–"),
    }
}
