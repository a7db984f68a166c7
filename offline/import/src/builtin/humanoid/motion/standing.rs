//! What one does on the spot: breathe and shift one's weight, or wave.

use glam::DVec3;

use super::posture::{Arm, Foot, Posture};
use super::wave as cosine;
use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FOOT, HAND, HEAD, HIPS, NECK, SPINE1, SPINE2, SPINE3, Side,
};

/// Of `idle`.
pub(super) const IDLE_SECS: f64 = 4.0;
/// Of `wave`.
pub(super) const WAVE_SECS: f64 = 2.0;

/// How the weight lies and how deep the breath is.
struct Ease {
    /// Of the hips to the left, in metres.
    to_left: f64,
    /// From −1, empty, to 1, full.
    breath: f64,
}

/// Feet a little apart, the weight on both.
fn stand<'a>(bones: &'a Bones, ease: &Ease) -> Posture<'a> {
    let Ease { to_left, breath } = *ease;
    let mut posture = Posture::rest(bones);
    posture.hips += DVec3::new(to_left, -0.010 - 3.0 * to_left * to_left, -0.004);
    // The hip over the foot that stands is the higher one, and the chest stays upright over both.
    let lean = to_left * 110.0;
    posture.turn(HIPS, 1.0, -to_left * 60.0, -lean);
    posture.turn(SPINE1, -0.5, to_left * 40.0, lean * 0.7);
    posture.turn(SPINE2, -0.8 * breath, 0.0, lean * 0.5);
    posture.turn(SPINE3, -breath, to_left * 30.0, lean * 0.2);
    posture.turn(NECK, 0.9 * breath + 1.0, 0.0, -lean * 0.2);
    for side in Side::BOTH {
        let rest = bones.positions[side.joint(FOOT)];
        let apart = DVec3::X * side.sign() * 0.012;
        posture.foot(
            side,
            Foot {
                ankle: rest + apart,
                pitch: 0.0,
                yaw: 7.0,
                toes: 0.0,
            },
        );
        posture.bend(side, CLAVICLE, 0.0, 0.0, 1.2 * breath);
    }
    posture
}

/// An arm that hangs.
fn hanging(breath: f64) -> Arm {
    Arm {
        swing: 3.0 + 0.8 * breath,
        out: 9.0 + 0.8 * breath,
        twist: -4.0,
        elbow: 14.0 + 1.5 * breath,
        turn: -6.0,
        wrist: 4.0,
        curl: 15.0 + 1.5 * breath,
    }
}

/// Breathing, the weight from one foot to the other and back, a look to each side.
pub(super) fn idle(bones: &Bones, phase: f64) -> Posture<'_> {
    let breath = cosine(phase, 0.22, 2.0);
    let weight = cosine(phase, 0.30, 1.0);
    let mut posture = stand(
        bones,
        &Ease {
            to_left: 0.022 * weight,
            breath,
        },
    );
    let look = cosine(phase, 0.42, 1.0) + 0.25 * cosine(phase, 0.1, 3.0);
    posture.turn(NECK, 0.0, 3.0 * look, 0.0);
    posture.turn(
        HEAD,
        1.0 * cosine(phase, 0.6, 2.0),
        4.0 * look,
        1.0 * weight,
    );
    for side in Side::BOTH {
        let own = side.sign() * weight;
        let mut arm = hanging(breath);
        arm.swing += 1.5 * own;
        arm.elbow += 2.5 * own;
        posture.arm(side, arm);
    }
    posture
}

/// A greeting with the right hand.
pub(super) fn wave(bones: &Bones, phase: f64) -> Posture<'_> {
    let breath = cosine(phase, 0.3, 1.0);
    let mut posture = stand(
        bones,
        &Ease {
            to_left: 0.018 + 0.004 * cosine(phase, 0.4, 1.0),
            breath,
        },
    );
    let sweep = cosine(phase, 0.0, 3.0);
    let late = cosine(phase, 0.045, 3.0);
    posture.turn(SPINE2, 0.0, 0.0, -1.5 + 0.6 * late);
    posture.turn(SPINE3, -1.0, 3.0, -2.0 + 0.8 * late);
    posture.turn(HEAD, 1.5 * cosine(phase, 0.1, 1.0), -2.0, 6.0 + 1.5 * late);
    posture.arm(Side::Left, hanging(breath));
    posture.arm(
        Side::Right,
        Arm {
            swing: 12.0,
            out: 92.0 + 3.0 * late,
            twist: -82.0,
            elbow: 82.0 + 24.0 * sweep,
            turn: -8.0,
            wrist: -6.0,
            curl: 3.0 - 2.0 * late,
        },
    );
    posture.bend(Side::Right, HAND, 0.0, 0.0, -10.0 * late);
    posture
}
