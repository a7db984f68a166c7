//! Motions while standing: `idle` and `wave`.

use glam::DVec3;

use super::cosine;
use super::posture::{Arm, Foot, Posture};
use crate::builtin::humanoid::bones::{
    Bones, CLAVICLE, FOOT, HAND, HEAD, HIPS, NECK, SPINE1, SPINE2, SPINE3, Side,
};

/// Duration of `idle`, in seconds.
pub(super) const IDLE_SECS: f64 = 4.0;
/// Duration of `wave`, in seconds.
pub(super) const WAVE_SECS: f64 = 2.0;

/// Distribution of weight, and breath.
struct Balance {
    /// Offset of the hips to the left, in metres.
    to_left: f64,
    /// Breath, from −1 (empty) to 1 (full).
    breath: f64,
}

/// Returns a standing posture with the feet slightly apart, without arms.
fn standing<'a>(bones: &'a Bones, balance: &Balance) -> Posture<'a> {
    let Balance { to_left, breath } = *balance;
    let mut posture = Posture::rest(bones);
    posture.hips += DVec3::new(to_left, -0.010 - 3.0 * to_left * to_left, -0.004);
    // The hip over the loaded foot is higher, and the chest stays upright.
    let lean = to_left * 110.0;
    posture.rotate(HIPS, 1.0, -to_left * 60.0, -lean);
    posture.rotate(SPINE1, -0.5, to_left * 40.0, lean * 0.7);
    posture.rotate(SPINE2, -0.8 * breath, 0.0, lean * 0.5);
    posture.rotate(SPINE3, -breath, to_left * 30.0, lean * 0.2);
    posture.rotate(NECK, 0.9 * breath + 1.0, 0.0, -lean * 0.2);
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

/// Returns a hanging arm.
fn hanging(breath: f64) -> Arm {
    Arm {
        swing: 3.0 + 0.8 * breath,
        out: 9.0 + 0.8 * breath,
        twist: -4.0,
        elbow: 14.0 + 1.5 * breath,
        forearm_twist: -6.0,
        wrist: 4.0,
        curl: 15.0 + 1.5 * breath,
    }
}

/// Motion `idle`: breathing, shifting the weight between the feet, looking to each side.
pub(super) fn idle(bones: &Bones, phase: f64) -> Posture<'_> {
    let breath = cosine(phase, 0.22, 2.0);
    let weight = cosine(phase, 0.30, 1.0);
    let mut posture = standing(
        bones,
        &Balance {
            to_left: 0.022 * weight,
            breath,
        },
    );
    let look = cosine(phase, 0.42, 1.0) + 0.25 * cosine(phase, 0.1, 3.0);
    posture.rotate(NECK, 0.0, 3.0 * look, 0.0);
    posture.rotate(
        HEAD,
        1.0 * cosine(phase, 0.6, 2.0),
        4.0 * look,
        1.0 * weight,
    );
    for side in Side::BOTH {
        let load = side.sign() * weight;
        let mut arm = hanging(breath);
        arm.swing += 1.5 * load;
        arm.elbow += 2.5 * load;
        posture.arm(side, arm);
    }
    posture
}

/// Motion `wave`: a greeting with the right hand.
pub(super) fn wave(bones: &Bones, phase: f64) -> Posture<'_> {
    let breath = cosine(phase, 0.3, 1.0);
    let mut posture = standing(
        bones,
        &Balance {
            to_left: 0.018 + 0.004 * cosine(phase, 0.4, 1.0),
            breath,
        },
    );
    let sweep = cosine(phase, 0.0, 3.0);
    let late = cosine(phase, 0.045, 3.0);
    posture.rotate(SPINE2, 0.0, 0.0, -1.5 + 0.6 * late);
    posture.rotate(SPINE3, -1.0, 3.0, -2.0 + 0.8 * late);
    posture.rotate(HEAD, 1.5 * cosine(phase, 0.1, 1.0), -2.0, 6.0 + 1.5 * late);
    posture.arm(Side::Left, hanging(breath));
    posture.arm(
        Side::Right,
        Arm {
            swing: 12.0,
            out: 92.0 + 3.0 * late,
            twist: -82.0,
            elbow: 82.0 + 24.0 * sweep,
            forearm_twist: -8.0,
            wrist: -6.0,
            curl: 3.0 - 2.0 * late,
        },
    );
    posture.bend(Side::Right, HAND, 0.0, 0.0, -10.0 * late);
    posture
}
