//! P2: matrices and dual quaternions of hundreds of nodes, CPU against GPU.

use throng_import::PositionSharing;
use throng_rig::Method;
use throng_wgpu::Technique;

use super::summary::{Contested, ms_cell, printed, table_section};
use crate::contest::Pair;
use crate::entrant::EntrantSpec;
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Cell, Row, Table};
use crate::run::Run;
use crate::subject::SubjectSpec;

/// Name, vertices and nodes of a model, and the milliseconds of tables 4.1 (matrices) and 4.2 (dual quaternions).
const MODELS: [(&str, u32, u32, [f64; 2]); 6] = [
    ("dino, 222 nodes", 10_002, 222, [0.20, 0.20]),
    ("dino, 425 nodes", 10_002, 425, [0.25, 0.25]),
    ("dino, 1048 nodes", 10_002, 1_048, [0.35, 0.35]),
    ("giraffe", 79_226, 221, [4.40, 4.40]),
    ("raptor, coarse", 24_982, 287, [0.40, 0.40]),
    ("raptor, fine", 85_792, 287, [5.10, 5.00]),
];

/// Contestants: GPU and CPU, matrices and dual quaternions.
const NAMES: [&str; 4] = [
    "gpu, matrices",
    "gpu, dual quaternions",
    "cpu, matrices",
    "cpu, dual quaternions",
];

/// One instance of each model.
pub fn experiments() -> Vec<Experiment> {
    let experiment = |(name, vertices, nodes, _): (&str, u32, u32, [f64; 2])| {
        let technique = EntrantSpec::technique;
        let gpu = technique(Technique::PaletteMatrix).skinned(Method::Lbs);
        let entrants = vec![
            gpu.clone().named(NAMES[0]),
            gpu.named("gpu, matrices again"),
            technique(Technique::PaletteDq)
                .skinned(Method::Dqs)
                .named(NAMES[1]),
            technique(Technique::Cpu)
                .skinned(Method::Lbs)
                .named(NAMES[2]),
            technique(Technique::Cpu)
                .skinned(Method::Dqs)
                .named(NAMES[3]),
        ];
        let mut pairs = against_first(entrants.len());
        pairs.push(Pair::of(4, 3));
        let source = format!("graph:{nodes}:{vertices}");
        Experiment {
            id: format!("p2/{nodes}-{vertices}"),
            group: format!("p2/{nodes}-{vertices}"),
            title: format!("{name}: {vertices} vertices, {nodes} nodes"),
            about: "One instance of a mesh on a deformation graph: the whole frame, with evaluation of all nodes.".into(),
            x: None,
            subject: SubjectSpec::builtin(&source, PositionSharing::Shared, &[]),
            kind: Kind::Fixed {
                instances: 1,
                pairs,
                frames: None,
            },
            weight: 1.0 + f64::from(vertices) / 4e4,
            entrants,
        }
    };
    MODELS.map(experiment).into()
}

/// Adds tables 4.1 and 4.2.
pub fn summarize(run: &mut Run<'_>) {
    let mut fastest = Vec::new();
    let rows = MODELS.map(|(name, vertices, nodes, paper)| {
        let section = run.report.section(&format!("p2/{nodes}-{vertices}"));
        let contested = section.and_then(Contested::of);
        let ms = |name: &str| {
            let found = contested.as_ref().and_then(|c| Some((c, c.index(name)?)));
            found.map_or(f64::NAN, |(contested, entrant)| contested.ms(entrant))
        };
        let times = NAMES.map(ms);
        fastest.push(times[2] / times[0]);
        let mut cells = vec![
            Cell::number(f64::from(vertices), vertices.to_string()),
            Cell::number(f64::from(nodes), nodes.to_string()),
        ];
        cells.extend(times.map(ms_cell));
        cells.extend(paper.map(printed));
        Row {
            name: name.to_owned(),
            cells,
        }
    });
    let columns = [
        "model",
        "vertices",
        "nodes",
        NAMES[0],
        NAMES[1],
        NAMES[2],
        NAMES[3],
        "paper, matrices",
        "paper, dual quaternions",
    ];
    let table = table_section(
        "p2/tables/times",
        "Tables 4.1 and 4.2: milliseconds per frame",
        "The paper's GPU times are of 2009; it measures deforming and rendering.",
        Table {
            columns: columns.map(String::from).into(),
            rows: rows.into(),
        },
    );
    run.put(table);
    let measured: Vec<f64> = fastest
        .into_iter()
        .filter(|ratio| ratio.is_finite())
        .collect();
    if !measured.is_empty() {
        let [low, high] = [f64::min, f64::max]
            .map(|pick| measured.iter().copied().reduce(pick).unwrap_or(f64::NAN));
        run.report.answers.push(Answer {
            heading: "P2: palettes of hundreds of nodes".into(),
            text: format!(
                "A frame skinned by the CPU takes {low:.2} to {high:.2} times as long as one skinned by the GPU with the \
                 same matrices, from 10 002 to 85 792 vertices and up to 1 048 nodes."
            ),
        });
    }
}
