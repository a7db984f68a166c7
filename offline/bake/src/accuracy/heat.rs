//! Distribution of the error over the surface.

use throng_rig::Character;

/// Largest error of each vertex over all times except jumps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatMap {
    /// In metres: one list per part of the source, one value per vertex.
    pub metres: Vec<Vec<f32>>,
}

impl HeatMap {
    /// Takes the largest of several maps of squared errors.
    pub(super) fn largest_of_squares(maps: impl Iterator<Item = Vec<Vec<f32>>>) -> Self {
        let largest = maps.reduce(|mut all, map| {
            for (into, from) in all.iter_mut().flatten().zip(map.iter().flatten()) {
                *into = into.max(*from);
            }
            all
        });
        let mut metres = largest.unwrap_or_default();
        for error in metres.iter_mut().flatten() {
            *error = error.sqrt();
        }
        Self { metres }
    }

    /// Raises the error of all vertices at the unique position of a vertex.
    pub(super) fn raise(&mut self, character: &Character, part: usize, vertex: usize, metres: f64) {
        let unique = character.mesh_of(&character.parts()[part]).unique();
        let position = unique.position_of()[vertex];
        let vertices = unique.position_of().iter().zip(&mut self.metres[part]);
        for (_, error) in vertices.filter(|(other, _)| **other == position) {
            *error = error.max(metres as f32);
        }
    }

    /// Largest error of all vertices, in metres.
    pub fn max_m(&self) -> f32 {
        self.metres.iter().flatten().copied().fold(0.0, f32::max)
    }

    /// Returns linear RGBA for each vertex of a part: that of `ramp` for errors from 0 to `full_m` metres, as 0 to 1 and more.
    pub fn colors(
        &self,
        part: usize,
        full_m: f32,
        ramp: impl Fn(f32) -> [f32; 4],
    ) -> Vec<[f32; 4]> {
        let value = |error: f32| if full_m > 0.0 { error / full_m } else { 0.0 };
        let errors = self.metres[part].iter();
        errors.map(|&error| ramp(value(error))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_each_vertex_is_kept() {
        let maps = [
            vec![vec![4.0, 0.0], vec![1.0]],
            vec![vec![1.0, 9.0], vec![0.0]],
        ];
        let map = HeatMap::largest_of_squares(maps.into_iter());
        assert_eq!(map.metres, [vec![2.0, 3.0], vec![1.0]]);
        assert_eq!(map.max_m(), 3.0);
        let ramp = |value| [value; 4];
        assert_eq!(map.colors(0, 3.0, ramp)[1], [1.0; 4]);
        assert_eq!(map.colors(1, 0.0, ramp), [[0.0; 4]]);
    }
}
