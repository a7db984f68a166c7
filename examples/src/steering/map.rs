//! The ground plan: a rectangle with obstacles.

use glam::Vec2;

/// A solid that nobody enters, seen from above: x and z in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Obstacle {
    /// A rectangle along the axes.
    Rectangle {
        /// Middle.
        center: Vec2,
        /// Half of each side.
        half: Vec2,
    },
    /// A disc.
    Disc {
        /// Middle.
        center: Vec2,
        /// Radius in metres.
        radius: f32,
    },
}

/// Distance to the nearest wall in metres, negative inside an obstacle, and the unit vector away from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance {
    /// Signed distance in metres.
    pub distance: f32,
    /// Unit vector away from the wall.
    pub away: Vec2,
}

impl Obstacle {
    /// Returns the clearance of a point from this obstacle.
    pub fn clearance(&self, point: Vec2) -> Clearance {
        match *self {
            Self::Disc { center, radius } => {
                let from = point - center;
                Clearance {
                    distance: from.length() - radius,
                    away: from.normalize_or(Vec2::X),
                }
            }
            Self::Rectangle { center, half } => {
                let from = point - center;
                let outside = from.abs() - half;
                let sign = Vec2::new(1f32.copysign(from.x), 1f32.copysign(from.y));
                if outside.max_element() > 0.0 {
                    let to = outside.max(Vec2::ZERO);
                    return Clearance {
                        distance: to.length(),
                        away: sign * to.normalize(),
                    };
                }
                let nearest = match outside.x > outside.y {
                    true => Vec2::X,
                    false => Vec2::Y,
                };
                Clearance {
                    distance: outside.max_element(),
                    away: sign * nearest,
                }
            }
        }
    }
}

/// Side of the cells that list obstacles, in metres.
const CELL: f32 = 4.0;

/// Distance up to which [`Map::clearance`] sees obstacles, in metres.
pub const SIGHT: f32 = 2.0;

/// A rectangle of ground with obstacles. Cells list the obstacles near them.
#[derive(Debug, Clone)]
pub struct Map {
    /// Corner with the smallest coordinates.
    pub min: Vec2,
    /// Corner with the largest coordinates.
    pub max: Vec2,
    obstacles: Vec<Obstacle>,
    columns: usize,
    /// Obstacles of each cell, row by row.
    near: Vec<Vec<u32>>,
}

impl Map {
    /// Makes a map between two corners.
    pub fn new(min: Vec2, max: Vec2, obstacles: Vec<Obstacle>) -> Self {
        let size = ((max - min) / CELL).ceil();
        let (columns, rows) = (size.x as usize, size.y as usize);
        let reach = SIGHT + CELL * std::f32::consts::FRAC_1_SQRT_2;
        let near_cell = |cell: usize| {
            let [x, z] = [cell % columns, cell / columns].map(|at| at as f32 + 0.5);
            let middle = min + CELL * Vec2::new(x, z);
            let is_near =
                |&index: &u32| obstacles[index as usize].clearance(middle).distance < reach;
            (0..obstacles.len() as u32).filter(is_near).collect()
        };
        Self {
            near: (0..columns * rows).map(near_cell).collect(),
            min,
            max,
            obstacles,
            columns,
        }
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Returns the clearance of a point from the nearest obstacle or edge of the map. Distances above [`SIGHT`] may be
    /// smaller than the true ones, never below [`SIGHT`].
    pub fn clearance(&self, point: Vec2) -> Clearance {
        let inside = point.clamp(self.min, self.max - 1e-3);
        let cell = ((inside - self.min) / CELL).as_uvec2();
        let near = &self.near[cell.y as usize * self.columns + cell.x as usize];
        let edges = [
            (point.x - self.min.x, Vec2::X),
            (self.max.x - point.x, Vec2::NEG_X),
            (point.y - self.min.y, Vec2::Y),
            (self.max.y - point.y, Vec2::NEG_Y),
        ]
        .map(|(distance, away)| Clearance { distance, away });
        let solids = near
            .iter()
            .map(|&index| self.obstacles[index as usize].clearance(point));
        let walls = edges.into_iter().chain(solids);
        walls
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
            .expect("a map has four edges")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearance_of_a_rectangle_is_the_distance_to_its_nearest_point() {
        let box_ = Obstacle::Rectangle {
            center: Vec2::new(1.0, 2.0),
            half: Vec2::new(2.0, 1.0),
        };
        // Beyond a corner: a triangle of sides 3, 4 and 5.
        let corner = box_.clearance(Vec2::new(6.0, 7.0));
        assert!((corner.distance - 5.0).abs() < 1e-6);
        assert!(corner.away.distance(Vec2::new(0.6, 0.8)) < 1e-6);
        let inside = box_.clearance(Vec2::new(1.5, 2.9));
        assert!((inside.distance + 0.1).abs() < 1e-6);
        assert_eq!(inside.away, Vec2::Y);
    }

    #[test]
    fn map_finds_the_obstacle_that_a_search_of_all_finds() {
        let discs = (0..40).map(|k| Obstacle::Disc {
            center: Vec2::new((k * 7 % 31) as f32, (k * 11 % 29) as f32),
            radius: 0.3 + 0.1 * (k % 5) as f32,
        });
        let map = Map::new(Vec2::ZERO, Vec2::splat(31.0), discs.collect());
        for k in 0..2000 {
            let point = Vec2::new((k * 37 % 311) as f32, (k * 53 % 313) as f32) * 0.098;
            let edges = point.min(31.0 - point).min_element();
            let all = map
                .obstacles()
                .iter()
                .map(|one| one.clearance(point).distance);
            let nearest = all.fold(edges, f32::min);
            let found = map.clearance(point).distance;
            match nearest < SIGHT {
                true => assert_eq!(found, nearest, "{point}"),
                false => assert!(found >= SIGHT, "{point}"),
            }
        }
    }
}
