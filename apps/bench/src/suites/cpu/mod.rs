//! Kernels of the CPU: skinning and sampling, compared with plain loops and with the memory ceiling.

mod check;
mod crowd;
mod plain_sampler;
mod sampling;
mod sampling_table;
mod scene;
mod skinning;
mod skinning_table;

use throng_rig::Method;
use throng_skin::fast::FastPalette;

use self::crowd::{INSTANCES, Order};
use self::scene::SceneSpec;
use self::skinning::METHODS;
use super::Thoroughness;
use crate::BenchError;
use crate::record::{Body, Cell, Contest, Entrant, Ratio, Section};
use crate::run::Run;

/// Weight of an order of sampling; that of a method on a small scene is 1.
const SAMPLING_WEIGHT: f64 = 3.0;

/// Scenes and the weights of their methods. Large scenes have long turns.
fn scenes(thoroughness: Thoroughness) -> [(SceneSpec, f64); 4] {
    // Beyond all caches. Eight million vertices take 3 GB.
    let large = match thoroughness {
        Thoroughness::Default => 2_000_000,
        Thoroughness::Full => 8_000_000,
    };
    [
        (SceneSpec::Body(10_000), 1.0),
        (SceneSpec::Body(100_000), 2.0),
        (SceneSpec::Body(large), 3.0),
        (SceneSpec::Humanoid(40_000), 1.0),
    ]
}

/// Runs the contests of all scenes and orders. `weight` is that of all of them, as it was reserved.
pub fn measure(
    run: &mut Run<'_>,
    thoroughness: Thoroughness,
    weight: f64,
) -> Result<(), BenchError> {
    let scenes = scenes(thoroughness);
    let of_scenes: f64 = scenes.iter().map(|(_, weight)| weight).sum();
    let sum = METHODS.len() as f64 * of_scenes + Order::ALL.len() as f64 * SAMPLING_WEIGHT;
    let unit = weight / sum;
    for order in Order::ALL {
        measure_sampling(run, order, SAMPLING_WEIGHT * unit)?;
    }
    for (scene, weight) in scenes {
        measure_skinning(run, scene, &METHODS, weight * unit)?;
    }
    Ok(())
}

/// Adds the tables and answers.
pub fn summarize(run: &mut Run<'_>, thoroughness: Thoroughness) {
    let scenes = scenes(thoroughness);
    let tables = scenes
        .iter()
        .filter_map(|&(scene, _)| skinning_table::table(&run.report, scene));
    let tables: Vec<Section> = tables
        .chain(sampling_table::table(&run.report, crowd::skeleton().len()))
        .collect();
    for table in tables {
        run.put(table);
    }
    let answers = [
        skinning_table::answer(&run.report),
        sampling_table::answer(&run.report),
    ];
    run.report.answers.extend(answers.into_iter().flatten());
}

/// Skins a scene by some methods, each in a contest with a weight.
fn measure_skinning(
    run: &mut Run<'_>,
    spec: SceneSpec,
    methods: &[Method],
    weight: f64,
) -> Result<(), BenchError> {
    let is_done = |method: &&Method| run.is_measured(&skinning_table::section_id(spec, **method));
    if methods.iter().filter(is_done).count() == methods.len() {
        run.skip(weight * methods.len() as f64);
        return Ok(());
    }
    run.progress()
        .stage(&format!("CPU skinning: {}", spec.title()));
    let scene = spec.make()?;
    let workload = skinning::Workload::new(&scene);
    for &method in methods {
        if run.is_interrupted() {
            return Ok(());
        }
        let title = format!("{method}, {}", spec.title());
        run.progress().stage(&format!("CPU skinning: {title}"));
        let palette = FastPalette::new(method, &scene.palette);
        let (entrants, mut arena, pairs) = workload.contest(method, &palette);
        let section = section(
            skinning_table::section_id(spec, method),
            title,
            format!(
                "Vertices per second, positions and normals: an instance is a vertex. {}",
                workload.describe()
            ),
            entrants,
        );
        run.cpu_contest(section, &mut arena, &pairs, weight)?;
    }
    Ok(())
}

/// Samples a crowd at times of an order.
fn measure_sampling(run: &mut Run<'_>, order: Order, weight: f64) -> Result<(), BenchError> {
    if run.is_interrupted() {
        return Ok(());
    }
    let title = format!("times: {}", order.name());
    run.progress().stage(&format!("CPU sampling: {title}"));
    let workload = sampling::Workload::new(order);
    let (entrants, mut arena, pairs) = workload.contest();
    let section = section(
        sampling_table::section_id(order),
        title,
        format!(
            "Characters per second, from a clip and a time to a pose in model space: {INSTANCES} instances of {} joints.",
            workload.joints()
        ),
        entrants,
    );
    run.cpu_contest(section, &mut arena, &pairs, weight)
}

/// A section without rounds.
fn section(id: String, title: String, about: String, entrants: Vec<Entrant>) -> Section {
    let group = id.rsplit_once('/').map_or(&*id, |(group, _)| group);
    Section {
        group: group.to_owned(),
        id,
        title,
        about,
        x: None,
        subject: None,
        entrants,
        body: Body::Contest(Contest {
            budget_ms: None,
            fps: None,
            instances: Vec::new(),
            rounds: Vec::new(),
            ratios: Vec::new(),
        }),
        notes: Vec::new(),
        is_complete: false,
    }
}

/// A ratio as a factor, with its interval.
fn factor_cell(ratio: Option<&Ratio>) -> Cell {
    match ratio {
        Some(ratio) => Cell::number(ratio.ratio, format!("{:.2}×", ratio.ratio))
            .with_interval(ratio.low, ratio.high),
        None => Cell::text("–"),
    }
}
