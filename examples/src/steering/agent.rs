//! Agents: their state, and how one of them plans its next step.

use glam::Vec2;

use super::flow_field::FlowField;
use super::gaits::{Gait, Gaits};
use super::map::Map;

/// Radius of all agents, in metres: half the width of the shoulders.
pub const RADIUS: f32 = 0.22;

/// Time in which agents approach the velocity they want, in seconds.
const RELAXATION: f32 = 0.4;
/// Largest acceleration by others, in m/s².
const MAX_AVOIDANCE: f32 = 3.5;
/// Largest acceleration of the wish, in m/s².
const MAX_ACCELERATION: f32 = 5.0;
/// Largest acceleration of the body ahead, and its braking, in m/s².
const SPEEDING_UP: f32 = 1.8;
const BRAKING: f32 = 2.2;
/// Time in which the heading approaches the wish, in seconds, and the fastest turn in rad/s.
const TURNING: f32 = 0.35;
const MAX_TURN: f32 = 2.4;
/// Speed of the wish above which the heading follows it, in metres per second.
const HEADED: f32 = 0.25;
/// Distance from walls below which they push, in metres, and the acceleration at the wall.
const WALL_SIGHT: f32 = 1.0;
const WALL_FORCE: f32 = 4.0;
/// Farthest that the body moves in a step to keep the foot below it in place, in metres.
const MAX_SHIFT: f32 = 0.03;

/// Plan of an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Purpose {
    /// Follows a flow field.
    Travel {
        /// Index of the goal.
        goal: u32,
        /// Cost of the way at which the agent has arrived, in metres.
        arrival: f32,
    },
    /// Stays at a place and looks at another.
    Stand {
        /// Place to stay at.
        at: Vec2,
        /// Place to look at.
        watch: Vec2,
    },
}

/// A person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agent {
    /// Position on the ground, x and z in metres.
    pub position: Vec2,
    /// Rotation about the vertical axis; 0 faces +Z.
    pub heading_rad: f32,
    /// Velocity of the last step, in metres per second.
    pub velocity: Vec2,
    /// Velocity that the agent wants next.
    pub wish: Vec2,
    /// Speed of the body ahead.
    pub speed: f32,
    /// Speed on open ground, in metres per second.
    pub preferred_speed: f32,
    /// Scale of the character.
    pub size: f32,
    /// Plan.
    pub purpose: Purpose,
    /// Gait and phase of the stride.
    pub gait: Gait,
    /// Number of goals reached.
    pub arrivals: u32,
}

impl Agent {
    /// An agent that stands at a place, before its first step.
    pub fn new(position: Vec2, heading_rad: f32, purpose: Purpose) -> Self {
        Self {
            position,
            heading_rad,
            velocity: Vec2::ZERO,
            wish: Vec2::ZERO,
            speed: 0.0,
            preferred_speed: 1.3,
            size: 1.0,
            purpose,
            gait: Gait::default(),
            arrivals: 0,
        }
    }

    /// Unit vector ahead.
    pub fn facing(&self) -> Vec2 {
        facing(self.heading_rad)
    }

    /// Velocity on open ground.
    fn preferred_velocity(&self, fields: &[FlowField]) -> Vec2 {
        match self.purpose {
            Purpose::Travel { goal, .. } => {
                self.preferred_speed * fields[goal as usize].direction(self.position)
            }
            // Agents that were pushed a little stay.
            Purpose::Stand { at, .. } => {
                let to = at - self.position;
                match to.length() > 0.5 {
                    true => to.clamp_length_max(0.7),
                    false => Vec2::ZERO,
                }
            }
        }
    }

    /// Plans a step under the forces of others: changes the wish, the heading, the speed and the level of the gait, and
    /// returns the position that the step leads to. The phase is left to [`Self::finish`].
    pub fn plan(
        &mut self,
        forces: Vec2,
        (map, fields, gaits): (&Map, &[FlowField], &Gaits),
        secs: f32,
    ) -> Vec2 {
        let wall = map.clearance(self.position);
        let near = (1.0 - (wall.distance - RADIUS) / WALL_SIGHT).clamp(0.0, 1.0);
        let pull = (self.preferred_velocity(fields) - self.wish) / RELAXATION;
        let force =
            forces.clamp_length_max(MAX_AVOIDANCE) + pull + WALL_FORCE * near * near * wall.away;
        let fastest = 1.25 * self.preferred_speed.max(0.8);
        self.wish += secs * force.clamp_length_max(MAX_ACCELERATION);
        self.wish = self.wish.clamp_length_max(fastest);

        let before = (self.heading_rad, self.gait.level);
        let turn = turn_to(self.heading_rad, self.looks_to());
        let turn = (turn / TURNING).clamp(-MAX_TURN, MAX_TURN) * secs;
        let stands_on_both = gaits.stands_on_both(&self.gait, secs);
        if !stands_on_both {
            self.heading_rad = wrapped(self.heading_rad + turn);
        }
        let ahead = self.wish.dot(self.facing()).max(0.0);
        let change = (ahead - self.speed).clamp(-BRAKING * secs, SPEEDING_UP * secs);
        self.speed += change;
        if !stands_on_both {
            self.gait = gaits.adapt(&self.gait, self.speed / self.size, secs);
        }
        self.position + secs * self.speed * self.facing() + self.pivot(gaits, before)
    }

    /// Direction to turn to, as a vector.
    fn looks_to(&self) -> Vec2 {
        match self.purpose {
            _ if self.wish.length() > HEADED => self.wish,
            Purpose::Stand { watch, .. } => watch - self.position,
            Purpose::Travel { .. } => Vec2::ZERO,
        }
    }

    /// Offset of the body that keeps the ball of the carrying foot in place while heading and level change.
    ///
    /// The ball is at `position + rotation * support`; what the change adds to the second term, the body takes back.
    fn pivot(&self, gaits: &Gaits, (heading_rad, level): (f32, f32)) -> Vec2 {
        let support = |level| gaits.support(&self.gait, level);
        let (Some(before), Some(after)) = (support(level), support(self.gait.level)) else {
            return Vec2::ZERO;
        };
        let shift = from_model(heading_rad, before) - from_model(self.heading_rad, after);
        (self.size * shift).clamp_length_max(MAX_SHIFT)
    }

    /// Ends a step at a position, which others may have pushed from the planned one.
    pub fn finish(&mut self, planned: Vec2, position: Vec2, gaits: &Gaits, secs: f32) {
        let push = position - planned;
        // Pushes ahead or back are longer or shorter steps; those to the side make feet slide.
        let walked = secs * self.speed + push.dot(self.facing());
        gaits.advance(&mut self.gait, walked / self.size, secs);
        self.velocity = (position - self.position) / secs;
        self.wish += (0.5 * push / secs).clamp_length_max(1.0);
        self.position = position;
    }
}

/// Unit vector of a heading.
pub fn facing(heading_rad: f32) -> Vec2 {
    Vec2::new(heading_rad.sin(), heading_rad.cos())
}

/// Rotates a vector of model space, x to the left and z ahead, to a heading.
pub fn from_model(heading_rad: f32, vector: Vec2) -> Vec2 {
    let (sin, cos) = heading_rad.sin_cos();
    Vec2::new(
        cos * vector.x + sin * vector.y,
        cos * vector.y - sin * vector.x,
    )
}

/// Angle from a heading to a direction, from −π to π; 0 if there is no direction.
fn turn_to(heading_rad: f32, direction: Vec2) -> f32 {
    match direction == Vec2::ZERO {
        true => 0.0,
        false => wrapped(direction.x.atan2(direction.y) - heading_rad),
    }
}

/// The same angle from −π to π.
fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::{Quat, Vec3};

    use super::*;

    #[test]
    fn headings_are_rotations_about_the_vertical_axis() {
        for heading in [0.0, 0.4, FRAC_PI_2, -2.5] {
            let rotation = Quat::from_rotation_y(heading);
            for vector in [Vec2::X, Vec2::Y, Vec2::new(0.3, -0.7)] {
                let turned = rotation * Vec3::new(vector.x, 0.0, vector.y);
                let expected = Vec2::new(turned.x, turned.z);
                assert!(from_model(heading, vector).distance(expected) < 1e-6);
            }
            assert!(facing(heading).distance(from_model(heading, Vec2::Y)) < 1e-6);
        }
    }

    #[test]
    fn turns_take_the_short_way() {
        assert!((turn_to(3.0, facing(-3.0)) - 0.2832).abs() < 1e-3);
        assert_eq!(turn_to(1.0, Vec2::ZERO), 0.0);
    }
}
