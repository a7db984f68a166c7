//! Repair of skin weights: finite, positive, normalised, and limited in number.

use throng_rig::{Influences, InfluencesError};

use crate::{ImportOptions, Warning};

/// Deviation of a sum of weights from one that is not reported. Quantised weights are off by about 0.01
/// (four bytes, each rounded by half a step).
const SUM_TOLERANCE: f64 = 0.01;

/// Counts of repairs in one mesh.
#[derive(Debug, Default)]
struct Repairs {
    invalid: usize,
    unweighted: usize,
    renormalised: usize,
    worst_sum: Option<f64>,
    limited: usize,
    worst_lost: f64,
    small: usize,
}

/// Builds influences from (palette index, weight) pairs, any number per vertex, and reports repairs as
/// warnings.
///
/// Negative and non-finite weights count as zero. A vertex without any weight is bound to palette index 0.
pub(crate) fn influences<V>(
    mesh: &str,
    vertices: impl Iterator<Item = V>,
    options: &ImportOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Influences, InfluencesError>
where
    V: IntoIterator<Item = (u32, f64)>,
{
    let mut repairs = Repairs::default();
    let influences = Influences::new(vertices.map(|pairs| repair(pairs, options, &mut repairs)))?;
    repairs.report(mesh, options, warnings);
    Ok(influences)
}

/// Repairs the influences of one vertex.
fn repair(
    pairs: impl IntoIterator<Item = (u32, f64)>,
    options: &ImportOptions,
    repairs: &mut Repairs,
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
    repairs.invalid += usize::from(invalid);

    let sum: f64 = run.iter().map(|(_, w)| w).sum();
    if run.is_empty() || sum <= 0.0 || !sum.is_finite() {
        repairs.unweighted += 1;
        return vec![(0, 1.0)];
    }
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        repairs.renormalised += 1;
        let worst = repairs.worst_sum.get_or_insert(sum);
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
    repairs.small += run.len() - heavy;
    run.truncate(heavy);

    let limit = options.max_influences.unwrap_or(usize::MAX).max(1);
    if run.len() > limit {
        let lost: f64 = run[limit..].iter().map(|(_, w)| w).sum();
        repairs.limited += 1;
        repairs.worst_lost = repairs.worst_lost.max(lost);
        run.truncate(limit);
    }
    run
}

impl Repairs {
    fn report(&self, mesh: &str, options: &ImportOptions, warnings: &mut Vec<Warning>) {
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
    fn valid_weights_cause_no_warning() {
        let (out, warnings) = run(
            vec![vec![(0, 0.25), (1, 0.75)], vec![(2, 254.0 / 255.0)]],
            ImportOptions::default(),
        );
        assert_eq!(out.run(0), (&[1, 0][..], &[0.75, 0.25][..]));
        assert_eq!(out.run(1), (&[2][..], &[1.0][..]));
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn invalid_weights_are_repaired_and_reported() {
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
    fn max_influences_keeps_the_heaviest_and_reports_the_loss() {
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
    fn min_weight_never_drops_the_heaviest_influence() {
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
    fn duplicate_joints_of_a_vertex_are_merged() {
        let options = ImportOptions {
            max_influences: Some(1),
            ..ImportOptions::default()
        };
        let (out, _) = run(vec![vec![(0, 0.3), (1, 0.4), (0, 0.3)]], options);
        assert_eq!(out.run(0).0, [0]);
    }
}
