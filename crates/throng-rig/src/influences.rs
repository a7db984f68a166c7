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
    /// More entries than an index can hold.
    #[error("more than {} influences", u32::MAX)]
    TooMany,
}

impl Influences {
    /// Takes each vertex's (joint, weight) pairs: sums what names a joint twice, drops zeros, sorts,
    /// normalises.
    pub fn new<V>(vertices: impl IntoIterator<Item = V>) -> Result<Self, InfluencesError>
    where
        V: IntoIterator<Item = (u32, f64)>,
    {
        let mut out = Self {
            first: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            max_joint: 0,
            max_per_vertex: 0,
        };
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
            for &(joint, weight) in &run {
                out.joints.push(joint);
                out.weights.push((weight / sum) as f32);
                out.max_joint = out.max_joint.max(joint);
            }
            out.max_per_vertex = out.max_per_vertex.max(run.len());
            let end = u32::try_from(out.joints.len()).map_err(|_| InfluencesError::TooMany)?;
            out.first.push(end);
        }
        Ok(out)
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
        let mut out = Self {
            first: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            max_joint: 0,
            max_per_vertex: 0,
        };
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
