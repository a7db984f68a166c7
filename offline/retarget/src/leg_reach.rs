//! Two-bone inverse kinematics: a leg whose foot is where it should be.

use glam::{DQuat, DVec3};

use crate::align::swing;

/// Longest reach of a leg, as a part of its length: a straight knee may bend either way.
const MAX_REACH: f64 = 0.9995;

/// Positions of a leg's thigh, shin and foot.
pub type LegPositions = [DVec3; 3];

/// Returns the height by which the hips must be lowered so that the leg reaches a goal of its foot.
pub fn lowering(leg: LegPositions, goal: DVec3) -> f64 {
    let [hip, knee, ankle] = leg;
    // A leg that is straighter already stays so.
    let reach = MAX_REACH * (hip.distance(knee) + knee.distance(ankle));
    let reach = reach.max(hip.distance(ankle));
    let across = DVec3::new(goal.x - hip.x, 0.0, goal.z - hip.z).length();
    let height = hip.y - goal.y;
    if across >= reach {
        return 0.0;
    }
    (height - (reach * reach - across * across).sqrt()).max(0.0)
}

/// Returns rotations in model space, of the thigh and of the shin, that put the foot on the goal, or as near as it
/// reaches. The knee stays in its plane; one of a straight leg goes towards `forward`.
pub fn reach(leg: LegPositions, goal: DVec3, forward: DVec3) -> [DQuat; 2] {
    let [hip, knee, ankle] = leg;
    let (upper, lower) = (hip.distance(knee), knee.distance(ankle));
    let Some(direction) = (goal - hip).try_normalize() else {
        return [DQuat::IDENTITY; 2];
    };
    if upper <= 0.0 || lower <= 0.0 {
        return [DQuat::IDENTITY; 2];
    }
    let (near, far) = ((upper - lower).abs(), MAX_REACH * (upper + lower));
    // A leg that is straighter already stays so.
    let far = far.max(hip.distance(ankle)).min(upper + lower);
    let distance = goal.distance(hip).clamp(near.min(far), far).max(1e-12);
    let along = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
    let aside = (upper * upper - along * along).max(0.0).sqrt();
    let bend = (knee - hip).reject_from_normalized(direction);
    let bend = match bend.length() > 1e-4 * upper {
        true => bend,
        false => forward.reject_from_normalized(direction),
    };
    let new_knee = hip + along * direction + aside * bend.normalize_or_zero();
    let new_ankle = hip + distance * direction;
    [
        swing(knee - hip, new_knee - hip),
        swing(ankle - knee, new_ankle - new_knee),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(range: f64) -> impl Strategy<Value = DVec3> {
        let side = -range..range;
        (side.clone(), side.clone(), side).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    /// Applies the rotations to the leg.
    fn moved(leg: LegPositions, [thigh, shin]: [DQuat; 2]) -> LegPositions {
        let knee = leg[0] + thigh * (leg[1] - leg[0]);
        [leg[0], knee, knee + shin * (leg[2] - leg[1])]
    }

    proptest! {
        #[test]
        fn foot_is_on_the_goal_or_the_leg_is_straight(knee in point(0.4), ankle in point(0.4), goal in point(0.9)) {
            let leg = [DVec3::ZERO, DVec3::new(0.0, -0.45, 0.05) + knee * 0.2, DVec3::new(0.0, -0.85, 0.0) + ankle * 0.2];
            let (upper, lower) = (leg[1].length(), leg[1].distance(leg[2]));
            let result = moved(leg, reach(leg, goal, DVec3::Z));
            let nearest = goal.length().clamp((upper - lower).abs(), upper + lower);
            // Reach ends slightly before a straight knee.
            prop_assert!((result[2].length() - nearest).abs() < 6e-4 * (upper + lower));
            prop_assert!(swing(result[2], goal).to_axis_angle().1 < 1e-6);
        }

        #[test]
        fn leg_on_its_goal_does_not_move(knee in point(0.1)) {
            let leg = [DVec3::ZERO, DVec3::new(0.0, -0.45, 0.0) + knee, DVec3::new(0.0, -0.85, 0.1)];
            for rotation in reach(leg, leg[2], DVec3::Z) {
                prop_assert!(rotation.to_axis_angle().1.abs() < 1e-6);
            }
        }
    }

    #[test]
    fn straight_leg_bends_forward() {
        let leg = [DVec3::ZERO, DVec3::NEG_Y, 2.0 * DVec3::NEG_Y];
        let result = moved(leg, reach(leg, 1.8 * DVec3::NEG_Y, DVec3::Z));
        assert!(result[1].z > 0.4 && result[2].distance(1.8 * DVec3::NEG_Y) < 1e-9);
    }

    #[test]
    fn hips_are_lowered_until_the_foot_is_reached() {
        let leg = [DVec3::ZERO, DVec3::new(0.0, -0.8, 0.6), 1.6 * DVec3::NEG_Y];
        let goal = DVec3::new(0.5, -2.2, 0.0);
        let lowered = lowering(leg, goal);
        let distance = (goal - DVec3::NEG_Y * lowered).length();
        assert!((distance - 2.0 * MAX_REACH).abs() < 1e-9, "{distance}");
        assert_eq!(lowering(leg, DVec3::new(0.0, -1.5, 0.0)), 0.0);
        assert_eq!(lowering(leg, DVec3::new(5.0, -1.5, 0.0)), 0.0);
    }
}
