//! Distribution of the error over the surface.

use throng_rig::Character;

/// Largest error of each vertex over all times except jumps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeatMap {
    /// In metres: one list per part of the source, one value per vertex.
    pub metres: Vec<Vec<f32>>,
}

/// Colours from 0 to 1: viridis, whose lightness grows evenly, in sRGB.
const RAMP: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

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

    /// Returns linear RGBA for each vertex of a part: dark blue at an error of 0, yellow from `full_m` metres on.
    pub fn colors(&self, part: usize, full_m: f32) -> Vec<[f32; 4]> {
        let value = |error: f32| if full_m > 0.0 { error / full_m } else { 0.0 };
        let errors = self.metres[part].iter();
        errors.map(|&error| ramp(value(error))).collect()
    }
}

/// Returns the colour of a value as linear RGBA. The value is clamped to 0..=1.
pub fn ramp(value: f32) -> [f32; 4] {
    let last = RAMP.len() - 1;
    // NaN becomes the first colour.
    let position = value.clamp(0.0, 1.0).max(0.0) * last as f32;
    let index = (position as usize).min(last - 1);
    let fraction = position - index as f32;
    let channel = |c: usize| {
        let (from, to) = (f32::from(RAMP[index][c]), f32::from(RAMP[index + 1][c]));
        linear_from_srgb((from + (to - from) * fraction) / 255.0)
    };
    [channel(0), channel(1), channel(2), 1.0]
}

fn linear_from_srgb(channel: f32) -> f32 {
    if channel <= 0.04045 {
        channel / 12.92
    } else {
        ((channel + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_grows_lighter_throughout() {
        let lightness = |value: f32| {
            let [r, g, b, _] = ramp(value);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for step in 0..100 {
            let value = step as f32 / 100.0;
            assert!(lightness(value + 0.01) > lightness(value), "{value}");
        }
        assert_eq!(ramp(-1.0), ramp(0.0));
        assert_eq!(ramp(2.0), ramp(1.0));
        assert_eq!(ramp(f32::NAN), ramp(0.0));
    }

    #[test]
    fn the_largest_of_each_vertex_is_kept() {
        let maps = [
            vec![vec![4.0, 0.0], vec![1.0]],
            vec![vec![1.0, 9.0], vec![0.0]],
        ];
        let map = HeatMap::largest_of_squares(maps.into_iter());
        assert_eq!(map.metres, [vec![2.0, 3.0], vec![1.0]]);
        assert_eq!(map.max_m(), 3.0);
        assert_eq!(map.colors(0, 3.0)[1], ramp(1.0));
        assert_eq!(map.colors(1, 0.0), [ramp(0.0)]);
    }
}
