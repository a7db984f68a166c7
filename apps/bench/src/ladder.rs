//! P0's adaptive choice of numbers of instances (3.6.5).
//!
//! A point is kept if the frame time moved by an amount within the threshold since the last kept point, or if the step is one
//! instance. Otherwise the step is halved or doubled. Two things are added to the paper's rules, because measured times are
//! noisy: once a step is known to be too small and another too large, the next is half way between, so that steps do not
//! alternate for ever; and a step of one instance that moves the frame time too little is doubled after its point is kept.

use crate::record::{Point, ThresholdUnit};

/// Rules of a ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderRules {
    /// Smallest change of a kept point, and the first that is too large.
    pub threshold: [f64; 2],
    /// Unit of the threshold.
    pub unit: ThresholdUnit,
    /// Frame time at which a curve ends.
    pub max_ms: f64,
    /// Most instances.
    pub max_instances: u32,
}

/// State of one curve: which number of instances is measured next.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    rules: LadderRules,
    /// Instances and frame time of the last kept point.
    kept: Option<(u32, f64)>,
    /// Most instances whose change was too small, since the last kept point.
    too_small: Option<u32>,
    /// Fewest instances whose change was too large, since the last kept point.
    too_large: Option<u32>,
    next: Option<u32>,
}

impl Ladder {
    /// Begins with one instance.
    pub fn new(rules: LadderRules) -> Self {
        Self {
            rules,
            kept: None,
            too_small: None,
            too_large: None,
            next: Some(1),
        }
    }

    /// Continues after points that were measured before.
    pub fn after(rules: LadderRules, points: &[Point]) -> Self {
        let mut ladder = Self::new(rules);
        for point in points {
            ladder.record(point.turn.instances, point.turn.mean_ms());
        }
        ladder
    }

    /// Number of instances to measure next; `None` at the end of the curve.
    pub fn next(&self) -> Option<u32> {
        self.next
    }

    /// Ends the curve, as at the most instances.
    pub fn end(&mut self) {
        self.next = None;
    }

    /// Takes a measurement and chooses the next step. Returns true if the point is kept.
    pub fn record(&mut self, instances: u32, ms: f64) -> bool {
        let Some((first, first_ms)) = self.kept else {
            self.keep(instances, ms, 1);
            return true;
        };
        let moved = match self.rules.unit {
            ThresholdUnit::Ms => ms - first_ms,
            ThresholdUnit::Part => (ms - first_ms) / first_ms,
        };
        let step = instances - first;
        let [least, too_much] = self.rules.threshold;
        let is_last = instances >= self.rules.max_instances;
        if moved >= too_much {
            let below = self.too_small.unwrap_or(first);
            if instances - below <= 1 {
                self.keep(instances, ms, step);
                return true;
            }
            self.too_large = Some(instances);
            self.next = Some(below + (instances - below) / 2);
        } else if moved >= least || is_last {
            self.keep(instances, ms, step);
            return true;
        } else if step == 1 {
            self.keep(instances, ms, 2);
            return true;
        } else {
            self.too_small = Some(instances);
            self.next = Some(match self.too_large {
                Some(above) => instances + (above - instances).div_ceil(2),
                None => self.at_most(first.saturating_add(step.saturating_mul(2))),
            });
        }
        false
    }

    fn keep(&mut self, instances: u32, ms: f64, step: u32) {
        self.kept = Some((instances, ms));
        (self.too_small, self.too_large) = (None, None);
        let is_end = ms >= self.rules.max_ms || instances >= self.rules.max_instances;
        self.next = (!is_end).then(|| self.at_most(instances.saturating_add(step)));
    }

    fn at_most(&self, instances: u32) -> u32 {
        instances.min(self.rules.max_instances)
    }
}

/// Number of instances at a frame time, between the kept points of a curve: linear between them, 0 below the first point.
/// `None` past the last point.
pub fn instances_at(points: &[Point], budget_ms: f64) -> Option<f64> {
    let mut kept: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point.is_kept)
        .map(|point| (f64::from(point.turn.instances), point.turn.mean_ms()))
        .collect();
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    if kept.first().is_some_and(|(_, ms)| *ms > budget_ms) {
        return Some(0.0);
    }
    // Noise makes curves fall in places: the last crossing is the one that a longer curve would show.
    let crossing = kept
        .windows(2)
        .rfind(|pair| pair[0].1 <= budget_ms && budget_ms < pair[1].1)?;
    let [(n0, t0), (n1, t1)] = [crossing[0], crossing[1]];
    Some(n0 + (n1 - n0) * (budget_ms - t0) / (t1 - t0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Turn;

    fn rules(threshold: [f64; 2], unit: ThresholdUnit) -> LadderRules {
        LadderRules {
            threshold,
            unit,
            max_ms: 1000.0 / 30.0,
            max_instances: 1 << 20,
        }
    }

    /// Climbs a curve of frame times and returns all points.
    fn climb(rules: LadderRules, mut ms: impl FnMut(u32) -> f64) -> Vec<Point> {
        let mut ladder = Ladder::new(rules);
        let mut points = Vec::new();
        while let Some(instances) = ladder.next() {
            assert!(points.len() < 2000, "the ladder does not end");
            let mean_ms = ms(instances);
            let is_kept = ladder.record(instances, mean_ms);
            let turn = Turn {
                instances,
                frames_ms: vec![mean_ms],
                cpu_ms: 0.0,
                gpu_ms: None,
            };
            points.push(Point { is_kept, turn });
        }
        points
    }

    fn kept(points: &[Point]) -> Vec<(u32, f64)> {
        let kept = points.iter().filter(|point| point.is_kept);
        kept.map(|point| (point.turn.instances, point.turn.mean_ms()))
            .collect()
    }

    #[test]
    fn kept_points_are_one_to_two_ms_apart() {
        let points = climb(rules([1.0, 2.0], ThresholdUnit::Ms), |n| {
            0.5 + 0.004 * f64::from(n)
        });
        let kept = kept(&points);
        // The first step is one instance; all others move the frame time by 1 to 2 ms.
        assert_eq!((kept[0].0, kept[1].0), (1, 2));
        for pair in kept[1..].windows(2) {
            let moved = pair[1].1 - pair[0].1;
            assert!((1.0..2.0).contains(&moved), "{pair:?}");
        }
        assert!(kept.last().unwrap().1 >= 1000.0 / 30.0);
        // Doubling finds the step once: 1, 2, 4, ... 256.
        assert!(points.len() < kept.len() + 12, "{}", points.len());
    }

    #[test]
    fn steps_of_one_instance_are_kept_where_each_costs_more() {
        let points = climb(rules([1.0, 2.0], ThresholdUnit::Ms), |n| 5.0 * f64::from(n));
        let instances: Vec<u32> = kept(&points).iter().map(|point| point.0).collect();
        assert_eq!(instances, [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn break_points_of_known_curves_are_found() {
        type FrameMs = fn(f64) -> f64;
        let curves: [(&str, FrameMs); 3] = [
            ("linear", |n| 2.0 + 0.01 * n),
            ("quadratic", |n| 1.0 + 1e-5 * n * n),
            // A cache that is too small from 800 instances on.
            ("with a knee", |n| {
                1.0 + 0.005 * n + 0.02 * (n - 800.0).max(0.0)
            }),
        ];
        for (name, curve) in curves {
            for (threshold, unit) in [
                ([1.0, 2.0], ThresholdUnit::Ms),
                ([0.1, 0.2], ThresholdUnit::Part),
            ] {
                let points = climb(rules(threshold, unit), |n| curve(f64::from(n)));
                for fps in [120.0, 60.0, 30.0] {
                    let budget_ms = 1000.0 / fps;
                    let found = instances_at(&points, budget_ms).unwrap();
                    let ms = curve(found);
                    assert!(
                        (ms / budget_ms - 1.0).abs() < 0.03,
                        "{name}, {unit:?}: {found} instances take {ms} ms, not {budget_ms}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_jump_and_noise_do_not_trap_the_ladder() {
        // No step moves this curve by 1 to 2 ms: it stands still, and jumps by 9 ms.
        let jump = climb(rules([1.0, 2.0], ThresholdUnit::Ms), |n| {
            1.0 + 9.0 * f64::from(n / 100)
        });
        assert!(kept(&jump).contains(&(100, 10.0)), "{:?}", kept(&jump));
        let mut random = crate::random::Random::new(1);
        let noisy = climb(rules([0.1, 0.2], ThresholdUnit::Part), |n| {
            let mode = if random.unit() < 0.2 { 1.5 } else { 1.0 };
            (1.0 + 0.01 * f64::from(n)) * mode * (0.95 + 0.1 * random.unit())
        });
        assert!(noisy.len() < 300, "{}", noisy.len());
    }

    #[test]
    fn curves_end_at_the_most_instances() {
        let rules = LadderRules {
            max_instances: 1000,
            ..rules([1.0, 2.0], ThresholdUnit::Ms)
        };
        let points = climb(rules, |_| 1.0);
        assert_eq!(kept(&points).last().unwrap().0, 1000);
        assert_eq!(instances_at(&points, 5.0), None);
        assert_eq!(instances_at(&points, 0.5), Some(0.0));
    }

    #[test]
    fn a_ladder_continues_where_it_stopped() {
        let rules = rules([0.1, 0.2], ThresholdUnit::Part);
        let ms = |n: u32| 1.0 + 0.01 * f64::from(n);
        let points = climb(rules, ms);
        for cut in 0..points.len() {
            let ladder = Ladder::after(rules, &points[..cut]);
            assert_eq!(ladder.next(), Some(points[cut].turn.instances));
        }
        assert_eq!(Ladder::after(rules, &points).next(), None);
    }
}
