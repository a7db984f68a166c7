//! Avoidance of others: a force that grows as the predicted time to a collision shrinks.
//!
//! The law is that of Karamouzas, Skinner and Guy, "Universal power law governing pedestrian interactions" (2014): the
//! energy of a pair is `k·exp(−τ/τ₀)/τ²` with the time to collision τ, and the force is its negative gradient. Here, times
//! and forces are bounded, so that explicit steps of 1/30 s are stable.

use glam::Vec2;

/// Distance that agents keep between their middles when they pass, in metres: two radii and a little.
const PASSING: f32 = 0.62;
/// Strength of the law in m².
const STRENGTH: f32 = 1.8;
/// Time constant of anticipation, in seconds.
const HORIZON: f32 = 3.0;
/// Shortest time to collision that is distinguished, in seconds.
const MIN_SECS: f32 = 0.2;
/// Largest force of a pair, in m/s².
const MAX_FORCE: f32 = 4.0;
/// Distance below which two agents repel each other at any velocity, and the acceleration at contact.
const PERSONAL: f32 = 0.70;
const REPULSION: f32 = 1.6;
/// Share of the force against the approach: people rather step aside than stop.
const BRAKING: f32 = 0.4;
/// Cosine and sine of the angle by which forces turn to the right, so that two who meet head-on choose different sides.
const KEEP_RIGHT: Vec2 = Vec2::new(0.960, -0.28);
/// Share of the force of those behind.
const BEHIND: f32 = 0.35;

/// Returns the acceleration of an agent by another. `offset` and `velocity` are those of the other relative to the agent;
/// `facing` is the unit vector of the agent's heading.
pub fn avoid(offset: Vec2, velocity: Vec2, facing: Vec2) -> Vec2 {
    let force = anticipate(offset, -velocity) + keep_distance(offset);
    match offset.dot(facing) < 0.0 {
        true => BEHIND * force,
        false => force,
    }
}

/// Force of the predicted collision. `approach` is the velocity of the agent relative to the other.
fn anticipate(offset: Vec2, approach: Vec2) -> Vec2 {
    let a = approach.length_squared();
    let b = offset.dot(approach);
    let c = offset.length_squared() - PASSING * PASSING;
    let discriminant = b * b - a * c;
    if b <= 0.0 || a < 1e-4 || discriminant <= 0.0 {
        return Vec2::ZERO;
    }
    let root = discriminant.sqrt();
    let secs = ((b - root) / a).max(MIN_SECS);
    if secs > 1.5 * HORIZON {
        return Vec2::ZERO;
    }
    // The gradient is infinite where paths touch at a tangent.
    let root = root.max(0.25 * PASSING * a.sqrt());
    let gradient = approach - (approach * b - offset * a) / root;
    let slope =
        STRENGTH * (-secs / HORIZON).exp() / (a * secs * secs) * (2.0 / secs + 1.0 / HORIZON);
    let force = KEEP_RIGHT.rotate(-slope * gradient);
    let against = force.project_onto(approach);
    let force = force - (1.0 - BRAKING) * against;
    force.clamp_length_max(MAX_FORCE)
}

/// Repulsion at short distance.
fn keep_distance(offset: Vec2) -> Vec2 {
    let distance = offset.length();
    match distance < PERSONAL {
        true => -offset.normalize_or(Vec2::X) * REPULSION * (1.0 - distance / PERSONAL),
        false => Vec2::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_is_the_negative_gradient_of_the_power_law() {
        let energy = |offset: Vec2, approach: Vec2| {
            let [offset, approach] = [offset, approach].map(Vec2::as_dvec2);
            let (a, b) = (approach.length_squared(), offset.dot(approach));
            let c = offset.length_squared() - f64::from(PASSING * PASSING);
            let secs = (b - (b * b - a * c).sqrt()) / a;
            f64::from(STRENGTH) * (-secs / f64::from(HORIZON)).exp() / (secs * secs)
        };
        let (offset, approach) = (Vec2::new(3.0, 0.2), Vec2::new(2.5, 0.1));
        // Moving the agent by a step moves the offset back.
        let step = 1e-3;
        let slope = |axis: Vec2| {
            let ahead = energy(offset - step * axis, approach);
            let behind = energy(offset + step * axis, approach);
            ((ahead - behind) / f64::from(2.0 * step)) as f32
        };
        let along = approach.normalize();
        let across = along.perp();
        let force = KEEP_RIGHT.rotate(-(slope(along) * along + slope(across) * across));
        let expected = BRAKING * force.dot(along) * along + force.dot(across) * across;
        let found = anticipate(offset, approach);
        assert!(
            found.distance(expected) < 0.01 * expected.length(),
            "{found}, {expected}"
        );
    }

    #[test]
    fn those_who_part_or_miss_each_other_do_not_react() {
        let ahead = Vec2::new(2.0, 0.0);
        assert_eq!(anticipate(ahead, Vec2::NEG_X), Vec2::ZERO);
        assert_eq!(anticipate(ahead, Vec2::new(0.3, 1.0)), Vec2::ZERO);
        assert!(anticipate(ahead, Vec2::X).x < 0.0);
    }
}
