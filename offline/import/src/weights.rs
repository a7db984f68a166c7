//! Weights as they come from files, made sound: finite, positive, normalised, limited.

use throng_rig::{Influences, InfluencesError};

use crate::{ImportOptions, Warning};

/// How far from one a sum of weights may be before it is worth a word. Quantised weights are off by
/// about 0.01 (four bytes, each rounded by half a step).
const SUM_TOLERANCE: f64 = 0.01;

/// Counts what was changed in one mesh.
#[derive(Debug, Default)]
struct Changes {
    invalid: usize,
    unweighted: usize,
    renormalised: usize,
    worst_sum: Option<f64>,
    limited: usize,
    worst_lost: f64,
    small: usize,
}

/// Makes influences of (joint, weight) pairs, any number a vertex, and tells what had to be changed.
///
/// Weights that are negative or no numbers count as zero; a vertex without any weight goes to joint 0.
pub(crate) fn influences<V>(
    mesh: &str,
    vertices: impl Iterator<Item = V>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Influences, InfluencesError>
where
    V: IntoIterator<Item = (u32, f64)>,
{
    let mut changes = Changes::default();
    let influences = Influences::new(vertices.map(|pairs| clean(pairs, options, &mut changes)))?;
    changes.tell(mesh, options, warnings);
    Ok(influences)
}

fn clean(
    pairs: impl IntoIterator<Item = (u32, f64)>,
    options: &ImportOptions,
    changes: &mut Changes,
) -> Vec<(u32, f64)> {
    let mut run: Vec<(u32, f64)> = Vec::new();
    let mut invalid = false;
    for (joint, weight) in pairs {
        if !weight.is_finite() || weight < 0.0 {
            invalid = true;
        } else if let Some((_, sum)) = run.iter_mut().find(|(j, _)| *j == joint) {
            *sum += weight;
        } else if weight > 0.0 {
            run.push((joint, weight));
        }
    }
    changes.invalid += usize::from(invalid);

    let sum: f64 = run.iter().map(|(_, w)| w).sum();
    if run.is_empty() || sum <= 0.0 || !sum.is_finite() {
        changes.unweighted += 1;
        return vec![(0, 1.0)];
    }
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        changes.renormalised += 1;
        let worst = changes.worst_sum.get_or_insert(sum);
        if (sum - 1.0).abs() > (*worst - 1.0).abs() {
            *worst = sum;
        }
    }
    for (_, weight) in &mut run {
        *weight /= sum;
    }
    run.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));

    let heavy = run
        .iter()
        .skip(1)
        .filter(|(_, w)| *w >= options.min_weight)
        .count()
        + 1;
    changes.small += run.len() - heavy;
    run.truncate(heavy);

    let limit = options.max_influences.unwrap_or(usize::MAX).max(1);
    if run.len() > limit {
        let lost: f64 = run[limit..].iter().map(|(_, w)| w).sum();
        changes.limited += 1;
        changes.worst_lost = changes.worst_lost.max(lost);
        run.truncate(limit);
    }
    run
}

impl Changes {
    fn tell(&self, mesh: &str, options: &ImportOptions, warnings: &mut Vec<Warning>) {
        let mesh = || mesh.to_owned();
        if self.invalid > 0 {
            warnings.push(Warning::WeightsInvalid {
                mesh: mesh(),
                vertices: self.invalid,
            });
        }
        if self.unweighted > 0 {
            warnings.push(Warning::VerticesUnweighted {
                mesh: mesh(),
                vertices: self.unweighted,
            });
        }
        if let Some(worst_sum) = self.worst_sum {
            warnings.push(Warning::WeightsRenormalised {
                mesh: mesh(),
                vertices: self.renormalised,
                worst_sum,
            });
        }
        if self.small > 0 {
            warnings.push(Warning::SmallWeightsDropped {
                mesh: mesh(),
                influences: self.small,
                threshold: options.min_weight,
            });
        }
        if self.limited > 0 {
            warnings.push(Warning::InfluencesLimited {
                mesh: mesh(),
                vertices: self.limited,
                limit: options.max_influences.unwrap_or(usize::MAX),
                worst_lost: self.worst_lost,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(vertices: Vec<Vec<(u32, f64)>>, options: ImportOptions) -> (Influences, Vec<Warning>) {
        let mut warnings = Vec::new();
        let out = influences("m", vertices.into_iter(), &options, &mut warnings).unwrap();
        (out, warnings)
    }

    #[test]
    fn sound_weights_pass_without_a_word() {
        let (out, warnings) = run(
            vec![vec![(0, 0.25), (1, 0.75)], vec![(2, 254.0 / 255.0)]],
            ImportOptions::default(),
        );
        assert_eq!(out.run(0), (&[1, 0][..], &[0.75, 0.25][..]));
        assert_eq!(out.run(1), (&[2][..], &[1.0][..]));
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn unsound_weights_are_repaired_and_told() {
        let (out, warnings) = run(
            vec![
                vec![(0, f64::NAN), (1, 2.0)],
                vec![(0, -0.5), (1, 1.5)],
                vec![(3, 0.0)],
                vec![(5, 0.5)],
            ],
            ImportOptions::default(),
        );
        assert_eq!(out.run(0), (&[1][..], &[1.0][..]));
        assert_eq!(out.run(1), (&[1][..], &[1.0][..]));
        assert_eq!(out.run(2), (&[0][..], &[1.0][..]));
        assert_eq!(
            warnings,
            [
                Warning::WeightsInvalid {
                    mesh: "m".into(),
                    vertices: 2
                },
                Warning::VerticesUnweighted {
                    mesh: "m".into(),
                    vertices: 1
                },
                Warning::WeightsRenormalised {
                    mesh: "m".into(),
                    vertices: 3,
                    worst_sum: 2.0
                },
            ]
        );
    }

    #[test]
    fn limits_keep_the_heaviest_and_tell_what_was_lost() {
        let options = ImportOptions {
            max_influences: Some(2),
            ..ImportOptions::default()
        };
        let (out, warnings) = run(vec![vec![(0, 0.1), (1, 0.4), (2, 0.5)]], options);
        assert_eq!(out.run(0).0, [2, 1]);
        assert!((out.run(0).1.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let [
            Warning::InfluencesLimited {
                vertices: 1,
                limit: 2,
                worst_lost,
                ..
            },
        ] = warnings[..]
        else {
            panic!("{warnings:?}")
        };
        assert!((worst_lost - 0.1).abs() < 1e-12);
    }

    #[test]
    fn small_weights_go_but_never_the_heaviest() {
        let options = ImportOptions {
            min_weight: 0.3,
            ..ImportOptions::default()
        };
        let (out, warnings) = run(
            vec![vec![(0, 0.2), (1, 0.8)], (0..5).map(|j| (j, 0.2)).collect()],
            options,
        );
        assert_eq!(out.run(0), (&[1][..], &[1.0][..]));
        assert_eq!(out.run(1), (&[0][..], &[1.0][..]));
        assert!(matches!(
            warnings[..],
            [Warning::SmallWeightsDropped { influences: 5, .. }]
        ));
    }

    #[test]
    fn a_joint_named_twice_counts_once() {
        let options = ImportOptions {
            max_influences: Some(1),
            ..ImportOptions::default()
        };
        let (out, _) = run(vec![vec![(0, 0.3), (1, 0.4), (0, 0.3)]], options);
        assert_eq!(out.run(0).0, [0]);
    }
}
