//! Contenders that run in turns.

use std::time::{Duration, Instant};

/// Work to time: runs once per call.
pub struct Contender<'a>(Box<dyn FnMut() + 'a>);

impl<'a> Contender<'a> {
    /// Takes what does the work.
    pub fn new(run: impl FnMut() + 'a) -> Self {
        Self(Box::new(run))
    }
}

/// Seconds that each contender took for one piece of work, in each round.
#[derive(Debug, Clone)]
pub struct Times {
    secs: Vec<Vec<f64>>,
}

/// Duration of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Number of turns of each contender.
    pub rounds: usize,
    /// Least duration of a turn; the work is repeated to fill it.
    pub turn: Duration,
}

impl Times {
    /// Runs the contenders in turns. Each round starts with another one, so that none always runs
    /// after the same neighbour.
    pub fn measure(contenders: &mut [Contender<'_>], effort: Effort) -> Self {
        let repeats: Vec<u32> = contenders
            .iter_mut()
            .map(|contender| repeats(contender, effort.turn))
            .collect();
        let mut secs = vec![Vec::with_capacity(effort.rounds); contenders.len()];
        for round in 0..effort.rounds {
            for turn in 0..contenders.len() {
                let index = (round + turn) % contenders.len();
                let start = Instant::now();
                for _ in 0..repeats[index] {
                    (contenders[index].0)();
                }
                let taken = start.elapsed().as_secs_f64();
                secs[index].push(taken / f64::from(repeats[index]));
            }
        }
        Self { secs }
    }

    /// Median over all rounds.
    pub fn median_secs(&self, contender: usize) -> f64 {
        median(self.secs[contender].clone())
    }

    /// Shortest round.
    pub fn best_secs(&self, contender: usize) -> f64 {
        self.secs[contender]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
    }

    /// Speed of one contender relative to another: the median of the ratio within each round.
    pub fn speed_ratio(&self, contender: usize, than: usize) -> f64 {
        let pairs = self.secs[than].iter().zip(&self.secs[contender]);
        median(pairs.map(|(slow, fast)| slow / fast).collect())
    }
}

/// Returns how often the work fits into a turn, after one run to warm up.
fn repeats(contender: &mut Contender<'_>, turn: Duration) -> u32 {
    (contender.0)();
    let start = Instant::now();
    (contender.0)();
    let once = start.elapsed().as_secs_f64();
    (turn.as_secs_f64() / once.max(1e-9)).clamp(1.0, 1e6).ceil() as u32
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_taken_within_each_round() {
        // The machine is ten times slower in the second round; the ratio is not.
        let times = Times {
            secs: vec![vec![1.0, 10.0, 1.0], vec![2.0, 20.0, 2.0]],
        };
        assert_eq!(times.speed_ratio(0, 1), 2.0);
        assert_eq!(times.median_secs(1), 2.0);
        assert_eq!(times.best_secs(0), 1.0);
    }

    #[test]
    fn every_contender_gets_its_turns() {
        let counts = [const { std::cell::Cell::new(0) }; 2];
        let count = |index: usize| {
            let counter = &counts[index];
            Contender::new(move || counter.set(counter.get() + 1))
        };
        let effort = Effort {
            rounds: 3,
            turn: Duration::ZERO,
        };
        let times = Times::measure(&mut [count(0), count(1)], effort);
        assert_eq!(times.secs.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        // Two runs to warm up, then one per round.
        assert!(counts.iter().all(|counter| counter.get() == 5));
    }
}
