//! From a field to triangles: surface nets on a grid that is looked at only near the skin.
//!
//! Each cell of the grid that the surface passes through gets one vertex, each edge of the grid that it
//! crosses one quad. The grid is drawn closer together about the face and the hands. Only the half where
//! x is not negative is made; its rim lies on the mirror plane exactly.

use glam::{DVec3, IVec3};

use super::field::Field;
use super::half::Half;

/// Cells along each side of a block, which is taken or left as a whole.
const BLOCK: i32 = 8;
/// The corners of the half body's box, in metres.
const BOX: [DVec3; 2] = [DVec3::new(0.0, -0.03, -0.22), DVec3::new(0.86, 1.86, 0.28)];
/// Cells along each side of an eighth of a block, which is taken or left too.
const EIGHTH: i32 = BLOCK / 2;
/// How much farther apart the grid is drawn at the rim of a lens than outside it, at most.
const LENS_RIM: f64 = 1.5;
/// A distance of the field may be off by so much, as a factor.
const FIELD_SLACK: f64 = 1.3;

/// A ball in which the grid is drawn closer together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lens {
    /// In metres.
    pub center: DVec3,
    /// In metres.
    pub radius: f64,
    /// How much closer, at the center.
    pub power: f64,
}

impl Lens {
    /// Where a point of the even grid lies in the model.
    fn place(&self, point: DVec3) -> DVec3 {
        let offset = point - self.center;
        let square = offset.length_squared();
        if square >= self.radius * self.radius {
            return point;
        }
        let t = square.sqrt() / self.radius;
        let least = 1.0 / self.power;
        let eased = t * t * (3.0 - 2.0 * t);
        self.center + offset * (least + (1.0 - least) * eased)
    }
}

/// Where on the grid a block starts, and the vertex of each of its cells, if any.
struct Block {
    first: IVec3,
    vertex_of: Box<[u32; (BLOCK * BLOCK * BLOCK) as usize]>,
}

/// No vertex.
const NONE: u32 = u32::MAX;

/// An edge of the grid that the surface crosses.
struct Crossing {
    corner: IVec3,
    axis: usize,
    /// The body is at the corner, and the outside at the edge's other end.
    leaves: bool,
}

struct Grid<'a> {
    step: f64,
    lenses: &'a [Lens],
}

impl Grid<'_> {
    /// Where a corner is in the even grid. Cells, not corners, lie on the mirror plane.
    fn even(&self, corner: IVec3) -> DVec3 {
        let origin = DVec3::new(-self.step / 2.0, BOX[0].y, BOX[0].z);
        origin + corner.as_dvec3() * self.step
    }

    fn place(&self, point: DVec3) -> DVec3 {
        let lenses = self.lenses.iter();
        lenses.fold(point, |point, lens| lens.place(point))
    }

    /// The ball in the model about a cube of cells.
    fn ball(&self, first: IVec3, cells: i32) -> (DVec3, f64) {
        let half_side = self.step * f64::from(cells) / 2.0;
        let center = self.even(first) + DVec3::splat(half_side);
        let radius = half_side * 3f64.sqrt();
        let touches = |lens: &Lens| lens.center.distance(center) < lens.radius + radius;
        let wider = if self.lenses.iter().any(touches) {
            LENS_RIM
        } else {
            1.0
        };
        (self.place(center), radius * wider)
    }
}

/// The half of the surface of a field where x is not negative, on a grid of a step in metres.
pub(super) fn surface_nets(field: &Field, step: f64, lenses: &[Lens]) -> Half {
    let grid = Grid { step, lenses };
    let blocks = ((BOX[1] - BOX[0]) / (step * f64::from(BLOCK)))
        .ceil()
        .as_ivec3();
    let table_index = |block: IVec3| ((block.z * blocks.y + block.y) * blocks.x + block.x) as usize;
    let mut table: Vec<Option<Block>> = Vec::new();
    let mut positions = Vec::new();
    let mut crossings = Vec::new();
    for z in 0..blocks.z {
        for y in 0..blocks.y {
            for x in 0..blocks.x {
                let first = IVec3::new(x, y, z) * BLOCK;
                table.push(fill(field, &grid, first, &mut positions, &mut crossings));
            }
        }
    }

    let vertex_of = |cell: IVec3| {
        let block = table[table_index(cell / BLOCK)].as_ref();
        let block = block.expect("a crossed edge has a vertex in each cell about it");
        block.vertex_of[cell_index(cell - block.first)]
    };
    let mut triangles = Vec::with_capacity(2 * crossings.len());
    for crossing in &crossings {
        let (b, c) = (unit(crossing.axis + 1), unit(crossing.axis + 2));
        let at = crossing.corner;
        let mut quad = [at - b - c, at - c, at, at - b].map(vertex_of);
        if !crossing.leaves {
            quad.reverse();
        }
        let [p, q, r, s] = quad.map(|vertex| positions[vertex as usize]);
        // Along the shorter diagonal.
        if p.distance_squared(r) <= q.distance_squared(s) {
            triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        } else {
            triangles.extend([[quad[0], quad[1], quad[3]], [quad[1], quad[2], quad[3]]]);
        }
    }
    Half::new(positions, triangles)
}

fn unit(axis: usize) -> IVec3 {
    [IVec3::X, IVec3::Y, IVec3::Z][axis % 3]
}

fn cell_index(cell: IVec3) -> usize {
    ((cell.z * BLOCK + cell.y) * BLOCK + cell.x) as usize
}

/// Looks at a block: adds its vertices and the crossed edges that start in it.
fn fill(
    field: &Field,
    grid: &Grid<'_>,
    first: IVec3,
    positions: &mut Vec<DVec3>,
    crossings: &mut Vec<Crossing>,
) -> Option<Block> {
    const CORNERS: i32 = BLOCK + 1;
    let (center, radius) = grid.ball(first, BLOCK);
    let near = field.near(center, radius);
    if near.is_empty() || near.distance(center).abs() > radius * FIELD_SLACK {
        return None;
    }

    let corner_index =
        |corner: IVec3| ((corner.z * CORNERS + corner.y) * CORNERS + corner.x) as usize;
    // Far from all that was looked at, there is nothing.
    let mut distances = [f64::INFINITY; (CORNERS * CORNERS * CORNERS) as usize];
    let mut cells = Vec::new();
    for eighth in lattice(2) {
        let start = eighth * EIGHTH;
        let (center, radius) = grid.ball(first + start, EIGHTH);
        if near.distance(center).abs() > radius * FIELD_SLACK {
            continue;
        }
        for corner in lattice(EIGHTH + 1).map(|corner| start + corner) {
            let distance = &mut distances[corner_index(corner)];
            if *distance == f64::INFINITY {
                *distance = near.distance(grid.place(grid.even(first + corner)));
            }
        }
        cells.extend(lattice(EIGHTH).map(|cell| start + cell));
    }
    let inside = |corner: IVec3| distances[corner_index(corner)] < 0.0;

    let mut vertex_of = Box::new([NONE; (BLOCK * BLOCK * BLOCK) as usize]);
    for cell in cells {
        let mut sum = DVec3::ZERO;
        let mut count = 0;
        for axis in 0..3 {
            let (a, b, c) = (unit(axis), unit(axis + 1), unit(axis + 2));
            for start in [cell, cell + b, cell + c, cell + b + c] {
                if inside(start) != inside(start + a) {
                    let [from, to] = [start, start + a].map(|end| distances[corner_index(end)]);
                    let t = from / (from - to);
                    sum += grid.even(first + start) + a.as_dvec3() * (grid.step * t);
                    count += 1;
                }
            }
        }
        if count > 0 {
            let mut point = grid.place(sum / f64::from(count));
            if first.x + cell.x == 0 {
                point.x = 0.0;
            }
            vertex_of[cell_index(cell)] = positions.len() as u32;
            positions.push(near.onto_surface(point));
        }
        for axis in 0..3 {
            // The first corners along x are beyond the mirror plane.
            let beyond = axis != 0 && first.x + cell.x == 0;
            if inside(cell) != inside(cell + unit(axis)) && !beyond {
                crossings.push(Crossing {
                    corner: first + cell,
                    axis,
                    leaves: inside(cell),
                });
            }
        }
    }
    Some(Block { first, vertex_of })
}

/// All whole points of a cube, x fastest.
fn lattice(side: i32) -> impl Iterator<Item = IVec3> {
    let plane = move |z| (0..side).flat_map(move |y| (0..side).map(move |x| IVec3::new(x, y, z)));
    (0..side).flat_map(plane)
}
