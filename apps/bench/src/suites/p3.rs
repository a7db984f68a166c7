//! P3: virtual bones against meshes that the CPU poses one by one, by number of instances.

use throng_bake::Preset;
use throng_format::Encoding;
use throng_import::PositionSharing;
use throng_wgpu::{Instancing, Technique};

use super::Thoroughness;
use super::summary::{Contested, ms_cell, table_section};
use crate::entrant::{Content, EntrantSpec};
use crate::experiment::{Experiment, Kind, against_first};
use crate::record::{Answer, Cell, Row, Table, X};
use crate::run::Run;
use crate::subject::SubjectSpec;

/// Instances, CPU microseconds of the baseline, and GPU per cent of baseline and virtual bones, of table 1. NaN where the
/// paper has none. The CPU time of virtual bones is 0 throughout.
const TABLE_1: [(u32, f64, [f64; 2]); 13] = [
    (1, 3_168.0, [0.317, 0.100]),
    (2, 4_151.0, [0.582, 0.192]),
    (5, 9_889.0, [0.834, 0.423]),
    (10, 19_400.0, [1.385, 0.756]),
    (20, 29_514.0, [2.550, 1.449]),
    (50, 153_831.0, [5.083, 3.607]),
    (100, 283_474.0, [9.305, 5.987]),
    (200, f64::NAN, [f64::NAN, 11.183]),
    (400, f64::NAN, [f64::NAN, 17.443]),
    (600, f64::NAN, [f64::NAN, 24.027]),
    (800, f64::NAN, [f64::NAN, 29.608]),
    (1000, f64::NAN, [f64::NAN, 35.837]),
    (1200, f64::NAN, [f64::NAN, 41.459]),
];

/// Numbers of instances of the default run.
const FEW: [u32; 8] = [1, 5, 10, 50, 100, 200, 600, 1200];

const BASELINE: &str = "palette-matrix, loop";
const VIRTUAL: &str = "p3-virtual-bones";

/// One contest per number of instances, with a character of about 4 652 triangles as in the paper.
pub fn experiments(thoroughness: Thoroughness) -> Vec<Experiment> {
    let counts = TABLE_1.iter().map(|row| row.0);
    let counts = counts.filter(|count| thoroughness == Thoroughness::Full || FEW.contains(count));
    let experiment = |instances: u32| {
        let baseline = EntrantSpec::technique(Technique::PaletteMatrix).drawn(Instancing::Loop);
        let entrants = vec![
            baseline.clone(),
            baseline.named(format!("{BASELINE} again")),
            EntrantSpec::technique(Technique::PaletteMatrix),
            EntrantSpec::new(Content::Preset(Preset::P3VirtualBones)),
            EntrantSpec::technique(Technique::Texture(Encoding::BoneLocal)),
            EntrantSpec::control(),
        ];
        Experiment {
            id: format!("p3/{instances}"),
            group: "p3/instances".into(),
            title: format!("{instances} instances"),
            about: "CPU and GPU time per frame against instances: skeletons evaluated by the CPU and drawn one by one (the \
                    paper's baseline), the same in one draw call, and bone textures."
                .into(),
            x: Some(X {
                label: "instances".into(),
                value: f64::from(instances),
            }),
            subject: SubjectSpec::builtin("humanoid:2330", PositionSharing::Shared, &["walk"]),
            kind: Kind::Fixed {
                instances,
                pairs: against_first(entrants.len()),
                frames: None,
            },
            weight: 1.0 + f64::from(instances) / 300.0,
            entrants,
        }
    };
    counts.map(experiment).collect()
}

/// Adds table 1.
pub fn summarize(run: &mut Run<'_>) {
    let mut rows = Vec::new();
    let mut last = None;
    for (instances, cpu_us, gpu) in TABLE_1 {
        let section = run.report.section(&format!("p3/{instances}"));
        let Some(contested) = section.and_then(Contested::of) else {
            continue;
        };
        let (Some(baseline), Some(bones)) = (contested.index(BASELINE), contested.index(VIRTUAL))
        else {
            continue;
        };
        let number = |value: f64| match value.is_nan() {
            true => Cell::text("–"),
            false => Cell::number(value, format!("{value}")),
        };
        let us = |ms: f64| Cell::number(1e3 * ms, format!("{:.0}", 1e3 * ms));
        rows.push(Row {
            name: instances.to_string(),
            cells: vec![
                us(contested.cpu_ms(baseline)),
                us(contested.cpu_ms(bones)),
                number(cpu_us),
                number(0.0),
                ms_cell(contested.gpu_ms(baseline)),
                ms_cell(contested.gpu_ms(bones)),
                number(gpu[0]),
                number(gpu[1]),
            ],
        });
        last = Some((
            instances,
            contested.cpu_ms(baseline) / contested.cpu_ms(bones),
            contested
                .ratio(bones, baseline)
                .map(|ratio| [ratio.ratio, ratio.low, ratio.high]),
        ));
    }
    let columns = [
        "instances",
        "CPU µs, baseline",
        "CPU µs, virtual bones",
        "paper, baseline",
        "paper, virtual bones",
        "GPU ms, baseline",
        "GPU ms, virtual bones",
        "paper GPU %, baseline",
        "paper GPU %, virtual bones",
    ];
    let table = table_section(
        "p3/tables/table-1",
        "Table 1: CPU and GPU time against instances",
        "CPU time is the calling thread's, from the start of the frame to its submission; the paper's counts skinning \
         alone, and its GPU time is in per cent of a frame of 33 ms. On a software driver the GPU's time is CPU time too.",
        Table {
            columns: columns.map(String::from).into(),
            rows,
        },
    );
    run.put(table);
    if let Some((instances, cpu, Some([ratio, low, high]))) = last {
        run.report.answers.push(Answer {
            heading: "P3: virtual bones against skinned meshes one by one".into(),
            text: format!(
                "At {instances} instances virtual bones take {cpu:.0} times less CPU time before submission and have \
                 {ratio:.2}× the throughput (95 % CI {low:.2} to {high:.2})."
            ),
        });
    }
}
