//! Neighbours: agents sorted into the cells of a uniform grid by a counting sort.

use std::ops::Range;

use glam::Vec2;

/// Side of a cell in metres.
const CELL: f32 = 1.5;
/// Cells to each side that are searched.
const REACH: i32 = 2;

/// Distance within which every neighbour is found, in metres.
pub const SIGHT: f32 = CELL * REACH as f32;

/// Position and velocity of an agent, as its neighbours see it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Body {
    /// Position in metres.
    pub position: Vec2,
    /// Velocity in metres per second.
    pub velocity: Vec2,
    /// Index of the agent.
    pub index: u32,
}

/// A cell list. Bodies of a cell, and cells of a row, lie side by side in memory.
#[derive(Debug, Clone)]
pub struct Neighbours {
    min: Vec2,
    columns: i32,
    rows: i32,
    /// First body of each cell, and the end.
    starts: Vec<u32>,
    bodies: Vec<Body>,
    cell_of: Vec<u32>,
}

impl Neighbours {
    /// Makes an empty grid between two corners.
    pub fn new(min: Vec2, max: Vec2) -> Self {
        let size = ((max - min) / CELL).ceil().max(Vec2::ONE).as_ivec2();
        Self {
            min,
            columns: size.x,
            rows: size.y,
            starts: vec![0; (size.x * size.y) as usize + 1],
            bodies: Vec::new(),
            cell_of: Vec::new(),
        }
    }

    /// Sorts bodies into cells, in their order within each cell. Allocates only if there are more than ever before.
    pub fn rebuild(&mut self, bodies: impl ExactSizeIterator<Item = Body> + Clone) {
        self.bodies.resize(bodies.len(), Body::default());
        self.cell_of.clear();
        self.starts.fill(0);
        for body in bodies.clone() {
            let [x, z] = self.cell(body.position);
            let cell = (z * self.columns + x) as u32;
            self.cell_of.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        // Each start moves up to the end of its cell, which is the start of the next one.
        for (body, &cell) in bodies.zip(&self.cell_of) {
            let at = &mut self.starts[cell as usize];
            self.bodies[*at as usize] = body;
            *at += 1;
        }
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    fn cell(&self, point: Vec2) -> [i32; 2] {
        let cell = ((point - self.min) / CELL).floor().as_ivec2();
        [
            cell.x.clamp(0, self.columns - 1),
            cell.y.clamp(0, self.rows - 1),
        ]
    }

    /// Bodies around a point: all within [`SIGHT`], and some beyond. Includes the body at the point.
    pub fn around(&self, point: Vec2) -> impl Iterator<Item = &Body> {
        let [x, z] = self.cell(point);
        let columns = (x - REACH).max(0)..(x + REACH + 1).min(self.columns);
        let rows = (z - REACH).max(0)..(z + REACH + 1).min(self.rows);
        rows.flat_map(move |row| &self.bodies[self.run(row, &columns)])
    }

    /// Range of the bodies of neighbouring cells of a row.
    fn run(&self, row: i32, columns: &Range<i32>) -> Range<usize> {
        let [first, end] = [columns.start, columns.end]
            .map(|column| self.starts[(row * self.columns + column) as usize] as usize);
        first..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_body_within_sight_in_a_fixed_order() {
        let at = |k: u32| Vec2::new((k * 7919 % 1000) as f32, (k * 104_729 % 1009) as f32) * 0.03;
        let bodies: Vec<Body> = (0..3000)
            .map(|index| Body {
                position: at(index),
                index,
                ..Body::default()
            })
            .collect();
        let mut grid = Neighbours::new(Vec2::ZERO, Vec2::splat(30.0));
        for _ in 0..2 {
            grid.rebuild(bodies.iter().copied());
            for body in &bodies {
                let is_seen = |other: &&Body| other.position.distance(body.position) < SIGHT;
                let mut found: Vec<u32> = grid
                    .around(body.position)
                    .filter(is_seen)
                    .map(|other| other.index)
                    .collect();
                found.sort_unstable();
                let all = bodies.iter().filter(is_seen).map(|other| other.index);
                assert_eq!(found, all.collect::<Vec<_>>());
            }
        }
    }
}
