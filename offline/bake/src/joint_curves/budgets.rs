//! Error budgets of joints: the fewest bits whose vertices stay within the maximum error.
//!
//! The bits of a joint's curves grow with the logarithm of its precision, and squared errors add up from the root to a
//! vertex. Under these assumptions the cheapest squared budget of a joint is its number of stored values over the sum of
//! the prices of the joints below. A joint's price is the Lagrange multiplier of its vertices' error: each round raises the
//! prices of joints whose vertices exceed the error, and lowers those of joints whose vertices have room.

use throng_rig::Clip;

use super::differences::{Differences, VertexError};
use super::segment::{Attempt, Segment, SegmentContext};
use super::{LocalRig, Search};
use crate::curves::{Bases, SegmentCurves};

/// An encoded segment.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// All curves of the segment.
    pub curves: SegmentCurves,
    /// Largest error of a vertex, as a part of the maximum error.
    pub worst: f64,
    /// Bits of all references and keys.
    pub bits: usize,
}

/// Error that prices aim at, as a part of the maximum error: single budgets take the rest.
const PRICED_ERROR: f64 = 0.85;
/// Error that predicted prices aim at, as a part of the maximum error: most segments are within the error at once.
const PREDICTED_ERROR: f64 = 0.75;
/// Error of a finished segment, as a part of the maximum error.
const EXPECTED_ERROR: f64 = 0.95;
/// Smallest error that expected bits are corrected by, as a part of that.
const LEAST_EXCESS: f64 = 0.8;
/// Factor of a joint's blame per joint between it and the vertex.
const NEARNESS: f64 = 0.6;
/// Largest factor of a budget that shrinks to settle.
const SETTLED: f64 = 0.85;
/// Most rounds in which budgets only shrink, where no round before was within the error.
const SETTLING_ROUNDS: usize = 20;
/// Number of times that vertices with too large an error are added to the probes.
const SEARCHES: usize = 6;

/// A segment that is being encoded.
pub(super) struct SegmentSearch<'a> {
    segment: Segment<'a>,
    attempt: Attempt,
    prices: Vec<f64>,
    budgets: Vec<f64>,
    best: Option<Best>,
}

/// The best round so far. Encoding with the same budgets again would not give the same curves, because curves remember
/// splines and steps.
struct Best {
    round: Round,
    budgets: Vec<f64>,
    curves: SegmentCurves,
    differences: Differences,
}

impl<'a> SegmentSearch<'a> {
    /// Samples the segment of a clip between two times, and finds prices in a number of rounds.
    pub fn new(
        context: SegmentContext<'a>,
        bases: &'a Bases,
        clip: &Clip,
        [from, to]: [f64; 2],
        price_rounds: usize,
    ) -> Self {
        let segment = Segment::sample(context, bases, clip, from, to);
        let values = |bone: usize| initial_values(&context.present[bone]);
        let mut search = Self {
            attempt: segment.begin(),
            segment,
            prices: context.prices.to_vec(),
            budgets: budgets_of(context.rig, context.prices, values),
            best: None,
        };
        search.find_prices(price_rounds);
        search
    }

    /// Moves prices for a number of rounds.
    fn find_prices(&mut self, rounds: usize) {
        let rig = self.segment.context.rig;
        for _ in 0..rounds {
            if self.best.is_some() {
                let values = |bone: usize| self.attempt.stored_values(bone);
                self.budgets = budgets_of(rig, &self.prices, values);
            }
            let errors = self.run_round();
            self.segment.adjust_prices(&mut self.prices, &errors);
        }
    }

    /// Returns the bits that the segment is expected to take when it is within the error; 0 before the first round.
    pub fn expected_bits(&self) -> f64 {
        let Some(Best { round, .. }) = &self.best else {
            return 0.0;
        };
        let values: f64 = (0..self.budgets.len())
            .map(|bone| self.attempt.stored_values(bone))
            .sum();
        let values = values * self.attempt.curve_keys();
        // A segment that is far more accurate than needed would not take so many bits less.
        let octaves = (round.worst / EXPECTED_ERROR).max(LEAST_EXCESS).log2();
        round.bits as f64 + values * octaves
    }

    /// Encodes the segment. Prices move for some rounds, then single budgets grow and shrink for some rounds.
    pub fn finish(mut self, search: &Search) -> Encoded {
        let Search {
            price_rounds: [_, price_rounds],
            rounds,
            probe_error,
            checks_all_vertices,
            ..
        } = *search;
        self.find_prices(price_rounds);
        let mut best: Option<Encoded> = None;
        for search in 0..SEARCHES {
            // Later searches only see to vertices that were not probes before.
            let found = self.search(if search == 0 { rounds } else { 0 });
            let vertices = match checks_all_vertices {
                true => self.segment.worst_vertices(&found.differences),
                false => Vec::new(),
            };
            let errors = vertices.iter().map(|&(_, error)| error);
            let worst = errors.fold(found.round.worst, f64::max);
            if best.as_ref().is_none_or(|best| worst < best.worst) {
                best = Some(Encoded {
                    curves: found.curves,
                    worst,
                    bits: found.round.bits,
                });
            }
            if worst <= 1.0 || !found.round.is_within {
                break;
            }
            let before = self.segment.probed.len();
            let off = vertices.iter().filter(|&&(_, error)| error > probe_error);
            self.segment.add_probes(off.map(|&(vertex, _)| vertex));
            if self.segment.probed.len() == before {
                break;
            }
            self.budgets = found.budgets;
        }
        best.expect("there is at least one search")
    }

    /// Takes the round of fewest bits that keeps all probes within the error; or else the most accurate. Budgets move both
    /// ways, and at last only down until all probes are within the error.
    fn search(&mut self, rounds: usize) -> Best {
        for round in 0..rounds + SETTLING_ROUNDS {
            let settling = round >= rounds;
            if settling && self.best.as_ref().is_some_and(|best| best.round.is_within) {
                break;
            }
            let errors = self.run_round();
            let mode = match settling {
                false => Mode::Exchange {
                    eagerness: 1.0 - round as f64 / rounds as f64,
                },
                true => Mode::Settle,
            };
            self.adjust_budgets(&errors, mode);
        }
        // Rounds before do not see the probes of the next search.
        self.best.take().expect("there is at least one round")
    }

    /// Encodes the segment with the budgets. Returns the error of each probe.
    fn run_round(&mut self) -> Vec<VertexError> {
        self.segment.encode(&self.budgets, &mut self.attempt);
        let errors = self.segment.errors(&self.attempt);
        let worst = errors.iter().map(|e| e.size).fold(0.0, f64::max);
        let round = Round {
            is_within: worst <= self.segment.context.probe_error,
            worst,
            bits: self.attempt.bits(),
        };
        let is_better = self
            .best
            .as_ref()
            .is_none_or(|best| round.is_better_than(&best.round));
        if is_better {
            self.best = Some(Best {
                round,
                budgets: self.budgets.clone(),
                curves: self.attempt.curves(),
                differences: self.attempt.differences.clone(),
            });
        }
        errors
    }

    fn adjust_budgets(&mut self, errors: &[VertexError], mode: Mode) {
        self.segment
            .adjust_budgets(&mut self.budgets, errors, &self.attempt, mode);
    }
}

/// Returns prices to begin with: a joint's share of the error is that of its curves among all curves below. Each round
/// then raises the prices of joints whose predicted error is too large, and lowers the others: the squared error of a joint's
/// vertices is about the sum of the squared budgets from the root to the joint. `present` tells which channels are curves.
pub(super) fn predicted_prices(rig: &LocalRig, present: &[[bool; 3]], rounds: usize) -> Vec<f64> {
    let values = |bone: usize| initial_values(&present[bone]);
    let mut prices: Vec<f64> = (0..present.len())
        .map(|bone| values(bone).max(1e-3))
        .collect();
    let mut squares = vec![0f64; prices.len()];
    for _ in 0..rounds {
        let budgets = budgets_of(rig, &prices, values);
        for (bone, budget) in budgets.iter().enumerate() {
            let above = rig.parents[bone].map_or(0.0, |parent| squares[parent]);
            squares[bone] = above + budget * budget;
            let over = squares[bone] / (PREDICTED_ERROR * PREDICTED_ERROR);
            prices[bone] = (prices[bone] * over.clamp(0.1, 10.0)).max(1e-4);
        }
    }
    prices
}

/// Number of values per key of all curves of a joint.
fn initial_values(present: &[bool; 3]) -> f64 {
    3.0 * present.iter().filter(|&&curve| curve).count() as f64
}

/// Returns the budgets of some prices: parts of the maximum error. `values` is the number of stored values of each joint.
fn budgets_of(rig: &LocalRig, prices: &[f64], values: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut below = prices.to_vec();
    for bone in (0..below.len()).rev() {
        if let Some(parent) = rig.parents[bone] {
            below[parent] += below[bone];
        }
    }
    let budget = |(bone, &below): (usize, &f64)| (values(bone) / below).sqrt().clamp(1e-3, 20.0);
    below.iter().enumerate().map(budget).collect()
}

/// Movement of budgets.
#[derive(Debug, Clone, Copy)]
enum Mode {
    /// Both ways; an eagerness of 0 to 1.
    Exchange { eagerness: f64 },
    /// Down only.
    Settle,
}

/// Result of a round.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// True where all probes are within the error.
    is_within: bool,
    /// Largest error of a probe, as a part of the maximum error.
    worst: f64,
    bits: usize,
}

impl Round {
    fn is_better_than(&self, other: &Self) -> bool {
        match (self.is_within, other.is_within) {
            (true, true) => self.bits < other.bits,
            (false, false) => self.worst < other.worst,
            (is_within, _) => is_within,
        }
    }
}

impl Segment<'_> {
    /// Returns the largest error of each probe, as a part of the maximum error.
    fn errors(&self, attempt: &Attempt) -> Vec<VertexError> {
        let mut buffer = Vec::new();
        let error = |&vertex: &usize| {
            let error = attempt
                .differences
                .of(self.context.rig, vertex, &mut buffer);
            VertexError {
                size: error.size / self.context.max_error,
                ..error
            }
        };
        self.probed.iter().map(error).collect()
    }

    /// Raises the prices of joints whose vertices exceed the error, and lowers those of joints whose vertices have room.
    fn adjust_prices(&self, prices: &mut [f64], errors: &[VertexError]) {
        let rig = self.context.rig;
        let mut worst = vec![0f64; prices.len()];
        for (&vertex, error) in self.probed.iter().zip(errors) {
            if let Some(heaviest) = rig.vertices.of(vertex).first() {
                worst[heaviest.bone] = worst[heaviest.bone].max(error.size);
            }
        }
        for (price, worst) in prices.iter_mut().zip(worst) {
            let over = worst / PRICED_ERROR;
            *price = (*price * over.powf(1.5).clamp(0.3, 4.0)).max(1e-4);
        }
    }

    /// Lowers the budgets of joints whose vertices exceed the error, and raises those of joints that have room.
    fn adjust_budgets(
        &self,
        budgets: &mut [f64],
        errors: &[VertexError],
        attempt: &Attempt,
        mode: Mode,
    ) {
        let SegmentContext {
            rig, probe_error, ..
        } = self.context;
        let mut worst = vec![0f64; rig.bones.len()];
        let mut factors = vec![1f64; rig.bones.len()];
        let mut blame = Vec::new();
        for (&vertex, error) in self.probed.iter().zip(errors) {
            for influence in rig.vertices.of(vertex) {
                if influence.weight > 0.05 {
                    worst[influence.bone] = worst[influence.bone].max(error.size);
                }
            }
            if error.size > probe_error {
                self.blame(vertex, error.sample, attempt, &mut blame);
                let most = blame.iter().map(|&(_, b)| b).fold(1e-12, f64::max);
                // Joints near the vertex first: those farther up carry more.
                let (most_factor, fall) = match mode {
                    Mode::Exchange { .. } => (1.0, NEARNESS),
                    Mode::Settle => (SETTLED, 1.0),
                };
                let mut nearness = 1.0;
                for &(bone, part) in &blame {
                    let factor = (0.95 * probe_error / error.size).min(most_factor);
                    let factor = factor.powf(nearness * part.max(0.0) / most);
                    factors[bone] = factors[bone].min(factor.max(0.5));
                    nearness *= fall;
                }
                if let Mode::Settle = mode {
                    // Blame follows the heaviest joint alone.
                    for influence in rig.vertices.of(vertex) {
                        let factor = &mut factors[influence.bone];
                        *factor = factor.min(SETTLED.powf(influence.weight.sqrt()));
                    }
                }
            }
        }
        for bone in (0..worst.len()).rev() {
            if let Some(parent) = rig.parents[bone] {
                worst[parent] = worst[parent].max(worst[bone]);
            }
        }
        for bone in 0..worst.len() {
            if let Mode::Exchange { eagerness } = mode
                && worst[bone] < 0.95 * probe_error
            {
                let room = 0.97 * probe_error / worst[bone].max(1e-3);
                factors[bone] = room.powf(0.3 + 0.6 * eagerness).min(1.5);
            }
            budgets[bone] = (budgets[bone] * factors[bone]).clamp(1e-3, 20.0);
        }
    }

    /// Returns each joint's part of a vertex's error, from the vertex's joint to the root: a point fixed to the joint's
    /// exact transform moves step by step, from the root on, to the joint's decoded transform.
    fn blame(&self, vertex: usize, sample: usize, attempt: &Attempt, out: &mut Vec<(usize, f64)>) {
        let rig = self.context.rig;
        out.clear();
        let Some(heaviest) = rig.vertices.of(vertex).first() else {
            return;
        };
        let mut bone = heaviest.bone;
        let influences = rig.vertices.of(vertex).iter();
        let exact = influences
            .map(|i| i.weight * self.exact[i.bone].model[sample].transform_point3(i.in_joint))
            .sum();
        let carried = |bone: usize| {
            let back = self.exact[bone].model[sample].inverse();
            attempt.decoded[bone].model[sample].transform_point3(back.transform_point3(exact))
        };
        let mut here = carried(bone);
        let error = (here - exact).normalize_or_zero();
        loop {
            let (there, parent) = match rig.parents[bone] {
                Some(parent) => (carried(parent), Some(parent)),
                None => (exact, None),
            };
            out.push((bone, (here - there).dot(error)));
            match parent {
                Some(parent) => bone = parent,
                None => break,
            }
            here = there;
        }
    }
}

#[cfg(test)]
mod tests {
    use throng_rig::CharacterPose;

    use super::*;

    /// Returns the largest error of a joint that budgets of some prices are predicted to have.
    fn largest_prediction(rig: &LocalRig, present: &[[bool; 3]], prices: &[f64]) -> f64 {
        let budgets = budgets_of(rig, prices, |bone| initial_values(&present[bone]));
        let mut squares = vec![0f64; budgets.len()];
        for (bone, budget) in budgets.iter().enumerate() {
            let above = rig.parents[bone].map_or(0.0, |parent| squares[parent]);
            squares[bone] = above + budget * budget;
        }
        squares.into_iter().fold(0.0, f64::max).sqrt()
    }

    #[test]
    fn predicted_prices_lead_to_the_error_that_is_aimed_at() {
        let character = throng_import::builtin::builtin("humanoid:500").unwrap();
        let rig = LocalRig::new(&character, &CharacterPose::rest(&character));
        let present = vec![[true, false, false]; rig.bones.len()];
        let unpredicted = predicted_prices(&rig, &present, 0);
        assert!(largest_prediction(&rig, &present, &unpredicted) > 1.2 * PREDICTED_ERROR);
        let prices = predicted_prices(&rig, &present, 20);
        let largest = largest_prediction(&rig, &present, &prices);
        assert!((largest / PREDICTED_ERROR - 1.0).abs() < 0.05, "{largest}");
        // Only vertices at the ends of the skeleton limit the error.
        assert!(prices[0] < 1e-3 * unpredicted[0], "{}", prices[0]);
    }
}
