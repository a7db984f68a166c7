//! SciPy finds the same statistics: Welch's t-test, Student's distribution, and intervals of paired ratios.

use serde::{Deserialize, Serialize};
use throng_bench::random::Random;
use throng_bench::stats::{
    Sample, Welch, paired_ratio, student_quantile, student_two_tailed, welch,
};
use throng_testkit::ask_python;

/// Input of `tools/stats-check/answers.py`.
#[derive(Serialize, Default)]
struct Questions {
    welch: Vec<TwoSamples>,
    two_tailed: Vec<[f64; 2]>,
    quantile: Vec<[f64; 2]>,
    paired_ratio: Vec<Rounds>,
}

#[derive(Serialize)]
struct TwoSamples {
    a: Vec<f64>,
    b: Vec<f64>,
}

#[derive(Serialize)]
struct Rounds {
    numerators: Vec<f64>,
    denominators: Vec<f64>,
    seed: u64,
}

/// Output of `tools/stats-check/answers.py`.
#[derive(Deserialize)]
struct Answers {
    welch: Vec<[f64; 3]>,
    two_tailed: Vec<f64>,
    quantile: Vec<f64>,
    paired_ratio: Vec<[f64; 3]>,
}

/// Asks SciPy; `None` where it is not installed.
fn ask(questions: &Questions) -> Option<Answers> {
    let json = serde_json::to_string(questions).expect("questions are JSON");
    let answers = ask_python("stats-check", &["scipy"], &json)?;
    Some(serde_json::from_slice(&answers).expect("answers"))
}

/// About normal, with a standard deviation of one.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(
        error <= tolerance,
        "{what}: found {found:e}, expected {expected:e}, relative error {error:.1e}"
    );
}

/// Relative error of logarithms of the gamma function, which grow with the degrees of freedom and cancel.
fn tolerance(degrees_of_freedom: f64) -> f64 {
    1e-11 + 1e-14 * degrees_of_freedom
}

#[test]
fn welch_agrees_down_to_tiny_probabilities() {
    let mut random = Random::new(1);
    let mut sample = |count: usize, mean: f64, deviation: f64| -> Vec<f64> {
        let values = (0..count).map(|_| mean + deviation * normal(&mut random));
        values.collect()
    };
    let mut questions = Questions::default();
    for (count, other) in [(2, 2), (3, 17), (12, 12), (40, 39), (400, 25)] {
        for distance in [0.0, 0.3, 2.0, 40.0] {
            for deviation in [0.1, 1.0, 8.0] {
                questions.welch.push(TwoSamples {
                    a: sample(count, 10.0 + distance, deviation),
                    b: sample(other, 10.0, 1.0),
                });
            }
        }
    }
    let Some(answers) = ask(&questions) else {
        return;
    };
    assert_eq!(answers.welch.len(), 60);
    for (question, [t, degrees_of_freedom, p]) in questions.welch.iter().zip(&answers.welch) {
        let found = welch(&Sample::of(&question.a), &Sample::of(&question.b));
        let Welch { t: found_t, .. } = found;
        let what = format!("{} and {} values", question.a.len(), question.b.len());
        assert_close(found_t, *t, 1e-9, &what);
        assert_close(found.degrees_of_freedom, *degrees_of_freedom, 1e-9, &what);
        // The probability of a large t changes by more than t does.
        assert_close(found.p, *p, 1e-7, &what);
    }
    let smallest = answers.welch.iter().map(|[_, _, p]| *p);
    let smallest = smallest.fold(1.0, f64::min);
    assert!(0.0 < smallest && smallest < 1e-60, "{smallest:e}");
}

#[test]
fn students_distribution_agrees_on_a_grid() {
    let degrees = [1.0, 1.5, 2.0, 3.7, 9.0, 30.0, 52.4, 100.0, 1e3, 1e5, 1e7];
    let mut questions = Questions::default();
    for degrees_of_freedom in degrees {
        let ts = [0.0, 0.1, 0.7, 1.0, 1.96, 3.0, 8.0, 25.0, -2.5];
        questions
            .two_tailed
            .extend(ts.map(|t| [t, degrees_of_freedom]));
        let ps = [0.001, 0.025, 0.3, 0.6, 0.9, 0.975, 0.995, 0.9999];
        questions
            .quantile
            .extend(ps.map(|p| [p, degrees_of_freedom]));
    }
    let Some(answers) = ask(&questions) else {
        return;
    };
    assert_eq!(answers.two_tailed.len(), 99);
    assert_eq!(answers.quantile.len(), 88);
    for ([t, degrees_of_freedom], expected) in questions.two_tailed.iter().zip(&answers.two_tailed)
    {
        let found = student_two_tailed(*t, *degrees_of_freedom);
        let what = format!("tails of {t}, {degrees_of_freedom} degrees of freedom");
        assert_close(found, *expected, tolerance(*degrees_of_freedom), &what);
    }
    for ([p, degrees_of_freedom], expected) in questions.quantile.iter().zip(&answers.quantile) {
        let found = student_quantile(*p, *degrees_of_freedom);
        let what = format!("quantile of {p}, {degrees_of_freedom} degrees of freedom");
        assert_close(found, *expected, tolerance(*degrees_of_freedom), &what);
    }
}

#[test]
fn intervals_of_paired_ratios_agree_with_scipys_bootstrap() {
    let mut random = Random::new(3);
    let mut questions = Questions::default();
    for count in [8, 10, 20, 60] {
        for seed in 0..12 {
            let mut rounds = Rounds {
                numerators: Vec::new(),
                denominators: Vec::new(),
                seed,
            };
            for _ in 0..count {
                // A spike now and then.
                let spike = if random.unit() < 0.05 { 0.7 } else { 1.0 };
                rounds
                    .numerators
                    .push(0.9 * spike * (0.05 * normal(&mut random)).exp());
                rounds.denominators.push((0.05 * normal(&mut random)).exp());
            }
            questions.paired_ratio.push(rounds);
        }
    }
    let Some(answers) = ask(&questions) else {
        return;
    };
    assert_eq!(answers.paired_ratio.len(), 48);
    let mut widths = Vec::new();
    for (rounds, [mean, low, high]) in questions.paired_ratio.iter().zip(&answers.paired_ratio) {
        let found = paired_ratio(&rounds.numerators, &rounds.denominators, rounds.seed);
        let what = format!("{} rounds, seed {}", rounds.numerators.len(), rounds.seed);
        assert_close(found.value.ln(), *mean, 1e-12, &what);
        // The ends are percentiles of 2 000 resamples: a standard deviation of theirs is up to 5 % of half the width.
        let half = 0.5 * (high - low);
        for (found, expected) in found.interval.iter().zip([low, high]) {
            let error = (found.ln() - expected).abs() / half;
            assert!(
                error < 0.2,
                "{what}: {found} is {error:.3} of half the width off"
            );
        }
        let [found_low, found_high] = found.interval.map(f64::ln);
        widths.push((found_high - found_low) / (high - low));
    }
    // Over 48 intervals the error averages out. Plain percentiles would be 3 % (60 rounds) to 30 % (8 rounds) narrower.
    let mean = widths.iter().sum::<f64>() / widths.len() as f64;
    assert!((mean - 1.0).abs() < 0.02, "{mean}");
}
