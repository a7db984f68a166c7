//! Budget search: a maximum error or a maximum number of bytes in, the best set out.
//!
//! Candidates are combinations of encoding, precision, rate and influence count. The GPU bytes of candidates that store
//! frames are known without baking them, and a probe (a few vertices at some times) gives a lower bound of their error.
//! Only candidates that pass the probe are baked and measured in full, and only a set that was measured in full is ever
//! chosen. Compressed curves are fitted to an error: they are baked for the goal. The result does not depend on the number
//! of threads.

mod candidates;
mod error;
mod evaluator;
mod explore;
mod frontier;
mod max_bytes;
mod max_error;
mod variants;

use serde::{Deserialize, Serialize};
use throng_format::file::FileFormat;
use throng_format::{Encoding, Precision, SetLayout, Source, Storage, TextureSet};
use throng_rig::{Character, Skinning};

use crate::accuracy::{BakeReport, CachedReference, Probe, SourcePlayback};
use crate::bake::{
    check_caches, check_encoding, check_prepared, check_vertices, needs_vertex_encoding,
};
use crate::order::drawing_order;
use crate::plan::BakePlan;
use crate::progress_span::ProgressSpan;
use crate::sampler::VertexSampler;
use crate::{BakeError, BakeSettings, Effort, Progress, Rate};
pub use error::SearchError;
use evaluator::Evaluator;
pub use frontier::{frontier, frontier_table};
pub use variants::keep_influences;

/// Number of probed vertices per joint.
const PROBES_PER_JOINT: usize = 2;
/// Most memory of the probe's cached reference, in bytes.
const REFERENCE_BYTES: usize = 256 << 20;

/// Goal of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The smallest set whose error is nowhere larger.
    MaxError {
        /// Maximum error, as a part of the character's size.
        of_size: f64,
    },
    /// The most accurate set that takes no more GPU memory.
    MaxBytes {
        /// Maximum GPU bytes.
        gpu_bytes: u64,
    },
}

/// Constraints of a search. A field that is `None` is searched over.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SearchSpace {
    /// Allowed encodings.
    pub encodings: Option<Vec<Encoding>>,
    /// Fixed layout.
    pub layout: Option<SetLayout>,
    /// Fixed precision of frames; leaves out compressed curves.
    pub precision: Option<Precision>,
    /// Fixed rate.
    pub rate: Option<Rate>,
    /// Most influences per vertex; the heaviest are kept.
    pub influences: Option<usize>,
    /// File format that must be able to hold the texels.
    pub files: Option<FileFormat>,
    /// Candidates to evaluate beside those that decide.
    pub coverage: Coverage,
}

impl SearchSpace {
    /// Returns true where a storage has the fixed layout and precision.
    pub(crate) fn allows(&self, storage: Storage) -> bool {
        self.layout.is_none_or(|layout| layout == storage.layout())
            && self
                .precision
                .is_none_or(|fixed| Some(fixed) == storage.precision())
    }
}

/// Candidates that a search evaluates. The chosen set is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Coverage {
    /// Also candidates that cannot win, so that the frontier is complete.
    #[default]
    Frontier,
    /// Only candidates that may win.
    BestOnly,
}

/// A candidate and its evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Encoding of the set.
    pub encoding: Encoding,
    /// Frames at a precision, or compressed curves.
    #[serde(flatten)]
    pub storage: Storage,
    /// Highest sample rate of the clips.
    pub rate_hz: f64,
    /// Most influences of any vertex.
    pub influences: usize,
    /// GPU bytes; 0 where the candidate was refused before they were known.
    pub gpu_bytes: u64,
    /// Largest error of any vertex, as a part of the size; 0 where the candidate was refused.
    pub max_error_of_size: f64,
    /// True where every vertex was measured at every time. Otherwise the error is a probe's and a lower bound. For
    /// vertices quantised to a range the bound is approximate: the probe's range differs from the set's.
    pub exact: bool,
    /// Reason for which the candidate cannot be baked.
    pub refused: Option<String>,
}

/// Result of a search.
#[derive(Debug, Clone)]
pub struct Found {
    /// The best set.
    pub set: TextureSet,
    /// Cost and error of `set`, measured against all influences of the source.
    pub report: BakeReport,
    /// Every evaluated candidate, in the order of evaluation.
    pub candidates: Vec<Candidate>,
}

/// Finds the set that meets the goal best. Encoding, precision and rate of `base` are replaced by those of `space`; all
/// other settings hold for every candidate. Errors are measured against all influences of `source`.
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
    check_prepared(source, base.skinning)?;
    let space = &playable_encodings(source, space, base.skinning)?;
    let source = &drawing_order(source);
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
    if let Goal::MaxError { of_size } = goal {
        plan.check_distances(&sampler, of_size * sampler.size())?;
    }
    let probe = Probe::new(source, PROBES_PER_JOINT);
    let variants = variants::variants(source, &probe, space.influences);
    let probed = probe.reduce(source);
    let clips = plan.clips.iter().map(|clip| clip.clip).collect();
    let playback = SourcePlayback::new(&probed, clips, base.skinning);
    let measured = evaluator::probe_plan(&probed, &plan, sampler.size());
    let reference = CachedReference::new(&playback, &measured, REFERENCE_BYTES);
    let mut evaluator = Evaluator::new(
        source,
        &base,
        plan,
        (manifest_source, space.files),
        &variants,
        (measured, &reference),
    );
    let mut candidates = candidates::all(&mut evaluator, space)?;
    let whole = ProgressSpan::whole(progress);
    let coverage = match base.effort {
        Effort::Fast => Coverage::BestOnly,
        Effort::Normal | Effort::Best => space.coverage,
    };
    let span = match coverage {
        Coverage::Frontier => whole.between(0, 800),
        Coverage::BestOnly => whole.between(0, 1000),
    };
    let mut best = match goal {
        Goal::MaxError { of_size } => {
            max_error::find(&mut evaluator, &mut candidates, of_size, &span)
        }
        Goal::MaxBytes { gpu_bytes } => {
            max_bytes::find(&mut evaluator, &mut candidates, gpu_bytes, &span)
        }
    };
    if coverage == Coverage::Frontier {
        let span = whole.between(800, 1000);
        explore::explore_frontier(
            &mut evaluator,
            &mut candidates,
            space,
            goal,
            &mut best,
            &span,
        );
    }
    let candidates = evaluator.into_candidates();
    check_caches(source)?;
    match best {
        Some(best) => Ok(Found {
            set: best.set,
            report: best.report,
            candidates,
        }),
        None => Err(SearchError::not_met(goal, candidates)),
    }
}

/// Returns the space without encodings that cannot play the character.
fn playable_encodings(
    source: &Character,
    space: &SearchSpace,
    skinning: Skinning,
) -> Result<SearchSpace, BakeError> {
    let mut space = space.clone();
    if needs_vertex_encoding(source, skinning) {
        let allowed = space.encodings.as_deref().unwrap_or(Encoding::ALL);
        let vertex: Vec<Encoding> = allowed.iter().copied().filter(|e| e.is_vertex()).collect();
        if let (true, Some(&encoding)) = (vertex.is_empty(), allowed.first()) {
            check_encoding(source, encoding, skinning)?;
        }
        space.encodings = Some(vertex);
    }
    Ok(space)
}

/// Rejects requests that no candidate can meet.
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
