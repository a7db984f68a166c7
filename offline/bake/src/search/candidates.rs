//! The candidates of a search.

use std::sync::Arc;

use throng_format::{Encoding, Precision, Storage};

use super::evaluator::Evaluator;
use super::{SearchError, SearchSpace};
use crate::plan::{BakePlan, MAX_RATE_HZ, MIN_RATE_HZ, native_rate};
use crate::{BakeError, Rate};

const PRECISIONS: [Precision; 4] = [
    Precision::Unorm8,
    Precision::Unorm16,
    Precision::F16,
    Precision::F32,
];

/// Settings of a candidate that can be baked.
#[derive(Debug, Clone)]
pub(super) struct CandidateSettings {
    /// Index into the evaluator's variants of the source.
    pub variant: usize,
    pub encoding: Encoding,
    pub storage: Storage,
    pub plan: Arc<BakePlan>,
    /// True at the native rate of the clips, or at the fixed rate.
    pub is_first_rate: bool,
    /// GPU bytes; of compressed curves, and of bones before [`Evaluator::probe`], a lower bound.
    pub gpu_bytes: u64,
    /// Index of its latest result in the evaluator, once there is one.
    pub result: Option<usize>,
}

/// All candidates.
pub(super) struct Candidates {
    /// Compressed joint curves (`bone-local`), of each variant the lowest rate first.
    pub joint_curves: Vec<CandidateSettings>,
    /// Compressed vertex curves.
    pub vertex_curves: Vec<CandidateSettings>,
    /// Encodings that store frames, smallest lower bound of their bytes first.
    pub frames: Vec<CandidateSettings>,
}

/// Returns all candidates of the space that are not refused outright. Refusals are recorded in the evaluator.
pub(super) fn all(
    evaluator: &mut Evaluator<'_>,
    space: &SearchSpace,
) -> Result<Candidates, SearchError> {
    let mut out = Candidates {
        joint_curves: Vec::new(),
        vertex_curves: Vec::new(),
        frames: Vec::new(),
    };
    let encodings = space.encodings.as_deref().unwrap_or(Encoding::ALL);
    let allowed = |storage| space.allows(storage);
    let mut is_empty = true;
    for (index, &encoding) in encodings.iter().enumerate() {
        if encodings[..index].contains(&encoding) {
            continue;
        }
        let plans = plans(evaluator, space.rate, encoding)?;
        let can_compress = matches!(encoding, Encoding::BoneLocal | Encoding::Vertex);
        if can_compress && allowed(Storage::Compressed) {
            is_empty = false;
            for variant in 0..evaluator.variant_count() {
                let compressed = |plan| candidate(variant, encoding, Storage::Compressed, plan);
                if encoding == Encoding::Vertex {
                    let mut candidate = compressed(&plans[0]);
                    candidate.gpu_bytes = evaluator.min_vertex_curve_bytes(&candidate);
                    out.vertex_curves.push(candidate);
                    continue;
                }
                out.joint_curves.push(compressed(&plans[0]));
                // Curves choose their own rates; morph weights beside them are sampled at the plan's rate.
                let (first, has_morphs) = (plans[0].frames(), evaluator.has_morph_tracks());
                let faster = plans.iter().filter(|p| has_morphs && p.frames() > first);
                out.joint_curves.extend(faster.map(compressed));
            }
        }
        if encoding == Encoding::BoneLocal {
            continue;
        }
        for storage in PRECISIONS
            .map(Storage::Frames)
            .into_iter()
            .filter(|&s| allowed(s))
        {
            is_empty = false;
            for (rate, plan) in plans.iter().enumerate() {
                for variant in 0..evaluator.variant_count() {
                    let mut candidate = candidate(variant, encoding, storage, plan);
                    candidate.is_first_rate = rate == 0;
                    match evaluator.min_frame_bytes(&candidate) {
                        Ok(bytes) => {
                            candidate.gpu_bytes = bytes;
                            out.frames.push(candidate);
                        }
                        Err(error) => evaluator.record_refusal(&mut candidate, &error),
                    }
                }
            }
        }
    }
    if is_empty {
        let names: Vec<&str> = encodings.iter().map(|e| e.name()).collect();
        return Err(SearchError::Empty {
            encodings: names.join(", "),
            storage: match (space.precision, space.layout) {
                (Some(precision), _) => precision.name(),
                (None, Some(layout)) => layout.name(),
                (None, None) => "",
            },
        });
    }
    // The sort is stable: equals stay in the order above.
    out.frames.sort_by_key(|candidate| candidate.gpu_bytes);
    Ok(out)
}

fn candidate(
    variant: usize,
    encoding: Encoding,
    storage: Storage,
    plan: &Arc<BakePlan>,
) -> CandidateSettings {
    CandidateSettings {
        variant,
        encoding,
        storage,
        plan: plan.clone(),
        is_first_rate: true,
        gpu_bytes: 0,
        result: None,
    }
}

/// Returns the frames of an encoding at each rate that is tried: the fixed one; otherwise the native rate of the clips,
/// a half and a third of it, 60 Hz and the highest rate.
fn plans(
    evaluator: &Evaluator<'_>,
    fixed: Option<Rate>,
    encoding: Encoding,
) -> Result<Vec<Arc<BakePlan>>, BakeError> {
    match fixed {
        Some(Rate::Auto) => Ok(vec![Arc::new(evaluator.auto_plan(encoding)?)]),
        Some(_) => Ok(vec![evaluator.plan.clone()]),
        None => {
            let mut plans = vec![evaluator.plan.clone()];
            let slower = [2.0, 3.0].map(|part| (1.0 / part, MIN_RATE_HZ));
            let faster = [60.0, MAX_RATE_HZ].map(|rate| (1.0, rate));
            for (part, least) in slower.into_iter().chain(faster) {
                let rate = |clip: &_| f64::max(native_rate(clip) * part, least);
                // A rate with more frames than a set can hold is no candidate; the native rate was checked before.
                let Ok(plan) = evaluator.plan.at_rates(evaluator.source, rate) else {
                    continue;
                };
                if plans.iter().all(|known| **known != plan) {
                    plans.push(Arc::new(plan));
                }
            }
            Ok(plans)
        }
    }
}
