//! Tables and answers of the suite.

use std::time::Instant;

use throng_wgpu::{CrowdModel, Ticks};

use super::twin::{TWIN_ID, TWIN_INSTANCES};
use super::{CPU_INSTANCES, INSTANCES, cpu_id, drawing_id, entrant, subject};
use crate::BenchError;
use crate::entrant::{Sets, Visibility};
use crate::field::{FieldCamera, field};
use crate::record::{Answer, Cell, Ratio, Row, Table};
use crate::run::Run;
use crate::suites::summary::{Contested, ms_cell, table_section};

/// Instances of a large crowd.
const MANY: u32 = 100_000;

const SETUP_ID: &str = "crowds/tables/setup";

/// Bandwidth of a current graphics card, in bytes per second, for what a million instances would take there.
const CARD_BYTES_PER_SEC: f64 = 500e9;

/// Bytes that the passes move per instance: its record is read twice, its state read, written and read again, and the record
/// and index of a visible instance are written.
const PASS_BYTES: f64 = 2.0 * 96.0 + 3.0 * 4.0 + 100.0;

/// Measures the time to set up a large crowd, and states the memory per instance.
pub fn setup(run: &mut Run<'_>) -> Result<(), BenchError> {
    if run.is_interrupted() || run.is_measured(SETUP_ID) {
        return Ok(());
    }
    let gpu = run.stage.gpu().clone();
    let (character, subject) = subject().prepare()?;
    let mut sets = Sets::new(&character, &subject.source, run.progress());
    let spec = entrant(Visibility::CulledLevels);
    let Some(Ok(measured)) = sets.of(&spec) else {
        return Ok(());
    };
    let model = CrowdModel::new(gpu.device(), gpu.queue(), &measured.set, spec.settings)?;
    let spacing_m = 1.1 * subject.size_m as f32;
    let (instances, _) = field(MANY, 2, spacing_m, FieldCamera::Far);
    gpu.wait()?;
    let start = Instant::now();
    let mut crowd = model.crowd()?;
    crowd.set_instances(&instances)?;
    let _view = crowd.view()?;
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, Ticks(0))?;
    gpu.queue().submit([encoder.finish()]);
    gpu.wait()?;
    let secs = start.elapsed().as_secs_f64();
    let [of_crowd, of_view] = [model.bytes_per_instance(), model.view_bytes_per_instance()];
    let bytes = |bytes: u64| Cell::number(bytes as f64, bytes.to_string());
    let row = |name: &str, cell| Row {
        name: name.into(),
        cells: vec![cell],
    };
    let mut rows = vec![
        row(
            &format!("{MANY} instances set up, uploaded and ready to draw, s"),
            Cell::number(secs, format!("{secs:.3}")),
        ),
        row("bytes per instance", bytes(of_crowd)),
        row("bytes per instance and view", bytes(of_view)),
        row(
            &format!("MiB of {TWIN_INSTANCES} instances and one view"),
            mib(u64::from(TWIN_INSTANCES) * (of_crowd + of_view)),
        ),
    ];
    for (index, level) in model.levels().enumerate() {
        let mm = 1e3 * level.max_error_m;
        rows.push(row(
            &format!(
                "error of level {index}, mm ({} triangles, {} vertices)",
                level.triangles, level.vertices
            ),
            Cell::number(f64::from(mm), format!("{mm:.2}")),
        ));
    }
    run.put(table_section(
        SETUP_ID,
        "Setup, memory and levels of detail",
        "The built-in humanoid as bone-qt. Errors of levels are bounds over all clips and times, error of the set included.",
        Table {
            columns: ["", "value"].map(String::from).into(),
            rows,
        },
    ));
    run.save()
}

fn mib(bytes: u64) -> Cell {
    let mib = bytes as f64 / f64::from(1 << 20);
    Cell::number(mib, format!("{mib:.0}"))
}

/// Adds the tables and answers.
pub fn summarize(run: &mut Run<'_>) {
    draw_times(run);
    cpu_times(run);
    twins(run);
}

/// Throughput with culling and levels of detail, relative to drawing everything.
fn draw_times(run: &mut Run<'_>) {
    let mut rows = Vec::new();
    let mut far = None;
    for camera in FieldCamera::ALL {
        for instances in INSTANCES {
            let section = run.report.section(&drawing_id(camera, instances));
            let Some(contested) = section.and_then(Contested::of) else {
                continue;
            };
            let ratio = |visibility: Visibility| {
                contested.ratio_of(visibility.name(), Visibility::Whole.name())
            };
            let mut cells = vec![ms_cell(contested.ms(0))];
            cells.extend(Visibility::ALL[1..].iter().map(|&one| factor(ratio(one))));
            rows.push(Row {
                name: format!("{}, {instances} instances", camera.name()),
                cells,
            });
            if camera == FieldCamera::Far {
                far = ratio(Visibility::CulledLevels)
                    .cloned()
                    .map(|ratio| (instances, ratio));
            }
        }
    }
    let mut columns = vec!["camera".to_owned(), "everything, ms".to_owned()];
    columns.extend(Visibility::ALL[1..].iter().map(|one| one.name().to_owned()));
    run.put(table_section(
        "crowds/tables/draw",
        "Culling and levels of detail",
        "Throughput relative to drawing everything in full detail, with 95 % intervals.",
        Table { columns, rows },
    ));
    if let Some((
        instances,
        Ratio {
            ratio, low, high, ..
        },
    )) = far
    {
        run.report.answers.push(Answer {
            heading: "Culling and levels of detail".into(),
            text: format!(
                "Far away, where most instances have the coarsest level, {instances} instances are drawn {ratio:.1} times as \
                 fast as in full detail (95 % CI {low:.1} to {high:.1})."
            ),
        });
    }
}

fn factor(ratio: Option<&Ratio>) -> Cell {
    match ratio {
        Some(ratio) => Cell::number(ratio.ratio, format!("{:.2}×", ratio.ratio))
            .with_interval(ratio.low, ratio.high),
        None => Cell::text("–"),
    }
}

/// CPU time per frame against instances.
fn cpu_times(run: &mut Run<'_>) {
    let of = |instances: u32| {
        let section = run.report.section(&cpu_id(instances))?;
        let contested = Contested::of(section)?;
        Some((instances, contested.cpu_ms(0), contested.ms(0)))
    };
    // Without time there are no turns.
    let is_measured = |(_, cpu_ms, _): &(u32, f64, f64)| cpu_ms.is_finite();
    let measured = CPU_INSTANCES.into_iter().filter_map(of);
    let measured: Vec<_> = measured.filter(is_measured).collect();
    let rows = measured.iter().map(|&(instances, cpu_ms, ms)| Row {
        name: instances.to_string(),
        cells: vec![
            Cell::number(1e3 * cpu_ms, format!("{:.0}", 1e3 * cpu_ms)),
            ms_cell(ms),
        ],
    });
    let table = table_section(
        "crowds/tables/cpu",
        "CPU time per frame against instances",
        "Time of the calling thread until submission, with culling and levels of detail on the device.",
        Table {
            columns: ["instances", "CPU µs", "frame ms"].map(String::from).into(),
            rows: rows.collect(),
        },
    );
    run.put(table);
    if let [(few, first, _), .., (many, last, _)] = &measured[..] {
        run.report.answers.push(Answer {
            heading: "CPU time per frame".into(),
            text: format!(
                "{many} instances take {:.0} µs of the calling thread, {few} instances {:.0} µs: a factor of {:.2}.",
                1e3 * last,
                1e3 * first,
                last / first
            ),
        });
    }
}

/// Times of the CPU twins, and what a graphics card would need.
fn twins(run: &mut Run<'_>) {
    let Some(contested) = run.report.section(TWIN_ID).and_then(Contested::of) else {
        return;
    };
    let [inside, far] = [0, 2].map(|entrant| contested.ms(entrant));
    let bytes = f64::from(TWIN_INSTANCES) * PASS_BYTES;
    let text = format!(
        "One core culls {TWIN_INSTANCES} instances in {inside:.1} ms from inside the crowd and in {far:.1} ms from far away, \
         where all are visible. The passes on a device read the record of each instance twice and write that of each visible one: \
         at most {:.0} MB, {:.1} ms at {:.0} GB/s.",
        1e-6 * bytes,
        1e3 * bytes / CARD_BYTES_PER_SEC,
        1e-9 * CARD_BYTES_PER_SEC
    );
    run.report.answers.push(Answer {
        heading: "A million instances".into(),
        text,
    });
}
