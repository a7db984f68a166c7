//! P4: software against hardware skinning by number of vertices, and three kinds of instancing with both.

use throng_import::PositionSharing;
use throng_wgpu::{Instancing, Technique};

use super::summary::{Contested, ratio_cell, table_section};
use crate::entrant::EntrantSpec;
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Row, Table, X};
use crate::run::Run;
use crate::subject::SubjectSpec;

/// Vertices of figure 15. The paper's program could not draw the last.
const VERTICES: [u32; 4] = [986, 3_938, 15_746, 62_978];

/// Instances of figures 16 and 18. The paper's geometry shader is limited to 85.
const INSTANCES: [u32; 5] = [1, 10, 30, 85, 200];

/// Both sweeps.
pub fn experiments() -> Vec<Experiment> {
    let mut experiments = Vec::new();
    for vertices in VERTICES {
        let hardware = EntrantSpec::technique(Technique::PaletteMatrix).named("hardware");
        let entrants = vec![
            hardware.clone(),
            hardware.named("hardware again"),
            EntrantSpec::technique(Technique::Cpu).named("software"),
        ];
        experiments.push(Experiment {
            id: format!("p4/vertices/{vertices}"),
            group: "p4/vertices".into(),
            title: format!("{vertices} vertices"),
            about: "Figure 15: milliseconds per frame of one instance against vertices, skinned by the CPU (software) and \
                    by the vertex shader (hardware)."
                .into(),
            x: Some(X {
                label: "vertices".into(),
                value: f64::from(vertices),
            }),
            subject: SubjectSpec::builtin(
                &format!("humanoid:{vertices}"),
                PositionSharing::Shared,
                &["walk"],
            ),
            kind: Kind::Fixed {
                instances: 1,
                pairs: against_first(entrants.len()),
                frames: None,
            },
            weight: 1.0,
            entrants,
        });
    }
    for instances in INSTANCES {
        let mut entrants = Vec::new();
        for technique in [Technique::PaletteMatrix, Technique::Cpu] {
            let kind = match technique {
                Technique::Cpu => "software",
                _ => "hardware",
            };
            for instancing in Instancing::ALL {
                let mut spec = EntrantSpec::technique(technique).named(kind);
                spec = spec.drawn(instancing);
                entrants.push(spec);
            }
        }
        let first = entrants[0].clone();
        let again = format!("{} again", first.name);
        entrants.insert(1, first.named(again));
        experiments.push(Experiment {
            id: format!("p4/instances/{instances}"),
            group: "p4/instances".into(),
            title: format!("{instances} instances"),
            about: "Figures 16 and 18: one draw call per instance (loop), one for all (instanced), and vertices that are \
                    skinned once for all instances (skin-once), which is what the paper's instancing after skinning does; \
                    986 vertices."
                .into(),
            x: Some(X {
                label: "instances".into(),
                value: f64::from(instances),
            }),
            subject: SubjectSpec::builtin("humanoid:986", PositionSharing::Shared, &["walk"]),
            kind: Kind::Fixed {
                instances,
                pairs: against_first(entrants.len()),
                frames: None,
            },
            weight: 1.0 + f64::from(instances) / 100.0,
            entrants,
        });
    }
    experiments
}

/// Adds a table of both sweeps.
pub fn summarize(run: &mut Run<'_>) {
    let mut rows = Vec::new();
    for vertices in VERTICES {
        let section = run.report.section(&format!("p4/vertices/{vertices}"));
        if let Some(contested) = section.and_then(Contested::of) {
            rows.push(Row {
                name: format!("software, 1 instance of {vertices} vertices"),
                cells: vec![ratio_cell(contested.ratio(2, 0))],
            });
        }
    }
    let mut fastest = None;
    for instances in INSTANCES {
        let section = run.report.section(&format!("p4/instances/{instances}"));
        let Some(contested) = section.and_then(Contested::of) else {
            continue;
        };
        for (at, entrant) in contested.section.entrants.iter().enumerate().skip(2) {
            rows.push(Row {
                name: format!("{}, {instances} instances of 986 vertices", entrant.name),
                cells: vec![ratio_cell(contested.ratio(at, 0))],
            });
        }
        let measured = 0..contested.section.entrants.len();
        let best = measured.max_by(|&a, &b| contested.rating(a).total_cmp(&contested.rating(b)));
        fastest = best.map(|best| {
            let ratio = contested.ratio(best, 0).map_or(1.0, |ratio| ratio.ratio);
            (
                instances,
                contested.section.entrants[best].name.clone(),
                ratio,
            )
        });
    }
    let table = table_section(
        "p4/tables/ratios",
        "Throughput relative to hardware skinning, one draw call per instance",
        "The paper shows its times as figures only.",
        Table {
            columns: vec!["contestant".into(), "throughput".into()],
            rows,
        },
    );
    run.put(table);
    if let Some((instances, name, ratio)) = fastest {
        run.report.answers.push(Answer {
            heading: "P4: which skinning, which instancing?".into(),
            text: format!(
                "At {instances} instances of 986 vertices, {name} is the fastest: {ratio:.2}× the throughput of hardware \
                 skinning with one draw call per instance. The paper found software skinning with hardware instancing to \
                 be the fastest, as it skins once for all instances."
            ),
        });
    }
}
