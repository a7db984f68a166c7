//! Averages over the surface.

use throng_rig::Character;

use super::factors::Factors;

/// Pairs of factors that are joined by an edge of a triangle.
pub(super) struct Neighbors {
    /// Start of each factor's neighbours in `of`, and the end of the last.
    starts: Vec<u32>,
    of: Vec<u32>,
}

impl Neighbors {
    pub(super) fn new(character: &Character, factors: &Factors) -> Self {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (index, mesh) in character.meshes().iter().enumerate() {
            let first = factors.first_of_mesh(index) as u32;
            let position_of = mesh.unique().position_of();
            for triangle in mesh.triangles() {
                let [a, b, c] = triangle.map(|v| first + position_of[v as usize]);
                edges.extend([(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)]);
            }
        }
        edges.retain(|(a, b)| a != b);
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; factors.len() + 1];
        for &(a, _) in &edges {
            starts[a as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Self {
            starts,
            of: edges.into_iter().map(|(_, b)| b).collect(),
        }
    }

    /// Averages each value with its neighbours, `rounds` times.
    pub(super) fn smooth(&self, mut values: Vec<f64>, rounds: usize) -> Vec<f64> {
        let mut next = vec![0.0; values.len()];
        for _ in 0..rounds {
            for (index, out) in next.iter_mut().enumerate() {
                let range = self.starts[index] as usize..self.starts[index + 1] as usize;
                let neighbors = &self.of[range];
                let sum: f64 = neighbors.iter().map(|&other| values[other as usize]).sum();
                let count = neighbors.len().max(1) as f64;
                *out = if neighbors.is_empty() {
                    values[index]
                } else {
                    0.5 * (values[index] + sum / count)
                };
            }
            std::mem::swap(&mut values, &mut next);
        }
        values
    }
}
