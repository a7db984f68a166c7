//! P1: LBS, DQS and their blend on three characters, and the deform factor.

use throng_import::PositionSharing;
use throng_rig::Method;
use throng_wgpu::Technique;

use super::summary::{Contested, ms_cell, printed, ratio_cell, table_section};
use crate::entrant::EntrantSpec;
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Cell, Row, Table};
use crate::run::Run;
use crate::stats::Verdict;
use crate::subject::SubjectSpec;

/// A character of table 5.1, ours of as many vertices, its clip, and the milliseconds of table 5.3 for LBS, DQS and the blend.
struct Model {
    name: &'static str,
    builtin: &'static str,
    clip: &'static str,
    ms: [f64; 3],
}

const MODELS: [Model; 3] = [
    Model {
        name: "mutant",
        builtin: "humanoid:25259",
        clip: "walk",
        ms: [6.23, 6.07, 6.14],
    },
    Model {
        name: "groo",
        builtin: "humanoid:54220",
        clip: "run",
        ms: [8.95, 8.89, 8.44],
    },
    Model {
        name: "starkie",
        builtin: "humanoid:87849",
        clip: "dance",
        ms: [9.45, 9.21, 9.12],
    },
];

/// Deform factors of figures 5.9 to 5.11.
const FACTORS: [f64; 5] = [0.0, 0.25, 0.55, 0.75, 1.0];

/// Frames of each contestant, as in the paper.
const FRAMES: u32 = 3000;

/// Methods and deform factors on three characters.
pub fn experiments() -> Vec<Experiment> {
    let mut experiments = Vec::new();
    for model in &MODELS {
        let subject = SubjectSpec::builtin(model.builtin, PositionSharing::Shared, &[model.clip]);
        let palette = EntrantSpec::technique(Technique::PaletteDq);
        let lbs = EntrantSpec::technique(Technique::PaletteMatrix).skinned(Method::Lbs);
        let methods = [
            lbs.clone().named("lbs"),
            lbs.named("lbs again"),
            palette.clone().named("dqs").skinned(Method::Dqs),
            palette
                .clone()
                .named("blend:0.5")
                .skinned(Method::Blend(0.5)),
            palette
                .clone()
                .named("blend-positions:0.5")
                .skinned(Method::BlendPositions(0.5)),
        ];
        experiments.push(experiment(
            model,
            "methods",
            "One instance, its palette evaluated and uploaded each frame; turns of 30 frames in random order.",
            &subject,
            methods.into(),
            FRAMES / 10,
        ));
        let mut factors: Vec<EntrantSpec> = FACTORS
            .into_iter()
            .map(|factor| {
                let name = format!("deform factor {factor}");
                palette.clone().named(name).skinned(Method::Blend(factor))
            })
            .collect();
        let again = format!("{} again", factors[0].name);
        factors.insert(1, factors[0].clone().named(again));
        experiments.push(experiment(
            model,
            "deform-factor",
            "Blends of LBS (0) and DQS (1), 3 000 frames of each factor.",
            &subject,
            factors,
            FRAMES,
        ));
    }
    experiments
}

fn experiment(
    model: &Model,
    what: &str,
    about: &str,
    subject: &SubjectSpec,
    entrants: Vec<EntrantSpec>,
    frames: u32,
) -> Experiment {
    Experiment {
        id: format!("p1/{}/{what}", model.name),
        group: format!("p1/{}", model.name),
        title: match what {
            "methods" => format!("{}: skinning methods ({})", model.name, subject.source),
            _ => format!("{}: deform factor ({})", model.name, subject.source),
        },
        about: about.to_owned(),
        x: None,
        subject: subject.clone(),
        kind: Kind::Fixed {
            instances: 1,
            pairs: against_first(entrants.len()),
            frames: Some(frames),
        },
        weight: f64::from(frames) * if model.name == "mutant" { 1.0 } else { 2.0 },
        entrants,
    }
}

/// Adds tables 5.2 and 5.3, the sweep, and the paper's question.
pub fn summarize(run: &mut Run<'_>) {
    let contested = |id: String| run.report.section(&id).and_then(Contested::of);
    let names = ["lbs", "dqs", "blend:0.5"];
    let mut rows = Vec::new();
    let mut slower = Vec::new();
    for model in &MODELS {
        let methods = contested(format!("p1/{}/methods", model.name));
        let mut cells = Vec::new();
        for (at, name) in names.into_iter().enumerate() {
            let entrant = methods
                .as_ref()
                .and_then(|methods| Some((methods, methods.index(name)?)));
            cells.push(entrant.map_or(Cell::text("–"), |(methods, entrant)| {
                ms_cell(methods.ms(entrant))
            }));
            cells.push(printed(model.ms[at]));
        }
        if let Some(ratio) = methods.and_then(|methods| methods.ratio_of("blend:0.5", "lbs")) {
            slower.push((model.name, ratio.clone()));
        }
        rows.push(Row {
            name: model.name.to_owned(),
            cells,
        });
    }
    let times = table_section(
        "p1/tables/times",
        "Table 5.3: milliseconds per frame of skinning methods",
        "One instance with a palette of the CPU, drawn by the GPU.",
        Table {
            columns: [
                "character",
                "lbs",
                "paper",
                "dqs",
                "paper",
                "blend:0.5",
                "paper",
            ]
            .map(String::from)
            .into(),
            rows,
        },
    );
    let sweep = MODELS.iter().map(|model| {
        let factors = contested(format!("p1/{}/deform-factor", model.name));
        let cells = FACTORS.iter().map(|factor| {
            let name = format!("deform factor {factor}");
            let found = factors.as_ref().and_then(|f| Some((f, f.index(&name)?)));
            match found {
                Some((factors, 0)) => ms_cell(factors.ms(0)),
                Some((factors, entrant)) => ratio_cell(factors.ratio(entrant, 0)),
                None => Cell::text("–"),
            }
        });
        Row {
            name: model.name.to_owned(),
            cells: cells.collect(),
        }
    });
    let sweep = table_section(
        "p1/tables/sweep",
        "Figures 5.9 to 5.11: deform factors over 3 000 frames",
        "Milliseconds per frame at factor 0, and throughput relative to it. The paper finds the times to overlap.",
        Table {
            columns: ["character", "0 (ms)", "0.25", "0.55", "0.75", "1"]
                .map(String::from)
                .into(),
            rows: sweep.collect(),
        },
    );
    let answer = Answer {
        heading: "P1: does a blend of LBS and DQS cost more than either?".into(),
        text: match slower.is_empty() {
            true => "Not measured.".into(),
            false => {
                let each = slower.iter().map(|(name, ratio)| {
                    format!(
                        "{:.2}× the throughput of lbs on {name} ({:.2} to {:.2}{})",
                        ratio.ratio,
                        ratio.low,
                        ratio.high,
                        match ratio.verdict {
                            Verdict::Undecided => ", undecided",
                            Verdict::NoDifference => ", no difference",
                            _ => "",
                        }
                    )
                });
                format!(
                    "blend:0.5 has {}. The paper measured no difference above 1 ms per frame.",
                    each.collect::<Vec<_>>().join(", ")
                )
            }
        },
    };
    run.put(times);
    run.put(sweep);
    run.put(memory());
    run.report.answers.push(answer);
}

/// Table 5.2: memory per joint and per vertex.
fn memory() -> crate::record::Section {
    let row = |name: &str, ours: [u32; 2], paper: [u32; 2]| Row {
        name: name.to_owned(),
        cells: [ours[0], paper[0], ours[1], paper[1]]
            .map(|bytes| Cell::number(f64::from(bytes), bytes.to_string()))
            .into(),
    };
    // Texels of 16 bytes: three rows, or a real and a dual part. Vertices: position and normal, colour, UV, palette indices
    // and weights.
    let vertex = throng_wgpu::VERTEX_LAYOUTS[..2]
        .iter()
        .flatten()
        .map(|layout| layout.array_stride as u32)
        .sum();
    table_section(
        "p1/tables/memory",
        "Table 5.2: bytes per joint and per vertex",
        "Our blends compute matrices from the dual quaternions, so that they need no palette of their own. A character \
         whose joints stretch has five texels per joint.",
        Table {
            columns: ["method", "per joint", "paper", "per vertex", "paper"]
                .map(String::from)
                .into(),
            rows: vec![
                row("lbs", [48, vertex], [48, 64]),
                row("dqs", [32, vertex], [32, 64]),
                row("blend", [32, vertex], [80, 64]),
            ],
        },
    )
}
