//! P4: software against hardware skinning by number of vertices, and three kinds of instancing with both.

use throng_import::PositionSharing;
use throng_wgpu::{Instancing, Technique};

use super::summary::{Contested, ratio_cell, table_section};
use crate::entrant::EntrantSpec;
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Report, Row, Table, X};
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

/// Adds a table per sweep, and the paper's question.
pub fn summarize(run: &mut Run<'_>) {
    for (what, counts) in [("vertices", VERTICES.as_slice()), ("instances", &INSTANCES)] {
        let table = ratios(&run.report, what, counts);
        run.put(table_section(
            &format!("p4/tables/{what}"),
            &format!("Throughput relative to the first contestant, by {what}"),
            "The paper shows its times as figures only.",
            table,
        ));
    }
    let most = INSTANCES[INSTANCES.len() - 1];
    let section = run.report.section(&format!("p4/instances/{most}"));
    let Some(contested) = section.and_then(Contested::of) else {
        return;
    };
    let all = 0..contested.section.entrants.len();
    let Some(best) = all.max_by(|&a, &b| contested.rating(a).total_cmp(&contested.rating(b)))
    else {
        return;
    };
    let name = &contested.section.entrants[best].name;
    let ratio = contested.ratio(best, 0).map(|ratio| {
        format!(
            "{:.2}× the throughput of hardware skinning with one draw call per instance (95 % CI {:.2} to {:.2})",
            ratio.ratio, ratio.low, ratio.high
        )
    });
    let answer = Answer {
        heading: "P4: which skinning, which instancing?".into(),
        text: format!(
            "At {most} instances of 986 vertices, {name} is the fastest: {}. The paper found software skinning with \
             hardware instancing to be the fastest, as it skins once for all instances.",
            ratio.unwrap_or_else(|| "no other is faster".into())
        ),
    };
    run.report.answers.push(answer);
}

/// Ratios of all contestants to the first, one column per count.
fn ratios(report: &Report, what: &str, counts: &[u32]) -> Table {
    let sections: Vec<Option<Contested<'_>>> = counts
        .iter()
        .map(|count| {
            report
                .section(&format!("p4/{what}/{count}"))
                .and_then(Contested::of)
        })
        .collect();
    let names = sections.iter().flatten().next().map(|contested| {
        let entrants = contested.section.entrants.iter();
        entrants
            .map(|entrant| entrant.name.clone())
            .collect::<Vec<_>>()
    });
    let rows = names.unwrap_or_default().into_iter().enumerate().skip(1);
    let rows = rows.map(|(at, name)| Row {
        name,
        cells: sections
            .iter()
            .map(|contested| ratio_cell(contested.as_ref().and_then(|one| one.ratio(at, 0))))
            .collect(),
    });
    let columns = counts.iter().map(ToString::to_string);
    Table {
        columns: [what.to_owned()].into_iter().chain(columns).collect(),
        rows: rows.collect(),
    }
}
