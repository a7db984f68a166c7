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
pub fn section(id: String, title: String, about: String, entrants: Vec<Entrant>) -> Section {
    let group = id.rsplit_once('/').map_or(&*id, |(group, _)| group);
    Section {
        group: group.to_owned(),
        id,
        title,
        about,
        x: None,
        subject: None,
        entrants,
        body: Body::Contest(Contest::of(Vec::new())),
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

#[cfg(test)]
mod tests {
    use std::cell::Cell as Shared;

    use throng_testkit::adapter_or_skip;
    use throng_wgpu::Gpu;

    use super::*;
    use crate::machine::machine;
    use crate::pace::{Clock, WallClock};
    use crate::record::{FORMAT, Report, RunState, Table};
    use crate::stage::Stage;
    use crate::suites::default_settings;

    const SCENE: SceneSpec = SceneSpec::Body(2_000);

    /// The clock of the machine; interrupted after a number of turns.
    struct InterruptedClock<'a> {
        clock: WallClock<'a>,
        asked: Shared<usize>,
        limit: usize,
    }

    impl Clock for InterruptedClock<'_> {
        fn secs(&self) -> f64 {
            self.clock.secs()
        }

        fn is_interrupted(&self) -> bool {
            self.asked.set(self.asked.get() + 1);
            self.asked.get() > self.limit
        }
    }

    fn report(stage: &Stage) -> Report {
        let mut settings = default_settings(8.0, true, Thoroughness::Default);
        settings.rounds = [8, 8];
        Report {
            format: FORMAT,
            suite: "cpu".into(),
            started_unix_secs: 0,
            elapsed_secs: 0.0,
            state: RunState::Running,
            machine: machine(stage),
            settings,
            answers: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Measures two methods and both orders of sampling, until an interruption.
    fn measure_some(stage: &Stage, report: Report, limit: usize) -> (Report, usize) {
        let clock = InterruptedClock {
            clock: WallClock::new(&|| false),
            asked: Shared::new(0),
            limit,
        };
        let mut saved = 0;
        let mut save = |_: &Report| {
            saved += 1;
            Ok(())
        };
        let mut run = Run::new(stage, report, &clock, &(), &mut save);
        run.reserve(4.0);
        measure_skinning(&mut run, SCENE, &METHODS[..2], 1.0).unwrap();
        for order in Order::ALL {
            measure_sampling(&mut run, order, 1.0).unwrap();
        }
        let report = run.finish().unwrap();
        (report, saved)
    }

    fn table(section: Option<Section>) -> Table {
        match section.expect("a table").body {
            Body::Table(table) => table,
            _ => panic!("a table"),
        }
    }

    fn rounds(report: &Report, id: &str) -> usize {
        match &report.section(id).expect("a section").body {
            Body::Contest(contest) => contest.rounds.len(),
            _ => panic!("a contest"),
        }
    }

    #[test]
    fn contests_are_interrupted_resumed_and_summarised() {
        let Some(gpu) = adapter_or_skip(Gpu::headless().ok(), "GPU", "mesa-vulkan-drivers") else {
            return;
        };
        let stage = Stage::new(&gpu);
        let (partial, saved) = measure_some(&stage, report(&stage), 4);
        assert_eq!(partial.state, RunState::Interrupted);
        assert_eq!((partial.sections.len(), saved), (1, 2));
        let id = &partial.sections[0].id;
        assert_eq!(id, "cpu/skinning/2000/lbs");
        assert!(!partial.sections[0].is_complete);
        let first_rounds = rounds(&partial, id);
        assert!((1..8).contains(&first_rounds));

        let (whole, _) = measure_some(&stage, partial.clone(), usize::MAX);
        assert_eq!(whole.state, RunState::Complete);
        let ids: Vec<&str> = whole.sections.iter().map(|one| &*one.id).collect();
        let expected = [
            "cpu/skinning/2000/lbs",
            "cpu/skinning/2000/dqs",
            "cpu/sampling/forward",
            "cpu/sampling/random",
        ];
        assert_eq!(ids, expected);
        let Body::Contest(resumed) = &whole.section(id).unwrap().body else {
            panic!("a contest");
        };
        let Body::Contest(begun) = &partial.section(id).unwrap().body else {
            panic!("a contest");
        };
        assert_eq!(resumed.rounds[..first_rounds], begun.rounds);
        assert!(whole.sections.iter().all(|one| one.is_complete));

        let skinning = table(skinning_table::table(&whole, SCENE));
        let names: Vec<&str> = skinning.rows.iter().map(|row| &*row.name).collect();
        assert_eq!(names, ["moving the bytes", "lbs", "dqs"]);
        for row in &skinning.rows {
            assert_eq!(row.cells.len() + 1, skinning.columns.len());
        }
        for row in &skinning.rows[1..] {
            assert!(row.cells.iter().all(|cell| cell.value.unwrap() > 0.0));
        }

        let sampling = table(sampling_table::table(&whole, crowd::skeleton().len()));
        let names: Vec<String> = sampling.rows.iter().map(|row| row.name.clone()).collect();
        let all = sampling::Contestant::all();
        assert_eq!(names, Vec::from_iter(all.iter().map(|one| one.name())));
        for row in &sampling.rows {
            assert_eq!(row.cells.len() + 1, sampling.columns.len());
            assert!(row.cells[..2].iter().all(|cell| cell.value.unwrap() > 0.0));
        }
        assert!(sampling_table::answer(&whole).is_some());
    }
}
