//! Numbers that the page and the tables show, computed from samples.

use std::sync::LazyLock;

use crate::record::{Body, Contest, Curve, Point, Section, Turn};
use crate::stats::{Sample, student_quantile};

/// A mean and half the width of its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    pub value: f64,
    /// `None` for fewer than two values.
    pub half_width: Option<f64>,
}

/// Means of a contestant over its rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Index of the contestant.
    pub entrant: usize,
    pub instances: u32,
    pub rounds: usize,
    pub frame_ms: Mean,
    pub cpu_ms: Mean,
    pub gpu_ms: Option<Mean>,
}

impl Mean {
    /// Mean of values that are independent of each other.
    pub fn of(values: &[f64]) -> Self {
        let Sample {
            mean,
            variance,
            count,
        } = Sample::of(values);
        let half_width = match count {
            0 | 1 => None,
            _ => Some(half_width_factor(count) * variance.sqrt()),
        };
        Self {
            value: mean,
            half_width,
        }
    }

    /// Ends of the interval; the mean itself if there is none.
    pub fn interval(&self) -> [f64; 2] {
        let half = self.half_width.unwrap_or(0.0);
        [self.value - half, self.value + half]
    }
}

impl Summary {
    /// Frames per second.
    pub fn fps(&self) -> f64 {
        1e3 / self.frame_ms.value
    }

    /// Frames per second × instances.
    pub fn rating(&self) -> f64 {
        self.fps() * f64::from(self.instances)
    }
}

/// Half the width of a 95 % interval, in standard deviations.
fn half_width_factor(count: usize) -> f64 {
    // Finding a quantile takes a while, and there are thousands of points.
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let degrees = (1..=100).map(f64::from);
        degrees
            .map(|degrees| student_quantile(0.975, degrees))
            .collect()
    });
    let degrees = count - 1;
    // Above 100 degrees of freedom, the first terms of the series of the quantile are right to six digits.
    let quantile = match TABLE.get(degrees - 1) {
        Some(quantile) => *quantile,
        None => 1.959_964 + (2.372_3 + 2.822_5 / degrees as f64) / degrees as f64,
    };
    quantile / (count as f64).sqrt()
}

/// Turns of a contestant over all rounds.
pub fn turns(contest: &Contest, entrant: usize) -> impl Iterator<Item = &Turn> {
    let rounds = contest.rounds.iter();
    rounds.filter_map(move |round| round.turns.get(entrant)?.as_ref())
}

/// Means of all contestants that had a turn, in order of contestants.
pub fn summaries(section: &Section, contest: &Contest) -> Vec<Summary> {
    let entrants = 0..section.entrants.len();
    entrants
        .filter_map(|entrant| summary(contest, entrant))
        .collect()
}

/// Means of a contestant; `None` without turns.
pub fn summary(contest: &Contest, entrant: usize) -> Option<Summary> {
    let last = turns(contest, entrant).last()?;
    let mean = |value: fn(&Turn) -> f64| {
        let values: Vec<f64> = turns(contest, entrant).map(value).collect();
        Mean::of(&values)
    };
    let gpu: Vec<f64> = turns(contest, entrant)
        .filter_map(|turn| turn.gpu_ms)
        .collect();
    Some(Summary {
        entrant,
        instances: last.instances,
        rounds: turns(contest, entrant).count(),
        frame_ms: mean(Turn::mean_ms),
        cpu_ms: mean(|turn| turn.cpu_ms),
        gpu_ms: (!gpu.is_empty()).then(|| Mean::of(&gpu)),
    })
}

/// Contest of a section.
pub fn contest_of(section: &Section) -> Option<&Contest> {
    match &section.body {
        Body::Contest(contest) => Some(contest),
        _ => None,
    }
}

/// Kept points of a curve, by number of instances.
pub fn kept(curve: &Curve) -> Vec<&Point> {
    let points = curve.points.iter();
    let mut kept: Vec<&Point> = points
        .filter(|point| point.is_kept && point.turn.mean_ms() > 0.0)
        .collect();
    kept.sort_by_key(|point| point.turn.instances);
    kept
}

/// Number of instances at which a curve first falls below a frame rate, interpolated linearly in the frame time. `None`
/// if the curve does not cross it.
pub fn break_point(curve: &Curve, fps: f64) -> Option<f64> {
    let budget_ms = 1e3 / fps;
    let kept = kept(curve);
    kept.windows(2).find_map(|pair| {
        let [a, b] = [pair[0], pair[1]].map(|point| point.turn.mean_ms());
        let [from, to] = [pair[0], pair[1]].map(|point| f64::from(point.turn.instances));
        let crosses = a <= budget_ms && budget_ms < b;
        crosses.then(|| from + (budget_ms - a) / (b - a) * (to - from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_means_follow_student() {
        let mean = Mean::of(&[1.0, 2.0, 3.0]);
        // The standard error is 1/√3, and the quantile of two degrees of freedom 4.3027.
        let half = mean.half_width.unwrap();
        assert!((half - 4.302_65 / 3f64.sqrt()).abs() < 1e-4, "{half}");
        assert_eq!(mean.value, 2.0);
        assert_eq!(Mean::of(&[1.0]).half_width, None);
    }

    #[test]
    fn long_samples_have_the_same_factor_as_students_distribution() {
        for count in [2, 101, 102, 150, 5000] {
            let exact = student_quantile(0.975, count as f64 - 1.0) / (count as f64).sqrt();
            let factor = half_width_factor(count);
            assert!((factor / exact - 1.0).abs() < 2e-5, "{count}");
        }
    }

    fn point(instances: u32, ms: f64, is_kept: bool) -> Point {
        Point {
            is_kept,
            turn: Turn {
                instances,
                frames_ms: vec![ms; 3],
                cpu_ms: 0.1,
                gpu_ms: None,
            },
        }
    }

    #[test]
    fn break_points_interpolate_between_kept_points() {
        let curve = Curve {
            entrant: 0,
            points: vec![
                point(300, 30.0, true),
                point(100, 10.0, true),
                point(200, 99.0, false),
            ],
            is_complete: true,
        };
        assert_eq!(break_point(&curve, 50.0), Some(200.0));
        assert_eq!(break_point(&curve, 100.0), Some(100.0));
        assert_eq!(break_point(&curve, 120.0), None);
        assert_eq!(break_point(&curve, 20.0), None);
    }
}
