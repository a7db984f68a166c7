//! A street: a boulevard and an avenue that cross at a square with a fountain.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::agent::{Agent, Purpose};
use super::flow_field::Goal;
use super::map::{Map, Obstacle};
use super::simulation::travel;
use crate::Random;

/// Half the width of the boulevard along z, in metres.
const BOULEVARD: f32 = 34.0;
/// Edges of the avenue along x.
const AVENUE: [f32; 2] = [-58.0, 22.0];
/// Corners of the map.
const MIN: Vec2 = Vec2::new(-100.0, -170.0);
const MAX: Vec2 = Vec2::new(100.0, 80.0);
/// Middle of the square.
pub const SQUARE: Vec2 = Vec2::new(0.0, -18.0);
/// Radius of the fountain.
const FOUNTAIN: f32 = 6.0;
/// Side of the cells in which agents start, in metres, and their largest offset.
const START_CELL: f32 = 0.6;
const START_OFFSET: f32 = 0.05;
/// Middles of groups that stand, their inner and outer radius, and the share of agents there who stand.
const AUDIENCES: [(Vec2, [f32; 2], f32); 4] = [
    (SQUARE, [FOUNTAIN + 0.5, FOUNTAIN + 2.5], 0.6),
    (Vec2::new(-15.0, 32.0), [1.6, 4.0], 0.95),
    (Vec2::new(17.0, 12.0), [1.6, 3.6], 0.95),
    (Vec2::new(-18.0, -52.0), [1.6, 4.4], 0.95),
];

/// Shape of a solid in a box of sides 2 around the origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The box.
    Box,
    /// An upright cylinder.
    Cylinder,
    /// A ball.
    Ball,
}

/// Look of a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// One colour.
    Plain = 0,
    /// Rows of windows.
    Facade = 1,
    /// Water with small waves.
    Water = 2,
    /// Leaves.
    Leaves = 3,
}

/// A solid of the street.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Shape.
    pub shape: Shape,
    /// Look.
    pub surface: Surface,
    /// Middle in metres.
    pub center: Vec3,
    /// Half of each side of its box.
    pub half: Vec3,
    /// Linear RGB colour.
    pub color: [f32; 3],
}

/// The street: ground plan, goals at its ends, and solids to draw.
#[derive(Debug, Clone)]
pub struct Street {
    /// The map.
    pub map: Map,
    /// The goals.
    pub goals: Vec<Goal>,
    /// The solids.
    pub solids: Vec<Solid>,
}

impl Street {
    /// Builds the street.
    pub fn new() -> Self {
        let mut solids = buildings();
        solids.extend(fountain());
        solids.extend(pillars());
        solids.extend(kiosks());
        solids.extend(trees());
        let obstacles = solids.iter().filter_map(obstacle).collect();
        Self {
            map: Map::new(MIN, MAX, obstacles),
            goals: goals(),
            solids,
        }
    }

    /// Places agents at random, each with its goal, speed and size. Fails where there is no room for so many.
    pub fn agents(&self, count: usize, seed: u64) -> Result<Vec<Agent>, String> {
        let mut random = Random(seed);
        let mut cells = self.free_cells();
        if count > cells.len() {
            let room = cells.len();
            return Err(format!(
                "{count} agents are too many; the street has room for {room}"
            ));
        }
        let agents = (0..count).map(|placed| {
            let last = cells.len() - 1;
            let chosen = placed + (random.unit() * (last + 1 - placed) as f32) as usize;
            cells.swap(placed, chosen.min(last));
            let offset = Vec2::new(random.unit(), random.unit()) - 0.5;
            self.agent(cells[placed] + 2.0 * START_OFFSET * offset, &mut random)
        });
        Ok(agents.collect())
    }

    /// Middles of all cells where nothing stands.
    fn free_cells(&self) -> Vec<Vec2> {
        let size = ((MAX - MIN) / START_CELL).floor();
        let cells = (0..size.y as u32).flat_map(|z| (0..size.x as u32).map(move |x| [x, z]));
        let middles = cells.map(|[x, z]| MIN + START_CELL * (Vec2::new(x as f32, z as f32) + 0.5));
        middles
            .filter(|&at| self.map.clearance(at).distance > 0.5)
            .collect()
    }

    fn agent(&self, position: Vec2, random: &mut Random) -> Agent {
        let audience = AUDIENCES.iter().find(|(middle, [inner, outer], share)| {
            let distance = position.distance(*middle);
            (*inner..*outer).contains(&distance) && random.unit() < *share
        });
        let purpose = match audience {
            Some(&(watch, ..)) => Purpose::Stand {
                at: position,
                watch,
            },
            None => travel(random, self.goals.len(), None),
        };
        let heading_rad = match purpose {
            Purpose::Stand { at, watch } => {
                let to = watch - at;
                to.x.atan2(to.y) + 0.8 * (random.unit() - 0.5)
            }
            Purpose::Travel { .. } => TAU * random.unit(),
        };
        // One in 25 jogs.
        let preferred_speed = match random.unit() < 0.04 {
            true => 2.6 + 0.8 * random.unit(),
            false => 1.0 + 0.3 * (random.unit() + random.unit()),
        };
        Agent {
            preferred_speed,
            size: 0.93 + 0.06 * (random.unit() + random.unit()),
            gait: super::Gait {
                phase: random.unit(),
                ..Default::default()
            },
            ..Agent::new(position, heading_rad, purpose)
        }
    }
}

impl Default for Street {
    fn default() -> Self {
        Self::new()
    }
}

/// Two goals at each end of the boulevard and of the avenue.
fn goals() -> Vec<Goal> {
    let [north, south] = AVENUE;
    let middle = 0.5 * (north + south);
    let goal = |x: [f32; 2], z: [f32; 2]| Goal {
        min: Vec2::new(x[0], z[0]),
        max: Vec2::new(x[1], z[1]),
    };
    let halves = [[-BOULEVARD, -2.0], [2.0, BOULEVARD]];
    let ends = [[MIN.y, MIN.y + 6.0], [MAX.y - 6.0, MAX.y]];
    let sides = [[MIN.x, MIN.x + 6.0], [MAX.x - 6.0, MAX.x]];
    let along = ends.into_iter().flat_map(|z| halves.map(|x| goal(x, z)));
    let across = sides
        .into_iter()
        .flat_map(|x| [[north, middle - 2.0], [middle + 2.0, south]].map(|z| goal(x, z)));
    along.chain(across).collect()
}

/// The part of a solid that people walk into, seen from above.
fn obstacle(solid: &Solid) -> Option<Obstacle> {
    let half = Vec2::new(solid.half.x, solid.half.z);
    let center = Vec2::new(solid.center.x, solid.center.z);
    let is_overhead = solid.center.y - solid.half.y > 1.9;
    match solid.shape {
        _ if is_overhead => None,
        Shape::Box => Some(Obstacle::Rectangle { center, half }),
        Shape::Cylinder | Shape::Ball => Some(Obstacle::Disc {
            center,
            radius: half.x,
        }),
    }
}

/// A solid that stands at a height above the ground.
fn standing(shape: Shape, at: Vec3, half: Vec3, color: [f32; 3]) -> Solid {
    Solid {
        shape,
        surface: Surface::Plain,
        center: at + Vec3::Y * half.y,
        half,
        color,
    }
}

/// Rows of houses at the four corners, and those that close the view.
fn buildings() -> Vec<Solid> {
    let [north, south] = AVENUE;
    let mut random = Random(11);
    let mut solids = Vec::new();
    for side in [-1.0, 1.0] {
        let rows = [
            ([BOULEVARD, MAX.x], [south, MAX.y]),
            ([BOULEVARD, MAX.x], [MIN.y, north]),
            ([MAX.x + 1.0, MAX.x + 24.0], [north, south]),
        ];
        for (x, z) in rows {
            row(&mut solids, &mut random, side, x, z);
        }
        row(
            &mut solids,
            &mut random,
            side,
            [2.0, MAX.x],
            [MIN.y - 26.0, MIN.y - 2.0],
        );
    }
    // A tower at the end of the boulevard.
    let at = Vec3::new(0.0, 0.0, MIN.y - 16.0);
    for (half, height, color) in [
        (9.0, 46.0, [0.62, 0.53, 0.42]),
        (6.5, 54.0, [0.60, 0.50, 0.39]),
        (3.5, 62.0, [0.32, 0.40, 0.40]),
    ] {
        let half = Vec3::new(half, 0.5 * height, half);
        solids.push(Solid {
            surface: Surface::Facade,
            ..standing(Shape::Box, at, half, color)
        });
    }
    solids
}

/// Houses from one end of a row along z to the other.
fn row(solids: &mut Vec<Solid>, random: &mut Random, side: f32, x: [f32; 2], z: [f32; 2]) {
    const COLORS: [[f32; 3]; 6] = [
        [0.58, 0.47, 0.35],
        [0.62, 0.56, 0.46],
        [0.48, 0.31, 0.23],
        [0.66, 0.60, 0.50],
        [0.52, 0.42, 0.36],
        [0.55, 0.50, 0.47],
    ];
    let mut at = z[0];
    while at < z[1] - 0.1 {
        let left = z[1] - at;
        let width = match left < 26.0 {
            true => left,
            false => 12.0 + 9.0 * random.unit(),
        };
        let storeys = 4.0 + (3.4 * random.unit()).floor();
        let half = Vec3::new(
            0.5 * (x[1] - x[0]),
            0.5 * (1.2 + 3.5 * storeys),
            0.5 * width,
        );
        let middle = Vec3::new(side * 0.5 * (x[0] + x[1]), 0.0, at + 0.5 * width);
        let color = COLORS[(random.unit() * COLORS.len() as f32) as usize % COLORS.len()];
        solids.push(Solid {
            surface: Surface::Facade,
            ..standing(Shape::Box, middle, half, color)
        });
        // A cornice that stands out over the street.
        let cornice = Vec3::new(half.x + 0.35, 0.3, half.z);
        let roof = middle + Vec3::Y * 2.0 * half.y;
        solids.push(standing(Shape::Box, roof, cornice, color.map(|c| 0.82 * c)));
        let attic = Vec3::new(half.x - 3.0, 1.2, half.z - 2.0);
        solids.push(standing(Shape::Box, roof, attic, [0.16, 0.17, 0.19]));
        at += width;
    }
}

/// A round basin with two bowls.
fn fountain() -> Vec<Solid> {
    const STONE: [f32; 3] = [0.60, 0.57, 0.52];
    const WATER: [f32; 3] = [0.07, 0.23, 0.28];
    let at = |height: f32| Vec3::new(SQUARE.x, height, SQUARE.y);
    let disc = |height: f32, radius: f32, thickness: f32, color: [f32; 3]| {
        let half = Vec3::new(radius, 0.5 * thickness, radius);
        standing(Shape::Cylinder, at(height), half, color)
    };
    let water = |solid: Solid| Solid {
        surface: Surface::Water,
        ..solid
    };
    vec![
        disc(0.0, FOUNTAIN, 0.55, STONE),
        water(disc(0.45, FOUNTAIN - 0.45, 0.14, WATER)),
        disc(0.4, 0.9, 2.2, STONE),
        disc(2.3, 2.6, 0.3, STONE),
        water(disc(2.4, 2.35, 0.24, WATER)),
        disc(2.4, 0.45, 2.0, STONE),
        disc(4.2, 1.3, 0.22, STONE),
        water(disc(4.3, 1.1, 0.16, WATER)),
        Solid {
            center: at(5.0),
            half: Vec3::splat(0.5),
            ..standing(Shape::Ball, at(0.0), Vec3::ONE, STONE)
        },
    ]
}

/// A ring of pillars around the square.
fn pillars() -> Vec<Solid> {
    const PILLARS: u32 = 16;
    let pillar = |k: u32| {
        let angle = TAU * (k as f32 + 0.5) / PILLARS as f32;
        let at = SQUARE + 22.0 * Vec2::from_angle(angle);
        let at = Vec3::new(at.x, 0.0, at.y);
        let part = |height: f32, radius: f32, tall: f32| {
            let half = Vec3::new(radius, 0.5 * tall, radius);
            standing(
                Shape::Cylinder,
                at + Vec3::Y * height,
                half,
                [0.66, 0.62, 0.55],
            )
        };
        [
            part(0.0, 0.75, 0.5),
            part(0.5, 0.48, 6.0),
            part(6.5, 0.7, 0.4),
        ]
    };
    (0..PILLARS).flat_map(pillar).collect()
}

/// Stalls with coloured roofs.
fn kiosks() -> Vec<Solid> {
    const ROOFS: [[f32; 3]; 4] = [
        [0.36, 0.045, 0.035],
        [0.04, 0.12, 0.22],
        [0.40, 0.25, 0.06],
        [0.045, 0.17, 0.095],
    ];
    let places = [
        [-23.0, 38.0],
        [20.0, 27.0],
        [-27.0, 10.0],
        [28.0, -2.0],
        [44.0, -40.0],
        [-46.0, -30.0],
        [8.0, -75.0],
        [-9.0, -98.0],
        [52.0, 2.0],
        [-56.0, 4.0],
    ];
    let kiosk = |(index, [x, z]): (usize, [f32; 2])| {
        let at = Vec3::new(x, 0.0, z);
        let roof = ROOFS[index % ROOFS.len()];
        [
            standing(Shape::Box, at, Vec3::new(1.4, 1.2, 1.4), [0.42, 0.36, 0.28]),
            standing(
                Shape::Box,
                at + Vec3::Y * 2.4,
                Vec3::new(1.9, 0.12, 1.9),
                roof,
            ),
            standing(
                Shape::Box,
                at + Vec3::Y * 2.64,
                Vec3::new(1.3, 0.16, 1.3),
                roof,
            ),
        ]
    };
    places.into_iter().enumerate().flat_map(kiosk).collect()
}

/// Two rows of trees along the boulevard, and two along the avenue.
fn trees() -> Vec<Solid> {
    let mut random = Random(5);
    let along = (0..21).map(|k| -150.0 + 11.0 * k as f32);
    let boulevard = along
        .filter(|z| !(AVENUE[0] + 6.0..AVENUE[1] - 6.0).contains(z))
        .flat_map(|z| [-25.0, 25.0].map(|x| Vec2::new(x, z)));
    let across = [-72.0, -61.0, -50.0, -39.0, 39.0, 50.0, 61.0, 72.0];
    let avenue = across
        .into_iter()
        .flat_map(|x| [-50.0, 14.0].map(|z| Vec2::new(x, z)));
    let mut solids = Vec::new();
    for at in boulevard.chain(avenue) {
        let at = Vec3::new(at.x, 0.0, at.y);
        let size = 0.85 + 0.3 * random.unit();
        let trunk = Vec3::new(0.2, 1.9 * size, 0.2);
        solids.push(standing(Shape::Cylinder, at, trunk, [0.10, 0.065, 0.04]));
        for k in 0..5 {
            let angle = TAU * (k as f32 / 5.0 + random.unit() * 0.1);
            let out = if k == 0 { 0.0 } else { 1.15 * size };
            let up = if k == 0 {
                5.9
            } else {
                4.7 + 0.5 * random.unit()
            };
            let middle = at + Vec3::new(out * angle.cos(), up * size, out * angle.sin());
            let half = Vec3::new(1.55, 1.35, 1.55) * size * (0.9 + 0.25 * random.unit());
            let green = 0.8 + 0.4 * random.unit();
            solids.push(Solid {
                center: middle,
                half,
                surface: Surface::Leaves,
                ..standing(
                    Shape::Ball,
                    at,
                    half,
                    [0.075, 0.15, 0.035].map(|c| c * green),
                )
            });
        }
    }
    solids
}
