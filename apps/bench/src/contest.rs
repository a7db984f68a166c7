//! Contests: rounds in which every contestant has a turn, in random order, until every pair is decided.

use crate::BenchError;
use crate::arena::{Arena, TurnLength, take_turn};
use crate::pace::{Pace, Stop};
use crate::random::Random;
use crate::record::{Contest, Ratio, Round, Settings};
use crate::stats::{Verdict, paired_ratio};

/// Two contestants whose throughputs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// Contestant.
    pub entrant: usize,
    /// Contestant that it is compared with.
    pub against: usize,
    /// True for two equal contestants, whose throughputs must not differ.
    pub is_same: bool,
}

/// Fewest rounds that decide. Resampled means lie between the smallest and the largest round, and eight rounds are on the
/// same side of the true ratio in one of 128 contests.
pub const DECISIVE_ROUNDS: usize = 8;

/// Rules of a contest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContestRules {
    /// Length of a turn.
    pub turn: TurnLength,
    /// Fewest and most rounds.
    pub rounds: [u32; 2],
    /// Ratios within `1 ± margin` are no difference.
    pub margin: f64,
    /// Seed of resampling.
    pub seed: u64,
}

impl ContestRules {
    /// Rules of the settings.
    pub fn of(settings: &Settings) -> Self {
        Self {
            turn: TurnLength::of(settings),
            rounds: settings.rounds,
            margin: settings.margin,
            seed: settings.seed,
        }
    }
}

/// Adds rounds until every pair is decided, or there are as many rounds as allowed. Rounds that are there already count.
///
/// Pairs are judged after the fewest rounds and then each time that half as many were added. Contestants whose pairs are all
/// decided sit out. Returns the reason of stopping early; ratios are up to date in any case.
pub fn run_contest(
    arena: &mut dyn Arena,
    contest: &mut Contest,
    pairs: &[Pair],
    rules: ContestRules,
    pace: Pace<'_>,
    random: &mut Random,
) -> Result<Option<Stop>, BenchError> {
    let [least, most] = rules.rounds.map(|rounds| rounds as usize);
    loop {
        let done = contest.rounds.len();
        contest.ratios = judge(contest, pairs, rules);
        let is_open = |ratio: &Ratio| ratio.verdict == Verdict::Undecided;
        let needed = match done < least {
            true => least,
            false if done >= most || !contest.ratios.iter().any(is_open) => return Ok(None),
            false => (done + done.div_ceil(2)).min(most),
        };
        let mut takes_part = vec![done < least; contest.instances.len()];
        for ratio in contest.ratios.iter().filter(|ratio| is_open(ratio)) {
            takes_part[ratio.entrant] = true;
            takes_part[ratio.against] = true;
        }
        while contest.rounds.len() < needed {
            if let Some(stop) = pace.stop() {
                contest.ratios = judge(contest, pairs, rules);
                return Ok(Some(stop));
            }
            let round = run_round(arena, contest, &takes_part, rules.turn, random)?;
            contest.rounds.push(round);
        }
    }
}

fn run_round(
    arena: &mut dyn Arena,
    contest: &Contest,
    takes_part: &[bool],
    length: TurnLength,
    random: &mut Random,
) -> Result<Round, BenchError> {
    // Contestants without instances were refused.
    let mut order: Vec<usize> = (0..takes_part.len())
        .filter(|&entrant| takes_part[entrant] && contest.instances[entrant] > 0)
        .collect();
    random.shuffle(&mut order);
    let mut turns = vec![None; takes_part.len()];
    for &entrant in &order {
        turns[entrant] = Some(take_turn(
            arena,
            entrant,
            contest.instances[entrant],
            length,
        )?);
    }
    Ok(Round { order, turns })
}

/// Judges all pairs by the rounds in which both took part.
fn judge(contest: &Contest, pairs: &[Pair], rules: ContestRules) -> Vec<Ratio> {
    let ratios = pairs.iter().filter_map(|pair| {
        let [a, b] = ratings(contest, pair.entrant, pair.against);
        if a.is_empty() {
            return None;
        }
        let estimate = paired_ratio(&a, &b, rules.seed);
        Some(Ratio {
            entrant: pair.entrant,
            against: pair.against,
            ratio: estimate.value,
            low: estimate.interval[0],
            high: estimate.interval[1],
            verdict: match a.len() >= DECISIVE_ROUNDS {
                true => Verdict::of(estimate.decisive, rules.margin),
                false => Verdict::Undecided,
            },
            is_same: pair.is_same,
        })
    });
    ratios.collect()
}

/// Throughputs of two contestants, instances per second, in the rounds in which both took part.
pub fn ratings(contest: &Contest, a: usize, b: usize) -> [Vec<f64>; 2] {
    let both = contest.rounds.iter().filter_map(|round| {
        let turn = |entrant: usize| round.turns.get(entrant)?.as_ref();
        Some((turn(a)?.rating(), turn(b)?.rating()))
    });
    let (a, b) = both.unzip();
    [a, b]
}

/// Gives equal contestants equal numbers of instances. Throughput depends slightly on their number, because a frame has a cost of
/// its own, so that a pair with different numbers differs.
pub fn equalize(instances: &mut [u32], pairs: &[Pair]) {
    for pair in pairs.iter().filter(|pair| pair.is_same) {
        let are_drawn = instances[pair.entrant] > 0 && instances[pair.against] > 0;
        if are_drawn {
            instances[pair.entrant] = instances[pair.against];
        }
    }
}

/// Finds the number of instances that a contestant draws in a frame time, within 4 % or one instance, from a first guess. Of two
/// turns the faster counts, because what disturbs a turn makes it slower.
pub fn instances_within(
    arena: &mut dyn Arena,
    entrant: usize,
    budget_ms: f64,
    guess: f64,
    max_instances: u32,
    length: TurnLength,
) -> Result<u32, BenchError> {
    let mut instances = (guess.round() as u32).clamp(1, max_instances);
    for _ in 0..6 {
        let first = match take_turn(arena, entrant, instances, length) {
            Err(BenchError::TooMany(_)) if instances > 1 => {
                instances /= 2;
                continue;
            }
            turn => turn?,
        };
        let second = take_turn(arena, entrant, instances, length)?;
        let ratio = budget_ms / first.mean_ms().min(second.mean_ms());
        // Times of small crowds are not proportional to instances: a large step may overshoot.
        let next = (f64::from(instances) * ratio.clamp(0.25, 8.0)).round() as u32;
        let next = next.clamp(1, max_instances);
        if (ratio - 1.0).abs() <= 0.04 || next.abs_diff(instances) <= 1 {
            return Ok(next);
        }
        instances = next;
    }
    Ok(instances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{Noise, SimulatedArena};

    const RULES: ContestRules = ContestRules {
        turn: TurnLength {
            settle_ms: 0.0,
            sample_ms: 300.0,
            max_frames: 1000,
        },
        rounds: [10, 600],
        margin: 0.02,
        seed: 1,
    };

    #[test]
    fn equal_contestants_draw_equal_numbers() {
        let pairs = [
            Pair {
                entrant: 1,
                against: 0,
                is_same: true,
            },
            Pair::of(2, 0),
        ];
        let mut instances = [69, 78, 42];
        equalize(&mut instances, &pairs);
        assert_eq!(instances, [69, 69, 42]);
        // A contestant that cannot draw is not made to.
        let mut instances = [69, 0, 42];
        equalize(&mut instances, &pairs);
        assert_eq!(instances, [69, 0, 42]);
    }

    fn contest(entrants: usize) -> Contest {
        Contest::of(vec![1000; entrants])
    }

    /// Verdict on a second contestant that takes `cost` times as long as the first.
    fn verdict(cost: f64, noise: Noise, seed: u64) -> (Verdict, usize) {
        let mut arena = SimulatedArena::new(&[(1.0, 0.01), (1.0, 0.01)], noise, seed);
        arena.slow_down(1, cost);
        let mut contest = contest(2);
        let pair = Pair {
            entrant: 1,
            against: 0,
            is_same: false,
        };
        let clock = arena.clock();
        let pace = Pace {
            clock: &*clock,
            deadline_secs: 3600.0,
        };
        let random = &mut Random::new(seed);
        run_contest(&mut arena, &mut contest, &[pair], RULES, pace, random).unwrap();
        (contest.ratios[0].verdict, contest.rounds.len())
    }

    const NOISES: [(&str, Noise); 3] = [
        (
            "quiet",
            Noise {
                spread: 0.03,
                second_mode: 0.0,
                drift: 0.0,
            },
        ),
        (
            "drifting by 60 %",
            Noise {
                spread: 0.03,
                second_mode: 0.0,
                drift: 0.6,
            },
        ),
        (
            "bimodal",
            Noise {
                spread: 0.03,
                second_mode: 0.15,
                drift: 0.3,
            },
        ),
    ];

    #[test]
    fn a_planted_slowdown_of_3_percent_is_found() {
        for (name, noise) in NOISES {
            let runs: Vec<_> = (0..20).map(|seed| verdict(1.03, noise, seed)).collect();
            let slower = runs.iter().filter(|run| run.0 == Verdict::Slower).count();
            assert!(slower >= 19, "{name}: {slower} of 20");
        }
    }

    #[test]
    fn no_slowdown_is_found_where_none_was_planted() {
        for (name, noise) in NOISES {
            let runs: Vec<_> = (0..40).map(|seed| verdict(1.0, noise, seed)).collect();
            let same = runs.iter().filter(|run| run.0 == Verdict::NoDifference);
            let different = runs
                .iter()
                .filter(|run| matches!(run.0, Verdict::Faster | Verdict::Slower));
            assert!(same.count() >= 38, "{name}");
            assert_eq!(different.count(), 0, "{name}");
        }
    }

    #[test]
    fn a_difference_at_the_margin_stays_undecided() {
        let (verdict, rounds) = verdict(1.02, NOISES[0].1, 3);
        assert_eq!((verdict, rounds), (Verdict::Undecided, 600));
    }

    #[test]
    fn a_large_difference_needs_the_fewest_rounds() {
        assert_eq!(verdict(2.0, NOISES[2].1, 4), (Verdict::Slower, 10));
    }

    #[test]
    fn a_few_rounds_decide_nothing() {
        let mut arena = SimulatedArena::new(&[(0.0, 0.01), (0.0, 0.02)], NOISES[0].1, 8);
        let mut contest = contest(2);
        let rules = ContestRules {
            rounds: [3, 3],
            ..RULES
        };
        let clock = arena.clock();
        let pace = Pace {
            clock: &*clock,
            deadline_secs: 3600.0,
        };
        let pairs = [Pair::of(1, 0)];
        run_contest(
            &mut arena,
            &mut contest,
            &pairs,
            rules,
            pace,
            &mut Random::new(2),
        )
        .unwrap();
        assert!(contest.ratios[0].high < 0.6);
        assert_eq!(contest.ratios[0].verdict, Verdict::Undecided);
    }

    #[test]
    fn decided_contestants_sit_out() {
        let noise = NOISES[0].1;
        let mut arena = SimulatedArena::new(&[(0.0, 0.01), (0.0, 0.01), (0.0, 0.03)], noise, 8);
        let short = TurnLength {
            sample_ms: 20.0,
            ..RULES.turn
        };
        let rules = ContestRules {
            turn: short,
            ..RULES
        };
        let mut contest = contest(3);
        let pair = |entrant| Pair {
            entrant,
            against: 0,
            is_same: entrant == 1,
        };
        let clock = arena.clock();
        let pace = Pace {
            clock: &*clock,
            deadline_secs: 3600.0,
        };
        let pairs = [pair(1), pair(2)];
        let stop = run_contest(
            &mut arena,
            &mut contest,
            &pairs,
            rules,
            pace,
            &mut Random::new(2),
        );
        assert_eq!(stop.unwrap(), None);
        let last = contest.rounds.last().unwrap();
        assert!(contest.rounds.len() > 10);
        assert!(last.turns[0].is_some() && last.turns[1].is_some() && last.turns[2].is_none());
        // Every order occurs, so that none always follows the same neighbour.
        let first: Vec<usize> = contest.rounds[..10]
            .iter()
            .map(|round| round.order[0])
            .collect();
        assert!((0..3).all(|entrant| first.contains(&entrant)), "{first:?}");
    }

    #[test]
    fn a_contest_out_of_time_is_continued_with_its_rounds() {
        let noise = NOISES[0].1;
        let mut arena = SimulatedArena::new(&[(0.0, 0.01), (0.0, 0.01)], noise, 1);
        let mut contest = contest(2);
        let pair = Pair {
            entrant: 1,
            against: 0,
            is_same: true,
        };
        let clock = arena.clock();
        let mut run = |contest: &mut Contest, deadline_secs: f64| {
            let pace = Pace {
                clock: &*clock,
                deadline_secs,
            };
            run_contest(
                &mut arena,
                contest,
                &[pair],
                RULES,
                pace,
                &mut Random::new(2),
            )
            .unwrap()
        };
        assert_eq!(run(&mut contest, 3.0), Some(Stop::OutOfTime));
        let rounds = contest.rounds.clone();
        assert!(!rounds.is_empty() && rounds.len() < 10);
        assert_eq!(contest.ratios.len(), 1);
        assert_eq!(run(&mut contest, 3600.0), None);
        assert_eq!(contest.rounds[..rounds.len()], rounds);
    }

    #[test]
    fn instances_of_a_budget_are_found() {
        let noise = Noise {
            spread: 0.01,
            second_mode: 0.0,
            drift: 0.0,
        };
        let mut arena = SimulatedArena::new(&[(2.0, 0.01)], noise, 5);
        for guess in [1.0, 300.0, 90_000.0] {
            let found = instances_within(&mut arena, 0, 16.0, guess, 1 << 20, RULES.turn).unwrap();
            assert!(
                (found as f64 / 1400.0 - 1.0).abs() < 0.1,
                "{guess}: {found}"
            );
        }
    }
}
