//! Descent of the factors on the gradient of artefacts.

use super::score::Score;
use super::smoothing::Neighbors;
use super::study::Study;

/// Largest number of steps that are tried.
const MAX_TRIES: usize = 60;

/// First step, as a change of factors.
const FIRST_STEP: f64 = 0.25;

/// Step at which the descent ends.
const LAST_STEP: f64 = 0.004;

/// Decrease of the total, relative to it, below which the descent ends.
const LAST_DECREASE: f64 = 1e-4;

/// Part of the largest magnitude that every magnitude is raised by, so that factors without effect stay.
const STILL: f64 = 0.05;

/// Number of averages of the gradient over neighbours.
const GRADIENT_ROUNDS: usize = 12;

/// Number of averages of factors over neighbours.
const FACTOR_ROUNDS: usize = 3;

/// Factors and their artefacts.
pub(super) struct Trial {
    /// Factors before they are made smooth.
    raw: Vec<f64>,
    pub(super) factors: Vec<f32>,
    pub(super) score: Score,
}

impl Trial {
    /// Makes factors smooth, and measures them.
    fn new(study: &Study, neighbors: &Neighbors, raw: Vec<f64>) -> Self {
        let smooth = neighbors.smooth(raw.clone(), FACTOR_ROUNDS).into_iter();
        let factors: Vec<f32> = smooth.map(|factor| factor as f32).collect();
        let score = study.score(&factors);
        Self {
            raw,
            factors,
            score,
        }
    }
}

/// Returns factors that are no worse than those at the start. They are smooth, because the descent changes what they are
/// made from by averaging.
pub(super) fn descend(study: &Study, neighbors: &Neighbors, start: Vec<f64>) -> Trial {
    let mut best = Trial::new(study, neighbors, start);
    let mut direction = direction(study, neighbors, &best.factors);
    let mut step = FIRST_STEP;
    for _ in 0..MAX_TRIES {
        let moved = |(raw, way): (&f64, &f64)| (raw - step * way).clamp(0.0, 1.0);
        let raw = best.raw.iter().zip(&direction).map(moved).collect();
        let tried = Trial::new(study, neighbors, raw);
        let decrease = best.score.total - tried.score.total;
        if decrease > 0.0 {
            best = tried;
            if decrease < LAST_DECREASE * best.score.total {
                break;
            }
            direction = self::direction(study, neighbors, &best.factors);
            step = (step * 1.4).min(FIRST_STEP);
        } else {
            step *= 0.5;
            if step < LAST_STEP {
                break;
            }
        }
    }
    best
}

/// Returns the direction of the steepest rise, smooth over the surface, from -1 to 1. It is near ±1 where all measures
/// agree.
fn direction(study: &Study, neighbors: &Neighbors, factors: &[f32]) -> Vec<f64> {
    let gradient = study.gradient(factors);
    let slopes = neighbors.smooth(gradient.slope, GRADIENT_ROUNDS);
    let magnitudes = neighbors.smooth(gradient.magnitude, GRADIENT_ROUNDS);
    let largest = magnitudes.iter().copied().fold(0.0, f64::max);
    let pairs = slopes.iter().zip(&magnitudes);
    let ratio = |(slope, magnitude): (&f64, &f64)| {
        let divisor = magnitude + STILL * largest;
        if divisor > 0.0 { slope / divisor } else { 0.0 }
    };
    pairs.map(ratio).collect()
}
