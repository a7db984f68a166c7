//! Surface extraction with surface nets, on a grid that is evaluated only near the surface.
//!
//! Each grid cell that the surface passes through gets one vertex, and each grid edge that it crosses gets
//! one quad. The grid is denser around the face and the hands. Only the half with x ≥ 0 is extracted; its
//! boundary is exactly on the mirror plane.

use glam::{DVec3, IVec3};

use super::field::Field;
use super::half::HalfMesh;

/// Number of cells along a side of a block. Blocks away from the surface are skipped.
const BLOCK: i32 = 8;
/// Bounding box of the half body, in metres.
const BOUNDS: [DVec3; 2] = [DVec3::new(0.0, -0.03, -0.22), DVec3::new(0.86, 1.86, 0.28)];
/// Number of cells along a side of an octant of a block. Octants away from the surface are skipped.
const OCTANT: i32 = BLOCK / 2;
/// Maximum factor by which the grid is stretched at the rim of a lens.
const LENS_RIM: f64 = 1.5;
/// Maximum factor by which a distance of the field is wrong.
const FIELD_SLACK: f64 = 1.3;

/// Ball in which the grid is denser.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lens {
    /// Centre, in metres.
    pub center: DVec3,
    /// Radius, in metres.
    pub radius: f64,
    /// Density of the grid at the centre, relative to outside.
    pub power: f64,
}

impl Lens {
    /// Maps a point of the uniform grid to model space.
    fn warp(&self, point: DVec3) -> DVec3 {
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

/// First cell of a block, and the vertex of each of its cells, or [`NONE`].
struct Block {
    first: IVec3,
    vertex_of: Box<[u32; (BLOCK * BLOCK * BLOCK) as usize]>,
}

/// Marks a cell without a vertex.
const NONE: u32 = u32::MAX;

/// Grid edge that the surface crosses.
struct Crossing {
    corner: IVec3,
    axis: usize,
    /// True if the corner is inside the body and the other end of the edge outside.
    leaves: bool,
}

struct Grid<'a> {
    step: f64,
    lenses: &'a [Lens],
}

impl Grid<'_> {
    /// Returns the position of a corner of the uniform grid. The mirror plane passes through the centres of
    /// cells, not through corners.
    fn uniform(&self, corner: IVec3) -> DVec3 {
        let origin = DVec3::new(-self.step / 2.0, BOUNDS[0].y, BOUNDS[0].z);
        origin + corner.as_dvec3() * self.step
    }

    /// Maps a point of the uniform grid to model space.
    fn warp(&self, point: DVec3) -> DVec3 {
        let lenses = self.lenses.iter();
        lenses.fold(point, |point, lens| lens.warp(point))
    }

    /// Returns a bounding sphere, in model space, of a cube of cells.
    fn ball(&self, first: IVec3, cells: i32) -> (DVec3, f64) {
        let half_side = self.step * f64::from(cells) / 2.0;
        let center = self.uniform(first) + DVec3::splat(half_side);
        let radius = half_side * 3f64.sqrt();
        let touches = |lens: &Lens| lens.center.distance(center) < lens.radius + radius;
        let stretch = if self.lenses.iter().any(touches) {
            LENS_RIM
        } else {
            1.0
        };
        (self.warp(center), radius * stretch)
    }
}

/// Extracts the half of the surface with x ≥ 0, on a grid with a step in metres.
pub(super) fn surface_nets(field: &Field, step: f64, lenses: &[Lens]) -> HalfMesh {
    let grid = Grid { step, lenses };
    let blocks = ((BOUNDS[1] - BOUNDS[0]) / (step * f64::from(BLOCK)))
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
        let block = block.expect("each cell at a crossed edge has a vertex");
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
        // Split the quad along its shorter diagonal.
        if p.distance_squared(r) <= q.distance_squared(s) {
            triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        } else {
            triangles.extend([[quad[0], quad[1], quad[3]], [quad[1], quad[2], quad[3]]]);
        }
    }
    HalfMesh::new(positions, triangles)
}

fn unit(axis: usize) -> IVec3 {
    [IVec3::X, IVec3::Y, IVec3::Z][axis % 3]
}

fn cell_index(cell: IVec3) -> usize {
    ((cell.z * BLOCK + cell.y) * BLOCK + cell.x) as usize
}

/// Evaluates a block, and adds its vertices and the crossed edges that start in it. Returns `None` if the
/// surface does not pass through it.
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
    // Corners that are not evaluated are far outside.
    let mut distances = [f64::INFINITY; (CORNERS * CORNERS * CORNERS) as usize];
    let mut cells = Vec::new();
    for octant in lattice(2) {
        let start = octant * OCTANT;
        let (center, radius) = grid.ball(first + start, OCTANT);
        if near.distance(center).abs() > radius * FIELD_SLACK {
            continue;
        }
        for corner in lattice(OCTANT + 1).map(|corner| start + corner) {
            let distance = &mut distances[corner_index(corner)];
            if *distance == f64::INFINITY {
                *distance = near.distance(grid.warp(grid.uniform(first + corner)));
            }
        }
        cells.extend(lattice(OCTANT).map(|cell| start + cell));
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
                    sum += grid.uniform(first + start) + a.as_dvec3() * (grid.step * t);
                    count += 1;
                }
            }
        }
        if count > 0 {
            let mut point = grid.warp(sum / f64::from(count));
            if first.x + cell.x == 0 {
                point.x = 0.0;
            }
            vertex_of[cell_index(cell)] = positions.len() as u32;
            positions.push(near.project(point));
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

/// Iterates over the integer points of a cube, x fastest.
fn lattice(side: i32) -> impl Iterator<Item = IVec3> {
    let plane = move |z| (0..side).flat_map(move |y| (0..side).map(move |x| IVec3::new(x, y, z)));
    (0..side).flat_map(plane)
}
