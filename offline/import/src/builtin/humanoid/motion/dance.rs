//! Motion `dance`: eight beats.

use glam::{DQuat, DVec3};

use super::posture::{Arm, Foot, Posture};
use super::{cosine, ease};
use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FOOT, HEAD, HIPS, NECK, SPINE1, SPINE2, SPINE3, Side, TOES,
};

/// Duration in seconds: eight beats, two per second.
pub(super) const DANCE_SECS: f64 = 4.0;
/// Sideways offset of each foot from its rest position, in metres.
const APART: f64 = 0.045;
/// Sideways amplitude of the hips, in metres.
const SWAY: f64 = 0.075;
/// Pitch of a foot whose heel is lifted, in degrees.
const HEEL_PITCH: f64 = 32.0;

/// Motion `dance`: steps from foot to foot on every second beat and bounces on each. Arms are low for four
/// beats, then raised.
pub(super) fn dance(bones: &Bones, phase: f64) -> Posture<'_> {
    // 1 to the left, −1 to the right, held for a moment at both.
    let to_left = held(cosine(phase, 0.125, 2.0));
    let bounce = cosine(phase, 0.0, 8.0);
    let raised = raised(phase);
    let swing = cosine(phase, 0.16, 2.0);

    let mut posture = Posture::rest(bones);
    let down = -0.048 + 0.016 * bounce - 0.012 * to_left * to_left;
    let round = 0.014 * cosine(phase, 0.0, 4.0);
    posture.hips += DVec3::new(SWAY * to_left, down, round);
    posture.rotate(HIPS, 4.0 + 2.0 * bounce, -9.0 * swing, -9.0 * to_left);
    posture.rotate(SPINE1, -1.0, 5.0 * swing, 7.0 * to_left);
    posture.rotate(SPINE2, 2.0 - 2.0 * bounce, 7.0 * swing, 6.0 * to_left);
    posture.rotate(SPINE3, 1.0 - 3.0 * bounce, 8.0 * swing, 2.0 * to_left);
    posture.rotate(NECK, -2.0 + 3.0 * bounce, -6.0 * swing, -4.0 * to_left);
    posture.rotate(HEAD, -2.0 + 5.0 * bounce, -5.0 * swing, -5.0 * to_left);

    for side in Side::BOTH {
        let load = side.sign() * to_left;
        posture.foot(side, foot(bones, side, load));
        // Shoulders alternate.
        let lift = 4.0 * cosine(phase, 0.125 * (1.0 - side.sign()), 4.0);
        posture.bend(side, CLAVICLE, 3.0 * load, 0.0, lift);
        posture.arm(side, arm(phase, side, load, raised));
    }
    posture
}

/// Returns a foot that stays on its ball, with the heel lifted while the load is on the other foot. `load`
/// is 1 if all weight is on this foot, −1 if on the other.
fn foot(bones: &Bones, side: Side, load: f64) -> Foot {
    let [ankle, ball] = [FOOT, TOES].map(|j| bones.positions[side.joint(j)]);
    let pitch = -HEEL_PITCH * ease((-load - 0.1) / 0.9);
    let yaw = 12.0;
    let (sin, cos) = pitch.to_radians().sin_cos();
    let (back, up) = (ankle.z - ball.z, ankle.y - ball.y);
    let offset = DVec3::new(
        ankle.x - ball.x,
        up * cos + back * sin,
        back * cos - up * sin,
    );
    let rotation = DQuat::from_rotation_y(side.sign() * f64::to_radians(yaw));
    let ball = ball + DVec3::X * side.sign() * (APART + 0.03);
    Foot {
        ankle: ball + rotation * offset,
        pitch,
        yaw,
        toes: -pitch,
    }
}

/// Returns an arm between low (elbow bent, hand swinging past the hip) and raised (hands alternating over the
/// head).
fn arm(phase: f64, side: Side, load: f64, raised: f64) -> Arm {
    let pump = cosine(phase, 0.125 * (1.0 + side.sign()), 4.0);
    let low = Arm {
        swing: 18.0 + 26.0 * cosine(phase, 0.25 + 0.25 * side.sign() * 0.5, 2.0),
        out: 20.0 - 8.0 * load,
        twist: 8.0,
        elbow: 84.0 + 12.0 * pump,
        forearm_twist: -10.0,
        wrist: 5.0,
        curl: 36.0,
    };
    let high = Arm {
        swing: 24.0,
        out: 114.0 + 14.0 * pump,
        twist: -70.0,
        elbow: 58.0 - 30.0 * pump,
        forearm_twist: -14.0,
        wrist: -4.0,
        curl: 16.0,
    };
    let mix = |low: f64, high: f64| low + (high - low) * raised;
    Arm {
        swing: mix(low.swing, high.swing),
        out: mix(low.out, high.out),
        twist: mix(low.twist, high.twist),
        elbow: mix(low.elbow, high.elbow),
        forearm_twist: mix(low.forearm_twist, high.forearm_twist),
        wrist: mix(low.wrist, high.wrist),
        curl: mix(low.curl, high.curl),
    }
}

/// Returns 0 for the first four beats and 1 for the next four, with smooth transitions.
fn raised(phase: f64) -> f64 {
    let beat = phase * 8.0;
    ease(beat - 3.4) * (1.0 - ease((beat - 7.0).max(0.0)))
}

/// Flattens a wave at its extremes.
fn held(x: f64) -> f64 {
    x * (1.5 - 0.5 * x * x)
}
