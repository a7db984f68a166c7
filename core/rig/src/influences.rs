//! Joints and weights of each vertex.

use thiserror::Error;

/// Influences of every vertex: any number per vertex, heaviest first, with weights that sum to one.
///
/// Stored as one run per vertex: the influences of vertex `v` are `first[v]..first[v + 1]`. Joints are palette
/// indices.
#[derive(Debug, Clone, PartialEq)]
pub struct Influences {
    first: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    max_joint: u32,
    max_per_vertex: usize,
}

/// Invalid influences.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InfluencesError {
    /// A vertex has no positive weight.
    #[error("vertex {vertex} has no influence with a positive weight")]
    NoWeight {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A weight is infinite, NaN or negative.
    #[error("vertex {vertex} has a weight that is negative or not finite")]
    InvalidWeight {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A run for [`Influences::from_runs`] has a weight of zero or a joint twice, or is not sorted.
    #[error(
        "influences of vertex {vertex}: expected distinct joints with positive weights, heaviest first"
    )]
    InvalidRun {
        /// Index of the vertex.
        vertex: usize,
    },
    /// The weights of a run for [`Influences::from_runs`] do not sum to one.
    #[error("weights of vertex {vertex} sum to {sum}, expected 1")]
    InvalidSum {
        /// Index of the vertex.
        vertex: usize,
        /// Sum, as text.
        sum: String,
    },
    /// More influences than a 32-bit index can hold.
    #[error("more than {} influences", u32::MAX)]
    TooMany,
}

/// Largest difference from one of the sum of a vertex's weights: each weight is rounded to float32.
const SUM_TOLERANCE: f64 = 1e-6;

impl Influences {
    /// Makes influences from the (joint, weight) pairs of each vertex. Weights of the same joint are summed,
    /// weights that are zero in float32 are dropped, and the rest is sorted and normalised.
    pub fn new<V>(vertices: impl IntoIterator<Item = V>) -> Result<Self, InfluencesError>
    where
        V: IntoIterator<Item = (u32, f64)>,
    {
        let mut out = Self::none();
        let mut run: Vec<(u32, f64)> = Vec::new();
        for (vertex, pairs) in vertices.into_iter().enumerate() {
            run.clear();
            for (joint, weight) in pairs {
                if !weight.is_finite() || weight < 0.0 {
                    return Err(InfluencesError::InvalidWeight { vertex });
                }
                match run.iter_mut().find(|(j, _)| *j == joint) {
                    Some((_, sum)) => *sum += weight,
                    None if weight > 0.0 => run.push((joint, weight)),
                    None => {}
                }
            }
            // Equal weights are sorted by joint, so that results do not depend on the order in the file.
            run.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let sum: f64 = run.iter().map(|(_, w)| w).sum();
            if sum <= 0.0 || !sum.is_finite() {
                return Err(InfluencesError::NoWeight { vertex });
            }
            let rounded = run.iter().map(|&(j, weight)| (j, (weight / sum) as f32));
            out.push_run(rounded.filter(|&(_, weight)| weight > 0.0))?;
        }
        Ok(out)
    }

    /// Makes influences from the (joint, weight) pairs that [`Self::run`] returns, without changing a bit:
    /// heaviest first, each joint once, positive, with a sum of one.
    pub fn from_runs<V>(vertices: impl IntoIterator<Item = V>) -> Result<Self, InfluencesError>
    where
        V: IntoIterator<Item = (u32, f32)>,
    {
        let mut out = Self::none();
        let mut sorted: Vec<u32> = Vec::new();
        for (vertex, run) in vertices.into_iter().enumerate() {
            out.push_run(run)?;
            let (joints, weights) = out.run(vertex);
            sorted.clear();
            sorted.extend(joints);
            sorted.sort_unstable();
            let once = sorted.windows(2).all(|pair| pair[0] < pair[1]);
            // False for NaN.
            let falling = weights.windows(2).all(|pair| pair[0] >= pair[1]);
            if !(once && falling && weights.iter().all(|&w| w > 0.0)) {
                return Err(InfluencesError::InvalidRun { vertex });
            }
            let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                let sum = sum.to_string();
                return Err(InfluencesError::InvalidSum { vertex, sum });
            }
        }
        Ok(out)
    }

    fn none() -> Self {
        Self {
            first: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            max_joint: 0,
            max_per_vertex: 0,
        }
    }

    fn push_run(
        &mut self,
        run: impl IntoIterator<Item = (u32, f32)>,
    ) -> Result<(), InfluencesError> {
        let start = self.joints.len();
        for (joint, weight) in run {
            self.joints.push(joint);
            self.weights.push(weight);
            self.max_joint = self.max_joint.max(joint);
        }
        self.max_per_vertex = self.max_per_vertex.max(self.joints.len() - start);
        let end = u32::try_from(self.joints.len()).map_err(|_| InfluencesError::TooMany)?;
        self.first.push(end);
        Ok(())
    }

    /// Binds every vertex to palette index 0 alone.
    pub fn rigid(vertices: usize) -> Self {
        Self {
            first: (0..=vertices as u32).collect(),
            joints: vec![0; vertices],
            weights: vec![1.0; vertices],
            max_joint: 0,
            max_per_vertex: usize::from(vertices > 0),
        }
    }

    /// Returns the (joint, weight) pairs of a vertex, heaviest first. The weights sum to one in float64: the
    /// sum of the stored weights is off by 1e-7, which is 0.1 mm at 1 km.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let (joints, weights) = self.run(vertex);
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        let weights = weights.iter().map(move |&w| f64::from(w) / sum);
        joints.iter().map(|&j| j as usize).zip(weights)
    }

    /// Returns the heaviest influences of each vertex, at most `count` but at least one, normalised.
    pub fn heaviest(&self, count: usize) -> Self {
        let vertices = (0..self.vertex_count()).map(|vertex| {
            let pairs = self.of(vertex).take(count.max(1));
            pairs.map(|(joint, weight)| (joint as u32, weight))
        });
        Self::new(vertices).expect("the heaviest influence has a weight")
    }

    /// Returns the influences of the given vertices, in the given order. A vertex may occur more than once.
    pub fn select(&self, vertices: impl Iterator<Item = usize>) -> Self {
        let mut out = Self::none();
        for vertex in vertices {
            let (joints, weights) = self.run(vertex);
            out.joints.extend_from_slice(joints);
            out.weights.extend_from_slice(weights);
            out.first.push(out.joints.len() as u32);
            out.max_per_vertex = out.max_per_vertex.max(joints.len());
        }
        out.max_joint = out.joints.iter().copied().max().unwrap_or(0);
        out
    }

    /// Returns the joints and weights of a vertex as stored.
    pub fn run(&self, vertex: usize) -> (&[u32], &[f32]) {
        let range = self.first[vertex] as usize..self.first[vertex + 1] as usize;
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.first.len() - 1
    }

    /// Largest palette index in use.
    pub fn max_joint(&self) -> usize {
        self.max_joint as usize
    }

    /// Largest number of influences of a vertex.
    pub fn max_per_vertex(&self) -> usize {
        self.max_per_vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn influences_are_summed_sorted_and_normalised() {
        let influences =
            Influences::new([vec![(3, 0.5), (1, 1.0), (3, 1.5), (9, 0.0)], vec![(2, 7.0)]])
                .unwrap();
        assert_eq!(
            influences.run(0),
            (&[3, 1][..], &[2.0 / 3.0, 1.0 / 3.0][..])
        );
        assert_eq!(influences.run(1), (&[2][..], &[1.0][..]));
        assert_eq!(influences.max_joint(), 3);
        assert_eq!(influences.max_per_vertex(), 2);
    }

    #[test]
    fn weights_that_are_zero_in_float32_are_dropped() {
        let influences = Influences::new([[(0, 1.0), (7, 1e-60)]]).unwrap();
        assert_eq!(influences.run(0), (&[0][..], &[1.0][..]));
        assert_eq!(
            (influences.max_joint(), influences.max_per_vertex()),
            (0, 1)
        );
    }

    #[test]
    fn heaviest_influences_are_normalised() {
        let all = Influences::new([vec![(0, 1.0), (1, 2.0), (2, 5.0)], vec![(4, 1.0)]]).unwrap();
        let two = all.heaviest(2);
        assert_eq!(two.run(0), (&[2, 1][..], &[5.0 / 7.0, 2.0 / 7.0][..]));
        assert_eq!(two.run(1), (&[4][..], &[1.0][..]));
        assert_eq!(all.heaviest(0), all.heaviest(1));
        assert_eq!(all.heaviest(3), all);
    }

    #[test]
    fn runs_round_trip_to_the_bit() {
        // Thirds do not sum to one in float32, and normalising again would change the last bit.
        let all = Influences::new([
            vec![(4, 1.0), (1, 1.0), (2, 1.0)],
            vec![(2, 0.1), (0, 0.7), (5, 1e-44)],
        ])
        .unwrap();
        let runs = (0..2).map(|v| {
            let (joints, weights) = all.run(v);
            joints.iter().copied().zip(weights.iter().copied())
        });
        assert_eq!(Influences::from_runs(runs).unwrap(), all);
        let none: [[(u32, f32); 0]; 0] = [];
        assert_eq!(Influences::from_runs(none).unwrap(), Influences::rigid(0));
    }

    #[test]
    fn rejects_invalid_runs() {
        let error_of =
            |run: &[(u32, f32)]| Influences::from_runs([vec![(0, 1.0)], run.to_vec()]).unwrap_err();
        let invalid_run = InfluencesError::InvalidRun { vertex: 1 };
        assert_eq!(error_of(&[(0, 0.25), (1, 0.75)]), invalid_run);
        assert_eq!(error_of(&[(3, 0.5), (1, 0.25), (3, 0.25)]), invalid_run);
        assert_eq!(error_of(&[(0, 1.0), (1, 0.0)]), invalid_run);
        assert_eq!(error_of(&[(0, 1.5), (1, -0.5)]), invalid_run);
        assert_eq!(error_of(&[(0, f32::NAN)]), invalid_run);
        for run in [&[(0, 0.5), (1, 0.4)][..], &[], &[(0, f32::INFINITY)]] {
            let error = error_of(run);
            assert!(
                matches!(error, InfluencesError::InvalidSum { vertex: 1, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn selected_vertices_may_repeat() {
        let all = Influences::new([vec![(3, 1.0), (1, 3.0)], vec![(2, 1.0)]]).unwrap();
        let some = all.select([1, 0, 1].into_iter());
        assert_eq!(some.vertex_count(), 3);
        assert_eq!(some.run(0), all.run(1));
        assert_eq!(some.run(1), all.run(0));
        assert_eq!((some.max_joint(), some.max_per_vertex()), (3, 2));
    }

    #[test]
    fn rejects_missing_and_invalid_weights() {
        let error_of = |pairs: Vec<(u32, f64)>| Influences::new([pairs]).unwrap_err();
        assert_eq!(error_of(vec![]), InfluencesError::NoWeight { vertex: 0 });
        assert_eq!(
            error_of(vec![(0, 0.0)]),
            InfluencesError::NoWeight { vertex: 0 }
        );
        assert_eq!(
            error_of(vec![(0, f64::NAN)]),
            InfluencesError::InvalidWeight { vertex: 0 }
        );
        assert_eq!(
            error_of(vec![(0, 2.0), (1, -1.0)]),
            InfluencesError::InvalidWeight { vertex: 0 }
        );
    }
}
