//! The benchmark, on a device of its own.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use throng_bake::Progress;
use throng_bench::entrant::EntrantSpec;
use throng_bench::machine::{is_software, machine};
use throng_bench::pace::WallClock;
use throng_bench::record::{Curve, Entrant, FORMAT, Report, RunState};
use throng_bench::report::{HTML, write_folder, write_json};
use throng_bench::run::Run;
use throng_bench::stage::Stage;
use throng_bench::subject::SubjectSpec;
use throng_bench::suites::{Thoroughness, character, default_settings};
use throng_import::ImportOptions;
use throng_wgpu::{Gpu, SkeletonEvaluation, Technique};

use super::{BenchRequest, LiveCurve};

/// Poses per second of cached skeletons.
const CACHE_HZ: u32 = 30;

/// Answers of a benchmark, and its page.
pub fn run(
    request: &BenchRequest,
    progress: &dyn Progress,
    show: &dyn Fn(Vec<LiveCurve>),
) -> Result<(Vec<String>, PathBuf), String> {
    let gpu = Gpu::headless().map_err(|error| error.to_string())?;
    let stage = Stage::new(&gpu);
    let mut settings = default_settings(request.max_secs, is_software(&gpu), Thoroughness::Default);
    settings.fps = vec![60.0];
    settings.contest_fps = vec![60.0];
    settings.max_instances = request.max_instances;
    settings.spacing_m = Some(request.spacing_m);
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let report = Report {
        format: FORMAT,
        suite: "character".into(),
        started_unix_secs: since.map_or(0, |since| since.as_secs()),
        elapsed_secs: 0.0,
        state: RunState::Running,
        machine: machine(&stage),
        settings,
        answers: Vec::new(),
        sections: Vec::new(),
    };
    let folder = &request.folder;
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{}: {error}: choose another folder", folder.display()))?;
    // Progress unwinds a request that is stopped.
    let clock = WallClock::new(&|| false);
    let mut save = |report: &Report| write_json(folder, report);
    let observe = |entrants: &[Entrant], curves: &[Curve]| show(live(entrants, curves));
    let mut run = Run::new(&stage, report, &clock, progress, &mut save);
    run.observe = Some(&observe);
    let subject = SubjectSpec {
        source: request.source.clone(),
        options: ImportOptions::default(),
        clips: Vec::new(),
        character: Some((*request.character).clone()),
    };
    let techniques = request
        .techniques
        .iter()
        .map(|&technique| spec(request, technique));
    let experiment = character::experiment(subject, techniques.collect());
    run.run(&[experiment]).map_err(|error| error.to_string())?;
    character::summarize(&mut run);
    let report = run.finish().map_err(|error| error.to_string())?;
    write_folder(folder, &report).map_err(|error| error.to_string())?;
    let answers = report.answers.iter().map(|answer| answer.text.clone());
    Ok((answers.collect(), page(folder)))
}

fn page(folder: &Path) -> PathBuf {
    let page = folder.join(HTML);
    std::path::absolute(&page).unwrap_or(page)
}

fn spec(request: &BenchRequest, technique: Technique) -> EntrantSpec {
    let mut spec = EntrantSpec::technique(technique);
    let is_palette = matches!(technique, Technique::PaletteMatrix | Technique::PaletteDq);
    if is_palette && !request.updates {
        spec.settings.switches.skeleton = SkeletonEvaluation::Cached { rate_hz: CACHE_HZ };
        spec.name += ", cached";
    }
    spec
}

/// Points of all curves that were kept.
fn live(entrants: &[Entrant], curves: &[Curve]) -> Vec<LiveCurve> {
    let curves = curves.iter().map(|curve| LiveCurve {
        name: entrants[curve.entrant].name.clone(),
        points: curve
            .points
            .iter()
            .filter(|point| point.is_kept)
            .map(|point| [point.turn.instances as f32, point.turn.mean_ms() as f32])
            .collect(),
    });
    curves.collect()
}
