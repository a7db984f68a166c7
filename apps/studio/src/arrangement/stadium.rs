//! A stadium: tiers on rounded rectangles around a field, in blocks between gangways.

use std::f32::consts::FRAC_PI_2;

use glam::{Vec2, Vec3};

use super::{Activity, Place, Variation, heading_along};
use crate::ground::GroundMesh;
use crate::random::Random;

/// Depth of a tier.
const TREAD: f32 = 1.25;
/// Height of a tier, and its growth per row: upper rows are steeper, to look over those in front.
const RISE: [f32; 2] = [0.48, 0.004];
/// Height of the first row above the field.
const FIRST_HEIGHT: f32 = 1.4;
/// Rows between two walkways.
const DECK_ROWS: u32 = 30;
/// Depth and height of a walkway between decks.
const WALKWAY: [f32; 2] = [3.0, 2.6];
/// Width of a block of seats, about.
const BLOCK: f32 = 24.0;
/// Width of a gangway.
const GANGWAY: f32 = 1.7;
/// Half of the width of the field over half of its length.
const FIELD_RATIO: f32 = 68.0 / 105.0;
/// Radius of the corners of the first row, as a part of half of the width.
const CORNER: f32 = 0.55;
/// Distance of the first row from the field.
const APRON: f32 = 4.0;
/// Steps of a quarter circle of the stands.
const CORNER_STEPS: u32 = 12;
/// The same seats stay empty on every run.
const SEED: u64 = 0x7374_6164_6975_6d00;
/// Least number of people with players among them.
const PLAYERS_FROM: u32 = 500;
/// Players of one half, along and across the field from -1 to 1.
const PLAYERS: [[f32; 2]; 11] = [
    [-0.92, 0.02],
    [-0.66, -0.62],
    [-0.70, -0.20],
    [-0.69, 0.22],
    [-0.62, 0.60],
    [-0.34, -0.70],
    [-0.40, -0.24],
    [-0.36, 0.26],
    [-0.30, 0.66],
    [-0.10, -0.16],
    [-0.06, 0.20],
];

/// A stadium in units of the spacing. The field is long across the view.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bowl {
    count: u32,
    /// Half of the length and of the width of the first row.
    half: Vec2,
    rows: Vec<Row>,
}

/// A row: how far it is behind the first, and its height.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    back: f32,
    y: f32,
    /// True if a walkway is in front of it.
    is_deck: bool,
}

impl Bowl {
    /// Plans a stadium that is full with a number of people.
    pub fn new(count: u32) -> Self {
        let rows = (0.34 * (count as f32).sqrt()).round().clamp(2.0, 110.0) as u32;
        let mut bowl = Self {
            count,
            half: Vec2::ZERO,
            rows: rows_of(rows),
        };
        let with = |bowl: &Self, width: f32| Self {
            half: Vec2::new(width / FIELD_RATIO, width),
            ..bowl.clone()
        };
        // The width of the field, by bisection.
        let (mut low, mut high) = (2.0, 8.0);
        while with(&bowl, high).seats().len() < bowl.spectators() as usize {
            high *= 2.0;
        }
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            match with(&bowl, middle).seats().len() < bowl.spectators() as usize {
                true => low = middle,
                false => high = middle,
            }
        }
        bowl.half = Vec2::new(high / FIELD_RATIO, high);
        bowl
    }

    fn players(&self) -> u32 {
        match self.count >= PLAYERS_FROM {
            true => 2 * PLAYERS.len() as u32,
            false => 0,
        }
    }

    fn spectators(&self) -> u32 {
        self.count - self.players()
    }

    /// Radius of the corners of the first row.
    fn corner(&self) -> f32 {
        CORNER * self.half.y
    }

    /// Height of the last row.
    pub fn top(&self) -> f32 {
        self.rows.last().map_or(0.0, |row| row.y)
    }

    /// Returns a point on a tier and its height: on the axis of the length at `part` 0 of the rows, or behind it.
    pub fn on_long_side(&self, part: f32) -> Vec3 {
        let index = (part * (self.rows.len() - 1) as f32) as usize;
        let row = self.rows[index.min(self.rows.len() - 1)];
        Vec3::new(0.0, row.y, self.half.y + row.back)
    }

    /// Half of the length and of the width of the field.
    pub fn field(&self) -> Vec2 {
        (self.half - APRON).max(0.5 * self.half)
    }

    /// Returns the places: spectators row by row, then players.
    pub fn places(&self) -> Vec<Place> {
        let mut seats = self.seats();
        let surplus = seats.len() - self.spectators() as usize;
        let mut random = Random::of_instance(SEED, self.count);
        for _ in 0..surplus {
            let empty = (random.unit() * seats.len() as f32) as usize;
            seats.remove(empty.min(seats.len() - 1));
        }
        seats.extend(
            self.eleven(1.0)
                .chain(self.eleven(-1.0))
                .take(self.players() as usize),
        );
        seats
    }

    /// Returns the players of one half.
    fn eleven(&self, side: f32) -> impl Iterator<Item = Place> {
        let field = self.field();
        PLAYERS.into_iter().enumerate().map(move |(index, [x, z])| {
            let position = Vec3::new(side * x * field.x, 0.0, side * z * field.y);
            Place {
                position,
                heading_rad: heading_along(-position),
                activity: match index {
                    0 => Activity::Stand,
                    1 | 4 | 6 | 8 | 9 => Activity::Run,
                    _ => Activity::Walk,
                },
                variation: Variation {
                    offset: 0.2,
                    heading_rad: 0.8,
                    is_sized: true,
                },
            }
        })
    }

    /// Returns all seats, row by row.
    fn seats(&self) -> Vec<Place> {
        let mut seats = Vec::new();
        for row in &self.rows {
            for (at, length) in self.pieces(row.back) {
                // Blocks are those of the first row, so that gangways run straight up.
                let blocks = (at.first_length / BLOCK).round().max(1.0);
                let block = length / blocks;
                let in_block = (block - GANGWAY).floor().max(0.0);
                for index in 0..(blocks * in_block) as u32 {
                    let (number, seat) = (index / in_block as u32, index % in_block as u32);
                    let start = number as f32 * block + 0.5 * (block - in_block);
                    let (position, inward) = at.point(start + seat as f32 + 0.5, length);
                    seats.push(seat_at(position, row.y, inward));
                }
            }
        }
        seats
    }

    /// Returns the four sides and four corners of the curve at a distance behind the first row, with their lengths.
    fn pieces(&self, back: f32) -> impl Iterator<Item = (Piece, f32)> {
        let (half, corner) = (self.half, self.corner());
        let straight = half - corner;
        (0..4u8).flat_map(move |quarter| {
            // Quarter 0 begins with the side at +Z.
            let outward = Vec2::from_angle(FRAC_PI_2 * f32::from(1 - i16::from(quarter)));
            let along = -outward.perp();
            let is_long = quarter % 2 == 0;
            let (run, out) = match is_long {
                true => (straight.x, half.y),
                false => (straight.y, half.x),
            };
            let side = Piece {
                first_length: 2.0 * run,
                shape: Shape::Side {
                    from: outward * (out + back) - along * run,
                    along,
                    outward,
                },
            };
            let bend = Piece {
                first_length: FRAC_PI_2 * corner,
                shape: Shape::Bend {
                    centre: outward * (out - corner) + along * run,
                    radius: corner + back,
                    outward,
                },
            };
            [(side, 2.0 * run), (bend, FRAC_PI_2 * (corner + back))]
        })
    }

    /// Returns points on the curve at a distance behind the first row, closed, with directions to the field.
    fn curve(&self, back: f32) -> Vec<(Vec2, Vec2)> {
        let mut points = Vec::new();
        for (piece, length) in self.pieces(back) {
            let steps = match piece.shape {
                Shape::Side { .. } => 1,
                Shape::Bend { .. } => CORNER_STEPS,
            };
            let at = |step: u32| length * step as f32 / steps as f32;
            points.extend((0..steps).map(|step| piece.point(at(step), length)));
        }
        points.extend(points.first().copied());
        points
    }

    /// Returns the stands, the apron and the field with its lines.
    pub fn ground(&self) -> GroundMesh {
        let mut ground = GroundMesh::default();
        self.pitch(&mut ground);
        let front = -0.5 * TREAD;
        self.riser(&mut ground, front, [0.0, FIRST_HEIGHT], BOARD);
        for (index, row) in self.rows.iter().enumerate() {
            let from = row.back - 0.5 * TREAD;
            let next = self.rows.get(index + 1);
            let to = next.map_or(from + TREAD, |next| next.back - 0.5 * TREAD);
            // The foot of the next riser is in the shade of people.
            self.tread(&mut ground, [from, to], row.y, [STAND, 0.55 * STAND]);
            if let Some(next) = next {
                let color = if next.is_deck {
                    1.25 * STAND
                } else {
                    0.7 * STAND
                };
                self.riser(&mut ground, to, [row.y, next.y], color);
            }
        }
        let (back, top) = (self.outer(), self.top());
        self.riser(&mut ground, back, [top, top + 2.2], 1.1 * STAND);
        self.tread(&mut ground, [back, back + 1.2], top + 2.2, [1.2 * STAND; 2]);
        self.outside(&mut ground, back + 1.2, top + 2.2);
        ground
    }

    /// Distance of the back of the last row behind the first.
    fn outer(&self) -> f32 {
        self.rows.last().map_or(0.0, |row| row.back) + 0.5 * TREAD
    }

    fn tread(&self, ground: &mut GroundMesh, back: [f32; 2], y: f32, colors: [Vec3; 2]) {
        let [front, behind] = back.map(|back| self.curve(back));
        for (front, behind) in front.windows(2).zip(behind.windows(2)) {
            let at = |(point, _): (Vec2, Vec2)| Vec3::new(point.x, y, point.y);
            let corners = [at(front[0]), at(front[1]), at(behind[1]), at(behind[0])];
            let [a, b] = colors;
            ground.quad(corners, Vec3::Y, [a, a, b, b]);
        }
    }

    fn riser(&self, ground: &mut GroundMesh, back: f32, y: [f32; 2], color: Vec3) {
        self.upright(ground, back, y, 1.0, color);
    }

    /// Adds the wall that is seen from outside.
    fn outside(&self, ground: &mut GroundMesh, back: f32, top: f32) {
        self.upright(ground, back, [0.0, top], -1.0, STAND);
    }

    fn upright(&self, ground: &mut GroundMesh, back: f32, y: [f32; 2], side: f32, color: Vec3) {
        for pair in self.curve(back).windows(2) {
            let [(a, inward_a), (b, inward_b)] = [pair[0], pair[1]];
            let at = |point: Vec2, y: f32| Vec3::new(point.x, y, point.y);
            let inward = side * (inward_a + inward_b).normalize_or_zero();
            let corners = [at(a, y[0]), at(b, y[0]), at(b, y[1]), at(a, y[1])];
            let normal = Vec3::new(inward.x, 0.0, inward.y);
            ground.quad(corners, normal, [0.8 * color, 0.8 * color, color, color]);
        }
    }

    /// Adds mown stripes, lines and the apron around the field.
    fn pitch(&self, ground: &mut GroundMesh) {
        let (field, half) = (self.field(), self.half);
        ground.floor([-half.x, half.x], [-half.y, half.y], -0.02, APRON_COLOR);
        let stripes = 18;
        let x = |stripe: u32| field.x * (2.0 * stripe as f32 / stripes as f32 - 1.0);
        for stripe in 0..stripes {
            let shade = if stripe % 2 == 0 { 1.0 } else { 0.84 };
            let across = [x(stripe), x(stripe + 1)];
            ground.floor(across, [-field.y, field.y], 0.0, shade * GRASS);
        }
        let line = (0.012 * field.y).min(0.2);
        let mut outline = |x: [f32; 2], z: [f32; 2]| {
            for at in x {
                ground.floor([at - line, at + line], z, 0.03, LINE);
            }
            for at in z {
                ground.floor(x, [at - line, at + line], 0.03, LINE);
            }
        };
        let inset = 0.96 * field;
        outline([-inset.x, inset.x], [-inset.y, inset.y]);
        outline([0.0, 0.0], [-inset.y, inset.y]);
        for side in [-1.0, 1.0] {
            for (length, width) in [(0.31, 0.59), (0.10, 0.27)] {
                let goal = side * inset.x;
                let x = [
                    goal.min(goal - side * length * field.x),
                    goal.max(goal - side * length * field.x),
                ];
                outline(x, [-width * field.y, width * field.y]);
            }
        }
        let steps = 48;
        let angle = |step: u32| std::f32::consts::TAU * step as f32 / steps as f32;
        for step in 0..steps {
            let corner = |at: f32, radius: f32| {
                let point = Vec2::from_angle(at) * radius;
                Vec3::new(point.x, 0.03, point.y)
            };
            let radius = 0.27 * field.y;
            let (from, to) = (angle(step), angle(step + 1));
            let corners = [
                corner(from, radius - line),
                corner(to, radius - line),
                corner(to, radius + line),
                corner(from, radius + line),
            ];
            ground.quad(corners, Vec3::Y, [LINE; 4]);
        }
    }
}

/// Colours of the stadium, linear.
const GRASS: Vec3 = Vec3::new(0.115, 0.27, 0.075);
const LINE: Vec3 = Vec3::new(0.75, 0.78, 0.74);
const APRON_COLOR: Vec3 = Vec3::new(0.36, 0.17, 0.12);
const STAND: Vec3 = Vec3::new(0.36, 0.365, 0.38);
const BOARD: Vec3 = Vec3::new(0.10, 0.16, 0.28);

/// Returns rows from the field upwards.
fn rows_of(count: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut back, mut y) = (0.0, FIRST_HEIGHT);
    for index in 0..count {
        let is_deck = index > 0 && index % DECK_ROWS == 0;
        if is_deck {
            back += WALKWAY[0];
            y += WALKWAY[1];
        }
        rows.push(Row { back, y, is_deck });
        back += TREAD;
        y += RISE[0] + RISE[1] * index as f32;
    }
    rows
}

/// Returns a seat that faces between the field beside it and the middle.
fn seat_at(position: Vec2, y: f32, inward: Vec2) -> Place {
    let facing = inward - position.normalize_or_zero();
    Place {
        position: Vec3::new(position.x, y, position.y),
        heading_rad: heading_along(Vec3::new(facing.x, 0.0, facing.y)),
        activity: Activity::Cheer,
        variation: Variation {
            offset: 0.1,
            heading_rad: 0.25,
            is_sized: true,
        },
    }
}

/// A side or a corner of a row, seen from above, clockwise.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Length in the first row.
    first_length: f32,
    shape: Shape,
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Side {
        from: Vec2,
        along: Vec2,
        outward: Vec2,
    },
    Bend {
        centre: Vec2,
        radius: f32,
        outward: Vec2,
    },
}

impl Piece {
    /// Returns the point at a distance from the start of the piece, and the direction to the field.
    fn point(&self, distance: f32, length: f32) -> (Vec2, Vec2) {
        match self.shape {
            Shape::Side {
                from,
                along,
                outward,
            } => (from + along * distance, -outward),
            Shape::Bend {
                centre,
                radius,
                outward,
            } => {
                let turned = Vec2::from_angle(-FRAC_PI_2 * distance / length).rotate(outward);
                (centre + turned * radius, -turned)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_rise_outwards_and_face_the_middle() {
        for count in [3, 60, 400, 5000] {
            let bowl = Bowl::new(count);
            let places = bowl.places();
            assert_eq!(places.len(), count as usize);
            let seats = &places[..bowl.spectators() as usize];
            for seat in seats {
                let front = Vec3::new(seat.heading_rad.sin(), 0.0, seat.heading_rad.cos());
                let to_middle = -Vec3::new(seat.position.x, 0.0, seat.position.z).normalize();
                assert!(front.dot(to_middle) > 0.7, "{seat:?}");
            }
            assert!(seats.is_sorted_by(|a, b| a.position.y <= b.position.y));
            let (low, high) = (seats[0].position, seats[seats.len() - 1].position);
            assert!(high.y > low.y, "{count}");
        }
    }

    #[test]
    fn a_hundred_thousand_have_a_seat() {
        let bowl = Bowl::new(100_000);
        assert_eq!(bowl.places().len(), 100_000);
        // Few seats stay empty.
        assert!(bowl.seats().len() < 101_000, "{}", bowl.seats().len());
    }
}
