//! Crowds at scale: what culling and levels of detail save, and what stays flat as a crowd grows.

mod tables;
mod twin;

use throng_format::Encoding;
use throng_import::PositionSharing;
use throng_wgpu::Technique;

use crate::BenchError;
use crate::contest::Pair;
use crate::entrant::{EntrantSpec, Visibility};
use crate::experiment::{Experiment, Kind, against_first};
use crate::field::FieldCamera;
use crate::record::X;
use crate::run::Run;
use crate::subject::SubjectSpec;

pub use tables::summarize;

/// Instances of the contests with culling and levels of detail on and off.
const INSTANCES: [u32; 3] = [100, 300, 1000];

/// Instances between which the CPU's time per frame is compared.
const CPU_INSTANCES: [u32; 5] = [10, 100, 1_000, 10_000, 100_000];

/// Share of the time of the CPU twins, relative to a small contest.
pub const TWIN_WEIGHT: f64 = 1.0;

/// One contest per number of instances for the CPU's time, and contests at three distances.
pub fn experiments() -> Vec<Experiment> {
    let cameras = FieldCamera::ALL.into_iter();
    let drawing = cameras.flat_map(|camera| INSTANCES.map(|count| drawing(camera, count)));
    CPU_INSTANCES
        .map(cpu_time)
        .into_iter()
        .chain(drawing)
        .collect()
}

/// The built-in humanoid, from a bone texture that the vertex shader reads: it takes no memory per instance but its record.
fn subject() -> SubjectSpec {
    SubjectSpec::builtin("humanoid", PositionSharing::Shared, &["walk", "run"])
}

fn entrant(visibility: Visibility) -> EntrantSpec {
    EntrantSpec {
        visibility,
        ..EntrantSpec::technique(Technique::Texture(Encoding::BoneQt)).named(visibility.name())
    }
}

fn instances_on_x(instances: u32) -> Option<X> {
    Some(X {
        label: "instances".into(),
        value: f64::from(instances),
    })
}

/// Id of a contest at a distance.
fn drawing_id(camera: FieldCamera, instances: u32) -> String {
    format!("crowds/{}/{instances}", camera.name())
}

/// Culling and levels of detail on and off.
fn drawing(camera: FieldCamera, instances: u32) -> Experiment {
    let about = match camera {
        FieldCamera::Inside => {
            "The camera stands in the middle of the crowd: most instances are out of sight."
        }
        FieldCamera::Edge => {
            "The camera is over the edge of the crowd and sees about half of it, near and far."
        }
        FieldCamera::Far => {
            "The camera is hundreds of metres away: all instances are visible, most at the coarsest level."
        }
    };
    let again = entrant(Visibility::Whole).named("everything again");
    let mut entrants = vec![entrant(Visibility::Whole), again];
    entrants.extend(Visibility::ALL[1..].iter().copied().map(entrant));
    Experiment {
        id: drawing_id(camera, instances),
        group: format!("crowds/{}", camera.name()),
        title: format!("{}, {instances} instances", camera.name()),
        about: format!(
            "{about} Levels of detail have at most half a pixel of error in a picture of 1280 × 720 pixels."
        ),
        x: instances_on_x(instances),
        subject: subject(),
        kind: Kind::Field {
            instances,
            camera,
            pairs: against_first(entrants.len()),
        },
        weight: 1.0 + f64::from(instances) / 150.0,
        entrants,
    }
}

/// Id of a contest of the CPU's time.
fn cpu_id(instances: u32) -> String {
    format!("crowds/cpu/{instances}")
}

/// CPU time of a culled crowd with levels of detail.
fn cpu_time(instances: u32) -> Experiment {
    let both = entrant(Visibility::CulledLevels);
    Experiment {
        id: cpu_id(instances),
        group: "crowds/cpu".into(),
        title: format!("CPU time, {instances} instances"),
        about: "Time of the calling thread per frame, from the start to the submission, with culling and levels of detail."
            .into(),
        x: instances_on_x(instances),
        subject: subject(),
        kind: Kind::Field {
            instances,
            camera: FieldCamera::Far,
            pairs: vec![Pair::same(1, 0)],
        },
        entrants: vec![both.clone(), both.named("again")],
        weight: 0.5 + f64::from(instances) / 20_000.0,
    }
}

/// Measures the time to set up a crowd, and the CPU twins of the passes.
pub fn measure(run: &mut Run<'_>) -> Result<(), BenchError> {
    twin::measure(run, TWIN_WEIGHT)?;
    tables::setup(run)
}
