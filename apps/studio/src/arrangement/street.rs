//! A street: lanes of people who walk both ways, alone and in groups, and people who stand on the pavements.

use glam::Vec3;

use super::facades::Frontage;
use super::{Activity, Place, Variation, heading_along};
use crate::ground::GroundMesh;
use crate::random::Random;

/// Distance between lanes.
const LANE: f32 = 1.15;
/// Distance between slots of a lane.
const SLOT: f32 = 1.5;
/// Part of the slots of the road that is taken.
const TAKEN: f32 = 0.46;
/// Part of the people who stand on the pavements.
const STANDING: f32 = 0.14;
/// Height of the kerb.
const KERB: f32 = 0.14;
/// Width of a pavement.
const PAVEMENT: f32 = 5.2;
/// Distance of standing people along a pavement.
const STAND_SLOT: f32 = 1.3;
/// Length of a band of paving.
const BAND: f32 = 6.0;
/// Layout of the same street on every run.
const SEED: u64 = 0x7374_7265_6574;

/// Size of a street, in units of the spacing. The camera looks along -Z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Street {
    walking: u32,
    standing: u32,
    lanes: u32,
    slots: u32,
}

impl Street {
    /// Plans a street for a number of people.
    pub fn new(count: u32) -> Self {
        let mut standing = match count {
            0..8 => 0,
            _ => (STANDING * count as f32).round() as u32,
        };
        let slots_of_road = (count - standing) as f32 / TAKEN;
        // Longer than wide; wide enough that the nearest people fill a picture.
        let lanes = (0.42 * slots_of_road.sqrt()).round().clamp(4.0, 22.0) as u32;
        let slots = (slots_of_road / lanes as f32).ceil().max(2.0) as u32;
        // Both pavements have two rows.
        standing = standing.min(2 * 2 * Self::stands(slots));
        Self {
            walking: count - standing,
            standing,
            lanes,
            slots: slots.max((count - standing).div_ceil(lanes)),
        }
    }

    fn stands(slots: u32) -> u32 {
        (slots as f32 * SLOT / STAND_SLOT) as u32
    }

    /// Half of the width of the road.
    pub fn half_width(&self) -> f32 {
        0.5 * (self.lanes as f32 + 0.6) * LANE
    }

    /// Length of the street.
    pub fn length(&self) -> f32 {
        self.slots as f32 * SLOT
    }

    /// Returns the places: those of the road first.
    pub fn places(&self) -> Vec<Place> {
        let mut random = Random::of_instance(SEED, self.walking);
        let mut places = self.walkers(&mut random);
        places.extend(self.bystanders(&mut random));
        places
    }

    /// Takes slots at random, for one to three who walk side by side, until all have one.
    fn walkers(&self, random: &mut Random) -> Vec<Place> {
        let (lanes, slots) = (self.lanes as usize, self.slots as usize);
        let mut is_taken = vec![false; lanes * slots];
        let mut places = Vec::with_capacity(self.walking as usize);
        while places.len() < self.walking as usize {
            let (lane, slot) = (below(random, lanes), below(random, slots));
            let wanted = match random.unit() {
                ..0.5 => 1,
                ..0.85 => 2,
                _ => 3,
            };
            let left = self.walking as usize - places.len();
            let end = (lane + wanted.min(left)).min(lanes);
            let group = slot * lanes + lane..slot * lanes + end;
            let is_free = !is_taken[group.clone()].iter().any(|&taken| taken);
            let keeps_right = random.unit() < 0.86;
            let is_run = random.unit() < 0.07 && group.len() == 1;
            let sway = 0.2 * random.signed();
            if !is_free {
                continue;
            }
            is_taken[group].fill(true);
            // More people come towards the camera, on the right of the picture: faces show.
            let is_right = lane * 3 >= lanes;
            let is_near = is_right == keeps_right;
            let z = -(slot as f32 + 0.5 + sway) * SLOT;
            places.extend((lane..end).map(|lane| Place {
                position: Vec3::new((lane as f32 + 0.5 - 0.5 * self.lanes as f32) * LANE, 0.0, z),
                heading_rad: if is_near { 0.0 } else { std::f32::consts::PI },
                activity: match is_run {
                    true => Activity::Run,
                    false => Activity::Walk,
                },
                variation: Variation {
                    offset: 0.14,
                    heading_rad: 0.1,
                    is_sized: true,
                },
            }));
        }
        places
    }

    /// Returns people on the pavements, in twos and threes that face each other, and alone facing the street.
    fn bystanders(&self, random: &mut Random) -> Vec<Place> {
        let stands = Self::stands(self.slots) as usize;
        let mut is_taken = vec![false; 4 * stands];
        let mut places: Vec<Place> = Vec::with_capacity(self.standing as usize);
        while places.len() < self.standing as usize {
            let (row, stand) = (below(random, 4), below(random, stands));
            let wanted = 1 + below(random, 3);
            let left = self.standing as usize - places.len();
            let end = (stand + wanted.min(left)).min(stands);
            let group = row * stands + stand..row * stands + end;
            if is_taken[group.clone()].iter().any(|&taken| taken) {
                continue;
            }
            is_taken[group].fill(true);
            let side = if row % 2 == 0 { -1.0 } else { 1.0 };
            let out = self.half_width() + 1.2 + 1.5 * (row / 2) as f32;
            let z = |stand: f32| -(stand + 0.5) * STAND_SLOT;
            // A group looks at a point in front of its middle.
            let middle = z(0.5 * (stand + end - 1) as f32);
            let ahead = if end - stand > 1 { 0.9 } else { 6.0 };
            let look_at = Vec3::new(side * (out - ahead), KERB, middle);
            places.extend((stand..end).map(|stand| {
                let position = Vec3::new(side * out, KERB, z(stand as f32));
                Place {
                    position,
                    heading_rad: heading_along(look_at - position),
                    activity: Activity::Stand,
                    variation: Variation {
                        offset: 0.1,
                        heading_rad: 0.25,
                        is_sized: true,
                    },
                }
            }));
        }
        places
    }

    /// Returns the road with bands of paving, the kerbs, the pavements and houses, from before the first people to behind the last.
    pub fn ground(&self) -> GroundMesh {
        let mut ground = GroundMesh::default();
        let half = self.half_width();
        let (near, far) = (4.0 * BAND, -self.length() - 12.0 * BAND);
        let bands = ((near - far) / BAND).ceil() as i32;
        for band in 0..bands {
            let z = [near - band as f32 * BAND, near - (band + 1) as f32 * BAND];
            let joint = z[1] + 0.35;
            let road = if band % 2 == 0 { ROAD } else { 0.94 * ROAD };
            ground.floor([-half, half], [z[0], joint], 0.0, road);
            ground.floor([-half, half], [joint, z[1]], 0.0, JOINT);
            for side in [-1.0, 1.0] {
                let kerb = [side * half, side * (half + 0.3)];
                let outer = side * (half + PAVEMENT);
                ground.wall(kerb[0], [z[0], z[1]], [0.0, KERB], -side, 0.8 * KERB_STONE);
                ground.floor(kerb, z, KERB, KERB_STONE);
                let slabs = 4;
                for slab in 0..slabs {
                    let part = |index: i32| z[0] + (z[1] - z[0]) * index as f32 / slabs as f32;
                    let (from, to) = (part(slab), part(slab + 1));
                    let edge = to + 0.06;
                    ground.floor([kerb[1], outer], [from, edge], KERB, SLAB);
                    ground.floor([kerb[1], outer], [edge, to], KERB, 0.8 * SLAB);
                }
            }
        }
        for side in [-1.0, 1.0] {
            let frontage = Frontage {
                x: side * (half + PAVEMENT),
                side: -side,
                ground_y: KERB,
            };
            let mut random = Random::of_instance(SEED, if side < 0.0 { 0 } else { 1 });
            frontage.houses(&mut ground, [near, far], &mut random);
        }
        ground
    }
}

/// Colours of the street, linear.
const ROAD: Vec3 = Vec3::new(0.27, 0.27, 0.275);
const JOINT: Vec3 = Vec3::new(0.40, 0.39, 0.37);
const KERB_STONE: Vec3 = Vec3::new(0.52, 0.50, 0.47);
const SLAB: Vec3 = Vec3::new(0.46, 0.44, 0.41);

/// Returns a random index.
fn below(random: &mut Random, count: usize) -> usize {
    ((random.unit() * count as f32) as usize).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walkers_face_along_the_street_and_bystanders_stand_on_the_pavement() {
        let street = Street::new(300);
        let mut ways = [0, 0];
        for place in street.places() {
            let x = place.position.x.abs();
            match place.activity {
                Activity::Stand => {
                    assert!(
                        x > street.half_width() && place.position.y == KERB,
                        "{place:?}"
                    );
                }
                _ => {
                    assert!(
                        x < street.half_width() && place.position.y == 0.0,
                        "{place:?}"
                    );
                    assert!(place.heading_rad.sin().abs() < 1e-6, "{place:?}");
                    ways[usize::from(place.heading_rad.cos() > 0.0)] += 1;
                }
            }
        }
        assert!(ways[0] > 60 && ways[1] > 60, "{ways:?}");
    }
}
