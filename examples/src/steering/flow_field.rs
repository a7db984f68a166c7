//! Flow fields: for every place, the direction of the shortest way to a goal.
//!
//! The cost of the way solves the eikonal equation |∇cost| = slowness, by fast sweeping (Zhao 2005): shortest ways are
//! straight in open space, not bent to eight directions as those of a graph. Ground near walls is slower, so that streams
//! keep away from them.

use glam::Vec2;

use super::map::Map;

/// Side of a cell in metres.
const CELL: f32 = 1.0;
/// Distance from walls below which a cell is blocked, in metres.
const BLOCKED: f32 = 0.3;
/// Most rounds of four sweeps. A round carries a way around one more corner.
const MAX_ROUNDS: usize = 64;

/// A rectangle to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Corner with the smallest coordinates.
    pub min: Vec2,
    /// Corner with the largest coordinates.
    pub max: Vec2,
}

impl Goal {
    fn contains(&self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }
}

/// Cost and direction of the way to one goal, at the middles of square cells.
#[derive(Debug, Clone)]
pub struct FlowField {
    min: Vec2,
    columns: usize,
    rows: usize,
    /// Cost in metres of open ground; infinite where there is no way.
    cost: Vec<f32>,
    direction: Vec<Vec2>,
}

impl FlowField {
    /// Solves the way to a goal.
    pub fn new(map: &Map, goal: &Goal) -> Self {
        let size = ((map.max - map.min) / CELL).ceil();
        let (columns, rows) = (size.x as usize, size.y as usize);
        let mut field = Self {
            min: map.min,
            columns,
            rows,
            cost: vec![f32::INFINITY; columns * rows],
            direction: vec![Vec2::ZERO; columns * rows],
        };
        let slowness: Vec<f32> = field.cells().map(|at| slowness(map, at)).collect();
        let middles: Vec<Vec2> = field.cells().collect();
        for (cost, &middle) in field.cost.iter_mut().zip(&middles) {
            if goal.contains(middle) {
                *cost = 0.0;
            }
        }
        for _ in 0..MAX_ROUNDS {
            if !field.sweep(&slowness) {
                break;
            }
        }
        for (cell, &middle) in middles.iter().enumerate() {
            field.direction[cell] = match field.cost[cell].is_finite() {
                true => field.downhill(cell),
                false => map.clearance(middle).away,
            };
        }
        field
    }

    /// Middles of the cells, row by row.
    fn cells(&self) -> impl Iterator<Item = Vec2> + use<> {
        let (min, columns) = (self.min, self.columns);
        (0..columns * self.rows).map(move |cell| {
            let [x, z] = [cell % columns, cell / columns].map(|at| at as f32 + 0.5);
            min + CELL * Vec2::new(x, z)
        })
    }

    /// Costs of the neighbours of a cell: left, right, before and after. Infinite outside.
    fn around(&self, cell: usize) -> [f32; 4] {
        let (x, z) = (cell % self.columns, cell / self.columns);
        let at = |is_inside: bool, index: usize| match is_inside {
            true => self.cost[index],
            false => f32::INFINITY,
        };
        [
            at(x > 0, cell.wrapping_sub(1)),
            at(x + 1 < self.columns, cell + 1),
            at(z > 0, cell.wrapping_sub(self.columns)),
            at(z + 1 < self.rows, cell + self.columns),
        ]
    }

    /// Updates all cells in four orders. Returns true if a cost changed.
    fn sweep(&mut self, slowness: &[f32]) -> bool {
        let mut has_changed = false;
        for order in 0..4 {
            for z in 0..self.rows {
                let z = if order & 1 == 0 { z } else { self.rows - 1 - z };
                for x in 0..self.columns {
                    let x = if order & 2 == 0 {
                        x
                    } else {
                        self.columns - 1 - x
                    };
                    let cell = z * self.columns + x;
                    let [left, right, before, after] = self.around(cell);
                    let (a, b) = (left.min(right), before.min(after));
                    let step = CELL * slowness[cell];
                    let cost = match (a - b).abs() < step {
                        true => 0.5 * (a + b + (2.0 * step * step - (a - b) * (a - b)).sqrt()),
                        false => a.min(b) + step,
                    };
                    if cost < self.cost[cell] - 1e-4 {
                        self.cost[cell] = cost;
                        has_changed = true;
                    }
                }
            }
        }
        has_changed
    }

    /// Unit vector against the gradient of the cost; zero at the goal.
    fn downhill(&self, cell: usize) -> Vec2 {
        let cost = self.cost[cell];
        let [left, right, before, after] = self.around(cell);
        let slope = |less: f32, more: f32| match less < more {
            true => -(cost - less).max(0.0),
            false => (cost - more).max(0.0),
        };
        let finite = |slope: f32| if slope.is_finite() { slope } else { 0.0 };
        Vec2::new(finite(slope(left, right)), finite(slope(before, after))).normalize_or_zero()
    }

    /// The four cells around a point and their bilinear weights.
    fn corners(&self, point: Vec2) -> [(usize, f32); 4] {
        let last = Vec2::new(self.columns as f32, self.rows as f32) - 1.001;
        let at = ((point - self.min) / CELL - 0.5).clamp(Vec2::ZERO, last.max(Vec2::ZERO));
        let (cell, part) = (at.floor(), at.fract());
        let first = cell.y as usize * self.columns + cell.x as usize;
        let right = usize::from(self.columns > 1);
        let below = if self.rows > 1 { self.columns } else { 0 };
        [
            (first, (1.0 - part.x) * (1.0 - part.y)),
            (first + right, part.x * (1.0 - part.y)),
            (first + below, (1.0 - part.x) * part.y),
            (first + below + right, part.x * part.y),
        ]
    }

    /// Returns the unit vector of the way at a point; zero at the goal.
    pub fn direction(&self, point: Vec2) -> Vec2 {
        let corners = self.corners(point);
        let sum: Vec2 = corners
            .iter()
            .map(|&(cell, weight)| weight * self.direction[cell])
            .sum();
        sum.normalize_or_zero()
    }

    /// Returns the cost of the way from the cell of a point, in metres of open ground.
    pub fn cost(&self, point: Vec2) -> f32 {
        let heaviest = self
            .corners(point)
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1));
        heaviest.map_or(f32::INFINITY, |(cell, _)| self.cost[cell])
    }
}

/// Cost per metre: 1 in the open, more near walls, infinite inside them.
fn slowness(map: &Map, point: Vec2) -> f32 {
    let distance = map.clearance(point).distance;
    match distance < BLOCKED {
        true => f32::INFINITY,
        false => 1.0 + 1.5 * (-distance).exp(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steering::map::Obstacle;

    fn goal(x: f32, z: f32) -> Goal {
        let middle = Vec2::new(x, z);
        Goal {
            min: middle - 1.0,
            max: middle + 1.0,
        }
    }

    #[test]
    fn directions_on_an_empty_map_point_at_the_goal() {
        let map = Map::new(Vec2::splat(-40.0), Vec2::splat(40.0), Vec::new());
        let field = FlowField::new(&map, &goal(20.0, -10.0));
        for k in 0..400 {
            let point = Vec2::new((k % 20) as f32, (k / 20) as f32) * 3.0 - 28.5;
            let to = Vec2::new(20.0, -10.0) - point;
            if to.length() < 5.0 {
                continue;
            }
            let angle = field.direction(point).angle_to(to).abs().to_degrees();
            // The goal is a square, and first-order upwind differences are off by some degrees.
            assert!(angle < 8.0, "{point}: {angle}°");
            let cost = field.cost(point);
            assert!(
                (0.85..1.25).contains(&(cost / to.length())),
                "{point}: {cost}"
            );
        }
    }

    #[test]
    fn ways_lead_around_a_wall_and_never_into_it() {
        let wall = Obstacle::Rectangle {
            center: Vec2::ZERO,
            half: Vec2::new(1.0, 12.0),
        };
        let map = Map::new(Vec2::splat(-20.0), Vec2::splat(20.0), vec![wall]);
        let field = FlowField::new(&map, &goal(15.0, 0.0));
        let mut at = Vec2::new(-15.0, 0.5);
        let mut length = 0.0;
        while field.cost(at) > 1.5 {
            at += 0.1 * field.direction(at);
            length += 0.1;
            assert!(map.clearance(at).distance > 0.0, "{at} is inside the wall");
            assert!(length < 60.0, "no arrival");
        }
        // Twice from (15, 0) to the corner (1, 12), and 2 m between the corners.
        let shortest = 2.0 * Vec2::new(14.0, 12.0).length() + 2.0 - 2.0;
        assert!(
            (shortest..1.15 * shortest).contains(&length),
            "{length}, {shortest}"
        );
    }
}
