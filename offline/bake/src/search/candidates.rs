//! What there is to choose from.

use std::sync::Arc;

use throng_format::{Encoding, Precision};

use super::bench::Bench;
use super::{SearchError, SearchSpace};
use crate::plan::{BakePlan, MAX_RATE_HZ, MIN_RATE_HZ, native_rate};
use crate::{BakeError, Rate};

const PRECISIONS: [Precision; 4] = [
    Precision::Unorm8,
    Precision::Unorm16,
    Precision::F16,
    Precision::F32,
];

/// A set that could be baked.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Index into the bench's bodies.
    pub body: usize,
    pub encoding: Encoding,
    pub precision: Precision,
    pub plan: Arc<BakePlan>,
    /// At the clips' own rate, or the one that is fixed.
    pub is_first_rate: bool,
    /// What it takes on a GPU; of packed ones, at least.
    pub gpu_bytes: u64,
    /// Where it is among what was seen.
    pub seen: Option<usize>,
}

/// All candidates.
pub(super) struct Candidates {
    /// `bone-local`, of each body the lowest rate first.
    pub joint_tracks: Vec<Candidate>,
    /// Vertices compressed in time.
    pub vertex_tracks: Vec<Candidate>,
    /// All others, fewest bytes first.
    pub plain: Vec<Candidate>,
}

/// Everything in the space that is not refused outright; what is, the bench keeps among what was seen.
pub(super) fn all(bench: &mut Bench<'_>, space: &SearchSpace) -> Result<Candidates, SearchError> {
    let mut out = Candidates {
        joint_tracks: Vec::new(),
        vertex_tracks: Vec::new(),
        plain: Vec::new(),
    };
    let encodings = space.encodings.as_deref().unwrap_or(Encoding::ALL);
    let allowed = |precision| space.precision.is_none_or(|fixed| fixed == precision);
    let mut is_empty = true;
    for (index, &encoding) in encodings.iter().enumerate() {
        if encodings[..index].contains(&encoding) {
            continue;
        }
        let plans = plans(bench, space.rate, encoding)?;
        let is_packed = matches!(encoding, Encoding::BoneLocal | Encoding::Vertex);
        if is_packed && allowed(Precision::Packed) {
            is_empty = false;
            for body in 0..bench.bodies() {
                let packed = |plan| candidate(body, encoding, Precision::Packed, plan);
                if encoding == Encoding::Vertex {
                    let mut candidate = packed(&plans[0]);
                    candidate.gpu_bytes = bench.least_vertex_bytes(&candidate);
                    out.vertex_tracks.push(candidate);
                    continue;
                }
                out.joint_tracks.push(packed(&plans[0]));
                // Curves have rates of their own; weights of morphs beside them are at the plan's.
                let (first, moves) = (plans[0].frames(), bench.morphs_move());
                let faster = plans.iter().filter(|p| moves && p.frames() > first);
                out.joint_tracks.extend(faster.map(packed));
            }
        }
        if encoding == Encoding::BoneLocal {
            continue;
        }
        for precision in PRECISIONS.into_iter().filter(|&p| allowed(p)) {
            is_empty = false;
            for (rate, plan) in plans.iter().enumerate() {
                for body in 0..bench.bodies() {
                    let mut candidate = candidate(body, encoding, precision, plan);
                    candidate.is_first_rate = rate == 0;
                    match bench.plain_bytes(&candidate) {
                        Ok(bytes) => {
                            candidate.gpu_bytes = bytes;
                            out.plain.push(candidate);
                        }
                        Err(error) => bench.note_refused(&mut candidate, &error),
                    }
                }
            }
        }
    }
    if is_empty {
        let names: Vec<&str> = encodings.iter().map(|e| e.name()).collect();
        return Err(SearchError::Empty {
            encodings: names.join(", "),
            precision: space.precision.map_or("", Precision::name).into(),
        });
    }
    // A stable sort: equals stay in the order above.
    out.plain.sort_by_key(|candidate| candidate.gpu_bytes);
    Ok(out)
}

fn candidate(
    body: usize,
    encoding: Encoding,
    precision: Precision,
    plan: &Arc<BakePlan>,
) -> Candidate {
    Candidate {
        body,
        encoding,
        precision,
        plan: plan.clone(),
        is_first_rate: true,
        gpu_bytes: 0,
        seen: None,
    }
}

/// The frames of an encoding at each rate that is tried: the one that is fixed; else the clips' own, a half
/// and a third of it, and what lies above.
fn plans(
    bench: &Bench<'_>,
    fixed: Option<Rate>,
    encoding: Encoding,
) -> Result<Vec<Arc<BakePlan>>, BakeError> {
    match fixed {
        Some(Rate::Auto) => Ok(vec![Arc::new(bench.auto_plan(encoding)?)]),
        Some(_) => Ok(vec![bench.plan.clone()]),
        None => {
            let mut plans = vec![bench.plan.clone()];
            let slower = [2.0, 3.0].map(|part| (1.0 / part, MIN_RATE_HZ));
            let faster = [60.0, MAX_RATE_HZ].map(|rate| (1.0, rate));
            for (part, least) in slower.into_iter().chain(faster) {
                let rate = |clip: &_| f64::max(native_rate(clip) * part, least);
                // What cannot be counted is no candidate; the clips' own rate can be.
                let Ok(plan) = bench.plan.at_rates(bench.source, rate) else {
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
