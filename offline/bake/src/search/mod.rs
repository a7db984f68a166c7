//! The budget search: "this error" or "this many bytes" in, the best set out.
//!
//! Candidates are encodings × precisions × rates × influence counts. What a plain one costs is known
//! without baking it; how far it is off at least, from a probe of a few vertices at some times. Only what
//! passes there is baked and measured in full, and only what was measured in full is ever chosen. Packed
//! curves hold an error by themselves: those are baked for the goal. The same call gives the same set, on
//! any number of threads.

mod bench;
mod candidates;
mod error;
mod frontier;
mod influences;
mod max_bytes;
mod max_error;
mod steps;
mod survey;

use serde::{Deserialize, Serialize};
use throng_format::file::FileFormat;
use throng_format::{Encoding, Precision, Source, TextureSet};
use throng_rig::Character;

use crate::accuracy::{BakeReport, Probe, SourcePlayback, Truth};
use crate::bake::check_vertices;
use crate::plan::BakePlan;
use crate::sampler::VertexSampler;
use crate::{BakeSettings, Progress, Rate};
use bench::Bench;
pub use error::SearchError;
pub use frontier::{frontier, frontier_table};
pub use influences::keep_influences;
use steps::Share;

/// Vertices of a probe for each joint.
const PROBED_A_JOINT: usize = 2;
/// What the probe's truth may take in memory.
const TRUTH_BYTES: usize = 256 << 20;

/// What a set has to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The smallest that is nowhere farther off.
    MaxError {
        /// In parts of the character's size.
        of_size: f64,
    },
    /// The most accurate that takes no more.
    MaxBytes {
        /// On a GPU.
        gpu_bytes: u64,
    },
}

/// What is fixed; what is `None` is searched over.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchSpace {
    /// These alone.
    pub encodings: Option<Vec<Encoding>>,
    /// This alone.
    pub precision: Option<Precision>,
    /// This alone.
    pub rate: Option<Rate>,
    /// So many influences a vertex at most, the heaviest.
    pub influences: Option<usize>,
    /// Only texels that such files hold.
    pub files: Option<FileFormat>,
    /// What is looked at beside what decides.
    pub survey: Survey,
}

/// What a search looks at. What it finds is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Survey {
    /// What else there is, too, for a frontier.
    #[default]
    Around,
    /// Only what may be the best.
    Needed,
}

/// A candidate, and what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// What texels stand for.
    pub encoding: Encoding,
    /// How exactly.
    pub precision: Precision,
    /// The highest rate of its clips.
    pub rate_hz: f64,
    /// Influences that a vertex has at most.
    pub influences: usize,
    /// What it takes on a GPU; 0 where it was refused before that was known.
    pub gpu_bytes: u64,
    /// How far vertices are off; 0 where it was refused.
    pub max_error_of_size: f64,
    /// True where every vertex was measured at every time. Else the error is that of a probe, and a lower
    /// bound (nearly so for vertices in a box: a probe's box is its own).
    pub exact: bool,
    /// Why it cannot be baked.
    pub refused: Option<String>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The best.
    pub set: TextureSet,
    /// What it costs and how far it is off.
    pub report: BakeReport,
    /// Everything that was looked at, in the order it was.
    pub seen: Vec<Seen>,
}

/// Finds the set that meets the goal best. Encoding, precision and rate of `base` give way to `space`;
/// all else of it holds for every candidate. Errors are measured against all influences of `source`.
pub fn search(
    source: &Character,
    base: &BakeSettings,
    space: &SearchSpace,
    goal: Goal,
    manifest_source: Source,
    progress: &dyn Progress,
) -> Result<Found, SearchError> {
    check(base, space, goal)?;
    let base = BakeSettings {
        rate: space.rate.unwrap_or(Rate::Native),
        max_error_of_size: match goal {
            Goal::MaxError { of_size } => of_size,
            Goal::MaxBytes { .. } => base.max_error_of_size,
        },
        ..base.clone()
    };
    check_vertices(source)?;
    let sampler = VertexSampler::new(source, base.skinning);
    let first_rate = match base.rate {
        Rate::Auto => Rate::Native,
        other => other,
    };
    let first = BakeSettings {
        rate: first_rate,
        ..base.clone()
    };
    let plan = BakePlan::new(source, &first, &sampler)?;
    let probe = Probe::new(source, PROBED_A_JOINT);
    let bodies = influences::bodies(source, &probe, space.influences);
    let probed = probe.reduce(source);
    let clips = plan.clips.iter().map(|clip| clip.clip).collect();
    let playback = SourcePlayback::new(&probed, clips, base.skinning);
    let measured = bench::probe_plan(&probed, &plan, sampler.size());
    let truth = Truth::keep(&playback, &measured, TRUTH_BYTES);
    let mut bench = Bench::new(
        source,
        &base,
        plan,
        (manifest_source, space.files),
        &bodies,
        (measured, &truth),
    );
    let mut candidates = candidates::all(&mut bench, space)?;
    let all = Share::all(progress);
    let share = match space.survey {
        Survey::Around => all.part(0, 800),
        Survey::Needed => all.part(0, 1000),
    };
    let best = match goal {
        Goal::MaxError { of_size } => max_error::find(&mut bench, &mut candidates, of_size, &share),
        Goal::MaxBytes { gpu_bytes } => {
            max_bytes::find(&mut bench, &mut candidates, gpu_bytes, &share)
        }
    };
    if space.survey == Survey::Around {
        let share = all.part(800, 1000);
        survey::look_around(&mut bench, &mut candidates, goal, &share);
    }
    let seen = bench.into_seen();
    match best {
        Some(best) => Ok(Found {
            set: best.set,
            report: best.report,
            seen,
        }),
        None => Err(SearchError::nothing(goal, seen)),
    }
}

/// What no candidate could mend.
fn check(base: &BakeSettings, space: &SearchSpace, goal: Goal) -> Result<(), SearchError> {
    if let Some(preset) = base.preset {
        return Err(SearchError::Preset {
            preset: preset.name(),
        });
    }
    if space.influences == Some(0) {
        return Err(SearchError::NoInfluences);
    }
    match goal {
        Goal::MaxError { of_size } if !(of_size.is_finite() && of_size > 0.0) => {
            Err(SearchError::BadError { of_size })
        }
        _ => Ok(()),
    }
}
