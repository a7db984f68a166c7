//! Which joints pull at each vertex, and how hard.

use thiserror::Error;

/// Influences of every vertex, any number of each, heaviest first, weights summing to one.
///
/// Stored as one run a vertex: vertex `v` owns entries `first[v]..first[v + 1]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Influences {
    first: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<f32>,
    max_joint: u32,
    max_per_vertex: usize,
}

/// Why influences are refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InfluencesError {
    /// A vertex that nothing holds.
    #[error("vertex {vertex} has no influence with a weight")]
    NoWeight {
        /// The vertex.
        vertex: usize,
    },
    /// A weight is infinite, NaN or negative.
    #[error("vertex {vertex} has a weight that is negative or not finite")]
    BadWeight {
        /// The vertex.
        vertex: usize,
    },
    /// A run that is to be taken as it is holds a zero or a joint twice, or is not sorted.
    #[error("the influences of vertex {vertex} are not joints of falling weight, each once")]
    NotARun {
        /// The vertex.
        vertex: usize,
    },
    /// The weights of a run that is to be taken as it is do not sum to one.
    #[error("the weights of vertex {vertex} sum to {sum}, not to one")]
    BadSum {
        /// The vertex.
        vertex: usize,
        /// The sum, as text.
        sum: String,
    },
    /// More entries than an index can hold.
    #[error("more than {} influences", u32::MAX)]
    TooMany,
}

/// How far from one the weights of a vertex may sum: each is rounded to float32 by itself.
const SUM_TOLERANCE: f64 = 1e-6;

impl Influences {
    /// Takes each vertex's (joint, weight) pairs: sums what names a joint twice, drops what is zero in
    /// float32, sorts, normalises.
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
                    return Err(InfluencesError::BadWeight { vertex });
                }
                match run.iter_mut().find(|(j, _)| *j == joint) {
                    Some((_, sum)) => *sum += weight,
                    None if weight > 0.0 => run.push((joint, weight)),
                    None => {}
                }
            }
            // Equal weights keep a fixed order, so that results do not depend on the file's.
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

    /// Takes each vertex's (joint, weight) pairs as [`Self::run`] gave them, to the bit: heaviest first,
    /// each joint once, above zero, summing to one.
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
            // Not so for a NaN.
            let falling = weights.windows(2).all(|pair| pair[0] >= pair[1]);
            if !(once && falling && weights.iter().all(|&w| w > 0.0)) {
                return Err(InfluencesError::NotARun { vertex });
            }
            let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                let sum = sum.to_string();
                return Err(InfluencesError::BadSum { vertex, sum });
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

    /// Every vertex held by one joint alone.
    pub fn rigid(vertices: usize) -> Self {
        Self {
            first: (0..=vertices as u32).collect(),
            joints: vec![0; vertices],
            weights: vec![1.0; vertices],
            max_joint: 0,
            max_per_vertex: usize::from(vertices > 0),
        }
    }

    /// (joint, weight) pairs of a vertex, heaviest first. The weights sum to one in double precision:
    /// as they are stored they would be off by 1e-7, a tenth of a millimetre at a kilometre.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let (joints, weights) = self.run(vertex);
        let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
        let weights = weights.iter().map(move |&w| f64::from(w) / sum);
        joints.iter().map(|&j| j as usize).zip(weights)
    }

    /// The influences of some of the vertices, in the order given; a vertex may come more than once.
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

    /// Joints and weights of a vertex as they are stored.
    pub fn run(&self, vertex: usize) -> (&[u32], &[f32]) {
        let range = self.first[vertex] as usize..self.first[vertex + 1] as usize;
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.first.len() - 1
    }

    /// The largest joint that any vertex uses.
    pub fn max_joint(&self) -> usize {
        self.max_joint as usize
    }

    /// The most influences that any vertex has.
    pub fn max_per_vertex(&self) -> usize {
        self.max_per_vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_summed_sorted_and_normalised() {
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
    fn a_weight_that_is_zero_in_float32_is_dropped() {
        let influences = Influences::new([[(0, 1.0), (7, 1e-60)]]).unwrap();
        assert_eq!(influences.run(0), (&[0][..], &[1.0][..]));
        assert_eq!(
            (influences.max_joint(), influences.max_per_vertex()),
            (0, 1)
        );
    }

    #[test]
    fn runs_are_taken_back_to_the_bit() {
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
    fn what_is_no_run_is_refused() {
        let refuse =
            |run: &[(u32, f32)]| Influences::from_runs([vec![(0, 1.0)], run.to_vec()]).unwrap_err();
        let not_a_run = InfluencesError::NotARun { vertex: 1 };
        assert_eq!(refuse(&[(0, 0.25), (1, 0.75)]), not_a_run);
        assert_eq!(refuse(&[(3, 0.5), (1, 0.25), (3, 0.25)]), not_a_run);
        assert_eq!(refuse(&[(0, 1.0), (1, 0.0)]), not_a_run);
        assert_eq!(refuse(&[(0, 1.5), (1, -0.5)]), not_a_run);
        assert_eq!(refuse(&[(0, f32::NAN)]), not_a_run);
        for run in [&[(0, 0.5), (1, 0.4)][..], &[], &[(0, f32::INFINITY)]] {
            let error = refuse(run);
            assert!(
                matches!(error, InfluencesError::BadSum { vertex: 1, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn vertices_can_be_chosen_and_repeated() {
        let all = Influences::new([vec![(3, 1.0), (1, 3.0)], vec![(2, 1.0)]]).unwrap();
        let some = all.select([1, 0, 1].into_iter());
        assert_eq!(some.vertex_count(), 3);
        assert_eq!(some.run(0), all.run(1));
        assert_eq!(some.run(1), all.run(0));
        assert_eq!((some.max_joint(), some.max_per_vertex()), (3, 2));
    }

    #[test]
    fn weights_that_hold_nothing_are_refused() {
        let refuse = |pairs: Vec<(u32, f64)>| Influences::new([pairs]).unwrap_err();
        assert_eq!(refuse(vec![]), InfluencesError::NoWeight { vertex: 0 });
        assert_eq!(
            refuse(vec![(0, 0.0)]),
            InfluencesError::NoWeight { vertex: 0 }
        );
        assert_eq!(
            refuse(vec![(0, f64::NAN)]),
            InfluencesError::BadWeight { vertex: 0 }
        );
        assert_eq!(
            refuse(vec![(0, 2.0), (1, -1.0)]),
            InfluencesError::BadWeight { vertex: 0 }
        );
    }
}
